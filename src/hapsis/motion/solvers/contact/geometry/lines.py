"""Segments, capsules and the sides of cylinders: lines along z with a radius. Edges are lines without one."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.geometry.candidates import SAME, add, least_gap
from hapsis.motion.solvers.contact.geometry.features import axis_of, box_edge, hull_edge
from hapsis.motion.solvers.contact.geometry.solids import BOX, CAPSULE, CYLINDER, HULL, SEGMENT, Solids
from hapsis.motion.solvers.contact.geometry.supports import half_length
from hapsis.motion.solvers.contact.geometry.vectors import cross, dot, norm, put

PARALLEL = 0.995  # cos of the angle of two lines, from which on they may touch at their ends too
ALONG = 1e-12  # sin² of the angle of two lines that count as parallel
LEVEL = 0.1  # cos of the angle of a normal to an edge or an axis that it is across
TURNS = 4  # each brings the rim of a cap a hundred times nearer to where it is nearest
HIGH = 1e300


@native
def is_line(kind: int) -> bool:
    """Whether a solid is a line along z with a radius, at least at its side."""
    return kind == SEGMENT or kind == CAPSULE or kind == CYLINDER


@native
def line_radius(solids: Solids, k: int) -> float:
    """The radius about the axis of a segment, capsule or cylinder."""
    return 0.0 if solids.kinds[k] == SEGMENT else solids.sizes[3 * k]


@native
def axes_distance(solids: Solids, a: int, b: int) -> float:
    """The distance of the axes of two lines; the nearest points go to near_a, near_b, the way to `normal`.

    The way is a unit vector from b to a, also where the axes cross.
    """
    axis_a, axis_b, d = solids.face_a, solids.face_b, solids.shift
    axis_of(solids, a, 2, axis_a)
    axis_of(solids, b, 2, axis_b)
    half_a, half_b = half_length(solids, a), half_length(solids, b)
    cosine, along_a, along_b = dot(axis_a, axis_b), dot(d, axis_a), dot(d, axis_b)
    determinant = 1.0 - cosine * cosine
    s = 0.0
    if determinant > ALONG:
        s = (cosine * along_b - along_a) / determinant
    else:
        # parallel: the middle of where they lie beside each other, on a
        low = max(-half_a, -along_a - half_b)
        high = min(half_a, -along_a + half_b)
        s = 0.5 * (low + high)
    s = min(max(s, -half_a), half_a)
    t = min(max(along_b + s * cosine, -half_b), half_b)
    s = min(max(t * cosine - along_a, -half_a), half_a)
    n = solids.normal
    for c in range(3):
        solids.near_a[c], solids.near_b[c] = d[c] + s * axis_a[c], t * axis_b[c]
        n[c] = solids.near_a[c] - solids.near_b[c]
    length = norm(n)
    if length > 0.0:
        put(n, n[0] / length, n[1] / length, n[2] / length)
    else:
        crossing_normal(solids, b)
    return length


@native
def crossing_normal(solids: Solids, b: int) -> None:
    """A unit vector perpendicular to the axes of two lines that cross: to `normal`."""
    n = solids.normal
    cross(solids.face_a, solids.face_b, n)
    length = norm(n)
    if length <= 0.0:
        axis_of(solids, b, 0, n)
        length = 1.0
    put(n, n[0] / length, n[1] / length, n[2] / length)


@native
def axis_line(solids: Solids, k: int, shift: Array, line: Array) -> None:
    """Writes the axis of a segment, capsule or cylinder about `shift` as a line: its middle, direction, half
    length, radius, and 1 where it ends in caps, not in half balls."""
    put(line, shift[0], shift[1], shift[2])
    axis_of(solids, k, 2, at(line, 3))
    line[6], line[7] = half_length(solids, k), line_radius(solids, k)
    line[8] = 1.0 if solids.kinds[k] == CYLINDER else 0.0


@native
def line_along(solids: Solids, k: int, shift: Array, along: Array, line: Array) -> bool:
    """Whether a solid is furthest along a direction at an edge or a side across it; writes that as a line."""
    kind = solids.kinds[k]
    if is_line(kind):
        axis_line(solids, k, shift, line)
    elif kind == BOX:
        line[6] = box_edge(solids, k, shift, along, at(line, 3), line)
    elif kind == HULL:
        line[6] = hull_edge(solids, k, shift, along, at(line, 3), line)
    else:
        return False
    if not is_line(kind):
        line[7], line[8] = 0.0, 0.0
    return line[6] > 0.0 and abs(dot(at(line, 3), along)) <= LEVEL


@native
def end_of(solids: Solids, line: Array, other: Array, side: float, out: Array) -> float:
    """Where the end of a line is nearest to another one that goes on for ever: a place on its surface.

    The gap is returned, HIGH where the end lies on the other's axis; the normal from the other line goes to
    `normal`. A cap has no place nearer than its rim: n is the way there where n ~ w + r (a n) a / |a x n|.
    """
    n, b, a, w = solids.normal, at(other, 3), at(line, 3), solids.end
    for c in range(3):
        out[c] = line[c] + side * line[6] * a[c]
        w[c] = out[c] - other[c]
    t, lean = dot(w, b), dot(a, b)
    for c in range(3):
        w[c] -= t * b[c]
        n[c] = w[c]
    length = norm(n)
    if not length > 0.0:
        return HIGH
    put(n, n[0] / length, n[1] / length, n[2] / length)
    cosine, sine = 0.0, 1.0
    if line[8] > 0.0:
        for _ in range(TURNS):
            cosine = dot(a, n)
            sine = sqrt(max(1.0 - cosine * cosine, 0.0))
            for c in range(3):
                n[c] = w[c] + line[7] * cosine / sine * (a[c] - lean * b[c])
            length = norm(n)
            put(n, n[0] / length, n[1] / length, n[2] / length)
        cosine = dot(a, n)
        sine = sqrt(max(1.0 - cosine * cosine, 0.0))
    for c in range(3):
        out[c] -= line[7] * (n[c] - cosine * a[c]) / sine
    return dot(w, n) - line[7] * sine - other[7]


@native
def ends_beside(solids: Solids, margin: float) -> None:
    """Adds the points at both ends of what line_a and line_b, nearly parallel, have beside each other."""
    first, second, n = solids.line_a, solids.line_b, solids.normal
    out, kept = at(solids.end, 3), at(solids.end, 6)
    turned = 1.0 if dot(at(first, 3), at(second, 3)) >= 0.0 else -1.0
    for k in range(2):
        side = 1.0 - 2.0 * k
        gap = end_of(solids, first, second, side * turned, out)
        past = side * way_along(second, out) - second[6]
        if past < -2.0 * second[6]:
            return  # they lie behind each other
        lean = -0.5 * gap
        if past > 0.0:
            # the second ends before the first, or both where caps lean over each other
            put(kept, n[0], n[1], n[2])
            put(at(solids.end, 9), out[0], out[1], out[2])
            other = end_of(solids, second, first, side, out)
            beyond = side * turned * way_along(first, out) - first[6]
            if beyond < -2.0 * first[6]:
                return
            if beyond <= 0.0 or other > gap:
                gap, lean = other, 0.5 * other
                put(n, -n[0], -n[1], -n[2])
            else:
                put(n, kept[0], kept[1], kept[2])
                put(out, kept[3], kept[4], kept[5])
        if gap <= margin:
            add(solids, out[0] + lean * n[0], out[1] + lean * n[1], out[2] + lean * n[2], gap)


@native
def way_along(line: Array, x: Array) -> float:
    """How far a place lies along a line from its middle."""
    return line[3] * (x[0] - line[0]) + line[4] * (x[1] - line[1]) + line[5] * (x[2] - line[2])


@native
def beside(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points at the ends of two lines that are nearly parallel and lie beside each other."""
    if abs(dot(solids.face_a, solids.face_b)) >= PARALLEL:
        axis_line(solids, a, solids.shift, solids.line_a)
        axis_line(solids, b, solids.origin, solids.line_b)
        ends_beside(solids, margin)


