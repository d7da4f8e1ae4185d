"""Calls of functions that a user gives: laws, motions, events, losses.

    value = call_user(event.when, 'event "top": when', view)

An error inside such a function is the user's own and keeps its class and its words; a note says which
function it was. A function that cannot take the arguments is an `Error`, before the call. One that treats an
expression as a number, by math.sin or if, is an error with the line and what to write instead.
"""

import inspect
import linecache
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hapsis.errors import CompileError, ModelError, one_line

OURS = Path(__file__).parents[3]  # the folder of the package
NUMBERS = {"fabs": "abs", "fmax": "maximum", "fmin": "minimum", "pow": "power"}  # names that differ
CHOICES = {"max": "hs.maximum", "min": "hs.minimum", "and": "&", "or": "|", "not": "~"}


def call_user(function: Callable[..., Any], label: str, *arguments: Any) -> Any:
    """The result of a user's function for these arguments; the label says what the function is."""
    try:
        return function(*arguments)
    except Exception as error:
        if isinstance(error, TypeError) and not takes(function, len(arguments)):
            number = "one argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
            raise ModelError(f"{label} is a function that does not take {number}") from None
        if isinstance(error, CompileError) and error.where is None and (place := _user_line(error)):
            file, line = place
            what = f"{label}: {_instead(error, linecache.getline(file, line)) or error.what}"
            raise CompileError(what, where=f"{file}:{line}") from None
        error.add_note(one_line(f"in {label}"))
        raise


def _user_line(error: Exception) -> tuple[str, int] | None:
    """The file and the line in which the innermost function that is not ours fails."""
    frames = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
    users = [frame for frame in frames if not Path(frame[0]).is_relative_to(OURS)]
    return users[-1] if users else None


def _instead(error: CompileError, line: str) -> str:
    """What to write instead of what the line says; empty where that is not clear."""
    from hapsis.compiler.ir.graph import elementary_functions

    if "truth value" in error.what:
        used = re.search(r"\b(max|min)\(|\b(and|or|not)\b", line)
        word = (used[1] or used[2]) if used and not re.search(r"\b(if|while)\b", line) else "if"
        return f"use {CHOICES.get(word, 'hs.where')}, not {word}: the function is called with expressions"
    used = re.search(r"\b(math|np|numpy)\.(\w+)\(|\b(float|int)\(", line)
    if used is None:
        return ""
    if used[3]:
        return f"leave out {used[3]}(): the function is called with expressions, not with numbers"
    name = NUMBERS.get(used[2], used[2])
    if not hasattr(elementary_functions, name):
        return ""
    return f"use hs.{name}, not {used[1]}.{used[2]}: the function is called with expressions"


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments; True where that cannot be known."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a function of C without a signature
        return True
    return True
