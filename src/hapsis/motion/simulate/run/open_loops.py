"""The check that all rows of a run leave their loops closed."""

from typing import Any, final

import numpy as np

from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.equations.function_store import StateLayout
from hapsis.motion.simulate.equations.system_history import Rows

Array = np.ndarray[Any, np.dtype[np.float64]]
TORN = 1e-6  # of its unit; a row that is left further open, redundant ones too, contradicts others


def constraint_error(loops: Loops | None, layout: StateLayout, rows: Rows) -> float:
    """The largest |h| of all constraints in all rows; zero without any."""
    if loops is None:
        return 0.0
    q, v, _, _ = layout.split(rows.y)
    return float(loops.errors(rows.t, q, v)[0].max(initial=0.0))


@final
class OpenLoops:
    """Looks for the first row of a run that leaves a loop or a constraint open."""

    status = "torn"

    def __init__(self, loops: Loops, layout: StateLayout) -> None:
        self.loops, self.layout = loops, layout
        self.torn: tuple[float, str] | None = None  # when a row was found open, and the message

    def look(self, rows: Rows) -> None:
        """Takes more rows of the run."""
        if self.torn is not None or not len(self.loops.names):
            return
        q, v, _, _ = self.layout.split(rows.y)
        gaps = self.loops.relative_gaps(rows.t, q, v)
        wide = ~(gaps.max(axis=1) <= TORN)
        if wide.any():
            k = int(np.argmax(wide))
            self.torn = float(rows.t[k]), self._message(float(rows.t[k]), gaps[k])

    def _message(self, t: float, gaps: Array) -> str:
        worst = int(np.argmax(np.nan_to_num(gaps, nan=np.inf)))
        name, gap = self.loops.names[worst], gaps[worst] * self.loops.row_units[worst]
        moving = [each.drive for each in self.loops.driven.values() if not each.constant]
        drives = ", ".join(drive.label for drive in moving)[:200]
        others = f"{drives} and other rows" if drives else "other rows"
        return (
            f't = {t:.9g}: "{name.rpartition(".")[0][:60]}" is torn open by {gap:.3g}: {others} contradict it'
        )

    def fault(self) -> str | None:
        """The message where a loop is open; None while all are closed."""
        return None if self.torn is None else self.torn[1]

    def sound(self, t: Array) -> Any:
        """The rows before the first that is open."""
        assert self.torn is not None
        return t < self.torn[0]
