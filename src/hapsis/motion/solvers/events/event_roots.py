"""Where events happen inside a step: brackets, roots, and humps that come back.

The values of all events are computed at once, so a search brackets the first moment at which any
of them has changed its sign. Events nearer to each other than `tolerance` are one moment.

Two changes within one step cancel at its ends. They are found where the slopes tell of them: an
event that starts towards zero and ends away from it is looked at where it should be nearest. So a
ball that leaves the ground and is back within one step is not lost. A finer wave than that is.
"""

from hapsis.compiler.native import Array, Ints, Kernel, at, native, sqrt
from hapsis.motion.solvers.events.dense_output import inside
from hapsis.motion.solvers.run.run_memory import (
    DIRECTION,
    DT,
    HIGH,
    LOW,
    NEW,
    NOW,
    RISE,
    RISE_NEW,
    SIDE,
    SIGNALS,
    SIZE,
    SLOPED,
    T_NEW,
    T,
)

RELATIVE = 2.5e-13  # of the time of an event: how well it is located
ABSOLUTE = 2.5e-11  # s, the most that this may be
ROUNDING = 4.5e-16  # of t or of the step, the least
PATIENCE = 3  # trials in which the bracket must halve
NUDGE = 1e-6  # of the step: differences that tell slopes
PER_NUDGE = 1e6
DEEP = 0.5  # of the values at the ends: a hump that seems to go below is looked at
TURNS = 12  # trials to find where a hump is nearest to zero
FLAT = 1e-3  # of the step: how well that is found


@native
def crossed(i: int, ng: int, values: Array, signals: Array) -> bool:
    """Whether event i, which now has the i-th of the values, has changed its sign as it should."""
    side = signals[SIDE * ng + i]
    return side * values[i] < 0.0 and side * signals[DIRECTION * ng + i] <= 0.0


@native
def crossing(ng: int, values: Array, signals: Array) -> bool:
    """Whether any event has."""
    for i in range(ng):
        if crossed(i, ng, values, signals):
            return True
    return False


@native
def guess(ng: int, lo: float, hi: float, signals: Array) -> float:
    """The first place where one of the events that differ between lo and hi should be zero."""
    low = at(signals, LOW * ng)
    high = at(signals, HIGH * ng)
    x = hi
    for i in range(ng):
        if crossed(i, ng, high, signals):
            x = min(x, hi - (hi - lo) * (high[i] / (high[i] - low[i])))
    return x


@native
def tolerance(real: Array, x: float) -> float:
    """How well an event near the part x of the step is located, as a part of the step."""
    size = abs(real[DT])
    width = min(RELATIVE * (abs(real[T]) + x * size), ABSOLUTE)
    return max(width, ROUNDING * max(abs(real[T]), size)) / size


@native
def located(
    g: Kernel,
    real: Array,
    count: Ints,
    y: Array,
    dense: Array,
    spot: Array,
    signals: Array,
    quaternions: Ints,
    clock: Array,
    whole: float,
) -> float:
    """The part of the step, at most `whole`, after which the first event has happened.

    The bracket [lo, hi] has no event at lo and at least one at hi. Trials are those of the Illinois
    method; where they do not halve the bracket in time, its middle is tried.
    """
    ng = count[SIGNALS]
    low = at(signals, LOW * ng)
    high = at(signals, HIGH * ng)
    trial = at(signals, NOW * ng)  # these values are replaced when the step is made
    for i in range(ng):
        low[i] = signals[NOW * ng + i]
        high[i] = signals[NEW * ng + i]
    lo, hi = 0.0, whole
    mark, slow, side = whole, 0, 0
    width = tolerance(real, hi)
    while hi - lo > width:
        x = 0.5 * (lo + hi)
        if slow < PATIENCE:
            x = max(lo + 0.5 * width, min(hi - 0.5 * width, guess(ng, lo, hi, signals)))
        inside(count, x, y, dense, quaternions, spot)
        clock[0] = real[T] + x * real[DT]
        g(clock, spot, trial)
        # the end that stays a second time counts half
        if crossing(ng, trial, signals):
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
        width = tolerance(real, hi)
    return hi


