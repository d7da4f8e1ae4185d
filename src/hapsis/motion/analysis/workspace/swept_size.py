"""The length, area or volume that the points of a grid cover."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
FLAT = 1e-6  # of the size: a region that is thinner is flat
RASTER = {2: 200, 3: 40}  # cells along the longest side
SHIFTS = np.array([(0.1, 0.6, 0.35), (0.35, 0.1, 0.85), (0.6, 0.85, 0.1), (0.85, 0.35, 0.6)])  # of a cell
MOST = 60_000_000  # samples


def swept_size(points: Array) -> float:
    """The length of a line of points, the area of a region, the volume of a solid; NaN points are left out.

    Areas and volumes are counted on a raster and on one twice as coarse, and what a raster adds along the
    boundary is taken off, as it is proportional to its cells. What is not flat is a sum of triangles.
    """
    dimensions = points.ndim - 1
    if dimensions == 1:
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        return float(np.nansum(steps))
    cells = _cells(points)
    if not len(cells):
        return 0.0
    flat = cells.reshape(-1, 3)
    centre = flat.mean(axis=0)
    _, scale, axes = np.linalg.svd(flat - centre, full_matrices=False)
    if dimensions == 2:
        if scale[2] > FLAT * scale[0]:
            return _surface(cells)
        if scale[1] <= FLAT * scale[0]:
            return 0.0
        cells = (cells - centre) @ axes[:2].T
    shifts = SHIFTS[:, :dimensions]
    fine, coarse = (
        np.mean([_raster(cells, RASTER[dimensions] // k, shift) for shift in shifts]) for k in (1, 2)
    )
    return float(2.0 * fine - coarse)


def _cells(points: Array) -> Array:
    """(cells, corners, 3): those cells of the grid that have all their corners."""
    corners = [points]
    for axis in range(points.ndim - 1):
        corners = [
            np.take(c, np.arange(a, points.shape[axis] - 1 + a), axis) for c in corners for a in (0, 1)
        ]
    cells = np.stack([c.reshape(-1, 3) for c in corners], axis=1)
    return cells[np.isfinite(cells).all(axis=(1, 2))]


def _surface(cells: Array) -> float:
    """The area of two triangles for each cell."""
    a, b, c, d = (cells[:, k] for k in range(4))
    return float(
        0.5
        * (
            np.linalg.norm(np.cross(b - a, c - a), axis=1) + np.linalg.norm(np.cross(b - d, c - d), axis=1)
        ).sum()
    )


def _raster(cells: Array, count: int, shift: Array) -> float:
    """The measure of the cells of a raster in which some point of a cell lies."""
    low = cells.min(axis=(0, 1))
    size = float((cells.max(axis=(0, 1)) - low).max()) / count
    corners, dimensions = cells.shape[1], cells.shape[2]
    spans = np.linalg.norm(cells - cells[:, :1], axis=2).max(axis=1)
    parts = np.maximum(2, np.ceil(1.1 * spans / size).astype(int) + 1)
    marked = np.zeros((count + 2,) * dimensions, bool)
    for n in np.unique(parts):
        some = cells[parts == n]
        w = np.stack(np.meshgrid(*[np.linspace(0, 1, n)] * (corners.bit_length() - 1), indexing="ij"), -1)
        w = w.reshape(-1, corners.bit_length() - 1)
        weights = np.ones((len(w), 1))
        for axis in range(w.shape[1]):
            weights = np.stack([weights * (1 - w[:, axis : axis + 1]), weights * w[:, axis : axis + 1]], 2)
            weights = weights.reshape(len(w), -1)
        step = max(1, MOST // 20 // len(w))
        for k in range(0, len(some), step):
            at = np.einsum("sc,kcd->ksd", weights, some[k : k + step]).reshape(-1, dimensions)
            marked[tuple(np.floor((at - low) / size + shift).astype(int).T)] = True
    return float(marked.sum()) * size**dimensions
