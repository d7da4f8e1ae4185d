"""The nearest point of a body, traced from face to face; and found anew among all of them."""

from hapsis.compiler.native import Array, at, constant, native, record, sized, sqrt
from hapsis.touch.haptics.surfaces.evaluation import copy, evaluate, evaluate_normal
from hapsis.touch.haptics.surfaces.newton import square_to
from hapsis.touch.haptics.surfaces.nurbs_memory import FACE, HELD, PLACE, SEGMENT, SQUARE, NurbsMemory, U, V
from hapsis.touch.haptics.surfaces.paths import along, put_on
from hapsis.touch.haptics.surfaces.settling import settle

HOPS = 8  # to other faces in one call
NEARER = 1e-12  # of the distance: what a hop must gain
END = 1e-6  # of a segment: nearer to its end, the segment beyond it counts too


@record
class Leaves:
    """Small parts of faces: a ball around the control points of each, and a place on it to start from."""

    count: int = constant()
    balls: Array = sized("4 * count")  # centre and radius
    samples: Array = sized("3 * count")  # the point of the start
    starts: Array = sized("4 * count")  # face, u, v, segment or -1


@native
def map_over(body: NurbsMemory, place: Array, k: int) -> bool:
    """The place on the face behind segment k that meets a place, to `body.mapped`; False without one."""
    j, mapped = int(body.other[k]), body.mapped
    if j < 0:
        return False
    face = 0
    while body.first_segment[face + 1] <= j:
        face += 1
    evaluate(body, int(place[FACE]), place[U], place[V])
    copy(3, body.s, body.spot)
    mapped[FACE], mapped[SEGMENT] = float(face), float(j)
    put_on(body, j, 0.5, at(mapped, U))
    target = at(body.trial, 0)
    copy(3, body.spot, target)
    settle(body, target, mapped, 0.0, 1.0)
    return True


@native
def try_over(body: NurbsMemory, x: Array, place: Array, k: int, mu: float, side: float) -> None:
    """Keeps in `body.best` what is nearest of it and of the face behind segment k."""
    if map_over(body, place, k):
        settle(body, x, body.mapped, mu, side)
        if body.mapped[SQUARE] < body.best[SQUARE]:
            copy(PLACE, body.mapped, body.best)


@native
def trace(body: NurbsMemory, x: Array, place: Array, mu: float, side: float) -> None:
    """Moves a place to the nearest point of the body that leads downhill from it, across edges."""
    settle(body, x, place, mu, side)
    for _ in range(HOPS):
        k = int(place[SEGMENT])
        if k < 0 or place[HELD] != 0.0:
            return
        copy(PLACE, place, body.best)
        body.best[SQUARE] = place[SQUARE] * (1.0 - NEARER) - NEARER * NEARER * body.size * body.size
        w = along(body, k, place[U], place[V])
        try_over(body, x, place, k, mu, side)
        if w < END:
            try_over(body, x, place, int(body.before[k]), mu, side)
        elif w > 1.0 - END:
            try_over(body, x, place, int(body.after[k]), mu, side)
        if body.best[FACE] == place[FACE] and body.best[U] == place[U] and body.best[V] == place[V]:
            return
        copy(PLACE, body.best, place)


@native
def outward(body: NurbsMemory, place: Array, n: Array) -> None:
    """The direction out of the body at a place; on an edge the sum of the normals of both faces."""
    evaluate_normal(body, place)
    copy(3, body.n, n)
    k = int(place[SEGMENT])
    if k >= 0 and map_over(body, place, k):
        evaluate_normal(body, body.mapped)
        for c in range(3):
            n[c] += body.n[c]
    evaluate(body, int(place[FACE]), place[U], place[V])


@native
def nearest_sample(leaves: Leaves, x: Array, first: int, count: int) -> int:
    """The leaf, of `count` from `first` on in a ring, whose sample is nearest to x."""
    best, least = first, -1.0
    for i in range(count):
        k = first + i
        if k >= leaves.count:
            k -= leaves.count
        square = square_to(at(leaves.samples, 3 * k), x)
        if least < 0.0 or square < least:
            best, least = k, square
    return best


@native
def next_candidate(leaves: Leaves, x: Array, first: int, count: int, distance: float) -> int:
    """The first leaf, of `count` from `first` on in a ring, whose ball is nearer to x than this; or -1."""
    for i in range(count):
        k = (first + i) % leaves.count
        ball = at(leaves.balls, 4 * k)
        reach = distance * (1.0 - NEARER) + ball[3]
        if square_to(ball, x) < reach * reach:
            return k
    return -1


@native
def start_at(leaves: Leaves, k: int, place: Array) -> None:
    """The place where leaf k starts."""
    copy(4, at(leaves.starts, 4 * k), place)


@native
def global_nearest(body: NurbsMemory, leaves: Leaves, x: Array, place: Array, trial: Array) -> int:
    """Moves a place to the nearest point of all faces; the number of leaves it was traced from.

    A leaf is left out when the ball around its control points, and so all of it, is further away than the
    nearest point so far.
    """
    start_at(leaves, nearest_sample(leaves, x, 0, leaves.count), place)
    trace(body, x, place, 0.0, 1.0)
    traced, first = 1, 0
    while first < leaves.count:
        k = next_candidate(leaves, x, first, leaves.count - first, sqrt(place[SQUARE]))
        if k < 0:
            break
        start_at(leaves, k, trial)
        trace(body, x, trial, 0.0, 1.0)
        if trial[SQUARE] < place[SQUARE]:
            copy(PLACE, trial, place)
        traced, first = traced + 1, k + 1
    return traced
