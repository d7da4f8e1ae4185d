"""Contacts: where two ends may touch, and by which law."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from hapsis.mechanics.model.numbers import described
from hapsis.mechanics.model.pairs import Pair


@dataclass(frozen=True)
class Contact(Pair):
    """Two ends that may touch; `law` says the force from the gap and its rate."""

    law: Callable[..., Any] | None = None

    family: ClassVar[str] = "contacts"
    noun: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.law is not None and not callable(self.law):
            raise self.wrong(f"law must be a function, not {described(self.law)}")
