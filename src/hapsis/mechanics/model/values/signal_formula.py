"""Formulas of signals: what an event of a model file reads, `swing.foot.x - stance.foot.x > 0.1 * length`.

    condition = sum ("<" | "<=" | ">" | ">=") sum

A sum is that of a `Formula`; its names are those of signals, as in `s["swing.foot.x"]`, and of parameters.
`t` is the time and `since` the time since the phase of a hybrid began.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import field
from typing import Any, final

from hapsis.compiler.ir.graph.immutable import Immutable, frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.formula import LONGEST_TEXT, TIME, Formula

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_SIGN = re.compile("[<>]=?")


@final
@frozen
class SignalFormula(Immutable):
    """Arithmetic of signals, called with what an event reads; equal where the texts are equal."""

    text: str
    formula: Formula = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "formula", Formula(self.text))

    @property
    def names(self) -> tuple[str, ...]:
        """What it reads, sorted."""
        return tuple(sorted(self.formula.names))

    def __call__(self, s: Any) -> Any:
        """Its value."""
        return self.formula.value(_Signals(s))  # pyright: ignore[reportArgumentType]


@final
@frozen
class SignalCondition(Immutable):
    """A comparison of two formulas of signals, called with what an event reads."""

    text: str
    sides: tuple[SignalFormula, SignalFormula] = field(init=False, compare=False, repr=False)
    sign: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        signs = _SIGN.findall(self.text[:LONGEST_TEXT])
        if len(signs) != 1:
            wrong = "compares nothing" if not signs else f"has {len(signs)} comparisons"
            raise ModelError(
                f'condition "{self.text[:60]}" {wrong}',
                expected="one of <, <=, > and >= between two formulas",
            )
        first, _, second = self.text.partition(signs[0])
        object.__setattr__(self, "sides", (SignalFormula(first.strip()), SignalFormula(second.strip())))
        object.__setattr__(self, "sign", signs[0])

    @property
    def names(self) -> tuple[str, ...]:
        """What it reads, sorted."""
        return tuple(sorted({name for side in self.sides for name in side.names}))

    def __call__(self, s: Any) -> Any:
        """The comparison."""
        first, second = (side(s) for side in self.sides)
        return COMPARISONS[self.sign](first, second)


class _Signals:
    """Readings as the values of the names of a formula, which only looks them up."""

    def __init__(self, s: Any) -> None:
        self._s = s

    def __contains__(self, name: str) -> bool:
        return True  # what is not there the readings refuse themselves, with near names

    def __getitem__(self, name: str) -> Any:
        return self._s.t if name == TIME else self._s[name]
