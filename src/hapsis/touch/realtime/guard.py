"""The guard between the model and the device: the last thing that touches a force.

    guard = Guard(max_force=(10.0,), period=0.001)
    safe = guard([25.0], position=[0.01])       # in the loop: guard.kernel(wanted, sample, safe)

Whatever the model wants, the force that leaves is finite, not larger than `max_force`, and changes
by no more than `slew` times the period. A fault is latched: within `ramp` the force goes to zero on
a straight line, `cause` says why, and nothing but `rearm` ends it, if the model wants a small force
by then. `guard_rules` has the rules, `guard_layout` the places in memory; docs/guard.md the story.

Left out: limits of position, speed and power, which are the device's and the model's business.
"""

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, native, observe, publish
from hapsis.errors import DeviceError, near
from hapsis.touch.realtime import guard_layout as layout
from hapsis.touch.realtime.guard_layout import (
    AXES,
    F_HELD,
    FAULT,
    FLAGS,
    HELD,
    LAST,
    PASSIVE,
    STOP,
    TARGET,
    TICKS,
)
from hapsis.touch.realtime.guard_rules import (
    damped,
    fallen,
    latch,
    rearmed,
    remembered,
    sampled,
    saturated,
    stepped,
    timed,
    wanted_well,
)

SLEW = 2000.0  # N/s
JUMPS = {"m": 0.05, "rad": 0.5}  # in one sample
SMALL_PART = 0.02  # of the largest force
FULL_FORCE_AT = 0.5  # m/s: the speed at which the greatest damping takes the largest force
COUNTED = {
    "ticks": layout.TICKS,
    "late ticks": layout.LATE,
    "missed periods": layout.MISSES,
    "longest row of misses": layout.LONGEST,
    "stale samples": layout.STALE,
    "bad positions": layout.BAD,
    "device errors": layout.ERRORS,
    "position jumps": layout.JUMPS,
    "force held": layout.HELD,
    "force not a number": layout.NOT_NUMBERS,
    "force infinite or huge": layout.TOO_LARGE,
    "force saturated": layout.SATURATED,
    "force step limited": layout.LIMITED,
    "damping injected": layout.DAMPED,
    "force faded": layout.FADED,
    "faults": layout.FAULTS,
    "re-armed": layout.REARMED,
    "re-arming refused": layout.REFUSED,
}


@native
def guard(wanted: Array, sample: Array, safe: Array, settings: Array, memory: Array, counts: Ints) -> None:
    """One tick: the force that may go to the device, from the one the model wants."""
    n = counts[AXES]
    counts[TICKS] += 1
    counts[FLAGS] = 0
    remembered(memory, counts)
    missed = timed(memory, counts)
    seen = sampled(sample, missed, settings, memory, counts)
    good = wanted_well(wanted, memory, counts)
    rearmed(seen and good, wanted, sample, settings, memory, counts)
    stop = observe(counts, STOP)
    if stop != 0:
        publish(counts, STOP, 0)
        latch(stop, memory, counts)
    if counts[FAULT] != 0:
        fallen(missed, memory, counts)
    elif not seen:
        counts[HELD] += 1
        counts[FLAGS] = counts[FLAGS] | F_HELD
        for j in range(n):
            memory[TARGET * n + j] = memory[LAST * n + j]
    else:
        for j in range(n):
            memory[TARGET * n + j] = wanted[j]
        if counts[PASSIVE] != 0:
            damped(settings, memory, counts)
        saturated(settings, memory, counts)
    stepped(settings, memory, counts, safe)


