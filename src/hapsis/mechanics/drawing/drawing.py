"""A model as a table that a page can draw: see `view/web/src/scene/data.ts`."""

from typing import Any

import numpy as np

from hapsis.mechanics.drawing.gears import draw_gears
from hapsis.mechanics.drawing.ground import draw_ground
from hapsis.mechanics.drawing.joint_forces import draw_joint_forces
from hapsis.mechanics.drawing.joint_shapes import draw_joints
from hapsis.mechanics.drawing.layers import spread_layers
from hapsis.mechanics.drawing.lines import connections
from hapsis.mechanics.drawing.links import draw_links
from hapsis.mechanics.drawing.placement import Array, start_values
from hapsis.mechanics.drawing.places import draw_places
from hapsis.mechanics.drawing.sketch import Sketch, rounded
from hapsis.mechanics.drawing.solids import draw_rolling_wheels, draw_solids, draw_stubs
from hapsis.mechanics.drawing.surfaces import Surfaces
from hapsis.mechanics.model.model import Model
from hapsis.view.colours import BODIES, STILL, rgb


def drawing(model: Model, start: Any = None) -> dict[str, Any]:
    """What is drawn of a model: shapes in the axes of its bodies, in the order of the bodies.

    start   coordinates at which forms, layers and ground are chosen: a State or numbers; the pose "start"
            without it
    """
    q = start_values(model) if start is None else np.asarray(getattr(start, "q", start), float)
    sketch = Sketch(model, q)
    up, side, planar = directions(model, sketch)
    surfaces = Surfaces()
    surfaces.draw_files(sketch)
    draw_solids(sketch)
    draw_rolling_wheels(sketch)
    if planar:
        spread_layers(sketch, side)
    draw_links(sketch, side if planar else None)
    draw_stubs(sketch)
    draw_joints(sketch, side if planar else None)
    draw_gears(sketch)
    lines = draw_joint_forces(sketch, side if planar else None)
    draw_places(sketch, up, side if planar else None)
    if planar:
        draw_ground(sketch, up, side)
    order = {"world": -1} | {name: k for k, name in enumerate(_movable(model))}
    return {
        "up": rounded(up),
        "side": rounded(side),
        "planar": planar,
        "size": sketch.size,
        "floor": _floor(sketch, up),
        "slope": _slope(sketch, side) if planar else None,
        "world": {
            "name": "world",
            "color": rgb(STILL, "world"),
            "shapes": surfaces.stored(sketch.shapes["world"]),
        },
        "bodies": [
            {
                "name": name,
                "color": rgb(BODIES[_hue(sketch, name) % len(BODIES)], "body"),
                "shapes": surfaces.stored(sketch.shapes.get(name, [])),
            }
            for name in _movable(model)
        ],
        "connections": connections(sketch, order, lines),
        "meshes": surfaces.tables,
        "notices": surfaces.notices,
    }


def _movable(model: Model) -> list[str]:
    return [name for name in model.bodies if name != "world"]


def _hue(sketch: Sketch, body: str) -> int:
    """The number of a body among those that are drawn, so that colours are not spent on others."""
    seen = [part for part in sketch.model.bodies if sketch.shapes.get(part)]
    return seen.index(body) if body in seen else 0


def _floor(sketch: Sketch, up: Array) -> float | None:
    """The height of a plane of the world that something may touch, or on which something rolls."""
    from hapsis.mechanics.drawing.solids import shape_pose
    from hapsis.mechanics.model.body_shapes import shape_tables

    for table in shape_tables(sketch.model)["world"]:
        if table["type"] == "plane" and np.dot(shape_pose(table).R[:, 2], up) > 0.99:
            return float(np.dot(table["at"], up))
    return None


def _slope(sketch: Sketch, side: Array) -> dict[str, Any] | None:
    """The ground of a planar mechanism seen from the side: a point and the normal of a plane of the world."""
    from hapsis.mechanics.drawing.solids import shape_pose
    from hapsis.mechanics.model.body_shapes import shape_tables

    for table in shape_tables(sketch.model)["world"]:
        if table["type"] == "plane":
            normal = shape_pose(table).R[:, 2]
            if abs(np.dot(normal, side)) < 1e-6:
                return {"at": rounded(np.asarray(table["at"], float)), "normal": rounded(normal)}
    return None


def directions(model: Model, sketch: Sketch) -> tuple[Array, Array, bool]:
    """Up, towards the viewer of the side view, and whether the motion is in the plane across it."""
    gravity = np.array(model.gravity_vector)
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])
    normal = plane_normal(model, sketch)
    if normal is None:
        right = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
        side = np.cross(right, up)
        return up, side / np.linalg.norm(side), False
    if abs(np.dot(normal, up)) > 0.3:
        # the plane lies flat: it is shown upright, its y or z axis upwards
        axes = sorted(np.eye(3), key=lambda axis: abs(np.dot(axis, normal)))
        up = max(axes[:2], key=lambda axis: tuple(axis[::-1]))
    up = up - np.dot(up, normal) * normal
    up /= np.linalg.norm(up)
    right = np.cross(up, normal)
    main = right[np.argmax(np.abs(right))]
    return up, normal if main > 0 else -normal, True


def plane_normal(model: Model, sketch: Sketch) -> Array | None:
    """The direction about which everything turns; None where the motion is spatial."""
    closing = {joint.name for joint in model.cuts}
    mates = [m for m in sketch.parts.mates if not all(j.name in closing for j in m.joints)]
    turns = [axis for m in mates for kind, axis in m.motions if kind == "R"]
    if not turns or any(kind not in "RP" for m in mates for kind, _ in m.motions):
        return None
    normal = turns[0]
    slides = [axis for m in mates for kind, axis in m.motions if kind == "P"]
    flat = all(abs(np.dot(normal, axis)) > 1 - 1e-6 for axis in turns)
    across = all(abs(np.dot(normal, axis)) < 1e-3 for axis in slides)
    return normal if flat and across else None
