"""Who is told how far a benchmark is: which part is at work, and each row as it is measured."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

Row = dict[str, Any]
C = TypeVar("C")


class Watch(Protocol):
    """What a benchmark tells while it runs."""

    def expect(self, parts: int) -> None:
        """So many parts will be measured."""
        ...

    def begin(self, part: str) -> None:
        """This part is measured now."""
        ...

    def done(self, text: str) -> None:
        """The part is measured; its figures in a line or a few."""
        ...


class Silent:
    """Tells nobody."""

    def expect(self, parts: int) -> None:
        """Nothing."""

    def begin(self, part: str) -> None:
        """Nothing."""

    def done(self, text: str) -> None:
        """Nothing."""


SILENT = Silent()


def each(
    watch: Watch,
    cases: Iterable[C],
    name: Callable[[C], str],
    measure: Callable[[C], Row],
    line: Callable[[Row], str],
) -> list[Row]:
    """The rows of all cases, each told as soon as it is there."""
    listed, rows = list(cases), list[Row]()
    watch.expect(len(listed))
    for case in listed:
        watch.begin(name(case))
        rows.append(measure(case))
        watch.done(line(rows[-1]))
    return rows


def microseconds(seconds: float | None) -> str:
    """A time in a line, three digits; a dot where there is none."""
    return "·" if seconds is None else f"{1e6 * seconds:.3g} µs"