class Guard:
    """The arrays of a guard, its settings checked, its faults by name.

        max_force     a number: for the length of the vector; one per axis: for each, and then the
                      whole vector shrinks, so its direction is kept either way
        period        s, of a tick
        axes, units   names; "m" or "rad"
        slew          N/s; 2000, or what a ramp from the largest force needs
        ramp          s, to zero after a fault
        passive       False: the passivity observer looks and does not act
        damping       N·s/m, the most that is injected; else full force at 0.5 m/s
        store         J, the most energy the observer may have in hand
        reserve       J per axis that the model may give though it never took them: what is
                      stored in its springs and weights at the start
        small_force   re-arming needs less; else 2 % of the largest
        jump          m or rad in one sample that is flagged; else 0.05 m, 0.5 rad
        patience      ticks without a good sample until the fault
        sample_every  ticks from one sample of the device to the next, if it is slower than the loop
        misses        missed periods in a row that fade the force out
        bucket        overruns: each fills by 1, a tick in time takes 0.1; at this the fault

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
        passive: bool = True,
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
        self.axes = _names(max_force, axes)
        self.period = _number("period", period)
        n, together = len(self.axes), not isinstance(max_force, Mapping | Sequence | np.ndarray)
        ticks = int(_number("ramp", ramp) / self.period + 1e-9)
        if ticks < 1:
            raise DeviceError(
                f"a ramp of {ramp:g} s is shorter than a period of {period:g} s",
                remedy="raise the rate or the ramp",
            )
        most = self._each("max_force", max_force, layout.LARGEST)
        need = most / (ticks * self.period)
        rate = np.maximum(SLEW, need) if slew is None else self._each("slew", slew)
        self._enough(rate, need, ramp)
        small = SMALL_PART * most if small_force is None else self._each("small_force", small_force)
        alpha = most / FULL_FORCE_AT if damping is None else self._each("damping", damping)
        far = self._jumps(units) if jump is None else self._each("jump", jump)
        energy = inf if store == inf else _number("store", store)
        spare = 0.0 if reserve == 0.0 else _number("reserve", reserve)
        blocks = (most, rate * self.period, small, far, alpha)
        self.settings = np.concatenate([[self.period, energy, spare], *blocks])
        self.memory = np.zeros(layout.MEMORY_BLOCKS * n + layout.MEMORY_SCALARS)
        self.counts = np.zeros(layout.COUNTS, np.int64)
        self.counts[: layout.MISSED] = (
            n,
            together,
            ticks,
            _whole("patience", patience),
            _whole("sample_every", sample_every),
            _whole("misses", misses),
            round(10 * _number("bucket", bucket, 1e9)),
            bool(passive),
        )
        self.counts[layout.FADE] = ticks
        self._sample, self._safe = np.full(3 * n + 2, np.nan), np.zeros(n)
        self._sample[3 * n :] = 0.0
        self.kernel: Any = guard.bound(
            vary=("wanted", "sample", "safe"), settings=self.settings, memory=self.memory, counts=self.counts
        )

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
        self.counts[layout.MISSED] = missed
        force = np.array(np.broadcast_to(np.asarray(wanted, float), n))
        self.kernel(force, self._sample, self._safe)
        return self._safe.copy()

    @property
    def fault(self) -> int:
        """0, or the number of the cause."""
        return int(self.counts[layout.FAULT])

    @property
    def cause(self) -> str:
        """Why the force was taken away; empty while there is no fault."""
        return layout.CAUSES.get(self.fault, f"fault {self.fault}") if self.fault else ""

    @property
    def gone(self) -> bool:
        """Whether a fault has taken all of the force away."""
        return self.fault != 0 and bool(self.counts[layout.FALLEN] >= self.counts[layout.RAMP])

    @property
    def force(self) -> dict[str, float]:
        """The last safe force by axis."""
        return self._block(layout.LAST)

    @property
    def energy(self) -> dict[str, float]:
        """J that the model has taken from the hand by axis; below zero it has given some."""
        return self._block(layout.ENERGY)

    @property
    def given(self) -> dict[str, float]:
        """The most J that the hand had got by axis, at any time."""
        return {name: max(0.0, -x) for name, x in self._block(layout.LOWEST).items()}

    def stop(self, cause: int = layout.ASKED) -> None:
        """Takes the force away at the next tick, for a cause of `guard_layout.CAUSES`."""
        if cause not in layout.CAUSES:
            known = ", ".join(str(number) for number in layout.CAUSES)
            raise DeviceError(f"there is no cause {cause!r}", expected=f"one of {known}")
        publish(self.counts, STOP, cause)

    def rearm(self) -> None:
        """Asks for the end of a fault; the next tick decides, see `report()["re-armed"]`.

        It is refused while the force still goes to zero, while the device gives no good sample, and
        while the model wants more than `small_force`.
        """
        publish(self.counts, layout.REARM, 1)

    def report(self) -> dict[str, int]:
        """How often each rule acted since the start."""
        return {name: int(self.counts[place]) for name, place in COUNTED.items()}

    def __repr__(self) -> str:
        state = f"fault {self.fault}: {self.cause}" if self.fault else "armed"
        return f"Guard({', '.join(self.axes)}; {state})"

    def _block(self, block: int) -> dict[str, float]:
        n = len(self.axes)
        return dict(zip(self.axes, self.memory[block * n : (block + 1) * n].tolist(), strict=True))

    def _each(self, what: str, given: Any, most: float = 1e300) -> Array:
        """One number per axis."""
        if isinstance(given, Mapping):
            for name in given:
                if name not in self.axes:
                    raise DeviceError(
                        f'there is no axis "{name}"{near(str(name), self.axes)}',
                        where=what,
                        expected=", ".join(self.axes),
                    )
            given = [given.get(name) for name in self.axes]
        elif not isinstance(given, Sequence | np.ndarray):
            given = [given] * len(self.axes)
        if len(given) != len(self.axes):
            raise DeviceError(f"{len(given)} numbers for {len(self.axes)} axes", where=what)
        return np.array(
            [_number(f"{what} of {name}", x, most) for name, x in zip(self.axes, given, strict=True)]
        )

    def _jumps(self, units: Sequence[str] | None) -> Array:
        units = ["m"] * len(self.axes) if units is None else list(units)
        wrong = [u for u in units if u not in JUMPS]
        if wrong or len(units) != len(self.axes):
            raise DeviceError(
                f"units of the axes are {', '.join(map(str, units))}", expected='"m" or "rad" for each'
            )
        return np.array([JUMPS[unit] for unit in units])

    def _enough(self, rate: Array, need: Array, ramp: float) -> None:
        for name, has, needs in zip(self.axes, rate, need, strict=True):
            if has < needs * (1 - 1e-9):
                raise DeviceError(
                    f"a slew of {has:g} N/s cannot take the largest force away in {ramp:g} s",
                    where=name,
                    expected=f"{needs:.6g} N/s or more",
                )


def _names(max_force: Any, axes: Sequence[str] | None) -> tuple[str, ...]:
    if axes is None and isinstance(max_force, Mapping):
        axes = [str(name) for name in max_force]
    if axes is None:
        many = isinstance(max_force, Sequence | np.ndarray)
        axes = [f"axis {k + 1}" for k in range(len(max_force) if many else 1)]
    if isinstance(axes, str) or not axes or len(set(axes)) < len(axes):
        raise DeviceError(f"axes are {axes!r}", expected="names, each once")
    return tuple(axes)


def _number(what: str, value: Any, most: float = 1e300) -> float:
    """A positive finite number."""
    try:
        found = float("nan") if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError):
        found = float("nan")
    if not (isfinite(found) and 0.0 < found <= most):
        limit = "" if most >= 1e300 else f" up to {most:g}"
        raise DeviceError(f"it is {value!r:.40}", where=what, expected=f"a positive number{limit}")
    return found


def _whole(what: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10**6:
        raise DeviceError(f"it is {value!r:.40}", where=what, expected="a whole number from 1 on")
    return value
