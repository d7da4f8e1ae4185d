"""Rotations about an axis as arrays of numbers: the matrix of an angle, and the angle of a matrix."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]


def turn_about(axis: Any, angle: float) -> Array:
    """The rotation by an angle about a unit vector: I + sin K + (1 - cos) K² (Rodrigues)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def angle_about(axis: Any, R: Array) -> float:
    """By how much R turns about a unit vector, from -pi to pi."""
    sine = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return float(np.arctan2(np.dot(axis, sine), 0.5 * (np.trace(R) - 1.0)))
