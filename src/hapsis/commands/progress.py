"""How far a long command is, on standard error: a bar with the time left on a terminal, else lines."""

import sys
import time
from typing import Any, Self

from hapsis.errors import one_line


class Progress:
    """A context that shows how many parts of a job are done; `quiet` shows nothing.

    On a terminal it is a bar with what is being done and the time left. Elsewhere a line is printed when
    it begins, and after every tenth of the parts.

    parts    how many there are, where that is known already; see `expect`
    work     of all of them, in any unit; the number of parts where it is the same for each
    """

    def __init__(self, title: str, parts: int = 0, quiet: bool = False, work: float = 0.0) -> None:
        self.title, self.parts, self.done = title, parts, 0
        self._work, self._worked = work or float(parts), 0.0
        self._quiet, self._bar, self._task = quiet, None, None
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        if self._quiet:
            return self
        if sys.stderr.isatty():
            self._bar = _bar()
            self._task = self._bar.add_task(self.title, total=None, part="beginning", count="")
            self._bar.start()
        if self.parts:
            self.expect(self.parts)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.stop()

    def expect(self, parts: int) -> None:
        """So many parts will be done; the time until now was of none of them."""
        self._work = self._work if parts == self.parts else float(parts)
        self.parts, self._start = parts, time.monotonic()
        if self._bar is not None:
            self._bar.update(self._task, total=self._work, count=f"0 of {parts}")
        elif not self._quiet:
            print(f"{self.title}: {parts} parts", file=sys.stderr, flush=True)

    def begin(self, part: str) -> None:
        """Shows what is being done."""
        if self._bar is not None:
            self._bar.update(self._task, part=one_line(part)[:40])

    def advance(self, work: float = 1.0) -> None:
        """One more part is done."""
        self.done, self._worked = self.done + 1, self._worked + work
        if self._bar is not None:
            self._bar.update(self._task, advance=work, count=f"{self.done} of {self.parts}")
        elif not self._quiet and self.done * 10 // self.parts > (self.done - 1) * 10 // self.parts:
            spent = time.monotonic() - self._start
            left = spent * (self._work / self._worked - 1.0)
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
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[part]}"),
    )
    return Bar(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=600.0)
