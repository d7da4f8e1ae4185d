"""How often closed surfaces of triangles go around points."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def windings(points: Array, corners: Array) -> Array:
    """The sum of the solid angles of triangles (n, 3, 3) at each point, over 4π: 1 inside, 0 outside."""
    a, b, c = (corners[None, :, k] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(side, axis=2) for side in (a, b, c))
    volume = np.einsum("pfc,pfc->pf", a, np.cross(b, c))
    dots = [np.einsum("pfc,pfc->pf", *pair) for pair in ((a, b), (b, c), (c, a))]
    angles = 2.0 * np.arctan2(volume, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb)
    return angles.sum(axis=1) / (4.0 * np.pi)
