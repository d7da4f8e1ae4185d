"""Targets: where a frame shall be, in the ways a user may say it, and how far a pose is from it."""

import math
from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import of_rpy
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]

CROOKED = 1e-6  # how far RᵀR of a rotation matrix may be from the identity
WAYS = "(x, y, z), a 4x4 matrix, a pair (p, R) or an hs.Frame"


class Target:
    """A place `p` in the world and axes `R` there, the columns of a matrix; None: any axes."""

    __slots__ = ("R", "p")

    def __init__(self, p: Array, R: Array | None) -> None:
        self.p, self.R = p, R

    @staticmethod
    def of(pose: Any, model: Model, position_only: bool = False) -> "Target":
        """The target that three numbers, a 4x4 matrix, (p, R) or a Frame says."""
        if isinstance(pose, Frame):
            values = [model.value(x) for x in (*pose.at, *pose.rpy)]
            p, R = np.array(values[:3]), np.array(of_rpy(*values[3:]))
        elif isinstance(pose, tuple | list) and len(pose) == 2:
            p, R = _numbers(pose[0]), _numbers(pose[1])
        else:
            whole = _numbers(pose)
            if whole.shape == (4, 4):
                p, R = _split(whole)
            else:
                p, R = whole, None
        if p.shape != (3,) or (R is not None and R.shape != (3, 3)):
            shapes = " and ".join(str(x.shape) for x in (p, R) if x is not None)
            raise ModelError(f"the pose has shape {shapes}", expected=WAYS)
        return Target(p, None if R is None or position_only else _rotation(R))

    def missed(self, p: Array, R: Array) -> tuple[Array, Array | None]:
        """How far a frame at p, R is off: a vector, and a turn as axis times angle."""
        return p - self.p, None if self.R is None else logarithm(R @ self.R.T)


def _numbers(x: Any) -> Array:
    try:
        array = np.array(x)
    except ValueError:
        raise ModelError("the pose has rows of different lengths", expected=WAYS) from None
    if array.dtype.kind not in "fiu":
        raise ModelError("the pose must be numbers", expected=WAYS)
    if not np.isfinite(array).all():
        raise ModelError("the pose must be finite: it holds a NaN or an infinity")
    return array.astype(float)


def _split(whole: Array) -> tuple[Array, Array]:
    if np.abs(whole[3] - (0, 0, 0, 1)).max() > CROOKED:
        raise ModelError(
            "the 4x4 matrix is no pose: its last row must be 0 0 0 1",
            remedy="if it stands there as a last column, transpose the matrix",
        )
    return whole[:3, 3], whole[:3, :3]


def _rotation(R: Array) -> Array:
    """The rotation next to a matrix that is nearly one."""
    error = float(np.abs(R.T @ R - np.eye(3)).max())
    if error > CROOKED:
        raise ModelError(
            f"the matrix is no rotation: its columns miss being unit and orthogonal by {error:.2g}"
        )
    if np.linalg.det(R) < 0:
        raise ModelError("the matrix is no rotation: it is a reflection, its determinant is -1")
    U, _, Vt = np.linalg.svd(R)
    return U @ Vt


def logarithm(R: Array) -> Array:
    """The axis times the angle, at most pi, of a rotation; exact to rounding also near pi."""
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    # four ways to a quaternion: the one with the largest component loses no digits
    k, _ = max(enumerate((a + e + i, a, e, i)), key=lambda pair: pair[1])
    if k == 0:
        w, x, y, z = 1 + a + e + i, h - f, c - g, d - b
    elif k == 1:
        w, x, y, z = h - f, 1 + a - e - i, b + d, c + g
    elif k == 2:
        w, x, y, z = c - g, b + d, 1 - a + e - i, f + h
    else:
        w, x, y, z = d - b, c + g, f + h, 1 - a - e + i
    sine = math.sqrt(x * x + y * y + z * z)
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    factor = 2 * math.atan2(sine, w) / sine if sine > 0 else 0.0
    return np.array((factor * x, factor * y, factor * z))


def slope_of_logarithm(turn: Array) -> Array:
    """The matrix L with log(exp(d) exp(turn)) = turn + L d for small d."""
    x, y, z = turn.tolist()
    square = x * x + y * y + z * z
    if square < 1e-8:
        k = 1 / 12 + square / 720
    else:
        half = math.sqrt(square) / 2
        k = (1 - half / math.tan(half)) / square
    # 1 - ½ [turn]× + k [turn]×²
    return np.array(
        (
            (1 - k * (y * y + z * z), k * x * y + z / 2, k * x * z - y / 2),
            (k * x * y - z / 2, 1 - k * (x * x + z * z), k * y * z + x / 2),
            (k * x * z + y / 2, k * y * z - x / 2, 1 - k * (x * x + y * y)),
        )
    )
