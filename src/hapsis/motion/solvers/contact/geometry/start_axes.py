"""Axes along which two convex solids may be furthest apart, and that are known without a search."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.contact.geometry.features import axis_of
from hapsis.motion.solvers.contact.geometry.lines import is_line
from hapsis.motion.solvers.contact.geometry.solids import BOX, CYLINDER, Solids
from hapsis.motion.solvers.contact.geometry.supports import gap_along
from hapsis.motion.solvers.contact.geometry.vectors import cross, dot, norm, put, to_world

EQUAL = 1e-7  # of the size: gaps that differ by less are the same
STARTS = 16  # the most axes that are noted
SIDE = 1e-6  # cos of the angle of a normal to the axis of a cylinder that it touches at its side


@native
def size_of(solids: Solids, a: int, b: int) -> float:
    """The size of the smaller solid of a pair that has one."""
    x, y = solids.bounds[a], solids.bounds[b]
    return max(x, y) if min(x, y) == 0.0 else min(x, y)


@native
def try_axis(solids: Solids, a: int, b: int, axis: Array, best: float) -> float:
    """The gap along an axis if it is more than `best`, with the axis as the normal; else `best`."""
    length = norm(axis)
    if length > 0.0:
        if dot(axis, solids.shift) < 0.0:
            length = -length
        put(axis, axis[0] / length, axis[1] / length, axis[2] / length)
        gap = gap_along(solids, a, b, axis)
        note_start(solids, axis, gap)
        if gap > best + EQUAL * size_of(solids, a, b):
            put(solids.normal, axis[0], axis[1], axis[2])
            return gap
    return best


@native
def note_start(solids: Solids, axis: Array, gap: float) -> None:
    """Notes an axis that a search may begin with; where there are many, instead of the worst."""
    place = solids.start_count
    if place == STARTS:
        place = 0
        for k in range(1, STARTS):
            if solids.starts[4 * k + 3] < solids.starts[4 * place + 3]:
                place = k
        if solids.starts[4 * place + 3] >= gap:
            return
    else:
        solids.start_count += 1
    put(at(solids.starts, 4 * place), axis[0], axis[1], axis[2])
    solids.starts[4 * place + 3] = gap


@native
def face_axes(solids: Solids, a: int, b: int, k: int, best: float) -> float:
    """The largest gap along the normals of the faces of solid k of a pair, or `best`."""
    axis, kind = solids.axis, solids.kinds[k]
    if kind == BOX or kind == CYLINDER:
        for j in range(3):
            if kind == BOX or j == 2:
                axis_of(solids, k, j, axis)
                best = try_axis(solids, a, b, axis, best)
    return best


@native
def hull_axes(solids: Solids, a: int, b: int, k: int, best: float) -> float:
    """The largest gap along the normals of the faces of a hull of a pair, or `best`."""
    axis, sign = solids.axis, -1.0 if k == a else 1.0
    for f in range(solids.face_first[k], solids.face_first[k] + solids.face_count[k]):
        to_world(at(solids.poses, 12 * k), at(solids.face_normals, 3 * f), axis)
        put(axis, sign * axis[0], sign * axis[1], sign * axis[2])
        gap = gap_along(solids, a, b, axis)
        note_start(solids, axis, gap)
        if gap > best + EQUAL * size_of(solids, a, b):
            best = gap
            put(solids.normal, axis[0], axis[1], axis[2])
    return best


@native
def edge_axes(solids: Solids, a: int, b: int, best: float) -> float:
    """The largest gap perpendicular to the axis of the line a and to an edge of the box b, or `best`."""
    axis, line, edge = solids.axis, solids.face_a, solids.face_b
    axis_of(solids, a, 2, line)
    for j in range(3):
        axis_of(solids, b, j, edge)
        cross(line, edge, axis)
        if norm(axis) > SIDE:
            best = try_axis(solids, a, b, axis, best)
    return best


@native
def start_axis(solids: Solids, a: int, b: int) -> float:
    """The largest gap along axes that are known without a search; the axis goes to `normal`."""
    axis, d = solids.axis, solids.shift
    solids.start_count = 0
    best = face_axes(solids, a, b, b, -1.0e300)
    best = face_axes(solids, a, b, a, best)
    put(axis, d[0], d[1], d[2])
    best = try_axis(solids, a, b, axis, best)
    for k in range(2):
        # from the axis of a line straight to the other solid
        line = a if k == 0 else b
        if is_line(solids.kinds[line]):
            axis_of(solids, line, 2, solids.face_a)
            along = dot(solids.face_a, d)
            for c in range(3):
                axis[c] = d[c] - along * solids.face_a[c]
            best = try_axis(solids, a, b, axis, best)
    if is_line(solids.kinds[a]) and solids.kinds[b] == BOX:
        best = edge_axes(solids, a, b, best)
    if solids.kinds[a] == BOX and is_line(solids.kinds[b]):
        best = edge_axes(solids, b, a, best)
    if best == -1.0e300:
        put(solids.normal, 0.0, 0.0, 1.0)
        best = gap_along(solids, a, b, solids.normal)
    return best
