"""A URDF file as links with one hinge each, for rivals that take tables: fixed parts are fused.

Read here on its own, so that a mistake of ours in reading would show as a rival that disagrees.
"""

import xml.etree.ElementTree as Xml
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hapsis.bench import robots
from hapsis.bench.robots import Robot


@dataclass
class Link:
    """A link: its joint's axis and place in the link before it; mass, centre, inertia there."""

    joint: str
    parent: int  # row of the link before it, -1: the world
    place: Any  # 4 x 4
    axis: Any
    mass: float = 0.0
    moment: Any = field(default_factory=lambda: np.zeros(3))  # mass times centre
    inertia: Any = field(default_factory=lambda: np.zeros((3, 3)))  # about the link's origin

    @property
    def centre(self) -> Any:
        """The centre of mass."""
        return self.moment / self.mass

    @property
    def central(self) -> Any:
        """The inertia about the centre of mass."""
        return self.inertia - self.mass * _about(self.centre)


def links(robot: Robot) -> list[Link]:
    """The moving links, each after the one it hangs from."""
    root = Xml.parse(robot.path).getroot()
    inertials = {x.get("name", ""): x.find("inertial") for x in root.findall("link")}
    below: dict[str, list[Xml.Element]] = {}
    for joint in root.findall("joint"):
        below.setdefault(_end(joint, "parent"), []).append(joint)
    children = {_end(j, "child") for j in root.findall("joint")}
    top = next(name for name in inertials if name not in children)
    rows: list[Link] = []

    def follow(name: str, row: int, place: Any) -> None:
        """Adds what hangs from a link that is at `place` in the moving link `row`."""
        for joint in below.get(name, []):
            child, there = _end(joint, "child"), place @ _origin(joint)
            if joint.get("type") == "fixed":
                if row >= 0:
                    _add(rows[row], inertials[child], there)
                follow(child, row, there)
                continue
            axis = joint.find("axis")
            assert axis is not None
            rows.append(Link(joint.get("name", ""), row, there, _numbers(axis.get("xyz"))))
            _add(rows[-1], inertials[child], np.eye(4))
            follow(child, len(rows) - 1, np.eye(4))

    follow(top, -1, np.eye(4))
    return rows


def _end(joint: Xml.Element, side: str) -> str:
    end = joint.find(side)
    assert end is not None
    return end.get("link", "")


def _add(link: Link, inertial: Xml.Element | None, place: Any) -> None:
    """Adds a part that is at `place` in the link."""
    if inertial is None:
        return
    mass, tensor = inertial.find("mass"), inertial.find("inertia")
    assert mass is not None and tensor is not None
    there = place @ _origin(inertial)
    m, turn, centre = float(mass.get("value", "nan")), there[:3, :3], there[:3, 3]
    xx, yy, zz, xy, xz, yz = (float(tensor.get(f"i{k}", "0")) for k in "xx yy zz xy xz yz".split())
    own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    link.mass += m
    link.moment = link.moment + m * centre
    link.inertia = link.inertia + turn @ own @ turn.T + m * _about(centre)


def _about(centre: Any) -> Any:
    """The inertia of a unit mass at `centre`."""
    return (centre @ centre) * np.eye(3) - np.outer(centre, centre)


def _origin(element: Xml.Element) -> Any:
    """The 4 x 4 matrix of an origin; rpy is Rz Ry Rx."""
    origin = element.find("origin")
    if origin is None:
        return np.eye(4)
    return robots.placed(_numbers(origin.get("xyz")), _numbers(origin.get("rpy")))


def _numbers(text: str | None) -> Any:
    return np.array([float(x) for x in (text or "0 0 0").split()])
