"""Scenes of robots: a Panda that lifts a cube, and Talos that falls over.

Masses and joints are those of the files of example-robot-data; shapes are the tips of the fingers as in the
file, and on Talos a capsule from each joint to the next, a box for each foot and a ball at each end.
"""

import xml.etree.ElementTree as Xml
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench import robots
from hapsis.bench.contacts.contacts_motion import motions
from hapsis.bench.contacts.contacts_overlap import lowest
from hapsis.bench.contacts.contacts_scene import GRAVITY, Part, Scene, Solid, box
from hapsis.bench.simulate.simulate_links import Link, links

READY = (0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785)  # rad; the hand points down
LIFT = 0.15  # rad of the second joint
CUBE, CUBE_MASS, GRIP = 0.04, 0.2, 20.0  # m, kg, N of each finger
TIP, TIP_AT = (0.0175, 0.0152, 0.0185), (0.0, 0.00758, 0.04525)  # m
LEAN = 0.1  # rad
FOOT, FOOT_AT = (0.21, 0.13, 0.04), (0.0, 0.0, -0.087)


def panda(folder: Path) -> Scene | None:
    """The arm holds a pose above the one it starts in, the fingers press: the cube goes up with the hand."""
    arm = _parts("panda_description/urdf/panda.urdf", False, folder)
    if arm is None:
        return None
    target = list(READY)
    target[1] -= LIFT
    target[5] -= LIFT  # keeps the hand vertical
    parts: list[Part] = []
    for k, part in enumerate(arm):
        if part.kind == "prismatic":
            side = 1.0 if "joint1" in part.name else -1.0
            tip = Solid("box", TIP, _shift(TIP_AT * np.array([1.0, side, 1.0])))
            start = CUBE / 2 + 2e-4
            parts.append(replace(part, solids=(tip,), q=(start,), effort=-GRIP, damping=200.0))
        else:
            gains = (
                {"stiffness": 600.0, "damping": 600.0} if k < 4 else {"stiffness": 200.0, "damping": 200.0}
            )
            parts.append(replace(part, q=(READY[k],), hold=target[k], **gains))
    parts = _weightless(parts, np.array([*target, CUBE / 2, CUBE / 2]))
    bounds = {"penetration": 1e-3, "creep": 1e-3}
    empty = Scene("panda", 10.0, tuple(parts), "held", bounds)
    finger = motions(empty, empty.q[None], empty.v[None])[parts[7].name]
    axes = finger.R[0]
    # between the tips: back along the way that the finger is open
    centre = finger.at((0.0, -parts[7].q[0], TIP_AT[2]))[0]
    yaw = float(np.arctan2(axes[1, 0], axes[0, 0]))
    cube = box("cube", CUBE_MASS, (CUBE,) * 3, centre, yaw)
    held = ("cube", parts[6].name)
    return replace(
        empty,
        parts=(*parts, cube),
        ground=float(centre[2] - CUBE / 2),
        held=held,
        law=(1e5, 100.0),
        passive=False,
    )


def talos(folder: Path) -> Scene | None:
    """Leaning forward a little, joints held by springs, it falls on its face."""
    body = _parts("talos_data/robots/talos_reduced.urdf", True, folder)
    if body is None:
        return None
    parts = [replace(part, solids=_limbs(part, body)) for part in body]
    held = {"stiffness": 300.0, "damping": 10.0}
    parts = [part if part.kind == "free" else replace(part, **held) for part in parts]
    turn = (np.cos(LEAN / 2), 0.0, np.sin(LEAN / 2), 0.0)
    scene = Scene("talos", 2.0, tuple(parts), "lies", {"penetration": 5e-3}, law=(2e6, 4e3))
    lean = replace(parts[0], q=(0.0, 0.0, 0.0, *turn), v=(0.0,) * 6)
    scene = replace(scene, parts=(lean, *parts[1:]))
    known = motions(scene, scene.q[None], scene.v[None])
    low = min(float(lowest(solid, known[part.name])[0]) for part in scene.parts for solid in part.solids)
    lean = replace(lean, q=(0.0, 0.0, 1e-3 - low, *turn))
    return replace(scene, parts=(lean, *scene.parts[1:]))


def _parts(file: str, free: bool, folder: Path) -> list[Part] | None:
    """The moving parts of a robot's file, without shapes, each after its parent."""
    source = robots.installed(file)
    if source is None:
        return None
    root = robots.cleaned(Xml.parse(source).getroot())
    if free:
        _float(root)
    robot = robots.written(Path(file).stem, root, free, folder)
    kinds = {j.get("name", ""): j.get("type", "") for j in root.iter("joint")}
    rows = links(robot)
    return [_part(row, kinds[row.joint], rows) for row in rows]


def _part(row: Link, kind: str, rows: list[Link]) -> Part:
    parent = rows[row.parent].joint if row.parent >= 0 else None
    if kind == "floating":
        return Part(row.joint, row.mass, row.central, centre=row.centre, q=(0.0,) * 7, v=(0.0,) * 6)
    joint: Any = kind
    return Part(row.joint, row.mass, row.central, joint, parent, row.place, row.axis, row.centre)


def _float(root: Xml.Element) -> None:
    """Hangs the root link from the world by a floating joint."""
    children = {c.get("link") for c in root.iter("child")}
    top = next(x.get("name", "") for x in root.findall("link") if x.get("name") not in children)
    Xml.SubElement(root, "link", name="outside")
    joint = Xml.SubElement(root, "joint", name="base", type="floating")
    Xml.SubElement(joint, "parent", link="outside")
    Xml.SubElement(joint, "child", link=top)
    Xml.SubElement(joint, "axis", xyz="0 0 1")


def _weightless(parts: list[Part], q: Any) -> list[Part]:
    """The parts with efforts that carry their weight at coordinates q, added to those they have."""
    scene = Scene("", 1.0, tuple(parts), "held", {})
    known, efforts = motions(scene, q[None], np.zeros((1, len(parts)))), np.zeros(len(parts))
    above = {part.name: part.parent for part in parts}
    for part in parts:
        weight, centre = np.array([0.0, 0.0, part.mass * GRAVITY]), known[part.name].at(part.centre)[0]
        name: str | None = part.name
        while name is not None:
            k = next(i for i, p in enumerate(parts) if p.name == name)
            m, axis = known[name], known[name].R[0] @ np.asarray(parts[k].axis)
            lever = np.cross(axis, centre - m.p[0]) if parts[k].kind == "revolute" else axis
            efforts[k] += weight @ lever
            name = above[name]
    return [replace(p, effort=p.effort + float(x)) for p, x in zip(parts, efforts, strict=True)]


def _limbs(part: Part, parts: list[Part]) -> tuple[Solid, ...]:
    """A capsule to each joint that the part carries, or a ball; a box for a foot."""
    if part.name.startswith("leg") and "_6_" in part.name:
        return (Solid("box", FOOT, _shift(FOOT_AT)),)
    children = [p.place[:3, 3] for p in parts if p.parent == part.name]
    long = [x for x in children if np.linalg.norm(x) > 0.1]
    if not children:
        return (Solid("sphere", (0.05,), _shift(part.centre)),)
    return tuple(Solid("capsule", (0.05, float(np.linalg.norm(x))), _along(x)) for x in long)


def _along(way: Any) -> Any:
    """The frame in the middle of the way from the origin, its z axis along it."""
    z = way / np.linalg.norm(way)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    place = _shift(way / 2)
    place[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    return place


def _shift(at: Any) -> Any:
    place = np.eye(4)
    place[:3, 3] = at
    return place
