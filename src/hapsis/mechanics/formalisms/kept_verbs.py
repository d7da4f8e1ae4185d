"""Verbs whose Functions are kept on disk, by the structure of their model.

    @kept_verb
    def mass_matrix(model: Model) -> Function: ...

Where an earlier process has compiled the Function, the verb's code does not run. So whatever it refuses
must follow from the structure of the model; what depends on values is checked before, by the caller, or
here: rows of loops that no coordinate changes, which are zero for some values only.
"""

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import Error
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.kept import kept

F = TypeVar("F", bound=Callable[..., Any])


def kept_verb(write: F) -> F:
    """The verb, which writes its Function only where it is not known yet."""

    @functools.wraps(write)
    def verb(model: Any, *more: Any, **options: Any) -> Any:
        if not isinstance(model, Model) or not _plain((more, tuple(options.items()))):
            return write(model, *more, **options)
        key = write.__module__, write.__qualname__, more, sorted(options.items())
        return kept_function(model, key, lambda: write(model, *more, **options))

    return verb  # pyright: ignore[reportReturnType]


def deferred(module: str, name: str) -> Callable[..., Any]:
    """The kept verb of another module, which is imported only where the verb's Function is not known yet."""

    def write(*arguments: Any, **options: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **options)

    write.__module__, write.__qualname__ = module, name
    return kept_verb(write)


def kept_function(model: Model, key: Any, write: Callable[[], Function | None]) -> Any:
    """The Function of a model that `write` writes, kept on disk, after the checks of values."""
    if model.cuts or model.constraints:
        from hapsis.mechanics.formalisms.constraints.constant_rows import check_constant_rows

        check_constant_rows(model)
        key = key, _units_of_rows(model)
    return kept(model, key, write)


def _units_of_rows(model: Model) -> Any:
    """The units of rows between coordinates: they follow from values, and equations contain them."""
    if all(fact.ends for fact in model.constraints.values()):
        return None
    from hapsis.mechanics.formalisms.constraints.row_units import row_units

    try:
        return sorted(row_units(model).items())
    except Error:  # of the rows, which nothing but the verb needs
        return None


def _plain(x: Any) -> bool:
    """Whether an argument is told from all others by its `repr`."""
    if isinstance(x, tuple):
        return all(map(_plain, x))  # pyright: ignore[reportUnknownArgumentType]
    return x is None or isinstance(x, bool | int | float | str)
