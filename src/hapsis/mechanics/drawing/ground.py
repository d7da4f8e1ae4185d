"""The ground of planar mechanisms: bearing blocks with hatching at fixed pins, rails at fixed slides."""

import numpy as np

from hapsis.mechanics.drawing.joint_shapes import rail_width
from hapsis.mechanics.drawing.layers import DEPTH
from hapsis.mechanics.drawing.mates import Mate
from hapsis.mechanics.drawing.placement import Array, Pose
from hapsis.mechanics.drawing.sketch import Sketch


def draw_ground(sketch: Sketch, up: Array, side: Array) -> None:
    """Draws what holds the fixed pins and slides of a planar mechanism, unless outlines of the world do."""
    if sketch.cut("world"):
        return
    depth = DEPTH * sketch.bar
    back = sketch.layers.get("back", -0.5 * depth) - 0.75 * depth
    middle = np.mean([m.at for m in sketch.parts.mates], axis=0) if sketch.parts.mates else np.zeros(3)
    for mate in sketch.parts.mates:
        if "world" in (mate.first, mate.second) and mate.kind == "slider":
            _rail(sketch, mate, up, side, back)
    done: list[Array] = []
    for mate in sketch.parts.mates:
        if "world" not in (mate.first, mate.second) or mate.kind not in ("pin", "ball"):
            continue
        if any(sketch.same(mate.at, at) for at in done):
            continue
        done.append(mate.at)
        # it hangs where the mechanism is below it
        foot = up if np.dot(middle - mate.at, up) > -0.12 * sketch.size else -up
        _support(sketch, mate.at + back * side, foot, side)
    for fact in sketch.ties:
        ends = [sketch.end(fact.first), sketch.end(fact.second)]
        for (part, at), (_, other) in (ends, ends[::-1]):
            if part == "world" and not any(sketch.same(at, place) for place in done):
                way = other - at - np.dot(other - at, side) * side
                length = float(np.linalg.norm(way))
                _support(sketch, at, way / length if length > sketch.near else up, side)


def _support(sketch: Sketch, at: Array, foot: Array, side: Array) -> None:
    """A bearing block at a place, whose foot is behind it."""
    pose = Pose(at, np.stack([np.cross(foot, side), foot, side], axis=1))
    sketch.add("world", "support", pose, size=1.35 * sketch.bar, depth=DEPTH * sketch.bar)


def _rail(sketch: Sketch, mate: Mate, up: Array, side: Array, back: float) -> None:
    slider = mate.second if mate.first == "world" else mate.first
    axis = mate.axis / np.linalg.norm(mate.axis)
    across = np.cross(side, axis)
    if np.dot(across, up) < 0:
        axis, across = -axis, -across
    gap = 1.06 * rail_width(sketch, slider, across)
    low, high = travel(sketch, mate, slider, axis)
    own = 1.2 * rail_width(sketch, slider, axis) / 2
    low, high = low - own, high + own
    R = np.stack([axis, across, side], axis=1)
    pose = Pose(mate.at + 0.5 * (low + high) * axis + back * side, R)
    fields = {"length": high - low, "gap": gap, "depth": DEPTH * sketch.bar}
    sketch.add("world", "rail", pose, sides=1 if _round(sketch, slider) else 2, **fields)


def _round(sketch: Sketch, part: str) -> bool:
    """Whether a slider is a roller, which needs a rail on one side only."""
    bodies = [sketch.model.bodies[body] for body in sketch.parts.members(part)]
    shapes = [shape for body in bodies for shape in body.shapes]
    return bool(shapes) and all(shape.type_name in ("sphere", "cylinder") for shape in shapes)


def travel(sketch: Sketch, mate: Mate, slider: str, axis: Array) -> tuple[float, float]:
    """How far a slider can go from where it is, back and forth, by its limits or by its links."""
    bounds = [pair for joint in mate.joints for pair in joint.bounds.values()]
    here = float(np.dot(mate.at - mate.begin, mate.axis))
    sign = 1.0 if np.dot(axis, mate.axis) > 0 else -1.0
    if bounds and None not in bounds[0]:
        ends = sorted(sign * (sketch.model.value(x) - here) for x in bounds[0] if x is not None)
        return ends[0], ends[1]
    reach = _reach(sketch, mate, slider)
    if reach is None:
        return -0.2 * sketch.size, 0.2 * sketch.size
    foot, nearest, farthest = reach
    to = foot - mate.at
    along = float(np.dot(to, axis))
    across = float(np.linalg.norm(to - along * axis))
    outer = np.sqrt(max(farthest**2 - across**2, 0.0))
    inner = np.sqrt(max(nearest**2 - across**2, 0.0))
    ends = [along + outer, along - outer]
    if across < 0.05 * farthest:
        # it stays on its side of the foot
        inner = max(inner, 0.15 * outer)
        ends = [along + inner, along + outer] if along < 0 else [along - outer, along - inner]
    low, high = min(*ends, 0.0), max(*ends, 0.0)
    most = 1.2 * sketch.size
    return max(low, -most), min(high, most)


def _reach(sketch: Sketch, mate: Mate, slider: str) -> tuple[Array, float, float] | None:
    """The fixed pin that links lead to from a slider, and how near and far they let it come."""
    paths: list[tuple[str, Array, list[float], frozenset[str]]] = [(slider, mate.at, [], frozenset([slider]))]
    while paths:
        part, at, lengths, seen = paths.pop(0)
        for other in sketch.mates(part):
            if other is mate or other.kind not in ("pin", "ball"):
                continue
            gap = float(np.linalg.norm(other.at - at))
            way = [*lengths, gap] if gap > sketch.near else lengths
            on = other.second if other.first == part else other.first
            if on == "world":
                return (other.at, max(0.0, 2 * max(way) - sum(way)), sum(way)) if way else None
            if on not in seen and len(seen) < 12:
                paths.append((on, other.at, way, seen | {on}))
    return None
