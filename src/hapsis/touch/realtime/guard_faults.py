"""The rules of the guard that latch faults: memory, missed periods, sample, wanted force.

The first cause of a fault is kept until re-arming; later causes are only counted.
"""

from hapsis.compiler.native import Array, isfinite, native
from hapsis.touch.realtime.guard_memory import (
    ASKED,
    BAD_POSITION,
    DEVICE,
    HUGE_FORCE,
    LARGEST,
    MEMORY,
    NAN_FORCE,
    STALE_SAMPLE,
    TOO_SLOW,
    GuardMemory,
)

MANY = 1000000  # more missed periods count as that many


@native
def latch(guard: GuardMemory, cause: int) -> None:
    """Keeps the first cause of a fault; the ramp to zero starts from what the device has."""
    if guard.fault == 0:
        guard.fault = cause
        if cause != ASKED:
            guard.counts.faults += 1
        guard.ramp_age = 0


@native
def check_memory(guard: GuardMemory) -> None:
    """Latches a fault if a number in memory is not finite; such a force counts as zero."""
    for j in range(guard.axes):
        if not abs(guard.force[j]) <= LARGEST:
            guard.force[j] = 0.0
            latch(guard, MEMORY)
    for j in range(guard.axes):
        if not (isfinite(guard.position[j]) and isfinite(guard.velocity[j])):
            latch(guard, MEMORY)
        if not (isfinite(guard.energy[j]) and isfinite(guard.lowest_energy[j])):
            latch(guard, MEMORY)
    if not isfinite(guard.lowest_total):
        latch(guard, MEMORY)


@native
def count_missed(guard: GuardMemory) -> int:
    """Missed periods since the previous tick: they fill the bucket, several in a row fade."""
    missed = max(0, min(MANY, guard.missed))
    guard.missed = 0
    if missed > 0:
        guard.counts.late_ticks += 1
        guard.counts.missed_periods += missed
        guard.missed_in_a_row += missed
        guard.counts.longest_row_of_misses = max(guard.counts.longest_row_of_misses, guard.missed_in_a_row)
        guard.bucket += 10
    else:
        guard.missed_in_a_row = 0
        guard.bucket = max(0, guard.bucket - 1)
    if guard.bucket >= guard.bucket_size:
        latch(guard, TOO_SLOW)
    if guard.missed_in_a_row >= guard.misses_to_fade:
        guard.fade = max(0, guard.fade - 1 - missed)
    else:
        guard.fade = min(guard.ramp_ticks, guard.fade + 1)
    return missed


@native
def check_sample(guard: GuardMemory, sample: Array, missed: int) -> bool:
    """Whether the force may follow the model: the sample is good, and not older than allowed."""
    n = guard.axes
    cause = 0
    if sample[3 * n] != 0.0:
        guard.counts.device_errors += 1
        cause = DEVICE
    else:
        for j in range(n):
            if not abs(sample[j]) <= LARGEST:
                cause = BAD_POSITION
        if cause != 0:
            guard.counts.bad_positions += 1
    guard.sample_age += 1
    guard.sample_periods += 1 + missed
    if cause != 0:
        guard.bad_in_a_row += 1
        if guard.bad_in_a_row >= guard.patience:
            latch(guard, cause)
    else:
        guard.bad_in_a_row = 0
        counter = sample[3 * n + 1]
        # a counter that is not a number counts as one that stands still
        if not guard.started or (counter == counter and counter != guard.sample_counter):
            observe_energy(guard, sample)
            guard.sample_age = 0
            guard.sample_periods = 0
    if guard.sample_age >= guard.sample_every and cause == 0:
        guard.counts.stale_samples += 1
    if guard.sample_age >= guard.patience * guard.sample_every:
        latch(guard, STALE_SAMPLE)
    return cause == 0 and guard.sample_age < guard.sample_every


@native
def observe_energy(guard: GuardMemory, sample: Array) -> None:
    """The passivity observer: adds the work of the held force since the previous sample.

    The energy taken from the hand is -f Δx; that is exact, as the force did not change meanwhile.
    A jump adds no energy, and the velocity is unknown there.
    """
    n = guard.axes
    time, total = guard.period * float(guard.sample_periods), 0.0
    for j in range(n):
        x = sample[j]
        change = x - guard.position[j]
        guard.position[j] = x
        velocity = 0.0
        if guard.started:
            if abs(change) > guard.max_jump[j]:
                guard.counts.position_jumps += 1
            else:
                energy = guard.energy[j] - guard.force[j] * change
                guard.energy[j] = min(energy, guard.store)
                guard.lowest_energy[j] = min(guard.lowest_energy[j], energy)
                velocity = change / time
                if abs(sample[n + j]) <= LARGEST:
                    velocity = sample[n + j]
        guard.velocity[j] = velocity
        total += guard.energy[j]
    guard.lowest_total = min(guard.lowest_total, total)
    guard.sample_counter = sample[3 * n + 1]
    guard.started = True


@native
def check_wanted(guard: GuardMemory, wanted: Array) -> bool:
    """Whether the wanted force is finite on every axis; else a fault is latched."""
    cause = 0
    for j in range(guard.axes):
        if not abs(wanted[j]) <= LARGEST:
            if wanted[j] != wanted[j]:
                cause = NAN_FORCE
            elif cause == 0:
                cause = HUGE_FORCE
    if cause != 0:
        if cause == NAN_FORCE:
            guard.counts.force_not_a_number += 1
        else:
            guard.counts.force_infinite_or_huge += 1
        latch(guard, cause)
    return cause == 0
