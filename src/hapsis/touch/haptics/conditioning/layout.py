"""Where a stage keeps its numbers, and which step it makes.

A stage in the loop is constants c, memory m and a code; a chain is several, one after the other.
Memory of zeros is a stage that has seen nothing yet.
"""

# codes of steps that remember nothing
AFFINE = 0  # y = M x + b
HALL = 1  # y = k (x0² - x1²) + o
INCLINATION = 2  # an angle from two accelerations
HALL_VOLTS = 3  # the two voltages at a position
QUANTISED = 4  # whole steps
# of steps at equal times: a gap is filled by a straight line when the next sample comes
LINEAR = 5  # a linear system
WINDOW = 6  # a sum over the last samples
ADAPTIVE = 7  # the longest straight line through the last samples
# of steps that know by themselves what a missing sample means
KALMAN = 8
STEADY = 9
ACTUATOR = 10
DISTURBED = 11  # rows of a table are added, NaN for a dropout
FIRST_SAMPLED, FIRST_OWN = LINEAR, KALMAN

# constants: these, then those of the step
PERIOD = 0  # seconds between samples
LONGEST = 1  # gap, in periods, that is filled; after a longer one the stage starts anew
MISSING = 2  # NaN
CONSTANTS = 3

# memory: these, the last sample, the last output, a sample in between, then that of the step
STARTED = 0
INDEX = 1  # number of the last period
MEMORY = 2

# plan: STAGES, AXES, then for every stage
STAGES, AXES, MEMORY_OF_AXIS, PLAN = 0, 1, 2, 3
CODE, INPUTS, OUTPUTS, AT_CONSTANTS, AT_MEMORY, ROW = 0, 1, 2, 3, 4, 5
