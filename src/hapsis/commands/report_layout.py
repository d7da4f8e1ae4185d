"""The layout of reports: tables, wrapped lists, counts, and the characters that can be printed."""

import sys
import textwrap
from collections.abc import Sequence
from typing import Any

from hapsis.errors import one_line
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings

WIDTH = 100  # columns of a report


def print_lines(kind: str, lines: Sequence[str]) -> None:
    """Lines that begin with their kind: `warning: ...`."""
    for line in lines:
        print(f"{kind}: {one_line(line)}")


def print_warnings(model: Model) -> None:
    """The warnings of a model, which the verbs then do not tell again."""
    tell_warnings(model, lambda text: print_lines("warning", [text]))


def print_table(title: str, rows: dict[str, str]) -> None:
    """A title and a row for each name that has something to say."""
    rows = {one_line(name): one_line(text) for name, text in rows.items() if text}
    if rows:
        width = min(max(map(len, rows)), 30)
        print(f"\n{title}")
        for name, text in rows.items():
            print(wrapped(f"  {name:<{width}}", text, width + 5))


def print_columns(rows: list[list[str]]) -> None:
    """A table below a row of titles; columns and tables without anything in them are left out."""
    filled = [k for k in range(len(rows[0])) if any(row[k] for row in rows[1:])]
    widths = [max(len(row[k]) for row in rows) for k in filled]
    if filled:
        print()
    for row in rows if filled else []:
        cells = [f"{row[k]:<{width}}" for k, width in zip(filled, widths, strict=True)]
        print("   ".join(cells).rstrip())


def wrapped(title: str, text: str, margin: int = 14) -> str:
    """A title and its text, broken where it is too long."""
    start, words = f"{title:<{margin - 1}} ", one_line(text).replace(" = ", "\0=\0")
    lines = textwrap.fill(
        words,
        WIDTH,
        initial_indent=start,
        subsequent_indent=" " * margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace("\0", " ")


def listed(title: str, names: Sequence[Any]) -> str:
    """A title and names, with commas between them; nothing where there are none."""
    return wrapped(title, ", ".join(map(str, names)), max(len(title) + 3, 6)) if names else ""


def count(things: Any, one: str, many: str = "") -> str:
    """How many there are, in words: `1 body`, `2 bodies`."""
    return f"{len(things)} {one if len(things) == 1 else many or one + 's'}"


def can_print(text: str) -> bool:
    """Whether standard output can print these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
