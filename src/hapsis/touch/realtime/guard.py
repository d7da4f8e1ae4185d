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

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, native, observe, place, publish
from hapsis.errors import DeviceError
from hapsis.mechanics.model.values.numbers import number_or_nan
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


@verb
class Guard:
    """What may reach the device: a tick changes the wanted force into a safe one.

        max_force     a number: for the length of the vector; one per axis: for each axis. In both
                      cases the whole vector shrinks, so its direction is kept
        period        s, of a tick
        axes, units   names; "m" or "rad"
        slew          N/s; 2000, or what a ramp from the largest force needs
        ramp          s, to zero after a fault
        passive       True: the passivity controller keeps the energy of each axis; "together": that of all
                      axes, which a mechanism passes from one to another; False: the observer counts
                      energy, but the controller does not act
        damping       N·s/m, the most that is injected; by default full force at 0.5 m/s
        store         J, the most energy that the observer may have in hand
        reserve       J per axis that the model may give though it never took them: what is
                      stored in its springs and weights at the start; a loop takes "start" for that.
                      With "together" it is that of all axes
        small_force   re-arming needs less; by default 2 % of the largest
        jump          m or rad in one sample that is flagged; by default 0.05 m, 0.5 rad
        patience      ticks without a good sample until the fault
        sample_every  ticks from one sample of the device to the next, if it is slower than the loop
        misses        missed periods in a row that fade the force out
        bucket        overruns: each adds 1, a tick in time takes 0.1; at this value the fault

    What is per axis is a number for all, a sequence, or {axis: number}.
    """

    def __init__(
        self,
        max_force: Any,
        period: float,
        *,
        axes: Sequence[str] | None = None,
        units: Sequence[str] | None = None,
        slew: Any = None,
        ramp: float = 0.020,
        passive: bool | str = True,
        damping: Any = None,
        store: float = inf,
        reserve: float = 0.0,
        small_force: Any = None,
        jump: Any = None,
        patience: int = 3,
        sample_every: int = 1,
        misses: int = 3,
        bucket: float = 20.0,
    ) -> None:
        watch = (patience, sample_every, misses, bucket)
        energy = (passive, damping, store, reserve)
        checked = GuardSettings(
            max_force, period, axes, units, slew, ramp, *energy, small_force, jump, *watch
        )
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
        n, force, at = len(self.axes), self._row(wanted, "wanted"), self._row(position, "position")
        speed = np.nan if velocity is None else self._row(velocity, "velocity")
        status, count = number_or_nan(status), float_array([fresh, missed])
        if count is None or count.shape != (2,) or not np.isfinite(count).all():
            raise DeviceError(
                f"fresh is {fresh!r:.40} and missed {missed!r:.40}", expected="True, and a count"
            )
        self._sample[:n], self._sample[n : 2 * n], self._sample[3 * n] = at, speed, status
        self._sample[3 * n + 1] += bool(fresh)
        self.memory.missed = int(missed)
        self.kernel(force, self._sample, self._safe)
        return self._safe.copy()

    def _row(self, x: Any, what: str) -> Array:
        """A number per axis, from one or from all of them."""
        n, numbers = len(self.axes), float_array(x)
        if numbers is None or numbers.shape not in ((), (1,), (n,)):
            raise DeviceError(f"{what} is {x!r:.40}", expected=f"a number, or {n}")
        return np.array(np.broadcast_to(numbers, n))

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
        return self.fault != 0 and not self.memory.force.any()

    @property
    def force(self) -> dict[str, float]:
        """The force that the device has, by axis: the last command, whoever wrote it."""
        return self._by_axis(self.memory.force)

    @property
    def energy(self) -> dict[str, float]:
        """The energy that the model has taken from the hand, J by axis; negative if it gave some."""
        return self._by_axis(self.memory.energy)

    @property
    def reserve(self) -> float:
        """J per axis that the model may give though it never took them."""
        return float(self.memory.reserve)

    @property
    def given(self) -> dict[str, float]:
        """The most energy that the hand had been given at any time, J by axis."""
        return {name: max(0.0, -x) for name, x in self._by_axis(self.memory.lowest_energy).items()}

    @property
    def total_given(self) -> float:
        """The most energy that the hand had been given at any time by all axes together, J."""
        return max(0.0, -float(self.memory.lowest_total))

    def stop(self, cause: int = ASKED) -> None:
        """Takes the force away at the next tick, for a cause of `guard_memory`."""
        if not isinstance(cause, int) or cause not in CAUSES:  # pyright: ignore
            known = ", ".join(str(number) for number in CAUSES)
            raise DeviceError(f"there is no cause {cause!r}", expected=f"one of {known}")
        publish(place(self.memory, "stop_request"), 0, cause)

    def end_run(self) -> None:
        """Answers a stop that came behind the last tick of a run: one that was asked for has been obeyed,
        any other is a fault. There is no force to take away then."""
        request = place(self.memory, "stop_request")
        cause = observe(request, 0)
        publish(request, 0, 0)
        if cause not in (0, ASKED) and not self.memory.fault:
            self.memory.fault = cause
            self.memory.counts.faults += 1
            self.memory.ramp_age = self.memory.ramp_ticks

    def rearm(self) -> None:
        """Asks for the end of a fault; the next tick decides, see `report()["re-armed"]`.

        The request is refused while the force is not yet zero, while the device gives no good
        sample, and while the model wants more than `small_force`.
        """
        publish(place(self.memory, "rearm_request"), 0, 1)

    def restart(self) -> None:
        """Prepares the guard for another run: misses and lost samples are counted anew.

        A stop that was asked for ends here, and the force fades in; other faults stay.
        """
        memory = self.memory
        memory.missed = memory.missed_in_a_row = memory.sample_age = memory.bad_in_a_row = 0
        if self.fault == ASKED:
            memory.fault = memory.fade = memory.bucket = 0
            memory.counts.re_armed += 1
            memory.energy[:], memory.lowest_energy[:], memory.lowest_total = 0.0, 0.0, 0.0

    @verb
    def take_fault(self, other: "Guard") -> None:
        """Latches the fault of another guard, in whose place this one comes, and takes over a stop that no
        tick has answered there. A fault by a stop that was asked for ends."""
        self.memory.fault = 0 if other.fault == ASKED else other.fault
        self.memory.ramp_age = self.memory.ramp_ticks  # there is no force to take away
        publish(place(self.memory, "stop_request"), 0, observe(place(other.memory, "stop_request"), 0))

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
