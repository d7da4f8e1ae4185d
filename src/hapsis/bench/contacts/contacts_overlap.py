"""How deep the solids of a scene are in one another and in the ground; one measure for all contenders.

Boxes with boxes: the least overlap along the fifteen axes of faces and pairs of edges. Solids with a plane:
the lowest point. Balls with bumps: along the normal at the ball, heights linear between those of the grid;
other interpolations differ from it by up to 0.3 mm.
"""

from typing import Any

import numpy as np

from hapsis.bench.contacts.contacts_motion import Motion
from hapsis.bench.contacts.contacts_scene import Bumps, Scene, Solid


def lowest(solid: Solid, motion: Motion) -> Any:
    """The height of the lowest point of a solid, per sample."""
    centre, R = motion.at(solid.place[:3, 3])[:, 2], motion.R @ solid.place[:3, :3]
    if solid.kind == "box":
        return centre - 0.5 * np.abs(R[:, 2]) @ np.array(solid.size)
    if solid.kind == "sphere":
        return centre - solid.size[0]
    radius, length = solid.size
    return centre - radius - 0.5 * length * np.abs(R[:, 2, 2])


def penetration(scene: Scene, known: dict[str, Motion]) -> float:
    """The largest overlap of the whole motion, zero where there is none."""
    depths = [0.0, boxes_in_boxes(scene, known)]
    for part in scene.parts:
        for solid in part.solids:
            m = known[part.name]
            if not isinstance(scene.ground, Bumps):
                depths.append(float(np.max(scene.ground - lowest(solid, m))))
            elif solid.kind == "sphere":
                depths.append(
                    float(np.max(-above(scene.ground, m.at(solid.place[:3, 3]))[0] + solid.size[0]))
                )
    return max(depths)


def above(bumps: Bumps, points: Any) -> tuple[Any, Any]:
    """The distances of points from uneven ground, along its normals there; and the normals."""
    z, zx, zy = _height(bumps, points[:, 0], points[:, 1])
    normal = np.stack([-zx, -zy, np.ones_like(zx)], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return (points[:, 2] - z) * normal[:, 2], normal


def _height(bumps: Bumps, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """The height and its slopes, linear in each of x and y between the points of the grid."""
    H, last = bumps.heights, np.array(bumps.heights.shape) - 2
    places = (np.stack([x, y], axis=1) - bumps.start) / bumps.step
    cell = np.clip(np.floor(np.nan_to_num(places)).astype(int), 0, last)
    (i, j), (s, t) = cell.T, (places - cell).T
    a, b, c, d = H[i, j], H[i + 1, j], H[i, j + 1], H[i + 1, j + 1]
    z = (1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d)
    zx, zy = (1 - t) * (b - a) + t * (d - c), (1 - s) * (c - a) + s * (d - b)
    return z, zx / bumps.step, zy / bumps.step


def boxes_in_boxes(scene: Scene, known: dict[str, Motion]) -> float:
    """The largest overlap of two boxes that may touch."""
    solids = {p.name: p.solids[0] for p in scene.parts if p.solids and p.solids[0].kind == "box"}
    pairs = [(a, b) for a, b in scene.touching() if a in solids and b in solids]
    if not pairs:
        return 0.0
    names = list(solids)
    first, second = (np.array([names.index(pair[k]) for pair in pairs]) for k in (0, 1))
    halves = np.array([solids[n].size for n in names]) / 2
    places = [solids[n].place for n in names]
    p = np.stack([known[n].at(x[:3, 3]) for n, x in zip(names, places, strict=True)], axis=1)
    R = np.stack([known[n].R @ x[:3, :3] for n, x in zip(names, places, strict=True)], axis=1)
    reach = np.linalg.norm(halves, axis=1)
    near = np.linalg.norm(p[:, first] - p[:, second], axis=2) < reach[first] + reach[second]
    k, pair = np.nonzero(near)
    if not len(k):
        return 0.0
    i, j = first[pair], second[pair]
    return float(max(0.0, overlap(p[k, j] - p[k, i], R[k, i], R[k, j], halves[i], halves[j]).max()))


def overlap(way: Any, A: Any, B: Any, a: Any, b: Any) -> Any:
    """The overlap of boxes with axes A, B (columns), half lengths a, b, `way` apart; negative if apart."""
    A, B = np.moveaxis(A, 2, 1), np.moveaxis(B, 2, 1)  # rows are axes now
    edges = np.cross(A[:, :, None], B[:, None]).reshape(len(A), 9, 3)
    length = np.linalg.norm(edges, axis=2, keepdims=True)
    # edges that are parallel give no axis of their own: the first face's stands for it
    edges = np.where(length > 1e-6, edges / np.maximum(length, 1e-6), A[:, :1])
    axes = np.concatenate([A, B, edges], axis=1)
    across = np.abs(np.einsum("kmi,kni->kmn", axes, A)) @ a[:, :, None]
    across += np.abs(np.einsum("kmi,kni->kmn", axes, B)) @ b[:, :, None]
    return (across[:, :, 0] - np.abs(np.einsum("kmi,ki->km", axes, way))).min(axis=1)
