"""Constant tables inside expressions, and curves and surfaces that interpolate them.

    torque = hs.table([0.0, 1.5, 2.0, 1.2])        torque(i) is an entry
    height = hs.interpolated(grid, (0, 0), (0.1, 0.1), kind="cubic")
    z = height(x, y)                               between entries, with a derivative

A table is one constant of the generated code, however often it is read; equal tables are stored once.
Reading an entry is one operation of the graph, `lookup`, with derivative zero: the derivative of an
interpolation is that of the weights of the entries.
"""

import hashlib
import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.elementary_functions import floor, minimum, where
from hapsis.compiler.ir.graph.expr import Array, Expr, apply, boxed
from hapsis.errors import CompileError, near

SIZE_LIMIT = 1_000_000  # entries of one table: 8 MB of constants
KINDS = ("linear", "cubic")


class Table:
    """A constant table; `tab(i)` or `tab(i, j)` is the entry at floor(index).

    An index outside of the range is replaced by the nearest one inside, NaN by 0.
    """

    def __init__(self, values: Array) -> None:
        self.values = np.array(values, dtype=np.float64, order="C")
        self.values.flags.writeable = False

    @cached_property
    def digest(self) -> bytes:
        """What identifies the entries, row by row."""
        return hashlib.sha256(b"table" + self.values.astype("<f8").tobytes()).digest()

    @property
    def size(self) -> int:
        """How many entries."""
        return self.values.size

    def places(self, x: Array) -> Array:
        """The positions of these indices in the flat table."""
        held = np.where(x > 0, np.minimum(x, self.size - 1), 0)
        return held.astype(np.int64)

    def entries(self, x: Array) -> Array:
        """The entries at these flat indices, in their precision."""
        return self.values.astype(x.dtype, copy=False).ravel()[self.places(x)]

    def __call__(self, *indices: Any) -> Any:
        """The entry at these indices: numbers, expressions, or arrays of either."""
        if len(indices) != self.values.ndim:
            raise CompileError(
                f"a table of shape {self.values.shape} takes {self.values.ndim} "
                f"{'index' if self.values.ndim == 1 else 'indices'}, got {len(indices)}"
            )
        flat = indices[0]
        if len(indices) == 2:
            row, column = map(_held, indices, self.values.shape)
            flat = row * self.values.shape[1] + column
        return _each(self.at, flat)

    def at(self, index: Any) -> Any:
        """The entry at one flat index."""
        if isinstance(index, Expr):
            return Expr(index.graph, index.graph.lookup(self, index.ref))
        return float(self.entries(np.asarray(apply(ops.MUL, index, 1.0), dtype=np.float64)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self.values.shape == other.values.shape and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<table of shape {self.values.shape}>"


@verb
def table(values: Any) -> Table:
    """A constant table of one or two dimensions, to be read at expressions: `tab(i)`, `tab(i, j)`.

    The entry is the one at floor(index); outside of the range it is the nearest entry. Entries
    must be finite, and at most a million. The derivative of an entry is zero.
    """
    return Table(_numbers(values, "a table"))


class Interpolation:
    """A curve or surface through the entries of a table at equal steps, as returned by `interpolated`.

    On each axis a point is in a cell and has weights for the entries around it; the value is the sum
    of these entries times their weights.
    """

    def __init__(self, values: Array, start: Sequence[float], step: Sequence[float], kind: str):
        self.shape, self.start, self.step, self.kind = values.shape, start, step, kind
        self.table = Table(values if kind == "linear" else _continued(values))

    def __call__(self, *place: Any) -> Any:
        """The value at a place: numbers, expressions, or arrays of either."""
        if len(place) != len(self.shape):
            raise CompileError(
                f"a table of shape {self.shape} is interpolated at {len(self.shape)} "
                f"{'number' if len(self.shape) == 1 else 'numbers'}, got {len(place)}"
            )
        return _each(self._at, *place)

    def _at(self, *place: Any) -> Any:
        cells, weights = zip(*map(self._cell, place, self.start, self.step, self.shape), strict=True)
        if len(cells) == 1:
            return _sum(w * self.table.at(cells[0] + k) for k, w in enumerate(weights[0]))
        width = self.table.values.shape[1]
        corner = cells[0] * width + cells[1]
        return _sum(
            across
            * _sum(along * self.table.at(corner + (i * width + j)) for j, along in enumerate(weights[1]))
            for i, across in enumerate(weights[0])
        )

    def _cell(self, x: Any, start: float, step: float, count: int) -> tuple[Any, list[Any]]:
        """The index of the first entry around x on one axis, and the weights of the entries from it on."""
        u, last = apply(ops.SUB, x, start) * (1.0 / step), count - 1.0
        # branches, so that NaN stays NaN
        u = where(apply(ops.LT, u, 0.0), 0.0, where(apply(ops.LT, last, u), last, u))
        cell = minimum(floor(u), last - 1.0)
        t = u - cell
        if self.kind == "linear":
            return cell, [1.0 - t, t]
        # Catmull and Rom: the cubic with the slopes (next - previous) / 2 at both ends of the cell
        return cell, [
            0.5 * (((2.0 - t) * t - 1.0) * t),
            0.5 * ((3.0 * t - 5.0) * (t * t) + 2.0),
            0.5 * (((4.0 - 3.0 * t) * t + 1.0) * t),
            0.5 * ((t - 1.0) * (t * t)),
        ]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interpolation) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Any, ...]:
        return self.kind, tuple(self.start), tuple(self.step), self.table

    def __repr__(self) -> str:
        return f"<{self.kind} interpolation of a table of shape {self.shape}>"


