"""A whole time step of a hybrid as one Function, for loops that run at a fixed rate and for pages.

A step is made of segments: each goes to the end of the step, or to the first event on the way and through
what that event does. The event is located by bracketing on the method's own steps, so that a step with an
event is as exact as one without. A bounce that would end within one step ends in the phase of rest; where
there is none, the rest of that step is skipped.

The state of the step is that of a model; behind the states of laws stand the number of the phase and the
time at which it began. Behind an event that ends the motion the phase is -1, and nothing moves any more.
What does not happen is not computed: phases, events and resets are skipped in native code where they do
not count.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, where
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.motion.hybrid.actions import Impact, Swap
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.hybrid.impacts import held, jump, struck_points
from hapsis.motion.hybrid.machine import Transition, resting, transitions_of
from hapsis.motion.hybrid.phase_steps import arguments, phase_motion, phase_values
from hapsis.motion.hybrid.phase_system import PhaseSystem
from hapsis.motion.hybrid.transitions import ResetWriter
from hapsis.motion.simulate.equations.system import System

MOST_EVENTS = 8  # in one step; after them the rest of the step is skipped
TRIES = 40  # to locate an event
CLOSE = 1e-13  # of a segment: the bracket of an event
BEHIND = 1e-9  # of a segment: how far behind its zero an event happens
STOPPED = -1.0  # the phase behind an event that ends the motion
MORE = 2  # states behind those of the model: phase, begun

Vector = Sequence[Any]


class HybridStep:
    """Writes the step; all phases have their systems.

    arrivals   by transition the pose after it, at which rows that an impact holds are told from others
    """

    def __init__(
        self, hybrid: Hybrid, phases: Sequence[PhaseSystem], dt: float, substeps: int, q: Any
    ) -> None:
        self.hybrid, self.phases, self.dt, self.substeps, self.q = hybrid, list(phases), dt, substeps, q
        self.events = list(hybrid.events)
        self.transitions = transitions_of(hybrid, self.events)
        self.systems: list[System] = [phase.system for phase in phases if phase.system is not None]
        layout = self.systems[0].layout
        self.size, self.n_u = layout.size - 1, len(self.systems[0].held)
        own = {(each.event, each.before) for each in self._main()}
        self.active = [[(i, p) in own for i in range(len(self.events))] for p in range(len(phases))]

        self.bouncing = [False] * len(self.events)
        for each in self._main():
            self.bouncing[each.event] |= self._bounces(each)

    def _main(self) -> list[Transition]:
        """The transitions without those of rest."""
        rests = {each.rest for each in self.transitions}
        return [each for k, each in enumerate(self.transitions) if k not in rests]

    def state(self, x: Vector, t: Any, u: Vector) -> list[Any]:
        """The state and phase and begun at the end of a step from x at t."""
        body = self.segment()
        end = blocks.repeat(body, [*x, t * 0.0], t, *([u] if self.n_u else []), times=MOST_EVENTS)
        return list(end)[: self.size + MORE]

    # segments ------------------------------------------------------------------------------------

    def segment(self) -> Function:
        """(x, t, u) -> x, done: to the end of the step, or through its next event.

        x is the state, phase, begun, and the time since the step began.
        """
        graph = Graph()
        x = list(symbols("x", self.size + MORE + 1, graph=graph))
        t = symbol("t", graph=graph)
        u = list(symbols("u", self.n_u, graph=graph))
        y, (phase, begun, s) = x[: self.size], x[self.size :]
        h = self.dt - s
        moved = self._moved(y, phase, t + s, h, u)
        now, then = (self._watched(*state, phase, begun, u) for state in ((y, t + s), (moved, t + self.dt)))
        fractions = [
            where(self._crossed(i, a, b), maximum(a / (a - b), 0.0), 2.0 + 0.0 * t)
            for i, (a, b) in enumerate(zip(now, then, strict=True))
        ]
        over = phase < 0.0
        end = [*(where(over, a, b) for a, b in zip(y, moved, strict=True)), phase, begun, self.dt + 0.0 * t]
        done: Any = 1.0 + 0.0 * t
        if fractions:
            first, which = fractions[0], 0.0 * t
            for i, fraction in enumerate(fractions[1:], start=1):
                which = where(fraction < first, float(i) + 0.0 * t, which)
                first = minimum(first, fraction)
            fired = (first <= 1.0) * (phase >= 0.0)
            happened = self._when(fired, self.happening(), x, which, t, u)
            end = [where(fired, a, b) for a, b in zip(happened, end, strict=True)]
            done = where(end[-1] < self.dt, 0.0 * t, done)
        inputs = {"x": x, "t": t, **({"u": u} if self.n_u else {})}
        return Function("segment", inputs, {"x": end, "done": done})

    def happening(self) -> Function:
        """(x, which, t, u) -> x: through the event of that number, which happens before the step ends."""
        graph = Graph()
        x = list(symbols("x", self.size + MORE + 1, graph=graph))
        t, which = symbol("t", graph=graph), symbol("which", graph=graph)
        u = list(symbols("u", self.n_u, graph=graph))
        y, (phase, begun, s) = x[: self.size], x[self.size :]
        h = self.dt - s
        more = [u] if self.n_u else []
        bracket = [0.0 * t, 1.0 + 0.0 * t, *self._ends(y, phase, begun, s, which, t, u), 0.0 * t]
        bracket = blocks.repeat(self.bracketing(), bracket, y, phase, begun, s, which, t, *more, times=TRIES)
        part = minimum(bracket[1] + BEHIND, 1.0)
        at = s + part * h
        met = self._moved(y, phase, t + s, part * h, u)
        result = [*met, phase, begun, at]
        for k, each in enumerate(self.transitions):
            if any(other.rest == k for other in self.transitions):
                continue
            happens = (abs(which - float(each.event)) < 0.5) * (abs(phase - float(each.before)) < 0.5)
            after = self._when(happens, self.reset(k), [*met, begun, at], t, u)
            result = [where(happens, a, b) for a, b in zip(after, result, strict=True)]
        inputs = {"x": x, "which": which, "t": t, **({"u": u} if self.n_u else {})}
        return Function("happening", inputs, {"x": result})

    def _ends(self, y: Vector, phase: Any, begun: Any, s: Any, which: Any, t: Any, u: Vector) -> list[Any]:
        """The values of an event at the start and at the end of a segment."""
        moved = self._moved(y, phase, t + s, self.dt - s, u)
        return [
            self._value(which, self._watched(*state, phase, begun, u))
            for state in ((y, t + s), (moved, t + self.dt))
        ]

    def bracketing(self) -> Function:
        """(bracket, y, phase, begun, s, which, t, u) -> bracket, done: one step of the Illinois method.

        A bracket is two parts of the segment, the values of the event there, and which end moved last.
        """
        graph = Graph()
        bracket = list(symbols("bracket", 5, graph=graph))
        y = list(symbols("y", self.size, graph=graph))
        names = ("phase", "begun", "s", "which", "t")
        phase, begun, s, which, t = (symbol(name, graph=graph) for name in names)
        u = list(symbols("u", self.n_u, graph=graph))
        a, b, ga, gb, side = bracket
        h, width = self.dt - s, b - a
        part = a + width * ga / (ga - gb)
        # never quite at an end, so that the bracket shrinks from both sides
        part = minimum(maximum(part, a + 0.01 * width), b - 0.01 * width)
        moved = self._moved(y, phase, t + s, part * h, u)
        g = self._value(which, self._watched(moved, t + s + part * h, phase, begun, u))
        before, one = g * gb > 0.0, 1.0 + 0.0 * t
        # the value of an end that stays twice is halved, so that the other end moves
        result = [
            where(before, a, part),
            where(before, part, b),
            where(before, where(side < 0.0, 0.5 * ga, ga), g),
            where(before, g, where(side > 0.0, 0.5 * gb, gb)),
            where(before, -one, one),
        ]
        done = where(result[1] - result[0] < CLOSE, 1.0 + 0.0 * t, 0.0 * t)
        inputs = {"bracket": bracket, "y": y, "phase": phase, "begun": begun, "s": s, "which": which, "t": t}
        inputs |= {"u": u} if self.n_u else {}
        return Function("bracketing", inputs, {"bracket": result, "done": done})

    # resets --------------------------------------------------------------------------------------

    def reset(self, k: int) -> Function:
        """(x, t, u) -> x: what a transition does; x is y, begun and the time since the step began."""
        each = self.transitions[k]
        graph = Graph()
        x = list(symbols("x", self.size + 2, graph=graph))
        t = symbol("t", graph=graph)
        u = list(symbols("u", self.n_u, graph=graph))
        y, begun, s = x[: self.size], x[self.size], x[self.size + 1]
        mask, new = self._reset(each, y, t + s, begun, u)
        entered = begun if each.after == each.before else t + s
        after = [*new, float(each.after) + 0.0 * t, entered, s]
        if self.events[each.event].stop:
            after = [*new, STOPPED + 0.0 * t, entered, self.dt + 0.0 * t]
        elif self._bounces(each):
            ends = self._ends_at_once(each, new, entered, t + s, u)
            last = self.transitions[each.rest] if each.rest >= 0 else resting(each)
            still = self._reset(last, y, t + s, begun, u)[1]
            since = begun if last.after == last.before else t + s
            over = s if each.rest >= 0 else self.dt + 0.0 * t
            rest = [*still, float(last.after) + 0.0 * t, since, over]
            after = [where(ends, a, b) for a, b in zip(rest, after, strict=True)]
        nothing = [*y, float(each.before) + 0.0 * t, begun, s]
        result = [where(abs(mask) > 0.0, a, b) for a, b in zip(after, nothing, strict=True)]
        inputs = {"x": x, "t": t, **({"u": u} if self.n_u else {})}
        return Function("reset", inputs, {"x": result})

    def _reset(self, each: Transition, y: Vector, t: Any, begun: Any, u: Vector) -> tuple[Any, list[Any]]:
        """The mask of a transition, and the state after its actions."""
        before, after = self.systems[each.before], self.systems[each.after]

        writer = ResetWriter(before, self.events[each.event], each.actions)
        function = writer.reset(
            after, lambda action, swaps: jump(after.model, after.partition, action, swaps, self.q)
        )
        result = self._called(before, function, y, t, begun, u)
        return result[0], list(result[3 : 3 + self.size])

    def _bounces(self, each: Transition) -> bool:
        """Whether an impact strikes a point that the phase after does not hold."""
        model, actions = self.systems[each.after].model, each.actions
        for k, action in enumerate(actions):
            if isinstance(action, Impact):
                swaps = [other for other in actions[k + 1 :] if isinstance(other, Swap)]
                if not all(held(model, point, self.q) for point in struck_points(action, swaps)):
                    return True
        return False

    def _ends_at_once(self, each: Transition, y: Vector, begun: Any, t: Any, u: Vector) -> Any:
        """Whether a bounce is over within one step: its event would happen again."""
        if not self.active[each.after][each.event]:
            return 0.0 * t
        phase = float(each.after) + 0.0 * t
        moved = self._moved(y, phase, t, self.dt + 0.0 * t, u)
        value = self._watched(moved, t + self.dt, phase, begun, u)[each.event]
        return value >= 0.0 if self.events[each.event].direction > 0 else value <= 0.0

    # parts ---------------------------------------------------------------------------------------

    def _when(self, condition: Any, function: Function, x: Vector, *others: Any) -> list[Any]:
        """The output of a Function, computed only where the condition holds; else zeros."""
        rest = [other for other in others if not isinstance(other, list) or other]
        flat = blocks.map(function, np.array([list(x)], object), *rest, when=[condition])
        return list(np.asarray(flat, object)[0])

    def _crossed(self, i: int, a: Any, b: Any) -> Any:
        """Whether an event happens as its value goes from a to b."""
        direction = self.events[i].direction
        if self.bouncing[i] and direction:  # also where the last bounce has left it a little behind zero
            return (b <= 0.0) * (b < a) if direction < 0 else (b >= 0.0) * (b > a)
        falls, rises = (a > 0.0) * (b <= 0.0), (a < 0.0) * (b >= 0.0)
        return falls if direction < 0 else rises if direction > 0 else falls + rises

    def _value(self, which: Any, values: Vector) -> Any:
        """The value of that number."""
        value = values[0]
        for i, each in enumerate(values[1:], start=1):
            value = where(abs(which - float(i)) < 0.5, each, value)
        return value

    def _moved(self, y: Vector, phase: Any, t: Any, h: Any, u: Vector) -> list[Any]:
        """The state after h seconds in that phase."""
        bodies = [phase_motion(system, self.substeps) for system in self.systems]
        return self._by_phase(phase, bodies, y, t, h, u)

    def _watched(self, y: Vector, t: Any, phase: Any, begun: Any, u: Vector) -> list[Any]:
        """The values of all events in that phase."""
        if not self.events:
            return []
        bodies = [phase_values(s, self.events, on) for s, on in zip(self.systems, self.active, strict=True)]
        return self._by_phase(phase, bodies, y, t, begun, u)

    def _by_phase(self, phase: Any, bodies: Sequence[Function], y: Vector, *others: Any) -> list[Any]:
        """The output of the Function of that phase; those of the others are skipped."""
        if len(bodies) == 1:
            rest = [other for other in others if not isinstance(other, list) or other]
            return list(blocks.call(bodies[0], list(y), *rest))
        total: list[Any] | None = None
        for k, body in enumerate(bodies):
            part = self._when(abs(phase - float(k)) < 0.5, body, y, *others)
            total = part if total is None else [a + b for a, b in zip(total, part, strict=True)]
        assert total is not None
        return total

    def _called(self, system: System, function: Function, y: Vector, t: Any, begun: Any, u: Vector) -> Any:
        return blocks.call(function, *arguments(system, function, y, t, u, begun))
