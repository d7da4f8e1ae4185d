"""After each step: which samples it passes, which events happen in it, where it really ends.

An event is a change of sign of g; touching zero is none. The step is cut just behind the first
event, and the run starts afresh from there.
"""

from hapsis.compiler.native import Array, Kernel, at, native
from hapsis.motion.solvers.events.dense_output import write_samples
from hapsis.motion.solvers.events.event_roots import crossed, crossing, cut, sloped, turned
from hapsis.motion.solvers.events.event_waves import look_through, wavy
from hapsis.motion.solvers.events.zones import any_close, approach_at_end, clear, left_early, zones_after_step
from hapsis.motion.solvers.integrators.error_norms import finite
from hapsis.motion.solvers.integrators.step_control import new_grid
from hapsis.motion.solvers.run.run_memory import (
    DENSE,
    EVENT,
    NOT_FINITE,
    NOTHING,
    PAUSED,
    TOO_LONG,
    RunMemory,
)

NEWTON = 1.5  # times: passes a plain zero at once, and ends before the turning point of a parabola below zero
SHORT = 1e-9  # s; no step is made shorter than this for an event that is near


@native
def sampled_inside(run: RunMemory) -> bool:
    """Whether the next sample lies before the end of the step."""
    s = run.sample
    return s < run.sample_count and run.sign * (run.sample_times[s] - run.t_new) < 0.0


@native
def values_at_end(g: Kernel, run: RunMemory) -> bool:
    """Whether the values of events at the end of the step are finite; they are computed."""
    run.clock[0] = run.t_new
    g(run.clock, run.y_new, run.g_new)
    return finite(run.event_count, run.g_new)


@native
def need_of_zones(run: RunMemory, answer: int) -> int:
    """The answer; DENSE where the step must be looked through for zones, TOO_LONG where it left one early."""
    if run.zones.count == 0:
        return answer
    approach_at_end(run)
    if left_early(run):
        return TOO_LONG
    run.zones.close = any_close(run)
    return DENSE if run.zones.close else answer


@native
def need_of_step(g: Kernel, run: RunMemory) -> int:
    """Whether the step that ends at y_new needs its dense output; or why it cannot be made.

    NOT_FINITE where y_new or g is not, TOO_LONG where the step must be shorter.
    """
    if not finite(run.size, run.y_new):
        return NOT_FINITE
    answer = DENSE if sampled_inside(run) else NOTHING
    if run.event_count > 0:
        if not values_at_end(g, run):
            return NOT_FINITE
        run.waves = run.wave_room > 0  # without slopes all steps are looked through
        if run.waves or crossing(run, run.g_new):
            answer = DENSE
    return need_of_zones(run, answer)


@native
def need_with_slopes(g: Kernel, run: RunMemory, f: Array, f_new: Array) -> int:
    """The same where the slopes of y at the ends of the step, f and f_new, are known."""
    answer = DENSE if sampled_inside(run) else NOTHING
    if run.event_count > 0:
        if not values_at_end(g, run):
            return NOT_FINITE
        run.hump = sloped(g, run, f, f_new)
        run.waves = run.wave_room > 0 and wavy(g, run, f, f_new)
        if run.hump or run.waves or crossing(run, run.g_new):
            answer = DENSE
    return need_of_zones(run, answer)


@native
def make_step(g: Kernel, run: RunMemory) -> int:
    """EVENT if a terminal event ends the step, else PAUSED; the step is made. Or TOO_LONG: it is not.

    Writes the samples and the records of events, and moves to the end of the step. `fresh` is False
    where the step was cut: what was known about its end is not true there.
    """
    if run.zones.close and not clear(run):
        return TOO_LONG
    whole = 1.0
    if run.waves:
        whole = look_through(g, run)
    if run.hump and whole == 1.0:
        whole = turned(g, run)
    run.fresh = whole == 1.0
    if crossing(run, run.g_new):
        cut(g, run, whole)
        run.fresh = False
    run.sloped = run.fresh
    if run.zones.count > 0:
        zones_after_step(run, not run.fresh)
    write_samples(run)
    for j in range(run.size):
        run.y[j] = run.y_new[j]
    run.t = run.t_new
    run.steps += 1
    run.grid += 1
    if not run.fresh:
        # the next step is not longer than this one was meant to be
        if run.adaptive:
            run.h = min(run.h, abs(run.dt))
        else:
            new_grid(run)
    return record_events(run)


@native
def record_events(run: RunMemory) -> int:
    """EVENT if a terminal one is among the events at y, which are written down, else PAUSED."""
    answer = PAUSED
    values = run.g_new
    for i in range(run.event_count):
        if crossed(run, i, values):
            row = at(run.records, run.events * (run.size + 1))
            run.marks[run.events] = i
            row[0] = run.t
            for j in range(run.size):
                row[1 + j] = run.y[j]
            run.events += 1
            if run.terminal[i] != 0.0:
                answer = EVENT
        run.g_now[i] = values[i]
        run.g_rate[i] = run.g_rate_new[i]
        # Newton's step towards zero: what only touches for a moment is not jumped over; where forces begin
        # somewhere no more than that, so that steps end before the kink of a contact
        part = NEWTON if run.zones.count == 0 else 1.0
        way = -run.sign * run.g_rate[i]
        if run.adaptive and run.fresh and values[i] * way > 0.0:
            run.h = min(run.h, max(part * values[i] / way, SHORT))
        if values[i] != 0.0:
            run.side[i] = 1.0 if values[i] > 0.0 else -1.0
    return answer
