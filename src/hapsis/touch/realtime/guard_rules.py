"""The rules of the guard, in the order of a tick: time, sample, energy, force.

Native functions, no allocation: about a tenth of a microsecond for three axes. A fault is latched
by its first cause; what comes later is counted only.
"""

from hapsis.compiler.native import Array, Ints, at, isfinite, native, observe, publish, sqrt
from hapsis.touch.realtime.guard_layout import (
    AGE,
    AXES,
    BAD,
    BAD_POSITION,
    BUCKET,
    CHANGE,
    COUNTER,
    DAMPED,
    DAMPING,
    DEVICE,
    ENERGY,
    ERRORS,
    EVERY,
    F_DAMPED,
    F_FADED,
    F_JUMP,
    F_LATE,
    F_LIMITED,
    F_SATURATED,
    FADE,
    FADED,
    FALLEN,
    FAULT,
    FAULT_TICK,
    FAULTS,
    FLAGS,
    FROM,
    FULL,
    HUGE_FORCE,
    IN_A_ROW,
    JUMP,
    JUMPS,
    LARGEST,
    LAST,
    LATE,
    LIMITED,
    LONGEST,
    LOWEST,
    MEMORY,
    MEMORY_BLOCKS,
    MISSED,
    MISSES,
    MOST,
    NAN_FORCE,
    NOT_NUMBERS,
    PATIENCE,
    PERIOD,
    POSITION,
    RAMP,
    REARM,
    REARMED,
    REFUSED,
    RESERVE,
    ROW,
    SATURATED,
    SCALARS,
    SINCE,
    SMALL,
    STALE,
    STALE_SAMPLE,
    STARTED,
    STEP,
    STORE,
    TARGET,
    TICKS,
    TOGETHER,
    TOO_LARGE,
    TOO_SLOW,
    TROUBLE,
    VELOCITY,
)

MANY = 1000000  # missed periods that are told apart


@native
def latch(cause: int, memory: Array, counts: Ints) -> None:
    """Keeps the first cause; the ramp to zero starts from the last force."""
    if counts[FAULT] == 0:
        n = counts[AXES]
        counts[FAULT] = cause
        counts[FAULTS] += 1
        counts[FAULT_TICK] = counts[TICKS]
        counts[FALLEN] = 0
        for j in range(n):
            memory[FROM * n + j] = memory[LAST * n + j]


@native
def remembered(memory: Array, counts: Ints) -> None:
    """A number in memory that is not finite is a fault; a force among them counts as none."""
    n = counts[AXES]
    for j in range(2 * n):  # LAST and FROM
        if not abs(memory[j]) <= LARGEST:
            memory[j] = 0.0
            latch(MEMORY, memory, counts)
    for j in range(POSITION * n, MEMORY_BLOCKS * n):
        if not isfinite(memory[j]):
            latch(MEMORY, memory, counts)


@native
def timed(memory: Array, counts: Ints) -> int:
    """Missed periods since the tick before: the leaky bucket, and the fade after some in a row."""
    missed = max(0, min(MANY, counts[MISSED]))
    counts[MISSED] = 0
    if missed > 0:
        counts[FLAGS] = counts[FLAGS] | F_LATE
        counts[LATE] += 1
        counts[MISSES] += missed
        counts[IN_A_ROW] += missed
        counts[LONGEST] = max(counts[LONGEST], counts[IN_A_ROW])
        counts[BUCKET] += 10
    else:
        counts[IN_A_ROW] = 0
        counts[BUCKET] = max(0, counts[BUCKET] - 1)
    if counts[BUCKET] >= counts[FULL]:
        latch(TOO_SLOW, memory, counts)
    if counts[IN_A_ROW] >= counts[ROW]:
        counts[FADE] = max(0, counts[FADE] - 1 - missed)
    else:
        counts[FADE] = min(counts[RAMP], counts[FADE] + 1)
    return missed


