"""The base of what a model is told: facts, shapes and laws, each of a type, with checked fields.

A field takes more than it keeps: a text or an int becomes a Value, a list a tuple. How a file reads
a field follows from the field's annotation (`AsValue`, `AsEnd`, `Axis`, ...).
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.values import value_of, values_of


class Entry(ABC):
    """Something with fields that files can hold under a type of its own.

    What a type says about itself stands in its first line: `class Box(Shape, type_name="box")`.
    """

    type_name: ClassVar[str]  # its `type` in files; "" where a section has one type only
    needed: ClassVar[tuple[str, ...]] = ()  # fields that files must give although they have a default
    not_negative: ClassVar[tuple[str, ...]] = ()  # fields
    positive: ClassVar[tuple[str, ...]] = ()  # fields
    where: str | None = None  # file:line:column where it was written

    def __init_subclass__(cls, **said: Any) -> None:
        super().__init_subclass__()
        for name, value in said.items():
            setattr(cls, name, value)

    @property
    @abstractmethod
    def label(self) -> str:
        """How errors name it: `body "arm"`, `law HuntCrossley`, `box`."""

    def wrong(self, what: str, **parts: str) -> ModelError:
        """The error that says so about this entry."""
        return ModelError(f"{self.label}: {what}", where=self.where, **parts)

    def _set(self, **fields: Any) -> None:
        """Stores fields in their normal form; only while the entry is made."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _make_values(self, *names: str) -> None:
        for name in names:
            what = f"{self.label}: {name}"
            self._set(**{name: value_of(getattr(self, name), what, self.where)})

    def _make_vectors(self, *names: str, count: int = 3) -> None:
        for name in names:
            what = f"{self.label}: {name}"
            self._set(**{name: values_of(getattr(self, name), count, what, self.where)})
