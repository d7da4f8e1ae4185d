"""Meshes of a drawing as texts: each stored once, places in steps of 1/65535 of their box."""

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

SHORT = 65_536  # vertices that two bytes can number


class MeshTables:
    """The meshes of a drawing, see `MeshData` in web/src/scene/data.ts."""

    def __init__(self) -> None:
        self.tables: list[dict[str, Any]] = []
        self._known: dict[bytes, int] = {}

    def index(self, vertices: Any, triangles: Any) -> int:
        """The number of a mesh; the same mesh has the same number."""
        places = np.asarray(vertices, float).reshape(-1, 3)
        low = places.min(axis=0) if len(places) else np.zeros(3)
        span = np.maximum(np.ptp(places, axis=0), 1e-30) if len(places) else np.ones(3)
        steps = np.round((places - low) / span * 65535.0).astype("<u2")
        corners = np.asarray(triangles, "<u2" if len(places) <= SHORT else "<u4")
        digest = hashlib.sha256(low.tobytes() + span.tobytes() + steps.tobytes() + corners.tobytes()).digest()
        if digest not in self._known:
            self._known[digest] = len(self.tables)
            table = {"low": low.tolist(), "span": span.tolist(), "wide": len(places) > SHORT}
            self.tables.append({**table, "vertices": _text(steps), "triangles": _text(corners)})
        return self._known[digest]


def _text(values: Any) -> str:
    return base64.b64encode(values.tobytes()).decode()


def field_triangles(table: Mapping[str, Any]) -> tuple[Any, Any]:
    """Vertices and triangles of a field of heights, two for each square, seen from above anticlockwise."""
    x, y, heights = (np.asarray(table[name], float) for name in ("x", "y", "heights"))
    grid = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], axis=-1).reshape(-1, 3)
    number = np.arange(len(grid)).reshape(heights.shape)
    a, b = number[:-1, :-1].ravel(), number[1:, :-1].ravel()
    c, d = number[1:, 1:].ravel(), number[:-1, 1:].ravel()
    return grid, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
