"""The nearest points of two convex solids that are apart, by the method of [GJK].

The difference of the solids, all a - b, is convex too; its point nearest to the origin is looked for in a
simplex of up to four of its points, which each round replaces by a nearer one.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.geometry.solids import Solids
from hapsis.motion.solvers.contact.geometry.supports import support
from hapsis.motion.solvers.contact.geometry.vectors import cross, dot, put

ROUNDS = 64
EXACT = 1e-10  # of the distance: what may be left to gain
ENOUGH = 1e-11  # of the size: what may be left to gain, too
FLAT = 1e-26  # of the squared areas and volumes: a simplex that is flatter has no inside


@native
def try_weights(solids: Solids, newest: int, x: int, y: int, s: float, t: float) -> None:
    """Takes the point d + s (x - d) + t (y - d) of the simplex if it is the nearest yet; -1: absent."""
    points, v = solids.simplex, solids.trial
    d = at(points, 9 * newest)
    for c in range(3):
        v[c] = d[c]
        if x >= 0:
            v[c] += s * (points[9 * x + c] - d[c])
        if y >= 0:
            v[c] += t * (points[9 * y + c] - d[c])
    square = dot(v, v)
    if square < solids.square:
        solids.square = square
        put(solids.near, v[0], v[1], v[2])
        for k in range(4):
            solids.weights[k] = 0.0
        solids.weights[newest] = 1.0 - s - t
        if x >= 0:
            solids.weights[x] = s
        if y >= 0:
            solids.weights[y] = t


@native
def try_triangle(solids: Solids, newest: int, x: int, y: int) -> None:
    """Takes the point of the triangle d, x, y under the origin, where there is one.

    Its edges e, f from d are in `trial`. Areas by cross products: a triangle may be as thin as a needle.
    """
    d, e, f = at(solids.simplex, 9 * newest), at(solids.trial, 3), at(solids.trial, 6)
    normal, side = at(solids.trial, 9), solids.trial
    cross(e, f, normal)
    area = dot(normal, normal)
    if area > FLAT * dot(e, e) * dot(f, f):
        cross(f, d, side)
        s = dot(side, normal) / area
        cross(d, e, side)
        t = dot(side, normal) / area
        if s > 0.0 and t > 0.0 and s + t < 1.0:
            try_weights(solids, newest, x, y, s, t)


@native
def edge_minus(points: Array, x: int, d: int, out: Array) -> None:
    """The vector from point d of the simplex to point x."""
    for c in range(3):
        out[c] = points[9 * x + c] - points[9 * d + c]


@native
def nearest_in_simplex(solids: Solids, count: int) -> bool:
    """Whether the simplex holds the origin; if not, `near` and `weights` become those of its nearest point.

    Only parts with the newest point are looked at: the nearest one of the others is known to be further.
    """
    points, newest = solids.simplex, count - 1
    d, e, f = at(points, 9 * newest), at(solids.trial, 3), at(solids.trial, 6)
    try_weights(solids, newest, -1, -1, 0.0, 0.0)
    for x in range(newest):
        edge_minus(points, x, newest, e)
        ee, de = dot(e, e), dot(d, e)
        if ee > 0.0 and -de > 0.0 and -de < ee:
            try_weights(solids, newest, x, -1, -de / ee, 0.0)
        for y in range(x + 1, newest):
            edge_minus(points, y, newest, f)
            try_triangle(solids, newest, x, y)
    return newest == 3 and holds_origin(solids)


@native
def holds_origin(solids: Solids) -> bool:
    """Whether the origin lies inside the tetrahedron of the simplex."""
    points = solids.simplex
    d, normal = at(points, 27), solids.trial
    e, f, g = at(solids.trial, 3), at(solids.trial, 6), at(solids.trial, 9)
    edge_minus(points, 0, 3, e)
    edge_minus(points, 1, 3, f)
    edge_minus(points, 2, 3, g)
    cross(f, g, normal)
    det, s = dot(e, normal), -dot(d, normal)
    if det * det <= FLAT * dot(e, e) * dot(f, f) * dot(g, g):
        return False
    cross(g, e, normal)
    t = -dot(d, normal)
    cross(e, f, normal)
    u = -dot(d, normal)
    s, t, u = s / det, t / det, u / det
    return s >= 0.0 and t >= 0.0 and u >= 0.0 and s + t + u <= 1.0


@native
def compact(solids: Solids, count: int) -> int:
    """How many points of the simplex have a weight; they move to its beginning."""
    kept = 0
    for k in range(count):
        if solids.weights[k] > 0.0:
            solids.weights[kept] = solids.weights[k]
            for c in range(9):
                solids.simplex[9 * kept + c] = solids.simplex[9 * k + c]
            kept += 1
    return kept


@native
def distance(solids: Solids, a: int, b: int, shift: Array, size: float, enough: float) -> float:
    """The distance of a, about `shift`, to b, without their rounding; 0 where they overlap.

    `solids.near` becomes the vector from the nearest point of b, `near_b`, to that of a, `near_a`. On entry
    it is a guess of it. Ends early where the distance is found to be more than `enough`.
    """
    v, back, points = solids.near, solids.back, solids.simplex
    count, solids.square = 0, 1.0e300
    for _ in range(ROUNDS):
        w, of_a, of_b = at(points, 9 * count), at(points, 9 * count + 3), solids.far
        put(back, -v[0], -v[1], -v[2])
        support(solids, b, solids.origin, v, solids.far)
        support(solids, a, shift, back, of_a)
        put(at(of_a, 3), of_b[0], of_b[1], of_b[2])
        put(w, of_a[0] - of_b[0], of_a[1] - of_b[1], of_a[2] - of_b[2])
        square, vw = solids.square, dot(v, w)
        if count > 0:
            length = sqrt(square)
            if square - vw <= length * (EXACT * length + ENOUGH * size) or vw > enough * length:
                break
        if nearest_in_simplex(solids, count + 1):
            return 0.0
        if not solids.square < square:
            break
        count = compact(solids, count + 1)
    for c in range(3):
        solids.near_a[c], solids.near_b[c] = 0.0, 0.0
        for k in range(count):
            solids.near_a[c] += solids.weights[k] * points[9 * k + 3 + c]
            solids.near_b[c] += solids.weights[k] * points[9 * k + 6 + c]
    return sqrt(solids.square)
