"""Closed surfaces of triangles: checks, distances, and what is inside."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hapsis.errors import ModelError

Array = np.ndarray[Any, Any]
BLOCK = 2_000_000  # pairs of points and triangles at once
PAIRS, MOST_SIDES = 2_500_000, 50  # of triangles whose sides are looked at, and triangles
MANY_PAIRS = 20_000  # of triangles that are looked at together
SIDES = [(1 / 3, 1 / 3, 1 / 3), (0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8)]  # places on a triangle
NEAR = 1e-5  # of the size of a triangle: where they are


def closed_surface(vertices: Any, triangles: Any, where: str) -> tuple[Array, Array]:
    """Vertices in one place welded, and triangles; an error unless they enclose a volume, outwards."""
    x, t = np.asarray(vertices, dtype=float), np.asarray(triangles, dtype=np.int64)
    size = float(np.ptp(x, axis=0).max())
    if not size > 0.0:
        raise ModelError("its surface is a point", where=where)
    keys = np.round((x - x.min(axis=0)) / size * 1e9).astype(np.int64)
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    t = back.ravel()[t]
    t = t[(t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2]) & (t[:, 2] != t[:, 0])]
    used = np.unique(t)
    number = np.zeros(len(first), np.int64)
    number[used] = np.arange(len(used))
    x, t = x[first][used], number[t]
    _check_closed(x, t, where)
    # shifted, so that a surface far from the origin keeps its digits
    c = x.mean(axis=0)
    a, b, d = (x[t[:, k]] - c for k in range(3))
    volume = float(np.einsum("ni,ni->", a, np.cross(b, d))) / 6.0
    if not abs(volume) > 1e-12 * size**3:
        raise ModelError(f"its surface encloses the volume {volume:.3g} m³", where=where)
    if volume < 0.0:
        t = t[:, ::-1]
    check_crossings(x, t, where)
    _check_sides(x, t, where)
    _check_parts(x, t, where)
    return x, t


def _check_closed(x: Array, t: Array, where: str) -> None:
    edges = t[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    pairs, counts = np.unique(edges, axis=0, return_counts=True)
    if len(pairs) and counts.max() > 1:
        a, b = pairs[np.argmax(counts)]
        raise ModelError(
            f"two triangles go the same way along the edge from {_shown(x[a])} to {_shown(x[b])}",
            where=where,
            expected="a closed surface whose triangles all look outwards",
        )
    known = {(int(a), int(b)) for a, b in pairs}
    open_ = next(((a, b) for a, b in known if (b, a) not in known), None)
    if open_ is not None:
        a, b = open_
        count = sum((b, a) not in known for a, b in known)
        raise ModelError(
            f"its surface is open: {count} edges have one triangle, as that from {_shown(x[a])} "
            f"to {_shown(x[b])}",
            where=where,
            expected="a closed surface",
        )


def _shown(point: Array) -> str:
    return "(" + ", ".join(f"{c:.4g}" for c in point) + ")"


def check_crossings(x: Array, t: Array, where: str) -> None:
    """An error if an edge goes through a triangle with which it shares no corner."""
    for one, two in _near_pairs(x, t):
        hit = _crosses(x, t, one, two) | _crosses(x, t, two, one)
        if hit.any():
            place = x[t[one[np.argmax(hit)]]].mean(axis=0)
            raise ModelError(f"its surface cuts itself near {_shown(place)}", where=where)


def _near_pairs(x: Array, t: Array) -> Iterator[tuple[Array, Array]]:
    """Triangles whose boxes overlap, some thousands at once."""
    corners = x[t]
    low, high = corners.min(axis=1), corners.max(axis=1)
    order = np.argsort(low[:, 0])
    ends = np.searchsorted(low[order, 0], high[order, 0], side="right")
    pairs: list[Array] = []
    count = 0
    for k, first in enumerate(order):
        others = order[k + 1 : ends[k]]
        near = (low[others] <= high[first]).all(axis=1) & (high[others] >= low[first]).all(axis=1)
        others = others[near]
        pairs.append(np.stack([np.full(len(others), first), others]))
        count += len(others)
        if count > MANY_PAIRS or (count and k == len(order) - 1):
            one, two = np.concatenate(pairs, axis=1)
            yield one, two
            pairs, count = [], 0


def _check_sides(x: Array, t: Array, where: str) -> None:
    """An error unless the surface goes once around what is behind its triangles, never around what is before.

    So edges that cross edges are found, and surfaces within others that look the same way.
    """
    places = np.array(SIDES)[:, :, None]
    count = max(MOST_SIDES, PAIRS // (len(places) * len(t)))
    rows = np.unique(np.linspace(0, len(t) - 1, min(count, len(t))).astype(np.int64))
    a, b, c = (x[t[rows, k]] for k in range(3))
    n = np.cross(b - a, c - a)
    double = np.linalg.norm(n, axis=1)
    around = np.sum([np.linalg.norm(v - u, axis=1) for u, v in ((a, b), (b, c), (c, a))], axis=0)
    flat = double < 1e-9 * around**2
    shift = np.divide(NEAR * n, around[:, None], out=np.zeros_like(n), where=~flat[:, None])
    middle = (places[:, 0, None] * a + places[:, 1, None] * b + places[:, 2, None] * c).reshape(-1, 3)
    shift, flat = np.tile(shift, (len(places), 1)), np.tile(flat, len(places))
    before, behind = winding(middle + shift, x, t), winding(middle - shift, x, t)
    wrong = ~flat & ((np.abs(before) > 0.25) | (np.abs(behind - 1.0) > 0.25))
    if wrong.any():
        place = middle[np.argmax(wrong)]
        what = "its surface cuts itself, or goes twice around the same place"
        raise ModelError(f"{what}, near {_shown(place)}", where=where)


def _check_parts(x: Array, t: Array, where: str) -> None:
    """An error where the surface encloses two volumes that do not hang together."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    edges = t[:, [0, 1, 1, 2]].reshape(-1, 2)
    graph = coo_matrix((np.ones(len(edges)), edges.T), shape=(len(x), len(x)))
    count, label = connected_components(graph, directed=False)
    if count == 1:
        return
    corners = x[t] - x.mean(axis=0)
    volumes = np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    solid = int((np.bincount(label[t[:, 0]], volumes, minlength=count) > 0.0).sum())
    if solid > 1:
        raise ModelError(
            f"its surface encloses {solid} parts that are apart", where=where, remedy="make an object of each"
        )


