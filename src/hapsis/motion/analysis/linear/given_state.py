"""The state at which an analysis is made: coordinates, speeds and states of laws, as users may give them."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import check_known
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.driven_points import driven_coordinate, driven_coordinates
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.assemble import assembled
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.drive_ways import drive_ways
from hapsis.motion.analysis.start_values import names_combinations, quaternions, start_of


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
    named = (*model.coordinates, *model.speeds, *model.generalized_speeds)
    start = {n: x for n, x in (at or {}).items() if n in named}
    others = {n: real(x, f'the start of "{n}"') for n, x in (at or {}).items() if n not in named}
    if loops.names or loops.driven or names_combinations(model, start):
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
        if isinstance(fact, Drive) and driven_coordinate(model, fact) in restless:
            facts[k] = _standing(loops, fact, q, moving)
    driven = driven_coordinates(model).values()
    facts += [
        Drive(f"{name} held", name, position=float(q[model.coordinates.index(name)]))
        for name in held
        if name not in driven
    ]
    return Model(*facts, **{name: getattr(model, name) for name in SETTINGS})


def _standing(loops: Loops, drive: Drive, q: Array, moving: Mapping[int, float]) -> Drive:
    coordinate = driven_coordinate(loops.model, drive)
    slot, place = loops.slots.get(coordinate), loops.model.coordinates.index(coordinate)
    if slot is not None and slot in moving:
        if drive.point is not None:
            raise drive.wrong(f'it leads a point, and speeds name "{coordinate[:60]}", which moves it')
        return Drive(drive.name, drive.joint, velocity=moving[slot])
    position = loops.driven[coordinate].position
    at = float(q[place] if position is None else position)
    if drive.point is not None:
        there = [at if k == place else x for k, x in enumerate(q)]
        at = drive_ways(loops.model, there, loops.rest, loops.parameters)[f"{drive.name}.position"]
    return dataclasses.replace(drive, position=at, velocity=None, acceleration=None, tracking=None)


def settled(model: Model, inputs: Mapping[str, float]) -> Model:
    """The model with tracked drives where their filters come to rest: at the position, if that is known."""
    facts = list(model.facts)
    for k, fact in enumerate(facts):
        if not (isinstance(fact, Drive) and fact.tracking is not None):
            continue
        position = inputs.get(f"{fact.name}.position") if fact.inputs else fact.position
        if position is not None:
            facts[k] = dataclasses.replace(fact, position=position, tracking=None)
    if all(new is old for new, old in zip(facts, model.facts, strict=True)):
        return model
    return Model(*facts, **{name: getattr(model, name) for name in SETTINGS})
