"""What contacts did in a run: their log by rows, as columns of a result."""

from typing import Any, final

import numpy as np

from hapsis.motion.simulate.contact.step_rows import StepRow
from hapsis.motion.simulate.contact.touching_pairs import Structure
from hapsis.motion.solvers.contact import contact_log as native
from hapsis.motion.solvers.contact.contact_memory import ContactScene

Array = np.ndarray[Any, np.dtype[np.float64]]
ROOM = 4096  # rows of the log between two looks of Python, at least
STEPS = 1024  # with rows, between two looks
UNITS = {"force": "N", "push": "N", "gap": "m", "slip": "m/s", "stuck": "1", "points": "1", "impulse": "N s"}
TINY = 1e-300  # s


@final
class ContactRecord:
    """Takes the log out of a scene while a run goes on, and makes columns of it."""

    def __init__(
        self, scene: ContactScene, found: Structure, names: tuple[str, ...], rows: tuple[StepRow, ...]
    ) -> None:
        self.scene, self.found, self.names, self.rows = scene, found, names, rows
        self.kept: list[Array] = []
        self.kept_steps: list[Array] = []
        scene.step_room = STEPS
        self.width = 1 + int(scene.n_v) + len(rows)
        scene.step_log = np.zeros(STEPS * self.width)
        room = max(ROOM, 4 * scene.touch_room + scene.pair_count)
        scene.log = np.zeros(native.ROW * room)
        scene.log_room = room

    def keep(self, vectors: Array) -> None:
        """Takes what was logged since the last call."""
        count = int(self.scene.logged)
        if count:
            self.kept.append(self.scene.log[: native.ROW * count].reshape(count, native.ROW).copy())
            self.scene.logged = 0
        steps = int(self.scene.logged_steps)
        if steps:
            self.kept_steps.append(self.scene.step_log[: self.width * steps].reshape(steps, -1).copy())
            self.scene.logged_steps = 0

    def steps(self, times: Array) -> Array:
        """What was logged of the step that each of these times of rows lies in."""
        self.keep(times)
        if not self.kept_steps:
            return np.zeros((len(times), self.width))
        log = np.vstack(self.kept_steps)
        return log[np.minimum(_step_of(log[:, 0], times), len(log) - 1)]

    def row_columns(self, steps: Array) -> dict[str, Array]:
        """{column: the force of rows}, of drives, stops, dry friction and loops."""
        columns: dict[str, Array] = {}
        for row, force in zip(self.rows, steps[:, self.width - len(self.rows) :].T, strict=True):
            before = columns.get(row.column, 0.0)
            columns[row.column] = before + row.sign * force
        return columns

    def columns(self, times: Array) -> dict[str, Any]:
        """{NAME: what makes its columns} for these times of rows."""
        self.keep(times)
        rows = np.vstack(self.kept) if self.kept else np.zeros((0, native.ROW))
        pairs = rows[:, native.PAIR].astype(np.int64)
        contact_of = np.array([pair.contact for pair in self.found.pairs], np.int64)
        order = np.lexsort((rows[:, native.TIME], pairs))
        rows, pairs = rows[order], pairs[order]
        which = contact_of[pairs] if len(rows) else pairs
        bounds = np.searchsorted(np.sort(which), np.arange(len(self.names) + 1))
        by_contact = rows[np.argsort(which, kind="stable")]
        return {
            name: ContactColumns(by_contact[bounds[k] : bounds[k + 1]], times)
            for k, name in enumerate(self.names)
        }


def _step_of(steps: Array, times: Array) -> Any:
    """For each time the number of the step that it lies in, by the ends of the steps."""
    return np.searchsorted(steps, times - native.ROUNDING * np.abs(times))


@final
class ContactColumns:
    """The log of one contact, over the rows of a result; a row shows the step that it lies in."""

    def __init__(self, rows: Array, times: Array) -> None:
        self.rows, self.times = rows, times

    def column(self, what: str) -> Array:
        """One quantity at every row."""
        cuts = np.flatnonzero(np.diff(self.rows[:, native.PAIR])) + 1
        pairs = [PairLog(each, self.times) for each in np.split(self.rows, cuts) if len(each)]
        count = len(self.times)
        if what in ("push", "impulse"):
            return sum((getattr(pair, what)() for pair in pairs), np.zeros((count, 3)))
        if what == "gap":
            return np.minimum.reduce([np.full(count, np.inf), *(pair.gap() for pair in pairs)])
        if what == "slip":
            return np.maximum.reduce([np.zeros(count), *(pair.shown(native.SLIP) for pair in pairs)])
        place = {"force": native.NORMAL, "stuck": native.STUCK, "points": native.POINTS}[what]
        return sum((pair.shown(place) for pair in pairs), np.zeros(count))


@final
class PairLog:
    """The log of one pair of solids: the entry of the step that each row lies in, where there is one."""

    def __init__(self, log: Array, times: Array) -> None:
        self.log, self.times = log, times
        slack = native.ROUNDING * np.abs(times)
        self.entry = np.searchsorted(log[:, native.TIME], times - slack)
        self.step = log[np.minimum(self.entry, len(log) - 1)]
        # a row where a step ends shows that step; only the first row of all shows the one that begins there
        began = self.step[:, native.START] < times + np.where(times == times[:1], slack + TINY, -slack)
        self.here = (self.entry < len(log)) & began
        self.touches = self.here & (self.step[:, native.POINTS] > 0.0)

    def shown(self, place: int) -> Array:
        """A number of the log where the pair touches, else 0."""
        return np.where(self.touches, self.step[:, place], 0.0)

    def gap(self) -> Array:
        """The gap where the pair touches, else infinite."""
        return np.where(self.touches, self.step[:, native.GAP], np.inf)

    def push(self) -> Array:
        """The force on the first side, in world axes."""
        return np.where(self.touches[:, None], self.step[:, native.FORCE : native.FORCE + 3], 0.0)

    def impulse(self) -> Array:
        """∫ force dt since the start of the run."""
        impulse = slice(native.IMPULSE, native.IMPULSE + 3)
        left = np.maximum(self.step[:, native.TIME] - self.times, 0.0)
        within = self.step[:, impulse] - self.push() * left[:, None]
        before = np.vstack([np.zeros((1, 3)), self.log[:, impulse]])[self.entry]
        total = np.where(self.here[:, None], within, before)
        total[self.times == self.times[0]] = 0.0  # an impact at the start comes after the first row
        return total
