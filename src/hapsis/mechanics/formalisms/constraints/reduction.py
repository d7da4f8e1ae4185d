"""Loop closure, and dynamics reduced to independent coordinates (coordinate partitioning).

The dependent speeds v follow from the independent ones u, driven ones among them:

    v = B u - J_v⁻¹ ∂h/∂t        B = -J_v⁻¹ J_u        v̇ = B u̇ + b        b = -J_v⁻¹ γ

and with Z = (1; B) over the free speeds the equations of motion become

    Zᵀ M Z u̇ + Zᵀ (M (a_d; b) + c) = Zᵀ τ

where a_d are the accelerations that drives impose. The residual of the dependent equations is J_vᵀ λ;
the residual that then remains in the driven equations is the effort of the drives. The dependent
coordinates are computed first, by Newton's method from their present values. Which speeds are dependent
and which rows are used is decided before, at a closed pose (see `motion.analysis`).
Reference: [Robotran]; [Paul] for redundant rows.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, sqrt
from hapsis.mechanics.formalisms.constraints.constraint_rows import (
    Clock,
    LinearRows,
    Rows,
    linearized,
    rows_of,
)
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.row_units import row_units
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import Driven
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model

CLOSED = 1e-13  # of its unit, of the largest row
STEPS = 12  # of Newton, at most


class Reduced(NamedTuple):
    """The result of the reduction: accelerations, and on request multipliers and efforts of drives."""

    a: list[Any]
    lam: list[Any]  # of the rows of the partition
    efforts: dict[str, Any]  # by drive


def newton(tree: Tree, part: Partition) -> Function:
    """(q, t) -> q, done: one step of Newton's method towards the closed pose."""
    rows = rows_of(tree)
    part = part.of_positions(tree.links.model)
    linear = linearized(tree, rows, part.rows, tree.symbols("v"))
    J_v = _dependent(tree, part, linear)
    step: list[Any] = [tree.zero] * tree.n_v
    for slot, x in zip(part.dependent, J_v.solved(linear.h), strict=True):
        step[slot] = -x  # J_v δ = -h
    moved = [x + d for x, d in zip(tree.q, rates(tree, step), strict=True)]
    for link in tree.links:
        if link.kind in ("ball", "free"):
            parts = [moved[k] for k in link.q[-4:]]
            size = sqrt(sum((x * x for x in parts[1:]), parts[0] * parts[0]))
            for k, x in zip(link.q[-4:], parts, strict=True):
                moved[k] = x / size
    outputs = {"q": moved, "done": largest(tree, in_units(tree, part.rows, linear.h)) < CLOSED}
    return Function("newton", {"q": tree.q, **rows.timed}, outputs)


def closed(model: Model, part: Partition, q: Any, clock: Clock) -> Any:
    """The closed pose by at most `STEPS` steps of Newton's method from q."""
    part = part.of_positions(model)
    if not part.rows:
        return q
    step = derived(model, (newton, part), lambda: newton(posed_tree(model), part))
    others = [clock()] if len(step.inputs) == 2 else []
    return blocks.repeat(step, q, *others, times=STEPS)


def closed_speeds(tree: Tree, linear: LinearRows, part: Partition, v: Sequence[Any]) -> list[Any]:
    """All speeds from the independent ones, at a closed pose; J and the drift do not depend on speeds."""
    lead = [k for k in range(tree.n_v) if k not in part.dependent]
    right = [
        sum((row[k] * v[k] for k in lead if not is_zero(row[k])), drift)
        for row, drift in zip(linear.J, linear.drift, strict=True)
    ]
    speeds = list(v)
    _put(speeds, part, _dependent(tree, part, linear).solved(right))  # v = B u - J_v⁻¹ ∂h/∂t
    return speeds


