"""The nearest point of one face, from a place near it: damped steps within its boundary, and friction."""

from hapsis.compiler.native import Array, at, native
from hapsis.touch.haptics.surfaces.boundary_steps import boundary_step
from hapsis.touch.haptics.surfaces.evaluation import copy, evaluate, normal_of
from hapsis.touch.haptics.surfaces.newton import newton_step, product, slope, square_to, step_length
from hapsis.touch.haptics.surfaces.nurbs_memory import FACE, HELD, PLACE, SEGMENT, SQUARE, NurbsMemory, U, V
from hapsis.touch.haptics.surfaces.paths import free_path, over_seam, slide_path

MOST = 40  # steps on one face
HALVINGS = 12
BISECTIONS = 24
TRUSTED = 1e-6  # of the size: Newton's steps below this are taken unseen, as rounding hides their gain
SETTLED = 1e-10  # of the size: the last step


@native
def in_cone(body: NurbsMemory, place: Array, x: Array, mu: float, side: float) -> bool:
    """Whether friction mu holds a proxy at the place of `body.s`, pulled towards x from its side.

    On a boundary only the pull along it counts: what is across is carried by both faces.
    """
    s, n, k = body.s, body.n, int(place[SEGMENT])
    square = square_to(s, x)
    if k >= 0:
        e = at(body.ends, 4 * k)
        eu, ev = e[2] - e[0], e[3] - e[1]
        metric = product(s, 3, 3) * eu * eu + 2.0 * product(s, 3, 6) * eu * ev + product(s, 6, 6) * ev * ev
        pull = slope(s, x, 3) * eu + slope(s, x, 6) * ev
        if body.other[k] < 0 or not metric > 0.0:
            return False
        pull = pull * pull / metric
        return pull <= mu * mu * (square - pull)
    if not normal_of(s, n):
        return False
    across = side * ((s[0] - x[0]) * n[0] + (s[1] - x[1]) * n[1] + (s[2] - x[2]) * n[2])
    return across > 0.0 and square <= (1.0 + mu * mu) * across * across


@native
def stop_in_cone(body: NurbsMemory, x: Array, place: Array, mu: float, side: float) -> None:
    """Takes a place back towards `body.old` until friction just holds it."""
    face, old, low, high = int(place[FACE]), body.old, 0.0, 1.0
    u, v, segment = place[U], place[V], place[SEGMENT]
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        place[SEGMENT] = old[SEGMENT]
        evaluate(body, face, old[U] + middle * (u - old[U]), old[V] + middle * (v - old[V]))
        if in_cone(body, place, x, mu, side):
            high = middle
        else:
            low = middle
    if high == 1.0:
        place[SEGMENT] = segment
    place[U], place[V] = old[U] + high * (u - old[U]), old[V] + high * (v - old[V])
    place[HELD] = 1.0
    evaluate(body, face, place[U], place[V])
    place[SQUARE] = square_to(body.s, x)


@native
def advance(body: NurbsMemory, x: Array, place: Array, mu: float, side: float) -> bool:
    """Takes the step, or a part of it that comes nearer; False where the place has settled."""
    face, step, path, part = int(place[FACE]), body.step, body.path, 1.0
    length = step_length(body)
    trusted = step[2] != 0.0 and length <= TRUSTED * body.size
    copy(PLACE, place, body.old)
    for _ in range(HALVINGS):
        if place[SEGMENT] < 0.0:
            free_path(body, place, part * step[0], part * step[1])
            if path[3] <= 0.0 and path[2] < 0.0:  # at a seam: the step begins at its other side
                over_seam(body, place, step[0], step[1])
                copy(PLACE, place, body.old)
                free_path(body, place, part * step[0], part * step[1])
        else:
            slide_path(body, place, part * step[0], part * step[1])
        evaluate(body, face, path[0], path[1])
        square = square_to(body.s, x)
        if trusted or square < place[SQUARE]:
            place[U], place[V], place[SEGMENT], place[SQUARE] = path[0], path[1], path[2], square
            if mu > 0.0 and in_cone(body, place, x, mu, side):
                stop_in_cone(body, x, place, mu, side)
                return False
            if path[3] < 1.0 and path[2] < 0.0:
                over_seam(body, place, step[0], step[1])
                evaluate(body, face, place[U], place[V])
            return not (trusted and length <= SETTLED * body.size)
        if path[3] <= 0.0:  # a segment or a seam is met at once
            place[SEGMENT] = path[2]
            over_seam(body, place, step[0], step[1])
            evaluate(body, face, place[U], place[V])
            return True
        part *= 0.5
    evaluate(body, face, place[U], place[V])
    return False


@native
def settle(body: NurbsMemory, x: Array, place: Array, mu: float, side: float) -> None:
    """Moves a place on its face to the one nearest to x, or until friction mu holds it."""
    face = int(place[FACE])
    evaluate(body, face, place[U], place[V])
    place[SQUARE] = square_to(body.s, x)
    place[HELD] = 0.0
    if mu > 0.0 and in_cone(body, place, x, mu, side):
        place[HELD] = 1.0
        return
    for _ in range(MOST):
        if place[SEGMENT] < 0.0:
            newton_step(body, face, x, 0.0, 0.0)
        elif not boundary_step(body, x, place):
            return
        if not advance(body, x, place, mu, side):
            return
