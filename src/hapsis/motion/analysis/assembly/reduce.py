"""The verb `reduced_dynamics`: a model with loops as one Function."""

from collections.abc import Sequence

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.deferred_verbs import partitioned_dynamics
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.assembly.assemble import assemble
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.solvers.linear.full_pivot_lu import Pivots, pivots
from hapsis.motion.solvers.linear.sparse_order import operations, sparse_order

OPEN = 1e-9  # of the unit of a row; a pose that is further open is not closed
ALIKE = 0.1  # the smallest pivot over that of full pivoting: below it the other order is not as good
WEAK = 1e-4  # a pivot over the largest: below it the independent coordinates hardly lead


@verb
def reduced_dynamics(
    model: Model, independent: Sequence[str] | None = None, at: State | None = None
) -> Function:
    """(q, v, tau) -> q, v, a: loops closed, speeds closed, all accelerations that tau causes.

    independent    the coordinates that lead; the model's own or the best ones if not given
    at             the closed pose on which the partition is decided; `hs.assemble(model)` if not
                   given

    Of q and v only the independent ones count; of the others q says where Newton's steps begin.
    Good as long as the independent coordinates lead; near a dead point choose others.
    """
    if not constraint_names(model) and not model.drives:
        raise ModelError("the model has no loops or drives to reduce", remedy="use hs.forward_dynamics")
    loops = Loops(model)
    state = assemble(model) if at is None else at
    return partitioned_dynamics(model, partition_of(loops, state.q, independent))


def partition_of(loops: Loops, q: Array, independent: Sequence[str] | None = None) -> Partition:
    """The partition of a closed pose with these coordinates independent; an error if that is impossible."""
    chosen = loops.model.independent if independent is None else tuple(independent)
    for name in chosen:
        known = (*loops.slots, *loops.model.generalized_speeds)
        check_known(name, known, "there is no coordinate {} that can be independent")
    loops.check_finite(q)
    if not np.abs(loops.relative_gap(q)).max(initial=0.0) < OPEN:
        gap = float(np.abs(loops.gap(q)).max())
        raise SolveError(f"the pose is open by {gap:.3g}", remedy="use hs.assemble first")
    J, driven, first = loops.relative_jacobian(q), loops.held, loops.positions
    best = pivots(J, driven, first=first)
    factors = pivots(J, [*driven, *_leading(loops, q, J, chosen)], first=first)
    if factors.rank < best.rank or factors.smallest < WEAK * best.smallest:
        raise SolveError(
            f"{', '.join(chosen)[:200]} cannot be independent in this pose",
            expected=f"{J.shape[1] - len(driven) - best.rank} coordinates that lead all others",
        )
    return in_sparse_order(loops, J, factors)


def best_partition(
    loops: Loops, q: Array, t: float | None = None, preferred: Sequence[str] = ()
) -> Partition:
    """The partition of a closed pose by full pivoting; preferred coordinates lead where they can."""
    J, driven, first = loops.relative_jacobian(q, t), loops.held, loops.positions
    best = pivots(J, driven, first=first)
    if preferred:
        named = [n for n in preferred if n in loops.slots or n in loops.model.generalized_speeds]
        try:
            locked = [*driven, *_leading(loops, q, J, named)]
        except SolveError:
            locked = driven
        factors = pivots(J, locked, first=first)
        if factors.rank == best.rank and factors.smallest >= WEAK * best.smallest:
            best = factors
    return in_sparse_order(loops, J, best)


def _leading(loops: Loops, q: Array, J: Array, names: Sequence[str]) -> list[int]:
    """The places in v that lead where these coordinates and generalized speeds do.

    A generalized speed leads through the speeds that it is made of: those with the largest factors, as far
    as they can lead. The motion does not depend on which of them do.
    """
    slots = [loops.slots[name] for name in names if name in loops.slots]
    combinations = [name for name in names if name not in loops.slots]
    if not combinations:
        return slots
    from hapsis.motion.analysis.assembly.combined_speeds import combined

    u = combined(loops, q)
    Y = u.Y[[u.names.index(name) for name in combinations]]
    fixed = np.eye(J.shape[1])[[*loops.held, *slots]]
    before = _rank(np.vstack([J, fixed]))
    rank = _rank(np.vstack([J, fixed, Y]))
    if rank < before + len(combinations):
        raise SolveError(
            f"{', '.join(combinations)[:200]} cannot be independent in this pose: with the rows the rank of "
            f"the {len(combinations)} combinations is {rank - before}",
            expected="combinations that the rows leave free",
        )
    best = pivots(J, [*loops.held, *slots], first=loops.positions)
    sizes, count = np.abs(Y).max(axis=0), len(slots) + len(combinations)
    for k in np.argsort(-sizes, kind="stable").tolist():
        if len(slots) == count:
            break
        if k in slots or k in loops.held:
            continue
        tried = pivots(J, [*loops.held, *slots, k], first=loops.positions)
        if tried.rank == best.rank and tried.smallest >= WEAK * best.smallest:
            slots.append(k)
    return slots


def _rank(A: Array) -> int:
    return int(np.linalg.matrix_rank(A, tol=1e-9 * max(1.0, float(np.abs(A).max(initial=0.0)))))


def in_sparse_order(loops: Loops, J: Array, best: Pivots) -> Partition:
    """The partition that pivots found, in an order of elimination that fills less where that is as good."""
    rows, dependent = best.rows[: best.rank], best.dependent
    A = J[np.ix_(rows, dependent)]
    pattern = (A != 0.0) | (loops.pattern[np.ix_(rows, dependent)])
    positions = sum(k < loops.positions for k in rows)
    order = sparse_order(A, pattern, positions)
    present = [(k, k) for k in range(best.rank)]
    if order and operations(pattern, order) < operations(pattern, present):
        sizes = [np.abs(successive_pivots(A, each)).min() for each in (order, present)]
        if sizes[0] >= ALIKE * sizes[1]:
            rows, dependent = tuple(rows[i] for i, _ in order), tuple(dependent[j] for _, j in order)
    return Partition(dependent, tuple(loops.names[k] for k in rows))


def successive_pivots(A: Array, order: Sequence[tuple[int, int]]) -> Array:
    """The pivots of a matrix that is eliminated in this order of (row, column)."""
    rows, columns = zip(*order, strict=True)
    U = A[np.ix_(rows, columns)].copy()
    with np.errstate(all="ignore"):
        for k in range(len(U) - 1):
            U[k + 1 :] -= np.outer(U[k + 1 :, k] / U[k, k], U[k])
    return np.nan_to_num(np.diag(U))


def pivot_units(loops: Loops, part: Partition) -> Array:
    """The units of the pivots of J_v in the order of a partition: those of its rows per speed."""
    at = {name: k for k, name in enumerate(loops.names)}
    return loops.row_units[[at[name] for name in part.rows]] / loops.speed_units[list(part.dependent)]


def pivot_sizes(loops: Loops, part: Partition, q: Array, t: float | None = None) -> Array:
    """The pivots of J_v in the order of a partition, at a pose, in the units of rows and speeds."""
    at = {name: k for k, name in enumerate(loops.names)}
    A = loops.relative_jacobian(q, t)[[at[name] for name in part.rows]][:, list(part.dependent)]
    return successive_pivots(A, [(k, k) for k in range(len(A))]) if len(A) else np.zeros(0)
