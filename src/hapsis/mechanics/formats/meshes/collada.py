"""COLLADA: geometries that nodes of a scene place, with the diffuse colours of their materials."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.formats.meshes.pieces import Array, Piece, fan

UPRIGHT = {
    "X_UP": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    "Y_UP": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
}
DEEPEST = 64
Tree = ElementTree.Element


class _Document:
    """A COLLADA file, its elements by their names."""

    def __init__(self, data: bytes, name: str) -> None:
        try:
            text = data.decode("utf-8-sig")  # in another encoding entities could hide
        except UnicodeDecodeError:
            raise ModelError(f"mesh {name} is no text in UTF-8") from None
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            raise ModelError(f"mesh {name} defines entities, which are not read")
        try:
            self.root = ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            raise ModelError(f"mesh {name} is no XML: {str(error)[:80]}") from None
        for element in self.root.iter():
            element.tag = element.tag.rsplit("}", 1)[-1]
        self.name = name
        self.by_id = {e.get("id"): e for e in self.root.iter() if e.get("id")}
        self._surfaces: dict[int, tuple[Array, Array]] = {}

    def surface(self, element: Tree) -> tuple[Array, Array]:
        """Vertices and triangles of a surface, read once however often it is placed."""
        if id(element) not in self._surfaces:
            self._surfaces[id(element)] = _surface(self, element)
        return self._surfaces[id(element)]

    def named(self, address: str | None) -> Tree:
        element = self.by_id.get((address or "").removeprefix("#"))
        if element is None:
            raise ModelError(f'mesh {self.name} names "{str(address)[:60]}", which is not in it')
        return element

    def color(self, address: str | None) -> tuple[float, float, float] | None:
        material = self.by_id.get((address or "").removeprefix("#"))
        instance = material.find("instance_effect") if material is not None else None
        effect = (
            self.by_id.get((instance.get("url") or "").removeprefix("#")) if instance is not None else None
        )
        diffuse = effect.find(".//diffuse/color") if effect is not None else None
        if diffuse is None or not diffuse.text:
            return None
        r, g, b = (float(np.clip(float(x), 0.0, 1.0)) for x in diffuse.text.split()[:3])
        return r, g, b


def read_collada(data: bytes, name: str) -> Iterator[Piece]:
    """The triangles of the scene, in metres, z upwards."""
    document = _Document(data, name)
    unit, axis = document.root.find("asset/unit"), document.root.find("asset/up_axis")
    scale = float(unit.get("meter", "1")) if unit is not None else 1.0
    turn = UPRIGHT.get((axis.text or "").strip() if axis is not None else "Y_UP", np.eye(3))
    scene = document.root.find("scene/instance_visual_scene")
    roots = document.named(scene.get("url")).findall("node") if scene is not None else []
    top = np.eye(4)
    top[:3, :3] = scale * turn
    for node in roots:
        yield from _node(document, node, top, 0)


def _node(document: _Document, node: Tree, outer: Array, depth: int) -> Iterator[Piece]:
    """What a node and those in it draw."""
    if depth > DEEPEST:
        raise ModelError(f"mesh {document.name} has nodes in nodes, deeper than {DEEPEST}")
    place = outer
    for step in node:
        place = place @ _step(step)
    for instance in node.findall("instance_geometry"):
        targets = {m.get("symbol"): m.get("target") for m in instance.iter("instance_material")}
        geometry = document.named(instance.get("url"))
        for surface in geometry.findall("mesh/*"):
            if surface.tag in ("triangles", "polylist", "polygons"):
                vertices, triangles = document.surface(surface)
                moved = vertices @ place[:3, :3].T + place[:3, 3]
                yield Piece(moved, triangles, document.color(targets.get(surface.get("material"))))
    for child in node.findall("node"):
        yield from _node(document, child, place, depth + 1)


def _numbers(element: Tree | None, kind: Any = float) -> Array:
    text = "" if element is None else element.text or ""
    return np.array(text.split(), dtype=kind)


def _step(element: Tree) -> Array:
    """The matrix of an element of a node; the identity where it does not move anything."""
    step = np.eye(4)
    if element.tag == "matrix":
        step = _numbers(element).reshape(4, 4)
    elif element.tag == "translate":
        step[:3, 3] = _numbers(element)
    elif element.tag == "scale":
        step[:3, :3] = np.diag(_numbers(element))
    elif element.tag == "rotate":
        from hapsis.mechanics.algebra.turns import turn_about

        *axis, angle = _numbers(element)
        step[:3, :3] = turn_about(np.array(axis) / np.linalg.norm(axis), np.radians(angle))
    return step


def _surface(document: _Document, surface: Tree) -> tuple[Array, Array]:
    inputs = surface.findall("input")
    width = 1 + max(int(i.get("offset", "0")) for i in inputs)
    source = next(i for i in inputs if i.get("semantic") == "VERTEX")
    offset = int(source.get("offset", "0"))
    vertices = document.named(source.get("source"))
    position = next(i for i in vertices.findall("input") if i.get("semantic") == "POSITION")
    array = document.named(position.get("source")).find("float_array")
    places = _numbers(array).reshape(-1, 3)
    corners = [_numbers(p, int).reshape(-1, width)[:, offset] for p in surface.findall("p")]
    if surface.tag == "triangles":
        return places, np.concatenate([np.zeros(0, int), *corners]).reshape(-1, 3)
    if surface.tag == "polylist":
        counts = _numbers(surface.find("vcount"), int)
        corners = np.split(corners[0], np.cumsum(counts)[:-1]) if len(counts) else []
    return places, np.array([t for polygon in corners for t in fan(polygon)], int).reshape(-1, 3)
