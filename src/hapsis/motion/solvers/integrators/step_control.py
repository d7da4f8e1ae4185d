"""How long the next step is: for fixed steps, and by the error of the last one.

Fixed steps lie on the grid t = origin + k h, not on a sum of steps. Only the last may be shorter,
where t_end is not on the grid. Adaptive steps follow a PI controller [HNW, II.4 and IV.2].
"""

from hapsis.compiler.native import at, floor, native, sqrt
from hapsis.motion.solvers.run.run_memory import (
    DONE,
    FULL,
    NOT_FINITE,
    PAUSED,
    SMALL_STEP,
    TOO_LONG,
    TOO_MANY,
    RunMemory,
)

RESOLUTION = 1e-15  # of t: a shorter step would not move it well
STRETCH = 1.01  # a step that nearly reaches the end goes there
SAFE = 0.9  # aim below the error allowed
LEAST_PART = 0.87  # root of the least error that the controller remembers
QUARTER = 0.25  # of the step, where something was not finite
ROUNDING = 1e-15  # of the number of steps: nearer to a whole one counts as whole


@native
def next_step(run: RunMemory) -> int:
    """PAUSED with the step to try in dt and t_new, or the answer that ends the run."""
    t = run.t
    end = run.t_end
    if t == end:
        return DONE
    if run.steps + run.rejected >= run.limit:
        return TOO_MANY
    if run.events + run.event_count > run.room:
        return FULL
    if not run.adaptive:
        fixed_step(run)
        return PAUSED
    longest = run.max_step[0]
    if run.pace_count > 0:
        longest = min(longest, pace(run))
    h = min(run.h, longest)
    if not h > max(RESOLUTION * abs(t), run.least_step):
        return NOT_FINITE if run.trouble == NOT_FINITE else SMALL_STEP
    # what must end before a zone must not be stretched beyond it
    stretch = 1.0 if run.trouble == TOO_LONG else STRETCH
    # and no stretch makes a step longer than it may be: a pulse may lie in what is left
    if min(stretch * h, longest) >= abs(end - t):
        run.dt = end - t
        run.t_new = end
    else:
        run.dt = run.sign * h
        run.t_new = t + run.dt
    return PAUSED


@native
def pace(run: RunMemory) -> float:
    """The longest step from t: that of its stretch, and none that jumps over a shorter one ahead."""
    last = run.pace_count - 1
    while run.pace < last and run.pace_starts[run.pace + 1] <= run.t:
        run.pace += 1
    k = run.pace
    longest = run.pace_limits[k]
    if k < last:
        longest = min(longest, run.pace_starts[k + 1] - run.t + run.pace_entries[k + 1])
    return longest


@native
def fixed_step(run: RunMemory) -> None:
    """The next step of the grid, in dt and t_new."""
    after = run.grid + 1
    run.dt = run.sign * run.h
    run.t_new = run.origin + after * run.dt
    if after >= run.grid_last:
        run.t_new = run.t_end
        if run.short:
            run.dt = run.t_end - run.t


@native
def new_grid(run: RunMemory) -> None:
    """Fixed steps are counted from now on, to t_end."""
    ratio = abs(run.t_end - run.t) / run.h
    whole = floor(ratio + 0.5)
    slack = ROUNDING * (ratio + (abs(run.t_end) + abs(run.t)) / run.h)
    run.origin = run.t
    run.grid = 0
    if whole >= 1.0 and abs(ratio - whole) <= slack:
        run.grid_last = int(whole)
        run.short = False
    else:
        run.grid_last = int(floor(ratio)) + 1
        run.short = True


@native
def prepared(run: RunMemory) -> None:
    """Calls `prepare`, if there is one, with the step, the time and the state it starts from."""
    run.clock[0] = run.t
    if run.prepared:
        run.clock[1] = run.dt
        run.prepare(at(run.clock, 1), run.clock, run.y)


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
def after_accepted(run: RunMemory, error: float) -> None:
    """The next h, after a step whose mean square error, in tolerances, was `error` <= 1."""
    part = root(error, run.halvings)
    factor = SAFE * run.past / multiplied(part, run.power)
    factor = min(run.grow, max(run.shrink, factor))
    if run.retry:
        factor = min(factor, 1.0)
    h = abs(run.dt) * factor
    # a step that was cut short by t_end says little about the next
    run.h = max(h, run.h) if run.t_new == run.t_end and not run.retry else h
    run.past = multiplied(max(part, LEAST_PART), run.past_power)
    run.retry = False
    run.trouble = 0


@native
def after_rejected(run: RunMemory, error: float) -> None:
    """The next h, after a step whose mean square error, in tolerances, was `error` > 1."""
    factor = SAFE / multiplied(root(error, run.halvings), run.power)
    run.h = abs(run.dt) * min(1.0, max(run.shrink, factor))
    run.rejected += 1
    run.retry = True
    run.trouble = SMALL_STEP


@native
def after_trouble(run: RunMemory, why: int) -> int:
    """PAUSED where a shorter step may help; `why` where the step is fixed."""
    if not run.adaptive:
        return why
    run.h = QUARTER * abs(run.dt)
    run.rejected += 1
    run.retry = True
    run.trouble = why
    return PAUSED


@native
def after_passed(run: RunMemory) -> None:
    """The next h, after a step that goes through a zone unseen."""
    run.h = run.zones.part * abs(run.dt)
    run.rejected += 1
    run.retry = True
    run.trouble = TOO_LONG


@native
def ended(run: RunMemory) -> int:
    """DONE where t is t_end, else PAUSED."""
    return DONE if run.t == run.t_end else PAUSED
