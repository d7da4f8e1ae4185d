"""The tidy form of a part without shapes, from its joints: bars, plates, wishbones, arms, stars."""

import numpy as np

from hapsis.mechanics.drawing.base import draw_frame, shortest_tree
from hapsis.mechanics.drawing.lonely import draw_lonely
from hapsis.mechanics.drawing.placement import Array
from hapsis.mechanics.drawing.plates import draw_between, draw_plate
from hapsis.mechanics.drawing.sketch import Point, Sketch, facing


def draw_links(sketch: Sketch, side: Array | None) -> None:
    """Draws every part that the model gives no shape; `side` is the normal of a planar mechanism."""
    if side is None and not sketch.solid("world"):
        draw_frame(sketch)
    for part in sketch.shapes:
        if part == "world" or sketch.solid(part) or sketch.shapes[part]:
            continue
        points = sketch.points[part]
        if len(points) < 2:
            draw_lonely(sketch, part, points, side)
        elif side is not None or _flat(points):
            draw_plate(sketch, part, points, side)
        elif (wishbone := _hinge_and_ball(points)) is not None:
            _wishbone(sketch, part, *wishbone, [p for p in points if p.mate is None])
        elif len(points) == 2:
            draw_between(sketch, part, *points)
        else:
            _star(sketch, part, points)


def _flat(points: list[Point]) -> bool:
    """Whether the points lie in one plane across all their pins, of which there is one at least."""
    axes = [p.axis for p in points if p.axis is not None]
    if len(axes) < 2 or len(axes) < len(points) - 1:
        return False
    parallel = all(abs(np.dot(axes[0], axis)) > 0.999 for axis in axes)
    heights = [float(np.dot(p.at, axes[0])) for p in points]
    spread = max(float(np.linalg.norm(p.at - points[0].at)) for p in points)
    return parallel and max(heights) - min(heights) < 0.05 * spread


def _hinge_and_ball(points: list[Point]) -> tuple[Point, Point] | None:
    """The hinge and the ball of a wishbone: its only joints, the hinge across the way to the ball."""
    joints = [p for p in points if p.mate is not None]
    hinges = [p for p in joints if p.axis is not None]
    balls = [p for p in joints if p.mate is not None and p.mate.kind == "ball"]
    if len(joints) != 2 or len(hinges) != 1 or len(balls) != 1:
        return None
    way = balls[0].at - hinges[0].at
    assert hinges[0].axis is not None
    across = abs(np.dot(hinges[0].axis, way)) < 0.5 * np.linalg.norm(way)
    return (hinges[0], balls[0]) if across else None


def _wishbone(sketch: Sketch, part: str, hinge: Point, ball: Point, others: list[Point]) -> None:
    """Two legs from bushes on the hinge to the ball, and a brace between them for what else it carries."""
    assert hinge.axis is not None and hinge.mate is not None
    way = ball.at - hinge.at
    length = float(np.linalg.norm(way))
    feet = [hinge.at + sign * length * hinge.axis for sign in (-0.34, 0.34)]
    for foot in feet:
        sketch.tube(part, [foot, ball.at], 0.55 * sketch.bar)
        bush = facing(hinge.axis, foot)
        sketch.add(part, "cylinder", bush, radius=0.95 * sketch.bar, length=1.8 * sketch.bar)
    for other in others:
        share = float(np.clip(np.dot(other.at - hinge.at, way) / length**2, 0.1, 0.85))
        brace = [foot + share * (ball.at - foot) for foot in feet]
        sketch.tube(part, [brace[0], other.at, brace[1]], 0.55 * sketch.bar)
    sketch.shown.add(hinge.mate.name)
    owner = hinge.mate.first if hinge.mate.second == part else hinge.mate.second
    shaft = {"radius": 0.4 * sketch.bar, "length": 0.68 * length + 2.4 * sketch.bar}
    sketch.add(owner, "pin", facing(hinge.axis, hinge.at), **shaft)


def _star(sketch: Sketch, part: str, points: list[Point]) -> None:
    """Rods from the only pin to all other points; without such a pin, the shortest tree of rods."""
    pins = [p for p in points if p.axis is not None]
    if len(pins) == 1:
        hub = pins[0]
        for point in points:
            if point is not hub:
                sketch.tube(part, [hub.at, point.at], 0.75 * sketch.bar)
        assert hub.axis is not None
        sketch.add(
            part, "cylinder", facing(hub.axis, hub.at), radius=2.0 * sketch.bar, length=2.2 * sketch.bar
        )
        return
    for a, b in shortest_tree([p.at for p in points]):
        sketch.tube(part, [a, b], 0.75 * sketch.bar)
