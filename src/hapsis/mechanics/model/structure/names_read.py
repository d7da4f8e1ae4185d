"""What the functions of facts read by name, and whose the names are."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.values.traced_function import NUMBER, READINGS, TracedFunction, arguments_of


def reads(fact: Fact) -> bool:
    """Whether one of its functions reads by name."""
    return next(_readers(fact), None) is not None


def names_read(fact: Fact) -> Iterator[str]:
    """What the functions of a fact read by name, and the names that they give efforts to."""
    yield from getattr(fact, "named_speeds", ())
    for function, kinds in _readers(fact):
        try:
            if isinstance(function, Law):
                traced = function.traced(kinds)
            else:
                traced = TracedFunction("f", arguments_of(function, kinds), function)
        except Exception:  # of the user's own function: the equations will tell
            continue
        yield from (name for _, name, _ in traced.reads if name)
        result = traced.result[0] if isinstance(traced.result, tuple) and traced.result else traced.result
        if isinstance(result, dict):
            yield from result


def _readers(fact: Fact) -> Iterator[tuple[Any, Sequence[str]]]:
    """The functions of a fact that read by name, with the kinds of their inputs."""
    for field, value in vars(fact).items():
        if isinstance(value, Law):
            kinds = fact.traced.get(field) or (NUMBER,) * len(value.inputs)
            if value.reads or READINGS in kinds:
                yield value, kinds
        elif READINGS in fact.traced.get(field, ()):
            yield value, fact.traced[field]


def owner_of(name: str, owners: Collection[str]) -> str | None:
    """The longest of these names that is the whole name or its beginning, up to a dot; None without any."""
    parts = name.split(".")
    candidates = (".".join(parts[:k]) for k in range(len(parts), 0, -1))
    return next((candidate for candidate in candidates if candidate in owners), None)
