"""What acts on coordinates: spirals and coils of joint springs, motors, cords over pulleys, stops."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from hapsis.mechanics.drawing.axles import Axle, axles, faces
from hapsis.mechanics.drawing.mates import constant
from hapsis.mechanics.drawing.placement import Array
from hapsis.mechanics.drawing.sketch import Line, Sketch, facing
from hapsis.mechanics.drawing.solids import extent
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.forces.joint_force import JointForce
from hapsis.mechanics.model.forces.joint_spring import JointSpring
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.forces.tendon import Tendon


def draw_joint_forces(sketch: Sketch, side: Array | None) -> list[Line]:
    """Draws them on the parts of their joints; the lines are those that lie between two parts."""
    table = axles(sketch)
    lines: list[Line] = []
    for fact in sketch.model.forces.values():
        if isinstance(fact, Tendon):
            lines += _tendon(sketch, fact, table, side)
        elif (
            isinstance(fact, JointSpring | Stop) and fact.joint in table and _shown(sketch, table[fact.joint])
        ):
            continue
        elif isinstance(fact, JointSpring) and fact.joint in table:
            lines += _joint_spring(sketch, fact, table[fact.joint], side)
        elif isinstance(fact, Stop) and fact.joint in table:
            _stop(sketch, fact, table[fact.joint])
    for name in _driven(sketch):
        if name in table:
            _motor(sketch, table[name], side)
    return lines


def _shown(sketch: Sketch, axle: Axle) -> bool:
    """Whether outlines show the joint of an axle."""
    return sketch.cut(axle.mate.second)


def _driven(sketch: Sketch) -> list[str]:
    """The coordinates that motors move, each once."""
    model = sketch.model
    # a point is led by a hand: no motor
    names = [d.joint for d in model.drives.values() if d.joint is not None and not constant(d)]
    for fact in model.forces.values():
        if isinstance(fact, JointForce | Controller):
            names += fact.joints.values()
    return list(dict.fromkeys(names))


def _motor(sketch: Sketch, axle: Axle, side: Array | None) -> None:
    """A housing behind the joint, on its first part; meshes show their motors themselves."""
    if sketch.detailed(axle.mate.first) or sketch.detailed(axle.mate.second):
        return
    bar = sketch.bar
    axis, back, _ = faces(sketch, axle, side)
    at = axle.mate.begin - 2.5 * bar * axis if axle.kind == "P" else back - 1.2 * bar * axis
    sketch.add(axle.mate.first, "motor", facing(axis, at), radius=1.9 * bar, length=2.4 * bar)


def _joint_spring(sketch: Sketch, fact: JointSpring, axle: Axle, side: Array | None) -> Iterator[Line]:
    """A spiral in front of a pin, or a coil along a slide."""
    bar, mate = sketch.bar, axle.mate
    stiff, damped = (sketch.model.value(x) > 0.0 for x in (fact.stiffness, fact.damping))
    if axle.kind == "P":
        far = mate.begin - _clear(sketch, axle) * axle.axis
        kind = "strut" if stiff and damped else "spring" if stiff else "damper"
        yield Line(fact.name, kind, (mate.first, far), (mate.second, mate.at))
    elif stiff or damped:
        axis, _, front = faces(sketch, axle, side)
        at = facing(axis, front + 0.4 * bar * axis)
        if stiff:
            sketch.add(mate.first, "spiral", at, radius=2.4 * bar, width=0.5 * bar, turns=3)
        else:
            sketch.add(mate.first, "cylinder", at, radius=1.6 * bar, length=0.9 * bar, of="rubber")
        sketch.add(mate.second, "pin", at, radius=0.4 * bar, length=1.4 * bar)


def _clear(sketch: Sketch, axle: Axle) -> float:
    """How far behind the beginning of a slide a spring begins, so that it lies outside of what slides."""
    length = max(0.15 * sketch.size, 6.0 * sketch.bar)
    part = axle.mate.second
    if sketch.solid(part):
        length += float(np.dot(axle.at, axle.axis)) - extent(sketch, part, axle.axis)[0]
    lows = [low for joint in axle.mate.joints for low, _ in joint.bounds.values() if low is not None]
    return length + max(0.0, *(-sketch.model.value(low) for low in lows), 0.0)


def _stop(sketch: Sketch, fact: Stop, axle: Axle) -> None:
    """Buffers at the ends of a slide; those of a pin are inside of it."""
    if axle.kind != "P":
        return
    bounds = axle.mate.joints[0].bounds.get(fact.joint, (None, None))
    for own, other, sign in zip((fact.low, fact.high), bounds, (-1.0, 1.0), strict=True):
        limit = own if own is not None else other
        if limit is not None:
            bar = sketch.bar
            way = sketch.model.value(limit) + sign * (0.6 * bar + _half(sketch, axle, sign))
            at = axle.mate.begin + way * axle.axis
            sizes = {"radius": 0.9 * bar, "length": 0.8 * bar}
            sketch.add(axle.mate.first, "cylinder", facing(axle.axis, at), **sizes, of="rubber")


def _half(sketch: Sketch, axle: Axle, sign: float) -> float:
    """How far what slides reaches from its joint, back or forth."""
    if not sketch.solid(axle.mate.second):
        return 0.6 * sketch.bar
    reach = extent(sketch, axle.mate.second, axle.axis)[0 if sign < 0 else 1]
    return sign * (reach - float(np.dot(axle.at, axle.axis)))


def _tendon(sketch: Sketch, fact: Tendon, table: dict[str, Axle], side: Array | None) -> list[Line]:
    """A pulley of the lever arm at each pin that the cord passes, and the cord between them."""
    stations: list[tuple[Axle, float, Array]] = []
    for name, arm in fact.arms.items():
        if name not in table:
            continue
        axle, lever = table[name], sketch.model.value(arm)
        seen = 0.6 * sketch.bar < abs(lever) < 0.12 * sketch.size  # an arm of 1 only counts angles
        radius = abs(lever) if seen else 1.6 * sketch.bar
        axis, _, front = faces(sketch, axle, side)
        at = front + 0.5 * sketch.bar * axis
        if axle.kind != "P":
            pose, sizes = facing(axis, at), {"radius": radius, "width": 0.8 * sketch.bar}
            sketch.add(axle.mate.second, "pulley", pose, **sizes)
        stations.append((axle, np.sign(lever) * radius if axle.kind != "P" else 0.0, at))
    kind = "cord" if fact.slack else "rod"  # a bar pushes, too
    if len(stations) == 1:
        axle, _, at = stations[0]
        away = at - 0.15 * sketch.size * _across(axle)
        return [Line(fact.name, kind, (axle.mate.first, away), (axle.mate.second, at))]
    pairs = pairwise(stations)
    return [Line(fact.name, kind, *_rims(sketch, a, b)) for a, b in pairs]


def _across(axle: Axle) -> Array:
    """A direction across the axis of a pin, or that of a slide."""
    if axle.kind == "P":
        return axle.axis
    return facing(axle.axis, axle.at).R[:, 0]


def _rims(sketch: Sketch, first: Any, second: Any) -> Any:
    """Where the cord leaves one pulley and meets the next, each with its part, the same where it can be."""
    (one, r, a), (two, s, b) = first, second
    across = np.cross(one.axis, b - a)
    size = float(np.linalg.norm(across))
    across = across / size if size > sketch.near else np.zeros(3)
    common = {one.mate.first, one.mate.second} & {two.mate.first, two.mate.second}
    parts = (common.pop(),) * 2 if len(common) == 1 else (one.mate.second, two.mate.first)
    return (parts[0], a + r * across), (parts[1], b + s * across)
