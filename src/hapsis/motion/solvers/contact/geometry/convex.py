"""Any two convex solids: the axis with the largest gap, and the contact points of their features along it.

Solids that are apart have their nearest points along it. Of solids that overlap, the first is moved out along
the best axis known until a small clearance is left; the way between the nearest points is then an axis along
which they overlap less, or the same one. This converges to the depth: the least shift that separates them. In
deep overlaps several axes are tried; one that is better still may be missed.
"""

from hapsis.compiler.native import at, native
from hapsis.motion.solvers.contact.geometry.candidates import add, least_gap
from hapsis.motion.solvers.contact.geometry.clipping import CAP, FACE, face_points
from hapsis.motion.solvers.contact.geometry.features import feature, rounding
from hapsis.motion.solvers.contact.geometry.lines import (
    along_each_other,
    axes_distance,
    beside,
    is_line,
    line_radius,
    nearest_point,
)
from hapsis.motion.solvers.contact.geometry.nearest import distance
from hapsis.motion.solvers.contact.geometry.solids import BOX, CAPSULE, CYLINDER, HULL, Solids
from hapsis.motion.solvers.contact.geometry.start_axes import EQUAL, SIDE, hull_axes, size_of, start_axis
from hapsis.motion.solvers.contact.geometry.supports import gap_along
from hapsis.motion.solvers.contact.geometry.vectors import dot, put

CLEAR = 1e-3  # of the smaller solid's size: solids nearer than that are moved apart first
ROUNDS = 24
BETTER = 1e-8  # of the size: what a round must gain to be followed by another
DEEP = 1e-3  # of the size: overlaps from which on several searches are made
SEARCHES = 4
FLAT = 1.0 - 5e-7  # cos of the angle from a normal to that of a face, where it is one


@native
def facing(solids: Solids, a: int, b: int, margin: float) -> float:
    """Adds the points where the features along the normal face each other; the cos of their best face."""
    n, back = solids.normal, solids.back
    put(back, -n[0], -n[1], -n[2])
    count_a = feature(solids, a, solids.shift, back, solids.polygon_a, solids.face_a)
    count_b = feature(solids, b, solids.origin, n, solids.polygon_b, solids.face_b)
    solids.firm = CAP if solids.kinds[a] == CYLINDER or solids.kinds[b] == CYLINDER else FACE
    cos_a = -dot(solids.face_a, n) if count_a > 2 else 0.0
    cos_b = dot(solids.face_b, n) if count_b > 2 else 0.0
    # a line that touches a face across another direction than the face's own lies on an edge of it
    if min(count_a, count_b) == 2 and max(cos_a, cos_b) < FLAT:
        along_each_other(solids, a, b, margin)
    if solids.found == 0:
        face_points(solids, count_a, count_b, margin, rounding(solids, a), rounding(solids, b))
    return max(cos_a, cos_b)


@native
def side_by_side(solids: Solids, a: int, b: int, least: float, margin: float) -> bool:
    """Whether two lines touch at their sides, with a gap of at least `least`; adds the points."""
    n, axis = solids.normal, solids.axis
    put(axis, n[0], n[1], n[2])
    gap = axes_distance(solids, a, b) - line_radius(solids, a) - line_radius(solids, b)
    across = solids.kinds[a] == CAPSULE or abs(dot(solids.face_a, n)) < SIDE
    if across and abs(dot(solids.face_b, n)) < SIDE and gap >= least:
        if gap <= margin:
            put(solids.near, n[0], n[1], n[2])
            beside(solids, a, b, margin)
            put(n, solids.near[0], solids.near[1], solids.near[2])
            if least_gap(solids) > gap + EQUAL * size_of(solids, a, b):
                nearest_point(solids, a, b, gap)
        return True
    put(n, axis[0], axis[1], axis[2])
    return False


