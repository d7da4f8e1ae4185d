"""How far a long command is, on standard error: a bar with the time left on a terminal, else lines."""

import sys
import time
from typing import Any, Self

from hapsis.errors import one_line


class Progress:
    """A context that shows how many parts of a job are done; `quiet` shows nothing.

    On a terminal it is a bar with the name of the latest part and the time left. Elsewhere a line is
    printed when it begins, and after every tenth of the parts. The number of parts may be told later.
    """

    def __init__(self, title: str, parts: int = 0, quiet: bool = False) -> None:
        self.title, self.parts, self.done = title, parts, 0
        self._quiet, self._bar, self._task = quiet, None, None
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        if self._quiet:
            return self
        if sys.stderr.isatty():
            self._bar = _bar()
            self._bar.start()
            self._task = self._bar.add_task(self.title, total=self.parts or None, part="")
        if self.parts:
            self.expect(self.parts)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.stop()

    def expect(self, parts: int) -> None:
        """So many parts will be done."""
        self.parts = parts
        if self._bar is not None:
            self._bar.update(self._task, total=parts)
        elif not self._quiet:
            print(f"{self.title}: {parts} parts", file=sys.stderr, flush=True)

    def begin(self, part: str) -> None:
        """Shows the name of the part that is at work."""
        if self._bar is not None:
            self._bar.update(self._task, part=one_line(part)[:40])

    def advance(self, part: str) -> None:
        """One more part is done: this one."""
        self.done += 1
        if self._bar is not None:
            self._bar.update(self._task, advance=1, part=one_line(part)[:40])
        elif not self._quiet and self.done * 10 // self.parts > (self.done - 1) * 10 // self.parts:
            spent = time.monotonic() - self._start
            left = spent / self.done * (self.parts - self.done)
            line = f"{self.title}: {self.done} of {self.parts}, {spent:.0f} s, about {left:.0f} s left"
            print(line, file=sys.stderr, flush=True)

    def print(self, text: str) -> None:
        """A line of the report, above the bar."""
        if self._bar is not None and sys.stdout.isatty():
            self._bar.console.print(text, markup=False, highlight=False)
        else:
            print(text, flush=True)


def _bar() -> Any:
    """A bar of rich, on standard error; it is gone when the job is done."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[part]}"),
    )
    return Bar(*columns, console=Console(stderr=True), transient=True)
