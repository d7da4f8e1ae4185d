"""All problems of a file in one error: what is read goes on after a mistake, up to a limit."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from hapsis.errors import ModelError

T = TypeVar("T")
MOST = 100  # problems of one file; then reading ends


class Unreadable(ModelError):
    """Several mistakes of a file: the message shows the first, `problems` has a line for each."""

    def __init__(self, errors: list[ModelError], others: Iterable[str] = ()) -> None:
        lines = [*(line for error in errors for line in problems_of(error)), *others]
        first: Any = errors[0]
        self.first: ModelError = getattr(first, "first", first)
        what = f"{self.first.what} (and {len(lines) - 1} more)"
        super().__init__(what, where=self.first.where, expected=self.first.expected, remedy=self.first.remedy)
        self.problems = tuple(lines)


def problems_of(error: ModelError) -> tuple[str, ...]:
    """A line for each mistake that the error reports."""
    return getattr(error, "problems", None) or (str(error),)


def all_of(reads: Iterable[Callable[[], T]]) -> list[T]:
    """What each of the functions gives; if some raise errors, one error with all their problems."""
    values: list[T] = []
    errors: list[ModelError] = []
    for read in reads:
        try:
            values.append(read())
        except ModelError as error:
            errors.append(error)
            if len(errors) >= MOST:
                break
    if errors:
        raise errors[0] if len(errors) == 1 else Unreadable(errors)
    return values
