"""Events that pass zero several times within one step, found by their values inside it.

A step whose events are as values and slopes at its ends tell needs no more. Values at a few places
between the ends are compared with that; where they differ, the events are computed at more and more
places of the dense output, until each second place is what its neighbours tell. Then all changes of
sign are known, and the step ends at the first of them. Where a step has more of a wave than there
is room for, only a part of it is made.

What is on its other side for less than the time between two of the first places, PROBES, and tells
nothing of it there, is not seen.
"""

from hapsis.compiler.native import Array, Kernel, at, native
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.events.event_roots import end_here, values_inside
from hapsis.motion.solvers.run.run_memory import RunMemory

PROBES = 3  # places between the ends of each step
FIRST_PROBE = 0.23  # of the step; they are not evenly spread, for even waves
NEXT_PROBE = 0.27
OFF = 0.1  # of the value: by that much it may differ from what others tell
STEEP = 8.0  # times the largest value: what a slope may make of it over a step
FIRST = 8  # parts of a step that is looked through
MOST = 1024  # the largest number of parts
ROOM = MOST + 1  # values of each event that are kept
FINE = 64  # parts from which a few places that do not fit are jumps
JUMPS = 8  # so many
SHORTER = 0.125  # of a step in which waves cannot be told
SHORTENED = 4  # times
TIPS = 4  # trials to find where a wave comes nearest to zero


@native
def between(run: RunMemory, theta: float, f: Array, f_new: Array) -> None:
    """The state at a part of the step in `spot`, by the cubic of its ends; the time in `clock`."""
    h = run.dt
    for j in range(run.size):
        d = run.y_new[j] - run.y[j]
        inner = h * f[j] - d + theta * (2.0 * d - h * (f[j] + f_new[j]))
        run.spot[j] = run.y[j] + theta * (d + (1.0 - theta) * inner)
    normalised(run.quaternion_count, run.quaternions, run.spot)
    run.clock[0] = run.t + theta * h


@native
def wavy(g: Kernel, run: RunMemory, f: Array, f_new: Array) -> bool:
    """Whether an event does other things in the step than its values and slopes at the ends tell."""
    ng = run.event_count
    for k in range(PROBES):
        between(run, FIRST_PROBE + k * NEXT_PROBE, f, f_new)
        g(run.clock, run.spot, at(run.wave, k * ng))
    for i in range(ng):
        if wave_of(run, i):
            return True
    return False


@native
def wave_of(run: RunMemory, i: int) -> bool:
    """The same for one event, whose values at the probes are in `wave`."""
    ng = run.event_count
    a = run.g_now[i]
    b = run.g_new[i]
    p = run.dt * run.g_rate[i]
    q = run.dt * run.g_rate_new[i]
    top = max(abs(a), abs(b))
    low, off, changes = 1e300, 0.0, 0
    side = run.side[i]
    for k in range(PROBES):
        x = FIRST_PROBE + k * NEXT_PROBE
        value = run.wave[k * ng + i]
        d = b - a
        told = a + x * (d + (1.0 - x) * (p - d + x * (2.0 * d - p - q)))
        off = max(off, abs(value - told))
        top = max(top, abs(value))
        low = min(low, abs(value))
        if side * value < 0.0:
            changes += 1
            side = -side
    if side * b < 0.0:
        changes += 1
    if changes > 1:
        return True
    if max(abs(p), abs(q)) > STEEP * top:
        return True
    return off > OFF * (top if changes == 1 else low)


@native
def look_through(g: Kernel, run: RunMemory) -> float:
    """The part of the step after which a first change of several was seen; 1 where it needs no cut.

    The step then ends there: y_new, t_new and the values of g are those of that place.
    """
    part = 1.0
    count = resolved(g, run, part)
    tried = 0
    while count == 0 and tried < SHORTENED:
        part *= SHORTER
        tried += 1
        count = resolved(g, run, part)
    if count == 0:
        if run.unresolved == 0:
            run.unresolved_at = run.t
            run.unresolved_part = abs(run.dt) * part / MOST
        run.unresolved += 1
        count = MOST
    whole = first_change(g, run, part, count)
    if whole < 1.0:
        values_inside(g, run, whole, run.g_new)
        end_here(run)
    return whole


@native
def resolved(g: Kernel, run: RunMemory, part: float) -> int:
    """In how many parts the first `part` of the step shows all that events do; 0 where in none.

    Their values at the ends of these parts are in `wave`.
    """
    ng = run.event_count
    count = FIRST
    while count <= MOST:
        for i in range(ng):
            run.wave[i] = run.g_now[i]
        for k in range(1, count + 1):
            values_inside(g, run, part * k / count, at(run.wave, k * ng))
        bad = 0
        for i in range(ng):
            bad += misfits(run, i, count, part)
        if bad == 0 or (count >= FINE and bad <= JUMPS):
            return count
        count *= 2
    return 0