@native
def cut(
    g: Kernel,
    real: Array,
    count: Ints,
    y: Array,
    y_new: Array,
    dense: Array,
    spot: Array,
    signals: Array,
    quaternions: Ints,
    clock: Array,
    whole: float,
) -> None:
    """The step ends just behind its first event: y_new, T_NEW and the values of g there."""
    ng, n = count[SIGNALS], count[SIZE]
    values = at(signals, NEW * ng)
    hi = located(g, real, count, y, dense, spot, signals, quaternions, clock, whole)
    # a little later, so that events of one moment are on one side; not if some are over by then
    for later in range(1, -1, -1):
        x = hi + later * tolerance(real, hi)
        if x < whole:
            inside(count, x, y, dense, quaternions, spot)
            clock[0] = real[T] + x * real[DT]
            g(clock, spot, values)
            if crossing(ng, values, signals) or later == 0:
                real[T_NEW] = clock[0]
                for j in range(n):
                    y_new[j] = spot[j]
                return


@native
def sloped(
    g: Kernel,
    real: Array,
    count: Ints,
    y: Array,
    y_new: Array,
    f: Array,
    f_new: Array,
    spot: Array,
    signals: Array,
    clock: Array,
) -> bool:
    """Whether an event may have changed its sign twice; how fast events change is written down.

    The rates are differences over a small part of the step, at its end, and at its start where
    they are not known from the step before. An event that starts at zero is on the side it
    goes to.
    """
    n, ng = count[SIZE], count[SIGNALS]
    near = at(signals, LOW * ng)
    small = NUDGE * real[DT]
    per_time = PER_NUDGE / real[DT]
    if count[SLOPED] == 0:
        for j in range(n):
            spot[j] = y[j] + small * f[j]
        clock[0] = real[T] + small
        g(clock, spot, near)
        for i in range(ng):
            rise = per_time * (near[i] - signals[NOW * ng + i])
            signals[RISE * ng + i] = rise
            if signals[SIDE * ng + i] == 0.0 and rise != 0.0:
                signals[SIDE * ng + i] = 1.0 if rise > 0.0 else -1.0
        count[SLOPED] = 1
    for j in range(n):
        spot[j] = y_new[j] - small * f_new[j]
    clock[0] = real[T_NEW] - small
    g(clock, spot, near)
    answer = False
    for i in range(ng):
        signals[RISE_NEW * ng + i] = per_time * (signals[NEW * ng + i] - near[i])
        if nearest(i, ng, real[DT], signals) > 0.0:
            answer = True
    return answer


@native
def nearest(i: int, ng: int, h: float, signals: Array) -> float:
    """The part of the step at which event i, by a cubic, comes near zero and back; 0 if nowhere."""
    side = signals[SIDE * ng + i]
    a = side * signals[NOW * ng + i]
    b = side * signals[NEW * ng + i]
    p = side * h * signals[RISE * ng + i]
    q = side * h * signals[RISE_NEW * ng + i]
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
def turned(
    g: Kernel,
    real: Array,
    count: Ints,
    y: Array,
    y_new: Array,
    dense: Array,
    spot: Array,
    signals: Array,
    quaternions: Ints,
    clock: Array,
) -> float:
    """The part of the step at which an event is seen on its other side; 1 where none is.

    The step then ends there: y_new, T_NEW and the values of g are those of that place.
    """
    ng, n = count[SIGNALS], count[SIZE]
    values = at(signals, HIGH * ng)
    for i in range(ng):
        x = nearest(i, ng, real[DT], signals)
        side = signals[SIDE * ng + i]
        lo, hi = 0.0, 1.0
        for _ in range(TURNS):
            if not (x > 0.0 and hi - lo > FLAT):
                break
            # the value a little further on tells which way zero is
            inside(count, min(1.0, x + NUDGE), y, dense, quaternions, spot)
            clock[0] = real[T] + min(1.0, x + NUDGE) * real[DT]
            g(clock, spot, values)
            after = side * values[i]
            inside(count, x, y, dense, quaternions, spot)
            clock[0] = real[T] + x * real[DT]
            g(clock, spot, values)
            if side * values[i] < 0.0:
                real[T_NEW] = clock[0]
                for j in range(n):
                    y_new[j] = spot[j]
                for k in range(ng):
                    signals[NEW * ng + k] = values[k]
                return x
            if after < side * values[i]:
                lo = x
            else:
                hi = x
            x = 0.5 * (lo + hi)
    return 1.0
