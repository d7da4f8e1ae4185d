"""What is read at a frame, as expressions of its pose and its velocities."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.graph.elementary_functions import sqrt, where
from hapsis.mechanics.algebra.rotations import Matrix, Rows
from hapsis.mechanics.algebra.vectors import Vector, dot
from hapsis.mechanics.model.signals.frame_signals import (
    AXES,
    MOTION,
    OWN_TURNING,
    POSITION,
    SPEED,
    TURNING,
    Quantity,
)


def quantity_at(quantity: Quantity, R: Rows, p: Vector, w: Vector, u: Vector) -> Any:
    """The number or the array of a quantity at a frame with these axes, origin and velocities."""
    kind = quantity.kind
    if kind == SPEED:
        square = dot(u, u)
        moves = square > 0.0  # so that the slope is finite at rest
        return where(moves, sqrt(where(moves, square, 1.0)), 0.0)
    if kind == AXES:
        return np.array(R, dtype=object)
    if kind == MOTION:
        return np.array([*w, *u], dtype=object)
    turning = Matrix(R).down(w) if kind == OWN_TURNING else w
    vector = p if kind == POSITION else turning if kind in (TURNING, OWN_TURNING) else u
    return np.array(vector, dtype=object) if quantity.part is None else vector[quantity.part]
