"""Laws: plain functions that define a force or a row, traced into the equations.

    @hs.law
    def felt(gap, rate, stiffness=4.5e9, power=2.5):
        return hs.where(gap < 0, stiffness * hs.abs(gap) ** power, 0.0)

Parameters without a default are the inputs, passed by position; one called `t` gets the time, and one
called `s`, more than the fact gives inputs, gets the readings: s["hand.tip.x"], s["floor.force"], s.t.
Parameters whose default is a number become parameters of the model and can be changed at run time.
Parameters whose default is `hs.LawState(start)` are states: the law then returns
(result, {state: rate}), and the states are integrated with the model.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable, frozen
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.values.formula import TIME, Formula
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.readings import READINGS_NAME
from hapsis.mechanics.model.values.traced_function import (
    NONE,
    NUMBER,
    PYTHON,
    READINGS,
    VECTOR,
    Argument,
    TracedFunction,
    portable,
)
from hapsis.mechanics.model.values.user_functions import call_user
from hapsis.mechanics.model.values.values import NOTHING, Table, Value, value_of


@verb
@frozen
class LawState(Immutable):
    """A state of a law; `start` is its initial value."""

    start: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", real(self.start, "the start of a law's state"))


@frozen
class Law(Immutable):
    """A function with its parameters and states.

    inputs  names of its inputs, passed by position
    fields  {name: value} of its numbers, each a number or a formula
    states  {name: start}
    reads   whether its parameter `s` gets the readings
    """

    function: Callable[..., Any]
    changed: Mapping[str, Any] = NOTHING  # numbers and starts that replace the function's defaults
    reads: bool = False
    inputs: tuple[str, ...] = field(init=False, compare=False, repr=False)
    fields: Mapping[str, Value] = field(init=False, compare=False, repr=False)
    states: Mapping[str, float] = field(init=False, compare=False, repr=False)
    leading: tuple[str, ...] = field(init=False, compare=False, repr=False)  # inputs, time and readings

    def __post_init__(self) -> None:
        leading, fields, states = _signature(self.function)
        for name, value in self.changed.items():
            what = f"{_label(self.function)}: {name}"
            if name in states:
                states[name] = real(value, what)
            elif name in fields:
                fields[name] = value_of(value, what)
            else:
                known = [*fields, *states]
                raise ModelError(
                    f'{_label(self.function)} has no number "{str(name)[:60]}"{near(str(name), known)}',
                    expected=", ".join(known) or "none: it has no parameters with defaults",
                )
        normal = {
            "leading": leading,
            "inputs": tuple(n for n in leading if n != TIME and not (self.reads and n == READINGS_NAME)),
            "changed": Table({name: (fields | states)[name] for name in self.changed}),
            "fields": Table(fields),
            "states": Table(states),
        }
        for name, value in normal.items():
            object.__setattr__(self, name, value)

    @property
    def label(self) -> str:
        """How errors name it."""
        return _label(self.function)

    def using(self, **values: Any) -> "Law":
        """The same law with other numbers, formulas or starts of states."""
        return Law(self.function, Table({**self.changed, **values}), self.reads)

    def portable(self, kinds: Sequence[str], what: str) -> "Law":
        """The law as it is pickled: with its graph, for inputs of these kinds."""
        return Law(portable(self.function, self._arguments(kinds), what), self.changed, self.reads)

    def traced(self, kinds: Sequence[str]) -> TracedFunction:
        """The graph of the function for inputs of these kinds; any error is that of the function."""
        return TracedFunction("f", self._arguments(kinds), self.function)

    def _arguments(self, kinds: Sequence[str]) -> list[Argument]:
        defaults = {n: p.default for n, p in inspect.signature(self.function).parameters.items()}
        remaining = iter(kinds)
        special = {TIME: NUMBER} | ({READINGS_NAME: READINGS} if self.reads else {})
        leading = [(n, special.get(n) or next(remaining), NONE) for n in self.leading]
        return leading + [(n, NUMBER, x) for n, x in defaults.items() if n not in self.leading]

    def __getstate__(self) -> dict[str, Any]:
        """The fields as they are pickled; outside of a fact the kinds of the inputs are tried out."""
        count = len(self.inputs)
        choices = [(NUMBER,) * count, (READINGS,) * count]
        if count == 2:
            choices.append((NUMBER, VECTOR))
        law, refusals = None, list[ModelError]()
        for kinds in choices if isinstance(self.function, PYTHON) else ():
            try:
                law = law or self.portable(kinds, self.label)
            except ModelError as error:
                refusals.append(error)
        if law is None and refusals:
            raise refusals[0]
        return dict((law or self).__dict__)

    def evaluate(
        self, fields: Mapping[str, Any], inputs: Any, states: Mapping[str, Any], s: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """The result and the states' rates; `s` has the time and what else the law reads by name."""
        if len(inputs) != len(self.inputs):
            raise ModelError(
                f"{self.label} is given {len(inputs)} inputs and takes {len(self.inputs)}: "
                f"{', '.join(self.inputs) or 'none'}"
            )
        remaining = iter(inputs)
        special: dict[str, Callable[[], Any]] = {TIME: lambda: 0.0 if s is None else s.t}
        if self.reads:
            special[READINGS_NAME] = lambda: s
        arguments = [special[n]() if n in special else next(remaining) for n in self.leading]
        result = call_user(partial(self.function, **fields, **states), self.label, *arguments)
        return rates_of(result, self.states, self.label)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The result of the function; parameters that are not named have the values of the law."""
        for name in named:
            if name not in self.fields and name not in self.states and name not in self.leading:
                known = [*self.leading, *self.fields, *self.states]
                raise ModelError(f'{self.label} has no "{name[:60]}"{near(name, known)}')
        values: dict[str, Any] = {**self.fields, **self.states, **named}
        for name, value in values.items():
            if isinstance(value, Formula):
                raise ModelError(
                    f'{self.label}: {name} is the formula "{value}"', remedy=f"give its value, {name}=..."
                )
        return call_user(partial(self.function, **values), self.label, *arguments)


@verb
def law(function: Callable[..., Any]) -> Law:
    """The function as a law: its numbers become parameters of the model."""
    return Law(function)


def rates_of(result: Any, states: Mapping[str, Any], label: str) -> tuple[Any, dict[str, Any]]:
    """A law's result and {state: rate}, checked: every state has exactly one rate."""
    paired = isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], Mapping)
    if states and not paired:
        raise ModelError(
            f"{label} has states, so it must return (result, {{state: rate}})",
            expected=f"rates of {', '.join(states)}",
        )
    result, rates = result if paired else (result, {})
    for name in states:
        if name not in rates:
            raise ModelError(f'{label} returns no rate of its state "{name[:60]}"')
    for name in rates:
        if name not in states:
            raise ModelError(
                f'{label} returns a rate of "{str(name)[:60]}", which is no state of it'
                f"{near(str(name), states)}",
                remedy=f"give it the default hs.LawState(start): {str(name)[:60]}=hs.LawState(0.0)",
            )
    if result is None:
        raise ModelError(f"{label} returns nothing: it must return its result")
    return result, dict(rates)


_PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _signature(function: Any) -> tuple[tuple[str, ...], dict[str, Value], dict[str, float]]:
    """The inputs of a function (and t), its numbers, and its states with their initial values."""
    if not callable(function):
        raise ModelError(f"a law must be a function, not {described(function)}")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise ModelError(
            f"{_label(function)} has no readable signature: write a Python function for it"
        ) from None
    leading: list[str] = []
    fields: dict[str, Value] = {}
    states: dict[str, float] = {}
    for p in parameters:
        label = f"{_label(function)}: {p.name}"
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise ModelError(f"{label}: a law has no * and no ** parameters: name each of them")
        if p.default is p.empty:
            if p.kind not in _PLAIN:
                raise ModelError(f"{label} needs a number as its default")
            leading.append(p.name)
        elif p.kind is p.POSITIONAL_ONLY:
            raise ModelError(f"{label} has a default and no name: leave the / out")
        elif isinstance(p.default, LawState):
            states[p.name] = p.default.start
        else:
            fields[p.name] = _default(p.default, label)
        if p.name == TIME and TIME not in leading:
            raise ModelError(f"{label} is the time and has no default")
    return tuple(leading), fields, states


def _default(value: Any, label: str) -> Value:
    try:
        return value if isinstance(value, Formula) else real(value, label)
    except ModelError as error:
        raise ModelError(error.what, expected="a number or hs.LawState(start)") from None


def _label(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return f'law "{str(name)[:60]}"'


def with_readings(law: Law, inputs: Sequence[str]) -> Law:
    """The law as it is used where these inputs are given: one with `s` besides them reads."""
    more = len(law.inputs) == len(inputs) + 1 and READINGS_NAME in law.inputs
    return Law(law.function, law.changed, reads=True) if more else law
