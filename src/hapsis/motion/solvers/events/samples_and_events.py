"""After each step: which samples it passes, which events happen in it, where it really ends.

An event is a change of sign of g; touching zero is none. The step is cut just behind the first
event, and the run starts afresh from there.
"""

from hapsis.compiler.native import Array, Ints, Kernel, at, native
from hapsis.motion.solvers.events.dense_output import write_samples
from hapsis.motion.solvers.events.event_roots import crossed, crossing, cut, sloped, turned
from hapsis.motion.solvers.integrators.error_norms import finite
from hapsis.motion.solvers.integrators.step_control import new_grid
from hapsis.motion.solvers.run.run_memory import (
    ADAPTIVE,
    DENSE,
    DT,
    EVENT,
    EVENTS,
    FRESH,
    GRID,
    HUMP,
    NEW,
    NOT_FINITE,
    NOTHING,
    NOW,
    PAUSED,
    RISE,
    RISE_NEW,
    SAMPLE,
    SAMPLES,
    SIDE,
    SIGN,
    SIGNALS,
    SIZE,
    SLOPED,
    STEPS,
    T_NEW,
    TERMINAL,
    H,
    T,
)

SHORT = 1e-9  # s; no step is made shorter than this for an event that is near


@native
def looked(
    g: Kernel,
    real: Array,
    count: Ints,
    y: Array,
    y_new: Array,
    f: Array,
    f_new: Array,
    has_slopes: bool,
    spot: Array,
    signals: Array,
    samples: Array,
    clock: Array,
) -> int:
    """Whether the step that ends at y_new needs its dense output; NOT_FINITE where g is not.

    f and f_new are the slopes of y at the ends of the step, for methods that have them.
    """
    answer = NOTHING
    s = count[SAMPLE]
    if s < count[SAMPLES] and real[SIGN] * (samples[s] - real[T_NEW]) < 0.0:
        answer = DENSE
    ng = count[SIGNALS]
    if ng > 0:
        values = at(signals, NEW * ng)
        clock[0] = real[T_NEW]
        g(clock, y_new, values)
        if not finite(ng, values):
            return NOT_FINITE
        count[HUMP] = 0
        if has_slopes and sloped(g, real, count, y, y_new, f, f_new, spot, signals, clock):
            count[HUMP] = 1
            answer = DENSE
        if crossing(ng, values, signals):
            answer = DENSE
    return answer


@native
def settled(
    g: Kernel,
    real: Array,
    count: Ints,
    y: Array,
    y_new: Array,
    dense: Array,
    spot: Array,
    samples: Array,
    sampled: Array,
    signals: Array,
    marks: Ints,
    records: Array,
    quaternions: Ints,
    clock: Array,
) -> int:
    """EVENT if a terminal event ends the step, else PAUSED; the step is made.

    Writes the samples and the records of events, and moves to the end of the step. FRESH is 0
    where the step was cut: what was known about its end is not true there.
    """
    ng, n = count[SIGNALS], count[SIZE]
    whole = 1.0
    if count[HUMP] != 0:
        whole = turned(g, real, count, y, y_new, dense, spot, signals, quaternions, clock)
    count[FRESH] = 1 if whole == 1.0 else 0
    if crossing(ng, at(signals, NEW * ng), signals):
        cut(g, real, count, y, y_new, dense, spot, signals, quaternions, clock, whole)
        count[FRESH] = 0
    count[SLOPED] = count[FRESH]
    write_samples(real, count, y, y_new, dense, samples, sampled, quaternions)
    for j in range(n):
        y[j] = y_new[j]
    real[T] = real[T_NEW]
    count[STEPS] += 1
    count[GRID] += 1
    if count[FRESH] == 0:
        # the next step is not longer than this one was meant to be
        if count[ADAPTIVE] == 0:
            new_grid(real, count)
        else:
            real[H] = min(real[H], abs(real[DT]))
    return recorded(real, count, y, signals, marks, records)


@native
def recorded(real: Array, count: Ints, y: Array, signals: Array, marks: Ints, records: Array) -> int:
    """EVENT if a terminal one is among the events at y, which are written down, else PAUSED."""
    ng, n = count[SIGNALS], count[SIZE]
    values = at(signals, NEW * ng)
    answer = PAUSED
    for i in range(ng):
        if crossed(i, ng, values, signals):
            row = at(records, count[EVENTS] * (n + 1))
            marks[count[EVENTS]] = i
            row[0] = real[T]
            for j in range(n):
                row[1 + j] = y[j]
            count[EVENTS] += 1
            if signals[TERMINAL * ng + i] != 0.0:
                answer = EVENT
        signals[NOW * ng + i] = values[i]
        signals[RISE * ng + i] = signals[RISE_NEW * ng + i]
        # Newton's step towards zero: what only touches for a moment is not jumped over
        way = -real[SIGN] * signals[RISE * ng + i]
        if count[ADAPTIVE] != 0 and count[FRESH] != 0 and values[i] * way > 0.0:
            real[H] = min(real[H], max(values[i] / way, SHORT))
        if values[i] != 0.0:
            signals[SIDE * ng + i] = 1.0 if values[i] > 0.0 else -1.0
    return answer
