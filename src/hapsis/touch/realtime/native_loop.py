"""The loop itself, in native code: wait, read, step, guard, write, tell; then the next period.

Deadlines are counted from the start on the clock that never goes back. A tick that takes longer
than its period skips whole periods and keeps phase: it never catches up in a burst. Nothing is
allocated, no lock is taken and no interpreter runs; what Python wants to know or to change goes
through rings and published ints.

    lateness    from the deadline to waking
    compute     from waking to the command written
    miss        the command was written after the period was over
    skip        a whole period without a command

Memory is arrays, with named places as in `motion.solvers.layout`.
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
    publish,
    wait_until,
)
from hapsis.touch.realtime.guard_layout import FAULT, MISSED
from hapsis.touch.realtime.ring import RingMemory, push

# facts: what stays, ints
PERIOD, LIMIT, STATES, INPUTS, OUTPUTS, AXES, LIVE, WIDTH, CAPACITY, BINS, FREE = range(11)
# counts: what changes, ints; the first two are published
STOP, BEAT, TICKS, MISSES, SKIPS, RUN, LONGEST, START, SPENT, BAD, SIDE, GONE = range(12)
FACTS, COUNTS = 11, 12
# a row of telemetry begins with these; then sample, inputs, live parameters, outputs, command
TIME, LATE, COMPUTE, TROUBLE, HEAD = range(5)
BIN = 1000  # ns
NOTHING = -1  # in `takes`: this input is held


@native
def run(
    read: Kernel,
    step: Kernel,
    guard: Kernel,
    write: Kernel,
    facts: Ints,
    counts: Ints,
    takes: Ints,  # for each input which number of the sample, or NOTHING
    gives: Ints,  # for each axis which output
    gains: Array,  # of inputs, then of axes
    y: Array,  # the state, twice
    u: Array,
    live: Array,  # parameters: now, aims, greatest rates
    out: Array,
    sample: Array,
    wanted: Array,
    command: Array,
    late: Ints,  # histograms
    work: Ints,
    row: Array,
    ring: RingMemory,
    t: Array,
    letters: Ints,  # the guard's counts
) -> int:
    """Ticks until it is told to stop, or the limit is reached; how many there were."""
    period = facts[PERIOD]
    last = clock()
    deadline = last + period
    counts[START] = deadline
    begin = 0.0 if counts[TICKS] == 0 else t[0] + float(period) * 1e-9
    counts[RUN] = 0
    counts[GONE] = 0
    while observe(counts, STOP) == 0 and (facts[LIMIT] == 0 or counts[TICKS] < facts[LIMIT]):
        if facts[FREE] == 0:
            wait_until(deadline)
        woke = clock()
        t[0] = begin + float(deadline - counts[START]) * 1e-9
        read(t, sample)
        taken(facts, takes, gains, sample, u)
        approach(facts, live, float(period) * 1e-9)
        advance(step, facts, counts, y, u, live, out)
        for k in range(facts[AXES]):
            wanted[k] = gains[facts[INPUTS] + k] * out[gives[k]]
        letters[MISSED] = counts[GONE]
        guard(wanted, sample, command)
        write(t, command)
        done = clock()
        row[TROUBLE] = float(letters[FAULT])
        tell(facts, t, sample, u, live, out, command, woke - deadline, done - woke, row, ring)
        count(late, facts[BINS], woke - deadline)
        count(work, facts[BINS], done - woke)
        counts[SPENT] += done - last
        last = done
        deadline = next_deadline(counts, deadline, period, done, facts[FREE])
        publish(counts, BEAT, counts[TICKS])
    return counts[TICKS]


@native
def taken(facts: Ints, takes: Ints, gains: Array, sample: Array, u: Array) -> None:
    """The inputs of the model from the sample; those that are held stay."""
    for k in range(facts[INPUTS]):
        if takes[k] != NOTHING:
            u[k] = gains[k] * sample[takes[k]]


@native
def approach(facts: Ints, live: Array, dt: float) -> None:
    """Live parameters go towards their aims, no faster than they may."""
    n = facts[LIVE]
    for k in range(n):
        most = live[2 * n + k] * dt
        live[k] += max(-most, min(most, live[n + k] - live[k]))


@native
def advance(step: Kernel, facts: Ints, counts: Ints, y: Array, u: Array, live: Array, out: Array) -> None:
    """One step of the model; a state that is not finite is not taken over."""
    n = facts[STATES]
    side = counts[SIDE]
    step(at(y, side * n), u, live, at(y, (1 - side) * n), out)
    good = True
    for k in range(n):
        x = y[(1 - side) * n + k]
        if not isfinite(x):  # pyright: ignore[reportArgumentType]
            good = False
    if good:
        counts[SIDE] = 1 - side
    else:
        counts[BAD] += 1


@native
def tell(
    facts: Ints,
    t: Array,
    sample: Array,
    u: Array,
    live: Array,
    out: Array,
    command: Array,
    lateness: int,
    compute: int,
    row: Array,
    ring: RingMemory,
) -> None:
    """A row of telemetry."""
    row[TIME], row[LATE], row[COMPUTE] = t[0], float(lateness) * 1e-9, float(compute) * 1e-9
    place = HEAD
    for k in range(3 * facts[AXES] + 2):
        row[place + k] = sample[k]
    place += 3 * facts[AXES] + 2
    for k in range(facts[INPUTS]):
        row[place + k] = u[k]
    place += facts[INPUTS]
    for k in range(facts[LIVE]):
        row[place + k] = live[k]
    place += facts[LIVE]
    for k in range(facts[OUTPUTS]):
        row[place + k] = out[k]
    place += facts[OUTPUTS]
    for k in range(facts[AXES]):
        row[place + k] = command[k]
    push(ring, row)


@native
def count(bins: Ints, size: int, nanoseconds: int) -> None:
    """One more in its bin of a microsecond; the last bin takes all that is longer."""
    k = max(0, min(size - 1, nanoseconds // BIN))
    bins[k] += 1


@native
def next_deadline(counts: Ints, deadline: int, period: int, done: int, free: int) -> int:
    """The next deadline that is not over; misses and skipped periods are counted."""
    counts[TICKS] += 1
    counts[GONE] = 0
    deadline += period
    if free != 0:
        return deadline
    if done <= deadline:
        counts[RUN] = 0
        return deadline
    counts[MISSES] += 1
    counts[RUN] += 1
    counts[LONGEST] = max(counts[LONGEST], counts[RUN])
    behind = (done - deadline + period - 1) // period
    counts[SKIPS] += behind
    counts[GONE] = behind
    return deadline + behind * period
