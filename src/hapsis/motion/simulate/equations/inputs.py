"""Inputs from outside, efforts and motions of drives: numbers, functions of time, tables.

A function of time is traced and becomes part of the equations. A number is held, so that it can be
changed without compiling again. A table is held piece by piece: a value and a slope, changed at
each of its times, where the integrator makes a step end, so that no kink is ever inside a step. Tables of
position and velocity of one drive are a cubic piece by piece (see `sampled_motion`).
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import effort_name
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.traced_function import NONE, NUMBER, TracedFunction
from hapsis.mechanics.model.values.user_functions import call_user
from hapsis.motion.simulate.equations.sampled_motion import SampledMotion

Array = np.ndarray[Any, np.dtype[np.float64]]


CLOCK = (("t", NUMBER, NONE),)  # the argument of functions of time
Key = int | str  # the slot of a speed, or the name of what a drive takes


class Inputs:
    """Efforts on coordinates and motions of drives, by name; `elbow` and `elbow.effort` mean the same.

    `motor.position`, `.velocity`, `.acceleration` are what a drive takes from outside; rates of a
    position that is a number or a function of time follow from it.
    """

    def __init__(self, model: Model, inputs: Mapping[str, Any] | None) -> None:
        if inputs is not None and not isinstance(inputs, Mapping):  # pyright: ignore
            raise ModelError(f"inputs must be {{coordinate: effort}}, not {described(inputs)}")
        self.numbers: dict[Key, float] = {}
        self.functions: dict[Key, Callable[[Any], Any]] = {}
        self.tables: dict[Key, tuple[Array, Array]] = {}
        self.motions: dict[Key, SampledMotion] = {}
        self.names: dict[Key, str] = {}
        for name, value in (inputs or {}).items():
            from hapsis.motion.analysis.linear.operating_point import input_of

            slot = input_of(model, str(name))
            self._check_own(model, slot)
            if slot in self.names:
                raise ModelError(f'inputs give an effort on "{name}" twice')
            self.names[slot] = effort_name(model.speeds[slot]) if isinstance(slot, int) else slot
            self._take(slot, value, f'the input on "{name}"')
        for drive in model.drives.values():
            self._complete(drive)

    def _check_own(self, model: Model, slot: Key) -> None:
        """Refuses the acceleration of a drive that takes position and velocity: it follows from them."""
        for drive in model.drives.values():
            if slot in drive.held and slot not in drive.inputs:
                raise drive.wrong(
                    "it takes position and velocity, and its acceleration follows from them",
                    remedy='leave it out, or give the drive acceleration="input"',
                )

    def _complete(self, drive: Drive) -> None:
        """Adds the inputs of a drive that follow from those given, or says which one is missing."""
        above: str | None = None
        if drive.sampled and any(name in self.tables for name in drive.inputs):
            self._join(drive)
            return
        for name in drive.held:
            if name in self.names:
                pass
            elif above is None:
                raise drive.wrong(
                    f"its {name.rpartition('.')[2]} comes from outside",
                    remedy=f'give inputs={{"{name[:60]}": ...}}',
                )
            elif above in self.tables:
                raise drive.wrong(
                    f'"{name[:60]}" is not given, and a table has no rates',
                    remedy="give it too, or give the drive tracking=...",
                )
            elif above in self.numbers:
                self.names[name], self.numbers[name] = name, 0.0
            else:
                self.names[name], self.functions[name] = name, _rate(self.functions[above])
            above = name

    def _join(self, drive: Drive) -> None:
        """Makes one motion of the tables of position and velocity of a drive."""
        motion = SampledMotion.of(drive, self.tables)
        for name in drive.held:
            self.tables.pop(name, None)
            self.names[name], self.motions[name] = name, motion

    def _take(self, slot: Key, value: Any, what: str) -> None:
        if callable(value):
            try:
                inspect.signature(value).bind(0.0)
            except (TypeError, ValueError):
                raise ModelError(
                    f"{what} is a function that does not take the time t", remedy="lambda t: ..."
                ) from None
            self.functions[slot] = value
        elif isinstance(value, tuple) and len(value) == 2:
            self.tables[slot] = _table(*value, what)
        else:
            self.numbers[slot] = real(value, what)

    @property
    def held(self) -> tuple[str, ...]:
        """The names of the numbers that are held."""
        slopes = [f"{self.names[slot]}.slope" for slot in self.tables]
        pieces = [name for motion in self._sampled for name in motion.held]
        return (*(self.names[slot] for slot in (*self.numbers, *self.tables)), *slopes, *pieces)

    @property
    def _sampled(self) -> list[SampledMotion]:
        """The motions of drives by samples, each once."""
        return list({motion.drive: motion for motion in self.motions.values()}.values())

    @cached_property
    def key(self) -> str | None:
        """What tells equations with these inputs from others; None where a function has no graph."""
        try:
            graphs = [(key, TracedFunction("f", CLOCK, f).key) for key, f in self.functions.items()]
        except Exception:  # of the user's own function, called with an expression
            return None
        return repr((list(self.numbers), list(self.tables), graphs, self.names, *self.motions))

    def efforts(self, model: Model, t: Any, held: Mapping[str, Any], zero: Any) -> list[Any]:
        """The effort on each speed as an expression."""
        return [
            self.value(slot, t, held, zero) if slot in self.names else zero
            for slot in range(len(model.speeds))
        ]

    def value(self, key: Key, t: Any, held: Mapping[str, Any], zero: Any) -> Any:
        """One of them as an expression."""
        name = self.names[key]
        if key in self.numbers:
            return held[name]
        if key in self.tables:
            return held[name] + held[f"{name}.slope"] * t
        if key in self.motions:
            return self.motions[key].value(name, t, held)
        value = call_user(self.functions[key], f'the input on "{name}"', t)
        if not isinstance(value, Expr | Real):
            raise ModelError(f'the input on "{name}" must give one number, not {described(value)}')
        return zero + value

    def drive_values(self, t: float) -> dict[str, float]:
        """The inputs of drives at a time, by name."""
        held = self.values(t)
        values: dict[str, float] = {}
        for key in self.names:
            if isinstance(key, str):
                clock = symbol("t", graph=Graph())
                value = self.value(key, clock, held, 0.0 * clock)
                values[key] = float(compile(Function("value", {"t": clock}, {"x": value}))(t))
        return values

    @property
    def knots(self) -> Array:
        """The times at which a held number changes."""
        times = [*(times for times, _ in self.tables.values()), *(motion.times for motion in self._sampled)]
        return np.unique(np.concatenate(times)) if times else np.empty(0)

    def values(self, t: float) -> dict[str, float]:
        """The numbers that are held from the time t on until the next knot."""
        held = {self.names[slot]: number for slot, number in self.numbers.items()}
        for slot, (times, values) in self.tables.items():
            k = int(np.searchsorted(times, t, side="right")) - 1
            level, slope = values[max(k, 0)], 0.0
            if 0 <= k < len(times) - 1:
                slope = (values[k + 1] - values[k]) / (times[k + 1] - times[k])
                level = values[k] - slope * times[k]
            held[self.names[slot]], held[f"{self.names[slot]}.slope"] = level, slope
        for motion in self._sampled:
            held |= motion.values(t)
        return held


def _rate(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The derivative of a function of time, as a function of time."""

    def rate(t: Expr) -> Any:
        x = function(t)
        if not isinstance(x, Expr):
            return 0.0
        return Function("x", {"t": t}, {"x": x}).jvp("t")(t=t, d_t=1.0)

    return rate


def _table(times: Any, values: Any, what: str) -> tuple[Array, Array]:
    t, x = float_array(times), float_array(values)
    if t is None or x is None:
        raise ModelError(f"{what} must be (times, values) of numbers")
    if t.ndim != 1 or t.shape != x.shape or len(t) < 2:
        raise ModelError(
            f"{what}: times and values have shapes {t.shape} and {x.shape}",
            expected="two rows of equal length, at least 2",
        )
    if not (np.isfinite(t).all() and np.isfinite(x).all()):
        raise ModelError(f"{what} must be finite numbers")
    if not (np.diff(t) > 0).all():
        raise ModelError(f"{what}: its times must grow")
    return t, x
