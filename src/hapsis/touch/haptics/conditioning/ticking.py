"""One tick of a chain of stages, called by the loop: (t, sample in, sample out).

Time is counted in periods. Where periods are left out, or a sample is not finite, a sampled stage
shows what it showed before; the next good sample is joined to the last one by a straight line, so
that a ramp with gaps is still a ramp. After a gap longer than the stage fills, it starts anew.
"""

from hapsis.compiler.native import Array, Ints, Kernel, at, floor, isfinite, native
from hapsis.touch.haptics.conditioning.kalman_steps import kalman, steady
from hapsis.touch.haptics.conditioning.layout import (
    ACTUATOR,
    ADAPTIVE,
    AFFINE,
    AT_CONSTANTS,
    AT_MEMORY,
    AXES,
    CODE,
    CONSTANTS,
    DISTURBED,
    FIRST_OWN,
    FIRST_SAMPLED,
    HALL,
    HALL_VOLTS,
    INCLINATION,
    INDEX,
    INPUTS,
    KALMAN,
    LINEAR,
    LONGEST,
    MEMORY,
    MEMORY_OF_AXIS,
    MISSING,
    OUTPUTS,
    PERIOD,
    PLAN,
    QUANTISED,
    ROW,
    STAGES,
    STARTED,
    STEADY,
    WINDOW,
)
from hapsis.touch.haptics.conditioning.simple_steps import (
    actuator,
    affine,
    disturbed,
    hall,
    hall_volts,
    inclination,
    linear,
    quantised,
)
from hapsis.touch.haptics.conditioning.window_steps import adaptive, window


@native
def step(row: Ints, x: Array, y: Array, m: Array, c: Array) -> None:
    """One step of the stage that a row of the plan tells."""
    code = row[CODE]
    if code == AFFINE:
        affine(row[INPUTS], row[OUTPUTS], x, y, c)
    elif code == HALL:
        hall(x, y, c)
    elif code == INCLINATION:
        inclination(row[OUTPUTS] - 1, x, y, c)
    elif code == HALL_VOLTS:
        hall_volts(x, y, c)
    elif code == QUANTISED:
        quantised(row[INPUTS], x, y, c)
    elif code == LINEAR:
        linear(x, y, m, c)
    elif code == WINDOW:
        window(x, y, m, c)
    elif code == ADAPTIVE:
        adaptive(x, y, m, c)
    elif code == KALMAN:
        kalman(x, y, m, c)
    elif code == STEADY:
        steady(x, y, m, c)
    elif code == ACTUATOR:
        actuator(x, y, m, c)
    elif code == DISTURBED:
        disturbed(row[INPUTS], x, y, m, c)


@native
def passed(t: float, m: Array, c: Array) -> float:
    """Periods since the last sample, at least one; at most one more than the stage fills."""
    if m[STARTED] == 0.0:
        return 1.0
    count = floor(t / c[PERIOD] + 0.5) - m[INDEX]
    if not count >= 1.0:
        return 1.0
    return min(count, c[LONGEST] + 1.0)


@native
def note(t: float, m: Array, c: Array) -> None:
    """The number of this period; time that stands still or turns back counts on by one."""
    index = floor(t / c[PERIOD] + 0.5)
    if not isfinite(index) or (m[STARTED] != 0.0 and index <= m[INDEX]):
        index = m[INDEX] + 1.0
    m[INDEX] = index
    m[STARTED] = 1.0


@native
def sampled(row: Ints, t: float, x: Array, y: Array, m: Array, c: Array) -> None:
    """A stage at equal times: gaps become straight lines."""
    last, held = at(m, MEMORY), at(m, MEMORY + 1)
    between, own = at(m, MEMORY + 2), at(m, MEMORY + 3)
    if not isfinite(x[0]):
        y[0] = held[0] if m[STARTED] != 0.0 else x[0] - x[0]
        return
    count = int(passed(t, m, c))
    if count > int(c[LONGEST]):
        own[0] = 0.0
        count = 1
    for k in range(1, count):
        between[0] = last[0] + (x[0] - last[0]) * (float(k) / count)
        step(row, between, y, own, at(c, CONSTANTS))
    step(row, x, y, own, at(c, CONSTANTS))
    note(t, m, c)
    last[0], held[0] = x[0], y[0]


@native
def estimated(row: Ints, t: float, x: Array, y: Array, m: Array, c: Array) -> None:
    """A stage that goes on by itself: of periods left out it gets samples that are missing."""
    missing = at(m, MEMORY)
    own = at(m, MEMORY + row[INPUTS])
    for k in range(row[INPUTS]):
        missing[k] = c[MISSING]
    count = int(passed(t, m, c))
    for _k in range(1, min(count, int(c[LONGEST]))):
        step(row, missing, y, own, at(c, CONSTANTS))
    step(row, x, y, own, at(c, CONSTANTS))
    note(t, m, c)


@native
def stage(row: Ints, t: float, x: Array, y: Array, m: Array, c: Array) -> None:
    """One tick of one stage."""
    if row[CODE] < FIRST_SAMPLED:
        step(row, x, y, m, at(c, CONSTANTS))
    elif row[CODE] < FIRST_OWN:
        sampled(row, t, x, y, m, c)
    else:
        estimated(row, t, x, y, m, c)


@native
def tick(t: Array, x: Array, y: Array, plan: Ints, c: Array, m: Array, middle: Array) -> None:
    """One tick of a chain, for each axis; `middle` holds what passes between stages."""
    stages, wide = plan[STAGES], int(middle[0])
    first, last = at(plan, PLAN), at(plan, PLAN + (stages - 1) * ROW)
    for axis in range(plan[AXES]):
        own = at(m, axis * plan[MEMORY_OF_AXIS])
        given, made = at(x, axis * first[INPUTS]), at(y, axis * last[OUTPUTS])
        for k in range(stages):
            row = at(plan, PLAN + k * ROW)
            source = given if k == 0 else at(middle, 1 + (k - 1) % 2 * wide)
            target = made if k == stages - 1 else at(middle, 1 + k % 2 * wide)
            stage(row, t[0], source, target, at(own, row[AT_MEMORY]), at(c, row[AT_CONSTANTS]))


@native
def rows(f: Kernel, count: int, inputs: int, outputs: int, t: Array, x: Array, y: Array) -> None:
    """Ticks over rows of samples."""
    for k in range(count):
        f(at(t, k), at(x, k * inputs), at(y, k * outputs))
