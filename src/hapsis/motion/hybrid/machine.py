"""The state machine of a hybrid in numbers: its phases, its resets, and the Kernels of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.motion.hybrid.actions import Impact, Swap
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.hybrid.impacts import jump
from hapsis.motion.hybrid.phase_system import PhaseSystem, closing_function
from hapsis.motion.hybrid.transitions import ResetWriter
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.solvers.run.phase_memory import (
    BOUNCES,
    PhaseKernels,
    absent,
    absent_since,
    motion_of_phase,
    watch_of_phase,
)
from hapsis.motion.solvers.run.phased_explicit import PhasedRun

Array = np.ndarray[Any, np.dtype[np.float64]]


class Transition(NamedTuple):
    """What an event does in a phase: by numbers of event and phases, its actions, and that of rest."""

    event: int
    before: int
    after: int
    actions: tuple[Any, ...]
    rest: int = -1

    @property
    def strikes(self) -> int:
        """1 where a point hits and the phase stays, so that the event must be left behind; or BOUNCES."""
        impacts = [action for action in self.actions if isinstance(action, Impact) and action.points]
        if any(action.restitution for action in impacts):
            return BOUNCES
        return int(bool(impacts) and self.before == self.after)


def transitions_of(hybrid: Hybrid, events: Sequence[Event]) -> list[Transition]:
    """All transitions; those of rest come behind the others."""
    places = {name: k for k, name in enumerate(hybrid.phases)}
    every: list[Transition] = []
    for i, event in enumerate(events):
        for before in event.during or hybrid.phases:
            after = before if event.to is None else event.to
            every.append(Transition(i, places[before], places[after], event.then))
    for k, each in enumerate(list(every)):
        ends = [a for a in each.actions if isinstance(a, Impact) and a.rest is not None]
        if ends:
            every[k] = each._replace(rest=len(every))
            every.append(resting(each)._replace(after=places[ends[0].rest or ""]))
    return every


def resting(transition: Transition) -> Transition:
    """The same without restitution."""
    actions = tuple(
        replace(a, restitution=0.0, rest=None) if isinstance(a, Impact) else a for a in transition.actions
    )
    return transition._replace(actions=actions, rest=-1)


@final
class PhaseMachine:
    """The phases and transitions of a run, with their Kernels.

    events   those of the hybrid, then others of the run
    rows     by transition the names of the rows that its impulses belong to
    """

    def __init__(self, hybrid: Hybrid, events: Sequence[Event], phases: Sequence[PhaseSystem]) -> None:
        self.hybrid, self.events, self.phases = hybrid, list(events), list(phases)
        self.transitions = transitions_of(hybrid, self.events)
        self.size = phases[0].store.layout.size
        self.kernels = PhaseKernels(size=self.size)
        self.rows: list[tuple[str, ...]] = [()] * len(self.transitions)
        none, none_since = absent.bound(("t", "y", "out")), absent_since.bound(("t", "y", "begun", "out"))
        self._none = none_since
        self._resets: list[Any] = [none_since] * max(len(self.transitions), 1)
        self._lists: dict[str, list[Any]] = {
            "motions": [none] * len(phases),
            "watches": [none_since] * len(phases),
            "closings": [none] * len(phases),
        }
        self.phased: PhasedRun | None = None
        own = {(each.event, each.before) for each in self.transitions}
        self.active = [[(i, p) in own for i in range(len(self.events))] for p in range(len(phases))]
        for p, phase in enumerate(phases):
            if phase.system is not None:
                self.install(p)

    @property
    def f(self) -> Any:
        """The Kernel (t, y, dy) of the motion in the phase that y is in."""
        return motion_of_phase.bound(vary=("t", "y", "dy"), kernels=self.kernels)

    @property
    def g(self) -> Any:
        """The Kernel (t, y, g) of what that phase watches."""
        return watch_of_phase.bound(vary=("t", "y", "g"), kernels=self.kernels)

    def fields(self) -> dict[str, Any]:
        """The fields of the memory of a run."""
        count, phases = len(self.transitions), len(self.phases)
        rows = max(len(constraint_names(phase.model)) for phase in self.phases)
        points = max((len(a.points) for e in self.events for a in e.then if isinstance(a, Impact)), default=0)
        jumps = max((sum(isinstance(a, Impact) for a in e.then) for e in self.events), default=0)
        return dict(
            phases=phases,
            events=len(self.events),
            resets_count=max(count, 1),
            impulses=jumps * (rows + 3 * points),
        )

    def join(self, phased: PhasedRun) -> None:
        """Fills the memory of a new integration."""
        self.phased, memory = phased, phased.memory
        memory.reset_of[:] = -1
        memory.rest[:] = -1
        for k, each in enumerate(self.transitions):
            memory.target[k], memory.rest[k] = each.after, each.rest
            memory.strikes[k] = each.strikes
        alone = {each.rest for each in self.transitions}
        for k, each in enumerate(self.transitions):
            if k not in alone:
                memory.reset_of[each.event * len(self.phases) + each.before] = k
        memory.stops[:] = [int(event.stop) for event in self.events]
        for p, phase in enumerate(self.phases):
            memory.constrained[p] = int(phase.constrained)
            memory.ready[p] = int(phase.system is not None)
        for k, kernel in enumerate(self._resets):
            memory.written[k] = int(kernel is not self._none)
        self._put()

    def _put(self) -> None:
        """Gives the Kernels to native code."""
        for name, kernels in self._lists.items():
            setattr(self.kernels, name, list(kernels))
        if self.phased is not None:
            self.phased.memory.resets = list(self._resets)

    # Kernels -------------------------------------------------------------------------------------

    def install(self, p: int) -> None:
        """The Kernels of a phase by its partition of the moment; resets into it are written anew."""
        phase = self.phases[p]
        self._lists["motions"][p] = phase.motion()
        self._lists["watches"][p] = phase.watch(self.events, self.active[p], self._kept)
        if phase.constrained:
            self._lists["closings"][p] = phase.closing()
        for k, each in enumerate(self.transitions):
            if each.after == p:
                self._resets[k], self.rows[k] = self._none, ()
                if self.phased is not None:
                    self.phased.memory.written[k] = 0
        if self.phased is not None:
            self.phased.memory.ready[p] = 1
        self._put()

    def write_reset(self, k: int, q: Array) -> None:
        """The Kernel of the reset of a transition, for poses like q after it."""
        each = self.transitions[k]
        before, after = self.phases[each.before], self.phases[each.after]
        assert before.system is not None and after.system is not None and before.kernels is not None
        impacts = [
            (action, [each for each in each.actions[k + 1 :] if isinstance(each, Swap)])
            for k, action in enumerate(each.actions)
            if isinstance(action, Impact)
        ]
        jumps = [jump(after.model, after.system.partition, *impact, q) for impact in impacts]
        # the same Function wherever the same points are free, and the same rows can be told apart
        key = "reset", k, after.system.partition, tuple((x.rows, x.form) for x in jumps)

        def write() -> Function:
            assert before.system is not None and after.system is not None
            made = iter(jumps)
            writer = ResetWriter(before.system, self.events[each.event], each.actions)
            return writer.reset(after.system, lambda action, swaps: next(made))

        self._resets[k] = self._bound(before, key, write, "result")
        self.rows[k] = tuple(row for x in jumps for row in x.rows)
        if self.phased is not None:
            self.phased.memory.written[k] = 1
        self._put()

    def _kept(self, phase: PhaseSystem, key: Any, write: Callable[[], Function]) -> Function:
        """A Function of one phase that is written once for a hybrid."""
        mine = self.hybrid.token, [event.name for event in self.events[len(self.hybrid.events) :]]
        function = phase.store.function((Hybrid, mine[0], *mine[1], *key), write)
        assert function is not None
        return function

    def _bound(self, phase: PhaseSystem, key: Any, write: Callable[[], Function], output: str) -> Any:
        """Its Kernel (t, y, begun, output)."""
        assert phase.kernels is not None
        function = self._kept(phase, key, write)
        shared = phase.kernels.shared(function)
        return phase.kernels.bind(function, ("t", "y", "begun", output), **shared)

    def rows_of(self, event: int, before: int, after: int) -> tuple[str, ...]:
        """The names of the rows that the impulses of an event belong to."""
        for rows, each in zip(self.rows, self.transitions, strict=True):
            if each[:3] == (event, before, after):
                return rows
        return ()

    # in numbers ----------------------------------------------------------------------------------

    def closed(self, p: int, t: float, y: Array) -> Array:
        """A state of a phase with its constraints met."""
        phase = self.phases[p]
        assert phase.kernels is not None and phase.system is not None
        y = y[: self.size].copy()
        if not phase.constrained:
            return y
        return phase.kernels.values(closing_function(phase.system), t=t, y=y)["closed"]

    def arrival(self, k: int, t: float, y: Array, begun: float) -> Array:
        """q, v, z after a transition from a state, without the jump of impacts."""
        each = self.transitions[k]
        before = self.phases[each.before]
        assert before.kernels is not None and before.system is not None
        system = before.system

        def write() -> Function:
            return ResetWriter(system, self.events[each.event], each.actions).arrival()

        function = self._kept(before, ("arrival", k), write)
        y = self.closed(each.before, t, y)
        return before.kernels.values(function, t=t, y=y, begun=begun)["arrived"]