@verb
def interpolated(values: Any, start: Any, step: Any, kind: str = "linear") -> Interpolation:
    """A function g(x), or g(x, y), through the values at start, start + step, start + 2 step, ...

    For a matrix of values g[i, j] at (x, y), `start` and `step` are pairs, one number for each
    axis. The `kind` "linear" has kinks at the entries; "cubic" (Catmull and Rom) goes through them with a
    continuous derivative. Beyond the first and last entries g is constant: there the slope jumps to
    zero, also for a cubic. NaN gives NaN.
    """
    numbers = _numbers(values, "interpolation")
    if min(numbers.shape) < 2:
        raise CompileError(
            f"interpolation needs at least two values along each axis, not shape {numbers.shape}"
        )
    if kind not in KINDS:
        raise CompileError(
            f'there is no interpolation "{str(kind)[:60]}"{near(str(kind), KINDS)}: use ' + " or ".join(KINDS)
        )
    starts, steps = (_axes(x, numbers.ndim, n) for x, n in ((start, "start"), (step, "step")))
    if min(steps) <= 0:
        raise CompileError(f"the step of an interpolation must be positive, not {min(steps)}")
    return Interpolation(numbers, starts, steps, kind)


def _numbers(values: Any, what: str) -> Array:
    array = float_array(values)
    if array is None or array.ndim not in (1, 2) or not np.isfinite(array).all():
        raise CompileError(f"{what} takes finite numbers in one or two dimensions")
    if not 1 <= array.size <= SIZE_LIMIT:
        raise CompileError(f"{what} takes 1 to {SIZE_LIMIT:,} numbers, not {array.size:,}")
    return array


def _axes(value: Any, count: int, what: str) -> tuple[float, ...]:
    """One number for each axis."""
    array = float_array(value)
    numbers = () if array is None or array.ndim > 1 else tuple(float(x) for x in np.atleast_1d(array))
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        expected = "a finite number" if count == 1 else "a pair of finite numbers"
        raise CompileError(f"the {what} of this interpolation must be {expected}")
    return numbers


def _held(index: Any, count: int) -> Any:
    """The index rounded down and clipped to 0 to count - 1; NaN counts as 0."""
    return where(apply(ops.LT, 0.0, index), minimum(floor(index), count - 1.0), 0.0)


def _each(function: Callable[..., Any], *places: Any) -> Any:
    """A function of scalars applied to arrays element by element."""
    if not any(isinstance(x, np.ndarray | list | tuple) for x in places):
        return function(*places)
    result = np.frompyfunc(function, len(places), 1)(*map(boxed, places))
    symbolic = any(isinstance(x, Expr) for x in np.asarray(result, dtype=object).ravel())
    return result if symbolic else np.asarray(result, dtype=float)


def _sum(terms: Any) -> Any:
    first, *others = terms
    for term in others:
        first = first + term
    return first


def _continued(values: Array) -> Array:
    """The values with one more entry at both ends of each axis, by linear extrapolation."""
    for axis in range(values.ndim):
        rows = np.moveaxis(values, axis, 0)
        rows = np.concatenate([[2 * rows[0] - rows[1]], rows, [2 * rows[-1] - rows[-2]]])
        values = np.moveaxis(rows, 0, axis)
    return values
