"""The public names with their arguments, as the page docs/public_names.md; a test compares them.

    python tools/public_names.py            # prints the page
    python tools/public_names.py --write    # writes it

An argument with `=` may be left out. A name or an argument goes only by the rule of CONTRIBUTING.md.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hapsis as hs

PAGE = Path(__file__).resolve().parent.parent / "docs" / "public_names.md"
HEAD = """\
# List of public names

Every name of `import hapsis as hs` with its arguments; those with `=` may be left out, those after `*`
are given by name. Made by `python tools/public_names.py --write` and compared by a test, so no name
and no argument comes or goes unnoticed. What is not listed here is internal and may change at any time.
How a name is withdrawn: *Withdrawing a name* in CONTRIBUTING.md. Descriptions: [Public names](api.md).

"""


def public_names() -> Iterator[tuple[str, Any]]:
    """Every public name, those of packages with a dot, and its value."""
    for name in hs.__all__:
        value = getattr(hs, name)
        if inspect.ismodule(value):
            yield from ((f"{name}.{inner}", getattr(value, inner)) for inner in value.__all__)
        else:
            yield name, value


def arguments(value: Any) -> str:
    """The names of the arguments in parentheses; nothing where a value cannot be called."""
    if not callable(value) or _is_plain_exception(value) or getattr(value, "_is_protocol", False):
        return ""
    words: list[str] = []
    starred = False
    for one in inspect.signature(value).parameters.values():
        if one.name.startswith("_"):
            continue
        if one.kind is one.VAR_POSITIONAL:
            words.append(f"*{one.name}")
        elif one.kind is one.VAR_KEYWORD:
            words.append(f"**{one.name}")
        else:
            if one.kind is one.KEYWORD_ONLY and not starred and not any(w.startswith("*") for w in words):
                words.append("*")
            words.append(one.name if one.default is one.empty else f"{one.name}=")
        starred = starred or one.kind is one.KEYWORD_ONLY
    return f"({', '.join(words)})"


def _is_plain_exception(value: Any) -> bool:
    """Whether it is an exception without a constructor of its own."""
    return isinstance(value, type) and issubclass(value, Warning)


def page() -> str:
    """The whole page, in Markdown."""
    rows = (f"- `hs.{name}{arguments(value)}`\n" for name, value in public_names())
    return HEAD + "".join(rows)


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
