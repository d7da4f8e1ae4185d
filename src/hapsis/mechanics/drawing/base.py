"""The ground of a spatial mechanism: a frame through its fixed joints, or a bearing at the only one."""

import numpy as np

from hapsis.mechanics.drawing.placement import Array
from hapsis.mechanics.drawing.sketch import Point, Sketch, facing, rounded


def draw_frame(sketch: Sketch) -> None:
    """The ground of a spatial mechanism as a frame through its fixed joints."""
    points = [p for p in sketch.points["world"] if p.mate is None or p.mate.kind != "slider"]
    if len(points) < 2:
        _bearing(sketch, points)
        return
    places = np.array([p.at for p in points])
    middle = places.mean(axis=0)
    _, widths, axes = np.linalg.svd(places - middle, full_matrices=True)
    up = -np.array(sketch.model.gravity_vector)
    level = abs(np.dot(axes[2], up)) > 0.9 * np.linalg.norm(up)
    if len(points) > 3 and len(widths) > 2 and widths[2] < 0.02 * widths[1] and level:
        normal = _upwards(sketch, axes[2])
        pose = facing(normal, middle - 1.1 * sketch.bar * normal)
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
        axis = point.axis if point.axis is not None else -np.array(sketch.model.gravity_vector)
        if not np.any(axis):
            axis = np.array([0.0, 0.0, 1.0])
        away = np.mean([p.at for points in sketch.points.values() for p in points], axis=0) - point.at
        way = axis / np.linalg.norm(axis)
        way = way if np.dot(way, away) >= -1e-6 * sketch.size else -way  # rounding decides nothing
        radius, length = 2.4 * sketch.bar, 3.0 * sketch.bar
        below = point.at - 0.5 * length * way
        sketch.add("world", "cylinder", facing(way, below), radius=radius, length=length)
        foot = point.at - (length + 0.4 * sketch.bar) * way
        sketch.add("world", "cylinder", facing(way, foot), radius=2.0 * radius, length=0.8 * sketch.bar)


def _upwards(sketch: Sketch, normal: Array) -> Array:
    """The normal of a plate on the side where the other parts are."""
    others = [p.at for part, points in sketch.points.items() if part != "world" for p in points]
    away = np.mean(others, axis=0) - np.mean([p.at for p in sketch.points["world"]], axis=0)
    return normal if np.dot(away, normal) > -1e-6 * sketch.size else -normal


def shortest_tree(places: list[Array]) -> list[tuple[Array, Array]]:
    """The edges of the shortest tree through places (Prim)."""
    done, rest, edges = [places[0]], list(places[1:]), []
    while rest:
        gaps = np.array([[np.linalg.norm(a - b) for b in rest] for a in done])
        i, j = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
        edges.append((done[i], rest[j]))
        done.append(rest.pop(int(j)))
    return edges
