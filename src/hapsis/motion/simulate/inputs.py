"""Efforts given from outside: numbers, functions of time, tables.

A function of time is traced and becomes part of the equations. A number is held, so that it can be
changed without compiling again. A table is held piece by piece: a value and a slope, changed at
each of its times, where the integrator makes a step end, so that no kink is ever inside a step.
"""

import inspect
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

import numpy as np

from hapsis.compiler.ir.expr import Expr
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.numbers import described, real

Array = np.ndarray[Any, np.dtype[np.float64]]


class Inputs:
    """What drives coordinates, by name; `elbow` and `elbow.effort` mean the same."""

    def __init__(self, model: Model, given: Mapping[str, Any] | None) -> None:
        if given is not None and not isinstance(given, Mapping):  # pyright: ignore
            raise ModelError(f"inputs must be {{coordinate: effort}}, not {described(given)}")
        self.numbers: dict[int, float] = {}
        self.functions: dict[int, Callable[[Any], Any]] = {}
        self.tables: dict[int, tuple[Array, Array]] = {}
        self.names: dict[int, str] = {}
        slots = {name: k for k, name in enumerate(model.speeds)}
        for name, value in (given or {}).items():
            slot = _slot(str(name), slots)
            if slot in self.names:
                raise ModelError(f'inputs give an effort on "{name}" twice')
            self.names[slot] = effort_name(model.speeds[slot])
            self._take(slot, value, f'the input on "{name}"')

    def _take(self, slot: int, value: Any, what: str) -> None:
        if callable(value):
            try:
                inspect.signature(value).bind(0.0)
            except (TypeError, ValueError):
                raise ModelError(f"{what} is a function that does not take the time t",
                                 remedy="lambda t: ...") from None  # fmt: skip
            self.functions[slot] = value
        elif isinstance(value, tuple) and len(value) == 2:
            self.tables[slot] = _table(*value, what)
        else:
            self.numbers[slot] = real(value, what)

    @property
    def held(self) -> tuple[str, ...]:
        """The names of the numbers that are held."""
        slopes = [f"{self.names[slot]}.slope" for slot in self.tables]
        return (*(self.names[slot] for slot in (*self.numbers, *self.tables)), *slopes)

    def efforts(self, model: Model, t: Any, held: Mapping[str, Any], zero: Any) -> list[Any]:
        """The effort on each speed as an expression."""
        tau = [zero for _ in model.speeds]
        for slot in self.numbers:
            tau[slot] = held[self.names[slot]]
        for slot, function in self.functions.items():
            value = function(t)
            if not isinstance(value, Expr | Real):
                raise ModelError(f'the input on "{self.names[slot]}" must give one number, not '
                                 f"{described(value)}")  # fmt: skip
            tau[slot] = zero + value
        for slot in self.tables:
            name = self.names[slot]
            tau[slot] = held[name] + held[f"{name}.slope"] * t
        return tau

    @property
    def knots(self) -> Array:
        """The times at which what is held changes."""
        times = [times for times, _ in self.tables.values()]
        return np.unique(np.concatenate(times)) if times else np.empty(0)

    def values(self, t: float) -> dict[str, float]:
        """What is held from the time t on until the next knot."""
        found = {self.names[slot]: number for slot, number in self.numbers.items()}
        for slot, (times, values) in self.tables.items():
            k = int(np.searchsorted(times, t, side="right")) - 1
            level, slope = values[max(k, 0)], 0.0
            if 0 <= k < len(times) - 1:
                slope = (values[k + 1] - values[k]) / (times[k + 1] - times[k])
                level = values[k] - slope * times[k]
            found[self.names[slot]], found[f"{self.names[slot]}.slope"] = level, slope
        return found


def effort_name(speed: str) -> str:
    """`elbow.effort` of `elbow.v`; of a part of a quaternion joint `base.wx.effort`."""
    return f"{speed.removesuffix('.v')}.effort"


def _slot(name: str, slots: Mapping[str, int]) -> int:
    plain = name.removesuffix(".effort")
    for speed in (f"{plain}.v", plain):
        if speed in slots:
            return slots[speed]
    known = [effort_name(speed) for speed in slots]
    raise ModelError(f'inputs name "{name[:60]}", which is no coordinate with an effort'
                     f"{near(f'{plain}.effort', known)}")  # fmt: skip


def _table(times: Any, values: Any, what: str) -> tuple[Array, Array]:
    try:
        t, x = np.array(times, dtype=float), np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{what} must be (times, values) of numbers") from None
    if t.ndim != 1 or t.shape != x.shape or len(t) < 2:
        raise ModelError(f"{what}: times and values have shapes {t.shape} and {x.shape}",
                         expected="two rows of equal length, at least 2")  # fmt: skip
    if not (np.isfinite(t).all() and np.isfinite(x).all()):
        raise ModelError(f"{what} must be finite numbers")
    if not (np.diff(t) > 0).all():
        raise ModelError(f"{what}: its times must grow")
    return t, x
