"""The shapes that a model gives its bodies: wheels where they roll, glass where they hide joints."""

from typing import Any

import numpy as np

from hapsis.mechanics.algebra.ellipsoid_mesh import ellipsoid
from hapsis.mechanics.algebra.quaternions import matrix
from hapsis.mechanics.drawing.placement import Array, Pose, frame_pose
from hapsis.mechanics.drawing.sketch import Sketch, facing
from hapsis.mechanics.model.body_shapes import shape_tables

FIELDS = ("size", "radius", "length", "ring", "depth")
GREY = (0.62, 0.63, 0.65)  # of what says no colour among meshes
HIDDEN = 3  # joints inside a box that make it glass


def draw_solids(sketch: Sketch) -> None:
    """Draws the shapes of every body on its part."""
    for body, tables in shape_tables(sketch.model).items():
        part = sketch.parts.of[body]
        clear = any(_hides(sketch, sketch.poses[body] @ shape_pose(t), t) for t in tables)
        wheels = [t for t in tables if _rolls(sketch, part, body, t)]
        for table in tables:
            if table["type"] in ("plane", "segment", "line"):
                continue
            if body in sketch.meshed and "color" not in table:
                continue  # a plain solid for contacts, inside the mesh
            if body in sketch.outlined and "color" not in table and table["type"] != "outline":
                continue  # the same inside outlines
            if wheels and table not in wheels and _inside_wheel(table, wheels):
                continue  # the surface of a tyre
            _draw(sketch, part, body, table, wheel=table in wheels, clear=clear)


def _draw(sketch: Sketch, part: str, body: str, table: dict[str, Any], wheel: bool, clear: bool) -> None:
    pose = sketch.poses[body] @ shape_pose(table)
    fields: dict[str, Any] = {name: table[name] for name in FIELDS if name in table}
    if "color" in table:
        fields["color"] = [float(x) for x in table["color"]]
    elif sketch.meshed:
        fields["color"] = list(GREY)  # among meshes with their own colours
    if wheel:
        sketch.add(part, "wheel", pose, radius=table["radius"], width=table["length"], tyre=True)
    elif table["type"] in ("mesh", "heightfield"):
        fields |= {"surface": table}
        sketch.add(part, "mesh", pose, **fields)
    else:
        if clear:
            fields["of"] = "glass"
        elif table.get("metal"):
            fields["of"] = "metal"
        sketch.add(part, table["type"], pose, **fields)


def shape_pose(table: dict[str, Any]) -> Pose:
    """The pose of a shape on its body."""
    return Pose(np.array(table["at"], float), matrix(table["quaternion"]))


def half_sizes(table: dict[str, Any]) -> Array:
    """Half the lengths of the box around a shape, in its own axes."""
    kind = table["type"]
    if kind == "box":
        return np.array(table["size"]) / 2
    radius, length = table.get("radius", 0.0), table.get("length", 0.0)
    if kind == "sphere":
        return np.full(3, radius)
    if kind == "outline":
        return np.array([*np.abs(np.array(table["ring"])).max(axis=0), table["depth"] / 2])
    if kind == "mesh":
        return np.abs(np.array(table["vertices"])).max(axis=0)
    return np.array([radius, radius, length / 2 + (radius if kind == "capsule" else 0.0)])


def boxes(sketch: Sketch, part: str) -> list[tuple[Pose, Array]]:
    """The boxes around the shapes of a part: their poses in the world and half their lengths."""
    tables = shape_tables(sketch.model)
    return [
        (
            sketch.poses[body] @ shape_pose(table),
            half_sizes(table) * (0.58 if table["type"] == "sphere" else 1.0),
        )
        for body in sketch.parts.members(part)
        for table in tables[body]
        if table["type"] not in ("plane", "heightfield", "line")
    ]


