"""The energy that a model has at its start and can give: the guard's reserve by the word "start".

    reserve = kinetic + potential at the start - potential where the model comes to rest

Drives that a hand leads let go for that: no motion of the hand gets more than this out of a model that makes
no energy, if the pose in which it comes to rest is its lowest. What felt holds at the start is not part
of the potential energy, and is left out; so is all that efforts from outside add later.
"""

import contextlib
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import DeviceError, SolveError
from hapsis.mechanics.formalisms.tree.energy import energy
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.equilibrium.equilibrium import equilibrium
from hapsis.motion.simulate.simulate import simulate
from hapsis.touch.realtime.packed_step import PackedStep

NUDGE = 1e-6  # rad or m, out of a rest that does not last
PATIENCE = 5000  # steps of the search, for a start that is far away
SETTLING = 2.0  # s, until felt and friction have come to rest
WHERE = 'reserve="start"'
REMEDY = "give the reserve in joules"


def start_reserve(step: PackedStep) -> float:
    """J that the model of a step has at its start above what it has where it comes to rest."""
    if step.model is None:
        raise DeviceError("the step has no model of its own", where=WHERE, remedy=REMEDY)
    model = _released(step.model)
    q, v = _start(step)
    least = _lowest(model, q)
    energies = compile(energy(model))
    at_start, at_rest = sum(energies(q, v)), sum(energies(least, 0.0 * v))
    return max(0.0, float(at_start - at_rest))


def _start(step: PackedStep) -> tuple[Any, Any]:
    """Coordinates and speeds at the start."""
    assert step.model is not None
    coordinates, speeds = len(step.model.coordinates), len(step.model.speeds)
    return step.start[:coordinates], step.start[coordinates : coordinates + speeds]


def _released(model: Model) -> Model:
    """The model whose drives by input have let go; those that stand still stay."""
    facts = [fact for fact in model.facts if not (isinstance(fact, Drive) and fact.inputs)]
    released = Model(*facts, **{name: getattr(model, name) for name in SETTINGS})
    for name, driven in Loops(released, 0.0).driven.items():
        if not driven.constant:
            raise DeviceError(
                f'a drive moves "{name[:60]}" by itself, and may give energy without end',
                where=WHERE,
                remedy=REMEDY,
            )
    return released


def _lowest(model: Model, q: Any) -> Any:
    """The coordinates where a model comes to rest from these; not where it would only balance."""
    draw = np.random.default_rng(1)
    for _ in range(3):
        rest = _rest(model, q)
        if rest.report.stable:
            return rest.q
        q = rest.q + NUDGE * draw.normal(size=len(rest.q))
    raise DeviceError("the model only balances where it comes to rest", where=WHERE, remedy=REMEDY)


def _rest(model: Model, q: Any) -> State:
    """The equilibrium that is reached from a start; behind a run or with patience, if the search is slow."""
    try:
        return equilibrium(model, q)
    except SolveError:
        start = dict(zip(model.coordinates, q.tolist(), strict=True))
        run = simulate(model, until=SETTLING, start=start, every=SETTLING)
    known = (*model.coordinates, *(name for name in run.names if name.endswith(".memory")))
    with contextlib.suppress(SolveError):
        return equilibrium(model, {name: float(run[name][-1]) for name in known})
    try:
        return equilibrium(model, q, iterations=PATIENCE)
    except SolveError as problem:
        raise DeviceError(f"the model comes to no rest: {problem}", where=WHERE, remedy=REMEDY) from None
