"""The parts of a run of a hybrid: how its vector carries states, what Python is asked for, the log."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hapsis.mechanics.model.result import Happened, PhaseEvent
from hapsis.motion.hybrid.failures import failure
from hapsis.motion.hybrid.machine import PhaseMachine
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.simulate.run.integrator import Integrator, Watch
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_parts import closed_states, massless_in_tree
from hapsis.motion.solvers.run import phase_memory as native

Array = np.ndarray[Any, np.dtype[np.float64]]
BETTER = 3.0  # times: a partition whose smallest pivot is not that much larger is no better
LEAST = 1e-6  # of a pivot where the partition was taken: below it the phase is at a singular position
TORN = 1e-6  # of its unit: a constraint row that is further open contradicts others


@final
class PhaseForm:
    """The vector is y, phase, begun, loss; `states` closes each row by the phase that it is in."""

    def __init__(self, machine: PhaseMachine, phase: int, begun: float, loss: float = 0.0) -> None:
        self.machine, self.first = machine, (float(phase), begun, loss)
        self.size = machine.size
        self.seen: Array = np.zeros(0, int)  # phases of the rows that were closed last

    def of_method(self, method: str) -> dict[str, Any]:
        """The method, and the kernels that it takes."""
        return {"method": method, "f": self.machine.f, "controlled": self.size}

    def vector(self, t: float, y: Array) -> Array:
        """The state, then what the run starts with."""
        return np.concatenate([y, self.first])

    def states(self, t: Any, vectors: Array) -> Array:
        """The states of vectors, with the constraints of their phases met."""
        rows, times = np.atleast_2d(vectors), np.atleast_1d(np.asarray(t, float))
        self.seen = rows[:, self.size + native.PHASE].astype(int)
        y = np.ascontiguousarray(rows[:, : self.size])
        for p in np.unique(self.seen):
            kernels, mine = self.machine.phases[p].kernels, self.seen == p
            assert kernels is not None
            y[mine] = closed_states(kernels, times[mine], y[mine])
        return y.reshape(*np.shape(vectors)[:-1], self.size)


@final
class PhaseRows:
    """What stands behind the state in the rows of a run; and a check that constraints are met."""

    status = "torn"

    def __init__(self, machine: PhaseMachine, form: PhaseForm) -> None:
        self.machine, self.form, self.kept = machine, form, list[Array]()
        self.torn: tuple[float, str] | None = None
        self.error = 0.0  # the largest gap of any constraint, m or rad

    def keep(self, vectors: Array) -> None:
        """Takes more rows."""
        self.kept.append(vectors[:, self.form.size :].copy())

    def columns(self, last: Array, count: int) -> Array:
        """phase, begun and loss of so many rows; `last` is the vector where the run stands."""
        return np.vstack([*self.kept, last[None, self.form.size :]])[:count]

    def look(self, rows: Rows) -> None:
        """Takes more rows of the run."""
        layout = self.machine.phases[0].store.layout
        for p in np.unique(self.form.seen):
            phase, mine = self.machine.phases[p], self.form.seen == p
            if phase.loops is None or self.torn is not None:
                continue
            q, v, _, _ = layout.split(rows.y[mine])
            gaps = phase.loops.relative_gaps(rows.t[mine], q, v)
            self.error = max(self.error, float(phase.loops.errors(rows.t[mine], q, v)[0].max(initial=0.0)))
            wide = ~(gaps.max(axis=1, initial=0.0) <= TORN)
            if wide.any():
                k = int(np.argmax(wide))
                worst = int(np.argmax(np.nan_to_num(gaps[k], nan=np.inf)))
                name, t = phase.loops.names[worst], float(rows.t[mine][k])
                gap = gaps[k][worst] * phase.loops.row_units[worst]
                message = (
                    f't = {t:.9g}: phase "{phase.name[:60]}": "{name.rpartition(".")[0][:60]}" is open by '
                    f"{gap:.3g}: other rows of the phase contradict it"
                )
                self.torn = t, message

    def fault(self) -> str | None:
        """The message where a constraint is not met; None while all are."""
        return None if self.torn is None else self.torn[1]

    def sound(self, t: Array) -> Any:
        """The rows before the first that is open."""
        assert self.torn is not None
        return t < self.torn[0]


@final
class PhaseLog:
    """The events of a run as native code has written them down."""

    def __init__(self, machine: PhaseMachine, form: PhaseForm) -> None:
        self.machine, self.taken = machine, 0
        self.begun, self.loss = form.first[1:]

    def new(self) -> tuple[Sequence[Happened], Array, Array]:
        """What has happened since the last call, and rows before and after it."""
        machine, size = self.machine, self.machine.size
        assert machine.phased is not None
        rows = machine.phased.rows(self.taken)
        self.taken += len(rows)
        if not len(rows):
            return [], np.zeros(0), np.zeros((0, size + native.MORE))
        t, before, after = (rows[:, k] for k in (native.TIME, native.BEFORE, native.AFTER))
        # two rows of each event: what stands behind the state, before and after it
        losses = self.loss - np.cumsum(np.append(0.0, rows[:, native.ENERGY]))
        begun = np.maximum.accumulate(np.append(self.begun, np.where(before != after, t, -np.inf)))
        self.loss, self.begun = float(losses[-1]), float(begun[-1])
        vectors = np.empty((len(rows), 2, size + native.MORE))
        vectors[:, :, :size] = rows[:, native.ROW : native.ROW + 2 * size].reshape(-1, 2, size)
        vectors[:, 0, size:] = np.stack([before, begun[:-1], losses[:-1]], axis=1)
        vectors[:, 1, size:] = np.stack([after, begun[1:], losses[1:]], axis=1)
        names: dict[tuple[int, int, int], tuple[str, ...]] = {}
        impulses = rows[:, native.ROW + 2 * size :].tolist()
        happened = [
            self._event(row, own, names)
            for row, own in zip(rows[:, : native.ROW].tolist(), impulses, strict=True)
        ]
        return happened, np.repeat(t, 2), vectors.reshape(-1, size + native.MORE)

    def _event(
        self, row: list[float], impulses: list[float], rows_of: dict[tuple[int, int, int], tuple[str, ...]]
    ) -> PhaseEvent:
        machine = self.machine
        key = which, before, after = int(row[native.WHICH]), int(row[native.BEFORE]), int(row[native.AFTER])
        if key not in rows_of:
            rows_of[key] = machine.rows_of(*key)
        names = rows_of[key]
        return PhaseEvent(
            row[native.TIME],
            machine.events[which].name,
            machine.phases[before].name,
            machine.phases[after].name,
            -row[native.ENERGY],
            dict(zip(names, impulses, strict=False)),
        )


@final
class PhaseSwitch:
    """What native code asks Python for: Kernels of phases, better partitions, the end of the run."""

    first = 0

    def __init__(self, machine: PhaseMachine) -> None:
        self.machine = machine
        self._tried: tuple[Any, ...] = ()

    def watch(self, events: Sequence[Event]) -> Watch | None:
        """The values of all events and of the health of phases."""
        directions = [*(event.direction for event in self.machine.events), -1, 1]
        return Watch(self.machine.g, directions, [True] * len(directions))

    def held(self, t: float, y: Array) -> None:
        """Nothing depends on it."""

    def started(self, integrator: Integrator) -> None:
        """Leads a new integration through the phases."""
        self.machine.join(integrator.use_phases(self.machine.kernels, **self.machine.fields()))
        integrator.enter = lambda integrator: not self._changes() and self._enter(integrator) == 0

    def respond(self, run: Run) -> str:
        """Writes what is missing; the status where the run cannot go on, else empty."""
        asked, machine = run.integrator.asked, self.machine
        assert machine.phased is not None
        memory = machine.phased.memory
        if asked == native.STOP:
            name = machine.events[int(memory.culprit)].name
            run.message = f'event "{name[:60]}" at t = {run.integrator.t:.9g} s'
            return "event"
        if asked == native.ENTRY:
            asked = self._enter(run.integrator)
            if not asked:
                return ""
        if asked == native.WEAK and self._repartition(run):
            return ""
        status, run.message = failure(machine, run.integrator, asked)
        return status

    def _changes(self) -> bool:
        """Whether an entry may change the partition of a phase that has rows: those are closed before."""
        machine = self.machine
        assert machine.phased is not None
        number = int(machine.phased.memory.number)
        phase = machine.phases[machine.transitions[number].after]
        return phase.constrained and phase.system is not None and machine.phased.memory.written[number] != 0

    def _enter(self, integrator: Integrator) -> int:
        """Makes the Kernels of a reset, and of the phase that it leads to; 0, or what prevents it."""
        machine = self.machine
        assert machine.phased is not None
        number, t = int(machine.phased.memory.number), integrator.t
        each, y = machine.transitions[number], integrator.y
        phase = machine.phases[each.after]
        key = number, t
        arrived = machine.arrival(number, t, y, float(y[machine.size + native.BEGUN]))
        q = arrived[: machine.phases[0].store.layout.n_q]
        if not np.isfinite(arrived).all():
            return native.IMPOSSIBLE
        missing = machine.phased.memory.written[number] == 0
        if phase.constrained and (phase.system is None or not missing):
            # the pose before an event may be another one of the same phase: its own partition is taken anew
            phase.choose(q, t)
            machine.install(each.after)
        again, self._tried = self._tried == key, () if missing else key
        machine.write_reset(number, q)
        if not again:
            return 0
        whole = np.isfinite(machine.phased.memory.result[: native.HEAD + machine.size]).all()
        return native.ENTRY if whole else native.IMPOSSIBLE

    def _repartition(self, run: Run) -> bool:
        """Takes a better partition of the present phase; False at a singular position."""
        machine, integrator = self.machine, run.integrator
        p = int(integrator.y[machine.size + native.PHASE])
        phase, t = machine.phases[p], integrator.t
        state = machine.closed(p, t, integrator.y)
        q = phase.store.layout.split(state)[0]
        if not phase.improve(q, t, BETTER):
            phase.limits[0] *= 0.5
            if phase.limits[0] < LEAST:
                return False
        else:
            integrator.y[: machine.size] = state
            machine.install(p)
        integrator.restart()
        return True

    def explain(self, run: Run) -> str:
        """What can move without moving any mass."""
        return massless_in_tree(run)
