"""The base of facts, shapes and laws: a type name for files, and fields that are checked.

A field accepts more types than it stores: a text or an int becomes a Value, a list a tuple. How a file
reads a field follows from the field's annotation (`AsValue`, `AsEnd`, `Axis`, ...).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.values.traced_function import NUMBER, arguments_of, portable
from hapsis.mechanics.model.values.values import value_of, values_of


class Entry(Immutable, ABC):
    """The base of everything that a file can hold under a type name.

    The class variables below are given as arguments of the class: `class Box(Shape, type_name="box")`.
    """

    type_name: ClassVar[str]  # its `type` in files; "" where a section has one type only
    needed: ClassVar[tuple[str, ...]] = ()  # fields that files must give although they have a default
    not_negative: ClassVar[tuple[str, ...]] = ()  # fields
    positive: ClassVar[tuple[str, ...]] = ()  # fields
    where: str | None = None  # file:line:column where it was written

    def __init_subclass__(cls, **variables: Any) -> None:
        super().__init_subclass__()
        for name, value in variables.items():
            setattr(cls, name, value)

    @property
    @abstractmethod
    def label(self) -> str:
        """How errors name it: `body "arm"`, `law HuntCrossley`, `box`."""

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of the functions that are traced; see `traced_function`."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """The fields as they are pickled: Python functions as graphs, or an error that names the field."""
        return {n: self._portable(n, value) for n, value in self.__dict__.items() if n[0] != "_"}

    def _portable(self, field: str, value: Any) -> Any:
        kinds, what = self.traced.get(field), f"{self.label}: {field}"
        if isinstance(value, Law):
            return value.portable(kinds or (NUMBER,) * len(value.inputs), what)
        return portable(value, None if kinds is None else arguments_of(value, kinds), what)

    def wrong(self, what: str, **parts: str) -> ModelError:
        """A ModelError about this entry."""
        return ModelError(f"{self.label}: {what}", where=self.where, **parts)

    def _set(self, **fields: Any) -> None:
        """Stores fields in their normal form; only for use while the entry is constructed."""
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
