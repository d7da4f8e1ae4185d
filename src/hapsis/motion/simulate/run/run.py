"""One run: an integration made in pieces of time, checked on the way, and stopped where it must."""

import time
from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.activity import preparation_seconds
from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.mechanics.model.result import GOOD, Happened
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows, SystemHistory
from hapsis.motion.simulate.run.energy_watchdog import EnergyWatchdog
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.simulate.run.held_inputs import HeldInputs, Stop
from hapsis.motion.simulate.run.integrator import (
    COUNTED,
    DONE,
    EVENT,
    PAUSED,
    STATUS,
    STIFF,
    integration,
    least_work,
)
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.simulate.run.run_parts import RunParts
from hapsis.motion.simulate.run.run_rows import RunRows
from hapsis.motion.simulate.time_functions.step_limits import step_limits

Array = np.ndarray[Any, np.dtype[np.float64]]
FIRST_CHUNK = 2_000  # steps before the first check by Python
MOMENT = 0.1  # s between two checks by Python
FAILED = ("not finite", "step too small", "not converged", "singular")
STOPPED = "stopped"  # the status of a run that the user has ended by Ctrl-C


@final
class Run:
    """The motion of a system over a span of time, from a state y; `go` makes it.

    events       of the user and of contacts
    samples      times at which rows are wanted
    parts        how states are carried, what interrupts the run, what is checked
    before       rows of the time before the start of the span
    fired        the numbers of the values that passed zero where the run stands
    history      by which system the rows were computed
    """

    def __init__(
        self,
        kernels: Kernels,
        options: RunOptions,
        span: tuple[float, float],
        y: Array,
        samples: Array,
        events: Sequence[Event],
        parts: RunParts,
        before: Rows | None = None,
    ) -> None:
        self.kernels, self.options, (self.begin, self.end) = kernels, options, span
        self.events, self.parts = list(events), parts
        self.happened: list[Happened] = []
        self.fired: list[int] = []
        self.methods: list[str] = []
        self.counted: dict[str, int] = dict.fromkeys(COUNTED, 0)
        self.unresolved: tuple[float, float] | None = None  # since when events are too fine, and how fine
        self.passed: list[tuple[int, int, float]] = []  # zones that fixed steps went through
        self.seconds = self.preparation_seconds = 0.0
        self.piece = span[1]  # the time until which nothing that is held changes
        self.status, self.message = "", ""
        self.history = SystemHistory(kernels.system)
        self.held = parts.held or HeldInputs(kernels, span[0])
        self.limits = step_limits(kernels, span, options.longest, events, parts.knots, parts.others)
        self._hold(span[0], y)
        allowed = least_work(kernels, options.tolerance) + parts.allowed
        self.energy = EnergyWatchdog(kernels, span, y, options.watchdog, allowed, parts.loses)
        self.checks = (self.energy, *parts.checks)
        self.rows = RunRows(kernels, parts, self.checks, samples, span)
        self.samples = self.rows.samples
        if before is not None:
            self.rows.kept.append(before)
            for check in self.checks:
                check.look(before)
        self._chunk = FIRST_CHUNK
        self._first: float | None = None  # the first step to try; computed if not given
        self._start(options.method, span[0], parts.form.vector(span[0], y), self.samples)

    # starting and going on -----------------------------------------------------------------------

    def _start(self, method: str, t: float, vector: Array, samples: Array) -> None:
        """An integration by that method from here on."""
        self.integrator = integration(
            self.kernels,
            self.options,
            (t, self.end),
            vector,
            self.energy.scale,
            self.parts.form.of_method(method),
            self.parts.interruption.watch(self.events),
            samples=samples,
            first=self._first,
            pace=self.limits.pace,
            waves=self.parts.waves,
            limit=self.options.limit - self.counted["steps"] - self.counted["rejected"],
        )
        self.parts.interruption.started(self.integrator)
        self._taken = self._noted = 0  # samples and events taken over from the integration
        if self.methods[-1:] != [method]:
            self.methods.append(method)

    def vector(self, t: float, y: Array) -> Array:
        """The vector of a state where the run stands; what is carried behind the state stays."""
        vector, size = self.parts.form.vector(t, y), self.kernels.system.layout.size
        if len(vector) > size:
            vector[size:] = self.integrator.y[size:]
        return vector

    def resume(self, t: float, vector: Array, more: tuple[Array, Array] | None = None) -> None:
        """Goes on with a new integration from here; `more` are times and vectors of other rows."""
        self._finish()
        if more is not None and len(more[0]):
            self.rows.add_singular(*more, self.piece)
        self._first = self.integrator.next_step()
        self._start(self.methods[-1], t, vector, self.samples[self.samples > t])
        self.integrator.until(self.piece)

    def _stiffen(self) -> None:
        """Goes on with the implicit method."""
        t, vector = self.integrator.t, self.integrator.y.copy()
        self._finish()
        self._start("stiff", t, vector, self.samples[self.samples > t])
        self.integrator.until(self.piece)

    def _hold(self, t: float, y: Array) -> None:
        self.held.hold(t, y)
        self.parts.interruption.held(t, y)

    # the loop ------------------------------------------------------------------------------------

    def go(self, bar: Bar) -> None:
        """Runs to the end, or to where it must stop."""
        began, prepared = time.perf_counter(), preparation_seconds()
        bar.expect(self.begin, self.end)
        try:
            for stop in self.held.stops(self.integrator.t, self.end, self.samples, self.limits.knots):
                self.piece = stop.before
                if len(self.kernels.u) or stop.before < self.end or len(self.limits.knots):
                    self.integrator.until(self.piece)
                if not self._piece(bar) or not self._pass(stop):
                    break
        except KeyboardInterrupt:
            self.take()
            if not self.rows.kept:
                raise  # there is nothing to give back yet
            self._stop(STOPPED, f"stopped by the user at t = {self.integrator.t:.6g} s")
        if self.status in FAILED:
            self._explain()
        on_the_way = preparation_seconds() - prepared  # equations of other partitions, code for rows
        self.seconds = time.perf_counter() - began - on_the_way
        self.preparation_seconds = began - bar.began + on_the_way
        self._finish()
        if self.status in GOOD:
            self.energy.conclude(self.integrator.t)
            self._faulty()

    def _pass(self, stop: Stop) -> bool:
        """Over a change of what is held, or of a function of time; False where the run is over.

        Rows at such a time show what is true after it, but at the end of the run, where no more
        samples are taken.
        """
        over, y = stop.after >= self.end, self.state()
        if not over:
            self._hold(stop.after, y)
        # a run that starts at a kink starts behind it
        if self.begin < stop.before < stop.after and not self._jump(stop, y):
            return False
        self.integrator.skip(stop.after)
        self.take_waiting()
        if self._faulty():
            return False
        if over:
            self._stop("done", f"reached t = {self.integrator.t:.6g} s")
        else:
            self.integrator.restart(sides=not self.parts.knots)
        return True

    def _jump(self, stop: Stop, y: Array) -> bool:
        """Changes the speeds where drives change theirs; False where no force can do that."""
        if self.parts.jumps is None:
            return True
        y, names, works = self.parts.jumps.jump(stop.before, stop.after, y)
        fault = self.parts.jumps.fault()
        if fault is not None:
            self._stop("jump", fault)
            return False
        if names:
            self.integrator.y[:] = self.vector(stop.after, y)
            if self.parts.account is not None:
                self.parts.account.give(self.integrator.y, works)
            self.happened += [Happened(stop.after, name) for name in names]
        return True

    def _piece(self, bar: Bar) -> bool:
        """To the end of a piece of time; False where the run is over."""
        while True:
            answer = self._advance(bar)
            if answer == STIFF:
                self._stiffen()
                continue
            self.take()
            if self._faulty():
                return False
            if answer == PAUSED:
                continue
            t = self.integrator.t
            if answer == DONE:
                return True
            if answer != EVENT:
                self._stop(STATUS[answer], self.integrator.trouble())
                return False
            if any(event is not None and event.stop for event in map(self._event, self.fired)):
                self._stop("event", f"event at t = {t:.9g} s")
                return False
            status = self.parts.interruption.respond(self)
            if status:
                self._stop(status, self.message)
                return False

    def _advance(self, bar: Bar) -> int:
        """Makes some steps: so many that Python can check the run about ten times per second."""
        began = time.perf_counter()
        answer = self.integrator.advance(self._chunk)
        spent = time.perf_counter() - began
        if answer == PAUSED:
            self._chunk = max(10, int(self._chunk * min(4.0, MOMENT / max(spent, 1e-6))))
        bar.reached(self.integrator.t)
        return answer

    def _faulty(self) -> bool:
        """Whether a check stops the run."""
        for check in self.checks:
            fault = check.fault()
            if fault is not None:
                self._stop(check.status, fault)
                return True
        return False

    def _explain(self) -> None:
        """A better message, where it is known why the run cannot go on."""
        from hapsis.motion.simulate.run.not_finite import not_finite
        from hapsis.motion.simulate.run.point_reach import beyond_reach

        reason = beyond_reach(self) or (not_finite(self) if self.status == "not finite" else "")
        status = self.status if reason else "singular"
        reason = reason or self.parts.interruption.explain(self)
        if reason:
            self._stop(status, f"t = {self.integrator.t:.9g}: {reason}")

    def _stop(self, status: str, message: str) -> None:
        self.status, self.message = status, message

    # rows ----------------------------------------------------------------------------------------

    def state(self) -> Array:
        """The state y where the run stands."""
        return self.parts.form.states(self.integrator.t, self.integrator.y.copy())

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def _event(self, number: int) -> Event | None:
        """The user's event of one of the values that pass zero; None for the run's own."""
        place = number - self.parts.interruption.first
        return self.events[place] if 0 <= place < len(self.events) else None

    def take(self) -> None:
        """Takes over new samples and events from the integration."""
        sampled = self.integrator.sampled
        times = self.integrator.times[self._taken : len(sampled)]
        vectors = sampled[self._taken :].copy()
        events = self.integrator.events[self._noted :] if self.parts.log is None else []
        self._taken, self._noted = len(sampled), self._noted + len(events)
        if events:
            self.fired = [e.index for e in events if e.time == self.integrator.t]
        named = [(e, event) for e in events if (event := self._event(e.index)) is not None]
        self.happened += [Happened(e.time, event.name) for e, event in named]
        if named:
            # what happens between samples is worth a row of its own
            times = np.concatenate([times, [e.time for e, _ in named]])
            vectors = np.concatenate([vectors, [e.state for e, _ in named]])
        if self.parts.log is not None:
            happened, moments, states = self.parts.log.new()
            self.happened += happened
            times, vectors = np.concatenate([times, moments]), np.concatenate([vectors, states])
            named = named or happened
        if named:
            order = np.argsort(times, kind="stable")
            times, vectors = times[order], vectors[order]
        if len(times):
            self.rows.add(times, vectors, self.piece)

    def take_waiting(self) -> None:
        """Takes over also the rows that have waited for a change, with what is true after it."""
        self.take()
        self.rows.add_waiting(self.integrator.t, self.integrator.y)

    def _finish(self) -> None:
        """Takes over all samples, events and counts of the integration."""
        self.take()
        if self.status:
            self.take_waiting()
        self.unresolved = self.unresolved or self.integrator.unresolved
        for name, count in self.integrator.counts().items():
            self.counted[name] += count
        if self.integrator.passed()[0]:
            self.passed.append(self.integrator.passed())
