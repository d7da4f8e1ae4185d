"""What an annotation of a signature allows, and in which words: numbers, texts, lists, our own classes."""

import math
import os
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Annotated, Any, Literal, TypeVar

import numpy as np

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


def plausible(value: Any) -> bool:
    """Whether some argument can be such a value: not an iterator, bytes, an infinity, a ragged list, ..."""
    if isinstance(value, bool | os.PathLike) or value is None:
        return True
    if isinstance(value, str):
        return "\0" not in value
    if isinstance(value, Mapping):
        return all(isinstance(name, str) for name in value)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, Real):
        return _finite(value)
    if isinstance(value, np.ndarray):
        return value.ndim > 0 and value.dtype.kind in "iufO"  # pyright: ignore
    if isinstance(value, list | tuple):
        return all(map(plausible, value)) and not is_ragged(value)  # pyright: ignore
    ours = type(value).__module__.startswith("hapsis")
    return ours or (callable(value) and not isinstance(value, type))


def is_ragged(rows: Any) -> bool:
    """Whether a list has rows of different lengths, or rows beside single values."""
    lengths = {len(row) if isinstance(row, list | tuple | np.ndarray) else -1 for row in rows}  # pyright: ignore
    return len(lengths) > 1


def alternatives(hint: Any) -> list[Any]:
    """The alternatives of an annotation; none where anything is allowed."""
    origin = typing.get_origin(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return []
    if origin is Annotated:
        return alternatives(typing.get_args(hint)[0])
    if origin is types.UnionType or origin is typing.Union:
        parts = [alternatives(part) for part in typing.get_args(hint)]
        return [] if [] in parts else [k for part in parts for k in part]
    return [hint]


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what one alternative of an annotation allows."""
    kind, parts = typing.get_origin(hint) or hint, typing.get_args(hint)
    if kind is type(None) or kind is None:
        return value is None
    if kind is Literal:
        return isinstance(value, str) and value in parts
    if kind is float:
        return _finite(value)
    if kind is int:
        return isinstance(value, Integral) and value is not True and value is not False
    if kind in (Sequence, Iterable):
        return isinstance(value, kind) and not isinstance(value, bytes) and _texts(value, hint)
    if kind is Mapping and len(parts) == 2:
        return isinstance(value, Mapping) and all(  # pyright: ignore[reportUnknownVariableType]
            fits_any(name, parts[0]) and fits_any(part, parts[1])  # pyright: ignore
            for name, part in value.items()  # pyright: ignore[reportUnknownVariableType]
        )
    if kind is tuple and parts and parts[-1] is not Ellipsis:
        many: list[Any] = list(value) if isinstance(value, tuple | list) else []  # pyright: ignore
        return len(many) == len(parts) and all(map(fits_any, many, parts))
    if not isinstance(kind, type):
        return callable(value) if kind is Callable else True
    if kind is bool and isinstance(value, np.bool_ | int):
        return bool(value == 0 or value == 1)
    return isinstance(value, kind)


def is_plain(hint: Any) -> bool:
    """Whether an annotation allows texts, flags, functions, None and objects of our own only."""
    kinds = [typing.get_origin(kind) or kind for kind in alternatives(hint)]
    known = (str, bool, type(None), Callable)
    return bool(kinds) and all(
        kind in known or getattr(kind, "__module__", "").startswith("hapsis.") for kind in kinds
    )


def fits_any(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation allows."""
    kinds = alternatives(hint)
    return not kinds or any(fits(value, kind) for kind in kinds)


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


def word(hint: Any) -> str:
    """The words of an error for what one alternative of an annotation allows."""
    kind, parts = typing.get_origin(hint) or hint, typing.get_args(hint)
    if kind in (Sequence, Iterable) and parts == (str,):
        return "a list of texts"
    if kind is Literal:
        return " or ".join(f'"{part}"' for part in parts)
    if kind is tuple and parts and parts[-1] is not Ellipsis:
        return f"({', '.join(words(part) for part in parts)})"
    if kind is Mapping and len(parts) == 2 and alternatives(parts[1]):
        return f"{{name: {words(parts[1])}}}"
    return WORDS.get(kind) or ("None" if kind is type(None) else f"a {getattr(kind, '__name__', kind)}")


def words(hint: Any) -> str:
    """The words of an error for what an annotation allows."""
    return " or ".join(dict.fromkeys(word(kind) for kind in alternatives(hint))) or "anything"


def described(x: Any) -> str:
    """How an error describes an object: a text in quotes, a number, else its type."""
    if x is None or isinstance(x, Real):
        return str(x)[:60]
    kind = type(x).__name__
    return f'"{x[:60]}"' if isinstance(x, str) else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
