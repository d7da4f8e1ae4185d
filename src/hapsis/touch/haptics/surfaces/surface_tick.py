"""One tick of a probe on a body of NURBS faces: a proxy on the surface, the force of a spring to it.

The proxy p is the point of the surface that the probe x presses against: while they touch it is traced
downhill on the face that was met, within the friction cone, whatever lies behind. The spring pulls to a
point c that follows p:

    F = k (c - x),  |c_new - c| <= |x_new - x| + slip dt,  |c_new - x_new| <= |c - x_new|

So the force never jumps, and the energy of the spring only grows by what the hand gives (see `docs`).
"""

from hapsis.compiler.native import Array, at, constant, native, record, sized, sqrt
from hapsis.touch.haptics.surfaces.evaluation import copy, evaluate_normal
from hapsis.touch.haptics.surfaces.newton import square_to
from hapsis.touch.haptics.surfaces.nurbs_memory import FACE, HELD, PLACE, SEGMENT, SQUARE, NurbsMemory, U, V
from hapsis.touch.haptics.surfaces.tracing import (
    Leaves,
    nearest_sample,
    next_candidate,
    outward,
    start_at,
    trace,
)

NEW, FREE, TOUCHING = range(3)
# numbers of the state: mode, side of the surface, place, the leaf to search from, c, the last probe, time
MODE, SIDE, PLACED, CURSOR, PULL, PROBE, TIME = 0, 1, 2, 8, 9, 12, 15
STATE = 16
OUTPUTS = 13
STRIDES = 64.0  # at most in a tick, besides those that the distance allows
MET = 1e-9  # of a motion by which a surface that was met may lie beyond it


@record
class SurfaceTouch:
    """What a tick needs besides its state."""

    body: NurbsMemory
    leaves: Leaves
    dt: float = constant()
    stiffness: float = constant()
    friction: float = constant()
    slip: float = constant()
    solid: int = constant()  # whether it is felt from the side of its normals only
    scan: int = constant()  # leaves that are looked at in a tick
    place: Array = sized("6")
    other: Array = sized("6")
    n: Array = sized("3")
    goal: Array = sized("3")
    point: Array = sized("3")  # on the way of the probe in a tick


@native
def side_of(touch: SurfaceTouch, x: Array, old: float) -> float:
    """The side of the surface on which x lies, +1 where the normal points to; on it the old one."""
    outward(touch.body, touch.place, touch.n)
    s, n = touch.body.s, touch.n
    height = (x[0] - s[0]) * n[0] + (x[1] - s[1]) * n[1] + (x[2] - s[2]) * n[2]
    if height == 0.0:
        return old
    return 1.0 if height > 0.0 else -1.0


@native
def at_rim(body: NurbsMemory, place: Array) -> bool:
    """Whether a place is at a boundary where no other face begins."""
    k = int(place[SEGMENT])
    return k >= 0 and body.other[k] < 0 and body.pole[k] == 0


@native
def try_leaf(touch: SurfaceTouch, x: Array, k: int) -> None:
    """Takes the place traced from leaf k, if it is nearer."""
    start_at(touch.leaves, k, touch.other)
    trace(touch.body, x, touch.other, 0.0, 1.0)
    if touch.other[SQUARE] < touch.place[SQUARE]:
        copy(PLACE, touch.other, touch.place)


@native
def look_around(touch: SurfaceTouch, x: Array, y_new: Array) -> None:
    """Traces the place of a free probe, and from two other leaves of those whose turn it is: the one with the
    nearest sample, and the next one of which some part may be nearer than the place."""
    leaves, first = touch.leaves, int(y_new[CURSOR])
    trace(touch.body, x, touch.place, 0.0, 1.0)
    try_leaf(touch, x, nearest_sample(leaves, x, first, touch.scan))
    k = next_candidate(leaves, x, first, touch.scan, sqrt(touch.place[SQUARE]))
    if k >= 0:
        try_leaf(touch, x, k)
    y_new[CURSOR] = float((k + 1 if k >= 0 else first + touch.scan) % leaves.count)


@native
def free_tick(touch: SurfaceTouch, x: Array, y_new: Array) -> None:
    """A probe that touches nothing: it does from where its way has crossed the surface.

    A way that is longer than the distance of the surface is gone in strides of that distance, so that it
    cannot pass a thin part within a tick.
    """
    first, point = at(y_new, PROBE), touch.point
    moved, gone = sqrt(square_to(first, x)), 0.0
    while y_new[MODE] == FREE:
        stride = max(sqrt(touch.place[SQUARE]), moved / STRIDES)
        last = gone + stride >= moved
        if last:
            stride = moved - gone
        gone += stride
        for i in range(3):
            point[i] = x[i] if last else first[i] + gone / moved * (x[i] - first[i])
        meet(touch, point, stride, y_new)
        if last:
            break
    if y_new[MODE] == TOUCHING:
        trace(touch.body, x, touch.place, touch.friction, y_new[SIDE])


