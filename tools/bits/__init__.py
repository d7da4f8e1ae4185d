"""The list of programs whose results must keep their bits, and how a result is hashed.

A program is a function without arguments that gives {name: value}. Values are numbers, arrays, text
or bytes, or are made of them (`parts` takes them apart). Nothing in them may depend on the clock, on a
path or on which thread was first. Only public names of hapsis are used, so that the same file runs on
an older and on a newer tree.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import hapsis as hs

PROGRAMS: dict[str, Callable[[], Mapping[str, Any]]] = {}

# two names that changed
recording: Any = getattr(hs, "recording", None) or hs.link
Filters: Any = getattr(hs.haptics, "Filters", None) or hs.haptics.Chain

# of what a run counts: those that tell nothing about time
COUNTED = ("steps", "rejected", "evaluations", "jacobians", "iterations")


def program(name: str) -> Callable[[Any], Any]:
    """Puts a function on the list, under a name such as "simulate.order8"."""

    def listed(function: Any) -> Any:
        if name in PROGRAMS:
            raise ValueError(f'"{name}" is there twice')
        PROGRAMS[name] = function
        return function

    return listed


def parts(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The arrays, texts and bytes of a value, each with a name."""
    for key, x in _items(value):
        yield from parts(x, f"{name}/{key}" if name else str(key))
    if _leaf(value):
        yield name, value


def digest(value: Any) -> str:
    """The SHA-256 of an array (with its type and shape), a text or bytes."""
    if isinstance(value, str):
        head, body = b"text", value.encode()
    elif isinstance(value, bytes):
        head, body = b"bytes", value
    elif value is None:
        head, body = b"none", b""
    else:
        array = np.ascontiguousarray(value)
        if array.dtype.hasobject:
            raise TypeError(f"{type(value).__name__} has no bits to compare")
        head, body = f"{array.dtype.str} {np.shape(value)}".encode(), array.tobytes()
    return hashlib.sha256(head + b"\0" + body).hexdigest()


def hashes(name: str) -> dict[str, str]:
    """Runs a program; a hash for each of its outputs."""
    return {key: digest(value) for key, value in parts(PROGRAMS[name](), "")}


def _leaf(value: Any) -> bool:
    plain = (str, bytes, bool, int, float, complex, np.ndarray, np.generic)
    return value is None or isinstance(value, plain) or (isinstance(value, tuple | list) and _numbers(value))


def _numbers(values: Any) -> bool:
    return all(isinstance(x, bool | int | float | complex | np.generic) for x in values)


def _items(value: Any) -> Iterator[tuple[Any, Any]]:
    """What a value is made of; nothing for a leaf."""
    if isinstance(value, hs.Result):
        yield from _result(value)
    elif isinstance(value, hs.State):
        yield from (("q", value.q), ("v", value.v))
    elif isinstance(value, hs.Function):
        yield "listing", str(value)
        yield "cost", str(value.cost())
    elif isinstance(value, Mapping):
        yield from value.items()
    elif hasattr(value, "_fields"):
        yield from zip(value._fields, value, strict=True)
    elif isinstance(value, tuple | list) and not _numbers(value):
        yield from enumerate(value)
    elif not _leaf(value):
        raise TypeError(f"{type(value).__name__} cannot be taken apart")


def _result(result: hs.Result) -> Iterator[tuple[str, Any]]:
    yield "t", result.t
    yield from ((name, result[name]) for name in result.names)
    yield "status", result.status
    yield "event times", np.array([event.time for event in result.events])
    yield "event names", "\n".join(event.name for event in result.events)
    yield "energy drift", result.energy_drift
    yield "constraint error", result.constraint_error
    yield "counts", {key: result.report[key] for key in COUNTED if key in result.report}
    if result.last is not None:
        yield "last", result.last
