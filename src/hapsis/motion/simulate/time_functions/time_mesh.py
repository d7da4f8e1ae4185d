"""A span of time cut into cells until every function of time is known on each of them.

Bounds of interval arithmetic tell what a sampling could miss: a pulse of any width between two
cells widens the bounds of the cell it lies in, which is then cut further. Cells are cut until

    the bounds of every curve are no wider than a part of its whole range, or tell it to nine digits, and
    no comparison changes its side inside

or until they are as short as time can be told. What is left undecided then is a knot: a kink or
a jump, where a step must end. On all other cells the bounds tell how long a step may be so that
it sees what the curve does: STEPS times the time in which the curve would run through its range.
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.motion.simulate.time_functions.intervals import Array
from hapsis.motion.simulate.time_functions.time_graph import TimeGraph

FIRST = 64  # cells at first
SPLIT = 8  # parts of a cell that is cut
PART = 0.125  # of the range of a curve: how well it is known on a cell
DIGITS = 1e-9  # of the size of a curve: what is less is no change, as where factors cancel each other
STEPS = 2.0  # times the range of a curve by its slope: the longest step
ULPS = 64.0  # units in the last place of the time: cells are not cut further
MOST = 20_000  # cells on which one curve may be undecided
HALVINGS = 10  # of a knot
LAST = 2.0  # units in the last place that comparisons in native code may differ by
WIDE = 1e-6  # of the span: undecided for longer is no knot


class TimeMesh(NamedTuple):
    """What is known about functions of time over a span.

    knots     rows of two times, just before and just after a kink or a jump
    starts    of cells, in order
    limits    the longest step that sees what happens on each cell
    lost      the time from which something changes too often to be followed; None where nothing does
    """

    knots: Array
    starts: Array
    limits: Array
    lost: float | None = None


class _Cells(NamedTuple):
    """Cells of time with what is known on each: rows of curves, then of switches."""

    low: Array
    high: Array
    floor: Array  # bounds of curves: (curves, cells)
    ceiling: Array
    needed: Any  # whether a curve matters there
    undecided: Any  # whether a switch may change its side there: (switches, cells)

    def part(self, where: Any) -> "_Cells":
        return _Cells(*(x[..., where] for x in self))

    def and_more(self, other: "_Cells") -> "_Cells":
        return _Cells(*(np.concatenate(pair, axis=-1) for pair in zip(self, other, strict=True)))


def time_mesh(graph: TimeGraph, span: tuple[float, float]) -> TimeMesh:
    """The mesh of a span for all that a graph says about the time."""
    edges = np.linspace(*span, FIRST + 1)
    finest = ULPS * float(np.spacing(max(abs(span[0]), abs(span[1]))))
    cells = _looked_at(graph, edges[:-1], edges[1:])
    followed = np.ones(len(graph.curves) + len(graph.switches), bool)
    lost: float | None = None
    while True:
        rough = _rough(cells) & followed[:, None]
        busy = rough.sum(axis=1) > MOST
        if busy.any():
            when = _first_of_bursts(cells, rough, busy, len(graph.curves))
            lost = when if lost is None else lost
            followed &= ~busy
            continue
        cut = rough.any(axis=0) & (cells.high - cells.low > finest)
        if not cut.any():
            break
        cells = cells.part(~cut).and_more(_looked_at(graph, *_parts(cells.low[cut], cells.high[cut])))
    order = np.argsort(cells.low, kind="stable")
    cells = cells.part(order)
    # what cannot be followed is said, and does not shorten the steps to the last cells it was looked for in
    cells = cells._replace(needed=cells.needed & followed[: len(graph.curves), None])
    mesh = _mesh(cells, rough[:, order], span, lost)
    return mesh._replace(knots=_narrowed(graph, mesh.knots))


def _narrowed(graph: TimeGraph, knots: Array) -> Array:
    """Knots cut in half until only the last digits of the time are left between their sides."""
    if not len(knots):
        return knots
    low, high = knots.T
    before, after = graph.sides(low), graph.sides(high)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        sides = graph.sides(middle)
        first, last = (sides == before).all(axis=0), (sides == after).all(axis=0)
        # where several things change, one after the other, all of it stays inside
        low, high = np.where(first & ~last, middle, low), np.where(last & ~first, middle, high)
    return np.stack([low - LAST * np.spacing(np.abs(low)), high + LAST * np.spacing(np.abs(high))], axis=1)


def _looked_at(graph: TimeGraph, low: Array, high: Array) -> _Cells:
    """Cells with all that the graph tells about them."""
    known = graph.bounds(low, high)
    need = graph.needed(known)
    nowhere = np.zeros(len(low), bool)

    def rows(values: list[Any], kind: Any) -> Any:
        return np.array(values) if values else np.zeros((0, len(low)), kind)

    floor = rows([known[i][0] for i in graph.curves], float)
    ceiling = rows([known[i][1] for i in graph.curves], float)
    needed = rows([need.get(i, nowhere) for i in graph.curves], bool)
    undecided = rows([graph.undecided(i, known) & need.get(i, nowhere) for i in graph.switches], bool)
    return _Cells(low, high, floor, ceiling, needed, undecided)


def _parts(low: Array, high: Array) -> tuple[Array, Array]:
    """Each cell cut into parts."""
    edges = np.linspace(low, high, SPLIT + 1, axis=-1)
    return edges[:, :-1].ravel(), edges[:, 1:].ravel()


def _widths(cells: _Cells) -> tuple[Array, Array]:
    """How wide the bounds of curves are on each cell, and over all cells on which they matter."""
    with np.errstate(all="ignore"):
        width = np.where(cells.floor == cells.ceiling, 0.0, cells.ceiling - cells.floor)
        width = np.where(cells.needed, np.where(np.isnan(width), np.inf, width), 0.0)
        top = np.where(cells.needed, cells.ceiling, -np.inf).max(axis=1, initial=-np.inf)
        bottom = np.where(cells.needed, cells.floor, np.inf).min(axis=1, initial=np.inf)
        whole = top - bottom
        size = np.maximum(np.abs(top), np.abs(bottom))
        same = DIGITS * np.where(np.isfinite(size), size, 0.0)
        width = np.where(width <= same[:, None], 0.0, width)
    return width, np.where(np.isfinite(whole), np.maximum(whole, 0.0), np.inf)


def _rough(cells: _Cells) -> Any:
    """Whether curves are not known well enough, then whether switches are undecided, on each cell."""
    width, whole = _widths(cells)
    with np.errstate(all="ignore"):
        part = PART * whole[:, None]
        unknown = np.where(np.isinf(part), np.isinf(width), width > part)
    return np.concatenate([unknown, cells.undecided])


def _first_of_bursts(cells: _Cells, rough: Any, busy: Any, curves: int) -> float | None:
    """Where something that changes too often begins; None where only curves do so all the time.

    A curve that is fast everywhere is seen by any step; what is fast now and then may be missed.
    """
    length = cells.high - cells.low
    for k in np.flatnonzero(busy):
        if k >= curves or length[rough[k]].sum() < 0.5 * length.sum():
            return float(cells.low[rough[k]].min())
    return None


def _mesh(cells: _Cells, rough: Any, span: tuple[float, float], lost: float | None) -> TimeMesh:
    """Knots and limits of cells in order of time."""
    undecided = rough.any(axis=0)
    knots, wide = _joined(cells.low[undecided], cells.high[undecided], WIDE * (span[1] - span[0]))
    if wide is not None and lost is None:
        lost = wide
    width, whole = _widths(cells)
    with np.errstate(all="ignore"):
        longest = STEPS * (cells.high - cells.low) * whole[:, None] / width
    longest = np.where(np.isnan(longest), np.inf, longest)
    limits = np.where(undecided, np.inf, longest.min(axis=0, initial=np.inf))
    return TimeMesh(knots, *_stretches(cells.low, limits, span[1] - span[0]), lost)


def _joined(low: Array, high: Array, most: float) -> tuple[Array, float | None]:
    """Undecided cells that touch as one; and where some are too wide to be a knot."""
    if not len(low):
        return np.empty((0, 2)), None
    first = np.concatenate([[True], low[1:] > high[:-1]])
    ends = np.append(np.flatnonzero(first)[1:], len(low)) - 1
    knots = np.stack([low[first], high[ends]], axis=1)
    wide = knots[:, 1] - knots[:, 0] > most
    return knots[~wide], float(knots[wide][0, 0]) if wide.any() else None


def _stretches(starts: Array, limits: Array, whole: float) -> tuple[Array, Array]:
    """Neighbours with about the same limit as one cell; limits are rounded down to powers of two."""
    with np.errstate(all="ignore"):
        rounded = np.exp2(np.floor(np.log2(limits)))
    rounded = np.where(rounded < whole, rounded, np.inf)
    first = np.concatenate([[True], rounded[1:] != rounded[:-1]])
    return starts[first], rounded[first]