@native
def sampled(sample: Array, missed: int, settings: Array, memory: Array, counts: Ints) -> bool:
    """Whether the force may follow the model: the sample is good, and not older than it may be."""
    n = counts[AXES]
    cause = 0
    if sample[3 * n] != 0.0:
        counts[ERRORS] += 1
        cause = DEVICE
    else:
        for j in range(n):
            if not abs(sample[j]) <= LARGEST:
                cause = BAD_POSITION
        if cause != 0:
            counts[BAD] += 1
    counts[AGE] += 1
    counts[SINCE] += 1 + missed
    if cause != 0:
        counts[TROUBLE] += 1
        if counts[TROUBLE] >= counts[PATIENCE]:
            latch(cause, memory, counts)
    else:
        counts[TROUBLE] = 0
        last = memory[MEMORY_BLOCKS * n + COUNTER]
        now = sample[3 * n + 1]
        # a counter that is no number counts as one that stands still
        if counts[STARTED] == 0 or (now == now and now != last):
            moved(sample, settings, memory, counts)
            counts[AGE] = 0
            counts[SINCE] = 0
    if counts[AGE] >= counts[EVERY] and cause == 0:
        counts[STALE] += 1
    if counts[AGE] >= counts[PATIENCE] * counts[EVERY]:
        latch(STALE_SAMPLE, memory, counts)
    return cause == 0 and counts[AGE] < counts[EVERY]


@native
def moved(sample: Array, settings: Array, memory: Array, counts: Ints) -> None:
    """The passivity observer: what the held force did to the hand since the last sample.

    Energy taken from the hand is -f Δx; that is exact, the force did not change meanwhile. Over a
    jump nothing is counted and the velocity is unknown.
    """
    n = counts[AXES]
    time = settings[PERIOD] * float(counts[SINCE])
    for j in range(n):
        x = sample[j]
        change = x - memory[POSITION * n + j]
        memory[POSITION * n + j] = x
        velocity = 0.0
        if counts[STARTED] != 0:
            if abs(change) > settings[SCALARS + JUMP * n + j]:
                counts[JUMPS] += 1
                counts[FLAGS] = counts[FLAGS] | F_JUMP
            else:
                taken = memory[ENERGY * n + j] - memory[LAST * n + j] * change
                memory[ENERGY * n + j] = min(taken, settings[STORE])
                memory[LOWEST * n + j] = min(memory[LOWEST * n + j], taken)
                velocity = change / time
                if abs(sample[n + j]) <= LARGEST:
                    velocity = sample[n + j]
        memory[VELOCITY * n + j] = velocity
    memory[MEMORY_BLOCKS * n + COUNTER] = sample[3 * n + 1]
    counts[STARTED] = 1


@native
def wanted_well(wanted: Array, memory: Array, counts: Ints) -> bool:
    """Whether the wanted force is a number on every axis; else the fault is latched."""
    cause = 0
    for j in range(counts[AXES]):
        if not abs(wanted[j]) <= LARGEST:
            if wanted[j] != wanted[j]:
                cause = NAN_FORCE
            elif cause == 0:
                cause = HUGE_FORCE
    if cause != 0:
        if cause == NAN_FORCE:
            counts[NOT_NUMBERS] += 1
        else:
            counts[TOO_LARGE] += 1
        latch(cause, memory, counts)
    return cause == 0


@native
def share(x: Array, limit: Array, counts: Ints) -> float:
    """The largest part of the vector x, at most 1, that lies within the limits."""
    part = 1.0
    if counts[TOGETHER] != 0:
        total = 0.0
        for j in range(counts[AXES]):
            total += x[j] * x[j]
        size = sqrt(total)
        if size > limit[0]:
            part = limit[0] / size
    else:
        for j in range(counts[AXES]):
            if abs(x[j]) * part > limit[j]:
                part = limit[j] / abs(x[j])
    return part


