"""The loop in native code: wait, read, step, guard, write, telemetry; then the next period.

Deadlines are counted from the start on the monotonic clock. A tick that takes longer than its period
skips whole periods and keeps phase: it never catches up in a burst. Nothing is allocated, no lock is
taken and no interpreter runs; Python reads and changes the loop through rings and published ints.

    lateness    from the deadline to waking
    compute     from waking to the command written
    miss        the command was written after the period was over
    skip        a whole period without a command
    stall       so long from one waking to the next that it is a fault

At the end the device has no force: what is left goes in steps that the guard allows. Nobody writes to
the device while the supervisor does: who writes has claimed the guard's `writer`.
"""

from hapsis.compiler.native import (
    Array,
    Ints,
    Kernel,
    at,
    claim,
    clock,
    isfinite,
    native,
    observe,
    place,
    publish,
    wait_until,
)
from hapsis.touch.realtime.guard_faults import latch
from hapsis.touch.realtime.guard_forces import fall, gone
from hapsis.touch.realtime.guard_memory import STALLED
from hapsis.touch.realtime.loop_memory import COMPUTE, FAULT, HEAD, HELD, LATE, TIME, LoopMemory, ModelState
from hapsis.touch.realtime.ring import push

BIN = 1000  # ns


@native
def run(loop: LoopMemory) -> int:
    """Ticks until the loop is stopped or reaches its limit, and takes the force away; the number of
    ticks so far."""
    last = clock()
    woke_before = 0
    deadline = last + loop.period
    loop.start = deadline
    begin = 0.0 if loop.ticks == 0 else loop.t + float(loop.period) * 1e-9
    loop.misses_in_a_row = 0
    loop.skipped = 0
    while observe(place(loop, "stop"), 0) == 0 and (loop.limit == 0 or loop.ticks < loop.limit):
        if loop.paced:
            wait_until(deadline)
        woke = clock()
        if loop.stall > 0 and woke_before > 0 and woke - woke_before > loop.stall:
            publish(place(loop.guard, "stop_request"), 0, STALLED)
        woke_before = woke
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
        publish(place(loop, "pulse"), 0, loop.pulse + 1)
    let_go(loop)
    publish(place(loop, "pulse"), 0, 0)  # nothing is expected from now on
    return loop.ticks


@native
def let_go(loop: LoopMemory) -> None:
    """Takes away what force the device has left, a step in every period."""
    while not gone(loop.guard):
        if loop.paced:
            wait_until(clock() + loop.period)
        if claim(place(loop.guard, "writer"), 0):
            fall(loop.guard, loop.command)
            loop.write(place(loop, "t"), loop.command)
            publish(place(loop.guard, "writer"), 0, 0)
        publish(place(loop, "pulse"), 0, loop.pulse + 1)


@native
def tick(loop: LoopMemory) -> None:
    """Reads the device, steps the model, and writes the command that the guard allows. If the supervisor
    writes at this moment, there is a fault and no other command."""
    loop.read(place(loop, "t"), loop.sample)
    take_inputs(loop)
    approach_aims(loop)
    advance(loop.step, loop.state, loop.u, loop.live, loop.out)
    for k in range(loop.axes):
        loop.wanted[k] = loop.output_gains[k] * loop.out[k]
    loop.guard.missed = loop.skipped
    if claim(place(loop.guard, "writer"), 0):
        loop.guard_tick(loop.wanted, loop.sample, loop.command)
        loop.write(place(loop, "t"), loop.command)
        publish(place(loop.guard, "writer"), 0, 0)
    else:
        latch(loop.guard, STALLED)
        for k in range(loop.axes):
            loop.command[k] = loop.guard.force[k]  # for the telemetry


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
