"""No zone is entered and left unseen within a step.

A zone is where a force acts that is zero outside: two solids overlap, a joint is beyond its stop.
An integrator asks for forces at a few states only. Where none of them lies in a zone, its error
estimate does not tell that the step went through it. So each step is held against a bound on how
fast gaps can shrink, w:

    gap(t) + gap(t + h) > 4 h w      at both ends: no zone can have been met in between

A step that this does not clear is looked through along its dense output (see `zone_search`). A step
that enters a zone and leaves it again is made once more, to where it enters. And a step may leave a
zone only after three others were made within: so the first steps inside get shorter until forces are
seen, and from there on their error control does the rest.
"""

from hapsis.compiler.native import native
from hapsis.motion.solvers.events.zone_memory import RESOLVED
from hapsis.motion.solvers.events.zone_search import SHORT, SOME, left_out, looked_through
from hapsis.motion.solvers.run.run_memory import RunMemory

FAR = 4.0  # times what the speeds at the ends of a step say: surely too far to meet
QUARTER = 0.25  # of a step that must be shorter: what is tried next
ROUGH = 0.25  # of the cubic through the ends of a step: what the rest of its dense output may be
COARSE = 1e3  # times the error allowed: what it may be anyway


@native
def approach_at_end(run: RunMemory) -> None:
    """The gaps and speeds at the end of the step."""
    zones = run.zones
    run.clock[0] = run.t_new
    zones.approach(run.clock, run.y_new, zones.gap_new, zones.speed_new)


@native
def left_early(run: RunMemory) -> bool:
    """Whether the step leaves a zone in which too few steps were made."""
    zones = run.zones
    if not run.adaptive or abs(run.dt) <= SHORT:
        return False
    for i in range(zones.count):
        if zones.gap[i] < 0.0 and zones.gap_new[i] >= 0.0 and zones.steps[i] < RESOLVED:
            zones.part = QUARTER
            return True
    return False


@native
def any_close(run: RunMemory) -> bool:
    """Whether the ends of the step leave open that it went through a zone."""
    if abs(run.dt) <= SHORT:
        return False
    for i in range(run.zones.count):
        if close(run, i):
            return True
    return False


@native
def close(run: RunMemory, i: int) -> bool:
    """Whether they leave it open for zone i."""
    zones = run.zones
    start, end, size = zones.gap[i], zones.gap_new[i], zones.size[i]
    way = abs(run.dt) * max(zones.speed[i], zones.speed_new[i])
    if start >= 0.0 and end >= 0.0:
        return start + end < FAR * way
    if start >= 0.0:
        return left_out(run, i) or FAR * way > start + size
    if end >= 0.0:
        return FAR * way > end + size
    # early slopes of a step may throw the others, and with them the estimate of its error, out of the
    # zone: the first steps inside are always looked through, so that `rough` sees it
    return zones.steps[i] < RESOLVED or way > SOME * size


@native
def rough(run: RunMemory) -> bool:
    """Whether the dense output is far from the cubic through the ends of the step.

    The slopes that it takes besides those of the step may lie in a zone that the step has missed.
    """
    n = run.size
    for j in range(n):
        smooth = abs(run.dense[j]) + abs(run.dense[n + j]) + abs(run.dense[2 * n + j])
        rest = 0.0
        for k in range(3, run.dense_rows):
            rest += abs(run.dense[k * n + j])
        if rest > ROUGH * smooth + COARSE * (run.atol[j] + run.rtol * abs(run.y[j])):
            return True
    return False


@native
def clear(run: RunMemory) -> bool:
    """Whether the step goes through no zone unseen; else `part` says how much of it to try again.

    Steps of one length are clear: what they went through is noted.
    """
    zones = run.zones
    zones.part = QUARTER
    if run.adaptive and run.dense_rows > 4 and rough(run):
        return False
    place = looked_through(run)
    if not run.adaptive or place == 1.0:
        return True
    if place > 0.0:
        zones.part = max(place, SHORT / abs(run.dt))
    return False


@native
def zones_after_step(run: RunMemory, cut: bool) -> None:
    """The gaps and speeds at y become those of the next step's start; steps within zones are counted."""
    zones = run.zones
    if cut:
        approach_at_end(run)
    for i in range(zones.count):
        stays = zones.gap[i] < 0.0 and zones.gap_new[i] < 0.0
        zones.steps[i] = zones.steps[i] + 1.0 if stays else 0.0
        zones.gap[i] = zones.gap_new[i]
        zones.speed[i] = zones.speed_new[i]
