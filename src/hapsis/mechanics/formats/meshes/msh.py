"""MSH: the binary meshes of MuJoCo: four counts, then vertices, normals, coordinates of textures, faces."""

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.formats.meshes.pieces import Piece


def read_msh(data: bytes, name: str) -> list[Piece]:
    """The triangles of an MSH file."""
    counts = np.frombuffer(data[:16], "<i4").astype(np.int64) if len(data) >= 16 else np.full(4, -1)
    vertices, normals, textures, faces = (int(x) for x in counts)
    begin = 16 + 4 * (3 * vertices + 3 * normals + 2 * textures)
    if min(counts) < 0 or len(data) != begin + 12 * faces:
        raise ModelError(f"mesh {name} is no MSH file: its length is not that of its counts")
    places = np.frombuffer(data, "<f4", 3 * vertices, 16).reshape(-1, 3).astype(float)
    return [Piece(places, np.frombuffer(data, "<i4", 3 * faces, begin).reshape(-1, 3).astype(int))]
