"""Steps in the parameter plane of a face: how far they go until a boundary segment or a seam ends them."""

from hapsis.compiler.native import Array, at, native
from hapsis.touch.haptics.surfaces.nurbs_memory import FACE, SEGMENT, NurbsMemory, U, V

BESIDE = 1e-12  # of a segment: what lies so little beyond its end still meets it


@native
def along(body: NurbsMemory, k: int, u: float, v: float) -> float:
    """The part of segment k at which (u, v) lies."""
    e = at(body.ends, 4 * k)
    eu, ev = e[2] - e[0], e[3] - e[1]
    return ((u - e[0]) * eu + (v - e[1]) * ev) / (eu * eu + ev * ev)


@native
def put_on(body: NurbsMemory, k: int, w: float, out: Array) -> None:
    """The parameters of the point at the part w of segment k."""
    e = at(body.ends, 4 * k)
    w = min(1.0, max(0.0, w))
    out[0] = e[0] + w * (e[2] - e[0])
    out[1] = e[1] + w * (e[3] - e[1])


@native
def free_path(body: NurbsMemory, place: Array, du: float, dv: float) -> None:
    """The end of a step within a face, to `body.path`: u, v, the segment met or -1, the part of the step."""
    face, path = int(place[FACE]), body.path
    u, v, part, hit = place[U], place[V], 1.0, -1
    for d in range(2):
        start, step = place[U + d], du if d == 0 else dv
        low, high = body.low[2 * face + d], body.high[2 * face + d]
        if start + step > high + BESIDE * (high - low):
            part = min(part, (high - start) / step)
        elif start + step < low - BESIDE * (high - low):
            part = min(part, (low - start) / step)
    for k in range(body.first_segment[face], body.first_segment[face + 1]):
        e = at(body.ends, 4 * k)
        eu, ev = e[2] - e[0], e[3] - e[1]
        towards = ev * du - eu * dv  # out of the face: the inside is on the left
        if towards <= 0.0:
            continue
        inside = eu * (v - e[1]) - ev * (u - e[0])
        if inside < -BESIDE * (eu * eu + ev * ev) or inside > part * towards + BESIDE * (eu * eu + ev * ev):
            continue
        t = min(part, max(0.0, inside / towards))
        w = along(body, k, u + t * du, v + t * dv)
        if -BESIDE <= w and w <= 1.0 + BESIDE:
            part, hit = t, k
    path[0] = min(body.high[2 * face], max(body.low[2 * face], u + part * du))
    path[1] = min(body.high[2 * face + 1], max(body.low[2 * face + 1], v + part * dv))
    path[2], path[3] = float(hit), part
    if hit >= 0:
        put_on(body, hit, along(body, hit, path[0], path[1]), path)


@native
def slide_path(body: NurbsMemory, place: Array, du: float, dv: float) -> None:
    """The end of a step along the segment of a place, at its end at most, to `body.path`."""
    k, path = int(place[SEGMENT]), body.path
    w = along(body, k, place[U], place[V])
    change = along(body, k, place[U] + du, place[V] + dv) - w
    put_on(body, k, w + change, path)
    end = min(1.0, max(0.0, w + change))
    path[2], path[3] = float(k), (end - w) / change if change != 0.0 else 1.0


@native
def over_seam(body: NurbsMemory, place: Array, du: float, dv: float) -> None:
    """Moves a place that a step has taken to the end of a closed direction to its beginning."""
    face = int(place[FACE])
    for d in range(2):
        if body.closed[2 * face + d] == 0:
            continue
        step = du if d == 0 else dv
        if step > 0.0 and place[U + d] >= body.high[2 * face + d]:
            place[U + d] = body.low[2 * face + d]
        elif step < 0.0 and place[U + d] <= body.low[2 * face + d]:
            place[U + d] = body.high[2 * face + d]
