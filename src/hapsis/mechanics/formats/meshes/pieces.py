"""What a mesh file holds: surfaces of triangles, each of one colour."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError

Array = np.ndarray[Any, Any]
MOST_BYTES = 200_000_000
MOST_TRIANGLES = 5_000_000


class Piece(NamedTuple):
    """Triangles of one colour, which is None where the file says none."""

    vertices: Array  # (n, 3), m
    triangles: Array  # (m, 3)
    color: tuple[float, float, float] | None = None


def checked(pieces: list[Piece], name: str) -> list[Piece]:
    """The pieces that have triangles; an error where a number is not finite or a corner does not exist."""
    kept = [piece for piece in pieces if len(piece.triangles)]
    if sum(len(piece.triangles) for piece in kept) > MOST_TRIANGLES:
        raise ModelError(f"mesh {name} has more than {MOST_TRIANGLES} triangles")
    for piece in kept:
        if not np.isfinite(piece.vertices).all():
            raise ModelError(f"mesh {name} has a vertex that is not finite")
        if piece.triangles.min() < 0 or piece.triangles.max() >= len(piece.vertices):
            raise ModelError(f"mesh {name} has a triangle whose vertex does not exist")
    return kept


def fan(corners: Any) -> list[tuple[int, int, int]]:
    """The triangles of a convex polygon."""
    return [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
