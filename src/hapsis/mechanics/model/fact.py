"""The base of all facts: a name, where it was written, and the ends and joints it refers to."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, ClassVar

from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.entry import Entry
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import described


@frozen
class Fact(Entry):
    """The base of the named parts of a model; `where` is the file:line:column it was read from."""

    name: str
    where: str | None = field(default=None, kw_only=True, compare=False, repr=False)

    family: ClassVar[str]  # the table of a Model it goes to
    noun: ClassVar[str]  # the word for it in errors
    of_time: ClassVar[bool] = False  # whether its formulas may name the time t

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore
            what = "a text of at least one character"
            raise ModelError(
                f"the name of a {self.noun} must be {what}, not {described(self.name)}", where=self.where
            )

    @property
    def label(self) -> str:
        """How errors name it: `body "arm"`."""
        return f'{self.noun} "{self.name[:60]}"'

    @property
    def ends(self) -> Mapping[str, Any]:
        """{field: End} of the ends it acts on."""
        return {}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the joints or coordinates it acts on."""
        return {}

    def with_prefix(self, prefix: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that name joints, with the prefix before those names.

        `changed` has the fields that are changed already because of formulas in them.
        """
        return {field: f"{prefix}.{name}" for field, name in self.joints.items()}


_PLAIN = (float, str, type(None))


def formulas(x: Any) -> Iterator[Formula]:
    """Every formula inside a fact, at any depth."""
    left = [x]
    while left:
        x = left.pop()
        if isinstance(x, Formula):
            yield x
            continue
        if isinstance(x, Mapping):
            parts = x.values()
        elif isinstance(x, tuple):
            parts = x
        else:
            parts = vars(x).values() if dataclasses.is_dataclass(x) else ()
        left += [v for v in parts if v.__class__ not in _PLAIN]
