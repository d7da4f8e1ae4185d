"""Knots inserted into a control net, until it falls apart into small Bezier patches."""

import math
from itertools import pairwise
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
FEWEST = 8  # patches along a side of a surface


def inserted(net: Array, knots: Array, degree: int, t: float) -> tuple[Array, Array]:
    """A net and its knots along the first axis with one more knot t: the same surface (Boehm)."""
    k = min(int(np.searchsorted(knots, t, side="right")), len(net)) - 1  # the last span has its end, too
    i = np.arange(k - degree + 1, k + 1)
    width = knots[i + degree] - knots[i]
    a = ((t - knots[i]) / np.where(width > 0.0, width, 1.0))[:, None, None]
    mixed = a * net[i] + (1.0 - a) * net[i - 1]
    return np.concatenate([net[: k - degree + 1], mixed, net[k:]]), np.insert(knots, k + 1, t)


def patch_rows(net: Array, knots: Array, degree: int, parts: int) -> tuple[Array, Array]:
    """(nets of degree + 1 rows, cuts) along the first axis; each span in equal parts, so many at least."""
    count = len(net)
    spans = np.unique(knots[degree : count + 1])
    parts = max(parts, math.ceil(FEWEST / (len(spans) - 1)))
    cuts = np.unique(np.concatenate([np.linspace(a, b, parts + 1) for a, b in pairwise(spans)]))
    for t in cuts:
        for _ in range(degree - int((knots == t).sum())):
            net, knots = inserted(net, knots, degree, t)
    firsts = [int(np.searchsorted(knots, t, side="right")) - 1 - degree for t in cuts[:-1]]
    return np.array([net[k : k + degree + 1] for k in firsts]), cuts


def bezier_patches(homogeneous: Array, knots: Any, degrees: Any, parts: int) -> tuple[Array, Array, Array]:
    """(control points of each patch, cuts along u, cuts along v): nets[i, j] is a list of points in space."""
    rows, cuts_u = patch_rows(homogeneous, knots[0], degrees[0], parts)
    columns = [patch_rows(row.transpose(1, 0, 2), knots[1], degrees[1], parts) for row in rows]
    nets = np.array([net for net, _ in columns])
    points = nets[..., :3] / nets[..., 3:]
    return points.reshape(*points.shape[:2], -1, 3), cuts_u, columns[0][1]
