"""Parts of the action as they are cut and turned: sheets, bars, discs and hinges, in mm of the drawn pose.

Screws stand where the parameters of the model put them.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.library.piano import dimensions as d

MM = 1e-3
Points = Iterable[tuple[float, ...]]
Pair = tuple[float, float]
KEY_TOP, KEY_BOTTOM = 2.0, -22.0  # of the key's wood
BEHIND, BEFORE = -9.0, 2.0  # along z: wires, and what must be seen
HEIGHTS = {  # that screws and felts have, m
    "pilot": "pilot_height",
    "button": "button_height",
    "drop": "drop_height",
    "bed": f"-dip - {-KEY_BOTTOM * MM!r}",
    "damper": f"damper_lift + {KEY_TOP * MM!r}",
}


def cut(part: str, points: Points, thickness: float, material: str, z: float = 0.0, at: str = "") -> Any:
    """A sheet with these corners; with `at`, their heights count from that of a screw."""
    x, y = _pivot(part)
    below = 0.0 if at else y
    rows = [((p[0] - x) * MM, (p[1] - below) * MM, *(r * MM for r in p[2:])) for p in points]
    place = (0.0, HEIGHTS[at] if at else 0.0, z * MM)
    return hs.Outline(rows, thickness * MM, at=place, material=material)


def bar(
    part: str,
    x: Pair,
    y: Pair,
    thickness: float,
    material: str,
    z: float = 0.0,
    at: str = "",
    corner: float = 0.0,
) -> Any:
    """A rectangular sheet, its corners rounded."""
    corners = [(x[0], y[0], corner), (x[1], y[0], corner), (x[1], y[1], corner), (x[0], y[1], corner)]
    return cut(part, corners, thickness, material, z, at)


def disc(part: str, centre: d.Point, radius: float, thickness: float, material: str, z: float = 0.0) -> Any:
    """A round piece across the plane."""
    x, y = _pivot(part)
    at = ((centre[0] - x) * MM, (centre[1] - y) * MM, z * MM)
    return hs.Cylinder(radius * MM, thickness * MM, at=at, material=material)


def hinge(part: str, thickness: float) -> list[Any]:
    """The pin of a part in its bushing of felt."""
    centre = _pivot(part)
    felt = disc(part, centre, 2.7, thickness, "red felt", BEFORE)
    return [felt, disc(part, centre, 1.3, thickness + 0.6, "brass", BEFORE)]


def beside(face: tuple[d.Point, d.Point], *ways: Pair) -> list[tuple[float, ...]]:
    """Points beside a face: (share of its length, distance to its right)."""
    a, b = np.array(face[0]), np.array(face[1])
    along = (b - a) / np.linalg.norm(b - a)
    right = np.array([along[1], -along[0]])
    return [tuple(map(float, a + share * (b - a) + off * right)) for share, off in ways]


def _pivot(part: str) -> d.Point:
    return d.PARTS[part].pivot if part in d.PARTS else (0.0, 0.0)
