"""Immutable objects: a base whose copy is the object itself, and a decorator for classes of fields."""

import dataclasses
import threading
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, Self, TypeVar, dataclass_transform

T = TypeVar("T")
_lock = threading.Lock()


class Immutable:
    """An object that never changes: `copy.copy` and `copy.deepcopy` return it as it is."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def frozen(cls: type[T]) -> type[T]:
    """The class as `dataclasses.dataclass(frozen=True)` makes it, in a third of the time.

    `dataclass` writes the text of six methods of every class and compiles it, which was a third of the
    time of importing models. Only the constructor differs so much from class to class. Whatever else
    is asked of a dataclass (`fields`, `replace`, inheritance from and by others) holds.
    """
    own = set(vars(cls))
    with _lock:  # else `dataclass` would write the two methods that refuse changes of every class
        _PARAMETERS.frozen = False
        try:
            cls = dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
        finally:
            _PARAMETERS.frozen = True
    fields = dataclasses.fields(cls)  # pyright: ignore[reportArgumentType]
    setattr(cls, "__dataclass_params__", _PARAMETERS)  # noqa: B010 (the type has no such name)
    methods = {"__repr__": _text(fields), **_comparison(fields), "__init__": _constructor(cls, fields)}
    for name, method in methods.items():
        if name not in own or (name == "__hash__" and vars(cls)[name] is None):
            method.__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(cls, name, method)
    refusal = _refusal(cls, frozenset(f.name for f in fields))
    for name, method in refusal.items():
        if name in own:
            raise TypeError(f"{cls.__name__} cannot define {name}: it never changes")
        setattr(cls, name, method)
    return cls


class _Nothing:
    """The class that the parameters of frozen dataclasses are taken from."""


# of all classes that are made here: what `dataclass` looks at in the bases of a class
_PARAMETERS: Any = vars(dataclasses.dataclass(frozen=True)(_Nothing))["__dataclass_params__"]


def _text(fields: Any) -> Any:
    """`__repr__`: the name of the class and its fields."""
    names = [f.name for f in fields if f.repr]

    def __repr__(self: Any) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({parts})"

    return recursive_repr()(__repr__)


def _comparison(fields: Any) -> dict[str, Any]:
    """`__eq__` and `__hash__`, by the fields that are compared."""
    compared = _values([f.name for f in fields if f.compare])
    hashed = _values([f.name for f in fields if (f.compare if f.hash is None else f.hash)])

    def __eq__(self: Any, other: Any) -> Any:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(hashed(self))

    return {"__eq__": __eq__, "__hash__": __hash__}


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives some attributes of an object as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda thing: tuple(getattr(thing, name) for name in names)


def _constructor(cls: Any, fields: Any) -> Any:
    """`__init__`: arguments in the order of the fields, those with a keyword only behind the others."""
    space: dict[str, Any] = {"_MISSING": dataclasses.MISSING}
    plain, named, lines = ["self"], list[str](), ["fields = self.__dict__"]
    for f in fields:
        if not f.init:
            if f.default_factory is not dataclasses.MISSING:
                raise TypeError(f"{cls.__name__}.{f.name}: init=False with a default factory")
            continue
        text = value = f.name
        if f.default is not dataclasses.MISSING:
            space[f"_{f.name}"] = f.default
            text += f"=_{f.name}"
        elif f.default_factory is not dataclasses.MISSING:
            space[f"_{f.name}"] = f.default_factory
            text, value = f"{text}=_MISSING", f"_{f.name}() if {f.name} is _MISSING else {f.name}"
        (named if f.kw_only else plain).append(text)
        lines.append(f"fields[{f.name!r}] = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    head = ", ".join([*plain, *(["*", *named] if named else [])])
    exec(f"def __init__({head}):\n " + "\n ".join(lines), space)
    method = space["__init__"]
    method.__annotations__ = {f.name: f.type for f in fields if f.init} | {"return": None}
    method.__module__ = cls.__module__
    return method


def _refusal(cls: type, names: frozenset[str]) -> dict[str, Any]:
    """`__setattr__` and `__delattr__`, which raise `FrozenInstanceError`."""

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}
