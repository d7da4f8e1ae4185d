"""The thickness of objects: how far it is from a facet, through the object, to one that faces away."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
RAYS = 256  # facets from which it is measured, at most
SHEET = 1e-6  # of the size of an object: what is not thicker has no thickness
TURNED = -0.5  # cosine between the normals of both sides, at most: edges of thin corners do not count


def thickness(points: Array, facets: Array) -> float:
    """The smallest way, m, from the centre of a facet against its normal to another side.

    It is inf of open ones and of sheets.
    """
    corners = points[facets]
    a, b, c = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(b, c)
    sizes = np.linalg.norm(normals, axis=1)
    whole = sizes > 1e-12 * (np.einsum("fc,fc->f", b, b) + np.einsum("fc,fc->f", c, c))
    normals[whole] /= sizes[whole, None]
    chosen = np.flatnonzero(whole)
    chosen = chosen[np.unique(np.linspace(0, len(chosen) - 1, min(len(chosen), RAYS)).astype(int))]
    least, sheet = np.inf, SHEET * float(np.linalg.norm(np.ptp(points, axis=0)))
    for k in chosen:
        start, way = corners[k].mean(axis=0), -normals[k]
        facing = np.flatnonzero(whole & (normals @ normals[k] < TURNED))
        rise = normals[facing] @ way
        t = np.einsum("fc,fc->f", a[facing] - start, normals[facing]) / rise
        hit = start + t[:, None] * way - a[facing]
        u = np.einsum("fc,fc->f", np.cross(hit, c[facing]), normals[facing]) / sizes[facing]
        v = np.einsum("fc,fc->f", np.cross(b[facing], hit), normals[facing]) / sizes[facing]
        inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & (t > sheet)
        if inside.any():
            least = min(least, float(t[inside].min()))
    return least