@native
def damped(settings: Array, memory: Array, counts: Ints) -> None:
    """The passivity controller: damping where this force would give more than was taken.

    With the velocity as it is now the energy after this tick is E - f v T; if that is below zero
    (a reserve of the model put to it), damping α = -(E - f v T) / (T v²) brings it back.
    Reference: [HannafordRyu].
    """
    n = counts[AXES]
    acted = 0
    for j in range(n):
        v = memory[VELOCITY * n + j]
        after = memory[ENERGY * n + j] + settings[RESERVE]
        after -= memory[TARGET * n + j] * v * settings[PERIOD]
        if after < 0.0 and v != 0.0:
            # the push along the motion may go entirely; braking beyond it is limited
            most = settings[SCALARS + DAMPING * n + j] * abs(v)
            push = memory[TARGET * n + j] if v > 0.0 else -memory[TARGET * n + j]
            brake = min(max(most, push), -after / (settings[PERIOD] * abs(v)))
            memory[TARGET * n + j] -= brake if v > 0.0 else -brake
            acted = 1
    if acted != 0:
        counts[DAMPED] += 1
        counts[FLAGS] = counts[FLAGS] | F_DAMPED


@native
def saturated(settings: Array, memory: Array, counts: Ints) -> None:
    """The target within the largest force, its direction kept; less of it after missed periods."""
    n = counts[AXES]
    target = at(memory, TARGET * n)
    part = share(target, at(settings, SCALARS + MOST * n), counts)
    if part < 1.0:
        counts[SATURATED] += 1
        counts[FLAGS] = counts[FLAGS] | F_SATURATED
    if counts[FADE] < counts[RAMP]:
        part = part * float(counts[FADE]) / float(counts[RAMP])
        counts[FADED] += 1
        counts[FLAGS] = counts[FLAGS] | F_FADED
    for j in range(n):
        target[j] = part * target[j]


@native
def stepped(settings: Array, memory: Array, counts: Ints, safe: Array) -> None:
    """The force goes towards its target by no more than the step, straight."""
    n = counts[AXES]
    target = at(memory, TARGET * n)
    change = at(memory, CHANGE * n)
    for j in range(n):
        change[j] = target[j] - memory[LAST * n + j]
    part = share(change, at(settings, SCALARS + STEP * n), counts)
    if part < 1.0:
        counts[LIMITED] += 1
        counts[FLAGS] = counts[FLAGS] | F_LIMITED
        for j in range(n):
            target[j] = memory[LAST * n + j] + part * change[j]
    for j in range(n):
        # rounding must not carry it over the edge
        most = settings[SCALARS + MOST * n + (0 if counts[TOGETHER] != 0 else j)]
        safe[j] = max(-most, min(most, target[j]))
        memory[LAST * n + j] = safe[j]


@native
def fallen(missed: int, memory: Array, counts: Ints) -> None:
    """The target of a tick with a fault: on a straight line to zero."""
    n = counts[AXES]
    counts[FALLEN] = min(counts[RAMP], counts[FALLEN] + 1 + missed)
    left = float(counts[RAMP] - counts[FALLEN]) / float(counts[RAMP])
    for j in range(n):
        memory[TARGET * n + j] = left * memory[FROM * n + j]


@native
def rearmed(good: bool, wanted: Array, sample: Array, settings: Array, memory: Array, counts: Ints) -> None:
    """Ends a fault if that was asked for, the force is gone and the model wants a small one."""
    n = counts[AXES]
    if observe(counts, REARM) == 0:
        return
    publish(counts, REARM, 0)
    if counts[FAULT] == 0:
        return
    if (
        not good
        or counts[FALLEN] < counts[RAMP]
        or share(wanted, at(settings, SCALARS + SMALL * n), counts) < 1.0
    ):
        counts[REFUSED] += 1
        return
    counts[FAULT] = 0
    counts[REARMED] += 1
    counts[FADE] = 0
    counts[IN_A_ROW] = 0
    counts[BUCKET] = 0
    for j in range(n):
        memory[POSITION * n + j] = sample[j]
    for j in range(VELOCITY * n, MEMORY_BLOCKS * n):
        memory[j] = 0.0
