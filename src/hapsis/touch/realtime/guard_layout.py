"""Where the guard keeps its numbers, and the causes it names.

`settings` and `memory` hold numbers: a few single ones, then blocks with one number per axis, block
k at `SCALARS + k * axes`. `counts` holds whole numbers: sizes and limits, letters from other
threads, the state, and counters that only grow.
"""

# settings: single numbers, then blocks
PERIOD = 0  # s
STORE = 1  # J, the most energy the observer may have in hand
RESERVE = 2  # J that the model may give though it never took them
SCALARS = 3
MOST = 0  # N or N·m; the first one alone where the limit is for the length of the vector
STEP = 1  # change of force in one tick, likewise
SMALL = 2  # wanted force below which re-arming is allowed, likewise
JUMP = 3  # m or rad in one sample
DAMPING = 4  # N·s/m, the most that the passivity controller adds
SETTING_BLOCKS = 5

# memory: blocks, then single numbers
LAST = 0  # the force of the tick before
FROM = 1  # the force that a ramp to zero started from
TARGET = 2  # where the force goes in this tick, before the limit of its steps
CHANGE = 3
POSITION = 4  # of the last good sample
VELOCITY = 5
ENERGY = 6  # J that the model has taken from the hand, less what it gave
LOWEST = 7  # the least of it so far
MEMORY_BLOCKS = 8
COUNTER = 0  # behind the blocks: the device's counter in its last good sample
MEMORY_SCALARS = 1

# counts: sizes and limits
AXES = 0
TOGETHER = 1  # 1: limits are for the length of the vector; 0: for each axis
RAMP = 2  # ticks of a ramp to zero
PATIENCE = 3  # ticks without a good sample until the fault
EVERY = 4  # ticks from one sample of the device to the next
ROW = 5  # missed periods in a row that fade the force
FULL = 6  # of the bucket, in tenths
PASSIVE = 7  # 1: the controller damps, 0: the observer only looks
# counts: letters
MISSED = 8  # by the loop: whole periods without output since the tick before
STOP = 9  # by anyone: the cause for which the force shall go
REARM = 10  # by anyone: 1
# counts: state
FAULT = 11  # 0, or the cause
FALLEN = 12  # ticks since the ramp to zero began
FADE = 13  # ticks of force, RAMP is all of it
IN_A_ROW = 14  # missed periods
BUCKET = 15  # tenths
AGE = 16  # ticks since the last fresh sample
SINCE = 17  # the same with missed periods
TROUBLE = 18  # errors of the device or bad positions in a row
STARTED = 19  # 1: a position is known
FLAGS = 20  # what happened in this tick
# counts: counters
TICKS = 21
LATE = 22  # ticks behind a missed period
MISSES = 23  # missed periods
LONGEST = 24  # row of them
STALE = 25
BAD = 26  # positions that are no numbers
ERRORS = 27  # that the device told
JUMPS = 28
HELD = 29  # ticks in which the force was held for want of a sample
NOT_NUMBERS = 30
TOO_LARGE = 31
SATURATED = 32
LIMITED = 33  # steps of force
DAMPED = 34
FADED = 35
FAULTS = 36
FAULT_TICK = 37
REARMED = 38
REFUSED = 39
COUNTS = 40

# bits of FLAGS
F_HELD, F_SATURATED, F_LIMITED, F_DAMPED, F_JUMP, F_LATE, F_FADED = 1, 2, 4, 8, 16, 32, 64

LARGEST = 1e10  # no force, position or velocity is larger

# causes
NAN_FORCE = 1
HUGE_FORCE = 2
STALE_SAMPLE = 3
DEVICE = 4
BAD_POSITION = 5
MEMORY = 6
STALLED = 10
TOO_SLOW = 12
CONTROLLER = 16
EXPIRED = 18
ASKED = 25
CAUSES = {
    NAN_FORCE: "the model's force is not a number (NaN)",
    HUGE_FORCE: "the model's force is infinite or above 1e10",
    STALE_SAMPLE: "the device gives no fresh samples: its counter stands still",
    DEVICE: "the device reports a read error; is it unplugged?",
    BAD_POSITION: "the device gives a position that is not a number, or above 1e10",
    MEMORY: "a number in the guard's own memory is not finite",
    STALLED: "the loop stood still and the supervisor took the force away",
    TOO_SLOW: "the model is too slow: its steps overran their period again and again",
    CONTROLLER: "a controller written in Python raised an exception",
    EXPIRED: "commands from the other side no longer come",
    ASKED: "a stop was asked for",
}
