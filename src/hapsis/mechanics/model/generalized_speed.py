"""Generalized speeds: linear combinations of a model's speeds, by name."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.traced_function import READINGS
from hapsis.mechanics.model.values.values import AsValue, Table, value_of

# the annotation of a field that is a function of readings, or the same in numbers
Combination = Annotated[Mapping[str, AsValue] | Callable[..., Any], "a function, or {speed: factor}"]


@verb
@frozen
class Speed(Fact, type_name="", noun="speed", family="generalized_speeds"):
    """A generalized speed: a linear combination of the model's speeds.

        hs.Speed("u1", {"hip.v": 1.0, "knee.v": 1.0})
        hs.Speed("u2", lambda s: hs.cos(s["q1"]) * s["q2.v"])

    combination   {speed: factor}; or a function, with s["q1"] a coordinate, s["q1.v"] a speed and s.t the
                  time, which must be linear in the speeds

    All of a model's combinations together must be independent. Where there are fewer of them than speeds,
    speeds of the model's own stay in place of the missing ones (see `hs.generalized_speeds`).
    """

    combination: Combination

    def __post_init__(self) -> None:
        super().__post_init__()
        if callable(self.combination):
            return
        if not isinstance(self.combination, Mapping) or not self.combination:  # pyright: ignore
            raise self.wrong(f"it must be {{speed: factor}} or a function, not {described(self.combination)}")
        for name in self.combination:
            if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise self.wrong(f"the name of a speed must be a text, not {described(name)}")
        factors = {
            name: value_of(x, f'{self.label}: factor of "{name[:60]}"', self.where)
            for name, x in self.combination.items()
        }
        self._set(combination=Table(factors))

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {"combination": (READINGS,)} if callable(self.combination) else {}

    @property
    def named_speeds(self) -> tuple[str, ...]:
        """The speeds that it names in numbers; those of a function are known when it is called."""
        return () if callable(self.combination) else tuple(self.combination)

    def with_prefix(self, prefix: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        """Its factors, under the names of speeds with the prefix."""
        factors = changed.get("combination", self.combination)
        return {"combination": {f"{prefix}.{name}": x for name, x in factors.items()}}
