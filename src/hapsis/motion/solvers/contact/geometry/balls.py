"""Points and spheres on every other bounded solid whose nearest point is a formula."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.geometry.candidates import add
from hapsis.motion.solvers.contact.geometry.features import rounding
from hapsis.motion.solvers.contact.geometry.solids import BOX, CYLINDER, POINT, SEGMENT, SPHERE, Solids
from hapsis.motion.solvers.contact.geometry.vectors import norm, put, to_local, to_world


@native
def on_box(size: Array, x: Array, near: Array) -> float:
    """How deep x lies inside a box, 0 outside; `near` is the nearest point of its surface."""
    depth, inner = 1.0e300, 0
    outside = False
    for k in range(3):
        half = 0.5 * size[k]
        near[k] = min(max(x[k], -half), half)
        outside = outside or near[k] != x[k]
        if half - abs(x[k]) < depth:
            depth, inner = half - abs(x[k]), k
    if outside:
        return 0.0
    near[inner] = 0.5 * size[inner] if x[inner] >= 0.0 else -0.5 * size[inner]
    return depth


@native
def on_cylinder(radius: float, half: float, x: Array, near: Array) -> float:
    """How deep x lies inside a cylinder, 0 outside; `near` is the nearest point of its surface."""
    r = sqrt(x[0] * x[0] + x[1] * x[1])
    scale = radius / r if r > 0.0 else 0.0
    if r <= radius and abs(x[2]) <= half:
        if half - abs(x[2]) <= radius - r:
            put(near, x[0], x[1], half if x[2] >= 0.0 else -half)
            return half - abs(x[2])
        put(near, x[0] * scale, x[1] * scale, x[2])
        if r == 0.0:
            near[0] = radius
        return radius - r
    scale = min(scale, 1.0) if r > radius else 1.0
    put(near, x[0] * scale, x[1] * scale, min(max(x[2], -half), half))
    return 0.0


@native
def on_core(solids: Solids, k: int, x: Array, near: Array) -> float:
    """How deep x lies inside solid k without its rounding; `near` is the nearest point. All in its frame."""
    kind, size = solids.kinds[k], at(solids.sizes, 3 * k)
    if kind == BOX:
        return on_box(size, x, near)
    if kind == CYLINDER:
        return on_cylinder(size[0], 0.5 * size[1], x, near)
    half = 0.0
    if kind > SPHERE:
        half = 0.5 * size[0 if kind == SEGMENT else 1]
    put(near, 0.0, 0.0, min(max(x[2], -half), half))
    return 0.0


@native
def ball_on(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the point where the point or sphere a touches b, a solid of a kind up to CYLINDER."""
    pose, n = at(solids.poses, 12 * b), solids.normal
    x, near, way = solids.local, at(solids.local, 3), at(solids.local, 6)
    to_local(pose, solids.shift, x)
    depth = on_core(solids, b, x, near)
    put(way, x[0] - near[0], x[1] - near[1], x[2] - near[2])
    length = norm(way)
    if length > 0.0:
        inward = -1.0 if depth > 0.0 else 1.0
        put(way, inward * way[0] / length, inward * way[1] / length, inward * way[2] / length)
        length *= inward
    else:
        outward(solids, b, near, way)
    radius = rounding(solids, b)
    gap = length - radius - rounding(solids, a)
    if gap <= margin:
        to_world(pose, way, n)
        t = radius + 0.5 * gap
        put(x, near[0] + t * way[0], near[1] + t * way[1], near[2] + t * way[2])
        to_world(pose, x, way)
        add(solids, way[0], way[1], way[2], gap)


@native
def outward(solids: Solids, k: int, x: Array, out: Array) -> None:
    """A normal at the point x of the surface of solid k, for a ball whose centre lies exactly there."""
    kind, size = solids.kinds[k], at(solids.sizes, 3 * k)
    put(out, 1.0, 0.0, 0.0)
    if kind == POINT or kind == SPHERE:
        put(out, 0.0, 0.0, 1.0)
    elif kind == BOX:
        for c in range(3):
            if abs(x[c]) == 0.5 * size[c]:
                put(out, 0.0, 0.0, 0.0)
                out[c] = 1.0 if x[c] >= 0.0 else -1.0
    elif kind == CYLINDER:
        if abs(x[2]) == 0.5 * size[1]:
            put(out, 0.0, 0.0, 1.0 if x[2] >= 0.0 else -1.0)
        elif size[0] > 0.0:
            put(out, x[0] / size[0], x[1] / size[0], 0.0)
