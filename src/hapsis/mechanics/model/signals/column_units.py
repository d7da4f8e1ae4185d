"""The units of all columns of a result, SI, by name.

    coordinates, speeds, accelerations, efforts   by the kind of their axis, a length or an angle
    NAME.force, .push, .gap, .length, .moment, .stretch, .bend   of forces and contacts
    NAME.reaction   "N m, N": three moments, then three forces
    quaternions     "1"

States of laws that the user wrote have no unit: nobody has said it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import acceleration_name, coordinate_name, effort_name
from hapsis.mechanics.model.signals.frame_signals import OF_FRAMES, WRENCH, sensor_columns
from hapsis.mechanics.model.signals.signal_table import SignalTable
from hapsis.mechanics.model.signals.vector_parts import part_names
from hapsis.mechanics.model.values.numbers import described

NUMBER = "1"
SIGNALS = {"force": "N", "push": "N", "gap": "m", "length": "m", "moment": "N m", "stretch": "m"}
TOUCH = {"time": "s", "speed": "m/s"}  # of the first touch of a contact in a step, CONTACT.touch.time
EXTREMES = ("max", "min")  # over the substeps of a step, as NAME.force.max
OF_MODEL = {"t": "s", "energy": "J", "kinetic": "J", "potential": "J", "work": "J"}


class Axis(NamedTuple):
    """The units of a direction of motion."""

    position: str
    velocity: str
    acceleration: str
    effort: str


LENGTH = Axis("m", "m/s", "m/s²", "N")
ANGLE = Axis("rad", "rad/s", "rad/s²", "N m")


def column_units(model: Model, names: Sequence[str]) -> dict[str, str]:
    """{name: unit} of these columns, as far as they have one."""
    names = tuple(names)
    return derived(model, ("column units", names), lambda: _units(model, names))


def unit_of(table: SignalTable, name: str) -> str:
    """The unit of a signal of a table, of one number of a vector, or of a frame."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"a signal is named by a text, not by {described(name)}")
    if name in table.units:
        return table.units[name]
    head, _, last = name.rpartition(".")
    if head in table.units:
        count = int(np.prod(table[head].shape[1:]))
        names = part_names(count, table.units[head])
        if last in names:
            return part_units(table.units[head], count)[names.index(last)]
    return OF_FRAMES[last].unit if last in OF_FRAMES else ""


def part_units(unit: str, count: int) -> list[str]:
    """The units of the numbers in a row of a column."""
    halves = unit.split(", ")
    return [halves[k * len(halves) // count] for k in range(count)]


def _units(model: Model, names: Sequence[str]) -> dict[str, str]:
    table = dict(OF_MODEL)
    axes: dict[str, Axis] = {}
    for joint in model.moving:
        kinds = [axis for step in joint.steps for axis in _axes(step.kind)]
        for speed, axis in zip(joint.speeds, kinds, strict=True):
            axes[coordinate_name(speed)] = axis
            table[speed], table[acceleration_name(speed)] = axis.velocity, axis.acceleration
            table[effort_name(speed)] = axis.effort
        for name in joint.coordinates:
            own = axes.get(name)
            last = name.rpartition(".")[2]
            table[name] = own.position if own else "m" if last in ("x", "y", "z") else NUMBER
    table.update(_of_facts(model, axes))
    table.update(_of_sensors(model, axes))
    for name in names:
        owner, _, last = name.rpartition(".")
        if name not in table and last == "reaction":
            table[name] = WRENCH
        elif name not in table and last in SIGNALS and _is_force(model, owner):
            table[name] = SIGNALS[last]
        elif name not in table and (unit := _of_steps(model, owner, last)):
            table[name] = unit
    return {name: table[name] for name in ("t", *names) if name in table}


def _of_steps(model: Model, owner: str, last: str) -> str:
    """The unit of OWNER.last, which only steps have; empty for other names."""
    contact, _, touch = owner.rpartition(".")
    if touch == "touch" and contact in model.contacts:
        return TOUCH.get(last, "")
    return _units(model, (owner,)).get(owner, "") if last in EXTREMES else ""


def _axes(kind: str) -> list[Axis]:
    """The axes of the speeds of a step of a joint."""
    many = {"P": [LENGTH], "ball": [ANGLE] * 3, "free": [ANGLE] * 3 + [LENGTH] * 3}
    return many.get(kind, [ANGLE])


def _of_facts(model: Model, axes: dict[str, Axis]) -> Iterator[tuple[str, str]]:
    """Names and units of what drives and forces do along coordinates."""
    for drive in model.drives.values():
        axis = LENGTH if drive.joint is None else axes.get(drive.joint)
        if axis is not None:
            yield from ((f"{drive.name}.{level}", unit) for level, unit in axis._asdict().items())
            yield f"{drive.name}.force", axis.effort  # what whoever moves it feels
    for force in model.forces.values():
        for name in force.joints.values():
            if name in axes:
                yield f"{force.name}.effort", axes[name].effort
                yield f"{force.name}.bend", axes[name].position
        yield from ((f"{force.name}.{name}", axis.effort) for name, axis in axes.items())


def _of_sensors(model: Model, axes: dict[str, Axis]) -> Iterator[tuple[str, str]]:
    """Names and units of what sensors measure."""
    for sensor in model.sensors.values():
        if sensor.kind == "effort":
            joint = model.joints.get(str(sensor.on))
            speeds = joint.speeds if joint else (f"{sensor.on}.v",)
            units = [axes[coordinate_name(n)].effort for n in speeds if coordinate_name(n) in axes]
            yield from [(sensor.name, units[0])] if len(set(units)) == 1 else []
        yield from sensor_columns(sensor).items()


def _is_force(model: Model, owner: str) -> bool:
    """Whether it is a force or a contact, or one of the shapes of a contact, as in `foot.1`."""
    first, _, number = owner.rpartition(".")
    known = (*model.forces, *model.contacts)
    return owner in known or (number.isdigit() and _is_force(model, first))
