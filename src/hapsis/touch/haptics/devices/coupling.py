"""A mass on a spring and a damper that follows a moving aim, stepped without an error of its own.

    m x'' = k (a - x) + b (a' - x') + f

Between two ticks f is held and the aim moves evenly; then the solution is a matrix exponential, so
any stiffness and any step is stable where the real thing is.
"""

from hapsis.compiler.native import Array, native

# real: what the coupling is, and its transition over one step
MASS, DAMPING, STIFFNESS, LAST, STEP = range(5)
MATRIX = 5  # 3 x 3, then two more of that size to work in
REALS = MATRIX + 27
TERMS = 14  # of the series, for steps of length one half at most
SAME = 1e-9  # steps that differ by less have the same matrix


@native
def multiply(a: Array, left: int, right: int, out: int, factor: float) -> None:
    """One 3 x 3 matrix, as the product of two others and a factor."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += a[left + 3 * i + k] * a[right + 3 * k + j]
            a[out + 3 * i + j] = total * factor


@native
def transition(real: Array, dt: float) -> None:
    """exp(A dt) of (error, its rate, f / m), by a series and by squaring."""
    if abs(dt - real[STEP]) <= SAME * dt:
        return
    real[STEP] = dt
    spring, loss = real[STIFFNESS] / real[MASS], real[DAMPING] / real[MASS]
    size, h, halvings = dt * (1.0 + spring + loss), dt, 0
    while size > 0.5 and halvings < 60:
        size, h = 0.5 * size, 0.5 * h
        halvings += 1
    term, other = MATRIX + 9, MATRIX + 18
    for k in range(9):
        real[MATRIX + k] = 1.0 if k % 4 == 0 else 0.0
        real[term + k] = real[MATRIX + k]
    for j in range(1, TERMS + 1):
        # term A h / j, with A = ((0, 1, 0), (-spring, -loss, 1), (0, 0, 0))
        for i in range(3):
            x, y = real[term + 3 * i], real[term + 3 * i + 1]
            real[term + 3 * i] = -spring * y * h / j
            real[term + 3 * i + 1] = (x - loss * y) * h / j
            real[term + 3 * i + 2] = y * h / j
        for k in range(9):
            real[MATRIX + k] += real[term + k]
    for _ in range(halvings):
        multiply(real, MATRIX, MATRIX, other, 1.0)
        for k in range(9):
            real[MATRIX + k] = real[other + k]


@native
def drawn(n: int, t: float, real: Array, aim: Array, force: Array, state: Array) -> None:
    """Moves n such masses to time t; `state` has their positions, speeds, and the last aims.

    The first call starts them at the aim, at rest.
    """
    dt = t - real[LAST]
    if real[LAST] < 0.0:
        for k in range(n):
            state[k], state[n + k], state[2 * n + k] = aim[k], 0.0, aim[k]
        real[LAST] = t
    elif dt > 0.0:
        transition(real, dt)
        for k in range(n):
            rate = (aim[k] - state[2 * n + k]) / dt
            e, w, u = state[k] - state[2 * n + k], state[n + k] - rate, force[k] / real[MASS]
            state[k] = aim[k] + real[MATRIX] * e + real[MATRIX + 1] * w + real[MATRIX + 2] * u
            state[n + k] = rate + real[MATRIX + 3] * e + real[MATRIX + 4] * w + real[MATRIX + 5] * u
            state[2 * n + k] = aim[k]
        real[LAST] = t
