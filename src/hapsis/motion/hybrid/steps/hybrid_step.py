"""A whole time step of a hybrid as one Function, for loops that run at a fixed rate and for pages.

A step is made of segments: each goes to the end of the step, or to the first event on the way and through
what that event does, or to where an event may turn back. Events are located on the method's own steps, so
that a step with events is as exact as one without.

The state of the step is that of a model. Behind the states of laws stand the number of the phase, the time
at which it began, the status of the motion and the event that ended it. Where the status is not 0, nothing
moves any more, and the time is that of the end.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, final

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, minimum, where
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.hybrid.machine import transitions_of
from hapsis.motion.hybrid.phase_system import PhaseSystem
from hapsis.motion.hybrid.steps import step_status as status
from hapsis.motion.hybrid.steps.step_events import BEHIND, StepEvents, any_of
from hapsis.motion.hybrid.steps.step_phases import StepPhases, finite, when
from hapsis.motion.hybrid.steps.step_resets import After, Moment, StepResets
from hapsis.motion.simulate.equations.system import System

MORE = 4  # states behind those of the model: phase, begun, status, event
NEVER = -1e300  # s

Vector = Sequence[Any]


class Tick(NamedTuple):
    """Where a step stands: its state, the time since it began, and what its events remember."""

    y: list[Any]
    phase: Any
    begun: Any
    status: Any
    event: Any
    s: Any
    crowd: Any
    latest: Any
    last: list[Any]
    repeats: list[Any]
    held: list[Any]  # 1: a value that stood at zero before the event here, and goes through it

    def flat(self) -> list[Any]:
        """All its numbers."""
        return [*self.y, *self[1:8], *self.last, *self.repeats, *self.held]

    @staticmethod
    def of(x: Sequence[Any], size: int, events: int) -> "Tick":
        """The one of these numbers."""
        n = size + 7
        last, repeats, held = (list(x[n + k * events : n + (k + 1) * events]) for k in range(3))
        return Tick(list(x[:size]), *x[size:n], last, repeats, held)  # pyright: ignore[reportCallIssue]


@final
class HybridStep:
    """Writes the step; all phases have their systems."""

    def __init__(
        self, hybrid: Hybrid, phases: Sequence[PhaseSystem], dt: float, substeps: int, q: Any
    ) -> None:
        self.dt, self.count = dt, len(hybrid.events)
        self.systems: list[System] = [phase.system for phase in phases if phase.system is not None]
        transitions = transitions_of(hybrid, hybrid.events)
        rests = {each.rest for each in transitions}
        self.main = [(k, each) for k, each in enumerate(transitions) if k not in rests]
        own = {(each.event, each.before) for _, each in self.main}
        active = [[(i, p) in own for i in range(self.count)] for p in range(len(phases))]
        self.phases = StepPhases(self.systems, hybrid.events, active, substeps)
        self.events = StepEvents(self.phases)
        self.resets = StepResets(self.phases, transitions, q)

    def state(self, x: Vector, t: Any, u: Vector) -> list[Any]:
        """The state and what stands behind it at the end of a step from x at t."""
        zero = 0.0 * t
        start = [*x, zero, zero, zero + NEVER, *[zero + NEVER] * self.count, *[zero] * 2 * self.count]
        end = blocks.repeat(self.segment(), start, t, *([u] if u else []), times=status.MOST)
        tick = self._tick(list(end))
        lost = tick.s < self.dt
        tick = tick._replace(
            status=where(lost, status.TOO_MANY + zero, tick.status),
            event=where(lost, -1.0 + zero, tick.event),
            begun=where(lost, t + tick.s, tick.begun),
        )
        return tick.flat()[: len(x)]

    def _tick(self, x: Sequence[Any]) -> Tick:
        return Tick.of(x, self.phases.size, self.count)

    def _symbols(self, more: int = 0) -> tuple[list[Any], Any, list[Any]]:
        graph = Graph()
        x = list(symbols("x", self.phases.size + 7 + 3 * self.count + more, graph=graph))
        return x, symbol("t", graph=graph), list(symbols("u", self.phases.n_u, graph=graph))

    def _function(self, name: str, x: Vector, t: Any, u: Vector, outputs: dict[str, Any]) -> Function:
        return Function(name, {"x": x, "t": t, **({"u": u} if u else {})}, outputs)

    # segments ------------------------------------------------------------------------------------

    def segment(self) -> Function:
        """(x, t, u) -> x, done: to the end of the step, or through its next event; x is a Tick."""
        x, t, u = self._symbols()
        tick, zero = self._tick(x), 0.0 * t
        h, over = self.dt - tick.s, tick.status > 0.0
        moved = self.phases.moved(tick.y, tick.phase, t + tick.s, h, u)
        numbers, eventful = finite(moved), zero
        singular = self.phases.singular(tick.y, moved, tick.phase, t + tick.s, h, u)
        sound = numbers * (1.0 - singular)
        if self.count:
            _, whole, crossed = self._look(tick, moved, h, t, u)
            eventful = where(over, zero, (whole < 1.0) + any_of(crossed)) * sound
        fails = where(over, zero, 1.0 - sound)
        still = over + fails > 0.0
        end = tick._replace(
            y=[where(still, a, b) for a, b in zip(tick.y, moved, strict=True)],
            status=where(fails, where(numbers, status.SINGULAR, status.NOT_FINITE) + zero, tick.status),
            event=where(fails, -1.0 + zero, tick.event),
            begun=where(fails, t + tick.s, tick.begun),
            s=self.dt + zero,
        ).flat()
        if self.count:
            happened = when(eventful, self.happening(), x, t, u)
            end = [where(eventful, a, b) for a, b in zip(happened, end, strict=True)]
        done = where(self._tick(end).s < self.dt, zero, 1.0 + zero)
        return self._function("segment", x, t, u, {"x": end, "done": done})

    def _look(self, tick: Tick, end: Vector, h: Any, t: Any, u: Vector) -> tuple[list[Any], Any, list[Any]]:
        """The sides of events where a segment starts, its part to look at, and what happened by its end."""
        start = self.events.started(tick.y, tick.phase, t + tick.s, tick.begun, u, h)
        values, rates = self.events.watched(end, tick.phase, t + tick.s + h, tick.begun, u)
        sides = self._sides(tick, start)
        whole = self.events.whole(sides, start, (values, rates), h)
        return sides, whole, self.events.crossed(sides, values)

    def _sides(self, tick: Tick, start: tuple[Vector, Vector]) -> list[Any]:
        """The sides of events where a segment starts; those that are held begin beyond zero."""
        every = zip(self.phases.events, tick.held, self.events.sides(*start), strict=True)
        return [where(held > 0.0, float(event.direction) + 0.0 * side, side) for event, held, side in every]

    def happening(self) -> Function:
        """(x, t, u) -> x: through the first events of the step, or to where one may turn back."""
        x, t, u = self._symbols()
        tick = self._tick(x)
        h = self.dt - tick.s
        moved = self.phases.moved(tick.y, tick.phase, t + tick.s, h, u)
        sides, whole, _ = self._look(tick, moved, h, t, u)
        h = where(whole < 1.0, whole * h, h)
        there = self.phases.moved(tick.y, tick.phase, t + tick.s, h, u)
        values = self.events.watched(there, tick.phase, t + tick.s + h, tick.begun, u)[0]
        fired = any_of(self.events.crossed(sides, values))
        struck = when(fired, self.moment(), [*x, h], t, u)
        s = where(whole < 1.0, tick.s + h, self.dt + 0.0 * t)
        quiet = tick._replace(y=there, s=s, held=[0.0 * t] * self.count).flat()
        result = [where(fired, a, b) for a, b in zip(struck, quiet, strict=True)]
        return self._function("happening", x, t, u, {"x": result})

    def moment(self) -> Function:
        """(x, t, u) -> x: through the events of the first moment at which there is one; h is behind the Tick.

        They act in the order of the list, each from the phase that those before it have led to, if its
        conditions hold there and held where the moment began.
        """
        x, t, u = self._symbols(more=1)
        tick, h = self._tick(x[:-1]), x[-1]
        phases, begin, zero = self.phases, t + tick.s, 0.0 * t
        end = phases.moved(tick.y, tick.phase, begin, h, u)
        now, rates = self.events.started(tick.y, tick.phase, begin, tick.begun, u, h)
        then = self.events.watched(end, tick.phase, begin + h, tick.begun, u)[0]
        sides = self._sides(tick, (now, rates))
        bracket = [zero, zero + 1.0, zero + 1.0, zero + 1.0, zero, zero - 1.0, *now, *then]
        known = (sides, tick.y, tick.phase, tick.begun, begin, h, *([u] if u else []))
        bracket = self.events.located(bracket, known)
        part = minimum(bracket[1] + BEHIND, 1.0)
        met = phases.moved(tick.y, tick.phase, begin, part * h, u)
        there = self.events.watched(met, tick.phase, begin + part * h, tick.begun, u)[0]
        # those that have happened by then, and the first one where it is over by then
        both = (self.events.crossed(sides, values) for values in (bracket[-self.count :], there))
        happens = [(a + b) > 0.0 for a, b in zip(*both, strict=True)]
        tick, before = tick._replace(y=met, s=tick.s + part * h), tick.phase
        happens = self._allowed(tick, happens, t, u)
        for i, happened in enumerate(happens):
            for k, each in self.main:
                if each.event == i:
                    tick = self._happened(tick, k, i, sides[i], happened, each.before, t, u)
        held = self.events.held((met, before), tick, t + tick.s, u)
        tick = tick._replace(s=where(tick.status > 0.0, self.dt + zero, tick.s), held=held)
        return self._function("moment", x, t, u, {"x": tick.flat()})

    def _allowed(self, tick: Tick, happens: Vector, t: Any, u: Vector) -> list[Any]:
        """Those events of a moment whose conditions hold before any of them acts."""
        allowed = list(happens)
        for _, each in self.main:
            i = each.event
            if i and self.phases.events[i].only:  # the first one is asked when it acts
                here = happens[i] * (abs(tick.phase - float(each.before)) < 0.5)
                mask = when(here, self.resets.mask(each), [*tick.y, tick.begun, t + tick.s], u)[0]
                allowed[i] = allowed[i] * where(here, abs(mask) > 0.0, 1.0)
        return allowed

    def _happened(
        self, tick: Tick, k: int, i: int, side: Any, happened: Any, before: int, t: Any, u: Vector
    ) -> Tick:
        """After the reset of a transition, where its event has happened in its phase."""
        mine = happened * (abs(tick.phase - float(before)) < 0.5) * (tick.status <= 0.0)
        now = Moment(tick.begun, t + tick.s, side, tick.crowd, tick.latest, tick.last[i], tick.repeats[i])
        flat = when(mine, self.resets.reset(k), [*tick.y, *now], u)
        after, size = After(*flat[self.phases.size :]), self.phases.size
        last, repeats = list(tick.last), list(tick.repeats)
        last[i], repeats[i] = where(mine, after.last, last[i]), where(mine, after.repeats, repeats[i])
        return Tick(
            [where(mine, a, b) for a, b in zip(flat[:size], tick.y, strict=True)],
            where(mine, after.phase, tick.phase),
            where(mine, after.begun, tick.begun),
            where(mine, after.status, tick.status),
            where(mine * (after.status > 0.0), float(i) + 0.0 * t, tick.event),
            tick.s,
            where(mine, after.crowd, tick.crowd),
            where(mine, after.latest, tick.latest),
            last,
            repeats,
            tick.held,
        )
