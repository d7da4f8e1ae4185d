"""How long the next step is: for fixed steps, and by the error of the last one.

Fixed steps lie on the grid t = origin + k h, not on a sum of steps. Only the last may be shorter,
where t_end is not on the grid. Adaptive steps follow a PI controller [HNW, II.4 and IV.2].
"""

from hapsis.compiler.native import Array, Ints, floor, native, sqrt
from hapsis.motion.solvers.run.run_memory import (
    ADAPTIVE,
    DONE,
    DT,
    EVENTS,
    FULL,
    GRID,
    GRID_LAST,
    GROW,
    HALVINGS,
    LEAST_STEP,
    LIMIT,
    MAX_STEP,
    MEMORY,
    NOT_FINITE,
    ORIGIN,
    PAST,
    PAUSED,
    REJECTED,
    RETRY,
    ROOM,
    SHORT,
    SHRINK,
    SIGN,
    SIGNALS,
    SMALL_STEP,
    STEPS,
    T_END,
    T_NEW,
    TIMES,
    TOO_MANY,
    TROUBLE,
    H,
    T,
)

RESOLUTION = 1e-15  # of t: a shorter step would not move it well
STRETCH = 1.01  # a step that nearly reaches the end goes there
SAFE = 0.9  # aim below the error allowed
LEAST_PART = 0.87  # root of the least error that the controller remembers
QUARTER = 0.25  # of the step, where something was not finite
ROUNDING = 1e-15  # of the number of steps: nearer to a whole one counts as whole


@native
def next_step(real: Array, count: Ints) -> int:
    """PAUSED with the step to try in DT and T_NEW, or the answer that ends the run."""
    t = real[T]
    end = real[T_END]
    if t == end:
        return DONE
    if count[STEPS] + count[REJECTED] >= count[LIMIT]:
        return TOO_MANY
    if count[EVENTS] + count[SIGNALS] > count[ROOM]:
        return FULL
    if count[ADAPTIVE] == 0:
        fixed_step(real, count)
        return PAUSED
    h = min(real[H], real[MAX_STEP])
    if not h > max(RESOLUTION * abs(t), real[LEAST_STEP]):
        return NOT_FINITE if count[TROUBLE] == NOT_FINITE else SMALL_STEP
    if STRETCH * h >= abs(end - t):
        real[DT] = end - t
        real[T_NEW] = end
    else:
        real[DT] = real[SIGN] * h
        real[T_NEW] = t + real[DT]
    return PAUSED


@native
def fixed_step(real: Array, count: Ints) -> None:
    """The next step of the grid, in DT and T_NEW."""
    after = count[GRID] + 1
    real[DT] = real[SIGN] * real[H]
    real[T_NEW] = real[ORIGIN] + after * real[DT]
    if after >= count[GRID_LAST]:
        real[T_NEW] = real[T_END]
        if count[SHORT] != 0:
            real[DT] = real[T_END] - real[T]


@native
def new_grid(real: Array, count: Ints) -> None:
    """Fixed steps are counted from now on, to t_end."""
    ratio = abs(real[T_END] - real[T]) / real[H]
    whole = floor(ratio + 0.5)
    slack = ROUNDING * (ratio + (abs(real[T_END]) + abs(real[T])) / real[H])
    real[ORIGIN] = real[T]
    count[GRID] = 0
    if whole >= 1.0 and abs(ratio - whole) <= slack:
        count[GRID_LAST] = int(whole)
        count[SHORT] = 0
    else:
        count[GRID_LAST] = int(floor(ratio)) + 1
        count[SHORT] = 1


@native
def root(x: float, halvings: int) -> float:
    """x to the power 1 / 2**halvings."""
    for _ in range(halvings):
        x = sqrt(x)
    return x


@native
def multiplied(x: float, times: int) -> float:
    """x to a small whole power."""
    result = 1.0
    for _ in range(times):
        result *= x
    return result


@native
def after_accepted(real: Array, count: Ints, error: float) -> None:
    """The next H, after a step whose mean square error, in tolerances, was `error` <= 1."""
    part = root(error, count[HALVINGS])
    factor = SAFE * real[PAST] / multiplied(part, count[TIMES])
    factor = min(real[GROW], max(real[SHRINK], factor))
    if count[RETRY] != 0:
        factor = min(factor, 1.0)
    h = abs(real[DT]) * factor
    # a step that was cut short by t_end says little about the next
    real[H] = max(h, real[H]) if real[T_NEW] == real[T_END] and count[RETRY] == 0 else h
    real[PAST] = multiplied(max(part, LEAST_PART), count[MEMORY])
    count[RETRY] = 0
    count[TROUBLE] = 0


@native
def after_rejected(real: Array, count: Ints, error: float) -> None:
    """The next H, after a step whose mean square error, in tolerances, was `error` > 1."""
    factor = SAFE / multiplied(root(error, count[HALVINGS]), count[TIMES])
    real[H] = abs(real[DT]) * min(1.0, max(real[SHRINK], factor))
    count[REJECTED] += 1
    count[RETRY] = 1
    count[TROUBLE] = SMALL_STEP


@native
def after_trouble(real: Array, count: Ints, why: int) -> int:
    """PAUSED where a shorter step may help; `why` where the step is fixed."""
    if count[ADAPTIVE] == 0:
        return why
    real[H] = QUARTER * abs(real[DT])
    count[REJECTED] += 1
    count[RETRY] = 1
    count[TROUBLE] = why
    return PAUSED


@native
def ended(real: Array) -> int:
    """DONE where t is t_end, else PAUSED."""
    return DONE if real[T] == real[T_END] else PAUSED
