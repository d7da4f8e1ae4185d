"""Rows of a joint that closes a loop: expressions that are zero where its two ends fit together.

d is the origin of the second end and R its axes, both relative to the first end; over any scalar.
Rows are named x, y, z (positions) and rx, ry, rz (rotations); for an axis given as a vector 1, 2.
"""

from typing import Any

from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.algebra.vectors import Vector, dot
from hapsis.mechanics.model.values.axes import LETTERS, axis_vector

Rows = dict[str, Any]


def origins(d: Vector) -> Rows:
    """Three rows: the origins coincide."""
    return dict(zip("xyz", d, strict=True))


def turns(R: Any) -> Rows:
    """Three rows: no rotation, from the skew part of R."""
    return {"rx": 0.5 * (R[2][1] - R[1][2]), "ry": 0.5 * (R[0][2] - R[2][0]), "rz": 0.5 * (R[1][0] - R[0][1])}


def normals(axis: Any) -> list[tuple[str, str, Vector]]:
    """Two directions normal to an axis, each with the names of its position row and its rotation row."""
    letters = [name for name in "xyz" if not (isinstance(axis, str) and axis[-1] == name)]
    if len(letters) == 2:
        first, second = letters
        return [(first, f"r{second}", LETTERS[first]), (second, f"r{first}", LETTERS[second])]
    rows = z_onto(axis_vector(axis))
    # the first two columns of a rotation that takes z onto the axis
    return [(str(k + 1), f"r{2 - k}", (rows[0][k], rows[1][k], rows[2][k])) for k in range(2)]


def across(axis: Any, d: Vector) -> Rows:
    """Two rows: the second origin is on the line of the axis."""
    return {name: dot(direction, d) for name, _, direction in normals(axis)}


def aligned(axis: Any, R: Any) -> Rows:
    """Two rows: the axis of the second end is parallel to that of the first."""
    turned = turned_by(R, axis_vector(axis))
    return {name: dot(direction, turned) for _, name, direction in normals(axis)}


def turned_by(R: Any, vector: Vector) -> Vector:
    """R times a vector."""
    x, y, z = (dot(row, vector) for row in R)
    return x, y, z
