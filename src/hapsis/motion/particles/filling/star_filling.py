"""Tetrahedra of solids by shells around the centre, like a Russian doll [Joukhadar], and of prisms."""

from typing import Any

import numpy as np

from hapsis.motion.particles.filling.filling import unique_pairs

Array = np.ndarray[Any, Any]


def split_surface(x: Array, t: Array, parts: int) -> tuple[Array, Array]:
    """Each triangle in parts² smaller ones; neighbours share the points of their edge."""
    if parts == 1:
        return x, t
    edges = unique_pairs(t[:, [0, 1, 1, 2, 2, 0]])
    key = {(int(a), int(b)): k for k, (a, b) in enumerate(edges)}
    s = np.arange(1, parts)[:, None] / parts
    points = [x] + [x[a] + s * (x[b] - x[a]) for a, b in edges]
    count = len(x) + len(edges) * (parts - 1)
    triangles: list[tuple[int, int, int]] = []
    inner: list[Array] = []
    for a, b, c in t.tolist():
        place: dict[tuple[int, int], int] = {}

        def edge(u: int, v: int, k: int) -> int:
            if k in (0, parts):
                return v if k else u
            low, high = min(u, v), max(u, v)
            return len(x) + key[low, high] * (parts - 1) + (k - 1 if u == low else parts - 1 - k)

        for i in range(parts + 1):
            for j in range(parts + 1 - i):
                if i == 0:
                    place[i, j] = edge(a, c, j)
                elif j == 0:
                    place[i, j] = edge(a, b, i)
                elif i + j == parts:
                    place[i, j] = edge(b, c, j)
                else:
                    place[i, j] = count
                    inner.append(x[a] + (i * (x[b] - x[a]) + j * (x[c] - x[a])) / parts)
                    count += 1
        for i in range(parts):
            for j in range(parts - i):
                triangles.append((place[i, j], place[i + 1, j], place[i, j + 1]))
                if i + j < parts - 1:
                    triangles.append((place[i + 1, j], place[i + 1, j + 1], place[i, j + 1]))
    return np.concatenate([*points, *([np.array(inner)] if inner else [])]), np.array(triangles)


def prism_tets(bottom: Array, top: Array) -> Array:
    """Prisms between triangles as three tetrahedra each; neighbours agree on the diagonals of their walls.

    The diagonal of a wall starts at that of its two lower points with the smaller number.
    """
    order = np.argsort(bottom, axis=1)
    rows = np.arange(len(bottom))[:, None]
    odd = np.array([np.linalg.det(np.eye(3)[row]) < 0.0 for row in order])
    b, u = bottom[rows, order], top[rows, order]
    # the points a < b < c below: (a b c c'), (a b b' c'), (a a' b' c') in some order
    tets = np.stack(
        [
            np.column_stack([b[:, 0], b[:, 1], b[:, 2], u[:, 2]]),
            np.column_stack([b[:, 0], b[:, 1], u[:, 2], u[:, 1]]),
            np.column_stack([b[:, 0], u[:, 1], u[:, 2], u[:, 0]]),
        ],
        axis=1,
    )
    tets[odd] = tets[odd][:, :, [0, 2, 1, 3]]
    return tets.reshape(-1, 4)


def shells(center: Array, x: Array, t: Array, layers: int) -> tuple[Array, Array]:
    """Points and tetrahedra of a solid that its centre sees: smaller and smaller copies of its surface."""
    count = len(x)
    parts = [center[None]] + [center + (x - center) * (k / layers) for k in range(1, layers + 1)]
    tets = [np.column_stack([np.zeros(len(t), np.int64), t + 1])]
    for k in range(layers - 1):
        low, high = t + 1 + k * count, t + 1 + (k + 1) * count
        tets.append(prism_tets(low, high))
    return np.concatenate(parts), np.concatenate(tets)


def seen_from(center: Array, x: Array, t: Array) -> bool:
    """Whether a segment from the centre to any point of the surface is inside."""
    a, b, c = (x[t[:, k]] - center for k in range(3))
    volume = np.einsum("ni,ni->n", a, np.cross(b, c)) / 6.0
    return bool((volume > 1e-6 * volume.sum() / len(t)).all())
