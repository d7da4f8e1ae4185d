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
    places, inverse = np.unique(piece.vertices.astype(np.float32), axis=0, return_inverse=True)
    return _proper(places.astype(float), inverse.reshape(-1)[piece.triangles], piece)


def thinned(piece: Piece, cell: float) -> Piece:
    """The surface with one vertex in each cell of that size, m."""
    vertices, triangles = piece.vertices, piece.triangles
    low = vertices.min(axis=0)
    keys = np.floor((vertices - low) / cell).astype(np.int64)
    _, cells = np.unique(keys, axis=0, return_inverse=True)
    cells = cells.reshape(-1)
    corners = cells[triangles]
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)  # twice the area long
    areas = np.linalg.norm(normals, axis=1, keepdims=True)
    unit = normals / np.maximum(areas, 1e-300)
    count = int(cells.max()) + 1
    middle = np.stack([np.bincount(cells, vertices[:, k], count) for k in range(3)], axis=1)
    middle /= np.bincount(cells, minlength=count)[:, None]
    Q, r = np.zeros((count, 3, 3)), np.zeros((count, 3))
    for k in range(3):
        own = corners[:, k]
        offset = np.einsum("ti,ti->t", unit, a - middle[own])
        np.add.at(Q, own, areas[:, :, None] * unit[:, :, None] * unit[:, None, :])
        np.add.at(r, own, areas * unit * offset[:, None])
    moved = middle + np.clip(_best(Q, r), -0.7 * cell, 0.7 * cell)
    return _proper(moved, corners, piece)


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
        _, first = np.unique(np.sort(kept, axis=1), axis=0, return_index=True)
        kept = kept[np.sort(first)]
    used, numbers = np.unique(kept, return_inverse=True)
    return Piece(vertices[used], numbers.reshape(-1, 3), piece.color)
