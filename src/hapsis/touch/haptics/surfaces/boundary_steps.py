"""Steps from places on the boundary of a face: into it, along it, out of a corner or a pole."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.touch.haptics.surfaces.evaluation import copy, evaluate
from hapsis.touch.haptics.surfaces.newton import limit_step, newton_step, product, slope, square_to
from hapsis.touch.haptics.surfaces.nurbs_memory import FACE, SEGMENT, NurbsMemory, U, V
from hapsis.touch.haptics.surfaces.paths import along, put_on

CORNER = 1e-12  # of a segment
RESTING = 1e-10  # of the size: gains of the distance below this are none


@native
def leave_pole(body: NurbsMemory, x: Array, place: Array) -> bool:
    """The step from a pole in the direction in which x comes nearer fastest; False if there is none."""
    face, step, best, chosen = int(place[FACE]), body.step, RESTING * body.size, -1
    copy(3, body.s, body.spot)
    for k in range(body.first_segment[face], body.first_segment[face + 1]):
        if body.pole[k] == 0:
            continue
        put_on(body, k, 0.5, body.path)
        evaluate(body, face, body.path[0], body.path[1])
        if square_to(body.s, body.spot) > RESTING * RESTING * body.size * body.size:
            continue
        e, s = at(body.ends, 4 * k), body.s
        mu, mv = e[1] - e[3], e[2] - e[0]
        length = sqrt(
            product(s, 3, 3) * mu * mu + 2.0 * product(s, 3, 6) * mu * mv + product(s, 6, 6) * mv * mv
        )
        gain = -(slope(s, x, 3) * mu + slope(s, x, 6) * mv) / length if length > 0.0 else 0.0
        if gain > best:
            best, chosen = gain, k
            step[0], step[1], step[2] = gain / length * mu, gain / length * mv, 0.0
            place[U], place[V] = body.path[0], body.path[1]
    evaluate(body, face, place[U], place[V])
    if chosen < 0:
        return False
    limit_step(body, face)
    place[SEGMENT] = -1.0
    return True


@native
def inward(body: NurbsMemory, k: int) -> float:
    """How far the step goes into the face from segment k."""
    e = at(body.ends, 4 * k)
    return (e[2] - e[0]) * body.step[1] - (e[3] - e[1]) * body.step[0]


@native
def gain_along(body: NurbsMemory, k: int, x: Array) -> float:
    """How fast x comes nearer along segment k, per metre of it."""
    e, s = at(body.ends, 4 * k), body.s
    eu, ev = e[2] - e[0], e[3] - e[1]
    length = product(s, 3, 3) * eu * eu + 2.0 * product(s, 3, 6) * eu * ev + product(s, 6, 6) * ev * ev
    return -(slope(s, x, 3) * eu + slope(s, x, 6) * ev) / sqrt(length) if length > 0.0 else 0.0


@native
def boundary_step(body: NurbsMemory, x: Array, place: Array) -> bool:
    """The step from a place on the boundary: into the face or along a segment; False at a nearest point.

    At a corner two segments decide. Into the face a step must pass both of a convex corner, one of another.
    """
    face, k = int(place[FACE]), int(place[SEGMENT])
    if body.pole[k] != 0:
        return leave_pole(body, x, place)
    w, first = along(body, k, place[U], place[V]), k
    if w <= CORNER:
        first = int(body.before[k])
    elif w < 1.0 - CORNER:
        newton_step(body, face, x, 0.0, 0.0)
        if inward(body, k) > 0.0:
            place[SEGMENT] = -1.0
        else:
            e = at(body.ends, 4 * k)
            newton_step(body, face, x, e[2] - e[0], e[3] - e[1])
        return True
    second = int(body.after[first])
    newton_step(body, face, x, 0.0, 0.0)
    e, f = at(body.ends, 4 * first), at(body.ends, 4 * second)
    turn = (e[2] - e[0]) * (f[3] - f[1]) - (e[3] - e[1]) * (f[2] - f[0])
    within = inward(body, first) > 0.0 and inward(body, second) > 0.0
    beside = inward(body, first) > 0.0 or inward(body, second) > 0.0
    if within or (turn < 0.0 and beside):
        place[SEGMENT] = -1.0
        return True
    back, on = -gain_along(body, first, x), gain_along(body, second, x)
    if max(back, on) <= RESTING * body.size:
        return False
    k = first if back > on else second
    place[SEGMENT] = float(k)
    put_on(body, k, 1.0 if back > on else 0.0, at(place, U))
    e = at(body.ends, 4 * k)
    newton_step(body, face, x, e[2] - e[0], e[3] - e[1])
    return True
