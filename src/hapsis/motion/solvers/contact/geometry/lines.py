"""Segments, capsules and the sides of cylinders: lines along z with a radius."""

from hapsis.compiler.native import native
from hapsis.motion.solvers.contact.geometry.candidates import SAME, add, least_gap
from hapsis.motion.solvers.contact.geometry.features import axis_of
from hapsis.motion.solvers.contact.geometry.solids import CAPSULE, CYLINDER, SEGMENT, Solids
from hapsis.motion.solvers.contact.geometry.supports import half_length
from hapsis.motion.solvers.contact.geometry.vectors import cross, dot, norm, put

PARALLEL = 0.995  # cos of the angle of two lines, from which on they may touch at their ends too
ALONG = 1e-12  # sin² of the angle of two lines that count as parallel


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
def end_points(solids: Solids, a: int, b: int, sign: float, margin: float) -> None:
    """Adds the points where the ends of line a lie beside line b.

    sign   1 where the first solid of the pair is a, -1 where it is b
    """
    n, x, axis_a, axis_b = solids.normal, solids.place, solids.face_a, solids.face_b
    if sign < 0.0:
        axis_a, axis_b = solids.face_b, solids.face_a
    half_a, half_b = half_length(solids, a), half_length(solids, b)
    radius_a, radius_b = line_radius(solids, a), line_radius(solids, b)
    for end in range(2):
        s = half_a if end == 0 else -half_a
        for c in range(3):
            x[c] = sign * solids.shift[c] + s * axis_a[c]
        t = dot(x, axis_b)
        if abs(t) <= half_b:
            for c in range(3):
                n[c] = x[c] - t * axis_b[c]
            length = norm(n)
            gap = length - radius_a - radius_b
            if gap <= margin and length > 0.0:
                put(n, n[0] / length, n[1] / length, n[2] / length)
                far = radius_a + 0.5 * gap
                put(x, x[0] - far * n[0], x[1] - far * n[1], x[2] - far * n[2])
                add_end(solids, sign, gap)


@native
def add_end(solids: Solids, sign: float, gap: float) -> None:
    """Adds `place`, given about the p of the line that the end lies beside, with the normal turned."""
    n, x = solids.normal, solids.place
    put(n, sign * n[0], sign * n[1], sign * n[2])
    if sign < 0.0:
        for c in range(3):
            x[c] += solids.shift[c]
    add(solids, x[0], x[1], x[2], gap)


@native
def beside(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points at the ends of two lines that are nearly parallel and lie beside each other."""
    if abs(dot(solids.face_a, solids.face_b)) >= PARALLEL:
        end_points(solids, a, b, 1.0, margin)
        end_points(solids, b, a, -1.0, margin)


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
