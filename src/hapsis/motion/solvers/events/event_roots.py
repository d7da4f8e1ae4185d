"""Where events happen inside a step, also those that pass zero twice within it.

The values of all events are computed at once, so a search brackets the first moment at which any
of them has changed its sign. Events nearer to each other than `tolerance` are one moment.

Two changes within one step cancel at its ends. They are found by the slopes at its ends: an
event that starts towards zero and ends away from it is looked at where it should be nearest. So a
ball that leaves the ground and is back within one step is not lost. A finer wave than that is.
"""

from hapsis.compiler.native import Array, Kernel, native, sqrt
from hapsis.motion.solvers.events.dense_output import inside
from hapsis.motion.solvers.run.run_memory import RunMemory

RELATIVE = 2.5e-13  # of the time of an event: how well it is located
ABSOLUTE = 2.5e-11  # s, the most that this may be
ROUNDING = 4.5e-16  # of t or of the step, the least
PATIENCE = 3  # trials in which the bracket must halve
NUDGE = 1e-6  # of the step: for slopes by differences
PER_NUDGE = 1e6
DEEP = 0.5  # of the values at the ends: a hump that seems to go below is looked at
TURNS = 12  # trials to find where a hump is nearest to zero
FLAT = 1e-3  # of the step: how well that is found
TOPS = 8  # trials to find where a value that left zero is high, each at half of the way before


@native
def crossed(run: RunMemory, i: int, values: Array) -> bool:
    """Whether event i, which now has the i-th of the values, has changed its sign as it should."""
    side = run.side[i]
    return side * values[i] < 0.0 and side * run.direction[i] <= 0.0


@native
def crossing(run: RunMemory, values: Array) -> bool:
    """Whether any event has."""
    for i in range(run.event_count):
        if crossed(run, i, values):
            return True
    return False


@native
def guess(run: RunMemory, lo: float, hi: float) -> float:
    """The first place where one of the events that differ between lo and hi should be zero."""
    x = hi
    for i in range(run.event_count):
        if crossed(run, i, run.g_high):
            x = min(x, hi - (hi - lo) * (run.g_high[i] / (run.g_high[i] - run.g_low[i])))
    return x


@native
def tolerance(run: RunMemory, x: float) -> float:
    """How well an event near the part x of the step is located, as a part of the step."""
    size = abs(run.dt)
    width = min(RELATIVE * (abs(run.t) + x * size), ABSOLUTE)
    return max(width, ROUNDING * max(abs(run.t), size)) / size


@native
def values_inside(g: Kernel, run: RunMemory, x: float, values: Array) -> None:
    """The values of events at the part x of the step; the time is in `clock`, the state in `spot`."""
    inside(run, x, run.spot)
    run.clock[0] = run.t + x * run.dt
    g(run.clock, run.spot, values)


@native
def leaves_zero(run: RunMemory, i: int, rate: float) -> bool:
    """Whether event i, which changes at that rate, starts at zero and goes where it can happen from later."""
    return rate * run.direction[i] < 0.0 and abs(run.g_now[i]) <= NUDGE * abs(run.dt * rate)


@native
def top(run: RunMemory) -> float:
    """The part of the step, by parabolas, where values that left zero at its start and passed it are high.

    1 without any. Before it their rounding does not count.
    """
    x = 1.0
    for i in range(run.event_count):
        rate = run.g_rate[i]
        if crossed(run, i, run.g_new) and leaves_zero(run, i, rate):
            way = rate * run.dt
            x = min(x, 0.5 * way / (way - run.g_new[i]))
    return x


@native
def located(g: Kernel, run: RunMemory, whole: float) -> float:
    """The part of the step, at most `whole`, after which the first event has happened.

    The bracket [lo, hi] has no event at lo and at least one at hi. Trials are those of the Illinois
    method; where they do not halve the bracket in time, its middle is tried.
    """
    ng = run.event_count
    low = run.g_low
    high = run.g_high
    trial = run.g_now  # these values are replaced when the step is made
    for i in range(ng):
        low[i] = run.g_now[i]
        high[i] = run.g_new[i]
    lo, hi = 0.0, whole
    x = top(run)
    for _ in range(TOPS):
        if x >= whole or lo > 0.0:
            break
        values_inside(g, run, x, trial)
        if not crossing(run, trial):
            lo = x
            for i in range(ng):
                low[i] = trial[i]
        x *= 0.5
    mark, slow, side = whole, 0, 0
    width = tolerance(run, hi)
    while hi - lo > width:
        x = 0.5 * (lo + hi)
        if slow < PATIENCE:
            x = max(lo + 0.5 * width, min(hi - 0.5 * width, guess(run, lo, hi)))
        values_inside(g, run, x, trial)
        # the end that stays a second time counts half
        if crossing(run, trial):
            hi = x
            for i in range(ng):
                high[i] = trial[i]
                low[i] = 0.5 * low[i] if side > 0 else low[i]
            side = 1
        else:
            lo = x
            for i in range(ng):
                low[i] = trial[i]
                high[i] = 0.5 * high[i] if side < 0 else high[i]
            side = -1
        slow += 1
        if hi - lo <= 0.5 * mark:
            mark, slow = hi - lo, 0
        width = tolerance(run, hi)
    return hi


