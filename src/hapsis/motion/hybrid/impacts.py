"""The jump of an impact: which rows take part, and the Function of the jump."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.blow import blow
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
    """(q, v, e, mu, ...) -> v, lam; its coefficients, the names of the rows of lam, and how it is written.

    The function is None where nothing jumps. Jumps of equal `form` into one phase have one Function.
    """

    function: Function | None
    coefficients: Mapping[str, Any]
    rows: tuple[str, ...]
    form: tuple[Any, ...] = ()


def jump(model: Model, partition: Partition | None, action: Impact, swaps: Sequence[Swap], q: Array) -> Jump:
    """The jump of an impact into a phase, for poses like q.

    Points that the rows of the phase hold are held; at others the ground gives an impulse along z, and with
    friction one across.
    """
    points = struck_points(action, swaps)
    free = tuple(point for point in points if not held(model, point, q))
    part = partition or Partition((), ())
    if not free:
        return _caught(model, part, action, points)
    struck, friction = derived(model, ("struck", free), lambda: _struck(model, free)), action.friction
    rows = constraint_names(struck)
    for point in free:
        if f"{_blow(point)}.z" not in rows:
            raise ModelError(f'an impact at "{point[:60]}": nothing can move it along z')
    feet = [Foot(f"{_blow(point)}.z", ()) for point in free]
    if friction is not None:
        feet = _with_friction(struck, constraint_names(model), feet, q)
    coefficients: dict[str, Any] = {"e": [action.restitution] * len(free)}
    if friction is not None:
        coefficients["mu"] = [friction] * len(free)
    key = blow, part, tuple(feet), friction is None
    f = derived(struck, key, lambda: blow(struck, part, feet, friction is not None))
    return Jump(f, coefficients, rows, key[1:])


def _with_friction(struck: Model, names: Sequence[str], feet: Sequence[Foot], q: Array) -> list[Foot]:
    """The feet with rows across, as many as say something that the phase and the own normal do not."""
    normals = [foot.normal for foot in feet]
    told = _independent(struck, [*names, *normals], [], q)
    for normal in normals:
        if normal not in told:
            raise ModelError(
                f'an impact with friction at "{normal.removesuffix(" impact.z")[:60]}": the other points '
                "hold it already, so that the load may be shared in more than one way",
                remedy="leave out this point, or the friction",
            )
    feet_with_rows: list[Foot] = []
    for normal in normals:
        rows = _independent(struck, [*names, normal], [normal[:-1] + axis for axis in "xy"], q)
        across = tuple(row for row in (normal[:-1] + "x", normal[:-1] + "y") if row in rows)
        feet_with_rows.append(Foot(normal, across))
    return feet_with_rows


def _caught(model: Model, part: Partition, action: Impact, points: Sequence[str]) -> Jump:
    """The jump onto the rows of a phase that hold all points."""
    names = constraint_names(model)
    if not names and not model.drives:
        return Jump(None, {}, ())
    feet: list[Foot] = []
    if action.friction is not None:
        for pin in model.constraints.values():
            if isinstance(pin, Pinned) and str(pin.first) in points and f"{pin.name}.z" in part.rows:
                across = tuple(n for n in (f"{pin.name}.x", f"{pin.name}.y") if n in part.rows)
                feet.append(Foot(f"{pin.name}.z", across))
    coefficients = {"mu": [action.friction] * len(feet)} if feet else {}
    f = derived(model, (impact, part, tuple(feet)), lambda: impact(model, part, (), feet))
    return Jump(f, coefficients, names, (part, tuple(feet)))


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


def _independent(model: Model, first: Sequence[str], then: Sequence[str], q: Array) -> list[str]:
    """The independent ones among these rows; the first come before the others."""
    loops = _loops(model)
    at = {name: k for k, name in enumerate(loops.names)}
    mine = [name for name in first if name in at]
    names = [*mine, *(name for name in then if name in at)]
    best = pivots(loops.relative_jacobian(q)[[at[n] for n in names]], loops.held, first=len(mine))
    return [names[k] for k in best.rows[: best.rank]]


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
