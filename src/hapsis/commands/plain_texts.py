"""Options that are texts or flags, taken as they are.

Typer checks the type of every option by a package whose import takes a tenth of a second. A text from
the command line is a text, and a flag is given or not, so these do without. Numbers are checked by typer.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer import core

PLAIN = (str, list[str], bool)  # the annotations of options that are texts and flags
CONVERSION = "get_runtime_param"  # how typer's parameters give what converts their values


class PlainText:
    """What typer calls to convert the value of an option that is a text, several, or a flag."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as it was given; nothing and no texts as typer itself has them."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        return list(value) if several else value


@contextmanager
def plain_texts() -> Iterator[None]:
    """A context in which typer takes texts and flags as they are.

    Where typer is of another version and has no such conversion, nothing changes.
    """
    kinds: list[Any] = [core.TyperOption, core.TyperArgument]
    kinds = [kind for kind in kinds if hasattr(kind, CONVERSION) and CONVERSION not in vars(kind)]
    plain = PlainText()
    for kind in kinds:
        usual = getattr(kind, CONVERSION)

        def conversion(parameter: Any, usual: Any = usual) -> Any:
            return plain if parameter.type_descriptor.annotation in PLAIN else usual(parameter)

        setattr(kind, CONVERSION, conversion)
    try:
        yield
    finally:
        for kind in kinds:
            delattr(kind, CONVERSION)
