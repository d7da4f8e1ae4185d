"""The search for the place where a step first enters a zone, along its dense output.

Strides of gap / w, where w bounds how fast gaps can shrink (conservative advancement), and never less
than a twentieth of the zone's size. Where a gap is least between two strides, that place is sought.

Reference: [Mirtich], conservative advancement.
"""

from hapsis.compiler.native import native
from hapsis.motion.solvers.events.dense_output import inside
from hapsis.motion.solvers.events.event_roots import tolerance
from hapsis.motion.solvers.events.zone_memory import RESOLVED
from hapsis.motion.solvers.run.run_memory import RunMemory

FASTER = 1.25  # times the speed at a place: no more until the next one
LONGEST = 0.25  # of the step, a stride
FIRST = 1.0 / 256.0  # of the step, the first stride and the last: they tell slopes
FLAT = 1.0 / 64.0  # of the step, and
FINE = 0.05  # of the size of the zone: strides need not be shorter
SOME = 0.5  # of the size: what may be moved inside without looking
UNSEEN = 1.5  # times the way that a step should go: a zone further off was left out of the forces
MOST = 1000  # looks at one step; then it ends as far as was looked
SEARCH = 40  # trials to find the least gap
GOLDEN = 0.381966
SHORT = 1e-9  # s; shorter contacts need not be resolved
AGAIN = -1.0  # the step must be shorter
BEHIND = 1e-6  # of the way to a zone: a step that goes so much further ends inside, or by FINE in small ones


@native
def left_out(run: RunMemory, i: int) -> bool:
    """Whether zone i was so far off that nobody expected it to be met in this step."""
    return run.zones.gap[i] > UNSEEN * abs(run.dt) * run.zones.speed[i]


@native
def look(run: RunMemory, x: float) -> None:
    """The gaps and speeds at the part x of the step, in `ahead`; the state there in `spot`."""
    zones = run.zones
    inside(run, x, run.spot)
    run.clock[0] = run.t + x * run.dt
    zones.approach(run.clock, run.spot, zones.ahead, zones.ahead_speed)
    zones.looks += 1


@native
def floor_of(run: RunMemory, i: int, way: float) -> float:
    """The shortest stride that zone i asks for where a whole step would go so far."""
    return min(FLAT, FINE * run.zones.size[i] / way)


@native
def stride(run: RunMemory) -> float:
    """How far one may go on from here before a zone can have been entered, in parts of the step."""
    zones = run.zones
    dx = LONGEST
    for i in range(zones.count):
        way = FASTER * abs(run.dt) * zones.here_speed[i]
        room = zones.here[i] if zones.here[i] >= 0.0 else SOME * zones.size[i]
        if way * dx > room:
            dx = min(dx, max(room / way, floor_of(run, i, way)))
    return dx


@native
def too_far(run: RunMemory, dx: float) -> bool:
    """Whether speeds have grown so that the last stride, dx, may have gone through a zone."""
    zones = run.zones
    for i in range(zones.count):
        if zones.here[i] >= 0.0 and zones.ahead[i] >= 0.0:
            way = FASTER * abs(run.dt) * max(zones.here_speed[i], zones.ahead_speed[i])
            if zones.here[i] + zones.ahead[i] < way * dx and dx > 1.01 * floor_of(run, i, way):
                return True
    return False


@native
def dips(run: RunMemory, i: int, before: float, dx: float) -> bool:
    """Whether gap i may be zero around here, where it is less than on both sides.

    Gaps are nearly convex over such short ways: they lie above the lines through two of the places.
    """
    zones = run.zones
    a, b, c = zones.behind[i], zones.here[i], zones.ahead[i]
    if not (b >= 0.0 and b <= a and b <= c):
        return False
    return b < 2.0 * max((a - b) * (dx / before), (c - b) * (before / dx))


@native
def lowest(run: RunMemory, i: int, lo: float, hi: float) -> float:
    """A place between lo and hi inside zone i, found by golden sections; AGAIN where there is none."""
    zones = run.zones
    p, q = lo + GOLDEN * (hi - lo), hi - GOLDEN * (hi - lo)
    look(run, p)
    at_p = zones.ahead[i]
    look(run, q)
    at_q = zones.ahead[i]
    for _ in range(SEARCH):
        if at_p < 0.0:
            return p
        if at_q < 0.0:
            return q
        way = FASTER * abs(run.dt) * zones.ahead_speed[i] * (hi - lo)
        if min(at_p, at_q) > way or hi - lo < tolerance(run, hi):
            break
        if at_p < at_q:
            hi, q, at_q = q, p, at_p
            p = lo + GOLDEN * (hi - lo)
            look(run, p)
            at_p = zones.ahead[i]
        else:
            lo, p, at_p = p, q, at_q
            q = hi - GOLDEN * (hi - lo)
            look(run, q)
            at_q = zones.ahead[i]
    return AGAIN


