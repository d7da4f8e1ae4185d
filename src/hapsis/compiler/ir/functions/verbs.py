"""Verbs: public functions whose wrong arguments are named when a call fails.

    @verb
    def mass_matrix(model: Model) -> Function: ...

Numbers that have `Limits` in the signature are checked before the call; all else costs nothing. Where
a call fails with an error of Python (an attribute, an index, a type), the arguments are compared with
the annotations, and the first one that does not fit, or that does not exist, is named in an `Error` of
one line. An error that no argument explains goes on as it is: it is ours.
"""

import functools
import inspect
import sys
import typing
from collections.abc import Callable
from typing import Any, TypeVar

from hapsis.compiler.ir.functions.argument_kinds import (
    alternatives,
    described,
    fits,
    fits_any,
    is_plain,
    plausible,
    words,
)
from hapsis.compiler.ir.functions.limits import limited_arguments
from hapsis.errors import CompileError, Error, ModelError, near

NUMBERS = (ValueError, ArithmeticError, MemoryError, OSError)
PYTHON = (AttributeError, TypeError, LookupError, RecursionError, AssertionError, *NUMBERS)
F = TypeVar("F", bound=Callable[..., Any])


def verb(function: F) -> F:
    """The function, or the class, which names the first argument that it does not allow when it fails."""
    if isinstance(function, type):
        function.__init__ = _checked(verb(function.__init__))  # pyright: ignore
        return function  # pyright: ignore[reportReturnType]
    limited = limited_arguments(function)

    @functools.wraps(function)
    def called(*positional: Any, **named: Any) -> Any:
        for argument in limited:
            if not argument.allows(positional, named):
                value = argument.value(positional, named)
                raise _wrong(function, argument.name, str(argument.limits), value)
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


def _checked(make: Any) -> Any:
    """A constructor that also names a text, a flag or an object of another kind which it has taken.

    It would fail later, or mean something else. Numbers, lists and tables are checked by the constructor.
    """
    parameters = list(inspect.signature(make).parameters.values())[1:]
    names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    annotated = {n: h for n, h in make.__annotations__.items() if not isinstance(h, str)}
    kinds = {n: alternatives(h) for n, h in annotated.items() if is_plain(h)}

    @functools.wraps(make)
    def made(self: Any, *positional: Any, **named: Any) -> None:
        make(self, *positional, **named)
        for name, value in (*zip(names, positional, strict=False), *named.items()):
            if name in kinds and not any(fits(value, kind) for kind in kinds[name]):
                raise _wrong(make, name, words(annotated[name]), value)

    return made


def _problem(function: Any, positional: Any, named: Any) -> Error | None:
    """The error about the first argument that does not fit or does not exist; None if all of them do."""
    parameters = inspect.signature(function).parameters
    try:
        given = inspect.signature(function).bind(*positional, **named).arguments
    except TypeError:
        return _unknown(function, [n for n in parameters if n != "self"], named)
    try:
        hints = typing.get_type_hints(function, _namespace(function))
    except NameError:
        hints = {}
    given.pop("self", None)
    for name, value in given.items():
        kind = parameters[name].kind
        values = value if kind is inspect.Parameter.VAR_POSITIONAL else (value,)
        for each in values if kind is not inspect.Parameter.VAR_KEYWORD else ():
            if not fits_any(each, hints.get(name, Any)):
                return _wrong(function, name, words(hints[name]), each)
    for name, value in given.items():
        if not plausible(value):
            return _error(function)(f"{_label(function)}: {name} cannot be {described(value)}")
    return None


def _unknown(function: Any, known: list[str], named: Any) -> Error | None:
    """The error about an argument that does not exist.

    None where there is none: too many and missing arguments are named by Python's own words.
    """
    for name in named:
        if name not in known:
            from hapsis.synonyms import ARGUMENTS, synonym

            hint = synonym(name, known, ARGUMENTS) or near(name, known)
            what = f'{_label(function)}: there is no argument "{name[:60]}"{hint}'
            return _error(function)(what, expected=None if hint else ", ".join(known) or "none")
    return None


def _wrong(function: Any, name: str, allowed: str, value: Any) -> Error:
    return _error(function)(f"{_label(function)}: {name} must be {allowed}, not {described(value)}")


def _error(function: Any) -> type[Error]:
    return CompileError if function.__module__.startswith("hapsis.compiler") else ModelError


def _label(function: Any) -> str:
    return function.__name__ if function.__name__ != "__init__" else function.__qualname__.split(".")[-2]


def _namespace(function: Any) -> dict[str, Any]:
    """Names for annotations: also those that a module imports for type checkers only."""
    public = sys.modules["hapsis"]
    names = ("Model", "State", "Function", "Result", "Expr")
    return {n: getattr(public, n) for n in names} | function.__globals__
