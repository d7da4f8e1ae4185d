"""Six-dimensional vectors, angular part first, and symmetric 6 x 6 matrices, as tuples."""

from collections.abc import Callable, Sequence
from typing import Any

from hapsis.mechanics.algebra.spatial import Motion

Six = tuple[Any, ...]


def six(pair: Motion) -> Six:
    """A motion or a wrench as six numbers."""
    return (*pair[0], *pair[1])


def product(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """The scalar product."""
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def plus(a: Sequence[Any], x: Any, b: Sequence[Any]) -> Any:
    """a + x b."""
    return tuple(y + x * z for y, z in zip(a, b, strict=True))


def symmetric(entry: Callable[[int, int], Any]) -> list[Six]:
    """The rows of a symmetric 6 x 6 matrix from its entries (a, b) with a <= b."""
    known = {(a, b): entry(a, b) for a in range(6) for b in range(a, 6)}
    return [tuple(known[min(a, b), max(a, b)] for b in range(6)) for a in range(6)]


def triangle(rows: Sequence[Six]) -> Six:
    """The upper triangle of a symmetric matrix, row by row."""
    return tuple(rows[a][b] for a in range(6) for b in range(a, 6))


def of_triangle(entries: Sequence[Any]) -> list[Six]:
    """The symmetric matrix with an upper triangle."""
    return symmetric(lambda a, b: entries[6 * a - a * (a - 1) // 2 + b - a])


def less(s: Sequence[Any], rows: Sequence[Six], p: Sequence[Any]) -> Six:
    """s less the product of a matrix with p."""
    return tuple(x - product(row, p) for x, row in zip(s, rows, strict=True))