def _crosses(x: Array, t: Array, one: Array, two: Array) -> Array:
    """Whether an edge of triangle `one` that shares no corner goes through the inside of triangle `two`."""
    a, b, c = (x[t[two, k]] for k in range(3))
    hit = np.zeros(len(one), bool)
    scale = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    shared = (t[one][:, :, None] == t[two][:, None, :]).any(axis=2)
    for k in range(3):
        apart = ~(shared[:, k] | shared[:, (k + 1) % 3])
        p, q = x[t[one, k]], x[t[one, (k + 1) % 3]]
        sides = [np.einsum("ni,ni->n", np.cross(b - a, c - a), end - a) for end in (p, q)]
        way = q - p
        around = [np.einsum("ni,ni->n", np.cross(v - u, p - u), way) for u, v in ((a, b), (b, c), (c, a))]
        length = np.linalg.norm(way, axis=1)
        near = 1e-9 * scale * length
        inside = np.all([s > near for s in around], axis=0) | np.all([s < -near for s in around], axis=0)
        hit |= apart & inside & (sides[0] * sides[1] < -((1e-9 * scale * length) ** 2))
    return hit


def winding(points: Array, x: Array, t: Array) -> Array:
    """How often the surface goes around each point: 1 inside, 0 outside."""
    total = np.zeros(len(points))
    step = max(1, BLOCK // len(t))
    for k in range(0, len(points), step):
        a, b, c = (x[t[:, j]][None] - points[k : k + step, None] for j in range(3))
        la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
        top = np.einsum("pni,pni->pn", a, np.cross(b, c))
        dots = [np.einsum("pni,pni->pn", u, v) for u, v in ((a, b), (b, c), (c, a))]
        under = la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb
        total[k : k + step] = np.arctan2(top, under).sum(axis=1) / (2.0 * np.pi)
    return total


def nearest(points: Array, x: Array, t: Array) -> Array:
    """The point of the surface that is nearest to each point."""
    best = np.full(len(points), np.inf)
    places = np.zeros_like(points)
    step = max(1, BLOCK // (4 * len(t)))
    for k in range(0, len(points), step):
        p = points[k : k + step, None]
        a, b, c = (x[t[:, j]][None] for j in range(3))
        for candidate in (_on_plane(p, a, b, c), *(_on_edge(p, u, v) for u, v in ((a, b), (b, c), (c, a)))):
            distance = np.linalg.norm(candidate - p, axis=2)
            distance[np.isnan(distance)] = np.inf
            j = np.argmin(distance, axis=1)
            rows = np.arange(len(j))
            closer = distance[rows, j] < best[k : k + step]
            places[k : k + step][closer] = np.broadcast_to(candidate, (*distance.shape, 3))[rows, j][closer]
            best[k : k + step] = np.minimum(best[k : k + step], distance[rows, j])
    return places


def _on_edge(p: Array, u: Array, v: Array) -> Array:
    way = v - u
    s = np.clip(((p - u) * way).sum(axis=2) / (way * way).sum(axis=2), 0.0, 1.0)
    return u + s[:, :, None] * way


def _on_plane(p: Array, a: Array, b: Array, c: Array) -> Array:
    """The foot on the plane of each triangle; not a number where that is beyond its edges."""
    n = np.cross(b - a, c - a)
    foot = p - (((p - a) * n).sum(axis=2) / (n * n).sum(axis=2))[:, :, None] * n
    inside = np.all(
        [(np.cross(v - u, foot - u) * n).sum(axis=2) >= 0.0 for u, v in ((a, b), (b, c), (c, a))], axis=0
    )
    return np.where(inside[:, :, None], foot, np.nan)
