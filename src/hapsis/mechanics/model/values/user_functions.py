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
# of Python and of packages that call what the user gives them
LIBRARY = re.compile(r"[/\\](?:numpy|scipy|python3\.\d+)[/\\](?!site-packages|dist-packages)")
TABLE = "interpolated"
NUMBERS = {"fabs": "abs", "fmax": "maximum", "fmin": "minimum", "pow": "power", "interp": TABLE}
NUMBERS |= {f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "tan2")}  # names that differ
CALL = r"(?:\b(math|np|numpy)\.|(?<![\w.]))(?(1)(\w+)|(max|min|float|int))\("
CHOICES = {"max": "hs.maximum", "min": "hs.minimum", "and": "&", "or": "|", "not": "~", "while": "hs.repeat"}
WHY = ": the function is called with expressions"


def call_user(function: Callable[..., Any], label: str, *arguments: Any) -> Any:
    """The result of a user's function for these arguments; the label says what the function is."""
    try:
        return function(*arguments)
    except Exception as error:
        if isinstance(error, TypeError) and not takes(function, len(arguments)):
            number = "one argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
            raise ModelError(f"{label} is a function that does not take {number}") from None
        if isinstance(error, CompileError) and error.where is None and (place := _user_line(error)):
            what = f"{label}: {_instead(error, place) or error.what}"
            raise CompileError(what, where=f"{place.filename}:{place.lineno}") from None
        error.add_note(one_line(f"in {label}"))
        raise


def _user_line(error: Exception) -> traceback.FrameSummary | None:
    """The innermost frame of the user: not of this package, of NumPy or of Python's own library."""
    frames = traceback.extract_tb(error.__traceback__)
    users = [frame for frame in frames if not Path(frame.filename).is_relative_to(OURS)]
    return next((frame for frame in reversed(users) if not LIBRARY.search(frame.filename)), None)


def _instead(error: CompileError, frame: traceback.FrameSummary) -> str:
    """What to write instead of what failed in the line of a frame; empty where that is not clear."""
    line = linecache.getline(frame.filename, frame.lineno or 0)
    one_line_only = frame.end_lineno in (None, frame.lineno)
    # columns are counted in bytes
    failed = line.encode()[frame.colno : frame.end_colno].decode() if one_line_only else ""
    instead = _of_call(re.match(CALL, failed) or re.search(CALL, line.partition("#")[0]))
    if "truth value" not in error.what:
        return instead
    words = re.findall(r"\b(if|while|and|or|not|in)\b", line.partition("#")[0])
    if instead and (re.match(CALL, failed) or not {"if", "while"} & {*words}):
        return instead
    word = next((w for w in ("while", "if", *words) if w in words), "if")
    return f"use {CHOICES.get(word, 'hs.where')}, not {word}{WHY}"


def _of_call(call: re.Match[str] | None) -> str:
    """What to write instead of a call; empty where that is not known."""
    from hapsis.compiler.ir.graph import elementary_functions

    if call is None:
        return ""
    module, name = call[1], call[2] or call[3]
    if not module:
        if name in ("float", "int"):
            return f"leave out {name}(){WHY}, not with numbers"
        return f"use {CHOICES[name]}, not {name}{WHY}"
    ours = NUMBERS.get(name, name)
    return (
        f"use hs.{ours}, not {module}.{name}{WHY}"
        if hasattr(elementary_functions, ours) or ours == TABLE
        else ""
    )


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments; True where that cannot be known."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a function of C without a signature
        return True
    return True
