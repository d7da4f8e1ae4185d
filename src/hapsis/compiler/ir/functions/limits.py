"""Limits of numbers, written in the signature of a verb and checked before it runs.

    @verb
    def reach(model: Model, ..., tries: Count = 20, seed: Seed = 0) -> State: ...

`reach(..., seed=-1)` is then an `Error` that names the argument and what it takes.
"""

import math
from collections.abc import Mapping
from inspect import Parameter, signature
from numbers import Real
from typing import Annotated, Any, NamedTuple, get_args, get_origin


class Limits(NamedTuple):
    """The numbers that an argument takes: from low (or above it) to high, and perhaps only whole ones."""

    low: float
    high: float
    whole: bool = False
    above: bool = False

    def allow(self, x: Any) -> bool:
        """Whether an object is such a number."""
        if isinstance(x, bool) or not isinstance(x, Real):
            return False
        number: Any = x
        try:
            float(number)
        except OverflowError:  # a whole number that is larger than any float
            return False
        within = self.low < number if self.above else self.low <= number
        return within and number <= self.high and not (self.whole and number != int(number))

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        low = f"above {self.low:g}" if self.above else f"from {self.low:g}"
        return f"{kind} {low} to {self.high:g}"


Seed = Annotated[int, Limits(0, 2.0**64, whole=True)]
Count = Annotated[int, Limits(1, 1e9, whole=True)]
Positive = Annotated[float, Limits(0.0, math.nextafter(math.inf, 0.0), above=True)]
NotNegative = Annotated[float, Limits(0.0, math.nextafter(math.inf, 0.0))]


class LimitedArgument(NamedTuple):
    """An argument with limits: its name, its place in a call (-1: by name only), whether it may be None."""

    name: str
    place: int
    limits: Limits
    optional: bool

    def allows(self, positional: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
        """Whether a call gives it a number within its limits, or does not give it."""
        if self.name in named:
            x = named[self.name]
        elif 0 <= self.place < len(positional):
            x = positional[self.place]
        else:
            return True
        return (x is None and self.optional) or self.limits.allow(x)

    def value(self, positional: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        """What a call gives it."""
        return named[self.name] if self.name in named else positional[self.place]


def limited_arguments(function: Any) -> list[LimitedArgument]:
    """The arguments of a function that have limits in its annotations."""
    limits = {name: _limits(hint) for name, hint in getattr(function, "__annotations__", {}).items()}
    if not any(limits.values()):
        return []
    limited: list[LimitedArgument] = []
    for place, p in enumerate(signature(function).parameters.values()):
        by_place = -1 if p.kind is Parameter.KEYWORD_ONLY else place
        for each in limits.get(p.name, ()):
            limited.append(LimitedArgument(p.name, by_place, each, p.default is None))
    return limited


def _limits(hint: Any) -> list[Limits]:
    """The limits in an annotation, or in one of its alternatives."""
    kinds = [h for h in (hint, *get_args(hint)) if get_origin(h) is Annotated]
    return [each for kind in kinds for each in kind.__metadata__ if isinstance(each, Limits)]
