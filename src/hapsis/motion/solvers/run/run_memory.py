"""The memory of a run of any integrator, and the answers that a run gives.

Native code can stop anywhere and go on later with the same bits, since all it knows is here. An
integrator that needs more has a record of its own that extends this one.
"""

from hapsis.compiler.native import Array, Ints, Kernel, constant, later, record, sized
from hapsis.motion.solvers.events.zone_memory import Zones

# what `advance` answers
PAUSED = 0  # the steps of this call are used up; also the mark of a run that goes on
DONE = 1  # t is exactly t_end
EVENT = 2  # a terminal event: t and y are those just after it
SMALL_STEP = 3  # accuracy asks for a step below the resolution of t
NOT_FINITE = 4  # f, y or g is not finite, however small the step
STIFF = 5  # an explicit method is held back by stability; going on is allowed
NOT_CONVERGED = 6  # the iteration of an implicit method does not contract
TOO_MANY = 7  # the budget of the whole run is used up
FULL = 8  # inside only: the memory for events must grow

# what has to be done after a step
NOTHING = 0
DENSE = 1  # its dense output is needed
TOO_LONG = 10  # it must be made again, shorter: it goes through a zone unseen


@record
class RunMemory:
    """The numbers and arrays that every integrator needs."""

    zones: Zones  # where forces begin, see `zones`
    # sizes
    size: int = constant()  # components of y
    event_count: int = constant()
    quaternion_count: int = constant()  # groups of four to keep at length 1
    sample_count: int = constant()
    dense_rows: int = constant()
    # time
    t: float = 0.0  # now
    t_end: float = 0.0
    t_new: float = 0.0  # end of the step that is tried
    dt: float = 0.0  # the step that is tried, with its sign
    sign: float = 1.0  # +1 forwards, -1 backwards in time
    h: float = 1.0  # length of the next step, or of every step where it is fixed
    least_step: float = 0.0  # shorter steps are refused near t = 0, where t itself sets no limit
    max_step: Array = later()  # one number; a kernel may change it
    # the longest step over stretches of time, for runs forwards; see `step_control.pace`
    pace: int = 0  # the stretch that t lies in
    pace_count: int = 0
    pace_starts: Array = later()
    pace_limits: Array = later()  # for steps that start in a stretch
    pace_entries: Array = later()  # how far behind its start a step may end that starts before it
    # fixed steps
    origin: float = 0.0  # the time that fixed steps are counted from
    grid: int = 0  # fixed steps taken since `origin`
    grid_last: int = 0  # fixed steps from `origin` to t_end
    short: bool = False  # the last of them is shorter
    # error control
    adaptive: bool = constant(False)
    rtol: float = 0.0
    mean: float = 0.0  # 1 / number of controlled components
    past: float = 1.0  # the part that the error before has in the next step
    grow: float = 1.0  # the next step is at most so many times this one
    shrink: float = 1.0  # and at least so many times
    halvings: int = 0  # exponents of errors in the next step, see `method`
    power: int = 0
    past_power: int = 0
    retry: bool = False  # the step before was rejected
    trouble: int = 0  # why: SMALL_STEP, NOT_FINITE or TOO_LONG
    # stiffness
    stable: float = 0.0  # h |λ| on the boundary of stability of an explicit method
    watch_stiffness: bool = False
    stiff_hits: int = 0
    stiff_misses: int = 0
    # work
    budget: int = 0  # steps to try in this call
    limit: int = 2**62  # steps to try in the whole run
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    jacobians: int = 0
    fresh: bool = False  # what the step starts from (f at t, y, or the Jacobian) is known
    prepared: bool = constant(False)  # whether `prepare` is called before each tried step
    prepare: Kernel = later()
    # states
    y: Array = sized("size")
    y_new: Array = sized("size")
    atol: Array = sized("size")
    spot: Array = sized("size")  # a state between the ends of a step
    dense: Array = sized("dense_rows * size")  # the dense output of the step
    clock: Array = sized("2")  # a time for a kernel, and a step
    quaternions: Ints = sized("quaternion_count")  # where they start in y
    # samples
    sample: int = 0  # the next one to write
    sample_times: Array = sized("sample_count")
    samples: Array = sized("sample_count * size")
    # events: values of g at t, at the end of the step, at the ends of the bracket of a root
    g_now: Array = sized("event_count")
    g_new: Array = sized("event_count")
    g_low: Array = sized("event_count")
    g_high: Array = sized("event_count")
    g_rate: Array = sized("event_count")  # how fast they change at t
    g_rate_new: Array = sized("event_count")  # and at the end of the step
    side: Array = sized("event_count")  # the sign last seen: -1, +1, or 0 if only ever at zero
    direction: Array = sized("event_count")  # +1 rising, -1 falling, 0 both
    terminal: Array = sized("event_count")  # 1: it stops the run
    sloped: bool = False  # g_rate is known
    hump: bool = False  # an event may have changed its sign twice in this step
    waves: bool = False  # an event may have changed it several times
    wave_room: int = constant(0)  # places of a step at which events are kept; 0: waves are not looked for
    wave: Array = sized("wave_room * event_count")  # their values there
    unresolved: int = 0  # steps in which waves were finer than can be told
    unresolved_at: float = 0.0  # the time of the first of them
    unresolved_part: float = 0.0  # and how long its parts were
    # events that happened
    events: int = 0  # recorded
    room: int = 0  # for records
    marks: Ints = later()  # which
    records: Array = later()  # rows of t and y
