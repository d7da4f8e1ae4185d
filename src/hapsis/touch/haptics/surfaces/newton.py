"""Newton's step to the nearest point of a face, free or along its boundary."""

from hapsis.compiler.native import Array, native, sqrt
from hapsis.touch.haptics.surfaces.nurbs_memory import NurbsMemory

CONVEX = 1e-6  # of its diagonal: the least determinant of a Hessian that gives Newton's step
EASE = 1e-12  # of the mean metric: added to the Hessian, which is singular at poles
REACH = 0.05  # of the domain: the longest step, so that it does not pass over the nearest point


@native
def square_to(s: Array, x: Array) -> float:
    """The square of the distance of x to the point of s."""
    return (s[0] - x[0]) * (s[0] - x[0]) + (s[1] - x[1]) * (s[1] - x[1]) + (s[2] - x[2]) * (s[2] - x[2])


@native
def slope(s: Array, x: Array, k: int) -> float:
    """(S - x) · the derivative at s[k]."""
    return (s[0] - x[0]) * s[k] + (s[1] - x[1]) * s[k + 1] + (s[2] - x[2]) * s[k + 2]


@native
def product(s: Array, j: int, k: int) -> float:
    """The product of two derivatives."""
    return s[j] * s[k] + s[j + 1] * s[k + 1] + s[j + 2] * s[k + 2]


@native
def limit_step(body: NurbsMemory, face: int) -> None:
    """Shortens the step to `REACH` of the domain."""
    step = body.step
    range_u = body.high[2 * face] - body.low[2 * face]
    range_v = body.high[2 * face + 1] - body.low[2 * face + 1]
    part = max(abs(step[0]) / range_u, abs(step[1]) / range_v)
    if part > REACH:
        step[0] *= REACH / part
        step[1] *= REACH / part


@native
def newton_step(body: NurbsMemory, face: int, x: Array, eu: float, ev: float) -> None:
    """The step to the nearest point, to `body.step`: free with e = 0, else along e.

    The Hessian of half the squared distance is J^T J + (S - x) · S_ij; where it is not positive, J^T J.
    """
    s, step = body.s, body.step
    gu, gv = slope(s, x, 3), slope(s, x, 6)
    a, b, c = product(s, 3, 3), product(s, 3, 6), product(s, 6, 6)
    huu, huv, hvv = a + slope(s, x, 9), b + slope(s, x, 12), c + slope(s, x, 15)
    range_u = body.high[2 * face] - body.low[2 * face]
    range_v = body.high[2 * face + 1] - body.low[2 * face + 1]
    ease_u = EASE * (body.size / range_u) * (body.size / range_u)
    ease_v = EASE * (body.size / range_v) * (body.size / range_v)
    step[2] = 1.0
    if eu != 0.0 or ev != 0.0:
        metric = a * eu * eu + 2.0 * b * eu * ev + c * ev * ev
        curved = huu * eu * eu + 2.0 * huv * eu * ev + hvv * ev * ev
        if not curved > CONVEX * metric:
            step[2], curved = 0.0, metric
        dw = -(gu * eu + gv * ev) / (curved + ease_u * eu * eu + ease_v * ev * ev)
        step[0], step[1] = dw * eu, dw * ev
    else:
        if not (huu > 0.0 and hvv > 0.0 and huu * hvv - huv * huv > CONVEX * huu * hvv):
            step[2], huu, huv, hvv = 0.0, a, b, c
        huu += ease_u
        hvv += ease_v
        det = huu * hvv - huv * huv
        step[0], step[1] = (huv * gv - hvv * gu) / det, (huv * gu - huu * gv) / det
    limit_step(body, face)


@native
def step_length(body: NurbsMemory) -> float:
    """m of the step in space, to first order."""
    s, total = body.s, 0.0
    for c in range(3):
        d = s[3 + c] * body.step[0] + s[6 + c] * body.step[1]
        total += d * d
    return sqrt(total)
