"""The point of an object's surface that is nearest to a ball's centre.

Of triangles that are equally near, at an edge or a corner, the one whose plane is seen most from the front or
behind decides on which side the centre is.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.forces.hand_memory import HandMemory


@native
def box_distance(x: Array, a: int, b: int, c: int, p: Array) -> float:
    """The squared distance from p to the box around a triangle: never more than that to the triangle."""
    total = 0.0
    for m in range(3):
        u, v, w = x[a + m], x[b + m], x[c + m]
        low = u if u < v else v
        low = low if low < w else w
        high = u if u > v else v
        high = high if high > w else w
        gap = low - p[m]
        if gap < 0.0:
            gap = p[m] - high
        if gap > 0.0:
            total += gap * gap
    return total


@native
def dot(a: Array, b: Array) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@native
def shares(x: Array, a: int, b: int, c: int, p: Array, out: Array) -> None:
    """The shares of the corners in the point of a triangle nearest to p, in out[1:4] [Ericson]."""
    d1, d2, d3, d4, d5, d6 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for m in range(3):
        ab, ac = x[b + m] - x[a + m], x[c + m] - x[a + m]
        d1 += ab * (p[m] - x[a + m])
        d2 += ac * (p[m] - x[a + m])
        d3 += ab * (p[m] - x[b + m])
        d4 += ac * (p[m] - x[b + m])
        d5 += ab * (p[m] - x[c + m])
        d6 += ac * (p[m] - x[c + m])
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    out[1], out[2], out[3] = 0.0, 0.0, 0.0
    if d1 <= 0.0 and d2 <= 0.0:
        out[1] = 1.0
    elif d3 >= 0.0 and d4 <= d3:
        out[2] = 1.0
    elif d6 >= 0.0 and d5 <= d6:
        out[3] = 1.0
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        out[2] = d1 / (d1 - d3)
        out[1] = 1.0 - out[2]
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        out[3] = d2 / (d2 - d6)
        out[1] = 1.0 - out[3]
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        out[3] = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        out[2] = 1.0 - out[3]
    else:
        total = va + vb + vc
        out[2], out[3] = vb / total, vc / total
        out[1] = 1.0 - out[2] - out[3]


@native
def measure_facet(hands: HandMemory, x: Array, facet: int, p: Array, out: Array) -> None:
    """Squared distance, shares, and the way from p to the nearest point of a facet; out[7] says how steeply
    p is above (> 0) or below its plane."""
    a = 3 * int(hands.corners[3 * facet])
    b = 3 * int(hands.corners[3 * facet + 1])
    c = 3 * int(hands.corners[3 * facet + 2])
    shares(x, a, b, c, p, out)
    out[0] = 0.0
    for m in range(3):
        out[4 + m] = out[1] * x[a + m] + out[2] * x[b + m] + out[3] * x[c + m] - p[m]
        out[0] += out[4 + m] * out[4 + m]
    ux, uy, uz = x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]
    wx, wy, wz = x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]
    nx, ny, nz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
    size = sqrt((nx * nx + ny * ny + nz * nz) * out[0])
    rise = -(nx * out[4] + ny * out[5] + nz * out[6])
    out[7] = rise / size if size > 0.0 else 0.0


@native
def nearest_facet(hands: HandMemory, x: Array, k: int, start: int, p: Array) -> int:
    """The facet of object k that is nearest to p; the search begins at `start`. Measures in `best`."""
    best, other = hands.best, hands.other
    nearest = start
    measure_facet(hands, x, start, p, best)
    for f in range(hands.first_facet[k], hands.first_facet[k + 1]):
        a, b, c = hands.corners[3 * f], hands.corners[3 * f + 1], hands.corners[3 * f + 2]
        near = best[0] * (1.0 + 1e-12)
        if f != start and box_distance(x, 3 * int(a), 3 * int(b), 3 * int(c), p) <= near:
            measure_facet(hands, x, f, p, other)
            steeper = other[7] * other[7] > best[7] * best[7]
            if other[0] < best[0] * (1.0 - 1e-12) or (other[0] <= near and steeper):
                nearest = f
                for m in range(8):
                    best[m] = other[m]
    return nearest


@native
def nearest_particle(hands: HandMemory, x: Array, k: int, p: Array) -> int:
    """The particle of object k that is nearest to p. Measures in `best`."""
    best = hands.best
    nearest = int(hands.first[k])
    best[0] = 1e300
    for i in range(hands.first[k], hands.first[k + 1]):
        dx, dy, dz = x[3 * i] - p[0], x[3 * i + 1] - p[1], x[3 * i + 2] - p[2]
        square = dx * dx + dy * dy + dz * dz
        if square < best[0]:
            best[0], best[4], best[5], best[6] = square, dx, dy, dz
            nearest = i
    best[1], best[2], best[3], best[7] = 1.0, 0.0, 0.0, 1.0
    return nearest


@native
def touch(hands: HandMemory, x: Array, hand: int, k: int, p: Array, radius: float) -> float:
    """How deep a ball at p is in object k, m, negative where it does not touch; the particles, shares and
    axis (from the ball's centre into the object) of the touch."""
    best = hands.best
    row = hand * hands.objects + k
    ends, share, axis = (
        at(hands.next_ends, 3 * row),
        at(hands.next_share, 3 * row),
        at(hands.next_axis, 3 * row),
    )
    side = 1.0
    if hands.first_facet[k + 1] > hands.first_facet[k]:
        facet = nearest_facet(hands, x, k, int(hands.nearest[row]), p)
        hands.nearest[row] = facet
        for m in range(3):
            ends[m] = hands.corners[3 * facet + m]
        if hands.closed[k] != 0 and best[7] < 0.0:
            side = -1.0
    else:
        i = nearest_particle(hands, x, k, p)
        for m in range(3):
            ends[m] = i
    distance = sqrt(best[0])
    for m in range(3):
        share[m] = best[1 + m]
        axis[m] = side * best[4 + m] / distance if distance > 0.0 else 0.0
    return radius - side * distance
