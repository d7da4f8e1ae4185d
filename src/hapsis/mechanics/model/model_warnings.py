"""Warnings of a model, told to the user once: by the first verb that computes with the model."""

from collections.abc import Callable

from hapsis.errors import notice
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model


def tell_warnings(model: Model, tell: Callable[[str], None] = notice) -> None:
    """Gives each warning of the model to `tell`, unless that was done before for this model."""

    def tell_all() -> bool:
        for text in model.warnings:
            tell(text)
        return True

    if model.warnings:
        derived(model, tell_warnings, tell_all)


def own_warnings(model: Model, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the warnings of a run that are not warnings of its model."""
    return tuple(text for text in texts if text not in model.warnings)
