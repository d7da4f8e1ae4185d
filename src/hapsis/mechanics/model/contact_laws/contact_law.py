"""The base of the ready-made laws of contacts.

They have the same interface as `hs.law` functions (`inputs`, `fields`, `states`, `evaluate`), so that a
contact treats both alike. They also have a formula in LaTeX and, some of them, a stored energy.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from hapsis.compiler.ir.graph.elementary_functions import maximum, power, where
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.entry import Entry
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.values import NOTHING, Table, Value

SHALLOW = 1e-30  # m; keeps powers of the depth and their derivatives finite where nothing touches


@frozen
class ContactLaw(Entry):
    """A law with fields that are numbers or formulas."""

    inputs: ClassVar[tuple[str, ...]] = ("gap", "rate")
    formula: ClassVar[str]  # LaTeX

    def __post_init__(self) -> None:
        names = (field.name for field in dataclasses.fields(self))
        self._make_values(*(name for name in names if getattr(self, name) is not None))
        for names, limit in ((self.not_negative, "negative"), (self.positive, "negative or zero")):
            for name in names:
                value = getattr(self, name)
                if isinstance(value, float) and (value < 0.0 or (value == 0.0 and "or" in limit)):
                    raise self.wrong(f"{name} cannot be {limit}, it is {value:g}")

    @property
    def label(self) -> str:
        """How errors name it."""
        return f"law {type(self).__name__}"

    @property
    def fields(self) -> Mapping[str, Value]:
        """{name: value} of its numbers."""
        return Table({f.name: getattr(self, f.name) for f in dataclasses.fields(self)})

    @property
    def states(self) -> Mapping[str, float]:
        """{name: start} of its states."""
        return NOTHING

    @property
    def carried(self) -> tuple[str, ...]:
        """The three states, if any, that are a vector in the plane of the touch, in world axes."""
        return ()

    def bent(self, fields: Mapping[str, Any], z: Any, rate: Any) -> tuple[Any, Any]:
        """The energy stored in those states, and how fast it grows; nothing if there are none."""
        return 0.0, 0.0

    @abstractmethod
    def evaluate(
        self, fields: Mapping[str, Any], inputs: Any, states: Mapping[str, Any], s: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """The force and the states' rates, for these values of its fields."""

    def stored(self, fields: Mapping[str, Any], gap: Any) -> Any:
        """The energy stored at a gap; None where the law defines none."""
        return None

    def held(self, fields: Mapping[str, Any], gap: Any, states: Mapping[str, Any]) -> Any:
        """The energy held at a gap in these states; None where the law defines none.

        That of a law with states is no potential energy, which depends on the pose alone.
        """
        return self.stored(fields, gap)

    def __call__(self, *inputs: Any, **states: Any) -> Any:
        """The force for the law's own numbers; (force, rates) if it has states."""
        for name, value in self.fields.items():
            if isinstance(value, Formula):
                raise self.wrong(f'{name} is the formula "{value}": only a model knows its value')
        force, rates = self.evaluate(self.fields, inputs, {**self.states, **states})
        return (force, rates) if self.states else force


def tells_stored(law: Any) -> bool:
    """Whether a law of contact defines the energy that it stores."""
    return holds_by_states(law) or (isinstance(law, ContactLaw) and type(law).stored is not ContactLaw.stored)


def holds_by_states(law: Any) -> bool:
    """Whether the energy that a law stores depends on its states, so that it is no potential energy."""
    return isinstance(law, ContactLaw) and type(law).held is not ContactLaw.held


def compressed(gap: Any, exponent: Any) -> Any:
    """The depth -gap raised to a power, zero where gap >= 0; its derivatives are finite everywhere."""
    return where(gap < 0.0, power(maximum(0.0 - gap, SHALLOW), exponent), 0.0)
