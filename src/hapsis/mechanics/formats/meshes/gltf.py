"""glTF 2: nodes that place meshes, with the base colours of their materials; data lie in the file."""

import base64
import binascii
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.algebra.quaternions import matrix
from hapsis.mechanics.formats.meshes.pieces import Array, Piece

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
UPRIGHT = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
TRIANGLES = 4
DEEPEST = 64
MOST_NODES = 20_000  # visited; a node may be the child of several


def read_gltf(data: bytes, name: str) -> Iterator[Piece]:
    """The triangles of the scene, z upwards."""
    try:
        document = _Document(*_chunks(data))
        scene = document.root["scenes"][document.root.get("scene", 0)]
        for node in scene.get("nodes", ()):
            yield from _node(document, node, UPRIGHT, 0)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, binascii.Error) as error:
        raise ModelError(f"mesh {name} is no glTF file that can be read: {str(error)[:80]}") from None


class _Document:
    """A glTF file, its buffers decoded once."""

    def __init__(self, root: Any, binary: bytes) -> None:
        self.root, self.binary = root, binary
        self.visited = 0
        self._buffers: dict[int, bytes] = {}

    def buffer(self, number: int) -> bytes:
        """The bytes of a buffer, which must lie in the file."""
        if number not in self._buffers:
            uri = self.root["buffers"][number].get("uri")
            if uri is not None and not uri.startswith("data:"):
                raise ValueError("its data lie in another file")
            self._buffers[number] = self.binary if uri is None else base64.b64decode(uri.split(",", 1)[1])
        return self._buffers[number]


def _chunks(data: bytes) -> tuple[dict[str, Any], bytes]:
    if data[:4] != b"glTF":
        return json.loads(data), b""
    size = int.from_bytes(data[12:16], "little")
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def _node(document: _Document, number: int, outer: Array, depth: int) -> Iterator[Piece]:
    document.visited += 1
    if depth > DEEPEST or document.visited > MOST_NODES:
        raise ValueError(f"nodes in nodes, deeper than {DEEPEST} or more than {MOST_NODES}")
    node = document.root["nodes"][number]
    place = outer @ _place(node)
    if "mesh" in node:
        for primitive in document.root["meshes"][node["mesh"]]["primitives"]:
            document.visited += 1
            if primitive.get("mode", TRIANGLES) == TRIANGLES:
                yield _primitive(document, primitive, place)
    for child in node.get("children", ()):
        yield from _node(document, child, place, depth + 1)


def _place(node: dict[str, Any]) -> Array:
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    place = np.eye(4)
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    place[:3, :3] = matrix((w, x, y, z)) * np.array(node.get("scale", (1.0, 1.0, 1.0)), float)
    place[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return place


def _primitive(document: _Document, primitive: dict[str, Any], place: Array) -> Piece:
    vertices = _accessor(document, primitive["attributes"]["POSITION"]).astype(float)
    corners = np.arange(len(vertices))
    if "indices" in primitive:
        corners = _accessor(document, primitive["indices"]).astype(int).ravel()
    color = None
    if "material" in primitive:
        material = document.root["materials"][primitive["material"]]
        base = material.get("pbrMetallicRoughness", {}).get("baseColorFactor", (1.0, 1.0, 1.0, 1.0))
        # linear light in the file, as all colours of a screen elsewhere
        r, g, b = (float(np.clip(x, 0.0, 1.0)) ** (1 / 2.2) for x in base[:3])
        color = (r, g, b)
    moved = vertices @ place[:3, :3].T + place[:3, 3]
    return Piece(moved, corners[: len(corners) // 3 * 3].reshape(-1, 3), color)


def _accessor(document: _Document, number: int) -> Array:
    accessor = document.root["accessors"][number]
    view = document.root["bufferViews"][accessor["bufferView"]]
    data = document.buffer(view["buffer"])
    kind, width = np.dtype(TYPES[accessor["componentType"]]), WIDTHS[accessor["type"]]
    begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    stride = view.get("byteStride", kind.itemsize * width)
    count = accessor["count"]
    sound = all(isinstance(x, int) for x in (begin, stride, count)) and min(begin, count - 1) >= 0
    sound = sound and stride >= kind.itemsize * width  # no element is read many times
    if not sound or begin + (count - 1) * stride + kind.itemsize * width > len(data):
        raise ValueError("an accessor reaches beyond its buffer")
    raw = np.frombuffer(data, np.uint8)[begin:]
    rows = np.lib.stride_tricks.as_strided(raw, (count, kind.itemsize * width), (stride, 1))
    return np.ascontiguousarray(rows).view(kind).reshape(count, width)
