"""Calls of functions that a user gives: laws, motions, events, losses.

    value = call_user(event.when, 'event "top": when', view)

An error inside such a function is the user's own and keeps its class and its words; a note says which
function it was. A function that cannot take the arguments is an `Error`, before the call.
"""

import inspect
from collections.abc import Callable
from typing import Any

from hapsis.errors import ModelError, one_line


def call_user(function: Callable[..., Any], label: str, *arguments: Any) -> Any:
    """The result of a user's function for these arguments; the label says what the function is."""
    try:
        return function(*arguments)
    except Exception as error:
        if isinstance(error, TypeError) and not takes(function, len(arguments)):
            number = "one argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
            raise ModelError(f"{label} is a function that does not take {number}") from None
        error.add_note(one_line(f"in {label}"))
        raise


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments; True where that cannot be known."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a function of C without a signature
        return True
    return True
