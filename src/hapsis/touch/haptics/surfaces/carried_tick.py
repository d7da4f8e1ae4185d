"""One tick of a probe on a body of NURBS faces that a mechanism carries.

The mechanism steps with the wrench of the tick before; then the probe is put into the axes of its body, where
the surface stands still, and touches it as in `surface_tick`. The body gets the opposite of the force on the
hand, along the line through the probe.

These axes are those of the middle of the tick to come, by the velocity of the body: a force is held for a
tick, and one of its start would push a body that goes more than it pushed when it came. With k and m of a
spring and a body on a line, and the force -k (x + v h/2) held for h, the step has the determinant 1,

    (1 - a/2)² + a (1 - a/4) = 1,   a = k h² / m

so that it neither gains nor loses.
"""

from hapsis.compiler.native import Array, Ints, Kernel, at, constant, native, record, sized
from hapsis.touch.haptics.surfaces import surface_tick as still
from hapsis.touch.haptics.surfaces.evaluation import copy
from hapsis.touch.haptics.surfaces.surface_tick import SurfaceTouch, surface_tick

WRENCH = 6  # force on the body at its frame's origin, N; moment about it, N m; in the axes of the world
AHEAD = 15  # of the outputs of the mechanism: its frame's origin, the points 1 m along x and y, v and ω


@record
class Carried:
    """What a tick needs besides its state: the mechanism's and the surface's."""

    touch: SurfaceTouch
    step: Kernel  # (y, u, live, y_new, out) of the mechanism; live is the wrench
    states: int = constant()  # numbers of y of the mechanism
    outputs: int = constant()  # of the mechanism, without the first `AHEAD` ones
    lives: int = constant()  # numbers of the wrench on which its motion depends
    which: Ints = sized("lives + 1")
    live: Array = sized("lives + 1")
    x: Array = sized("3")
    R: Array = sized("9")  # columns are the axes of the body
    wrench: Array = sized("6")
    out: Array = sized("outputs + 15")
    s: Array = sized("3")
    turn: Array = sized("3")
    felt: Array = sized("13")
    none: Array = sized("1")


@native
def axes_of(out: Array, R: Array) -> None:
    """The axes of the body, row by row, from three points of it."""
    for i in range(3):
        R[3 * i] = out[3 + i] - out[i]
        R[3 * i + 1] = out[6 + i] - out[i]
    R[2] = R[3] * R[7] - R[6] * R[4]
    R[5] = R[6] * R[1] - R[0] * R[7]
    R[8] = R[0] * R[4] - R[3] * R[1]


@native
def go_on(carried: Carried, h: float) -> None:
    """Moves the origin and the axes on by the time h, with the velocities of now.

    By Cayley's formula, axes stay at right angles: a + 2 (s × a + s × (s × a)) / (1 + s²), s = ω h / 2.
    """
    p, R, s, t = carried.out, carried.R, carried.s, carried.turn
    square = 1.0
    for i in range(3):
        p[i] += h * p[9 + i]
        s[i] = 0.5 * h * p[12 + i]
        square += s[i] * s[i]
    for k in range(3):
        t[0] = s[1] * R[6 + k] - s[2] * R[3 + k]
        t[1] = s[2] * R[k] - s[0] * R[6 + k]
        t[2] = s[0] * R[3 + k] - s[1] * R[k]
        R[k] += 2.0 / square * (t[0] + s[1] * t[2] - s[2] * t[1])
        R[3 + k] += 2.0 / square * (t[1] + s[2] * t[0] - s[0] * t[2])
        R[6 + k] += 2.0 / square * (t[2] + s[0] * t[1] - s[1] * t[0])


@native
def turn_back(R: Array, x: Array, out: Array) -> None:
    """out = Rᵀ x."""
    for i in range(3):
        out[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2]


@native
def turned(R: Array, x: Array, k: int) -> float:
    """A component of R x."""
    return R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2]


@native
def carried_tick(y: Array, u: Array, live: Array, y_new: Array, out: Array, carried: Carried) -> None:
    """A tick from y to y_new with the probe and the inputs of the mechanism at u."""
    n, felt, w, R, p = carried.states, carried.felt, carried.wrench, carried.R, carried.out
    surface = n + WRENCH
    for k in range(carried.lives):
        carried.live[k] = y[n + carried.which[k]]
    carried.step(y, at(u, 3), carried.live, y_new, p)
    axes_of(p, R)
    go_on(carried, 0.5 * carried.touch.dt)
    for i in range(3):
        w[i] = u[i] - p[i]
    turn_back(R, w, carried.x)
    surface_tick(at(y, surface), carried.x, carried.none, at(y_new, surface), felt, carried.touch)
    for i in range(3):
        out[i] = turned(R, felt, i)
        out[3 + i] = p[i] + turned(R, at(felt, 3), i)
    copy(still.OUTPUTS - 6, at(felt, 6), at(out, 6))
    copy(carried.outputs, at(p, AHEAD), at(out, still.OUTPUTS))
    f, m = at(y_new, n), at(y_new, n + 3)
    for i in range(3):
        f[i] = -out[i]
    m[0] = w[1] * f[2] - w[2] * f[1]
    m[1] = w[2] * f[0] - w[0] * f[2]
    m[2] = w[0] * f[1] - w[1] * f[0]
