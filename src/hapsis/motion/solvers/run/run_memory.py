"""Where a run of an integrator keeps its numbers, and the answers it gives.

A run is a handful of arrays, so that native code can stop anywhere and go on later with the same
bits. This page names the places: `real[...]` holds numbers, `count[...]` whole numbers and facts
(0 or 1), `signals` rows with one number per event.
"""

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

# real: time
T = 0  # now
T_END = 1
T_NEW = 2  # end of the step that is tried
DT = 3  # the step that is tried, with its sign
SIGN = 4  # +1 forwards, -1 backwards in time
H = 5  # length of the next step, or of every step where it is fixed
MAX_STEP = 6
LEAST_STEP = 7  # shorter steps are refused near t = 0, where t itself sets no limit
ORIGIN = 8  # the time that fixed steps are counted from
# real: error control
RTOL = 9
MEAN = 10  # 1 / number of controlled components
PAST = 11  # the part that the error before has in the next step
GROW = 12  # the next step is at most so many times this one
SHRINK = 13  # and at least so many times
STABLE = 14  # h |λ| on the boundary of stability of an explicit method
REALS = 15

# count: sizes
SIZE = 0  # components of y
SIGNALS = 1  # events
QUATERNIONS = 2  # groups of four to keep at length 1
SAMPLES = 3
SAMPLE = 4  # the next one to write
EVENTS = 5  # recorded
ROOM = 6  # for records
LIMIT = 7  # of steps, tried ones too, in the whole run
ROWS = 8  # of the dense output
# count: work done
STEPS = 9
REJECTED = 10
EVALUATIONS = 11
JACOBIANS = 12
# count: facts
ADAPTIVE = 13
PREPARED = 14  # there is a kernel to call before each try
FRESH = 15  # what the step starts from (f at t, y, or the Jacobian) is known
RETRY = 16  # the step before was rejected
TROUBLE = 17  # why: SMALL_STEP or NOT_FINITE
WATCH = 18  # look for stiffness
STIFF_HITS = 19
STIFF_MISSES = 20
GRID = 21  # fixed steps taken since ORIGIN
GRID_LAST = 22  # fixed steps from ORIGIN to T_END
SHORT = 23  # the last of them is shorter
SLOPED = 24  # how fast events change at t is known
HUMP = 25  # an event may have changed its sign twice in this step
HALVINGS = 26  # exponents of errors in the next step, see `family`
TIMES = 27
MEMORY = 28
COUNTS = 29

# rows of `signals`, each with one number per event
NOW = 0  # values at t
NEW = 1  # values at the end of the step
LOW = 2  # values at the ends of the bracket of a root
HIGH = 3
SIDE = 4  # the sign each event was last seen with: -1, +1, or 0 if only ever at zero
DIRECTION = 5  # +1 rising, -1 falling, 0 both
TERMINAL = 6
RISE = 7  # how fast they change at t
RISE_NEW = 8  # and at the end of the step
SIGNAL_ROWS = 9

# what has to be done after a step
NOTHING = 0
DENSE = 1
