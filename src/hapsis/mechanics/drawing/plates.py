"""Flat bars and plates with bores, and rods or arcs between two joints."""

import numpy as np

from hapsis.mechanics.drawing.layers import DEPTH
from hapsis.mechanics.drawing.placement import Array, Pose
from hapsis.mechanics.drawing.sketch import Point, Sketch, facing, rounded

ROUND = 16  # pieces of an arc


def draw_plate(sketch: Sketch, part: str, points: list[Point], side: Array | None) -> None:
    """A sheet with rounded corners and a bore at each joint, in the layer of its part."""
    normal = side if side is not None else next(p.axis for p in points if p.axis is not None)
    offset = sketch.layers.get(part, 0.0)
    axes = sketch.poses[part].R  # the plate's own axes are fixed in the body, whatever its pose
    pose = Pose(points[0].at + offset * normal, axes @ facing(axes.T @ normal, np.zeros(3)).R)
    flat = [(pose.R.T @ (p.at - pose.p))[:2] for p in points]
    fields = {"radius": sketch.bar, "depth": DEPTH * sketch.bar, "bore": 0.4 * sketch.bar}
    sketch.add(part, "plate", pose, points=[rounded(p) for p in flat], **fields)


def draw_between(sketch: Sketch, part: str, first: Point, second: Point) -> None:
    """An arc between axes that meet, else a rod."""
    center = _meeting(first, second)
    if center is not None:
        sketch.tube(part, _arc(first.at, second.at, center), 0.6 * sketch.bar)
        return
    sketch.tube(part, [first.at, second.at], 0.6 * sketch.bar)


def _meeting(first: Point, second: Point) -> Array | None:
    """Where the axes of two pins meet, if they do, away from both."""
    a, b = first.axis, second.axis
    if a is None or b is None or abs(np.dot(a, b)) > 0.999:
        return None
    s, t = np.linalg.lstsq(np.stack([a, -b], axis=1), second.at - first.at, rcond=None)[0]
    one, two = first.at + s * a, second.at + t * b
    length = float(np.linalg.norm(second.at - first.at))
    if np.linalg.norm(one - two) > 1e-3 * length or min(abs(s), abs(t)) < 0.2 * length:
        return None
    return one


def _arc(first: Array, second: Array, center: Array) -> list[Array]:
    """Points from one place to the other about a centre; the distance from it changes evenly."""
    a, b = first - center, second - center
    ra, rb = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    angle = float(np.arccos(np.clip(np.dot(a, b) / (ra * rb), -1.0, 1.0)))
    if angle < 1e-3:
        return [first, second]
    points = []
    for s in np.linspace(0.0, 1.0, ROUND + 1):
        way = (np.sin((1 - s) * angle) * a / ra + np.sin(s * angle) * b / rb) / np.sin(angle)
        points.append(center + ((1 - s) * ra + s * rb) * way)
    return points
