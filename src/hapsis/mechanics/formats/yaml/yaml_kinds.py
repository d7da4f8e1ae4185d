"""The types of facts, shapes and laws that a YAML file can contain, each with its keys.

These are all classes that define a type name. The keys are the names of the fields, and how each is read
follows from the field's annotation, so that a new class needs no entry here.
"""

import dataclasses
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple, TypeVar, get_type_hints
from weakref import WeakKeyDictionary

from hapsis.mechanics.formats.yaml.yaml_fields import Read
from hapsis.mechanics.model import constraints, contact_laws, forces, joints, shapes
from hapsis.mechanics.model.entry import Entry
from hapsis.mechanics.model.structure.families import FAMILIES

SECTIONS = tuple(family for family in FAMILIES if family != "bodies")
NO_KEYS = ("name", "where", "at")  # fields that are not keys: a file gives them in another way

E = TypeVar("E", bound=Entry)

for _folder in (joints, constraints, forces, contact_laws, shapes):
    for _module in pkgutil.iter_modules(_folder.__path__, f"{_folder.__name__}."):
        import_module(_module.name)  # registers its classes as subclasses


class Kind(NamedTuple):
    """A type that a file can contain: its constructor, its keys, and the keys that it needs."""

    make: Callable[..., Any]
    keys: Mapping[str, Read]
    needed: tuple[str, ...]


class Kinds(dict[str, Kind]):
    """{type: Kind} of some classes; `python` are the types that files cannot represent."""

    def __init__(self, classes: Iterable[type[Entry]], readers: Mapping[Any, Read]) -> None:
        super().__init__()
        self.python: set[str] = set()
        for cls in sorted(classes, key=lambda cls: cls.type_name):
            annotations, needed = file_fields(cls)
            if all(annotation in readers for annotation in annotations.values()):
                keys = {name: readers[annotation] for name, annotation in annotations.items()}
                self[cls.type_name] = Kind(cls, keys, needed)
            else:
                self.python.add(cls.type_name)


def types(base: type[E]) -> Iterator[type[E]]:
    """The concrete subclasses of a base that define a type name."""
    for cls in base.__subclasses__():
        if typed(cls) and not inspect.isabstract(cls):
            yield cls
        yield from types(cls)


def typed(cls: type) -> bool:
    """Whether a class itself defines a type name, rather than inherits it."""
    return "type_name" in vars(cls)


def file_fields(cls: type[Entry]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """{field: annotation} of a class in the order of its constructor, and the needed fields."""
    if cls not in _FIELDS:
        hints = get_type_hints(cls, include_extras=True)
        fields = [field for field in dataclasses.fields(cls) if field.name not in NO_KEYS]  # pyright: ignore
        fields.sort(key=lambda field: bool(field.kw_only))
        needed = (f.name for f in fields if f.name in cls.needed or f.default is dataclasses.MISSING)
        _FIELDS[cls] = {f.name: hints[f.name] for f in fields}, tuple(needed)
    return _FIELDS[cls]


_FIELDS: WeakKeyDictionary[type[Entry], tuple[dict[str, Any], tuple[str, ...]]] = WeakKeyDictionary()
