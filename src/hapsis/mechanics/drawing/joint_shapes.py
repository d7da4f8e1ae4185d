"""Joints drawn as what they are: pins, balls in sockets, crosses, screws, guides."""

import numpy as np

from hapsis.mechanics.drawing.layers import pin_span
from hapsis.mechanics.drawing.mates import Mate
from hapsis.mechanics.drawing.placement import Array
from hapsis.mechanics.drawing.sketch import Sketch, facing, rounded
from hapsis.mechanics.drawing.solids import boxes, extent


def draw_joints(sketch: Sketch, side: Array | None) -> None:
    """Draws every joint once; pins at one place are one pin."""
    done: list[Array] = []
    for mate in sketch.parts.mates:
        if mate.kind in ("slider", "sleeve"):
            if side is None or "world" not in (mate.first, mate.second):
                _slider(sketch, mate)
            continue
        if mate.name in sketch.shown or _meshed(sketch, mate):
            continue
        if not mate.kind:
            _guide(sketch, mate)
            continue
        if any(sketch.same(mate.at, at) for at in done):
            continue
        done.append(mate.at)
        if side is not None and mate.kind in ("pin", "ball"):
            _planar_pin(sketch, mate, side)
        else:
            _spatial(sketch, mate)


def _meshed(sketch: Sketch, mate: Mate) -> bool:
    """Whether meshes of both parts show the joint already."""
    return all(sketch.detailed(part) for part in (mate.first, mate.second) if part != "world")


def _planar_pin(sketch: Sketch, mate: Mate, side: Array) -> None:
    parts: set[str] = set()
    for other in sketch.parts.mates:
        if other.kind in ("pin", "ball") and sketch.same(other.at, mate.at):
            parts |= {other.first, other.second}
    low, high = pin_span(sketch, parts, side)
    owner = "world" if "world" in parts else mate.first
    at = mate.at + 0.5 * (low + high) * side
    sketch.add(owner, "pin", facing(side, at), radius=0.4 * sketch.bar, length=high - low)


def _spatial(sketch: Sketch, mate: Mate) -> None:
    bar, owner = sketch.bar, mate.first
    if mate.kind == "pin":
        length = max(2.6 * bar, *(1.25 * _width(sketch, part, mate) for part in (mate.first, mate.second)))
        sketch.add(owner, "pin", facing(mate.axis, mate.at), radius=0.45 * bar, length=length)
    elif mate.kind == "ball":
        sketch.add(mate.second, "ball", facing(_ball_axis(sketch, mate), mate.at), radius=1.0 * bar)
    elif mate.kind == "cross":
        pose = facing(mate.motions[0][1], mate.at)
        other = rounded(pose.R.T @ mate.motions[1][1])
        sketch.add(owner, "cross", pose, radius=0.4 * bar, length=2.8 * bar, other=other)
    elif mate.kind == "screw":
        length = 0.35 * sketch.size
        pitch = 2 * np.pi * mate.pitch
        pose = facing(mate.axis, mate.at)
        sketch.add(mate.second, "thread", pose, radius=0.7 * bar, length=length, pitch=pitch)


def _ball_axis(sketch: Sketch, mate: Mate) -> Array:
    """Along the rod that the ball ends, so that its socket is seen as a ring."""
    for part in (mate.second, mate.first):
        others = [p.at - mate.at for p in sketch.points[part] if not sketch.same(p.at, mate.at)]
        if others:
            return others[0]
    return np.array([0.0, 0.0, 1.0])


def _width(sketch: Sketch, part: str, mate: Mate) -> float:
    """How wide the shape at a pin is along it; 0 where none is near."""
    widths = [0.0]
    most = 8.0 * sketch.bar
    for pose, half in boxes(sketch, part) if sketch.solid(part) and not sketch.detailed(part) else ():
        local = pose.R.T @ (mate.at - pose.p)
        if np.all(np.abs(local) <= 1.15 * half + 0.5 * sketch.bar):
            width = 2.0 * float(np.abs(pose.R.T @ mate.axis) @ half)
            widths += [width] if width < most else []  # no pin goes through a whole beam
    return max(widths)


def _slider(sketch: Sketch, mate: Mate) -> None:
    """A rod in a sleeve, unless shapes of both parts show the slide."""
    if _guided(sketch, mate):
        return
    axis = mate.axis / np.linalg.norm(mate.axis)
    bounds = [pair for joint in mate.joints for pair in joint.bounds.values() if None not in pair]
    if bounds and sketch.solid(mate.second):
        low, high = (sketch.model.value(x) for x in bounds[0] if x is not None)
        back, front = (x - float(np.dot(mate.at, axis)) for x in extent(sketch, mate.second, axis))
        ends = [mate.begin + (low + back) * axis, mate.begin + (high + front) * axis]
        sketch.tube(mate.first, ends, 0.8 * sketch.bar, of="metal")
        return
    radius, length = 1.3 * sketch.bar, 5.0 * sketch.bar
    sketch.add(mate.first, "cylinder", facing(axis, mate.begin), radius=radius, length=length)
    far = mate.begin - 5.0 * sketch.bar * axis
    near = mate.at if np.linalg.norm(mate.at - far) > 5.5 * sketch.bar else mate.at + 5.0 * sketch.bar * axis
    sketch.tube(mate.second, [near, far], 0.55 * sketch.bar, of="metal")


def _guide(sketch: Sketch, mate: Mate) -> None:
    """A disc that slides and turns in a plane, or a ball for other motions of two to five degrees."""
    kinds = [kind for kind, _ in mate.motions]
    if "free" in kinds or len(kinds) > 5:
        return
    if sorted(kinds) == ["P", "P", "R"]:
        axis = mate.motions[kinds.index("R")][1]
        sizes = {"radius": 1.8 * sketch.bar, "length": 0.7 * sketch.bar}
        sketch.add(mate.second, "cylinder", facing(axis, mate.at), **sizes, of="metal")
    else:
        sketch.add(mate.second, "sphere", facing((0.0, 0.0, 1.0), mate.at), radius=sketch.bar, of="metal")


def _guided(sketch: Sketch, mate: Mate) -> bool:
    """Whether a shape of the first part lies along the slide."""
    if sketch.detailed(mate.first) or sketch.detailed(mate.second):
        return True
    for pose, half in boxes(sketch, mate.first) if sketch.solid(mate.first) else ():
        local = pose.R.T @ (mate.begin - pose.p)
        if np.all(np.abs(local) <= 1.3 * half + sketch.near):
            return True
    return False


def rail_width(sketch: Sketch, part: str, across: Array) -> float:
    """How wide a guide of a part must be."""
    if sketch.solid(part):
        low, high = extent(sketch, part, across)
        return high - low
    return 2.4 * sketch.bar
