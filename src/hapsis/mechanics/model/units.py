"""The units in which a model is of ordinary size: its own length and mass.

Tolerances that are lengths are meant for mechanisms of about a metre. A model of another size is
measured in a unit of its own, a power of 1024 metres (about a millimetre, a metre, a kilometre):
the one in which its largest length is between 1/32 and 32. So a mechanism made larger or smaller
by 1024 gives the same numbers to the last bit, in its own unit. Masses likewise.
"""

from collections.abc import Iterator
from math import frexp, hypot, inf, sqrt
from typing import Any

from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.formula import TIME, Formula

DIGITS = 10  # a unit is 2 to the power of a multiple of this
LENGTHS = ("length", "radius", "pitch", "tube", "semi_axes")  # fields of joints and constraints


def unit_of(size: float) -> float:
    """The power of 1024 nearest to a size; 1 for zero and for what is no number."""
    if not 0.0 < size < inf:
        return 1.0
    return 2.0 ** (DIGITS * round((frexp(size)[1] - 0.5) / DIGITS))


def length_unit(model: Model) -> float:
    """The unit of length of a model, m.

    The largest length is that between the origin of a body, or of the world, and an end of a joint
    or constraint on it, or a length, radius or pitch of one of these; where all are zero that from
    an origin to a centre of mass, or a radius of gyration.
    """

    def make() -> float:
        return unit_of(max(_lengths(model), default=0.0) or max(_body_lengths(model), default=0.0))

    return derived(model, length_unit, make)


def mass_unit(model: Model) -> float:
    """The unit of mass of a model, kg: that of its heaviest body."""

    def make() -> float:
        masses = [model.value(body.mass) for body in model.bodies.values()]
        return unit_of(max(masses, default=0.0))

    return derived(model, mass_unit, make)


def energy_unit(model: Model) -> float:
    """The energy, J, of the unit of mass that moves by the unit of length in a second, twice."""
    return mass_unit(model) * length_unit(model) ** 2


def speed_units(model: Model) -> list[float]:
    """For each speed the unit of its coordinate: that of lengths, or 1 for angles."""
    unit = length_unit(model)
    return [1.0 if turns else unit for turns in turning(model)]


def turning(model: Model) -> list[bool]:
    """For each speed whether it turns something; others move it."""
    turns: list[bool] = []
    for joint in model.moving:
        for step in joint.steps:
            turns += {"P": [False], "ball": [True] * 3, "free": [True] * 3 + [False] * 3}.get(
                step.kind, [True]
            )
    return turns


def coordinate_units(model: Model) -> list[float]:
    """For each coordinate its unit: that of lengths, or 1 for angles and quaternions."""
    unit = length_unit(model)
    units: list[float] = []
    for joint in model.moving:
        for step in joint.steps:
            units += {"P": [unit], "ball": [1.0] * 4, "free": [unit] * 3 + [1.0] * 4}.get(step.kind, [1.0])
    return units


def _lengths(model: Model) -> Iterator[float]:
    for fact in (*model.joints.values(), *model.constraints.values()):
        for end in fact.ends.values():
            yield hypot(*(_value(model, x) for x in model.frame(end)[1].at))
        for field in LENGTHS:
            value: Any = getattr(fact, field, None)
            for x in value if isinstance(value, tuple) else () if value is None else (value,):
                yield abs(_value(model, x))


def _body_lengths(model: Model) -> Iterator[float]:
    for body in model.bodies.values():
        yield hypot(*(_value(model, x) for x in body.com))
        mass, inertia = _value(model, body.mass), max(_value(model, x) for x in body.inertia[:3])
        yield sqrt(max(inertia, 0.0) / mass) if mass > 0.0 else 0.0


def _value(model: Model, x: Any) -> float:
    """A number of the model, at t = 0 if it changes with time."""
    if callable(x):
        at_start: Any = x(0.0)
        return float(at_start)
    if isinstance(x, Formula) and TIME in x.names:
        return float(x.value({**model.parameters, TIME: 0.0}))
    return model.value(x)
