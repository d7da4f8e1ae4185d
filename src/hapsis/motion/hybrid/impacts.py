"""The jump of an impact: which rows take part, and the Function of the jump."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.tree.kinematics import jacobian
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.hybrid.actions import Impact, Swap
from hapsis.motion.hybrid.projection import projection
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

Array = np.ndarray[Any, np.dtype[np.float64]]
FREE = 1e-9  # of a direction: the part of it that no row holds


class Jump(NamedTuple):
    """(q, v, t) -> v_after, impulses; and the names of the rows that the impulses belong to."""

    function: Function
    rows: tuple[str, ...]


def jump(model: Model, partition: Partition | None, action: Impact, swaps: Sequence[Swap], q: Array) -> Jump:
    """The jump of an impact into a phase, for poses like q.

    Points that the rows of the phase hold are held; at others the ground gives an impulse along z.
    """
    points = list(action.points)
    for swap in swaps:
        points = [swap.renamed(point) for point in points]
    free = [point for point in points if not held(model, point, q)]
    part = partition or Partition((), ())
    if not free:
        return Jump(projection(model, part), part.rows)
    if action.friction is not None:
        raise ModelError("an impact with friction of a point that nothing holds is not written yet")
    struck = derived(model, ("struck", tuple(free)), lambda: _struck(model, free))
    wanted = [*constraint_names(model), *(f"{point} impact.z" for point in free)]
    part = _partition(struck, wanted, q)
    bouncing = tuple(name for name in part.rows if name not in constraint_names(model))
    return Jump(projection(struck, part, bouncing, action.restitution), part.rows)


def _struck(model: Model, points: Sequence[str]) -> Model:
    for point in points:
        model = model.pinned(point, name=f"{point} impact")
    return model


def _partition(model: Model, names: Sequence[str], q: Array) -> Partition:
    """The best partition of these rows only."""
    loops = Loops(model)
    rows = [k for k, name in enumerate(loops.names) if name in names]
    positions = sum(k < loops.positions for k in rows)
    best = pivots(loops.relative_jacobian(q)[rows], loops.held, first=positions)
    return Partition(best.dependent, tuple(loops.names[rows[k]] for k in best.rows[: best.rank]))


def held(model: Model, point: str, q: Array) -> bool:
    """Whether the rows of a model hold the velocity of a point along z."""
    if not model.has_frame(point):
        raise ModelError(f'an impact names "{point[:60]}", which is no frame of the model')
    native = derived(model, ("native jacobian", point), lambda: compile(jacobian(model, point)))
    row = np.asarray(native(q))[5]
    if not constraint_names(model):
        return False
    J = Loops(model).jacobian(q)
    scale = np.linalg.norm(row)
    rest = row - J.T @ np.linalg.lstsq(J.T, row, rcond=None)[0]
    return bool(np.linalg.norm(rest) <= FREE * scale)
