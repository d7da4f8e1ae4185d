"""The length, area or volume that the points of a grid cover."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
FLAT = 1e-6  # of the size: a region that is thinner is flat
RASTER = {2: 200, 3: 40}  # cells along the longest side
SHIFTS = np.array([(0.1, 0.6, 0.35), (0.35, 0.1, 0.85), (0.6, 0.85, 0.1), (0.85, 0.35, 0.6)])  # of a cell
MOST = 60_000_000  # samples
ASKED, FEWEST, PAIRS = 20_000, 500, 5_000_000  # triangles asked how often a surface is covered; and compared
PILOT, BATCH = 100, 500  # triangles
WITHIN = np.array([0.43, 0.34, 0.23])  # a point in a triangle that is on no line of another net
NEAR, ALIKE = 0.2, 0.9  # of the size of a triangle; cosine: sheets that lie on each other
THIN = 1e-12  # of the largest triangle: those at poles


def swept_size(points: Array) -> float:
    """The length of a line of points, the area of a region, the volume of a solid; NaN points are left out.

    Areas and volumes are counted on a raster and on one twice as coarse, and what a raster adds along the
    boundary is taken off, as it is proportional to its cells. What is not flat is a sum of triangles, each
    divided by the number of sheets that lie on each other there.
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
    """The area of two triangles for each cell, each divided by the number of sheets there."""
    corners = np.concatenate([cells[:, [0, 1, 2]], cells[:, [3, 2, 1]]])
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = 0.5 * np.linalg.norm(across, axis=1)
    some = areas > THIN * areas.max(initial=0.0)
    corners, areas, normals = corners[some], areas[some], 0.5 * across[some] / areas[some, None]
    if not len(areas):
        return 0.0
    chosen, sheets = _sheets(corners, normals)
    return float(areas.sum() * (areas[chosen] / sheets).sum() / areas[chosen].sum())


def _sheets(corners: Array, normals: Array) -> tuple[Any, Any]:
    """Some triangles, and how many a line across each of them meets near its middle, itself among them.

    Two nets of one surface are apart by what its bend makes of their cells, which is less than `NEAR` of an
    edge unless the net is coarse.
    """
    from scipy.spatial import KDTree

    middles = corners.mean(axis=1)
    reach = np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1)
    tree, far = KDTree(middles), float(reach.max()) * (1.0 + NEAR)
    pilot = tree.query_ball_point(middles[:: 1 + len(middles) // PILOT], far, return_length=True)
    asked = int(min(max(PAIRS / float(np.mean(pilot)), FEWEST), ASKED))
    chosen = np.random.default_rng(0).permutation(len(middles))[:asked]
    counts = np.ones(len(chosen))
    for k in range(0, len(chosen), BATCH):
        batch = chosen[k : k + BATCH]
        points = WITHIN @ corners[batch]
        found = tree.query_ball_point(points, far)
        own: Any = np.repeat(np.arange(len(batch)), [len(x) for x in found])
        others: Any = np.concatenate([np.array(x, int) for x in found])
        n, sides = normals[batch[own]], corners[others]
        facing = np.einsum("kd,kd->k", n, normals[others])
        height = np.einsum("kd,kd->k", points[own] - sides[:, 0], normals[others])
        near = np.abs(height) < NEAR * reach[batch[own]]
        close = (np.abs(facing) > ALIKE) & near & (others != batch[own])
        own, n, sides, across = own[close], n[close], sides[close], normals[others[close]]
        foot = points[own] - (height[close] / facing[close])[:, None] * n
        edges = np.roll(sides, -1, axis=1) - sides
        inside = np.einsum("ked,kd->ke", np.cross(edges, foot[:, None] - sides), across)
        counts[k : k + len(batch)] += np.bincount(own[(inside >= 0.0).all(axis=1)], minlength=len(batch))
    return chosen, counts


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
