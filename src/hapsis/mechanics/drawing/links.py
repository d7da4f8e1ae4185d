"""The tidy form of a part without shapes, from its joints: bars, plates, wishbones, arms, pendulums."""

import numpy as np

from hapsis.mechanics.drawing.layers import DEPTH
from hapsis.mechanics.drawing.placement import Array, Pose
from hapsis.mechanics.drawing.sketch import Point, Sketch, facing, rounded

ROUND = 16  # pieces of an arc


def draw_links(sketch: Sketch, side: Array | None) -> None:
    """Draws every part that the model gives no shape; `side` is the normal of a planar mechanism."""
    if side is None and not sketch.solid("world"):
        draw_frame(sketch)
    for part in sketch.shapes:
        if part == "world" or sketch.solid(part) or sketch.shapes[part]:
            continue
        points = sketch.points[part]
        if len(points) < 2:
            _lonely(sketch, part, points, side)
        elif side is not None or _flat(points):
            draw_plate(sketch, part, points, side)
        elif (wishbone := _hinge_and_ball(points)) is not None:
            _wishbone(sketch, part, *wishbone, [p for p in points if p.mate is None])
        elif len(points) == 2:
            _between(sketch, part, *points)
        else:
            _star(sketch, part, points)


def draw_plate(sketch: Sketch, part: str, points: list[Point], side: Array | None) -> None:
    """A sheet with rounded corners and a bore at each joint, in the layer of its part."""
    normal = side if side is not None else next(p.axis for p in points if p.axis is not None)
    offset = sketch.layers.get(part, 0.0)
    axes = sketch.poses[part].R  # the plate's own axes are fixed in the body, whatever its pose
    pose = Pose(points[0].at + offset * normal, axes @ facing(axes.T @ normal, np.zeros(3)).R)
    flat = [(pose.R.T @ (p.at - pose.p))[:2] for p in points]
    fields = {"radius": sketch.bar, "depth": DEPTH * sketch.bar, "bore": 0.4 * sketch.bar}
    sketch.add(part, "plate", pose, points=[rounded(p) for p in flat], **fields)


def _flat(points: list[Point]) -> bool:
    """Whether the points lie in one plane across all their pins, of which there is one at least."""
    axes = [p.axis for p in points if p.axis is not None]
    if len(axes) < 2 or len(axes) < len(points) - 1:
        return False
    parallel = all(abs(np.dot(axes[0], axis)) > 0.999 for axis in axes)
    heights = [float(np.dot(p.at, axes[0])) for p in points]
    spread = max(float(np.linalg.norm(p.at - points[0].at)) for p in points)
    return parallel and max(heights) - min(heights) < 0.05 * spread


def _between(sketch: Sketch, part: str, first: Point, second: Point) -> None:
    """An arc between axes that meet, else a rod."""
    center = _meeting(first, second)
    if center is not None:
        sketch.tube(part, _arc(first.at, second.at, center), 0.6 * sketch.bar)
        return
    sketch.tube(part, [first.at, second.at], 0.6 * sketch.bar)


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


def shortest_tree(places: list[Array]) -> list[tuple[Array, Array]]:
    """The edges of the shortest tree through places (Prim)."""
    done, rest, edges = [places[0]], list(places[1:]), []
    while rest:
        gaps = np.array([[np.linalg.norm(a - b) for b in rest] for a in done])
        i, j = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
        edges.append((done[i], rest[j]))
        done.append(rest.pop(int(j)))
    return edges


def draw_frame(sketch: Sketch) -> None:
    """The ground of a spatial mechanism as a frame through its fixed joints."""
    points = [p for p in sketch.points["world"] if p.mate is None or p.mate.kind != "slider"]
    if len(points) < 2:
        _bearing(sketch, points)
        return
    places = np.array([p.at for p in points])
    middle = places.mean(axis=0)
    _, widths, axes = np.linalg.svd(places - middle, full_matrices=True)
    up = -np.array(sketch.model.gravity)
    level = abs(np.dot(axes[2], up)) > 0.9 * np.linalg.norm(up)
    if len(points) > 3 and len(widths) > 2 and widths[2] < 0.02 * widths[1] and level:
        pose = Pose(middle - 1.1 * sketch.bar * _upwards(sketch, axes[2]), _proper(axes.T))
        flat = [rounded((pose.R.T @ (p - pose.p))[:2]) for p in places]
        fields = {"radius": 2.2 * sketch.bar, "depth": 0.9 * sketch.bar, "bore": 0.0}
        sketch.add("world", "plate", pose, points=flat, **fields)
        return
    if len(points) == 3 and level:
        sketch.tube("world", [*places, places[0]], 0.8 * sketch.bar)
        return
    for a, b in shortest_tree(list(places)):
        sketch.tube("world", [a, b], 0.7 * sketch.bar)


def _bearing(sketch: Sketch, points: list[Point]) -> None:
    """A block that holds the only fixed joint."""
    for point in points:
        if point.mate is None or sketch.detailed(point.mate.second) or sketch.detailed(point.mate.first):
            continue
        axis = point.axis if point.axis is not None else -np.array(sketch.model.gravity)
        if not np.any(axis):
            axis = np.array([0.0, 0.0, 1.0])
        away = np.mean([p.at for points in sketch.points.values() for p in points], axis=0) - point.at
        way = axis / np.linalg.norm(axis) * (1.0 if np.dot(axis, away) >= 0 else -1.0)
        radius, length = 2.4 * sketch.bar, 3.0 * sketch.bar
        below = point.at - 0.5 * length * way
        sketch.add("world", "cylinder", facing(way, below), radius=radius, length=length)
        foot = point.at - (length + 0.4 * sketch.bar) * way
        sketch.add("world", "cylinder", facing(way, foot), radius=2.0 * radius, length=0.8 * sketch.bar)


def _upwards(sketch: Sketch, normal: Array) -> Array:
    """The normal of a plate on the side where the other parts are."""
    others = [p.at for part, points in sketch.points.items() if part != "world" for p in points]
    away = np.mean(others, axis=0) - np.mean([p.at for p in sketch.points["world"]], axis=0)
    return normal if np.dot(away, normal) > 0 else -normal


def _proper(R: Array) -> Array:
    return R if np.linalg.det(R) > 0 else R * np.array([1.0, 1.0, -1.0])


def _lonely(sketch: Sketch, part: str, points: list[Point], side: Array | None) -> None:
    """A part with one joint or none: to its frames, else a wheel, a pendulum, or what its inertia is."""
    model, members = sketch.model, [b for b in sketch.parts.members(part) if b != "world"]
    frames = [f for b in members for f in (sketch.end_of(b, name) for name in model.bodies[b].frames)]
    far = [f for f in frames if points and np.linalg.norm(f - points[0].at) > 1e-6]
    if far:
        end = max(far, key=lambda f: float(np.linalg.norm(f - points[0].at)))
        ends = [points[0], Point(end, None)]
        draw_plate(sketch, part, ends, side) if side is not None else _between(sketch, part, *ends)
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
