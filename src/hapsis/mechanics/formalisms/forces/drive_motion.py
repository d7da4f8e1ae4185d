"""The motion of drives as expressions: position, velocity and acceleration of each driven coordinate.

Rates that a drive does not give are derivatives of those it gives. With tracking, the coordinate follows
the position r of the drive through a critically damped filter with two states, x and w,

    x' = w        w' = b² (r - x) - 2 b w

which follows a steady motion with a delay of 2 / b seconds.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.mechanics.formalisms.forces.point_motion import point_motion
from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
from hapsis.mechanics.formalisms.tree.tree import is_zero
from hapsis.mechanics.model.driven_points import driven_coordinate
from hapsis.mechanics.model.drives import INPUT, LEVELS, Drive
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.user_functions import call_user


class Driven(NamedTuple):
    """The motion of one driven coordinate; None for a level that is integrated."""

    place: int  # in q
    slot: int  # in v
    position: Any
    velocity: Any
    acceleration: Any
    still: bool  # whether the drive is a lock, which never moves
    lever: Any = None  # of a point: its way per coordinate, dx/dq


def driven_motions(optional: OptionalInputs) -> dict[str, Driven]:
    """{drive: its motion}; adds the states and inputs of the drives to `optional`."""
    return {drive.name: driven_motion(optional, drive) for drive in optional.model.drives.values()}


def driven_state(drives: Iterable[Driven], q: Any, v: Any) -> tuple[list[Any], list[Any]]:
    """q and v, with the driven coordinates and speeds replaced by those of the drives."""
    q, v = list(q), list(v)
    for drive in drives:
        q[drive.place] = q[drive.place] if drive.position is None else drive.position
        v[drive.slot] = v[drive.slot] if drive.velocity is None else drive.velocity
    return q, v


def driven_motion(optional: OptionalInputs, drive: Drive) -> Driven:
    """The motion of one drive; adds its states and inputs to `optional`."""
    coordinate = driven_coordinate(optional.model, drive)
    speed = f"{coordinate}.v"
    if speed not in optional.slots:
        raise drive.wrong(
            f'"{coordinate[:60]}" has no speed of its own', remedy="drive a coordinate of another joint"
        )
    motion = _own_motion(optional, drive, optional.places[coordinate], optional.slots[speed])
    if drive.point is None:
        return motion
    led = point_motion(optional.tree, drive).led(motion.position, motion.velocity, motion.acceleration)
    return Driven(motion.place, motion.slot, *led[:3], motion.still, led.lever)


def _own_motion(optional: OptionalInputs, drive: Drive, place: int, slot: int) -> Driven:
    """What the drive says: the motion of its coordinate, or of its point."""
    if drive.tracking is not None:
        return _tracked(optional, drive, place, slot)
    motion: list[Any] = [None, None, None]
    if drive.inputs:
        motion[-len(drive.held) :] = [optional.hold(name) for name in drive.held]
        return Driven(place, slot, motion[0], motion[1], motion[2], False)
    for level, name in enumerate(LEVELS):
        if getattr(drive, name) is not None:
            motion[level] = _prescribed(optional, drive, name)
        elif level and motion[level - 1] is not None:
            motion[level] = _rate(optional, motion[level - 1])
    still = motion[0] is not None and is_zero(motion[1])
    return Driven(place, slot, motion[0], motion[1], motion[2], still)


def _tracked(optional: OptionalInputs, drive: Drive, place: int, slot: int) -> Driven:
    x = optional.state(f"{drive.name}.tracked", 0.0)
    w = optional.state(f"{drive.name}.tracked.v", 0.0)
    b = optional.links.scalar(f"{drive.name}.tracking", drive.tracking)
    a = b * (b * (_prescribed(optional, drive, "position") - x) - 2.0 * w)
    optional.rates |= {f"{drive.name}.tracked": w, f"{drive.name}.tracked.v": a}
    return Driven(place, slot, x, w, a, False)


def _prescribed(optional: OptionalInputs, drive: Drive, level: str) -> Expr:
    """The position, velocity or acceleration that a drive gives, as an expression of the time."""
    motion, links = getattr(drive, level), optional.links
    if motion == INPUT:
        return optional.hold(f"{drive.name}.{level}")
    if not callable(motion):
        return links.timed(f"{drive.name}.{level}", motion, lambda: optional.time)
    value = call_user(motion, f"{drive.label}: {level}", optional.time)
    if not isinstance(value, Expr | int | float):
        raise drive.wrong(f"{level}(t) must give one number, not {described(value)}")
    return links.constant(value)


def _rate(optional: OptionalInputs, x: Expr) -> Expr:
    """dx/dt of an expression of the time."""
    f = Function("x", {"t": optional.time}, {"x": x})
    return f.jvp("t")(t=optional.time, d_t=optional.tree.one)
