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
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.hybrid.actions import Impact, Swap

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
        return _caught(model, part, action, points, q)
    struck, friction = derived(model, ("struck", free), lambda: _struck(model, free)), action.friction
    rows = constraint_names(struck)
    for point in free:
        if f"{_blow(point)}.z" not in rows:
            raise ModelError(f'an impact at "{point[:60]}": nothing can move it along z')
    feet = [Foot(f"{_blow(point)}.z", _across(_blow(point), rows, friction)) for point in free]
    coefficients: dict[str, Any] = {"e": [action.restitution] * len(free)}
    if friction is not None:
        coefficients["mu"] = [friction] * len(free)
    key = blow, part, tuple(feet), friction is None
    f = derived(struck, key, lambda: blow(struck, part, feet, friction is not None))
    return Jump(f, coefficients, rows, key[1:])


def _across(name: str, rows: Sequence[str], friction: float | None) -> tuple[str, ...]:
    """The rows across of a point that is held by a constraint of this name."""
    return () if friction is None else tuple(row for row in (f"{name}.x", f"{name}.y") if row in rows)


def _caught(model: Model, part: Partition, action: Impact, points: Sequence[str], q: Array) -> Jump:
    """The jump onto the rows of a phase that hold all points; with friction the ground holds those points."""
    names = constraint_names(model)
    if not names and not model.drives:
        return Jump(None, {}, ())
    pins = [
        pin.name for pin in model.constraints.values() if isinstance(pin, Pinned) and str(pin.first) in points
    ]
    if action.friction is None or not pins:
        f = derived(model, (impact, part), lambda: impact(model, part))
        return Jump(f, {}, names, (part,))
    feet = [Foot(f"{pin}.z", _across(pin, names, action.friction)) for pin in pins]
    others = derived(model, ("without", *pins), lambda: model.without(*pins))
    rest = best_partition(_loops(others), q) if constraint_names(others) else Partition((), ())
    f = derived(model, (blow, rest, tuple(feet)), lambda: blow(model, rest, feet, True))
    coefficients = {"e": [0.0] * len(feet), "mu": [action.friction] * len(feet)}
    return Jump(f, coefficients, names, (rest, tuple(feet)))


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
