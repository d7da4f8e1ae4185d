"""The error about what a law reads; it names the law itself."""

from hapsis.errors import ModelError
from hapsis.mechanics.model.fact import Fact


class ReadingError(ModelError):
    """A signal that a law cannot read, or laws that read each other."""

    @staticmethod
    def of(fact: Fact, what: str, remedy: str | None = None) -> "ReadingError":
        """The error of the law of this fact."""
        return ReadingError(f"{fact.label}: {what}", where=fact.where, remedy=remedy)
