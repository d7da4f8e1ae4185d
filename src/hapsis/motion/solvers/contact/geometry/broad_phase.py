"""The pairs of solids whose bounding balls are near each other, by sweep and prune [Ericson].

The balls' intervals along one axis are kept in order between calls: solids that moved a little are nearly
sorted already. The axis is the one of x, y, z along which the centres are spread most.
"""

from hapsis.compiler.native import Array, Ints, at, constant, native, record, sized
from hapsis.motion.solvers.contact.geometry.solids import PLANE, UNBOUNDED, Solids


@record
class Sweep:
    """The order of solids along an axis, kept between calls.

    The order begins as any: `started` says whether it holds the numbers of all bounded solids yet.
    """

    count: int = constant()
    started: bool = False
    axis: int = 0
    bounded: int = 0  # how many solids are no grounds
    grounds: int = 0
    order: Ints = sized("count")  # the bounded ones by their lower ends, then the grounds
    lower: Array = sized("count")
    upper: Array = sized("count")


@native
def begin(solids: Solids, sweep: Sweep) -> None:
    """Puts the bounded solids first, the grounds last."""
    sweep.bounded, sweep.grounds = 0, 0
    for k in range(solids.count):
        if solids.bounds[k] < UNBOUNDED:
            sweep.order[sweep.bounded] = k
            sweep.bounded += 1
        else:
            sweep.grounds += 1
            sweep.order[solids.count - sweep.grounds] = k
    sweep.started = True


@native
def widest_axis(solids: Solids, sweep: Sweep) -> int:
    """The axis 0, 1 or 2 along which the centres of the bounded solids are spread most."""
    widest, most = 0, -1.0
    for c in range(3):
        total, squares = 0.0, 0.0
        base = solids.poses[12 * sweep.order[0] + 9 + c]
        for m in range(sweep.bounded):
            x = solids.poses[12 * sweep.order[m] + 9 + c] - base
            total += x
            squares += x * x
        spread = squares - total * total / sweep.bounded
        if spread > most:
            widest, most = c, spread
    return widest


@native
def sort(solids: Solids, margins: Array, sweep: Sweep) -> None:
    """Renews the intervals and their order, by insertion."""
    lower, order = sweep.lower, sweep.order
    for m in range(sweep.bounded):
        k = order[m]
        x, r = solids.poses[12 * k + 9 + sweep.axis], solids.bounds[k] + margins[k]
        lower[k], sweep.upper[k] = x - r, x + r
    for m in range(1, sweep.bounded):
        k = order[m]
        low, place = lower[k], m
        while place > 0 and lower[order[place - 1]] > low:
            order[place] = order[place - 1]
            place -= 1
        order[place] = k


@native
def near(solids: Solids, margins: Array, a: int, b: int) -> bool:
    """Whether the bounding balls of two solids, with their margins, overlap."""
    p, q = at(solids.poses, 12 * a + 9), at(solids.poses, 12 * b + 9)
    x, y, z = p[0] - q[0], p[1] - q[1], p[2] - q[2]
    r = solids.bounds[a] + solids.bounds[b] + margins[a] + margins[b]
    return x * x + y * y + z * z <= r * r


@native
def near_ground(solids: Solids, margins: Array, a: int, b: int) -> bool:
    """Whether the bounding ball of a reaches the plane b; always true for a heightfield."""
    if solids.kinds[b] != PLANE:
        return True
    pose, p = at(solids.poses, 12 * b), at(solids.poses, 12 * a + 9)
    height = 0.0
    for c in range(3):
        height += pose[3 * c + 2] * (p[c] - pose[9 + c])
    return height <= solids.bounds[a] + margins[a] + margins[b]


@native
def candidates(solids: Solids, margins: Array, sweep: Sweep, table: Ints, pairs: Ints) -> int:
    """How many pairs may touch; their numbers go to `pairs`, in an order that depends on the order before.

    margins   how far each solid may move meanwhile, m: two solids are near if the gap is not above their sum
    table     count by count: the number of the pair of two solids, the same both ways round, or -1
    """
    if not sweep.started:
        begin(solids, sweep)
    found, count, order = 0, solids.count, sweep.order
    if sweep.bounded > 0:
        sweep.axis = widest_axis(solids, sweep)
        sort(solids, margins, sweep)
    for m in range(sweep.bounded):
        a = order[m]
        high = sweep.upper[a]
        row = at(table, count * a)
        for other in range(m + 1, sweep.bounded):
            b = order[other]
            if sweep.lower[b] > high:
                break
            if row[b] >= 0 and near(solids, margins, a, b):
                pairs[found] = row[b]
                found += 1
        for other in range(sweep.bounded, count):
            b = order[other]
            if row[b] >= 0 and near_ground(solids, margins, a, b):
                pairs[found] = row[b]
                found += 1
    return found
