"""Two facets X and Y that face each other: an energy of their overlap, and its exact gradient.

    U = λ/2 w ∫ d² dA,   n = (n_X - n_Y) / |n_X - n_Y|,   w = c √((1 + c) / 2),   c = -n_X·n_Y > 0

Both are projected along n; d is the depth of X beyond Y, linear over the part where they overlap. Facets
that are parallel have w = 1 and the normal force λ V, V = ∫ d dA, shared by λ ∫ d φ_i dA. With this w the
energy of a small facet against a plane is λ/2 ∫ s² dA with its depth s below the plane and area along its
normal, and U vanishes where facets turn away. Forces are -∂U/∂x, with what n and w vary: U is the same
after any motion of both together, so forces and moments on X and Y are opposite.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.touch.overlap import (
    CUT,
    DEPTH,
    EDGES,
    ENERGY,
    PLACES,
    SECOND,
    SHARES,
    WEIGHTS,
    Y_EDGE,
    clip,
    integrals,
    triangle,
    weights,
)
from hapsis.motion.solvers.particles.touch.touch_memory import TouchMemory

# where things are in `work`, after those of `overlap`
FRAME = 138  # n, t1, t2
GRADIENT = 147  # of six corners
SLOPES = 165  # gradients of six barycentric functions within their facets
RATES = 183  # c, |n_X - n_Y|, w, dw/dc
TURN = 187  # ∂U/∂n and scratch


@native
def frame(work: Array, nx: float, ny: float, nz: float) -> None:
    """n and two unit vectors across it."""
    f = at(work, FRAME)
    f[0], f[1], f[2] = nx, ny, nz
    ax, ay, az = nx * nx, ny * ny, nz * nz
    if ax <= ay and ax <= az:
        s = 1.0 / sqrt(ny * ny + nz * nz)
        f[3], f[4], f[5] = 0.0, nz * s, -ny * s
    elif ay <= az:
        s = 1.0 / sqrt(nx * nx + nz * nz)
        f[3], f[4], f[5] = -nz * s, 0.0, nx * s
    else:
        s = 1.0 / sqrt(nx * nx + ny * ny)
        f[3], f[4], f[5] = ny * s, -nx * s, 0.0
    f[6] = ny * f[5] - nz * f[4]
    f[7] = nz * f[3] - nx * f[5]
    f[8] = nx * f[4] - ny * f[3]


@native
def project(work: Array, x: Array, base: int, ends: Array, m: int, end: int) -> None:
    """The place of particle `end` as corner m: along both directions across n, and along n."""
    dx = x[3 * end] - x[3 * base]
    dy = x[3 * end + 1] - x[3 * base + 1]
    dz = x[3 * end + 2] - x[3 * base + 2]
    p = at(work, PLACES + 3 * m)
    p[0] = dx * ends[3] + dy * ends[4] + dz * ends[5]
    p[1] = dx * ends[6] + dy * ends[7] + dz * ends[8]
    p[2] = dx * ends[0] + dy * ends[1] + dz * ends[2]


@native
def apart(work: Array) -> bool:
    """Whether X is nowhere beyond Y, or their boxes across n do not overlap."""
    p = at(work, PLACES)
    for c in range(3):
        low, high = p[c], p[c]
        least, most = p[9 + c], p[9 + c]
        for k in range(1, 3):
            y, z = p[3 * k + c], p[9 + 3 * k + c]
            low = y if y < low else low
            high = y if y > high else high
            least = z if z < least else least
            most = z if z > most else most
        if high <= least or (c < 2 and most <= low):
            return True
    return False


@native
def overlap(touch: TouchMemory, x: Array, a: int, b: int) -> bool:
    """Whether facets a and b overlap; then all integrals are in `work`, without λ and w."""
    work = touch.work
    p, q = at(touch.normal, 3 * a), at(touch.normal, 3 * b)
    c = -(p[0] * q[0] + p[1] * q[1] + p[2] * q[2])
    if c <= 0.0:
        return False
    mx, my, mz = p[0] - q[0], p[1] - q[1], p[2] - q[2]
    length = sqrt(mx * mx + my * my + mz * mz)
    frame(work, mx / length, my / length, mz / length)
    ends = touch.ends
    base = ends[3 * a]
    for k in range(3):
        project(work, x, base, at(work, FRAME), k, ends[3 * a + k])
        project(work, x, base, at(work, FRAME), 3 + k, ends[3 * b + k])
    if apart(work):
        return False
    if not (weights(work, 0) and weights(work, 3)):
        return False
    for k in range(3):
        total = 0.0
        for m in range(3):
            total += work[PLACES + 3 * m + 2] * work[WEIGHTS + 3 * m + k]
            total -= work[PLACES + 9 + 3 * m + 2] * work[WEIGHTS + 9 + 3 * m + k]
        work[DEPTH + k] = total
    triangle(work)
    count = clip(work, 0, 3, DEPTH, CUT)
    place = SECOND
    for m in range(3, 6):
        if count < 3:
            return False
        count = clip(work, place, count, WEIGHTS + 3 * m, Y_EDGE)
        place = SECOND - place
    r = at(work, RATES)
    half = 0.5 * length
    r[0], r[1], r[2], r[3] = c, length, c * half, half + 0.25 * c / half
    return integrals(work, place, count, 6)


@native
def slopes(touch: TouchMemory, x: Array, a: int, first: int) -> None:
    """The gradients of the barycentric functions of facet a, within it."""
    n, out = at(touch.normal, 3 * a), at(touch.work, SLOPES + 3 * first)
    for k in range(3):
        b = 3 * touch.ends[3 * a + (k + 1) % 3]
        c = 3 * touch.ends[3 * a + (k + 2) % 3]
        ex, ey, ez = x[c] - x[b], x[c + 1] - x[b + 1], x[c + 2] - x[b + 2]
        out[3 * k] = (n[1] * ez - n[2] * ey) / touch.size[a]
        out[3 * k + 1] = (n[2] * ex - n[0] * ez) / touch.size[a]
        out[3 * k + 2] = (n[0] * ey - n[1] * ex) / touch.size[a]


@native
def gradient(touch: TouchMemory, x: Array, a: int, b: int, stiffness: float) -> float:
    """∂U/∂x of the six corners, in `work`, after `overlap`; U."""
    work = touch.work
    slopes(touch, x, a, 0)
    slopes(touch, x, b, 3)
    f, r, g = at(work, FRAME), at(work, RATES), at(work, GRADIENT)
    scale = stiffness * r[2]
    base = 3 * touch.ends[3 * a]
    tx, ty, tz = 0.0, 0.0, 0.0
    for m in range(6):
        facet = a if m < 3 else b
        normal = at(touch.normal, 3 * facet)
        lean = normal[0] * f[0] + normal[1] * f[1] + normal[2] * f[2]
        share = scale * work[SHARES + m] / lean
        if m >= 3:
            share = -share
        eu, ev = scale * work[EDGES + 2 * m], scale * work[EDGES + 2 * m + 1]
        for k in range(3):
            g[3 * m + k] = share * normal[k] + eu * f[3 + k] + ev * f[6 + k]
        i = 3 * touch.ends[3 * facet + m % 3]
        dx, dy, dz = x[i] - x[base], x[i + 1] - x[base + 1], x[i + 2] - x[base + 2]
        tx += dy * g[3 * m + 2] - dz * g[3 * m + 1]
        ty += dz * g[3 * m] - dx * g[3 * m + 2]
        tz += dx * g[3 * m + 1] - dy * g[3 * m]
    # n × T is ∂U/∂n, as turning n is turning both facets back
    qx, qy, qz = f[1] * tz - f[2] * ty, f[2] * tx - f[0] * tz, f[0] * ty - f[1] * tx
    bend = r[3] * stiffness * work[ENERGY]
    for m in range(6):
        facet = a if m < 3 else b
        opposite = b if m < 3 else a
        normal, facing = at(touch.normal, 3 * facet), at(touch.normal, 3 * opposite)
        s = at(work, SLOPES + 3 * m)
        lift = (qx * s[0] + qy * s[1] + qz * s[2]) / r[1]
        tilt = bend * (facing[0] * s[0] + facing[1] * s[1] + facing[2] * s[2])
        part = tilt - lift if m < 3 else tilt + lift
        for k in range(3):
            g[3 * m + k] += part * normal[k]
    return scale * work[ENERGY]
