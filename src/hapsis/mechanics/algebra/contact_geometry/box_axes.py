"""The separating-axis test of two boxes: their distances along fifteen directions.

The first box is given in the frame of the second: its axes are the columns a of R, its centre d.
Reference: [Ericson] 4.4.1.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, final

from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, sqrt, where
from hapsis.mechanics.algebra.rotations import Rows
from hapsis.mechanics.algebra.vectors import Vector, dot

PARALLEL = 1e-6  # sin² of the angle between edges below which they begin to make no direction


def largest(values: Iterable[Any]) -> Any:
    """The largest of some numbers."""
    first, *others = values
    for value in others:
        first = maximum(first, value)
    return first


@final
class BoxAxes:
    """Where a first box with half sides h is from a second with half sides k, and distances."""

    def __init__(self, R: Rows, d: Vector, h: list[Any], k: list[Any]) -> None:
        self.R, self.d, self.h, self.k = R, d, h, k
        self.a: list[Vector] = [(R[0][i], R[1][i], R[2][i]) for i in range(3)]
        self.size = h[0] + h[1] + h[2] + k[0] + k[1] + k[2]

    @cached_property
    def _sizes(self) -> list[list[Any]]:
        """Of the cosines between axis i of the first and axis j of the second."""
        return [[abs(x) for x in axis] for axis in self.a]

    @cached_property
    def by_first(self) -> list[Any]:
        """The distances along the normals of the first box."""
        return [
            abs(dot(self.d, axis)) - (h + self.k[0] * s[0] + self.k[1] * s[1] + self.k[2] * s[2])
            for axis, h, s in zip(self.a, self.h, self._sizes, strict=True)
        ]

    @cached_property
    def by_second(self) -> list[Any]:
        """The distances along the normals of the second box."""
        h, s = self.h, self._sizes
        return [
            abs(self.d[j]) - (self.k[j] + h[0] * s[0][j] + h[1] * s[1][j] + h[2] * s[2][j]) for j in range(3)
        ]

    def across(self, i: int, j: int) -> Any:
        """The distance across two edges; falling to nothing where they become parallel."""
        a, d, h, k, size = self.a[i], self.d, self.h, self.k, self._sizes
        square = 1.0 - a[j] * a[j]
        i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        reach = h[i1] * size[i2][j] + h[i2] * size[i1][j] + k[j1] * size[i][j2] + k[j2] * size[i][j1]
        offset = d[j1] * a[j2] - d[j2] * a[j1]  # d · (a × b)
        distance = (abs(offset) - reach) / sqrt(maximum(square, PARALLEL))
        return distance - 2.0 * self.size * maximum(1.0 - square / PARALLEL, 0.0)

    def facing(self, first: tuple[Any, Any], second: tuple[Any, Any]) -> "BoxAxes":
        """The same boxes with their axes counted from another one each.

        first, second    whether that is axis 0, and whether it is axis 1
        """
        columns = [turned(first, row) for row in self.R]
        rows = tuple(zip(*(turned(second, column) for column in zip(*columns, strict=True)), strict=True))
        return BoxAxes(
            rows, turned(second, self.d), list(turned(first, self.h)), list(turned(second, self.k))
        )


def turned(chose: tuple[Any, Any], x: Any) -> Any:
    """Three numbers counted from the one chosen: the first, the second or else the third."""
    return tuple(where(chose[0], x[m], where(chose[1], x[(m + 1) % 3], x[(m + 2) % 3])) for m in range(3))


def turned_back(chose: tuple[Any, Any], x: Any) -> Any:
    """What `turned` has changed."""
    return tuple(where(chose[0], x[m], where(chose[1], x[(m + 2) % 3], x[(m + 1) % 3])) for m in range(3))
