"""The part of two projected triangles where they overlap, and integrals of its depth.

Numbers of `work`: two polygons (u, v, owner of the edge that begins there), the linear functions
f = c + a u + b v of the six corners (three of X, three of Y) and of the depth d, and the results.
"""

from hapsis.compiler.native import Array, at, native

# corners of a polygon at most, and where things are in `work`
CORNERS = 12
SECOND = 36  # the second polygon
WEIGHTS = 72  # c, a, b of six corners
DEPTH = 90  # c, a, b of the depth
SHARES = 93  # ∫ d f
AREAS = 99  # ∫ f
ENERGY = 105  # ∫ d² / 2
VOLUME = 106  # ∫ d
DEEPEST = 107
EDGES = 108  # ∮ d² f ν / 2 along the edges of its own triangle, u and v of six corners
PLACES = 120  # u, v, w of six corners
X_EDGE, Y_EDGE, CUT = 0.0, 1.0, 2.0
START, COUNT = 208, 209  # of the polygon that was integrated last
SPEEDS = 210  # of six corners along n
PUSHES = 216  # of the damper at six corners
POWER, TOTAL = 222, 223  # of the damper, and its force


@native
def weights(work: Array, first: int) -> bool:
    """The barycentric functions of the triangle whose corners are `first` and the next two."""
    p = at(work, PLACES + 3 * first)
    twice = (p[3] - p[0]) * (p[7] - p[1]) - (p[6] - p[0]) * (p[4] - p[1])
    if twice == 0.0:
        return False
    for k in range(3):
        b, c = 3 * ((k + 1) % 3), 3 * ((k + 2) % 3)
        f = at(work, WEIGHTS + 3 * (first + k))
        f[0] = (p[b] * p[c + 1] - p[c] * p[b + 1]) / twice
        f[1] = (p[b + 1] - p[c + 1]) / twice
        f[2] = (p[c] - p[b]) / twice
    return True


@native
def clip(work: Array, start: int, count: int, line: int, owner: float) -> int:
    """The part of the polygon at `start` where the function at `line` is not negative; its corners."""
    p, q, f = at(work, start), at(work, SECOND - start), at(work, line)
    n = 0
    for k in range(count):
        a, b = 3 * k, 3 * ((k + 1) % count)
        fa = f[0] + f[1] * p[a] + f[2] * p[a + 1]
        fb = f[0] + f[1] * p[b] + f[2] * p[b + 1]
        if fa >= 0.0:
            q[3 * n], q[3 * n + 1], q[3 * n + 2] = p[a], p[a + 1], p[a + 2]
            n += 1
        if (fa >= 0.0) != (fb >= 0.0):
            s = fa / (fa - fb)
            q[3 * n] = p[a] + s * (p[b] - p[a])
            q[3 * n + 1] = p[a + 1] + s * (p[b + 1] - p[a + 1])
            q[3 * n + 2] = owner if fa >= 0.0 else p[a + 2]
            n += 1
    return n


@native
def triangle(work: Array) -> None:
    """X as the first polygon."""
    for k in range(3):
        work[3 * k] = work[PLACES + 3 * k]
        work[3 * k + 1] = work[PLACES + 3 * k + 1]
        work[3 * k + 2] = X_EDGE


@native
def gather(work: Array, u: float, v: float, area: float, corners: int) -> None:
    """Adds a point of an integral over the area."""
    d = work[DEPTH] + work[DEPTH + 1] * u + work[DEPTH + 2] * v
    work[ENERGY] += 0.5 * area * d * d
    work[VOLUME] += area * d
    for m in range(corners):
        f = area * (work[WEIGHTS + 3 * m] + work[WEIGHTS + 3 * m + 1] * u + work[WEIGHTS + 3 * m + 2] * v)
        work[AREAS + m] += f
        work[SHARES + m] += f * d


