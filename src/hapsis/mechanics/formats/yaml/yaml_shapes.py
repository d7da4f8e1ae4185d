"""Shapes in our YAML, as a table: of bodies, of the world, and of the sides of contacts."""

from pathlib import Path

from hapsis.mechanics.formats.mesh_paths import checked_mesh
from hapsis.mechanics.formats.yaml import yaml_fields as read
from hapsis.mechanics.formats.yaml.yaml_fields import Read, fields, kind, value, vector, word
from hapsis.mechanics.formats.yaml.yaml_tree import Node
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.shapes.heightfield import Heightfield
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Mesh, Plane, Segment, Shape, Sphere


def grid(node: Node, what: str) -> tuple[tuple[float, ...], ...]:
    """Rows of numbers, equally many in each."""
    rows = [row.items(f"{what}: a row") for row in node.items(what)]
    for row, items in zip(node.value, rows, strict=True):
        if len(items) != len(rows[0]):
            raise row.wrong(f"{what}: a row has {len(items)} numbers, the first {len(rows[0])}")
    return tuple(tuple(read.plain_number(x, what) for x in items) for items in rows)


def pair(node: Node, what: str) -> tuple[float, ...]:
    """Two numbers."""
    return read.values(node, what, 2, read=read.plain_number)


Kinds = dict[str, tuple[type[Shape], dict[str, Read], tuple[str, ...]]]

# {type: (class, its keys, those it needs)}; meshes, which cannot be touched, are below
SHAPES: Kinds = {
    "box": (Box, {"size": vector}, ("size",)),
    "sphere": (Sphere, {"radius": value}, ("radius",)),
    "cylinder": (Cylinder, {"radius": value, "length": value}, ("radius", "length")),
    "capsule": (Capsule, {"radius": value, "length": value}, ("radius", "length")),
    "segment": (Segment, {"length": value}, ("length",)),
    "plane": (Plane, {"normal": read.axis}, ()),
    "heightfield": (Heightfield, {"height": grid, "start": pair, "step": pair}, ("height", "step")),
}


def shape(node: Node, what: str, kinds: Kinds = SHAPES) -> Shape:
    """One shape: {type: ..., its sizes, at: ..., rpy: ...}."""
    rest, name = kind(node, f"{what}: shape", kinds)
    cls, own, needed = kinds[name]
    found = fields(rest, f"{what}: {name}", {**own, "at": vector, "rpy": vector}, needed)
    place = {key: found.pop(key) for key in ("at", "rpy") if key in found}
    return cls(**found, at=Frame(**place), where=node.where)


class Shapes:
    """Reads lists of shapes; meshes must lie in the folder of the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kinds: Kinds = {**SHAPES, "mesh": (Mesh, {"path": self._path, "scale": vector}, ("path",))}
        self.notes: list[str] = []  # on meshes that are not there

    def __call__(self, node: Node, what: str) -> tuple[Shape, ...]:
        """The shapes of a list."""
        return tuple(shape(item, what, self.kinds) for item in node.items(what))

    def _path(self, node: Node, what: str) -> str:
        path = word(node, what)
        self.notes += checked_mesh(path, self.folder, node.where)
        return path
