"""The memory of runs of equations with phases, and the Kernels that look up the phase.

The vector that is integrated is

    y, phase, begun, loss

where y is the state, `phase` the number of the equations that hold, `begun` the time at which they began
to hold, and `loss` the energy that events have taken so far. A phase has three Kernels: its motion
(t, y, dy), what it watches (t, y, begun, g), and its closing (t, y, closed), which meets its constraints
exactly. g has a value for each event, 1 for those that cannot happen in the phase, and two for the
phase's own health: where the first of them falls below zero, or the second rises above it, Python is asked.

Where an event happens in a phase, the reset of that pair (t, y, begun, result) is called:

    result = mask, gap, change, y, impulses...

Where the mask is zero nothing happens. `gap` is how far the new state is from the constraints of the
phase after, `change` that of the energy. Events of one moment are looked at in their order; each acts
if it belongs to the phase that the one before has led to, and its mask is not zero there, nor where the
moment began.
"""

from hapsis.compiler.native import Array, Ints, Kernels, at, constant, later, native, record, sized
from hapsis.motion.solvers.integrators.explicit import ExplicitMemory

PHASE, BEGUN, LOSS = 0, 1, 2  # places behind y
MORE = 3
HEALTH = 2  # values of g behind those of events
MASK, GAP, CHANGE, HEAD = 0, 1, 2, 3  # places in a result; the state comes behind them
TIME, WHICH, BEFORE, AFTER, ENERGY, ROW = 0, 1, 2, 3, 4, 5  # places in a row of the log

# what `advance` answers besides the answers of `run_memory`
LOG_FULL = 20  # the log must grow
ENTRY = 21  # the phase to enter has no Kernels yet, or they are weak there
WEAK = 22  # those of this phase have become weak, or are good again
STOP = 23  # an event that ends the run
ZENO = 24  # bounces come ever faster, and there is no reset of rest
CHATTERING = 25  # an event happens again and again at one moment
OPEN = 26  # the state after an event does not fit the phase after it
IMPOSSIBLE = 27  # a reset gives numbers that are not finite

BOUNCES = 2  # the mark of a strike with restitution
INSTANT = 1e-7  # s; events that follow each other faster are not told apart
TORN = 1e-6  # of a gap: more is not met


@record
class PhaseKernels:
    """The Kernels of all phases."""

    size: int = constant()
    motions: Kernels = later()
    watches: Kernels = later()
    closings: Kernels = later()


@record
class PhasedMemory:
    """An explicit run, its phases, the resets of its events, and the log of what happened."""

    run: ExplicitMemory
    kernels: PhaseKernels
    size: int = constant()
    phases: int = constant()
    events: int = constant()
    resets_count: int = constant()
    impulses: int = constant()  # the most numbers behind the state in a result
    ready: Ints = sized("phases")  # whether the Kernels of a phase are there
    constrained: Ints = sized("phases")  # whether it has something to close
    resets: Kernels = later()  # (t, y, begun, result)
    reset_of: Ints = sized("events * phases")  # by event, then phase; -1: it cannot happen there
    written: Ints = sized("resets_count")  # whether its Kernel is there
    target: Ints = sized("resets_count")  # the phase after
    rest: Ints = sized("resets_count")  # the reset that bounces end with; -1: none
    strikes: Ints = sized("resets_count")  # 1: it must leave its event behind; BOUNCES
    stops: Ints = sized("events")
    waiting: int = 0  # 1: the events of this moment are not all done
    next: int = 0  # the first of them that is not
    asked: int = 0  # the phase that Python is asked for
    number: int = 0  # the reset that was tried last
    culprit: int = 0  # the event of the last answer
    last: Array = sized("events")  # when each happened last
    pause: Array = sized("events")  # the time between its last two
    repeats: Ints = sized("events")
    crowd: int = 0  # events without an instant between them
    latest: float = 0.0  # when any happened last
    closed: Array = sized("size + 3")
    trial: Array = sized("size + 3")
    slope: Array = sized("size + 3")
    values: Array = sized("events + 2")
    held: Ints = sized("events")  # 1: it stood at zero before a reset, and goes through zero after it
    ahead: Array = sized("events + 2")  # values a little after a reset, and after that
    farther: Array = sized("events + 2")
    result: Array = sized("3 + size + impulses")
    spare: Array = sized("3 + size + impulses")
    stored: int = 0  # rows of the log
    room: int = 0
    log: Array = later()  # t, event, phases before and after, energy; y before and after; impulses


@native
def absent(t: Array, y: Array, out: Array) -> None:
    """In the place of a Kernel (t, y, out) that is not there yet."""
    pass


@native
def absent_since(t: Array, y: Array, begun: Array, out: Array) -> None:
    """In the place of a Kernel (t, y, begun, out) that is not there yet."""
    pass


@native
def motion_of_phase(t: Array, y: Array, dy: Array, kernels: PhaseKernels) -> None:
    """dy in the phase that y is in; what stands behind the state does not change."""
    n = kernels.size
    kernels.motions[int(y[n])](t, y, dy)
    for j in range(3):
        dy[n + j] = 0.0


@native
def watch_of_phase(t: Array, y: Array, g: Array, kernels: PhaseKernels) -> None:
    """The values of events in the phase that y is in."""
    n = kernels.size
    kernels.watches[int(y[n])](t, y, at(y, n + 1), g)
