"""Constraint rows with an angle, made continuous over any number of turns.

The angle of two directions, atan2(y, x), is known up to whole turns only: it falls by 2π where it
passes π. A row h that is linear in such an angle, with the factor c, falls by 2π c there, and so
it says no more than

    h = 0 (mod 2π c)

as a nut on a thread does, which fits at every whole turn. Taken is the value of h next to zero,

    h - p floor(h / p + 1/2)        p = 2π c

which is continuous wherever the row is nearly met, so that a motion, or an assembly, stays on the
turn on which it is. Several angles in one row have the common measure of their 2π c as p.
"""

from collections.abc import Sequence
from math import lcm, pi
from typing import Any

import numpy as np

from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.elementary_functions import floor, where
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.transplant import transplant
from hapsis.errors import notice
from hapsis.mechanics.formalisms.tree.tree import is_zero

Array = np.ndarray[Any, np.dtype[np.float64]]

TURN = 2.0 * pi
COARSEST = 64  # the largest denominator of the ratio of two factors that have a common measure
ROUNDING = 1e-9  # relative: what differs by less is the same
TRIES = 5  # places at which numbers are compared
NEVER_NEGATIVE = (ops.SQRT, ops.EXP, ops.ABS)  # an angle with such an x stays within half a turn


def continuous(row: Expr, name: str, by_values: set[str]) -> Expr:
    """The row without the jumps of its angles after whole turns; as it is where it has none.

    A row whose jumps have no common measure stays as it is, with a notice.

    by_values   gets the name where values of parameters decide the form
    """
    graph = row.graph
    angles = [] if row.ref & 2 else [i for i in graph.live([row.ref]) if _jumps(graph, i)]
    if not angles:
        return row
    symbols = [graph.symbol(f"angle[{k}]") for k in range(len(angles))]
    [opened] = transplant(graph, [row.ref], graph, dict(zip(angles, symbols, strict=True)))
    h, inputs = Expr(graph, opened), [Expr(graph, symbol) for symbol in symbols]
    leaves = _leaves(graph, [opened, *symbols])
    factors = [x for x in _slopes(h, inputs, leaves) if not is_zero(x)]
    if any(_depends(graph, x, symbols) for x in factors):
        by_values.add(name)
        return row if _repeats(h, inputs, leaves) else _kept(row, name, "is not linear in its angles")
    if not factors:
        return row
    if len(factors) > 1:
        by_values.add(name)
    part = _common_part(factors, leaves)
    if part is None:
        return _kept(row, name, "has angles whose turns have no common measure")
    period = (TURN * part) * factors[0]
    none = period == 0.0  # as of a thread without pitch
    return row - where(none, 0.0, period * floor(row / where(none, 1.0, period) + 0.5))


def _jumps(graph: Graph, index: int) -> bool:
    """Whether a node is an angle that can pass half a turn."""
    op, *refs = graph.nodes[index]
    if op != ops.ATAN2:
        return False
    x = refs[1]
    if x & 2:
        return not (graph.constants[x >> 2] > 0.0) ^ bool(x & 1)
    return bool(x & 1) or graph.nodes[x >> 2][0] not in NEVER_NEGATIVE


def _leaves(graph: Graph, refs: Sequence[int]) -> list[Expr]:
    """The symbols that expressions depend on."""
    return [Expr(graph, i << 2) for i in graph.live(refs) if graph.nodes[i][0] == ops.SYMBOL]


def _slopes(h: Expr, inputs: Sequence[Expr], leaves: Sequence[Expr]) -> list[Expr]:
    """The derivatives of h by these symbols."""
    others = [x for x in leaves if not any(x.ref == y.ref for y in inputs)]
    f = Function("row", {"angle": list(inputs), "x": others}, {"h": h})
    return list(f.jacobian("h", "angle")(list(inputs), others))


def _depends(graph: Graph, x: Expr, symbols: Sequence[int]) -> bool:
    return not x.ref & 2 and any(symbol >> 2 in graph.live([x.ref]) for symbol in symbols)


def _values(outputs: Sequence[Expr], leaves: Sequence[Expr], at: Array) -> Array:
    """Expressions at places, one column for each; parameters as they are stored."""
    f = Function("values", {"x": list(leaves)}, {"y": list(outputs)})
    numbers = np.array(list(f.parameters.values()))
    return evaluate(f, np.vstack([at, np.tile(numbers[:, None], (1, at.shape[1]))]))


def _places(leaves: Sequence[Expr]) -> Array:
    return np.random.default_rng(5).uniform(-1.5, 1.5, (len(leaves), TRIES))


def _repeats(h: Expr, inputs: Sequence[Expr], leaves: Sequence[Expr]) -> bool:
    """Whether a row is the same after a whole turn of any of its angles."""
    at = _places(leaves)
    before = _values([h], leaves, at)
    for angle in inputs:
        turned = at.copy()
        turned[[k for k, x in enumerate(leaves) if x.ref == angle.ref]] += TURN
        change = np.abs(_values([h], leaves, turned) - before)
        if not (change <= ROUNDING * (1.0 + np.abs(before))).all():
            return False
    return True


def _common_part(factors: Sequence[Expr], leaves: Sequence[Expr]) -> float | None:
    """The largest part of the first factor of which all are whole multiples; None without any."""
    if len(factors) == 1:
        return 1.0
    values = _values(factors, leaves, _places(leaves))
    if not (np.isfinite(values).all() and values[0].all()):
        return None
    ratios = values[1:] / values[0]
    from fractions import Fraction  # imported only where it is used

    parts = [Fraction(float(x)).limit_denominator(COARSEST) for x in ratios[:, 0]]
    exact = np.array([[float(x)] for x in parts])
    if not (np.abs(ratios - exact) <= ROUNDING * (1.0 + np.abs(exact))).all():
        return None
    return 1.0 / lcm(*(x.denominator for x in parts))


def _kept(row: Expr, name: str, why: str) -> Expr:
    notice(
        f'the row "{name[:80]}" {why}: it jumps where one of them passes half a turn; '
        "take coordinates of joints, which count their turns"
    )
    return row