@native
def along_each_other(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points at the ends of a line that lies along a line or an edge, across the pair's normal."""
    n, back = solids.normal, solids.back
    if not is_line(solids.kinds[a]) and not is_line(solids.kinds[b]):
        return
    put(back, -n[0], -n[1], -n[2])
    if not line_along(solids, a, solids.shift, back, solids.line_a):
        return
    if not line_along(solids, b, solids.origin, n, solids.line_b):
        return
    if abs(dot(at(solids.line_a, 3), at(solids.line_b, 3))) >= PARALLEL:
        ends_beside(solids, margin)
        put(n, -back[0], -back[1], -back[2])


@native
def lines(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points where two segments or capsules touch."""
    gap = axes_distance(solids, a, b) - line_radius(solids, a) - line_radius(solids, b)
    if gap > margin:
        return
    put(solids.near, solids.normal[0], solids.normal[1], solids.normal[2])
    beside(solids, a, b, margin)
    if least_gap(solids) > gap + SAME * min(solids.bounds[a], solids.bounds[b]):
        put(solids.normal, solids.near[0], solids.near[1], solids.near[2])
        nearest_point(solids, a, b, gap)


@native
def nearest_point(solids: Solids, a: int, b: int, gap: float) -> None:
    """Adds the point halfway between the lines at near_a and near_b."""
    n, x, y = solids.normal, solids.near_a, solids.near_b
    lean = 0.5 * (line_radius(solids, b) - line_radius(solids, a))
    for c in range(3):
        solids.place[c] = 0.5 * (x[c] + y[c]) + lean * n[c]
    add(solids, solids.place[0], solids.place[1], solids.place[2], gap)