def extent(sketch: Sketch, part: str, direction: Array) -> tuple[float, float]:
    """From where to where the shapes of a part reach along a direction, in the world."""
    lows, highs = [], []
    for pose, half in boxes(sketch, part):
        reach = float(np.abs(pose.R.T @ direction) @ half)
        middle = float(np.dot(pose.p, direction))
        lows.append(middle - reach)
        highs.append(middle + reach)
    at = float(np.dot(sketch.poses[part].p, direction))
    return min(lows, default=at), max(highs, default=at)


def draw_stubs(sketch: Sketch) -> None:
    """Rods from the shapes of a part to those of its joints that lie outside of them."""
    for part in sketch.shapes:
        own = boxes(sketch, part) if sketch.solid(part) and not sketch.cut(part) else []
        for point in sketch.points[part] if own else ():
            if point.mate is not None and point.mate.kind in ("slider", "screw") and point.mate.first == part:
                continue
            near = min(
                (_nearest(pose, half, point.at) for pose, half in own), key=lambda p: _gap(p, point.at)
            )
            if _gap(near, point.at) > 0.02 * sketch.size:
                sketch.tube(part, [near, point.at], 0.6 * sketch.bar)


def _gap(a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b))


def _nearest(pose: Pose, half: Array, at: Array) -> Array:
    return pose.p + pose.R @ np.clip(pose.R.T @ (at - pose.p), -0.9 * half, 0.9 * half)


def _hides(sketch: Sketch, pose: Pose, table: dict[str, Any]) -> bool:
    """Whether a box holds several joints, which one wants to see; then its body is glass."""
    if table["type"] != "box":
        return False
    inside = [
        mate.at
        for mate in sketch.parts.mates
        if mate.kind and np.all(np.abs(pose.R.T @ (mate.at - pose.p)) < 0.5 * np.array(table["size"]))
    ]
    return len(np.unique(np.round(np.array(inside).reshape(-1, 3), 6), axis=0)) >= HIDDEN


def _rolls(sketch: Sketch, part: str, body: str, table: dict[str, Any]) -> bool:
    """Whether a flat cylinder turns about its own axis, on the only joint of its part."""
    mates = [mate for mate in sketch.mates(part) if mate.kind]
    if table["type"] != "cylinder" or table["radius"] < table["length"] or len(mates) != 1:
        return False
    pose, mate = sketch.poses[body] @ shape_pose(table), mates[0]
    across = np.cross(pose.p - mate.at, mate.axis)
    same = abs(np.dot(pose.R[:, 2], mate.axis)) > 0.99
    return mate.kind == "pin" and bool(same) and float(np.linalg.norm(across)) < 0.05 * table["radius"]


def _inside_wheel(table: dict[str, Any], wheels: list[dict[str, Any]]) -> bool:
    return any(
        table["type"] == "sphere" and 0.8 < table["radius"] / wheel["radius"] < 1.25 for wheel in wheels
    )


def draw_rolling_wheels(sketch: Sketch) -> None:
    """Wheels of `Rolling` on parts without shapes."""
    from hapsis.mechanics.model.constraints.rolling import Rolling
    from hapsis.mechanics.model.values.axes import axis_vector

    for fact in sketch.model.constraints.values():
        if not isinstance(fact, Rolling):
            continue
        part, at = sketch.end(fact.first)
        if sketch.solid(part):
            continue
        body, frame = sketch.model.frame(fact.first)
        if fact.semi_axes is not None:
            table = ellipsoid([sketch.model.value(x) for x in fact.semi_axes])
            pose = Pose(at, sketch.poses[body].R @ frame_pose(sketch.model, frame).R)
            sketch.add(part, "mesh", pose, surface=table)
            continue
        radius, tube = sketch.model.value(fact.radius), sketch.model.value(fact.tube)
        if fact.axis is None:
            sketch.add(part, "sphere", Pose(at, sketch.poses[body].R), radius=radius)
        else:
            axis = sketch.poses[body].R @ np.array(axis_vector(fact.axis))
            width = 2.0 * tube or 0.3 * radius
            sketch.add(part, "wheel", facing(axis, at), radius=radius + tube, width=width, tyre=True)
