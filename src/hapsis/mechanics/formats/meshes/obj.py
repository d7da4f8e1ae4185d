"""Wavefront OBJ: vertices, then faces that name them; colours of materials are not read."""

import io

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.formats.meshes.pieces import MOST_TRIANGLES, Piece, fan


def read_obj(data: bytes, name: str) -> list[Piece]:
    """The faces of an OBJ file as triangles."""
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(io.StringIO(data.decode("utf-8", "replace")), 1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                vertices.append([float(x) for x in words[1:4]])
            elif words[:1] == ["f"]:
                triangles += fan([_corner(word, len(vertices)) for word in words[1:]])
                if len(triangles) > MOST_TRIANGLES:
                    break  # too many, which `checked` says
        except ValueError:
            raise ModelError(
                f"mesh {name}, line {number}: {line[:60]!r} is no {words[0]} of numbers"
            ) from None
    return [Piece(np.array(vertices, float).reshape(-1, 3), np.array(triangles, int).reshape(-1, 3))]


def _corner(word: str, count: int) -> int:
    """The number of a vertex from 0; negative numbers count back from the last one."""
    number = int(word.split("/")[0])
    return number - 1 if number > 0 else count + number
