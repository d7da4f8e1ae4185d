"""Inertias as they are given: three principal moments, six elements, or a matrix of 3 by 3."""

from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.values import Value, length, values_of

SLACK = 1e-9  # relative, for matrices that were rounded when they were written


def moments_of(x: Any, what: str, where: str | None = None) -> tuple[Value, ...]:
    """(xx, yy, zz, xy, xz, yz) from three values, six values or a symmetric matrix."""
    rows = _matrix_rows(x)
    if rows is not None:
        return _symmetric([values_of(row, 3, f"{what}: a row", where) for row in rows], what, where)
    count = length(x)
    if count not in (3, 6):
        given = f"{count} numbers" if count is not None else f"a {type(x).__name__}"
        raise ModelError(
            f"{what} must be 3 or 6 numbers or a matrix of 3 by 3, not {given}",
            where=where,
            expected="(xx, yy, zz), (xx, yy, zz, xy, xz, yz) or three rows of three",
        )
    return (*values_of(x, count, what, where), 0.0, 0.0, 0.0)[:6]


def _matrix_rows(x: Any) -> list[Any] | None:
    """The rows of a matrix of 3 by 3; None for anything else."""
    if getattr(x, "ndim", None) == 2:
        x = list(x)
    if length(x) == 3 and all(length(row) is not None for row in x):
        return list(x)
    return None


def _symmetric(rows: list[tuple[Value, ...]], what: str, where: str | None) -> tuple[Value, ...]:
    largest = max((abs(v) for row in rows for v in row if not isinstance(v, Formula)), default=0.0)
    above: list[Value] = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        a, b = rows[i][j], rows[j][i]
        if isinstance(a, Formula) or isinstance(b, Formula):
            same = a == b
        else:
            same = abs(a - b) <= SLACK * largest
        if not same:
            names = f"{'xyz'[i]}{'xyz'[j]}", f"{'xyz'[j]}{'xyz'[i]}"
            raise ModelError(
                f"{what} is not symmetric: {names[0]} is {a}, {names[1]} is {b}",
                where=where,
                expected="a symmetric matrix, Ixy = -∫xy dm",
            )
        above.append(a)
    return (rows[0][0], rows[1][1], rows[2][2], *above)
