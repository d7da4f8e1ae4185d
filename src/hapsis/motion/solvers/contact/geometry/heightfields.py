"""Solids on heightfields: the nearest points of the ground to their corners, rims and ends.

The ground between two such points of a solid is not felt: a box does not notice a peak under the middle of
its face.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.geometry.candidates import add
from hapsis.motion.solvers.contact.geometry.features import axis_of, rounding
from hapsis.motion.solvers.contact.geometry.grounds import corner_count, corner_of
from hapsis.motion.solvers.contact.geometry.lines import is_line
from hapsis.motion.solvers.contact.geometry.solids import BOX, CYLINDER, ELLIPSOID, HULL, Solids
from hapsis.motion.solvers.contact.geometry.supports import half_length, support
from hapsis.motion.solvers.contact.geometry.vectors import put, to_local, to_world

ALONG_LINE = 5  # points of a segment or capsule, or of the lowest line of a cylinder's side
ON_RIM = 8
STEPS = 16  # to the nearest point of the ground
SETTLED = 1e-9  # of the distance and of the solid: the last step; distances are exact to its square
EIGHTH = 0.7071067811865476  # sin and cos of 45°


@native
def surface_at(solids: Solids, b: int, x: float, y: float) -> None:
    """Puts x, y, the height there and its slopes along x and y into `solids.ground`."""
    g = solids.ground
    g[0], g[1] = x, y
    solids.surfaces[solids.surface[b]](g, at(g, 1), at(g, 2), at(g, 3), at(g, 4))


@native
def squared(solids: Solids, x: Array) -> float:
    """The square of the distance of x to the point of the ground in `solids.ground`."""
    g = solids.ground
    return (x[0] - g[0]) * (x[0] - g[0]) + (x[1] - g[1]) * (x[1] - g[1]) + (x[2] - g[2]) * (x[2] - g[2])


@native
def settle(solids: Solids, b: int, x: Array, size: float) -> None:
    """Moves the point in `solids.ground` from under x to the one nearest to it.

    Each step goes to the foot of x on the tangent plane, or half as far where that is further away.
    """
    g = solids.ground
    surface_at(solids, b, x[0], x[1])
    far = squared(solids, x)
    part = 1.0
    for _ in range(STEPS):
        u, v, zx, zy = g[0], g[1], g[3], g[4]
        t = (x[2] - g[2] + zx * (u - x[0]) + zy * (v - x[1])) / (1.0 + zx * zx + zy * zy)
        du, dv = x[0] + t * zx - u, x[1] + t * zy - v
        if abs(du) + abs(dv) <= SETTLED * (size + abs(t)):
            return
        surface_at(solids, b, u + part * du, v + part * dv)
        new = squared(solids, x)
        if new > far:
            surface_at(solids, b, u, v)
            part *= 0.5
        else:
            far = new


@native
def ground_point(solids: Solids, b: int, radius: float, margin: float, size: float) -> None:
    """Adds the point of the heightfield b nearest to a ball about `solids.place`, in world axes."""
    pose, x, n, g = at(solids.poses, 12 * b), solids.local, at(solids.local, 3), solids.ground
    to_local(pose, solids.place, x)
    settle(solids, b, x, size)
    steep = sqrt(1.0 + g[3] * g[3] + g[4] * g[4])
    put(n, -g[3] / steep, -g[4] / steep, 1.0 / steep)
    height = (x[0] - g[0]) * n[0] + (x[1] - g[1]) * n[1] + (x[2] - g[2]) * n[2]
    gap = height - radius
    if gap <= margin:
        to_world(pose, n, solids.normal)
        t = 0.5 * gap
        put(x, g[0] + t * n[0], g[1] + t * n[1], g[2] + t * n[2])
        to_world(pose, x, solids.place)
        add(solids, solids.place[0], solids.place[1], solids.place[2], gap)


@native
def downwards(solids: Solids, b: int) -> None:
    """The direction into the ground under `solids.place`, in world axes: to `solids.axis`."""
    pose, x, g = at(solids.poses, 12 * b), solids.local, solids.ground
    to_local(pose, solids.place, x)
    surface_at(solids, b, x[0], x[1])
    steep = sqrt(1.0 + g[3] * g[3] + g[4] * g[4])
    put(x, g[3] / steep, g[4] / steep, -1.0 / steep)
    to_world(pose, x, solids.axis)


@native
def rims(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points of the two rims of a cylinder, the lowest of each among them."""
    pose, d, radius = at(solids.poses, 12 * a), solids.shift, solids.sizes[3 * a]
    local = at(solids.local, 6)
    for end in range(2):
        half = half_length(solids, a) if end == 0 else -half_length(solids, a)
        for c in range(3):
            solids.place[c] = d[c] + half * pose[3 * c + 2]
        downwards(solids, b)
        to_local(pose, solids.axis, local)
        x, y = local[0], local[1]
        length = sqrt(x * x + y * y)
        if length < 1e-6:
            x, y, length = 1.0, 0.0, 1.0
        x, y = radius * x / length, radius * y / length
        for _k in range(ON_RIM):
            for c in range(3):
                solids.place[c] = d[c] + pose[3 * c] * x + pose[3 * c + 1] * y + pose[3 * c + 2] * half
            ground_point(solids, b, 0.0, margin, radius)
            x, y = EIGHTH * (x - y), EIGHTH * (x + y)


@native
def along_line(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points of a segment or capsule, or of the lowest line on the side of a cylinder."""
    axis, d, half, local = solids.face_a, solids.shift, half_length(solids, a), at(solids.local, 6)
    radius = rounding(solids, a)
    axis_of(solids, a, 2, axis)
    pose = at(solids.poses, 12 * a)
    for k in range(ALONG_LINE):
        t = half * (2.0 * k / (ALONG_LINE - 1) - 1.0)
        put(solids.place, d[0] + t * axis[0], d[1] + t * axis[1], d[2] + t * axis[2])
        if solids.kinds[a] == CYLINDER:
            downwards(solids, b)
            to_local(pose, solids.axis, local)
            length = sqrt(local[0] * local[0] + local[1] * local[1])
            scale = solids.sizes[3 * a] / length if length > 0.0 else 0.0
            put(local, scale * local[0], scale * local[1], t)
            to_world(pose, local, solids.place)
            put(solids.place, solids.place[0] + d[0], solids.place[1] + d[1], solids.place[2] + d[2])
        ground_point(solids, b, radius, margin, solids.bounds[a])


@native
def on_heightfield(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points where solid a touches the heightfield b."""
    kind, d, x, size = solids.kinds[a], solids.shift, solids.place, solids.bounds[a]
    put(x, d[0], d[1], d[2])
    if kind == BOX or kind == HULL:
        for m in range(corner_count(solids, a)):
            corner_of(solids, a, m)
            ground_point(solids, b, 0.0, margin, size)
    elif is_line(kind):
        if kind == CYLINDER:
            rims(solids, a, b, margin)
        along_line(solids, a, b, margin)
    else:
        if kind == ELLIPSOID:
            for _k in range(STEPS):
                downwards(solids, b)
                support(solids, a, d, solids.axis, solids.far)
                put(x, solids.far[0], solids.far[1], solids.far[2])
        ground_point(solids, b, rounding(solids, a), margin, size)
