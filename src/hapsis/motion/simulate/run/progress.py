"""A bar for runs that take long, where someone can see it."""

import sys
import time
from typing import Any

PATIENCE = 1.0  # s before a bar appears


class Bar:
    """How far a run is; shown after a second, on a terminal only, unless asked for."""

    def __init__(self, start: float, end: float, shown: bool | None) -> None:
        self.start, self.end = start, end
        self.shown = sys.stderr.isatty() if shown is None else shown
        self.forced = True if shown else None
        self.began = time.perf_counter()
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *exception: Any) -> None:
        if self._progress is not None:
            self._progress.stop()

    def reached(self, t: float) -> None:
        """Moves the bar to the time t."""
        if not self.shown or time.perf_counter() - self.began < PATIENCE:
            return
        self._progress = self._progress or self._shown()
        self._progress.update(self._task, completed=t - self.start)

    def _shown(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        words = TextColumn("{task.completed:.4g} of {task.total:.4g} s")
        progress = Progress(
            TextColumn("simulating"),
            BarColumn(),
            words,
            TimeRemainingColumn(),
            console=Console(stderr=True, force_terminal=self.forced),
            transient=True,
        )
        progress.start()
        self._task = progress.add_task("", total=self.end - self.start)
        return progress
