"""The settings of the guard, checked, and the memory that they give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np

from hapsis.compiler.native import Array
from hapsis.errors import DeviceError, near
from hapsis.mechanics.model.values.numbers import number_or_nan
from hapsis.touch.realtime.guard_memory import LARGEST, GuardMemory

SLEW = 2000.0  # N/s
JUMPS = {"m": 0.05, "rad": 0.5}  # in one sample
SMALL_PART = 0.02  # of the largest force
TOGETHER = "together"  # axes that share one energy
FULL_FORCE_AT = 0.5  # m/s: the speed at which the greatest damping takes the largest force


@dataclass(frozen=True)
class GuardSettings:
    """The settings of a guard, as `Guard` describes them."""

    max_force: Any
    period: float
    axes: Sequence[str] | None
    units: Sequence[str] | None
    slew: Any
    ramp: float
    passive: bool | str
    damping: Any
    store: float
    reserve: float
    small_force: Any
    jump: Any
    patience: int
    sample_every: int
    misses: int
    bucket: float

    @property
    def axis_names(self) -> tuple[str, ...]:
        """The names of the axes."""
        axes, several = self.axes, isinstance(self.max_force, Sequence | np.ndarray)
        if axes is None and isinstance(self.max_force, Mapping):
            axes = [str(name) for name in self.max_force]
        if axes is None:
            axes = [f"axis {k + 1}" for k in range(len(self.max_force) if several else 1)]
        if isinstance(axes, str) or not axes or len(set(axes)) < len(axes):
            raise DeviceError(f"axes are {axes!r}", expected="names, each once")
        return tuple(axes)

    def memory(self) -> GuardMemory:
        """The memory of a guard with these settings, before its first tick."""
        period = _number("period", self.period)
        ramp = _number("ramp", self.ramp)
        if not ramp / period < 2.0**62:
            raise DeviceError(f"a ramp of {ramp:g} s has too many periods of {period:g} s")
        ticks = int(ramp / period + 1e-9)
        if ticks < 1:
            raise DeviceError(
                f"a ramp of {self.ramp:g} s is shorter than a period of {period:g} s",
                remedy="raise the rate or the ramp",
            )
        most = self._per_axis("max_force", LARGEST)
        return GuardMemory(
            axes=len(self.axis_names),
            together=not isinstance(self.max_force, Mapping | Sequence | np.ndarray),
            passive=bool(self.passive),
            shared=self._shared(),
            period=period,
            max_force=most,
            max_step=self._rates(most / (ticks * period)) * period,
            small_force=SMALL_PART * most if self.small_force is None else self._per_axis("small_force"),
            max_damping=most / FULL_FORCE_AT if self.damping is None else self._per_axis("damping"),
            max_jump=self._jumps() if self.jump is None else self._per_axis("jump"),
            store=inf if self.store == inf else _number("store", self.store),
            reserve=0.0 if self.reserve == 0.0 else _number("reserve", self.reserve),
            ramp_ticks=ticks,
            fade=ticks,
            patience=_count("patience", self.patience),
            sample_every=_count("sample_every", self.sample_every),
            misses_to_fade=_count("misses", self.misses),
            bucket_size=round(10 * _number("bucket", self.bucket, 1e9)),
        )

    def _per_axis(self, what: str, most: float = 1e300) -> Array:
        """A setting as one number per axis."""
        values, axes = getattr(self, what), self.axis_names
        if isinstance(values, Mapping):
            for name in values:
                if name not in axes:
                    raise DeviceError(
                        f'there is no axis "{name}"{near(str(name), axes)}',
                        where=what,
                        expected=", ".join(axes),
                    )
            values = [values.get(name) for name in axes]
        elif not isinstance(values, Sequence | np.ndarray):
            values = [values] * len(axes)
        if len(values) != len(axes):
            raise DeviceError(f"{len(values)} numbers for {len(axes)} axes", where=what)
        return np.array([_number(f"{what} of {name}", x, most) for name, x in zip(axes, values, strict=True)])

    def _rates(self, needed: Array) -> Array:
        """The slew of each axis, N/s; the needed one takes the largest force away in the ramp."""
        rates = np.maximum(SLEW, needed) if self.slew is None else self._per_axis("slew")
        for name, rate, need in zip(self.axis_names, rates, needed, strict=True):
            if rate < need * (1 - 1e-9):
                raise DeviceError(
                    f"a slew of {rate:g} N/s cannot take the largest force away in {self.ramp:g} s",
                    where=name,
                    expected=f"{need:.6g} N/s or more",
                )
        return rates

    def _shared(self) -> bool:
        """Whether the axes share one energy."""
        if isinstance(self.passive, str) and self.passive != TOGETHER:
            raise DeviceError(f"passive is {self.passive!r:.40}", expected=f'True, False or "{TOGETHER}"')
        return self.passive == TOGETHER

    def _jumps(self) -> Array:
        """The default jump of each axis, by its unit."""
        axes = self.axis_names
        units = ["m"] * len(axes) if self.units is None else list(self.units)
        if any(unit not in JUMPS for unit in units) or len(units) != len(axes):
            raise DeviceError(
                f"units of the axes are {', '.join(map(str, units))}", expected='"m" or "rad" for each'
            )
        return np.array([JUMPS[unit] for unit in units])


def _number(what: str, value: Any, most: float = 1e300) -> float:
    """A positive finite number."""
    number = number_or_nan(value)
    if not (isfinite(number) and 0.0 < number <= most):
        limit = "" if most >= 1e300 else f" up to {most:g}"
        raise DeviceError(f"it is {value!r:.40}", where=what, expected=f"a positive number{limit}")
    return number


def _count(what: str, value: Any) -> int:
    """A whole number from 1 on."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10**6:
        raise DeviceError(f"it is {value!r:.40}", where=what, expected="a whole number from 1 on")
    return value
