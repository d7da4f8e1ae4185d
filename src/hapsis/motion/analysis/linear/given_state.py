"""The state at which an analysis is made: coordinates, speeds and states of laws, as users may give them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import check_known
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.assemble import assembled
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.start_values import quaternions, start_of


def given_state(loops: Loops, at: Any) -> tuple[Array, Array, dict[str, float]]:
    """q, v, and the other values by name: states of laws, which the caller checks.

    at    a State; all coordinates; or {name: value} over the model's pose "start". In a model with
          loops the named values are held and the others assembled.
    """
    model = loops.model
    if not (at is None or isinstance(at, Mapping)):
        q = start_of(model, at)
        v = np.array(at.v) if isinstance(at, State) else np.zeros(len(model.speeds))
        for places in quaternions(model).values():
            q[places] /= np.linalg.norm(q[places])
        return q, v, {}
    named = (*model.coordinates, *model.speeds)
    start = {n: x for n, x in (at or {}).items() if n in named}
    others = {n: real(x, f'the start of "{n}"') for n, x in (at or {}).items() if n not in named}
    if loops.names or loops.driven:
        state = assembled(loops, start or None)
        return np.array(state.q), np.array(state.v), others
    q = start_of(model, start)
    for places in quaternions(model).values():
        q[places] /= np.linalg.norm(q[places])
    return q, speeds_of(model, start), others


def speeds_of(model: Model, given: Mapping[str, Any]) -> Array:
    """The speeds named, over those of the model's pose "start"."""
    values = {**(model.pose("start") if "start" in model.poses else {}), **given}
    return np.array([real(values.get(n, 0.0), f'the start of "{n}"') for n in model.speeds])


def frozen(loops: Loops, q: Array, held: Sequence[str], moving: Mapping[int, float]) -> Model:
    """The model with its drives standing still, and more drives that hold these coordinates.

    A drive whose coordinate is to move steadily, {slot: speed}, gives that speed instead.
    """
    model, facts = loops.model, list(loops.model.facts)
    for name in held:
        check_known(name, loops.slots, "there is no coordinate {} that can be held")
    restless = [name for name, driven in loops.driven.items() if not driven.constant]
    if not restless and not held:
        return model
    for k, fact in enumerate(facts):
        if isinstance(fact, Drive) and fact.joint in restless:
            facts[k] = _standing(loops, fact, q, moving)
    driven = [drive.joint for drive in model.drives.values()]
    facts += [
        Drive(f"{name} held", name, position=float(q[model.coordinates.index(name)]))
        for name in held
        if name not in driven
    ]
    return Model(*facts, **{name: getattr(model, name) for name in SETTINGS})


def _standing(loops: Loops, drive: Drive, q: Array, moving: Mapping[int, float]) -> Drive:
    slot = loops.slots.get(drive.joint)
    if slot is not None and slot in moving:
        return Drive(drive.name, drive.joint, velocity=moving[slot])
    position = loops.driven[drive.joint].position
    at = q[loops.model.coordinates.index(drive.joint)] if position is None else position
    return Drive(drive.name, drive.joint, position=float(at))
