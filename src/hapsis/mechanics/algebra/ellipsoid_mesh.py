"""Ellipsoids as triangles."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def ellipsoid(semi_axes: Sequence[float], around: int = 48, along: int = 24) -> dict[str, Any]:
    """The table of a mesh: an ellipsoid about its frame, as triangles."""
    turn, rise = np.linspace(0.0, 2.0 * np.pi, around + 1)[:-1], np.linspace(0.0, np.pi, along + 1)[1:-1]
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    rows = [np.column_stack([np.sin(b) * ring, np.full(around, np.cos(b))]) for b in rise]
    vertices = np.vstack([*rows, [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]]) * np.array(semi_axes)
    k, top = np.arange(around), around * (along - 1)
    after = (k + 1) % around
    triangles = [np.column_stack([np.full(around, top), k, after])]
    for row in range(0, around * (along - 2), around):
        below = row + around
        triangles += [np.column_stack([row + k, below + k, row + after])]
        triangles += [np.column_stack([row + after, below + k, below + after])]
    last = around * (along - 2)
    triangles += [np.column_stack([last + k, np.full(around, top + 1), last + after])]
    return {"type": "mesh", "vertices": vertices, "triangles": np.vstack(triangles)}