def reduced(
    tree: Tree,
    linear: LinearRows,
    part: Partition,
    v: Sequence[Any],
    tau: Sequence[Any],
    applied: AppliedForces,
    drives: Mapping[str, Driven],
    carried: bool = False,
) -> Reduced:
    """All accelerations at a closed pose with closed speeds v; λ and efforts of drives if `carried`."""
    J_v = _dependent(tree, part, linear)
    known = {drive.slot: drive.acceleration for drive in drives.values()}
    lead = [k for k in range(tree.n_v) if k not in part.dependent and k not in known]
    Z = {k: _free_motion(tree, part, linear, J_v, k) for k in lead}
    still = _imposed_acceleration(tree, part, linear, J_v, known)
    M = in_body_frames(tree)
    c = efforts(tree, v, None, False, applied)
    # τ - c - M (a_d; b)
    residual = [t - x - y for t, x, y in zip(tau, c, times(tree, M, still), strict=True)]
    MZ = {k: times(tree, M, Z[k]) for k in lead}
    A = [[total(tree, Z[i], MZ[j]) for j in lead] for i in lead]
    solution = LU(tree, A).solved([total(tree, Z[k], residual) for k in lead])  # Zᵀ M Z u̇ = Zᵀ left
    a = list(still)
    for k, x in zip(lead, solution, strict=True):
        a = [y + x * z for y, z in zip(a, Z[k], strict=True)]  # a = (a_d; b) + Z u̇
        residual = [y - x * m for y, m in zip(residual, MZ[k], strict=True)]  # τ - c - M a
    if not carried:
        return Reduced(a, [], {})
    lam = J_v.transposed_solved([-residual[k] for k in part.dependent])  # J_vᵀ λ = M a + c - τ
    driven = {
        name: sum((-row[drive.slot] * x for row, x in zip(linear.J, lam, strict=True)), -residual[drive.slot])
        for name, drive in drives.items()
    }
    return Reduced(a, lam, driven)


def _free_motion(tree: Tree, part: Partition, linear: LinearRows, J_v: LU, k: int) -> list[Any]:
    """The column of Z = (1; B) for speed k: the motion with unit speed k, J Z = 0."""
    column: list[Any] = [tree.zero] * tree.n_v
    column[k] = tree.one
    _put(column, part, J_v.solved([row[k] for row in linear.J]))
    return column


def _imposed_acceleration(
    tree: Tree, part: Partition, linear: LinearRows, J_v: LU, known: Mapping[int, Any]
) -> list[Any]:
    """(a_d; b): the accelerations that drives impose, and those of the dependent speeds that follow."""
    a: list[Any] = [known.get(k, tree.zero) for k in range(tree.n_v)]
    right = [
        sum((row[k] * x for k, x in known.items() if not is_zero(row[k] * x)), gamma)
        for row, gamma in zip(linear.J, linear.gamma, strict=True)
    ]
    _put(a, part, J_v.solved(right))
    return a


def pivots_of(tree: Tree, part: Partition, rows: Rows) -> list[Any]:
    """The pivots of J_v at a pose, in the order of the partition."""
    J_v = _dependent(tree, part, linearized(tree, rows, part.rows, tree.symbols("speed")))
    return [J_v.U[k][k] for k in range(len(part.rows))]


def in_units(tree: Tree, names: Sequence[str], values: Sequence[Any]) -> list[Any]:
    """A number for each of these rows, in its unit."""
    units = [row_units(tree.links.model)[name] for name in names]
    return [x if unit == 1.0 else (1.0 / unit) * x for unit, x in zip(units, values, strict=True)]


def largest(tree: Tree, values: Sequence[Any]) -> Any:
    """The largest |x|."""
    most = tree.zero
    for x in values:
        most = maximum(most, abs(x))
    return most


def _dependent(tree: Tree, part: Partition, linear: LinearRows) -> LU:
    """The factors of J_v, the columns of the dependent speeds."""
    return LU(tree, [[row[k] for k in part.dependent] for row in linear.J])


def _put(column: list[Any], part: Partition, solution: Sequence[Any]) -> None:
    """Sets the dependent entries to minus a solution."""
    for slot, x in zip(part.dependent, solution, strict=True):
        column[slot] = -x


def times(tree: Tree, M: Any, x: Sequence[Any]) -> list[Any]:
    """M x; M has entries by (row, column)."""
    y: list[Any] = [tree.zero] * tree.n_v
    for (i, j), entry in M.items():
        if not is_zero(x[j]):
            y[i] = y[i] + entry * x[j]
    return y


def total(tree: Tree, a: Sequence[Any], b: Sequence[Any]) -> Any:
    """a · b."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if not is_zero(x) and not is_zero(y)]
    return sum((x * y for x, y in pairs), tree.zero)
