"""STL: triangles one by one, in text or in 50 bytes each."""

import re

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.formats.meshes.pieces import Piece

RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("color", "<u2")])
_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)")


def read_stl(data: bytes, name: str) -> list[Piece]:
    """The triangles of an STL file."""
    count = int(np.frombuffer(data[80:84], "<u4")[0]) if len(data) >= 84 else -1
    if len(data) >= 84 + 50 * count >= 84:
        corners = np.frombuffer(data, RECORD, count, 84)["corners"].reshape(-1, 3).astype(float)
    elif data.lstrip()[:5].lower() == b"solid":
        try:
            corners = np.array(_VERTEX.findall(data), dtype=float).reshape(-1, 3)
        except ValueError:
            raise ModelError(f"mesh {name} has a vertex that is no number") from None
    else:
        raise ModelError(f"mesh {name} is no STL file: it is shorter than its count of triangles says")
    corners = corners[: len(corners) // 3 * 3]
    return [Piece(corners, np.arange(len(corners)).reshape(-1, 3))]
