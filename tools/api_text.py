"""Docstrings and signatures as the API pages show them: for a reader who calls what they describe."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import sphinx.util.inspect

INTERNAL = ("where", "self", "scene, memory")  # arguments and fields that no user gives
# classes whose objects are returned: nobody writes their arguments
RETURNED = set(
    "BaseParameters Equilibrium Expr Gradient Identified Linearization Modes Partitioned Result Results "
    "Sensitivities Sweep UniqueReactions Report Agreement Comparison Recording Replayed Stream Device".split()
)
ORIGIN = "Frame(at=(0.0, 0.0, 0.0), rpy=(0.0, 0.0, 0.0))"
ROW = re.compile(r"(\S(?:.*?\S)?) {2,}(\S.*)")  # a name, two spaces or more, what it means


def signature(app: Any, what: str, name: str, obj: Any, options: Any, shown: str, returns: str) -> Any:
    """The signature without internal arguments and without types that say nothing."""
    if inspect.isclass(obj) and name.rpartition(".")[2] in RETURNED:
        return "", None
    try:
        whole = inspect.signature(obj)
    except (TypeError, ValueError):
        return None
    kept = [
        one.replace(annotation=one.empty) if "Any" in str(one.annotation) else one
        for one in whole.parameters.values()
        if one.name not in internal(obj) and not one.name.startswith("_")
    ]
    text = sphinx.util.inspect.stringify_signature(
        whole.replace(parameters=kept, return_annotation=whole.empty), unqualified_typehints=True
    )
    return text.replace(ORIGIN, "(0, 0, 0)"), returns if returns and "Any" not in returns else None


def docstring(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Rewrites the lines of a docstring for Sphinx: `x` is code, rows of `name  meaning` are a list."""
    left_out = internal(obj)
    lines[:] = [line for paragraph in _paragraphs(lines) for line in [*_shown(paragraph, left_out), ""]]


def internal(obj: Any) -> tuple[str, ...]:
    """The names that are left out; of an error the place where it happened is shown."""
    return ("self",) if inspect.isclass(obj) and issubclass(obj, Exception) else INTERNAL


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """The lines between blank ones."""
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []


def _shown(paragraph: list[str], left_out: tuple[str, ...]) -> list[str]:
    """A paragraph as a list of names, as a block that is kept, or as text."""
    indent = min(len(line) - len(line.lstrip()) for line in paragraph)
    inner = [line[indent:] for line in paragraph]
    if rows := _rows(inner):
        return [
            line
            for name, meaning in rows
            if name not in left_out
            for line in (f"``{name}``", f"    {_escaped(meaning)}")
        ]
    if indent or inner[0].startswith(">>>") or any(line.startswith(" ") for line in inner):
        return [".. code-block:: none", "", *(f"    {line}" for line in inner)]
    return [_escaped(line) for line in inner]


def _rows(lines: list[str]) -> list[tuple[str, str]]:
    """The names and meanings of a paragraph that is a list of them; empty if it is not."""
    rows: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith(" ") and rows:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}")
        elif match := ROW.fullmatch(line):
            rows.append((match[1].replace("`", ""), match[2]))
        else:
            return []
    return rows


def _escaped(line: str) -> str:
    """One line of prose: the odd pieces between backticks are code, the rest is literal text."""
    pieces = line.replace("``", "`").split("`")
    if len(pieces) % 2 == 0:
        pieces = ["".join(pieces)]
    for k, piece in enumerate(pieces):
        if k % 2:
            pieces[k] = f"\\ ``{piece.strip()}``\\ " if piece.strip() else ""
        else:
            pieces[k] = "".join(f"\\{c}" if c in "\\*_|<>:`[]" else c for c in piece)
    text = "".join(pieces)
    # a leading mark would start a list, a title, a comment or a directive
    return f"\\{text}" if text and text[0] in "-+=~#.^\"'" else text
