"""The memory of the loop as a record: sizes, kernels, state, counts and telemetry."""

from hapsis.compiler.native import Array, Ints, Kernel, constant, later, record, sized
from hapsis.touch.realtime.guard_memory import GuardMemory
from hapsis.touch.realtime.ring import RingMemory

# a row of telemetry begins with these; then sample, inputs, live parameters, outputs, command
TIME, LATE, COMPUTE, FAULT, HEAD = range(5)
HELD = -1  # in `sources`: no number of the sample; the input is held


@record
class ModelState:
    """The state of a model between two ticks, twice: a step reads one side and writes the other."""

    size: int
    side: int = 0  # the valid one
    bad: int = 0  # steps whose state was not finite
    y: Array = sized("2 * size")


@record
class LoopMemory:
    """All that a loop works on, allocated before its first tick. Times are in ns unless said."""

    axes: int
    inputs: int
    outputs: int
    lives: int
    bins: int
    period: int = constant()
    paced: bool = constant(True)
    stall: int = constant(0)  # from one waking to the next, until that is a fault; 0 for never

    # kernels
    read: Kernel  # (t, sample)
    step: Kernel  # (y, u, live, y_new, outputs)
    guard_tick: Kernel  # (wanted, sample, safe)
    write: Kernel  # (t, command)

    # between threads
    stop: int = 0  # published by any thread: 1 ends the loop
    beat: int = 0  # published by the loop: the number of ticks
    pulse: int = 0  # published by the loop: the number of its commands, those without a tick too
    limit: int = 0  # ticks at which the loop ends; 0 for never

    # counts
    ticks: int = 0
    misses: int = 0  # commands written after their period
    skips: int = 0  # periods without a command
    misses_in_a_row: int = 0
    longest: int = 0  # row of misses
    start: int = 0  # the first deadline
    spent: int = 0  # time in the loop
    skipped: int = 0  # periods since the previous tick
    late_bins: Ints = sized("bins")  # histogram of lateness, in microseconds
    work_bins: Ints = sized("bins")  # histogram of computing time

    # the values of a tick
    t: float = 0.0  # s
    sample: Array = sized("3 * axes + 2")
    sources: Ints = sized("inputs")  # which number of the sample each input is, or HELD
    input_gains: Array = sized("inputs")
    u: Array = sized("inputs")
    live: Array = later()  # parameters that may change, at least one number
    live_aims: Array = sized("lives")
    live_rates: Array = sized("lives")  # the greatest change per second
    out: Array = sized("outputs")
    output_gains: Array = sized("axes")
    wanted: Array = sized("axes")
    command: Array = sized("axes")
    row: Array = sized("4 + 3 * axes + 2 + inputs + lives + outputs + axes")

    state: ModelState
    guard: GuardMemory
    telemetry: RingMemory
