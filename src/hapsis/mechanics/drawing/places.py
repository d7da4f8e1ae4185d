"""Places that facts name: bushings, points that touch, stay on a surface or are pinned, planes, segments."""

from typing import Any

import numpy as np

from hapsis.mechanics.drawing.placement import Array, Pose, frame_pose
from hapsis.mechanics.drawing.sketch import Sketch, facing
from hapsis.mechanics.drawing.solids import shape_pose
from hapsis.mechanics.model.body_shapes import shape_tables
from hapsis.mechanics.model.constraints.motion_constraints import KnifeEdge, NoSpin, Pinned
from hapsis.mechanics.model.constraints.on_surface import OnZeros
from hapsis.mechanics.model.forces.bushing import Bushing
from hapsis.mechanics.model.frames import End

FLAT = 0.99  # cosine between a plane's normal and up that makes it the floor


def draw_places(sketch: Sketch, up: Array, side: Array | None) -> None:
    """Draws them on the parts that have them."""
    for fact in sketch.model.forces.values():
        if isinstance(fact, Bushing):
            _bushing(sketch, fact)
    facts = sketch.model.constraints.values()
    ends: list[Any] = [f.first for f in facts if isinstance(f, OnZeros | Pinned | KnifeEdge | NoSpin)]
    for contact in sketch.model.contacts.values():
        ends += [end for end in (contact.first, contact.second) if isinstance(end, End)]
    ends = [end for end in ends if sketch.model.frame(end)[0] not in sketch.outlined]
    for part, at in _distinct(sketch, ends):
        sketch.add(part, "sphere", facing((0.0, 0.0, 1.0), at), radius=0.7 * sketch.bar, of="metal")
    for body, tables in shape_tables(sketch.model).items():
        for table in tables if body not in sketch.outlined else ():
            pose = sketch.poses[body] @ shape_pose(table)
            if table["type"] == "plane":
                _plane(sketch, sketch.parts.of[body], pose, up, side)
            elif table["type"] == "segment":
                half = 0.5 * table["length"] * pose.R[:, 2]
                sketch.tube(sketch.parts.of[body], [pose.p - half, pose.p + half], 0.15 * sketch.bar)


def _distinct(sketch: Sketch, ends: list[End]) -> list[tuple[str, Array]]:
    places: list[tuple[str, Array]] = []
    for part, at in map(sketch.end, ends):
        if not any(part == p and sketch.same(at, q) for p, q in places):
            places.append((part, at))
    return places


def _bushing(sketch: Sketch, fact: Bushing) -> None:
    """A rubber ring on the first part about the axis of least stiffness, and a pin of the second in it."""
    bar = sketch.bar
    poses: list[tuple[str, Pose]] = []
    for end in (fact.first, fact.second):
        body, frame = sketch.model.frame(end)
        poses.append((sketch.parts.of[body], sketch.poses[body] @ frame_pose(sketch.model, frame)))
    soft = int(np.argmin([sketch.model.value(x) for x in fact.stiffness[:3]][::-1]))  # z where all are equal
    (first, a), (second, b) = poses
    ring = {"radius": 1.5 * bar, "inner": 0.6 * bar, "length": 2.0 * bar}
    sketch.add(first, "bush", facing(a.R[:, 2 - soft], a.p), **ring)
    sketch.add(second, "pin", facing(b.R[:, 2 - soft], b.p), radius=0.55 * bar, length=2.6 * bar)


def _plane(sketch: Sketch, part: str, pose: Pose, up: Array, side: Array | None) -> None:
    """A hatched line in a planar picture; else a sheet of glass, unless it is the floor."""
    normal = pose.R[:, 2]
    middle = np.mean([p.p for p in sketch.poses.values()], axis=0)
    at = middle - np.dot(middle - pose.p, normal) * normal
    long = max(1.4 * sketch.size, 2.0 * float(np.linalg.norm(at - middle)))
    if side is not None and abs(np.dot(normal, side)) < 0.1:
        R = np.stack([np.cross(normal, side), normal, side], axis=1)
        gap = 1e-6 * long
        fields: dict[str, Any] = {"length": long, "gap": gap, "depth": 4.0 * sketch.bar, "sides": 1}
        sketch.add(part, "rail", Pose(at, R), **fields)
    elif part != "world" or np.dot(normal, up) < FLAT:
        thin = 0.4 * sketch.bar
        sheet = Pose(at - 0.5 * thin * normal, facing(normal, at).R)
        sketch.add(part, "box", sheet, size=[long, long, thin], of="glass")