@native
def integrals(work: Array, start: int, count: int, corners: int) -> bool:
    """All integrals over the polygon at `start`; whether there is any depth in it.

    The midpoints of the edges of a triangle integrate squares exactly, two points of Gauss along an edge
    cubes.
    """
    for k in range(SHARES, PLACES):
        work[k] = 0.0
    work[START], work[COUNT] = start, count
    if count < 3:
        return False
    p = at(work, start)
    u0, v0 = p[0], p[1]
    for k in range(1, count - 1):
        u1, v1, u2, v2 = p[3 * k], p[3 * k + 1], p[3 * k + 3], p[3 * k + 4]
        area = ((u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0)) / 6.0
        if area > 0.0:
            gather(work, 0.5 * (u0 + u1), 0.5 * (v0 + v1), area, corners)
            gather(work, 0.5 * (u1 + u2), 0.5 * (v1 + v2), area, corners)
            gather(work, 0.5 * (u0 + u2), 0.5 * (v0 + v2), area, corners)
    if not (work[ENERGY] > 0.0 and work[VOLUME] > 0.0):
        return False
    for k in range(count):
        a, b = 3 * k, 3 * ((k + 1) % count)
        d = work[DEPTH] + work[DEPTH + 1] * p[a] + work[DEPTH + 2] * p[a + 1]
        if d > work[DEEPEST]:
            work[DEEPEST] = d
        if p[a + 2] != CUT:
            first = 0 if p[a + 2] == X_EDGE else 3
            along(work, first, p[a], p[a + 1], p[b] - p[a], p[b + 1] - p[a + 1])
    return True


@native
def along(work: Array, first: int, u: float, v: float, du: float, dv: float) -> None:
    """Adds the integrals along an edge of the triangle whose corners begin with `first`."""
    for g in range(2):
        s = 0.21132486540518713 if g == 0 else 0.7886751345948129
        x, y = u + s * du, v + s * dv
        d = work[DEPTH] + work[DEPTH + 1] * x + work[DEPTH + 2] * y
        for m in range(first, first + 3):
            f = work[WEIGHTS + 3 * m] + work[WEIGHTS + 3 * m + 1] * x + work[WEIGHTS + 3 * m + 2] * y
            share = 0.25 * d * d * f
            work[EDGES + 2 * m] += share * dv
            work[EDGES + 2 * m + 1] -= share * du


@native
def damp(work: Array, corners: int, k: float, d: float, pulls: bool) -> None:
    """Forces of a damper, d ∂(depth)/∂t on each part of the area, over the polygon that was integrated last.

    Its corners move along n with the speeds in `work`; with the spring k d it pulls nowhere unless `pulls`.
    """
    for m in range(PUSHES, TOTAL + 1):
        work[m] = 0.0
    p = at(work, int(work[START]))
    for j in range(1, int(work[COUNT]) - 1):
        for e in range(3):
            a, b = 3 * j if e == 1 else 0, 3 * j if e == 0 else 3 * j + 3
            area = (p[3 * j] - p[0]) * (p[3 * j + 4] - p[1]) - (p[3 * j + 3] - p[0]) * (p[3 * j + 1] - p[1])
            damp_point(
                work, 0.5 * (p[a] + p[b]), 0.5 * (p[a + 1] + p[b + 1]), area / 6.0, corners, k, d, pulls
            )


@native
def damp_point(
    work: Array, u: float, v: float, area: float, corners: int, k: float, d: float, pulls: bool
) -> None:
    """Adds one point of that integral."""
    depth, rate = work[DEPTH] + work[DEPTH + 1] * u + work[DEPTH + 2] * v, 0.0
    for m in range(corners):
        f = work[WEIGHTS + 3 * m] + work[WEIGHTS + 3 * m + 1] * u + work[WEIGHTS + 3 * m + 2] * v
        rate += f * work[SPEEDS + m] if m < 3 else -f * work[SPEEDS + m]
    push = d * rate
    if push < -k * depth and not pulls:
        push = -k * depth
    work[POWER] += area * push * rate
    work[TOTAL] += area * push
    for m in range(corners):
        f = work[WEIGHTS + 3 * m] + work[WEIGHTS + 3 * m + 1] * u + work[WEIGHTS + 3 * m + 2] * v
        work[PUSHES + m] += area * push * f
