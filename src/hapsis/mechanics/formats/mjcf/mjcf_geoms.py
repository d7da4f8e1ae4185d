"""The geoms of an MJCF body: their shapes, and the mass and inertia they give to the body.

MJCF sizes are half lengths: those of a box; the radius and half length of a capsule or cylinder.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from hapsis.mechanics.formats.mjcf.mjcf_assets import Assets
from hapsis.mechanics.formats.mjcf.mjcf_fields import Settings, numbers, one, word
from hapsis.mechanics.formats.mjcf.mjcf_ignored import LeftOut
from hapsis.mechanics.formats.xml_fields import turned
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Ellipsoid, Mesh, Plane, Shape, Sphere

SIZES = {"plane": 0, "sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
TYPES = (*SIZES, "mesh", "hfield", "sdf")
DENSITY = 1000.0  # kg/m³ where none is given
LAST_SHOWN = 2  # of the groups of geoms that MuJoCo shows
GREY = (0.5, 0.5, 0.5)  # of a geom that says no colour


class Part(NamedTuple):
    """A mass (kg), its centre, and its inertia (xx, yy, zz, xy, xz, yz) about the centre."""

    mass: float
    com: Any
    inertia: Any


class Geom(NamedTuple):
    """A geom as read: its shape, its mass, its group, whether it can touch others, whether it is seen."""

    shape: Shape | None
    part: Part | None
    group: int
    touching: bool
    shown: bool


class Geoms:
    """Reads geoms, and records in `left_out` what cannot be read."""

    def __init__(self, settings: Settings, assets: Assets, left_out: LeftOut) -> None:
        self.settings, self.assets, self.left_out = settings, assets, left_out
        self.touching = 0

    def read(self, element: Element, what: str, weighed: bool) -> Geom:
        """The shape of a geom and, if the body's mass is that of its geoms, its mass."""
        kind = word(element, "type", what, TYPES, "sphere")
        if "mesh" in element.attributes and kind in SIZES:
            kind = "mesh"  # MuJoCo would fit the shape to the mesh
        name = element.attributes.get("name") or f"{element.tag} at {element.line}"
        what = f'{what}: geom "{name[:60]}"'
        touching = any([one(element, bit, what, 1.0) for bit in ("contype", "conaffinity")])
        self.touching += touching
        group = one(element, "group", what, 0.0)
        low, high = self.settings.groups
        weighed = weighed and low <= group <= high
        rgba = self.assets.rgba(element, what)
        shown = group <= LAST_SHOWN and (rgba is None or rgba[3] > 0.0)
        if kind in SIZES:
            shape, part = self._solid(element, kind, what, weighed)
        else:
            shape, part = self._mesh(element, kind, what, name, weighed), None
        if shape is not None and rgba is not None:
            shape = replace(shape, color=rgba[:3])
        return Geom(shape, part, int(group), touching, shown)

    def _mesh(self, element: Element, kind: str, what: str, name: str, weighed: bool) -> Shape | None:
        """A mesh in a file; None for what cannot be drawn."""
        heavy = all(one(element, field, what, 1.0) > 0.0 for field in ("mass", "density"))
        if weighed and heavy and kind != "hfield":
            self.left_out.add("mass of a mesh, which <inertial> would give", name)
        shape = None
        if kind == "mesh":
            place = self.settings.place(element, what)
            shape = self.assets.mesh(element.attributes.get("mesh"), place, element.where)
        if shape is None:
            self.left_out.add(f"geom that is a {kind}", name)
        return shape

    def _solid(self, element: Element, kind: str, what: str, weighed: bool) -> tuple[Shape, Part | None]:
        size, place = self._sized(element, kind, what)
        part = _part(element, kind, size, place, what) if weighed and kind != "plane" else None
        return _shape(kind, size, place, element.where), part

    def _sized(self, element: Element, kind: str, what: str) -> tuple[Any, Frame]:
        """The size and the frame of a geom, from fromto where that is given."""
        count = SIZES[kind]
        size: Any = numbers(element, "size", what, 3, (0.0, 0.0, 0.0), least=1)
        place, half = self.settings.placed(element, kind, what)
        if half is not None:
            size = (size[0], half) if count == 2 else (size[0], size[0], half)
        if len(size) < count or not all(x > 0.0 for x in size[:count]):
            shown = " ".join(f"{x:g}" for x in size)
            expected = "a positive number" if count == 1 else f"{count} positive numbers"
            raise element.wrong(f"{what}: size of a {kind} is {shown}", expected=expected)
        return size[:count], place

    def notes(self, file: str) -> list[str]:
        """A note that contacts of geoms are not created automatically."""
        if self.touching < 2:
            return []
        many = f"{self.touching} geoms can touch each other in MuJoCo"
        return [f"{file}: {many}; here nothing touches without hs.Contact"]