@native
def separate(solids: Solids, a: int, b: int, gap: float, size: float) -> float:
    """The largest gap near the axis `normal`, along which the gap is given; see the head of this file.

    The axis goes to `normal`, the nearest points along it to near_a and near_b.
    """
    n, v, d, x = solids.normal, solids.near, solids.shift, solids.pushed
    rounded = rounding(solids, a) + rounding(solids, b)
    axis = solids.axis
    for _ in range(ROUNDS):
        push = CLEAR * size - gap - rounded
        for c in range(3):
            x[c], v[c] = d[c] + push * n[c], n[c]
        length = distance(solids, a, b, x, size, 1.0e300)
        for c in range(3):
            solids.near_a[c] -= push * n[c]
        if not length > 0.0:
            break
        put(axis, v[0] / length, v[1] / length, v[2] / length)
        new = gap_along(solids, a, b, axis)
        if not new > gap:
            break
        gain = new - gap
        put(n, axis[0], axis[1], axis[2])
        gap = new
        if gain <= BETTER * size:
            break
    return gap


@native
def least_depth(solids: Solids, a: int, b: int, gap: float, size: float) -> float:
    """The largest gap of solids that overlap, as `separate` finds it from the best few of the noted axes.

    The one along `normal` is given. Shallow overlaps need one search: there the other axes are far worse,
    but not of hulls with many small faces.
    """
    hulls = solids.kinds[b] == HULL and (solids.kinds[a] == HULL or solids.kinds[a] == BOX)
    if solids.kinds[b] == HULL:
        gap = hull_axes(solids, a, b, b, gap)
        if solids.kinds[a] == HULL:
            gap = hull_axes(solids, a, b, a, gap)
    if solids.start_count < 2:
        return separate(solids, a, b, gap, size)
    n, best, least = solids.normal, solids.best, -1.0e300
    for _ in range(SEARCHES):
        place = 0
        for k in range(1, solids.start_count):
            if solids.starts[4 * k + 3] > solids.starts[4 * place + 3]:
                place = k
        start = at(solids.starts, 4 * place)
        if start[3] <= -1.0e300:
            break
        put(n, start[0], start[1], start[2])
        gap = separate(solids, a, b, start[3], size)
        start[3] = -1.0e300
        if gap > least:
            least = gap
            put(best, n[0], n[1], n[2])
            for c in range(3):
                best[3 + c], best[6 + c] = solids.near_a[c], solids.near_b[c]
        if least > -DEEP * size and not hulls:
            break
    put(n, best[0], best[1], best[2])
    for c in range(3):
        solids.near_a[c], solids.near_b[c] = best[3 + c], best[6 + c]
    return least


@native
def apart(solids: Solids, a: int, b: int, gap: float, margin: float) -> None:
    """Adds the points of two solids from the axis `normal` on, along which they have that gap."""
    n, v, size = solids.normal, solids.near, size_of(solids, a, b)
    rounded = rounding(solids, a) + rounding(solids, b)
    put(v, n[0], n[1], n[2])
    length = distance(solids, a, b, solids.shift, size, margin + rounded)
    if length > CLEAR * size:
        gap = length - rounded
        put(n, v[0] / length, v[1] / length, v[2] / length)
    else:
        if length > EQUAL * size:
            put(n, v[0] / length, v[1] / length, v[2] / length)
            gap = gap_along(solids, a, b, n)
            gap = separate(solids, a, b, gap, size)
        else:
            gap = least_depth(solids, a, b, gap, size)
    solids.found = 0
    if gap <= margin:
        x, y = solids.near_a, solids.near_b
        lean = 0.5 * (rounding(solids, b) - rounding(solids, a))
        for c in range(3):
            solids.place[c] = 0.5 * (x[c] + y[c]) + lean * n[c]
        facing(solids, a, b, margin)
        if least_gap(solids) > gap + 2.0 * EQUAL * size:
            add(solids, solids.place[0], solids.place[1], solids.place[2], gap)


@native
def convex(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points where two convex solids touch; the least gap is that of the solids."""
    gap = start_axis(solids, a, b)
    if gap > margin:
        return
    size = size_of(solids, a, b)
    if is_line(solids.kinds[a]) and solids.kinds[b] == CYLINDER:
        if side_by_side(solids, a, b, gap - EQUAL * size, margin):
            return
    facing(solids, a, b, margin)
    if gap < -DEEP * size or least_gap(solids) > gap + 2.0 * EQUAL * size:
        apart(solids, a, b, gap, margin)
