"""One family of exceptions, one kind of warning, and the hint for a misspelt name.

An error has four parts and prints as one line:

    where: what; expected this; remedy
    arm.yaml:14:9: there is no body "uper" (did you mean "upper"?)

Left out on purpose: error codes, translations, wrapping. The line is the interface.
"""

import difflib
import os
import re
import sys
import warnings
from collections.abc import Collection, Iterable
from typing import Any

MOST_NAMES = 8  # that an error lists
LONGEST_NAME = 200  # characters; a longer name is not a typing error, and comparing it is slow


class Error(Exception):
    """An error that the user can correct, described in one line.

        what      the fact that is wrong
        where     file:line:column, or the name of the object at fault
        expected  what would have been right
        remedy    what to do now

    The parts stay readable as attributes; `str(error)` is the whole line.
    """

    def __init__(
        self, what: str, *, where: str | None = None, expected: str | None = None, remedy: str | None = None
    ):
        self.what, self.where, self.expected, self.remedy = what, where, expected, remedy
        line = f"{where}: {what}" if where else what
        if expected:
            line += f"; expected {expected}"
        if remedy:
            line += f"; {remedy}"
        super().__init__(one_line(line))

    def __reduce__(self) -> Any:
        """How it is copied and pickled: its line and its parts, without a call of its class."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[Error], args: tuple[Any, ...], parts: dict[str, Any]) -> Error:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(parts)
    return error


class ModelError(Error):
    """The description of a mechanism is wrong: a name, a number, a connection, a file."""


class CompileError(Error):
    """A formula cannot be built or turned into code: shapes, inputs, an unknown target."""


class SolveError(Error):
    """A computation did not reach what was asked: no convergence, no assembly, a singularity."""


class DeviceError(Error):
    """A device, a clock or a connection failed, or was refused for safety."""


def install_command(*packages: str) -> str:
    """What to type to install packages here: `./run add` in an environment that `./run` made, else pip."""
    made_by_run = os.path.isfile(os.path.join(sys.prefix, "made-for"))
    return f"{'./run add' if made_by_run else 'pip install'} {' '.join(packages)}"


class Notice(UserWarning):
    """Something that is not wrong but that the user should know."""


def notice(text: str) -> None:
    """Warn with a `Notice` of one line, at the user's own line that led here."""
    level, frame = 2, sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and _ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(Notice(one_line(text)), stacklevel=level)


def _ours(module: str) -> bool:
    return module.partition(".")[0] in ("hapsis", "functools", "contextlib")


def near(name: str, names: Iterable[str]) -> str:
    """The end of an error message, ` (did you mean "x"?)`, or nothing when no name is close."""
    if len(name) > LONGEST_NAME:
        return ""
    known = [n for n in names if len(n) <= LONGEST_NAME]
    folded = {n.casefold(): n for n in reversed(known)}
    close = difflib.get_close_matches(name.casefold(), folded, n=1)
    return f' (did you mean "{folded[close[0]]}"?)' if close else ""


def near_or_all(name: str, names: Collection[str], what: str) -> str:
    """The end of an error message: the near name, else all names, or the first of many.

    what   what the names are, in the plural: "joints"
    """
    hint = near(name, names)
    if hint:
        return hint
    if not names:
        return f" (there are no {what})"
    first = ", ".join(str(n)[:60] for n in list(names)[:MOST_NAMES])
    return f" ({what}: {first}{', ...' if len(names) > MOST_NAMES else ''})"


def check_known(
    name: Any, known: Collection[str], text: str, error: type[Error] = ModelError, **parts: str
) -> None:
    """Raises the error unless the name is known; {} in the text stands for the name in quotes."""
    if not isinstance(name, str) or name not in known:
        raise error(text.format(f'"{str(name)[:60]}"') + near(str(name), known), **parts)


def one_line(text: str) -> str:
    r"""The text with line breaks as spaces and every other unprintable character as an escape.

    A name from a file may hold control characters; shown raw they could rewrite the terminal.
    """
    text = re.sub(r"\s*[\r\n]\s*", " ", text.strip())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
