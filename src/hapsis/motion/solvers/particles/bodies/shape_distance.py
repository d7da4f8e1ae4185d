"""Signed distances of points to shapes, with the normals there; points inside have negative ones.

Each is in the frame of the shape: `gap` gets the distance d and its gradient n, a unit vector.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.bodies.model_memory import (
    BOX,
    CAPSULE,
    CYLINDER,
    HEIGHTFIELD,
    SPHERE,
    ModelMemory,
)

STEPS = 16  # to the nearest point of a ground
SETTLED = 1e-12  # of the distance: the last step
OFF = 1e-300


@native
def to_ball(x: float, y: float, z: float, radius: float, gap: Array) -> None:
    """A ball about the origin."""
    r = sqrt(x * x + y * y + z * z)
    gap[0] = r - radius
    gap[1], gap[2], gap[3] = 0.0, 0.0, 1.0
    if r > OFF:
        gap[1], gap[2], gap[3] = x / r, y / r, z / r


@native
def to_box(p: Array, size: Array, gap: Array) -> None:
    """A box of these full lengths."""
    deepest, axis, square = -1e300, 0, 0.0
    for c in range(3):
        side = p[c] if p[c] >= 0.0 else -p[c]
        over = side - 0.5 * size[c]
        gap[1 + c] = 0.0
        if over > 0.0:
            square += over * over
            gap[1 + c] = over if p[c] >= 0.0 else -over
        if over > deepest:
            deepest, axis = over, c
    if square > 0.0:
        gap[0] = sqrt(square)
        for c in range(1, 4):
            gap[c] = gap[c] / gap[0]
    else:
        gap[0] = deepest
        gap[1 + axis] = 1.0 if p[axis] >= 0.0 else -1.0


@native
def to_cylinder(x: float, y: float, z: float, radius: float, length: float, gap: Array) -> None:
    """A cylinder along z."""
    r = sqrt(x * x + y * y)
    ux = x / r if r > OFF else 1.0
    uy = y / r if r > OFF else 0.0
    up = 1.0 if z >= 0.0 else -1.0
    side, end = r - radius, up * z - 0.5 * length
    if side > 0.0 and end > 0.0:
        d = sqrt(side * side + end * end)
        gap[0], gap[1], gap[2], gap[3] = d, side / d * ux, side / d * uy, end / d * up
    elif side > end:
        gap[0], gap[1], gap[2], gap[3] = side, ux, uy, 0.0
    else:
        gap[0], gap[1], gap[2], gap[3] = end, 0.0, 0.0, up


@native
def ground_at(m: ModelMemory, piece: int) -> None:
    """The height and the slopes of a ground where `ground`[0:2] is."""
    g = m.ground
    m.grounds[m.piece_surface[piece]](g, at(g, 1), at(g, 2), at(g, 3), at(g, 4))


@native
def to_ground(m: ModelMemory, piece: int, p: Array, gap: Array) -> None:
    """A heightfield, by the foot of the point on tangent planes."""
    g = m.ground
    g[0], g[1] = p[0], p[1]
    ground_at(m, piece)
    above = p[2] >= g[2]
    best = (p[2] - g[2]) * (p[2] - g[2])
    part = 1.0
    for _ in range(STEPS):
        u, v, zx, zy = g[0], g[1], g[3], g[4]
        t = (p[2] - g[2] + zx * (u - p[0]) + zy * (v - p[1])) / (1.0 + zx * zx + zy * zy)
        du, dv = part * (p[0] + zx * t - u), part * (p[1] + zy * t - v)
        if du * du + dv * dv <= SETTLED * SETTLED * best:
            break
        g[0], g[1] = u + du, v + dv
        ground_at(m, piece)
        dx, dy, dz = p[0] - g[0], p[1] - g[1], p[2] - g[2]
        square = dx * dx + dy * dy + dz * dz
        if square > best:
            g[0], g[1] = u, v
            ground_at(m, piece)
            part *= 0.5
        else:
            best = square
    size = sqrt(1.0 + g[3] * g[3] + g[4] * g[4])
    gap[1], gap[2], gap[3] = -g[3] / size, -g[4] / size, 1.0 / size
    gap[0] = sqrt(best) if above else -sqrt(best)


@native
def shape_distance(m: ModelMemory, piece: int, p: Array, gap: Array) -> None:
    """The signed distance of the point p, in the frame of the shape, and its gradient."""
    kind, size = m.piece_kind[piece], at(m.piece_size, 3 * piece)
    if kind == SPHERE:
        to_ball(p[0], p[1], p[2], size[0], gap)
    elif kind == BOX:
        to_box(p, size, gap)
    elif kind == CAPSULE:
        half = 0.5 * size[1]
        z = p[2] - half if p[2] > half else (p[2] + half if p[2] < -half else 0.0)
        to_ball(p[0], p[1], z, size[0], gap)
    elif kind == CYLINDER:
        to_cylinder(p[0], p[1], p[2], size[0], size[1], gap)
    elif kind == HEIGHTFIELD:
        to_ground(m, piece, p, gap)
    else:
        gap[0], gap[1], gap[2], gap[3] = p[2], 0.0, 0.0, 1.0
