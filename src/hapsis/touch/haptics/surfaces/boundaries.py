"""The boundary of a face in its parameter plane: chains of segments with the face on their left."""

from itertools import pairwise
from typing import Any

import numpy as np

from hapsis.touch.haptics.surfaces.nurbs_surface import NurbsSurface

Array = np.ndarray[Any, np.dtype[np.float64]]
PIECES = 16  # a segment is no longer than this part of the domain
LEFT = 1e-7  # of the domain: how far beside a segment its left is looked at


def inside(loops: Any, points: Array) -> Any:
    """Which points (u, v) lie inside an odd number of closed polylines."""
    odd = np.zeros(len(points), bool)
    for loop in loops:
        for a, b in zip(loop, np.roll(loop, -1, axis=0), strict=True):
            over = (a[1] > points[:, 1]) != (b[1] > points[:, 1])
            rise = b[1] - a[1] if b[1] != a[1] else 1.0
            odd ^= over & (points[:, 0] < a[0] + (points[:, 1] - a[1]) / rise * (b[0] - a[0]))
    return odd


def boundary_chains(surface: NurbsSurface, closed: tuple[bool, bool]) -> list[Array]:
    """Chains of corners (u, v): the end of the last segment of each meets the start of its first.

    A side of a domain that is closed along it is a chain from seam to seam. Closed directions have no sides.
    """
    (u0, u1), (v0, v1) = surface.domain
    if surface.trims:
        chains = [_oriented(surface, loop) for loop in surface.trims]
        chains = [np.append(chain, chain[:1], axis=0) for chain in chains]
    elif closed == (False, False):
        chains = [np.array([(u0, v0), (u1, v0), (u1, v1), (u0, v1), (u0, v0)])]
    elif closed == (True, True):
        chains = []
    elif closed[0]:
        chains = [np.array([(u0, v0), (u1, v0)]), np.array([(u1, v1), (u0, v1)])]
    else:
        chains = [np.array([(u1, v0), (u1, v1)]), np.array([(u0, v1), (u0, v0)])]
    return [_divided(surface, chain) for chain in chains]


def _oriented(surface: NurbsSurface, loop: Array) -> Array:
    """A trimming loop, turned so that the face is on its left."""
    low, high = surface.domain.T
    edges = (np.roll(loop, -1, axis=0) - loop) / (high - low)
    k = int(np.argmax((edges**2).sum(axis=1)))
    e = edges[k] / np.hypot(*edges[k])
    middle = 0.5 * (loop[k] + loop[(k + 1) % len(loop)])
    beside = LEFT * np.array([-e[1], e[0]]) * (high - low)
    left, right = inside(surface.trims, np.array([middle + beside, middle - beside]))
    if left == right:
        raise surface.wrong("two trimming loops run along each other", remedy="join them to one")
    return loop if left else loop[::-1]


def _divided(surface: NurbsSurface, chain: Array) -> Array:
    """A chain whose segments are short parts of the domain."""
    low, high = surface.domain.T
    corners = [chain[:1]]
    for a, b in pairwise(chain):
        count = int(np.ceil(PIECES * np.abs((b - a) / (high - low)).max() - 1e-9))
        corners.append(a + np.arange(1, max(1, count) + 1)[:, None] / max(1, count) * (b - a))
        corners[-1][-1] = b
    return np.concatenate(corners)