def looks(geoms: Iterable[Geom]) -> tuple[Shape, ...]:
    """The shapes of a body, with colours where they are seen; those without are for contacts only.

    Beside meshes that touch nothing, geoms of other groups that can touch are for contacts; so are geoms of
    groups that MuJoCo does not show. Meshes for contacts are left out.
    """
    geoms = [geom for geom in geoms if geom.shape is not None]
    pictures = {g.group for g in geoms if isinstance(g.shape, Mesh) and g.shown and not g.touching}
    seen = [g.shown and (not pictures or not g.touching or g.group in pictures) for g in geoms]
    meshed = any(s and isinstance(g.shape, Mesh) for g, s in zip(geoms, seen, strict=True))
    shapes: list[Shape] = []
    for geom, shown in zip(geoms, seen, strict=True):
        assert geom.shape is not None
        if isinstance(geom.shape, Mesh):
            shapes += [geom.shape] if shown else []
        elif not shown:
            shapes.append(replace(geom.shape, color=None))
        else:
            shapes.append(replace(geom.shape, color=geom.shape.color or (GREY if meshed else None)))
    return tuple(shapes)


def _shape(kind: str, size: Any, place: Frame, where: str) -> Shape:
    more: Any = {"at": place, "where": where}
    if kind == "plane":
        return Plane(**more)
    if kind == "sphere":
        return Sphere(size[0], **more)
    if kind == "ellipsoid":
        return Ellipsoid(size, **more)
    if kind == "box":
        return Box(tuple(2.0 * x for x in size), **more)
    return (Capsule if kind == "capsule" else Cylinder)(size[0], 2.0 * size[1], **more)


def _part(element: Element, kind: str, size: Any, place: Frame, what: str) -> Part | None:
    """The mass of a geom: its attribute mass, else density times volume; None where that is zero."""
    mass = one(element, "mass", what, -1.0)
    density = one(element, "density", what, DENSITY)
    if density < 0.0 or ("mass" in element.attributes and mass < 0.0):
        raise element.wrong(f"{what}: its mass is negative", expected="0 or more")
    if "mass" not in element.attributes:
        mass = density * volume(kind, size)
    if mass == 0.0:
        return None
    x, y, z = (mass * moment for moment in moments(kind, size))
    return Part(mass, place.at, turned((x, y, z, 0.0, 0.0, 0.0), place.rpy))


def volume(kind: str, size: Any) -> float:
    """The volume of a shape with MJCF sizes."""
    r, h = size[0], size[-1]
    if kind == "box":
        return 8.0 * size[0] * size[1] * size[2]
    if kind == "cylinder":
        return 2.0 * math.pi * r * r * h
    if kind == "capsule":
        return 2.0 * math.pi * r * r * (h + 2.0 * r / 3.0)
    return 4.0 / 3.0 * math.pi * (r * r * r if kind == "sphere" else r * size[1] * h)


def moments(kind: str, size: Any) -> tuple[float, float, float]:
    """The principal moments of a solid of mass 1 about its centre."""
    r, h = size[0], size[-1]
    if kind == "sphere":
        return (0.4 * r * r,) * 3
    if kind in ("box", "ellipsoid"):
        k = 3.0 if kind == "box" else 5.0
        a, b, c = (x * x / k for x in size)
        return b + c, a + c, a + b
    across, along = r * r / 4.0 + h * h / 3.0, r * r / 2.0
    if kind == "cylinder":
        return across, across, along
    # two half balls have the moments of a ball about its centre; their centres of mass are 3 r / 8
    # outside the ends of the cylinder, and the parallel axis theorem moves them to the middle
    ball = 2.0 * r / (2.0 * r + 3.0 * h)  # its share of the mass
    moved = 0.4 * r * r + h * h + 0.75 * r * h
    across = (1.0 - ball) * across + ball * moved
    return across, across, (1.0 - ball) * along + ball * 0.4 * r * r


def together(parts: list[Part]) -> Part:
    """The mass, centre and inertia of all parts together."""
    mass = sum(part.mass for part in parts)
    com = tuple(sum(part.mass * part.com[i] for part in parts) / mass for i in range(3))
    sums = [0.0] * 6
    for part in parts:
        x, y, z = (a - b for a, b in zip(part.com, com, strict=True))
        moved = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
        sums = [s + i + part.mass * d for s, i, d in zip(sums, part.inertia, moved, strict=True)]
    return Part(mass, com, tuple(sums))
