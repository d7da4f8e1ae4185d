"""The guard between the model and the device: the last code that changes a force.

    guard = Guard(max_force=(10.0,), period=0.001)
    safe = guard([25.0], position=[0.01])       # in the loop: guard.kernel(wanted, sample, safe)

Whatever the model wants, the safe force is finite, not larger than `max_force`, and changes by no
more than `slew` times the period. A fault is latched: within `ramp` the force goes to zero on a
straight line, `cause` says why, and only `rearm` ends it, if the model wants a small force by then.
The rules are in `guard_faults` and `guard_forces`, about a tenth of a microsecond for three axes;
docs/guard.md explains them.

Left out: limits of position, speed and power, which belong to the device and the model.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, native, observe, place, publish
from hapsis.errors import DeviceError
from hapsis.touch.realtime.guard_faults import check_memory, check_sample, check_wanted, count_missed, latch
from hapsis.touch.realtime.guard_forces import (
    answer_rearming,
    inject_damping,
    limit_step,
    ramp_down,
    saturate,
)
from hapsis.touch.realtime.guard_memory import ASKED, CAUSES, GuardCounts, GuardMemory
from hapsis.touch.realtime.guard_settings import GuardSettings


@native
def tick(wanted: Array, sample: Array, safe: Array, guard: GuardMemory) -> None:
    """One tick: the safe force from the force that the model wants and the sample of the device."""
    guard.counts.ticks += 1
    check_memory(guard)
    missed = count_missed(guard)
    fresh = check_sample(guard, sample, missed)
    good = check_wanted(guard, wanted)
    answer_rearming(guard, fresh and good, wanted, sample)
    stop = observe(place(guard, "stop_request"), 0)
    if stop != 0:
        publish(place(guard, "stop_request"), 0, 0)
        latch(guard, stop)
    if guard.fault != 0:
        ramp_down(guard, missed)
    elif not fresh:
        guard.counts.force_held += 1
        for j in range(guard.axes):
            guard.target[j] = guard.force[j]
    else:
        for j in range(guard.axes):
            guard.target[j] = wanted[j]
        if guard.passive:
            inject_damping(guard)
        saturate(guard)
    limit_step(guard, safe)


class Guard:
    """A guard: its settings are the fields of `GuardSettings`, its memory is a record."""

    def __init__(self, max_force: Any, period: float, **settings: Any) -> None:
        checked = GuardSettings(max_force, period, **settings)
        self.axes, self.memory = checked.axis_names, checked.memory()
        self.period = float(period)
        n = len(self.axes)
        self._sample, self._safe = np.full(3 * n + 2, np.nan), np.zeros(n)
        self._sample[3 * n :] = 0.0
        self.kernel: Any = tick.bound(vary=("wanted", "sample", "safe"), guard=self.memory)

    def __call__(
        self,
        wanted: Any,
        position: Any,
        velocity: Any = None,
        *,
        status: float = 0.0,
        fresh: bool = True,
        missed: int = 0,
    ) -> Array:
        """One tick from Python: the safe force. The loop calls `kernel` instead."""
        n = len(self.axes)
        self._sample[:n] = position
        self._sample[n : 2 * n] = np.nan if velocity is None else velocity
        self._sample[3 * n] = status
        self._sample[3 * n + 1] += fresh
        self.memory.missed = missed
        force = np.array(np.broadcast_to(np.asarray(wanted, float), n))
        self.kernel(force, self._sample, self._safe)
        return self._safe.copy()

    @property
    def fault(self) -> int:
        """0, or the number of the cause."""
        return int(self.memory.fault)

    @property
    def cause(self) -> str:
        """The cause of the fault in words; empty while there is none."""
        return CAUSES.get(self.fault, f"fault {self.fault}") if self.fault else ""

    @property
    def gone(self) -> bool:
        """Whether a fault has taken all of the force away."""
        return self.fault != 0 and bool(self.memory.ramp_age >= self.memory.ramp_ticks)

    @property
    def force(self) -> dict[str, float]:
        """The last safe force by axis."""
        return self._by_axis(self.memory.force)

    @property
    def energy(self) -> dict[str, float]:
        """The energy that the model has taken from the hand, J by axis; negative if it gave some."""
        return self._by_axis(self.memory.energy)

    @property
    def given(self) -> dict[str, float]:
        """The most energy that the hand had been given at any time, J by axis."""
        return {name: max(0.0, -x) for name, x in self._by_axis(self.memory.lowest_energy).items()}

    def stop(self, cause: int = ASKED) -> None:
        """Takes the force away at the next tick, for a cause of `guard_memory`."""
        if cause not in CAUSES:
            known = ", ".join(str(number) for number in CAUSES)
            raise DeviceError(f"there is no cause {cause!r}", expected=f"one of {known}")
        publish(place(self.memory, "stop_request"), 0, cause)

    def rearm(self) -> None:
        """Asks for the end of a fault; the next tick decides, see `report()["re-armed"]`.

        The request is refused while the force is not yet zero, while the device gives no good
        sample, and while the model wants more than `small_force`.
        """
        publish(place(self.memory, "rearm_request"), 0, 1)

    def report(self) -> dict[str, int]:
        """How often each rule acted since the start."""
        counts = self.memory.counts
        return {_words(name): int(getattr(counts, name)) for name in GuardCounts.__annotations__}

    def __repr__(self) -> str:
        state = f"fault {self.fault}: {self.cause}" if self.fault else "armed"
        return f"Guard({', '.join(self.axes)}; {state})"

    def _by_axis(self, values: Array) -> dict[str, float]:
        return dict(zip(self.axes, values.tolist(), strict=True))


def _words(name: str) -> str:
    """The name of a count in reports: "force_held" is "force held", "re_armed" is "re-armed"."""
    return name.replace("_", " ").replace("re arm", "re-arm")
