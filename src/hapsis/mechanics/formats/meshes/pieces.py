"""What a mesh file holds: surfaces of triangles, each of one colour."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError

Array = np.ndarray[Any, Any]
MOST_BYTES = 120_000_000  # of a file
MOST_TRIANGLES = 2_000_000  # of a file, also where it says one surface many times
FARTHEST = 1e12  # m; single precision must hold sums of squares


class Piece(NamedTuple):
    """Triangles of one colour, which is None where the file says none."""

    vertices: Array  # (n, 3), m
    triangles: Array  # (m, 3)
    color: tuple[float, float, float] | None = None


def checked(pieces: Iterable[Piece], name: str) -> list[Piece]:
    """The pieces that have triangles; an error where a number is not finite or a corner does not exist.

    Pieces are counted as they come, so that a small file that repeats itself ends soon.
    """
    kept: list[Piece] = []
    count = 0
    for piece in pieces:
        count += len(piece.triangles) + len(piece.vertices) // 8
        if count > 1.5 * MOST_TRIANGLES:
            raise ModelError(f"mesh {name} has more than {MOST_TRIANGLES // 1_000_000} million triangles")
        if not len(piece.triangles):
            continue
        kept.append(piece)
        if not np.isfinite(piece.vertices).all():
            raise ModelError(f"mesh {name} has a vertex that is not finite")
        if np.abs(piece.vertices).max() > FARTHEST:
            raise ModelError(f"mesh {name} has a vertex farther than {FARTHEST:g} m from its origin")
        if piece.triangles.min() < 0 or piece.triangles.max() >= len(piece.vertices):
            raise ModelError(f"mesh {name} has a triangle whose vertex does not exist")
    return kept


def fan(corners: Any) -> list[tuple[int, int, int]]:
    """The triangles of a convex polygon."""
    return [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
