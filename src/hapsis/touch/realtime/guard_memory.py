"""The memory of the guard as records, and the causes of its faults."""

from hapsis.compiler.native import Array, constant, inside, record, sized

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
    STALLED: "the loop stood still, or woke too late",
    TOO_SLOW: "the model is too slow: its steps overran their period again and again",
    CONTROLLER: "a controller written in Python raised an exception",
    EXPIRED: "commands from the other side no longer come",
    ASKED: "a stop was asked for",
}


@record
class GuardCounts:
    """How often each rule acted since the start, in the order of `Guard.report`."""

    ticks: int = 0
    late_ticks: int = 0  # after a missed period
    missed_periods: int = 0
    longest_row_of_misses: int = 0
    stale_samples: int = 0
    bad_positions: int = 0
    device_errors: int = 0
    position_jumps: int = 0
    force_held: int = 0  # without a good sample
    force_not_a_number: int = 0
    force_infinite_or_huge: int = 0
    force_saturated: int = 0
    force_step_limited: int = 0
    damping_injected: int = 0
    force_faded: int = 0
    faults: int = 0  # without stops that were asked for
    re_armed: int = 0
    re_arming_refused: int = 0


@record
class GuardMemory:
    """Settings, requests and state of a guard. Limits of forces are per axis, or, with `together`,
    the first one is for the length of the vector."""

    axes: int = 1

    # settings
    together: bool = constant(False)
    passive: bool = constant(False)  # the passivity controller acts
    shared: bool = constant(False)  # it counts the energy of all axes together
    period: float = constant()  # s
    store: float = constant()  # J, the most energy that the observer may have in hand
    reserve: float = constant()  # J that the model may give though it never took them
    ramp_ticks: int = constant()  # of a ramp to zero
    patience: int = constant()  # ticks without a good sample until the fault
    sample_every: int = constant(1)  # ticks from one sample of the device to the next
    misses_to_fade: int = constant()  # missed periods in a row that fade the force
    bucket_size: int = constant()  # of overruns, in tenths
    max_force: Array = sized("axes")  # N or N·m
    max_step: Array = sized("axes")  # change of force in one tick
    small_force: Array = sized("axes")  # wanted force below which re-arming is allowed
    max_jump: Array = sized("axes")  # m or rad in one sample
    max_damping: Array = sized("axes")  # N·s/m that the passivity controller adds

    # requests
    missed: int = 0  # by the loop: whole periods without output since the previous tick
    stop_request: int = 0  # published by any thread: the cause for which the force shall go
    rearm_request: int = 0  # published by any thread: 1
    writer: int = 0  # claimed by the thread that changes `force` and writes it to the device

    # state
    fault: int = 0  # 0, or the cause
    ramp_age: int = 0  # ticks since the ramp to zero began
    fade: int = 0  # part of the force that is let through, in ticks: `ramp_ticks` is all of it
    missed_in_a_row: int = 0  # periods
    bucket: int = 0  # tenths
    sample_age: int = 0  # ticks since the last fresh sample
    sample_periods: int = 0  # the same with missed periods
    bad_in_a_row: int = 0  # samples with an error or a bad position
    started: bool = False  # a position is known
    sample_counter: float = 0.0  # of the last good sample
    force: Array = sized("axes")  # what the device has: the last command, whoever wrote it
    target: Array = sized("axes")  # of the force in this tick, before the limit of its step
    change: Array = sized("axes")
    position: Array = sized("axes")  # of the last good sample
    velocity: Array = sized("axes")
    energy: Array = sized("axes")  # J that the model has taken from the hand, less what it gave
    lowest_energy: Array = sized("axes")  # so far
    lowest_total: float = 0.0  # of all axes together

    counts: GuardCounts = inside()
