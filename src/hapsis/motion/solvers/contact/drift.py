"""The drift of a step: the motion on which no force acts, in parts in which no body turns far.

What turns slowly needs no high order: rules of order 2, 3 and 4 take two, three and four evaluations, of
which the first two are the same. Their errors are alike where one takes the place of another: 1e-8 of a speed
for each rad.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.contact.free_bodies import keep_momenta, restore_momenta
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.run.run_memory import RunMemory

TURN = 0.03  # rad in one part of a drift: there rk4 is off by 2e-10 of a speed
SLOWER, SLOWEST = 5e-3, 2e-4  # rad, where the rules of order 3 and 2 are off by as much for each rad
MOST_PARTS = 256
TOO_FAR = 0.5  # rad in half a step: what turns further passes into others before it touches them


@native
def fastest_turn(scene: ContactScene, y: Array) -> float:
    """rad/s of the fastest body or joint at the speeds in y, by the Jacobians of the last pose."""
    most = 0.0
    for i in range(scene.n_v):
        if scene.turns[i] != 0:
            most = max(most, abs(y[scene.n_q + i]))
    square = most * most
    for k in range(scene.body_count):
        first = int(scene.support_first[k])
        count = scene.support_first[k + 1] - first
        J = at(scene.J, int(scene.body_J[k]))
        total = 0.0
        for i in range(3):
            turn = 0.0
            for j in range(count):
                turn += J[i * count + j] * y[scene.n_q + scene.order[scene.supports[first + j]]]
            total += turn * turn
        square = max(square, total)
    return sqrt(square)


@native
def drift(run: RunMemory, scene: ContactScene, span: float) -> None:
    """Moves y_new on over a span of time without forces, in parts in which no body turns far."""
    y = run.y_new
    turned = fastest_turn(scene, y) * span
    if turned > TOO_FAR:
        scene.fast += 1
    parts = 1
    while parts < MOST_PARTS and parts * TURN < turned:
        parts += 1
    keep_momenta(scene, y)
    for _ in range(parts):
        move(scene, y, span / parts, turned / parts)
    normalised(run.quaternion_count, run.quaternions, y)
    restore_momenta(scene, y, span)


@native
def move(scene: ContactScene, y: Array, h: float, turned: float) -> None:
    """One part of a drift: two evaluations tell how many it needs, and are the first of each rule."""
    n = scene.n_q + scene.n_v
    w = scene.w
    first = scene.slopes
    second = at(scene.slopes, n)
    third = at(scene.slopes, 2 * n)
    fourth = at(scene.slopes, 3 * n)
    scene.drift(y, first)
    for j in range(n):
        w[j] = y[j] + 0.5 * h * first[j]
    scene.drift(w, second)
    change = max(turned, bend(scene, y, h, first, second))
    if change <= SLOWEST:
        for j in range(n):
            y[j] += h * second[j]
        return
    if change <= SLOWER:
        for j in range(n):
            w[j] = y[j] + h * (2.0 * second[j] - first[j])
        scene.drift(w, third)
        for j in range(n):
            y[j] += h * (first[j] + 4.0 * second[j] + third[j]) / 6.0
        return
    for j in range(n):
        w[j] = y[j] + 0.5 * h * second[j]
    scene.drift(w, third)
    for j in range(n):
        w[j] = y[j] + h * third[j]
    scene.drift(w, fourth)
    for j in range(n):
        y[j] += h * (first[j] + 2.0 * (second[j] + third[j]) + fourth[j]) / 6.0


@native
def bend(scene: ContactScene, y: Array, h: float, first: Array, second: Array) -> float:
    """By how much speeds change in a time h, from their slopes at its start and in its middle.

    v̇ = κ v² without forces, and so h (v̇₂ - v̇₁) = (κ v h)² v.
    """
    most = 0.0
    for kind in range(2):
        speed = 0.0
        change = 0.0
        for i in range(scene.n_v):
            if scene.turns[i] == kind:
                k = scene.n_q + i
                speed = max(speed, abs(y[k]))
                change = max(change, abs(second[k] - first[k]))
        if change > 0.0:
            most = max(most, h * change / max(speed, 1e-300))
    return sqrt(most)