@native
def meet(touch: SurfaceTouch, x: Array, moved: float, y_new: Array) -> None:
    """Begins a contact where the last way of this length, which ends at x, has crossed the surface."""
    look_around(touch, x, y_new)
    side = side_of(touch, x, y_new[SIDE])
    # both ends of a way that crosses a surface are nearer to it than the way is long
    met = sqrt(touch.place[SQUARE]) <= moved * (1.0 + MET)
    felt = y_new[SIDE] > 0.0 or touch.solid == 0
    if felt and side != y_new[SIDE] and met and not at_rim(touch.body, touch.place):
        y_new[MODE] = float(TOUCHING)
    else:
        y_new[SIDE] = side


@native
def touching_tick(touch: SurfaceTouch, x: Array, y_new: Array) -> None:
    """A probe behind the surface: the proxy slides as far as friction lets it; or the probe comes free."""
    place, body = touch.place, touch.body
    trace(body, x, place, touch.friction, y_new[SIDE])
    evaluate_normal(body, place)
    s, n = body.s, body.n
    depth = (s[0] - x[0]) * n[0] + (s[1] - x[1]) * n[1] + (s[2] - x[2]) * n[2]
    if y_new[SIDE] * depth <= 0.0 or (at_rim(body, place) and place[HELD] == 0.0):
        y_new[MODE] = float(FREE)
        look_around(touch, x, y_new)
        y_new[SIDE] = side_of(touch, x, y_new[SIDE])


@native
def follow(touch: SurfaceTouch, first: Array, x: Array, c: Array) -> None:
    """Moves c towards the goal, and never farther away from x than it is.

    It starts where it was, or, if that is nearer to the goal, where it would be if it had gone along with the
    probe from `first` to x, and goes by `slip` dt: so a fast probe that is free, or that slides without
    friction, drags nothing behind it.
    """
    goal, along = touch.goal, touch.point
    before = square_to(c, x)
    for i in range(3):
        along[i] = c[i] + x[i] - first[i]
    if square_to(along, goal) < square_to(c, goal) and square_to(along, x) <= before:
        copy(3, along, c)
    length = sqrt(square_to(goal, c))
    if length == 0.0:
        return
    t = min(1.0, touch.slip * touch.dt / length)
    if square_to(goal, x) > before:
        # |c + t d - x|² <= before
        inner = 0.0
        for i in range(3):
            inner += (goal[i] - c[i]) * (c[i] - x[i])
        room = max(0.0, before - square_to(c, x))
        t = min(t, (sqrt(inner * inner + length * length * room) - inner) / (length * length))
    for i in range(3):
        c[i] = goal[i] if t == 1.0 else c[i] + max(0.0, t) * (goal[i] - c[i])


@native
def surface_tick(y: Array, u: Array, live: Array, y_new: Array, out: Array, touch: SurfaceTouch) -> None:
    """A tick from y to y_new with the probe at u; forces, proxy, gap, contact and the rest to out."""
    x, place, c = u, touch.place, at(y_new, PULL)
    copy(STATE, y, y_new)
    copy(PLACE, at(y, PLACED), place)
    if y[MODE] == NEW:
        start_at(touch.leaves, nearest_sample(touch.leaves, x, 0, touch.leaves.count), place)
        look_around(touch, x, y_new)
        y_new[SIDE] = side_of(touch, x, 1.0)
        y_new[MODE] = float(FREE)
        copy(3, x, c)
        copy(3, x, at(y_new, PROBE))
    elif y[MODE] == FREE:
        free_tick(touch, x, y_new)
    else:
        touching_tick(touch, x, y_new)
    touches = y_new[MODE] == TOUCHING
    for i in range(3):
        touch.goal[i] = touch.body.s[i] if touches else x[i]
    follow(touch, at(y_new, PROBE), x, c)
    copy(PLACE, place, at(y_new, PLACED))
    copy(3, x, at(y_new, PROBE))
    y_new[TIME] = y[TIME] + touch.dt
    for i in range(3):
        out[i] = touch.stiffness * (c[i] - x[i])
        out[3 + i] = touch.goal[i]
    out[6] = -sqrt(square_to(touch.goal, x)) if touches else sqrt(place[SQUARE])
    out[7] = 1.0 if touches else 0.0
    out[8], out[9], out[10] = place[FACE], place[U], place[V]
    still = y[PLACED] == place[FACE] and y[PLACED + U] == place[U] and y[PLACED + V] == place[V]
    out[11] = 1.0 if touches and not still else 0.0
    out[12] = 0.5 * touch.stiffness * square_to(c, x)
