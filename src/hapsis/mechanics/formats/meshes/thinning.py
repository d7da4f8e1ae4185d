"""Surfaces with fewer triangles: vertices in one cell of a grid become one, at the best place for its planes.

Each cell has the quadric of the planes of its triangles, Q = Σ area n nᵀ; the new vertex minimises the
distance from all of them, so that edges and corners stay sharp. Reference: [Lindstrom], out-of-core
simplification of large polygonal models.
"""

import numpy as np

from hapsis.mechanics.formats.meshes.pieces import Array, Piece

WEAK = 1e-3  # singular values below this part of the largest one say nothing


def merged(piece: Piece) -> Piece:
    """The same surface with one vertex at each place, and without triangles that have no area."""
    places = np.ascontiguousarray(piece.vertices, dtype=np.float32) + np.float32(0.0)  # no -0.0
    rows = places.view([("", np.float32)] * 3).ravel()
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    return _proper(places[first].astype(float), inverse.reshape(-1)[piece.triangles], piece)


def thinned(piece: Piece, cell: float) -> Piece:
    """The surface with one vertex in each cell of that size, m."""
    vertices, triangles = piece.vertices, piece.triangles
    x, y, z = np.floor((vertices - vertices.min(axis=0)) / cell).astype(np.int64).T
    keys = x + (x.max() + 1) * (y + (y.max() + 1) * z)
    _, cells = np.unique(keys, return_inverse=True)
    count = int(cells.max()) + 1
    middle = _sums(cells, vertices, count) / np.bincount(cells, minlength=count)[:, None]
    places, planes, corners = _planes(vertices, triangles)
    own = cells[corners]
    sizes = np.linalg.norm(planes, axis=1, keepdims=True)
    unit = planes / np.maximum(sizes, 1e-300)
    offset = np.einsum("ti,ti->t", unit, places - middle[own])
    Q = _sums(own, (planes[:, :, None] * unit[:, None, :]).reshape(-1, 9), count).reshape(-1, 3, 3)
    r = _sums(own, planes * offset[:, None], count)
    moved = middle + np.clip(_best(Q, r), -0.7 * cell, 0.7 * cell)
    return _proper(moved, cells[triangles], piece)


def _planes(vertices: Array, triangles: Array) -> tuple[Array, Array, Array]:
    """Places on planes, their normals as long as they weigh, and the vertices that they concern.

    Those of triangles weigh their area, and those upright on the open edges of the surface as much.
    """
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    low, high = np.sort(edges, axis=1).T
    _, first, uses = np.unique(low + len(vertices) * high, return_index=True, return_counts=True)
    open_edges = first[uses == 1]
    start, end = vertices[edges[open_edges, 0]], vertices[edges[open_edges, 1]]
    faces = normals[open_edges % len(triangles)]
    upright = np.cross(end - start, faces / np.maximum(np.linalg.norm(faces, axis=1, keepdims=True), 1e-300))
    upright *= np.linalg.norm(end - start, axis=1, keepdims=True)
    places = np.concatenate([a, a, a, start, start])
    planes = np.concatenate([normals, normals, normals, upright, upright])
    return places, planes, np.concatenate([triangles.T.ravel(), edges[open_edges].T.ravel()])


def _sums(groups: Array, rows: Array, count: int) -> Array:
    """The sum of the rows of each group."""
    return np.stack([np.bincount(groups, column, count) for column in rows.T], axis=1)


def _best(Q: Array, r: Array) -> Array:
    """The step x with Q x = r of least length, where weak directions count as none."""
    values, vectors = np.linalg.eigh(Q)
    strong = values > WEAK * values[:, -1:]
    inverse = np.where(strong, 1.0 / np.where(strong, values, 1.0), 0.0)
    along = np.einsum("cij,ci->cj", vectors, r)
    return np.einsum("cij,cj->ci", vectors, inverse * along)


def _proper(vertices: Array, triangles: Array, piece: Piece) -> Piece:
    """Without triangles that are lines or that are there twice, and without vertices that nobody uses."""
    a, b, c = triangles.T
    kept = triangles[(a != b) & (b != c) & (c != a)]
    if len(kept):
        a, b, c = np.sort(kept, axis=1).T
        _, first = np.unique(a + len(vertices) * (b + len(vertices) * c), return_index=True)
        kept = kept[np.sort(first)]
    used, numbers = np.unique(kept, return_inverse=True)
    return Piece(vertices[used], numbers.reshape(-1, 3), piece.color)
