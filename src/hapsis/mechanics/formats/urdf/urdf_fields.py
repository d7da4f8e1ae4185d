"""Fields of a URDF link or joint: numbers, origins, inertias and shapes, each from its element."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hapsis.errors import near
from hapsis.mechanics.formats.mesh_paths import checked_mesh
from hapsis.mechanics.formats.xml_fields import notes, parsed, turned
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.frames import IDENTITY, ORIGIN, Frame
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Mesh, Shape, Sphere

OPEN = 1e308  # stands for "no limit": URDF requires limits where a Model does not
_BLANKS = " \t\n\r"

# the attributes that are read; all others are counted and listed
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "robot": ("name", "version"),
    "link": ("name",),
    "inertial": (),
    "visual": ("name",),
    "collision": ("name",),
    "geometry": (),
    "mass": ("value",),
    "inertia": ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"),
    "origin": ("xyz", "rpy"),
    "axis": ("xyz",),
    "parent": ("link",),
    "child": ("link",),
    "limit": ("lower", "upper", "effort", "velocity"),
    "dynamics": ("damping", "friction"),
    "joint": ("name", "type"),
    "mimic": ("joint", "multiplier", "offset"),
    "material": ("name",),
    "color": ("rgba",),
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "mesh": ("filename", "scale"),
}
CHILDREN: dict[str, tuple[str, ...]] = {
    "robot": ("link", "joint", "material"),
    "link": ("inertial", "visual", "collision"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "material": ("color",),
    "collision": ("origin", "geometry"),
    "geometry": ("box", "sphere", "cylinder", "capsule", "mesh"),
    "joint": ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"),
}
# names that other programs use and we ignore; any other name may be a typing error
OTHERS = (
    "safety_controller",
    "calibration",
    "texture",
    "transmission",
    "gazebo",
    "sensor",
    "contact",
    "self_collision_checking",
    "verbose",
    "type",
    "id",
)


def ignored(root: Element) -> list[str]:
    """One note for each kind of element or attribute that is not read, with its count."""
    counts: Counter[tuple[str, str, str]] = Counter()
    left = [root]
    while left:
        element = left.pop()
        tags, names = CHILDREN.get(element.tag, ()), ATTRIBUTES[element.tag]
        for child in element.children:
            if child.tag in tags:
                left.append(child)
            else:
                counts["", element.tag, child.tag] += 1
        for name in element.attributes:
            if name not in names and not name.startswith("xmlns"):
                counts["attribute ", element.tag, name] += 1
    lines: list[str] = []
    for (what, tag, name), count in sorted(counts.items()):
        known = ATTRIBUTES[tag] if what else CHILDREN.get(tag, ())
        hint = "" if name in OTHERS else near(name, known)
        shown = f'attribute "{name[:60]}"' if what else f"<{name[:60]}>"
        lines.append(f"{count} x {shown} of <{tag}>{hint}")
    return notes(root, lines)


def attribute(element: Element, name: str, what: str) -> str:
    """The text of a required attribute."""
    if name not in element.attributes:
        raise element.wrong(f'{what}: <{element.tag}> needs "{name}"')
    return element.attributes[name]


def numbers(element: Element, name: str, what: str, count: int, default: Any = None) -> Any:
    """The numbers of an attribute as a tuple, a single one as a float; `default` where it is left out."""
    if name not in element.attributes and default is not None:
        return default
    text = attribute(element, name, what)
    what = f"{what}: {element.tag} {name}"
    parts = text.strip(_BLANKS).replace("\t", " ").replace("\n", " ").split(" ")
    parts = [part for part in parts if part]
    if len(parts) != count:
        expected = f"{count} numbers" if count > 1 else "a number"
        raise element.wrong(f'{what} is "{text[:60]}"', expected=expected)
    values = parsed(element, parts, what)
    return values if count > 1 else values[0]


def origin(element: Element, what: str) -> Frame:
    """The frame of the <origin> of an element; the identity where it has none."""
    place = element.one("origin", what)
    if place is None:
        return IDENTITY
    at = numbers(place, "xyz", what, 3, ORIGIN)
    return Frame(at, numbers(place, "rpy", what, 3, ORIGIN))


def inertial(link: Element, what: str) -> dict[str, Any]:
    """The mass, com and inertia of a link, in the axes of the link."""
    inertia = link.one("inertial", what)
    if inertia is None:
        return {}
    mass, tensor = inertia.one("mass", what), inertia.one("inertia", what)
    if mass is None or tensor is None:
        missing = "mass" if mass is None else "inertia"
        raise inertia.wrong(f"{what}: <inertial> needs <{missing}>")
    xx, yy, zz = (numbers(tensor, name, what, 1) for name in ("ixx", "iyy", "izz"))
    xy, xz, yz = (numbers(tensor, name, what, 1, 0.0) for name in ("ixy", "ixz", "iyz"))
    place = origin(inertia, what)
    moments = turned((xx, yy, zz, xy, xz, yz), place.rpy)
    return {"mass": numbers(mass, "value", what, 1), "com": place.at, "inertia": moments}


def _color(material: Element, what: str) -> Any:
    """Red, green and blue of a <material>; None where it has no <color>."""
    color = material.one("color", what)
    if color is None:
        return None
    *rgb, _ = numbers(color, "rgba", what, 4)
    if not all(0.0 <= part <= 1.0 for part in rgb):
        raise color.wrong(
            f"{what}: color rgba is {color.attributes['rgba'][:60]!r}", expected="numbers from 0 to 1"
        )
    return tuple(rgb)


class Shapes:
    """Reads the shapes of links; meshes must be in the folder of the file or in a package."""

    def __init__(self, root: Element, folder: Path) -> None:
        self.folder = folder
        self.colors = {m.attributes.get("name"): _color(m, "material") for m in root.all("material")}
        self.notes: list[str] = []  # on meshes that do not exist
        self.met: set[str] = set()  # paths of meshes already checked

    def of(self, link: Element, what: str) -> tuple[Shape, ...]:
        """The shapes of <visual>, then those of <collision> that are not among them."""
        shapes: dict[Shape, None] = {}
        for tag in ("visual", "collision"):
            shapes |= dict.fromkeys(self._shapes(link.all(tag), f"{what}: {tag}"))
        return tuple(shapes)

    def _shapes(self, elements: Iterable[Element], what: str) -> list[Shape]:
        shapes: list[Shape] = []
        for element in elements:
            geometry = element.one("geometry", what)
            known = CHILDREN["geometry"]
            solids = [c for c in geometry.children if c.tag in known] if geometry else []
            if len(solids) != 1:
                expected = "one of " + ", ".join(known)
                raise element.wrong(f"{what} has {len(solids)} shapes", expected=expected)
            more = {"at": origin(element, what), "color": self._visible_color(element, what)}
            shapes.append(self._shape(solids[0], what, more))
        return shapes

    def _visible_color(self, visual: Element, what: str) -> Any:
        """The colour of the <material> of a <visual>, which may be one of the robot by its name."""
        material = visual.one("material", what) if visual.tag == "visual" else None
        if material is None:
            return None
        color = _color(material, what)
        return self.colors.get(material.attributes.get("name")) if color is None else color

    def _shape(self, element: Element, what: str, more: dict[str, Any]) -> Shape:
        more |= {"where": element.where}
        if element.tag == "box":
            return Box(numbers(element, "size", what, 3), **more)
        if element.tag == "mesh":
            path = attribute(element, "filename", what)
            if path not in self.met:
                self.met.add(path)
                self.notes += checked_mesh(path, self.folder, element.where)
            return Mesh(path, numbers(element, "scale", what, 3, (1.0, 1.0, 1.0)), **more)
        radius = numbers(element, "radius", what, 1)
        if element.tag == "sphere":
            return Sphere(radius, **more)
        kind = Cylinder if element.tag == "cylinder" else Capsule
        return kind(radius, numbers(element, "length", what, 1), **more)
