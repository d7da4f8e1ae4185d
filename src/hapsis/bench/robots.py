"""The robots that are timed: one URDF file each, the same for us and for every rival.

Files of example-robot-data lose what only some readers use (shapes, transmissions, damping, mimic
tags), and fingers are locked. Chains are written here: aligned ones (axes z and y in turn, one
offset, plain inertia) and general ones (random axes, offsets and inertias).
"""

import importlib.metadata
import math
import xml.etree.ElementTree as Xml
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

COUNT = 256  # distinct states
MOVING = ("revolute", "prismatic")
FILES = {  # name: file in example-robot-data, free base, joints to lock
    "panda": ("panda_description/urdf/panda.urdf", False, ("panda_finger",)),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", False, ()),
    "solo12": ("solo_description/robots/solo12.urdf", True, ()),
    "talos": ("talos_data/robots/talos_reduced.urdf", True, ()),
}
CHAINS = {f"{kind} {n}": (kind, n) for kind in ("aligned", "general") for n in (7, 30, 100)}
NAMES = (*FILES, *CHAINS)


@dataclass(frozen=True)
class Robot:
    """A file, whether its base is free, and the names of its moving joints in the file's order."""

    name: str
    path: Path
    free: bool
    joints: tuple[str, ...]

    @property
    def size(self) -> int:
        """The number of speeds."""
        return len(self.joints) + 6 * self.free


@dataclass(frozen=True)
class States:
    """Random states, rows of arrays; joints in the order of the robot's.

    pose    x y z qw qx qy qz of the base
    twist   wx wy wz vx vy vz of the base, in its own frame
    push    their rates, or the efforts there
    q v a   of the joints; a are rates or efforts
    """

    pose: Any
    twist: Any
    push: Any
    q: Any
    v: Any
    a: Any


def states(robot: Robot, count: int = COUNT, seed: int = 1) -> States:
    """As many random states as asked for, always the same ones."""
    draw, n = np.random.default_rng(seed), len(robot.joints)
    pose = draw.normal(size=(count, 7))
    pose[:, 3:] /= np.linalg.norm(pose[:, 3:], axis=1)[:, None]
    twist, push = draw.normal(size=(count, 6)), draw.normal(size=(count, 6))
    q = draw.uniform(-1.5, 1.5, (count, n))
    return States(pose, twist, push, q, draw.normal(size=(count, n)), draw.normal(size=(count, n)))


def robot(name: str, folder: Path) -> Robot | None:
    """Writes the robot's file into the folder; None where example-robot-data is missing."""
    if name in CHAINS:
        kind, length = CHAINS[name]
        root, free = chain(length, kind == "general"), False
    else:
        part, free, locked = FILES[name]
        source = installed(part)
        if source is None:
            return None
        root = cleaned(Xml.parse(source).getroot(), locked)
    return written(name, root, free, folder)


def written(name: str, root: Xml.Element, free: bool, folder: Path) -> Robot:
    """The robot of a description, its file written into the folder."""
    path = folder / f"{name.replace(' ', '_')}.urdf"
    Xml.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
    moving = (j.get("name", "") for j in root.iter("joint") if j.get("type") in MOVING)
    return Robot(name, path, free, tuple(moving))


def installed(part: str) -> Path | None:
    """The file of example-robot-data whose path ends so; None where that package is missing."""
    try:
        files = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    paths = (Path(str(f.locate())) for f in files if str(f).endswith(part))
    return next((path for path in paths if path.exists()), None)


def cleaned(root: Xml.Element, locked: Iterable[str] = ()) -> Xml.Element:
    """Only links with inertia and joints; joints whose names start so are locked."""
    for child in list(root):
        if child.tag not in ("link", "joint"):
            root.remove(child)
    for link in root.iter("link"):
        for part in [p for p in link if p.tag != "inertial"]:
            link.remove(part)
    for joint in root.findall("joint"):
        for part in [p for p in joint if p.tag not in ("origin", "parent", "child", "axis")]:
            joint.remove(part)
        if joint.get("type") == "continuous":
            joint.set("type", "revolute")
        if joint.get("name", "").startswith(tuple(locked)):
            joint.set("type", "fixed")
        if joint.get("type") in MOVING:  # required by the format, used by nobody here
            Xml.SubElement(joint, "limit", lower="-3", upper="3", effort="1e3", velocity="1e2")
        elif (axis := joint.find("axis")) is not None:
            joint.remove(axis)
    return root


def chain(length: int, general: bool, seed: int = 5) -> Xml.Element:
    """A chain of revolute joints."""
    draw = np.random.default_rng(seed)
    root = Xml.Element("robot", name="chain")
    Xml.SubElement(root, "link", name="base")
    for k in range(length):
        offset, turn = (0.2 if k else 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        axis, centre = (0.0, float(k % 2), float((k + 1) % 2)), (0.1, 0.0, 0.0)
        inertia = np.diag([0.002, 0.004, 0.005])
        if general:
            offset, turn = draw.uniform(-0.2, 0.2, 3), draw.uniform(-math.pi, math.pi, 3)
            axis, centre = _unit(draw.normal(size=3)), draw.uniform(-0.1, 0.1, 3)
            frame = np.linalg.qr(draw.normal(size=(3, 3)))[0]
            inertia = frame @ np.diag(draw.uniform(0.003, 0.005, 3)) @ frame.T
        joint, link = hinged(root, k, "revolute", _text(offset), _text(turn), _text(axis))
        Xml.SubElement(joint, "limit", lower="-3", upper="3", effort="1e3", velocity="1e2")
        inertial(link, 1.0 + (draw.random() if general else 0.0), centre, inertia)
    return root


def hinged(
    root: Xml.Element, k: int, kind: str, xyz: str, rpy: str, axis: str
) -> tuple[Xml.Element, Xml.Element]:
    """Joint k and link k behind it, added to a chain that begins at `base`."""
    joint = Xml.SubElement(root, "joint", name=f"joint{k}", type=kind)
    Xml.SubElement(joint, "parent", link=f"link{k - 1}" if k else "base")
    Xml.SubElement(joint, "child", link=f"link{k}")
    Xml.SubElement(joint, "origin", xyz=xyz, rpy=rpy)
    Xml.SubElement(joint, "axis", xyz=axis)
    return joint, Xml.SubElement(root, "link", name=f"link{k}")


def placed(xyz: Any, rpy: Any) -> Any:
    """The 4 x 4 matrix of a place; rpy is Rz Ry Rx."""
    place, ((cr, cp, cy), (sr, sp, sy)) = np.eye(4), (np.cos(rpy), np.sin(rpy))
    x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    place[:3, :3], place[:3, 3] = z @ y @ x, xyz
    return place


def inertial(link: Xml.Element, mass: float, centre: Any, inertia: Any) -> None:
    """Gives the link a mass, a centre and an inertia about it."""
    inertial = Xml.SubElement(link, "inertial")
    Xml.SubElement(inertial, "origin", xyz=_text(centre), rpy="0 0 0")
    Xml.SubElement(inertial, "mass", value=repr(float(mass)))
    pairs = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2))
    entries = {name: repr(float(inertia[i][j])) for name, i, j in (*pairs, ("izz", 2, 2))}
    Xml.SubElement(inertial, "inertia", attrib=entries)


def _unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)