@native
def end_here(run: RunMemory) -> None:
    """The step ends at the state in `spot` and the time in `clock`."""
    run.t_new = run.clock[0]
    for j in range(run.size):
        run.y_new[j] = run.spot[j]


@native
def cut(g: Kernel, run: RunMemory, whole: float) -> None:
    """The step ends just behind its first event: y_new, t_new and the values of g there."""
    hi = located(g, run, whole)
    # a little later, so that events of one moment are on one side; not if some are over by then
    for later in range(1, -1, -1):
        x = hi + later * tolerance(run, hi)
        if x < whole:
            values_inside(g, run, x, run.g_new)
            if crossing(run, run.g_new) or later == 0:
                end_here(run)
                return


@native
def rates_at_start(g: Kernel, run: RunMemory, f: Array, small: float) -> None:
    """How fast events change at t. An event that starts at zero is on the side it goes to.

    What leaves zero starts there also where rounding has put it on the other side.
    """
    for j in range(run.size):
        run.spot[j] = run.y[j] + small * f[j]
    run.clock[0] = run.t + small
    g(run.clock, run.spot, run.g_low)
    per_time = PER_NUDGE / run.dt
    for i in range(run.event_count):
        rate = per_time * (run.g_low[i] - run.g_now[i])
        run.g_rate[i] = rate
        if (run.side[i] == 0.0 and rate != 0.0) or leaves_zero(run, i, rate):
            run.side[i] = 1.0 if rate > 0.0 else -1.0


@native
def sloped(g: Kernel, run: RunMemory, f: Array, f_new: Array) -> bool:
    """Whether an event may have changed its sign twice; how fast events change is written down.

    The rates are differences over a small part of the step, at its end, and at its start where
    they are not known from the step before.
    """
    small = NUDGE * run.dt
    per_time = PER_NUDGE / run.dt
    if not run.sloped:
        rates_at_start(g, run, f, small)
        run.sloped = True
    for j in range(run.size):
        run.spot[j] = run.y_new[j] - small * f_new[j]
    run.clock[0] = run.t_new - small
    g(run.clock, run.spot, run.g_low)
    answer = False
    for i in range(run.event_count):
        run.g_rate_new[i] = per_time * (run.g_new[i] - run.g_low[i])
        if nearest(run, i) > 0.0:
            answer = True
    return answer


@native
def nearest(run: RunMemory, i: int) -> float:
    """The part of the step at which event i, by a cubic, comes near zero and back; 0 if nowhere."""
    side = run.side[i]
    a = side * run.g_now[i]
    b = side * run.g_new[i]
    p = side * run.dt * run.g_rate[i]
    q = side * run.dt * run.g_rate_new[i]
    if not (b > 0.0 and p < 0.0 and q > 0.0):
        return 0.0
    # the root of its derivative, p + B x + A x², that lies between
    d = b - a
    A = 3.0 * (p + q - 2.0 * d)
    B = 2.0 * (3.0 * d - 2.0 * p - q)
    x = -2.0 * p / (B + sqrt(B * B - 4.0 * A * p))
    low = a + x * (p + x * (0.5 * B + x * (A / 3.0)))
    return x if low < DEEP * min(a, b) else 0.0


@native
def turned(g: Kernel, run: RunMemory) -> float:
    """The part of the step at which an event is seen on its other side; 1 where none is.

    The step then ends there: y_new, t_new and the values of g are those of that place.
    """
    values = run.g_high
    for i in range(run.event_count):
        x = nearest(run, i)
        side = run.side[i]
        lo, hi = 0.0, 1.0
        for _ in range(TURNS):
            if not (x > 0.0 and hi - lo > FLAT):
                break
            # the value a little further on tells which way zero is
            values_inside(g, run, min(1.0, x + NUDGE), values)
            after = side * values[i]
            values_inside(g, run, x, values)
            if side * values[i] < 0.0:
                end_here(run)
                for k in range(run.event_count):
                    run.g_new[k] = values[k]
                return x
            if after < side * values[i]:
                lo = x
            else:
                hi = x
            x = 0.5 * (lo + hi)
    return 1.0
