"""The native functions of a package that Python calls: all but those that only others of them call."""

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from typing import Any

from hapsis.compiler.native.definition import Definition, definition_of, holds_names
from hapsis.compiler.native.language import Native


def entries(package: str) -> list[Native]:
    """The native functions of all modules of a package that no other one calls, in the order of names.

    All modules are imported.
    """
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, f"{package}."):
        importlib.import_module(module.name)
    every = {
        id(thing.definition): thing
        for name in sorted(sys.modules)
        if f"{name}.".startswith(f"{package}.")
        for thing in vars(sys.modules[name]).values()
        if isinstance(thing, Native)
    }
    called = {id(other) for native in every.values() for other in _called(native.definition)}
    return [native for key, native in every.items() if key not in called]


def bytecode_size(definition: Definition) -> int:
    """Bytes of the bytecode of a function and of all native functions that it calls."""
    listed, unseen = {id(definition): definition}, [definition]
    while unseen:
        new = {id(other): other for other in _called(unseen.pop()) if id(other) not in listed}
        listed |= new
        unseen += new.values()
    return sum(len(one.function.__code__.co_code) for one in listed.values())


def _called(one: Definition) -> Iterator[Definition]:
    """The definitions that a function refers to, by names and by attributes of modules and classes."""
    code = one.function.__code__
    for name in (*code.co_names, *code.co_freevars):
        try:
            thing: Any = one.meaning(name)
        except (KeyError, ValueError):
            continue
        parts = [getattr(thing, n, None) for n in code.co_names] if holds_names(thing) else []
        for each in (thing, *parts):
            other = definition_of(each)
            if other is not None:
                yield other
