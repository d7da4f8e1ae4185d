"""The units of all columns of a result, SI, by name.

    coordinates, speeds, accelerations, efforts   by the kind of their axis, a length or an angle
    NAME.force, .push, .gap, .length, .moment, .stretch, .bend   of forces and contacts
    NAME.reaction   "N m, N": three moments, then three forces
    quaternions     "1"

States of laws that the user wrote have no unit: nobody has said it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import acceleration_name, coordinate_name, effort_name

WRENCH = "N m, N"
NUMBER = "1"
SIGNALS = {"force": "N", "push": "N", "gap": "m", "length": "m", "moment": "N m", "stretch": "m"}
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
    for name in names:
        owner, _, last = name.rpartition(".")
        if name not in table and last == "reaction":
            table[name] = WRENCH
        elif name not in table and last in SIGNALS and _is_force(model, owner):
            table[name] = SIGNALS[last]
    return {name: table[name] for name in ("t", *names) if name in table}


def _axes(kind: str) -> list[Axis]:
    """The axes of the speeds of a step of a joint."""
    many = {"P": [LENGTH], "ball": [ANGLE] * 3, "free": [ANGLE] * 3 + [LENGTH] * 3}
    return many.get(kind, [ANGLE])


def _of_facts(model: Model, axes: dict[str, Axis]) -> Iterator[tuple[str, str]]:
    """Names and units of what drives and forces do along coordinates."""
    for drive in model.drives.values():
        if (axis := axes.get(drive.joint)) is not None:
            yield from ((f"{drive.name}.{level}", unit) for level, unit in axis._asdict().items())
    for force in model.forces.values():
        for name in force.joints.values():
            if name in axes:
                yield f"{force.name}.effort", axes[name].effort
                yield f"{force.name}.bend", axes[name].position
        yield from ((f"{force.name}.{name}", axis.effort) for name, axis in axes.items())


def _is_force(model: Model, owner: str) -> bool:
    """Whether it is a force or a contact, or one of the shapes of a contact, as in `foot.1`."""
    first, _, number = owner.rpartition(".")
    known = (*model.forces, *model.contacts)
    return owner in known or (number.isdigit() and _is_force(model, first))