@native
def entry(run: RunMemory, i: int, lo: float, hi: float) -> float:
    """Where between lo, outside, and hi, inside, zone i is entered: the first place found inside."""
    for _ in range(200):
        if hi - lo <= tolerance(run, hi):
            break
        x = 0.5 * (lo + hi)
        look(run, x)
        if run.zones.ahead[i] >= 0.0:
            lo = x
        else:
            hi = x
    return hi


@native
def go_on(run: RunMemory) -> None:
    """The place ahead becomes the place here."""
    zones = run.zones
    for i in range(zones.count):
        zones.behind[i] = zones.here[i]
        zones.here[i] = zones.ahead[i]
        zones.here_speed[i] = zones.ahead_speed[i]


@native
def entered(run: RunMemory, i: int, x: float) -> bool:
    """Whether zone i is entered before x, and the forces do not tell."""
    zones = run.zones
    if not (zones.here[i] >= 0.0 and zones.ahead[i] < 0.0):
        return False
    way = FASTER * abs(run.dt) * (1.0 - x) * zones.ahead_speed[i]
    return zones.gap_new[i] >= 0.0 or left_out(run, i) or way > zones.size[i]


@native
def seen(run: RunMemory, x: float, before: float, dx: float) -> float:
    """Where the step should end because of a zone entered between the last two strides, which end at x + dx.

    1 if none is; AGAIN where one is left after too few steps.
    """
    zones = run.zones
    first = 1.0
    for i in range(zones.count):
        if zones.here[i] < 0.0 and zones.ahead[i] >= 0.0 and zones.steps[i] < RESOLVED:
            if run.adaptive and zones.gap[i] < 0.0 and (x + dx) * abs(run.dt) > SHORT:
                return AGAIN
        if entered(run, i, x + dx):
            first = min(first, end_inside(run, i, entry(run, i, x, x + dx)))
            look(run, x + dx)
        elif before > 0.0 and dips(run, i, before, dx):
            low = lowest(run, i, x - before, x + dx)
            if low > 0.0:
                first = min(first, end_inside(run, i, entry(run, i, x - before, low)))
            look(run, x + dx)
    return first


@native
def end_inside(run: RunMemory, i: int, x: float) -> float:
    """Where a step that enters zone i at x should end, just inside the zone; 1 where it does.

    Fixed steps do not end there: they note that zone i was passed through.
    """
    zones = run.zones
    if not run.adaptive:
        note(run, i, x)
        return x
    ahead = BEHIND * x
    way = FASTER * abs(run.dt) * zones.ahead_speed[i]
    if ahead * way > FINE * zones.size[i]:
        ahead = FINE * zones.size[i] / way
    if zones.gap_new[i] < 0.0 and 1.0 - x <= 2.0 * ahead:
        return 1.0
    return x + min(ahead, 0.5 * (1.0 - x))


@native
def note(run: RunMemory, i: int, x: float) -> None:
    """Notes that the step passes through zone i, which it enters at x."""
    zones = run.zones
    if zones.passed == 0:
        zones.passed_zone = i
        zones.passed_time = run.t + x * run.dt
    zones.passed += 1


@native
def looked_through(run: RunMemory) -> float:
    """The part of the step in which it goes through no zone: 1, or just behind where it enters the first one.

    AGAIN where a zone is left too early.
    """
    zones = run.zones
    for i in range(zones.count):
        zones.here[i] = zones.gap[i]
        zones.here_speed[i] = zones.speed[i]
    x, before, dx = 0.0, 0.0, FIRST
    for _ in range(MOST):
        end = min(x + dx, 1.0 if x >= 1.0 - FIRST else 1.0 - FIRST)
        dx = end - x
        look(run, end)
        if too_far(run, dx):
            dx = 0.5 * dx
            continue
        place = seen(run, x, before, dx)
        if place != 1.0 or end == 1.0:
            return place
        go_on(run)
        before = dx
        x = end
        dx = stride(run)
    return x
