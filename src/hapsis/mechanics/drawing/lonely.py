"""Parts with one joint or none: bars to their frames, pendulums, wheels, boxes of their inertia."""

import numpy as np

from hapsis.mechanics.drawing.placement import Array, Pose
from hapsis.mechanics.drawing.plates import draw_between, draw_plate
from hapsis.mechanics.drawing.sketch import Point, Sketch, facing, rounded


def draw_lonely(sketch: Sketch, part: str, points: list[Point], side: Array | None) -> None:
    """A part with one joint or none: to its frames, else a wheel, a pendulum, or what its inertia is."""
    model, members = sketch.model, [b for b in sketch.parts.members(part) if b != "world"]
    frames = [f for b in members for f in (sketch.end_of(b, name) for name in model.bodies[b].frames)]
    far = [f for f in frames if points and not sketch.same(f, points[0].at)]
    if far:
        end = max(far, key=lambda f: float(np.linalg.norm(f - points[0].at)))
        ends = [points[0], Point(end, None)]
        draw_plate(sketch, part, ends, side) if side is not None else draw_between(sketch, part, *ends)
        return
    body = model.bodies[part]
    mass = model.value(body.mass)
    if mass <= 0.0:
        return
    com = sketch.poses[part].p + sketch.poses[part].R @ sketch.vector(body.com)
    radius = _wheel_radius(sketch, part, points, com)
    if radius:
        axis = points[0].axis
        assert axis is not None
        wheel = {"radius": radius, "width": 0.16 * radius, "tyre": False}
        sketch.add(part, "wheel", facing(axis, com), **wheel)
    elif points and np.linalg.norm(com - points[0].at) > 1e-3 * sketch.size:
        _pendulum(sketch, part, points[0], com, side)
    else:
        sketch.add(part, "box", Pose(com, sketch.poses[part].R), size=_equal_box(sketch, part))


def _pendulum(sketch: Sketch, part: str, point: Point, com: Array, side: Array | None) -> None:
    ends = [point, Point(com, None)]
    if side is not None:
        draw_plate(sketch, part, ends, side)
        at = com + sketch.layers.get(part, 0.0) * side
        sketch.add(part, "cylinder", facing(side, at), radius=2.6 * sketch.bar, length=2.0 * sketch.bar)
    else:
        sketch.tube(part, [point.at, com], 0.6 * sketch.bar)
        sketch.add(part, "sphere", Pose(com, np.eye(3)), radius=2.4 * sketch.bar)


def _wheel_radius(sketch: Sketch, part: str, points: list[Point], com: Array) -> float:
    """The radius of a disc of that inertia, where a part is a wheel on its only pin; else 0."""
    if len(points) != 1 or points[0].axis is None:
        return 0.0
    axis, body = points[0].axis, sketch.model.bodies[part]
    if np.linalg.norm(np.cross(com - points[0].at, axis)) > 1e-6 * sketch.size:
        return 0.0
    I = _inertia(sketch, part)
    local = sketch.poses[part].R.T @ axis
    about = float(local @ I @ local)
    if not about > 1.3 * 0.5 * (np.trace(I) - about):
        return 0.0
    return min(float(np.sqrt(2.0 * about / sketch.model.value(body.mass))), 0.5 * sketch.size)


def _inertia(sketch: Sketch, part: str) -> Array:
    values = [sketch.model.value(x) for x in sketch.model.bodies[part].inertia]
    xx, yy, zz, xy, xz, yz = values
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _equal_box(sketch: Sketch, part: str) -> list[float]:
    """The box of even density with the moments of inertia of a part, of a size that can be seen."""
    mass = sketch.model.value(sketch.model.bodies[part].mass)
    xx, yy, zz = np.diag(_inertia(sketch, part))
    squares = 6.0 / mass * np.array([yy + zz - xx, xx + zz - yy, xx + yy - zz])
    sizes = np.sqrt(np.maximum(squares, 0.0))
    return rounded(np.clip(sizes, 0.03 * sketch.size, 0.6 * sketch.size))
