"""Loops closed and their dynamics reduced to independent coordinates, all in one Function.

The dependent speeds v follow the independent ones u:

    v = B u - J_v⁻¹ ∂h/∂t        B = -J_v⁻¹ J_u        v̇ = B u̇ + b        b = -J_v⁻¹ γ

and with S = (1; B) the equations of motion become

    Sᵀ M S u̇ + Sᵀ (M (0; b) + c) = Sᵀ τ

The dependent coordinates are closed first, by Newton's steps from where they are. Which speeds
depend and which rows say something is decided before, on a closed pose (see `motion.analysis`).
Reference: [Robotran], equations (6), (7) and (16) of seed 000; (20) of seed 002.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir import blocks
from hapsis.compiler.ir.expr import Expr
from hapsis.compiler.ir.function import Function
from hapsis.compiler.ir.functions import abs, maximum, sqrt
from hapsis.mechanics.formalisms.acting import Acting
from hapsis.mechanics.formalisms.constraints import Rows, linearized, rows_of
from hapsis.mechanics.formalisms.coordinate_rates import rates
from hapsis.mechanics.formalisms.elimination import Factors
from hapsis.mechanics.formalisms.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.tree import Tree, is_zero

CLOSED = 1e-13  # m or rad, of the largest row
STEPS = 12  # of Newton, at most


class Partition(NamedTuple):
    """Which speeds depend on the others, and by which rows, both in the order of pivots."""

    dependent: tuple[int, ...]
    rows: tuple[str, ...]


def newton(tree: Tree, part: Partition) -> Function:
    """(q, t) -> q, done: one step towards the pose in which the loops are closed."""
    rows = rows_of(tree)
    v = tree.symbols("v")
    found = linearized(tree, rows, part.rows, v)
    factors = Factors(tree, [[row[k] for k in part.dependent] for row in found.J])
    step: list[Any] = [tree.zero] * tree.n_v
    for slot, x in zip(part.dependent, factors.solved(found.h), strict=True):
        step[slot] = -x
    moved = [x + d for x, d in zip(tree.q, rates(tree, step), strict=True)]
    for link in tree.chain.links:
        if link.kind in ("ball", "free"):
            parts = [moved[k] for k in link.q[-4:]]
            size = sqrt(sum((x * x for x in parts[1:]), parts[0] * parts[0]))
            for k, x in zip(link.q[-4:], parts, strict=True):
                moved[k] = x / size
    largest = abs(found.h[0])
    for x in found.h[1:]:
        largest = maximum(largest, abs(x))
    timed = {} if rows.time is None else {"t": rows.time}
    outputs = {"q": moved, "done": largest < CLOSED}
    return Function("newton", {"q": tree.q, **timed}, outputs)


def reduced(
    tree: Tree, rows: Rows, part: Partition, v: Sequence[Any], tau: Sequence[Any], acting: Acting
) -> list[Any]:
    """All accelerations at a closed pose with closed speeds v."""
    found = linearized(tree, rows, part.rows, v)
    lead = [k for k in range(tree.n_v) if k not in part.dependent]
    factors = Factors(tree, [[row[k] for k in part.dependent] for row in found.J])
    # columns of S over all speeds, and what accelerates without any of them
    S: dict[int, list[Any]] = {}
    for k in lead:
        column: list[Any] = [tree.zero] * tree.n_v
        column[k] = tree.one
        for slot, x in zip(
            part.dependent, factors.solved([row[k] for row in found.J]), strict=True
        ):
            column[slot] = -x
        S[k] = column
    still: list[Any] = [tree.zero] * tree.n_v
    for slot, x in zip(part.dependent, factors.solved(found.gamma), strict=True):
        still[slot] = -x
    M = in_body_frames(tree)
    c = efforts(tree, v, None, False, acting)
    left = [t - x - y for t, x, y in zip(tau, c, times(tree, M, still), strict=True)]
    MS = {k: times(tree, M, S[k]) for k in lead}
    A = [[total(tree, S[i], MS[j]) for j in lead] for i in lead]
    solution = Factors(tree, A).solved([total(tree, S[k], left) for k in lead])
    acceleration = list(still)
    for k, x in zip(lead, solution, strict=True):
        acceleration = [a + x * s for a, s in zip(acceleration, S[k], strict=True)]
    return acceleration


def closed_speeds(tree: Tree, rows: Rows, part: Partition, v: Sequence[Any]) -> list[Any]:
    """All speeds from the independent ones, at a closed pose."""
    found = linearized(tree, rows, part.rows, tree.symbols("speed"))
    factors = Factors(tree, [[row[k] for k in part.dependent] for row in found.J])
    lead = [k for k in range(tree.n_v) if k not in part.dependent]
    right = [
        sum((row[k] * v[k] for k in lead if not is_zero(row[k])), drift)
        for row, drift in zip(found.J, found.drift, strict=True)
    ]
    made = list(v)
    for slot, x in zip(part.dependent, factors.solved(right), strict=True):
        made[slot] = -x
    return made


def closed(tree: Tree, part: Partition, q: Any, time: Expr | None) -> Any:
    """The closed pose nearest to q, by at most `STEPS` steps of Newton."""
    step = newton(tree, part)
    others = [time] if len(step.inputs) == 2 else []
    return blocks.repeat(step, q, *others, times=STEPS)


def times(tree: Tree, M: Any, x: Sequence[Any]) -> list[Any]:
    """M x, of entries by (row, column)."""
    y: list[Any] = [tree.zero] * tree.n_v
    for (i, j), entry in M.items():
        if not is_zero(x[j]):
            y[i] = y[i] + entry * x[j]
    return y


def total(tree: Tree, a: Sequence[Any], b: Sequence[Any]) -> Any:
    """a · b."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if not is_zero(x) and not is_zero(y)]
    return sum((x * y for x, y in pairs), tree.zero)
