"""Values: numbers of facts, each a float or a formula of the model's parameters."""

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from typing import Annotated, Any, TypeVar

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import NUMBER, described, number, real

Value = float | Formula
Vector = tuple[Value, Value, Value]

# annotations of fields that accept more types than they store: a number or a text becomes a Value
AsValue = Annotated[Any, "a number or a formula"]
AsVector = Annotated[Any, "three numbers or formulas"]
AsVectorOrNone = Annotated[Any, "three numbers or formulas, or None"]
FunctionOrNone = Annotated[Any, "a function, or None"]
AsSix = Annotated[Any, "six numbers or formulas"]
ValueInTime = Annotated[Any, "a number, a formula of t and parameters, or a function of t"]
VectorInTime = Annotated[Any, "three numbers or formulas of t, or a function of t that gives three"]

T = TypeVar("T")


def value_of(x: Any, what: str, where: str | None = None) -> Value:
    """An object as a float or a formula; a text that is a plain number becomes a float."""
    if x.__class__ is float or not isinstance(x, str | Formula):
        return real(x, what, where)
    if isinstance(x, Formula):
        return x
    try:
        plain = x.strip(" \t\r\n")
        return number(plain) if NUMBER.fullmatch(plain) else Formula(x)
    except ModelError as error:
        raise ModelError(f"{what}: {error}", where=where) from None


def values_of(x: Any, count: int, what: str, where: str | None = None) -> tuple[Value, ...]:
    """`count` values from a tuple, list or array of them."""
    if length(x) != count:
        raise ModelError(f"{what} must be {count} numbers, not {_shown(x)}", where=where)
    return tuple([value_of(v, what, where) for v in x])


def length(x: Any) -> int | None:
    """The length of a tuple, list or one-dimensional array; None for anything else."""
    if isinstance(x, tuple | list):
        return len(x)
    return len(x) if isinstance(x, np.ndarray) and x.ndim == 1 else None


def vector_of(x: Any, what: str, where: str | None = None) -> Vector:
    """Three values."""
    first, second, third = values_of(x, 3, what, where)
    return first, second, third


def numbers_of(x: Any, what: str, where: str | None = None) -> tuple[float, float, float]:
    """Three numbers, none of them a formula."""
    vector = vector_of(x, what, where)
    for v in vector:
        if isinstance(v, Formula):
            raise ModelError(f'{what} must be numbers, not the formula "{v}"', where=where)
    return vector  # pyright: ignore[reportReturnType]


def _shown(x: Any) -> str:
    return f"{len(x)}" if isinstance(x, tuple | list) else described(x)


def text(value: Value) -> str:
    """The value as part of a longer formula."""
    return f"({value})"


class Table(Mapping[str, T]):
    """A dictionary that cannot be changed, in the order given."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, T] | None = None) -> None:
        self._items = dict(items or {})

    def __getitem__(self, name: str) -> T:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def get(self, name: str, default: Any = None) -> Any:
        """The item of that name, or `default`."""
        return self._items.get(name, default)

    def items(self) -> ItemsView[str, T]:
        """The names with their items."""
        return self._items.items()

    def values(self) -> ValuesView[T]:
        """The items."""
        return self._items.values()

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)


NOTHING: Table[Any] = Table()
