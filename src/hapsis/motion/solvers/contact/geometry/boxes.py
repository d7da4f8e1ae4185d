"""Two boxes: the axis of fifteen that separates them most [Ericson], and the contact points along it."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.geometry.candidates import add, least_gap
from hapsis.motion.solvers.contact.geometry.convex import apart, facing
from hapsis.motion.solvers.contact.geometry.features import box_edge
from hapsis.motion.solvers.contact.geometry.solids import Solids
from hapsis.motion.solvers.contact.geometry.vectors import cross, dot, put

FACE_FIRST = 1e-6  # of the sizes: an edge, or a face of the second box, must separate them this much more
FACE_FIRST_OF_GAP = 1e-3  # and this much of the gap
PARALLEL = 1e-6  # sin of the angle of two edges that have no axis
FACE = 1.0 - 1e-12  # cos of the angle of the normal to that of a face, where it is one


@native
def half_width(solids: Solids, k: int, axis: Array) -> float:
    """Half the width of box k along a unit vector."""
    pose, size = at(solids.poses, 12 * k), at(solids.sizes, 3 * k)
    width = 0.0
    for j in range(3):
        width += size[j] * abs(pose[j] * axis[0] + pose[3 + j] * axis[1] + pose[6 + j] * axis[2])
    return 0.5 * width


@native
def separation(solids: Solids, a: int, b: int, axis: Array) -> float:
    """The gap of two boxes along an axis, negative where they overlap; turns the axis from b to a."""
    middle = dot(solids.shift, axis)
    if middle < 0.0:
        put(axis, -axis[0], -axis[1], -axis[2])
    return abs(middle) - half_width(solids, a, axis) - half_width(solids, b, axis)


@native
def tie(solids: Solids, a: int, b: int, gap: float) -> float:
    """By how much more than a face of a an edge, or a face of b, must separate boxes to be chosen."""
    x, y = at(solids.sizes, 3 * a), at(solids.sizes, 3 * b)
    least = min(min(x[0], min(x[1], x[2])), min(y[0], min(y[1], y[2])))
    return FACE_FIRST * least + FACE_FIRST_OF_GAP * abs(gap)


@native
def box_axis(solids: Solids, a: int, b: int, margin: float) -> float:
    """The largest gap along an axis, which goes to `solids.normal`; the first that exceeds the margin."""
    n, axis, best = solids.normal, solids.axis, -1.0e300
    bias = 0.0
    for m in range(6):
        pose = at(solids.poses, 12 * (a if m < 3 else b))
        put(axis, pose[m % 3], pose[3 + m % 3], pose[6 + m % 3])
        gap = separation(solids, a, b, axis)
        if gap > best + bias:
            best = gap
            put(n, axis[0], axis[1], axis[2])
        if m == 2:
            bias = tie(solids, a, b, best)
        if best > margin:
            return best
    return max(best, edge_axis(solids, a, b, best + tie(solids, a, b, best)))


@native
def edge_axis(solids: Solids, a: int, b: int, least: float) -> float:
    """The largest gap along a common perpendicular of two edges, if it is more than `least`; else -1e300."""
    n, axis, best = solids.normal, solids.axis, -1.0e300
    first, second = solids.local, at(solids.local, 3)
    for i in range(3):
        pose = at(solids.poses, 12 * a)
        put(first, pose[i], pose[3 + i], pose[6 + i])
        for j in range(3):
            pose = at(solids.poses, 12 * b)
            put(second, pose[j], pose[3 + j], pose[6 + j])
            cross(first, second, axis)
            sine = sqrt(dot(axis, axis))
            if sine > PARALLEL:
                put(axis, axis[0] / sine, axis[1] / sine, axis[2] / sine)
                gap = separation(solids, a, b, axis)
                if gap > max(best, least):
                    best = gap
                    put(n, axis[0], axis[1], axis[2])
    return best


@native
def edge_point(solids: Solids, a: int, b: int, gap: float) -> None:
    """Adds the point where the edges of two boxes that are nearest along the normal cross."""
    n, middle_a, middle_b, edge_b = solids.normal, solids.polygon_a, solids.polygon_b, solids.face_b
    edge_a, back = solids.face_a, solids.axis
    put(back, -n[0], -n[1], -n[2])
    half_a = box_edge(solids, a, solids.shift, back, edge_a, middle_a)
    half_b = box_edge(solids, b, solids.origin, n, edge_b, middle_b)
    way = back
    put(way, middle_b[0] - middle_a[0], middle_b[1] - middle_a[1], middle_b[2] - middle_a[2])
    cosine = dot(edge_a, edge_b)
    determinant = max(1.0 - cosine * cosine, PARALLEL * PARALLEL)
    s = (dot(way, edge_a) - cosine * dot(way, edge_b)) / determinant
    t = (cosine * dot(way, edge_a) - dot(way, edge_b)) / determinant
    s, t = min(max(s, -half_a), half_a), min(max(t, -half_b), half_b)
    for c in range(3):
        solids.place[c] = 0.5 * (middle_a[c] + s * edge_a[c] + middle_b[c] + t * edge_b[c])
    add(solids, solids.place[0], solids.place[1], solids.place[2], gap)


@native
def box_box(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points where two boxes touch."""
    gap = box_axis(solids, a, b, margin)
    if gap > margin:
        return
    tolerance = 2.0 * tie(solids, a, b, gap)
    aligned = facing(solids, a, b, margin)
    if gap > 0.0 and least_gap(solids) > gap + tolerance:
        # along every axis they are nearer than they are: corners and edges
        solids.start_count = 0
        apart(solids, a, b, gap, margin)
    elif aligned < FACE or solids.found == 0:
        edge_point(solids, a, b, gap)
