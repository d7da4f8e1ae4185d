"""Solids on planes: the gaps of their corners."""

from hapsis.compiler.native import at, native
from hapsis.motion.solvers.contact.geometry.candidates import add
from hapsis.motion.solvers.contact.geometry.features import axis_of, feature, rounding
from hapsis.motion.solvers.contact.geometry.solids import BOX, HULL, ROOM, Solids
from hapsis.motion.solvers.contact.geometry.vectors import dot, put, to_world


@native
def corner_count(solids: Solids, k: int) -> int:
    """How many corners a box or a hull has."""
    return 8 if solids.kinds[k] == BOX else solids.corner_count[k]


@native
def corner_of(solids: Solids, k: int, m: int) -> None:
    """Corner m of a box or a hull, about the second solid's p, to `solids.place`."""
    pose, out, local = at(solids.poses, 12 * k), solids.place, solids.local
    if solids.kinds[k] == BOX:
        size = at(solids.sizes, 3 * k)
        for c in range(3):
            local[c] = 0.5 * size[c] if (m >> c) & 1 else -0.5 * size[c]
        to_world(pose, local, out)
    else:
        to_world(pose, at(solids.corners, 3 * (solids.corner_first[k] + m)), out)
    put(out, out[0] + solids.shift[0], out[1] + solids.shift[1], out[2] + solids.shift[2])


@native
def on_plane(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points where solid a touches the plane b: corners of a box or a hull, or of its feature."""
    n, x, size = solids.normal, solids.place, rounding(solids, a)
    axis_of(solids, b, 2, n)
    if solids.kinds[a] == BOX or solids.kinds[a] == HULL:
        for m in range(corner_count(solids, a)):
            corner_of(solids, a, m)
            add_above(solids, dot(n, x), 0.0, margin)
        return
    put(solids.axis, -n[0], -n[1], -n[2])
    count = feature(solids, a, solids.shift, solids.axis, solids.polygon_a, solids.face_a)
    for m in range(min(count, ROOM)):
        corner = at(solids.polygon_a, 3 * m)
        put(x, corner[0], corner[1], corner[2])
        add_above(solids, dot(n, x), size, margin)


@native
def add_above(solids: Solids, height: float, radius: float, margin: float) -> None:
    """Adds the point under `solids.place`, at a height above the plane, rounded with a radius."""
    n, x, gap = solids.normal, solids.place, height - radius
    if gap <= margin:
        t = radius + 0.5 * gap
        add(solids, x[0] - t * n[0], x[1] - t * n[1], x[2] - t * n[2], gap)
