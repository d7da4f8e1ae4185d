"""Shapes in Hapsis YAML: of bodies, of the world, and of the sides of contacts."""

from functools import cached_property
from pathlib import Path

from hapsis.mechanics.formats.yaml.yaml_fields import READERS, fields, kind, vector, word
from hapsis.mechanics.formats.yaml.yaml_kinds import Kinds, types
from hapsis.mechanics.formats.yaml.yaml_tree import Node
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.shapes.shapes import MeshPath, Shape


class Shapes:
    """Reads lists of shapes; meshes must be in the folder of the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []  # on meshes that do not exist

    @cached_property
    def kinds(self) -> Kinds:
        """All shapes."""
        return Kinds(types(Shape), {**READERS, MeshPath: self._path})

    @cached_property
    def solids(self) -> Kinds:
        """The shapes that contacts can use: all but meshes."""
        return Kinds(types(Shape), READERS)

    def __call__(self, node: Node, what: str) -> tuple[Shape, ...]:
        """The shapes of a list."""
        return tuple(self.shape(item, what, self.kinds) for item in node.items(what))

    def shape(self, node: Node, what: str, kinds: Kinds) -> Shape:
        """One shape: {type: ..., its sizes, at: ..., rpy: ...}."""
        rest, name = kind(node, f"{what}: shape", kinds)
        make, keys, needed = kinds[name]
        values = fields(rest, f"{what}: {name}", {**keys, "at": vector, "rpy": vector}, needed)
        place = {key: values.pop(key) for key in ("at", "rpy") if key in values}
        return make(**values, at=Frame(**place), where=node.where)

    def _path(self, node: Node, what: str) -> str:
        from hapsis.mechanics.formats.mesh_paths import checked_mesh

        path = word(node, what)
        self.notes += checked_mesh(path, self.folder, node.where)
        return path