@native
def misfits(run: RunMemory, i: int, count: int, part: float) -> int:
    """At how many places an event is not what its values at every second place tell."""
    ng = run.event_count
    bad = 0
    top = 0.0
    for k in range(1, count, 2):
        told = 0.0
        if k == 1:
            told = 5.0 * run.wave[i] + 15.0 * run.wave[2 * ng + i] - 5.0 * run.wave[4 * ng + i]
            told += run.wave[6 * ng + i]
        elif k == count - 1:
            told = 5.0 * run.wave[count * ng + i] + 15.0 * run.wave[(count - 2) * ng + i]
            told += run.wave[(count - 6) * ng + i] - 5.0 * run.wave[(count - 4) * ng + i]
        else:
            told = 9.0 * (run.wave[(k - 1) * ng + i] + run.wave[(k + 1) * ng + i])
            told -= run.wave[(k - 3) * ng + i] + run.wave[(k + 3) * ng + i]
        value = run.wave[k * ng + i]
        size = max(abs(value), max(abs(run.wave[(k - 1) * ng + i]), abs(run.wave[(k + 1) * ng + i])))
        top = max(top, size)
        if abs(0.0625 * told - value) > OFF * size:
            bad += 1
    # a wave of which each place has the same phase is told by its slope
    if run.sloped and abs(run.dt * run.g_rate[i]) * part > count * top:
        bad += count
    return bad


@native
def first_change(g: Kernel, run: RunMemory, part: float, count: int) -> float:
    """The part of the step at which an event is first seen on its other side, if it changes again."""
    ng = run.event_count
    first = part
    several = part < 1.0
    for i in range(ng):
        side = run.side[i]
        changes = 0
        x = early_tip(g, run, i, part / count, side)
        if x > 0.0:
            changes = 2
            first = min(first, x)
        for k in range(1, count + 1):
            value = run.wave[k * ng + i]
            if side == 0.0 and value != 0.0:
                side = 1.0 if value > 0.0 else -1.0
            if side * value < 0.0:
                side = -side
                changes += 1
                if changes == 1:
                    first = min(first, part * k / count)
            elif k < count:
                x = tip(g, run, i, k, part / count, side)
                if x > 0.0:
                    changes += 2
                    first = min(first, x)
        x = late_tip(g, run, i, count, side) if part == 1.0 else 0.0
        if x > 0.0:
            changes += 2
            first = min(first, x)
        if changes > 1:
            several = True
    if first == part and part < 1.0:
        first = part * (count - 1) / count  # what is in the last part is seen from there
    return first if several else 1.0


@native
def early_tip(g: Kernel, run: RunMemory, i: int, width: float, side: float) -> float:
    """The part of the step at which a wave passes zero and turns back before its first place, or 0."""
    a = side * run.wave[i]
    c = side * run.wave[run.event_count + i]
    x = turning(a, side * width * run.dt * run.g_rate[i], c)
    return searched(g, run, i, width * x, 0.5 * width * x, side) if run.sloped and x > 0.0 else 0.0


@native
def late_tip(g: Kernel, run: RunMemory, i: int, count: int, side: float) -> float:
    """The same behind its last place but one."""
    ng = run.event_count
    a = side * run.wave[count * ng + i]
    c = side * run.wave[(count - 1) * ng + i]
    x = turning(a, -side * run.dt * run.g_rate_new[i] / count, c)
    return searched(g, run, i, 1.0 - x / count, 0.5 * x / count, side) if run.sloped and x > 0.0 else 0.0


@native
def turning(a: float, slope: float, c: float) -> float:
    """Where the parabola from a, with a slope there, to c at 1 is lowest, if it comes near zero; else 0."""
    bend = 2.0 * (c - a - slope)
    if not (a > 0.0 and c > 0.0 and slope < 0.0 and -slope < bend):
        return 0.0
    return -slope / bend if a - 0.5 * slope * slope / bend <= 0.5 * min(a, c) else 0.0


@native
def tip(g: Kernel, run: RunMemory, i: int, k: int, width: float, side: float) -> float:
    """The part of the step at which a wave passes zero between its places k - 1 and k + 1, or 0."""
    ng = run.event_count
    a = side * run.wave[(k - 1) * ng + i]
    b = side * run.wave[k * ng + i]
    c = side * run.wave[(k + 1) * ng + i]
    if not (b > 0.0 and a >= b and c >= b and a + c > 2.0 * b):
        return 0.0
    # the parabola through the three: its lowest value
    bend = a + c - 2.0 * b
    slope = 0.5 * (c - a)
    lowest = b - 0.5 * slope * slope / bend
    if lowest > 0.5 * b and lowest > 0.0:
        return 0.0
    return searched(g, run, i, width * k - width * max(-1.0, min(1.0, slope / bend)), width, side)


@native
def searched(g: Kernel, run: RunMemory, i: int, x: float, reach: float, side: float) -> float:
    """The part of the step near x at which a wave is on its other side, or 0; by narrower parabolas."""
    for _ in range(TIPS):
        values_inside(g, run, x, run.g_high)
        value = side * run.g_high[i]
        if value < 0.0:
            return x
        reach *= 0.5
        low, high = max(0.0, x - reach), min(1.0, x + reach)
        values_inside(g, run, low, run.g_high)
        a = side * run.g_high[i]
        if a < 0.0:
            return low
        values_inside(g, run, high, run.g_high)
        c = side * run.g_high[i]
        if c < 0.0:
            return high
        bend = max(a + c - 2.0 * value, 1e-300)
        x = max(0.0, min(1.0, x - reach * max(-1.0, min(1.0, 0.5 * (c - a) / bend))))
    return 0.0
