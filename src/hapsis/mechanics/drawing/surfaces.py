"""Triangles of a drawing: surfaces of the model and meshes in files, each stored once."""

import base64
import hashlib
from typing import Any

import numpy as np

from hapsis.mechanics.drawing.sketch import Sketch


class Surfaces:
    """The meshes of a drawing, and what could not be read."""

    def __init__(self) -> None:
        self.tables: list[dict[str, str]] = []
        self.notices: list[str] = []
        self._known: dict[bytes, int] = {}

    def stored(self, shapes: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The shapes with numbers of meshes instead of triangles."""
        plain = []
        for shape in shapes:
            if "surface" in shape:
                shape = {**shape, "mesh": self.index(*triangles_of(shape["surface"]))}
                del shape["surface"]
            plain.append(shape)
        return plain

    def index(self, vertices: Any, triangles: Any) -> int:
        """The number of a mesh in the drawing."""
        places, corners = np.asarray(vertices, "<f4"), np.asarray(triangles, "<u4")
        digest = hashlib.sha256(places.tobytes() + b"|" + corners.tobytes()).digest()
        if digest not in self._known:
            self._known[digest] = len(self.tables)
            self.tables.append({"vertices": _text(places), "triangles": _text(corners)})
        return self._known[digest]

    def draw_files(self, sketch: Sketch) -> None:
        """Draws the meshes that lie in files."""


def triangles_of(table: dict[str, Any]) -> tuple[Any, Any]:
    """Vertices and triangles of a mesh or of a field of heights, two triangles for each square."""
    if table["type"] == "mesh":
        return table["vertices"], table["triangles"]
    x, y, heights = (np.asarray(table[name], float) for name in ("x", "y", "heights"))
    grid = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], axis=-1).reshape(-1, 3)
    number = np.arange(len(grid)).reshape(heights.shape)
    a, b = number[:-1, :-1].ravel(), number[1:, :-1].ravel()
    c, d = number[1:, 1:].ravel(), number[:-1, 1:].ravel()
    return grid, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def _text(values: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()
