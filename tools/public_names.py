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
from hapsis.mechanics.model.entry import Entry

PAGE = Path(__file__).resolve().parent.parent / "docs" / "public_names.md"
HEAD = """\
# List of public names

Every name of `import hapsis as hs` with its arguments, and the methods of classes; of facts, shapes and laws
only those that make one. Arguments with `=` may be left out, those after `*` are given by name. Made by
`python tools/public_names.py --write` and compared by a test, so that no name and no argument comes or goes
unnoticed. What is not listed here is internal and may change at any time. How a name is withdrawn:
*Withdrawing a name* in CONTRIBUTING.md. Descriptions: [Public names](api.md).

"""


def public_names() -> Iterator[tuple[str, Any]]:
    """Every public name, those of packages with a dot, and its value."""
    for name in hs.__all__:
        yield from named(name, getattr(hs, name))


def named(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A name and its value; of a package that lists its names, each of them."""
    if inspect.ismodule(value) and hasattr(value, "__all__"):
        for inner in value.__all__:
            yield from named(f"{name}.{inner}", getattr(value, inner))
    else:
        yield name, value


def methods(value: Any) -> dict[str, Any]:
    """{name: function} of the methods of a class that users may call, those of its bases among them."""
    if not isinstance(value, type):
        return {}
    found: dict[str, Any] = {}
    for each in reversed(value.__mro__):
        if each.__module__.startswith("hapsis"):
            found |= {n: x for n, x in vars(each).items() if not n.startswith("_")}
    plain = {n: getattr(x, "__func__", x) for n, x in found.items()}
    return {n: x for n, x in sorted(plain.items()) if inspect.isfunction(x)}


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
    return HEAD + "".join(_rows(name, value) for name, value in public_names())


def _rows(name: str, value: Any) -> str:
    """The line of a name, and one with the methods of a class."""
    own = [f"`.{n}{_without_self(x)}`" for n, x in methods(value).items() if _is_called(value, n)]
    return f"- `hs.{name}{arguments(value)}`\n" + (f"  - {', '.join(own)}\n" if own else "")


def _is_called(owner: type, name: str) -> bool:
    """Whether a method is for those who use a class; facts and laws have others, for who writes new kinds."""
    return not issubclass(owner, Entry) or isinstance(vars(owner).get(name), staticmethod | classmethod)


def _without_self(method: Any) -> str:
    """The arguments of a method without the object or the class itself."""
    text = arguments(method)
    for first in ("self", "cls"):
        text = text.replace(f"({first})", "()").replace(f"({first}, ", "(")
    return text


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
