"""Verbs: public functions whose wrong arguments are named when a call fails.

    @verb
    def mass_matrix(model: Model) -> Function: ...

A call costs nothing more. Where it fails with an error of Python (an attribute, an index, a type),
the arguments are compared with the annotations of the signature, and the first one that does not fit
is named in an `Error` of one line. An error that no argument explains goes on as it is: it is ours.
"""

import functools
import inspect
import math
import os
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

from hapsis.errors import CompileError, Error, ModelError

NUMBERS = (ValueError, ArithmeticError, MemoryError, OSError)
PYTHON = (AttributeError, TypeError, LookupError, RecursionError, AssertionError, *NUMBERS)
WORDS: dict[Any, str] = {
    float: "a finite number",
    int: "a whole number",
    str: "a text",
    bool: "True or False",
    Mapping: "{name: value}",
    Sequence: "a list",
    Iterable: "a list",
    Callable: "a function",
    os.PathLike: "a path",
}
F = TypeVar("F", bound=Callable[..., Any])


def verb(function: F) -> F:
    """The function, or the class, which names the first argument that it does not allow when it fails."""
    if isinstance(function, type):
        function.__init__ = verb(function.__init__)  # pyright: ignore
        return function  # pyright: ignore[reportReturnType]

    @functools.wraps(function)
    def called(*positional: Any, **named: Any) -> Any:
        try:
            return function(*positional, **named)
        except Error:
            raise
        except PYTHON as error:
            problem = _problem(function, positional, named)
            if problem is None:
                raise
            raise problem from error

    return typing.cast(F, called)


def _problem(function: Any, positional: Any, named: Any) -> Error | None:
    """The error about the first argument that does not fit; None if all of them do."""
    try:
        given = inspect.signature(function).bind(*positional, **named).arguments
    except TypeError:
        return None  # Python's own words name the function and the argument
    label = function.__name__ if function.__name__ != "__init__" else function.__qualname__.split(".")[-2]
    try:
        hints = typing.get_type_hints(function, _namespace(function))
    except NameError:
        hints = {}
    given.pop("self", None)
    for name, value in given.items():
        kinds = _kinds(hints.get(name, Any))
        kind = inspect.signature(function).parameters[name].kind
        values = value if kind is inspect.Parameter.VAR_POSITIONAL else (value,)
        for each in values if kind is not inspect.Parameter.VAR_KEYWORD else ():
            if kinds and not any(_fits(each, k) for k in kinds):
                expected = " or ".join(dict.fromkeys(_word(k) for k in kinds))
                own = CompileError if function.__module__.startswith("hapsis.compiler") else ModelError
                return own(f"{label}: {name} must be {expected}, not {_described(each)}")
    for name, value in given.items():
        if not _plausible(value):
            return ModelError(f"{label}: {name} cannot be {_described(value)}")
    return None


def _plausible(value: Any) -> bool:
    """Whether some argument can be such a value: not an iterator, bytes, an infinity, a ragged list, ..."""
    if isinstance(value, bool | str | Mapping | os.PathLike) or value is None:
        return True
    if isinstance(value, Real):
        return _finite(value)
    if isinstance(value, np.ndarray):
        return value.ndim > 0 and value.dtype.kind in "iufO"  # pyright: ignore
    if isinstance(value, list | tuple):
        return all(map(_plausible, value))  # pyright: ignore[reportUnknownArgumentType]
    ours = type(value).__module__.startswith("hapsis")
    return ours or (callable(value) and not isinstance(value, type))


def _namespace(function: Any) -> dict[str, Any]:
    """Names for annotations: also those that a module imports for type checkers only."""
    public = sys.modules["hapsis"]
    names = ("Model", "State", "Function", "Result", "Expr")
    return {n: getattr(public, n) for n in names} | function.__globals__


def _kinds(hint: Any) -> list[Any]:
    """The alternatives of an annotation; none where anything is allowed."""
    origin = typing.get_origin(hint)
    if origin is typing.Annotated or hint is Any or isinstance(hint, TypeVar):
        return []
    if origin is types.UnionType or origin is typing.Union:
        parts = [_kinds(part) for part in typing.get_args(hint)]
        return [] if [] in parts else [k for part in parts for k in part]
    return [hint]


def _fits(value: Any, hint: Any) -> bool:
    kind = typing.get_origin(hint) or hint
    if kind is type(None) or kind is None:
        return value is None
    if kind is float:
        return _finite(value)
    if kind is int:
        return isinstance(value, Integral) and value is not True and value is not False
    if kind in (Sequence, Iterable):
        return isinstance(value, kind) and not isinstance(value, bytes) and _texts(value, hint)
    if not isinstance(kind, type):
        return callable(value) if kind is Callable else True
    return isinstance(value, kind)


def _texts(value: Any, hint: Any) -> bool:
    """Whether the parts are texts, where they must be."""
    texts = typing.get_args(hint) == (str,)
    return not texts or (isinstance(value, Sequence) and all(isinstance(x, str) for x in value))  # pyright: ignore


def _finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _word(hint: Any) -> str:
    kind = typing.get_origin(hint) or hint
    if kind in (Sequence, Iterable) and typing.get_args(hint) == (str,):
        return "a list of texts"
    return WORDS.get(kind) or ("None" if kind is type(None) else f"a {getattr(kind, '__name__', kind)}")


def _described(x: Any) -> str:
    """How an error describes an object: a text in quotes, a number, else its type."""
    if x is None or isinstance(x, bool | float):
        return str(x)
    return f'"{x[:60]}"' if isinstance(x, str) else f"a {type(x).__name__}"
