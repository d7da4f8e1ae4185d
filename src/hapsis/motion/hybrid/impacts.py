"""The jump of an impact: which rows take part, and the Function of the jump."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.impact import Foot, impact
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.tree.kinematics import jacobian
from hapsis.mechanics.model.constraints.motion_constraints import Pinned
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.hybrid.actions import Impact, Swap
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

Array = np.ndarray[Any, np.dtype[np.float64]]
FREE = 1e-9  # of a direction: the part of it that no row holds
UP = 5  # the row of a Jacobian for the velocity along z


class Jump(NamedTuple):
    """(q, v, e, mu, ...) -> v, lam; its coefficients, the names of the rows of lam, and by which partition.

    The function is None where nothing jumps.
    """

    function: Function | None
    coefficients: Mapping[str, Any]
    rows: tuple[str, ...]
    partition: Partition | None = None


def jump(model: Model, partition: Partition | None, action: Impact, swaps: Sequence[Swap], q: Array) -> Jump:
    """The jump of an impact into a phase, for poses like q.

    Points that the rows of the phase hold are held; at others the ground gives an impulse along z, and with
    friction one across.
    """
    points = struck_points(action, swaps)
    free = tuple(point for point in points if not held(model, point, q))
    if not free:
        return _caught(model, partition, action, [point for point in points if point not in free])
    struck = derived(model, ("struck", free), lambda: _struck(model, free))
    names, normals = constraint_names(model), [f"{_blow(point)}.z" for point in free]
    across = (
        [f"{_blow(point)}.{axis}" for point in free for axis in "xy"] if action.friction is not None else []
    )
    part = _partition(struck, [*names, *normals], across, q)
    feet = [
        Foot(
            f"{_blow(point)}.z",
            tuple(n for n in part.rows if n in (f"{_blow(point)}.x", f"{_blow(point)}.y")),
        )
        for point in free
    ]
    for point, foot in zip(free, feet, strict=True):
        if foot.normal not in part.rows:
            raise ModelError(f'an impact at "{point[:60]}": nothing can stop it along z in this pose')
    coefficients: dict[str, Any] = {"e": [action.restitution] * len(free)}
    if across:
        coefficients["mu"] = [action.friction] * len(free)
    f = _impact(struck, part, [foot.normal for foot in feet], feet if across else ())
    return Jump(f, coefficients, constraint_names(struck), part)


def _caught(model: Model, partition: Partition | None, action: Impact, points: Sequence[str]) -> Jump:
    """The jump onto the rows of a phase that hold all points."""
    names = constraint_names(model)
    if not names and not model.drives:
        return Jump(None, {}, ())
    part = partition or Partition((), ())
    feet: list[Foot] = []
    if action.friction is not None:
        for pin in model.constraints.values():
            if isinstance(pin, Pinned) and str(pin.first) in points and f"{pin.name}.z" in part.rows:
                across = tuple(n for n in (f"{pin.name}.x", f"{pin.name}.y") if n in part.rows)
                feet.append(Foot(f"{pin.name}.z", across))
    coefficients = {"mu": [action.friction] * len(feet)} if feet else {}
    return Jump(_impact(model, part, (), feet), coefficients, names)


def _impact(model: Model, part: Partition, bouncing: Sequence[str], feet: Sequence[Foot]) -> Function:
    """The Function of an impact, kept with the model."""
    key = impact, part, tuple(bouncing), tuple(feet)
    return derived(model, key, lambda: impact(model, part, bouncing, feet, pushing=True))


def struck_points(action: Impact, swaps: Sequence[Swap]) -> list[str]:
    """The points of an impact by their names after these swaps."""
    points = list(action.points)
    for swap in swaps:
        points = [swap.renamed(point) for point in points]
    return points


def _blow(point: str) -> str:
    """The name of the constraint that stands for the ground under a point."""
    return f"{point} impact"


def _struck(model: Model, points: Sequence[str]) -> Model:
    for point in points:
        model = model.pinned(point, name=_blow(point))
    return model


def _partition(model: Model, first: Sequence[str], then: Sequence[str], q: Array) -> Partition:
    """The best partition of these rows, as far as they say something; the first come before the others."""
    loops = _loops(model)
    at = {name: k for k, name in enumerate(loops.names)}
    mine = [name for name in first if name in at]
    names = [*mine, *(name for name in then if name in at)]
    best = pivots(loops.relative_jacobian(q)[[at[n] for n in names]], loops.held, first=len(mine))
    return Partition(best.dependent, tuple(names[k] for k in best.rows[: best.rank]))


def _loops(model: Model) -> Loops:
    """The rows of a model with its own numbers, kept with it."""
    return derived(model, (Loops, "impacts"), lambda: Loops(model))


def held(model: Model, point: str, q: Array) -> bool:
    """Whether the rows of a model hold the velocity of a point along z."""
    if not model.has_frame(point):
        raise ModelError(f'an impact names "{point[:60]}", which is no frame of the model')
    if not constraint_names(model):
        return False
    native = derived(model, ("native jacobian", point), lambda: compile(jacobian(model, point)))
    row, J = np.asarray(native(q))[UP], _loops(model).jacobian(q)
    rest = row - J.T @ np.linalg.lstsq(J.T, row, rcond=None)[0]
    return bool(np.linalg.norm(rest) <= FREE * np.linalg.norm(row))
