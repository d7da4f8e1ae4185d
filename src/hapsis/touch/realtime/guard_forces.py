"""The rules of the guard that limit the force: passivity, saturation, slew, ramp, re-arming.

All of them start from `force`, which is what the device has. Who writes to the device without a
tick, as the supervisor does, takes the force from `fall` and so leaves it there.
"""

from hapsis.compiler.native import Array, native, observe, place, publish, sqrt
from hapsis.touch.realtime.guard_memory import GuardMemory

WHOLE = 1.0 - 1e-12  # part of a force that is all of it: what is left is rounding


@native
def part_within(guard: GuardMemory, x: Array, limit: Array) -> float:
    """The largest part of the vector x, at most 1, that lies within the limits."""
    part = 1.0
    if guard.together:
        total = 0.0
        for j in range(guard.axes):
            total += x[j] * x[j]
        size = sqrt(total)
        if size > limit[0]:
            part = limit[0] / size
    else:
        for j in range(guard.axes):
            if abs(x[j]) * part > limit[j]:
                part = limit[j] / abs(x[j])
    return part


@native
def brake_together(guard: GuardMemory) -> None:
    """The passivity controller of axes that share one energy: a mechanism passes it from axis to axis.

    With f_j less by α b_j v_j, where b_j is the damping of each axis, E - T Σ f v is zero for
    α = -(E - T Σ f v) / (T Σ b v²). The whole push along the motion may be removed, or α = 1 be added.
    """
    energy, push, brake = guard.reserve, 0.0, 0.0
    for j in range(guard.axes):
        v = guard.velocity[j]
        energy += guard.energy[j]
        push += guard.target[j] * v
        brake += guard.max_damping[j] * v * v
    after = energy - push * guard.period
    if after < 0.0 and brake > 0.0:
        part = min(max(1.0, push / brake), -after / (guard.period * brake))
        for j in range(guard.axes):
            guard.target[j] -= part * guard.max_damping[j] * guard.velocity[j]
        guard.counts.damping_injected += 1


@native
def inject_damping(guard: GuardMemory) -> None:
    """The passivity controller: damping where this force would give more energy than was taken.

    With the present velocity the energy after this tick is E - f v T; if that is below zero (the
    model's reserve added to it), damping α = -(E - f v T) / (T v²) brings it back. Axes that share their
    energy have one α, times the damping of each.
    Reference: [HannafordRyu].
    """
    if guard.shared:
        brake_together(guard)
        return
    acted = False
    for j in range(guard.axes):
        v = guard.velocity[j]
        after = guard.energy[j] + guard.reserve
        after -= guard.target[j] * v * guard.period
        if after < 0.0 and v != 0.0:
            # the push along the motion may be removed entirely; braking beyond it is limited
            most = guard.max_damping[j] * abs(v)
            push = guard.target[j] if v > 0.0 else -guard.target[j]
            brake = min(max(most, push), -after / (guard.period * abs(v)))
            guard.target[j] -= brake if v > 0.0 else -brake
            acted = True
    if acted:
        guard.counts.damping_injected += 1


@native
def saturate(guard: GuardMemory) -> None:
    """Limits the target to the largest force, its direction kept; less after missed periods."""
    part = part_within(guard, guard.target, guard.max_force)
    if part < 1.0:
        guard.counts.force_saturated += 1
    if guard.fade < guard.ramp_ticks:
        part = part * float(guard.fade) / float(guard.ramp_ticks)
        guard.counts.force_faded += 1
    for j in range(guard.axes):
        guard.target[j] = part * guard.target[j]


@native
def limit_step(guard: GuardMemory, safe: Array) -> None:
    """The safe force: from what the device has straight to the target, by at most a step."""
    for j in range(guard.axes):
        guard.change[j] = guard.target[j] - guard.force[j]
    part = part_within(guard, guard.change, guard.max_step)
    if part < 1.0:
        guard.counts.force_step_limited += 1
        for j in range(guard.axes):
            guard.target[j] = guard.force[j] + part * guard.change[j]
    for j in range(guard.axes):
        # rounding must not carry it beyond the limit
        most = guard.max_force[0 if guard.together else j]
        safe[j] = max(-most, min(most, guard.target[j]))
        guard.force[j] = safe[j]


@native
def ramp_down(guard: GuardMemory, missed: int) -> None:
    """The target of a tick with a fault: from what the device has on a straight line to zero.

    Of a force with k ticks left until zero (k - 1)/k are left after a tick; it never grows.
    """
    before = guard.ramp_ticks - guard.ramp_age
    guard.ramp_age = min(guard.ramp_ticks, guard.ramp_age + 1 + missed)
    left = float(guard.ramp_ticks - guard.ramp_age) / float(max(1, before))
    for j in range(guard.axes):
        guard.target[j] = left * guard.force[j]


@native
def gone(guard: GuardMemory) -> bool:
    """Whether the device has no force."""
    for j in range(guard.axes):
        if guard.force[j] != 0.0:
            return False
    return True


@native
def fall(guard: GuardMemory, command: Array) -> None:
    """A command without a tick: what the device has, less the largest step that is allowed."""
    part = part_within(guard, guard.force, guard.max_step)
    for j in range(guard.axes):
        command[j] = (1.0 - part) * guard.force[j] if part < WHOLE else 0.0
        guard.force[j] = command[j]


@native
def answer_rearming(guard: GuardMemory, good: bool, wanted: Array, sample: Array) -> None:
    """Ends a fault if that was asked for, the force has gone and the model wants a small one."""
    if observe(place(guard, "rearm_request"), 0) == 0:
        return
    publish(place(guard, "rearm_request"), 0, 0)
    if guard.fault == 0:
        return
    small = part_within(guard, wanted, guard.small_force) >= 1.0
    if not good or guard.ramp_age < guard.ramp_ticks or not gone(guard) or not small:
        guard.counts.re_arming_refused += 1
        return
    guard.fault = 0
    guard.counts.re_armed += 1
    guard.fade = 0
    guard.missed_in_a_row = 0
    guard.bucket = 0
    guard.lowest_total = 0.0
    for j in range(guard.axes):
        guard.position[j] = sample[j]
        guard.velocity[j], guard.energy[j], guard.lowest_energy[j] = 0.0, 0.0, 0.0
