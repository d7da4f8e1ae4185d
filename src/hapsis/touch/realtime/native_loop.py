"""The loop in native code: wait, read, step, guard, write, telemetry; then the next period.

Deadlines are counted from the start on the monotonic clock. A tick that takes longer than its period
skips whole periods and keeps phase: it never catches up in a burst. Nothing is allocated, no lock is
taken and no interpreter runs; Python reads and changes the loop through rings and published ints.

    lateness    from the deadline to waking
    compute     from waking to the command written
    miss        the command was written after the period was over
    skip        a whole period without a command
"""

from hapsis.compiler.native import (
    Array,
    Ints,
    Kernel,
    at,
    clock,
    isfinite,
    native,
    observe,
    place,
    publish,
    wait_until,
)
from hapsis.touch.realtime.loop_memory import COMPUTE, FAULT, HEAD, HELD, LATE, TIME, LoopMemory, ModelState
from hapsis.touch.realtime.ring import push

BIN = 1000  # ns


@native
def run(loop: LoopMemory) -> int:
    """Ticks until the loop is stopped or reaches its limit; the number of ticks so far."""
    last = clock()
    deadline = last + loop.period
    loop.start = deadline
    begin = 0.0 if loop.ticks == 0 else loop.t + float(loop.period) * 1e-9
    loop.misses_in_a_row = 0
    loop.skipped = 0
    while observe(place(loop, "stop"), 0) == 0 and (loop.limit == 0 or loop.ticks < loop.limit):
        if loop.paced:
            wait_until(deadline)
        woke = clock()
        loop.t = begin + float(deadline - loop.start) * 1e-9
        tick(loop)
        done = clock()
        write_telemetry(loop, woke - deadline, done - woke)
        count_time(loop.late_bins, loop.bins, woke - deadline)
        count_time(loop.work_bins, loop.bins, done - woke)
        loop.spent += done - last
        last = done
        deadline = next_deadline(loop, deadline, done)
        publish(place(loop, "beat"), 0, loop.ticks)
    return loop.ticks


@native
def tick(loop: LoopMemory) -> None:
    """Reads the device, steps the model, and writes the command that the guard allows."""
    loop.read(place(loop, "t"), loop.sample)
    take_inputs(loop)
    approach_aims(loop)
    advance(loop.step, loop.state, loop.u, loop.live, loop.out)
    for k in range(loop.axes):
        loop.wanted[k] = loop.output_gains[k] * loop.out[k]
    loop.guard.missed = loop.skipped
    loop.guard_tick(loop.wanted, loop.sample, loop.command)
    loop.write(place(loop, "t"), loop.command)


@native
def take_inputs(loop: LoopMemory) -> None:
    """The inputs of the model from the sample; those that are held stay."""
    for k in range(loop.inputs):
        if loop.sources[k] != HELD:
            loop.u[k] = loop.input_gains[k] * loop.sample[loop.sources[k]]


@native
def approach_aims(loop: LoopMemory) -> None:
    """Live parameters go towards their aims, no faster than allowed."""
    dt = float(loop.period) * 1e-9
    for k in range(loop.lives):
        most = loop.live_rates[k] * dt
        loop.live[k] += max(-most, min(most, loop.live_aims[k] - loop.live[k]))


@native
def advance(step: Kernel, state: ModelState, u: Array, live: Array, out: Array) -> None:
    """One step of the model; a new state that is not finite is dropped."""
    n = state.size
    now, new = state.side * n, (1 - state.side) * n
    step(at(state.y, now), u, live, at(state.y, new), out)
    good = True
    for k in range(n):
        if not isfinite(state.y[new + k]):  # pyright: ignore[reportArgumentType]
            good = False
    if good:
        state.side = 1 - state.side
    else:
        state.bad += 1


@native
def write_telemetry(loop: LoopMemory, lateness: int, compute: int) -> None:
    """One row of telemetry."""
    row = loop.row
    row[TIME], row[LATE], row[COMPUTE] = loop.t, float(lateness) * 1e-9, float(compute) * 1e-9
    row[FAULT] = float(loop.guard.fault)
    start = HEAD
    start = copy_numbers(row, start, loop.sample, 3 * loop.axes + 2)
    start = copy_numbers(row, start, loop.u, loop.inputs)
    start = copy_numbers(row, start, loop.live, loop.lives)
    start = copy_numbers(row, start, loop.out, loop.outputs)
    start = copy_numbers(row, start, loop.command, loop.axes)
    push(loop.telemetry, row)


@native
def copy_numbers(row: Array, start: int, values: Array, count: int) -> int:
    """The place behind `count` values, which are copied into a row from `start` on."""
    for k in range(count):
        row[start + k] = values[k]
    return start + count


@native
def count_time(bins: Ints, size: int, nanoseconds: int) -> None:
    """One more in its bin of a microsecond; the last bin takes all that is longer."""
    k = max(0, min(size - 1, nanoseconds // BIN))
    bins[k] += 1


@native
def next_deadline(loop: LoopMemory, deadline: int, done: int) -> int:
    """The next deadline that is not over; misses and skipped periods are counted."""
    loop.ticks += 1
    loop.skipped = 0
    deadline += loop.period
    if not loop.paced:
        return deadline
    if done <= deadline:
        loop.misses_in_a_row = 0
        return deadline
    loop.misses += 1
    loop.misses_in_a_row += 1
    loop.longest = max(loop.longest, loop.misses_in_a_row)
    behind = (done - deadline + loop.period - 1) // loop.period
    loop.skips += behind
    loop.skipped = behind
    return deadline + behind * loop.period
