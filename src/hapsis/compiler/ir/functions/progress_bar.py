"""A bar for work that takes long, where someone can see it."""

import sys
import threading
import time
from contextlib import ExitStack
from typing import Any

from hapsis.compiler.ir.functions.activity import preparation_seconds, told

PATIENCE = 1.0  # s before a bar appears
RUNNING = "simulating"


class _Thread(threading.local):
    """Whether a bar is shown in a thread: another one within it is not."""

    def __init__(self) -> None:
        self.busy = False


_thread = _Thread()


class Bar:
    """What is being done, and how far it is; shown after a second, on a terminal only, unless asked for.

    It begins with the preparation: writing equations and compiling, with the time left where the parts
    are counted (`activity.advanced`). `expect` says from when to when time will run, or how many of another
    unit there are, `reached` how far it is; then the time left is shown too.

    running    what is done after the preparation
    bound      whether there may be less to do than expected: the time left is at most that
    """

    def __init__(self, shown: bool | None, running: str = RUNNING, bound: bool = False) -> None:
        self.shown = _is_terminal() and not _thread.busy if shown is None else shown
        self._name, self._most = running, "at most" if bound else "about"
        self._parts, self._counted = (0, 0), 0.0
        self.began = time.perf_counter()
        self._forced = True if shown else None
        self._start = self._span = self._reached = self._running = 0.0
        self._text, self._unit = "preparing", "s"
        self._lock = threading.Lock()  # a bar appears in another thread
        self._progress: Any = None
        self._task: Any = None
        self._context = ExitStack()

    def __enter__(self) -> "Bar":
        self._context.enter_context(told(self._say, self._count))
        if self.shown:
            _thread.busy = True
            self._context.callback(setattr, _thread, "busy", False)
            timer = threading.Timer(PATIENCE, self._appear)
            timer.daemon = True
            timer.start()
            self._context.callback(timer.cancel)
        return self

    def __exit__(self, *exception: Any) -> None:
        self._context.close()
        with self._lock:
            self.shown = False
            if self._progress is not None:
                self._progress.stop()

    def expect(self, start: float, end: float, unit: str = "s") -> None:
        """Time will run from the start to the end, s, or so many of another unit; running begins now."""
        self._start, self._span, self._unit = start, end - start, unit
        self._running = time.perf_counter() - preparation_seconds()

    def reached(self, t: float) -> None:
        """Moves the bar to the time t."""
        self._reached, self._text = t - self._start, self._name
        self._update()

    def _say(self, text: str) -> None:
        self._text = text or (self._name if self._reached else "preparing")
        self._parts = 0, 0
        self._update()

    def _count(self, done: int, parts: int) -> None:
        """So many parts of the activity are done; those before the first count are of unknown length."""
        if not self._parts[1]:
            self._counted = time.perf_counter()
        self._parts = done, parts
        self._update()

    def _update(self) -> None:
        if self._progress is None:
            return
        done, total = (self._reached, self._span) if self._reached else (0.0, None)
        if self._parts[1]:
            done, total = self._parts
        self._progress.update(
            self._task, description=self._text[:40], completed=done, total=total, far=self._far()
        )

    def _far(self) -> str:
        """How far the run is, and how long it will take if it goes on like this."""
        done, parts = self._parts
        if parts:
            left = (time.perf_counter() - self._counted) * (parts - done) / max(done - 1, 1)
            return f"{done} of {parts} parts" + (f", about {left:.0f} s left" if done > 1 else "")
        if not self._reached:
            return ""
        spent = time.perf_counter() - preparation_seconds() - self._running
        left = spent * (self._span - self._reached) / self._reached
        digits = ".4g" if self._unit == "s" else ".0f"
        return (
            f"{self._reached:{digits}} of {self._span:{digits}} {self._unit}, {self._most} {left:.0f} s left"
        )

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
        console = Console(stderr=True, force_terminal=self._forced)
        progress = Progress(*columns, TextColumn("{task.fields[far]}"), console=console, transient=True)
        with self._lock:
            if not self.shown:  # the run has ended meanwhile
                return
            self._task = progress.add_task(self._text[:40], total=None, far="")
            progress.start()
            self._progress = progress
        self._update()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()  # pyright: ignore[reportUnnecessaryComparison]
