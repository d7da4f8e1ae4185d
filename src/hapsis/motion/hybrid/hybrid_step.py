"""A whole time step of a hybrid as one Function, for loops that run at a fixed rate and for pages.

A step is made of segments: each goes to the end of the step, or to the first event on the way and through
what that event does. The event is located by bracketing on the method's own steps, so that a step with an
event is as exact as one without. A bounce that would end within one step ends in the phase of rest; where
there is none, the rest of that step is skipped.

The state of the step is that of a model; behind the states of laws stand the number of the phase and the
time at which it began. Behind an event that ends the motion, or that leads to a phase whose constraints
the state does not meet, the phase is -1, and nothing moves any more.
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
from hapsis.motion.hybrid.phase_steps import arguments, phase_masks, phase_motion, phase_values
from hapsis.motion.hybrid.phase_system import PhaseSystem
from hapsis.motion.hybrid.transitions import ResetWriter
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.solvers.run.phase_memory import GAP, HEAD, MASK, TORN

MOST_EVENTS = 8  # in one step; after them the rest of the step is skipped
TRIES = 40  # to locate an event
CLOSE = 1e-13  # of a segment: the bracket of an event
BEHIND = 1e-9  # of a segment: how far behind its zero an event happens
LITTLE = 1e-3  # of what a value changes by: a point that a bounce has left so far behind zero is still on it
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
        over = phase < 0.0
        end = [*(where(over, a, b) for a, b in zip(y, moved, strict=True)), phase, begun, self.dt + 0.0 * t]
        done: Any = 1.0 + 0.0 * t
        if self.events:
            held = self._left_on(now, then, y, t + s, phase, begun, u)
            fired = self._any(self._crossed(now, then, held)) * (phase >= 0.0)
            happened = self._when(fired, self.happening(), x, t, u)
            end = [where(fired, a, b) for a, b in zip(happened, end, strict=True)]
            done = where(end[-1] < self.dt, 0.0 * t, done)
        inputs = {"x": x, "t": t, **({"u": u} if self.n_u else {})}
        return Function("segment", inputs, {"x": end, "done": done})

    def happening(self) -> Function:
        """(x, t, u) -> x: through the events of the first moment at which there is one before the step ends.

        They act in the order of the list, each from the phase that those before it have led to.
        """
        graph = Graph()
        x = list(symbols("x", self.size + MORE + 1, graph=graph))
        t = symbol("t", graph=graph)
        u = list(symbols("u", self.n_u, graph=graph))
        y, (phase, begun, s) = x[: self.size], x[self.size :]
        h, zero = self.dt - s, 0.0 * t
        more = [u] if self.n_u else []
        end = self._moved(y, phase, t + s, h, u)
        now, then = (self._watched(*state, phase, begun, u) for state in ((y, t + s), (end, t + self.dt)))
        held = self._left_on(now, then, y, t + s, phase, begun, u)
        bracket = [zero, zero + 1.0, zero + 1.0, zero + 1.0, zero, zero - 1.0, *now, *then]
        known = (now, held, y, phase, begun, s, t, *more)
        bracket = list(blocks.repeat(self.bracketing(), bracket, *known, times=TRIES))
        part = minimum(bracket[1] + BEHIND, 1.0)
        at = s + part * h
        met = self._moved(y, phase, t + s, part * h, u)
        there = self._watched(met, t + at, phase, begun, u)
        both = (self._crossed(now, values, held) for values in (bracket[-len(self.events) :], there))
        happens = [(a + b) > 0.0 for a, b in zip(*both, strict=True)]
        result, rests = [*met, phase, begun, at], {each.rest for each in self.transitions}
        for i, now_i in enumerate(happens):
            *old, before, since, over = result
            for k, each in enumerate(self.transitions):
                if each.event != i or k in rests:
                    continue
                mine = now_i * (abs(before - float(each.before)) < 0.5)
                after = self._when(mine, self.reset(k), [*old, since, at], t, u)
                result = [where(mine, a, b) for a, b in zip(after, result, strict=True)]
            result[-1] = maximum(result[-1], over)
        inputs = {"x": x, "t": t, **({"u": u} if self.n_u else {})}
        return Function("happening", inputs, {"x": result})

    def bracketing(self) -> Function:
        """(bracket, now, held, y, phase, begun, s, t, u) -> bracket, done: one step of the Illinois method.

        A bracket is two parts of the segment, the weights of its ends, which end moved last, the event that
        seems to be the first, and the values of all events at both ends. None has happened at the one end, at
        least one at the other.
        """
        graph, count = Graph(), len(self.events)
        bracket = list(symbols("bracket", 6 + 2 * count, graph=graph))
        start, held = (list(symbols(name, count, graph=graph)) for name in ("now", "held"))
        y = list(symbols("y", self.size, graph=graph))
        phase, begun, s, t = (symbol(name, graph=graph) for name in ("phase", "begun", "s", "t"))
        u = list(symbols("u", self.n_u, graph=graph))
        a, b, wa, wb, side, last = bracket[:6]
        at_a, at_b = bracket[6 : 6 + count], bracket[6 + count :]
        h, width, one = self.dt - s, b - a, 1.0 + 0.0 * t
        first = self._first(at_a, at_b, self._crossed(start, at_b, held))
        same = abs(first - last) < 0.5
        wa, wb, side = where(same, wa, one), where(same, wb, one), where(same, side, 0.0 * t)
        ga, gb = wa * self._value(first, at_a), wb * self._value(first, at_b)
        part = a + width * ga / (ga - gb)
        # never quite at an end, so that the bracket shrinks from both sides
        part = minimum(maximum(part, a + 0.01 * width), b - 0.01 * width)
        moved = self._moved(y, phase, t + s, part * h, u)
        g = self._watched(moved, t + s + part * h, phase, begun, u)
        hit = self._any(self._crossed(start, g, held)) > 0.0
        # the value of an end that stays twice is halved, so that the other end moves
        result = [
            where(hit, a, part),
            where(hit, part, b),
            where(hit, where(side < 0.0, 0.5 * wa, wa), one),
            where(hit, one, where(side > 0.0, 0.5 * wb, wb)),
            where(hit, -one, one),
            first,
            *(where(hit, old, new) for old, new in zip(at_a, g, strict=True)),
            *(where(hit, new, old) for old, new in zip(at_b, g, strict=True)),
        ]
        done = where(result[1] - result[0] < CLOSE, 1.0 + 0.0 * t, 0.0 * t)
        inputs = {"bracket": bracket, "now": start, "held": held, "y": y}
        inputs |= {"phase": phase, "begun": begun, "s": s, "t": t, **({"u": u} if self.n_u else {})}
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
        mask, gap, new = self._reset(each, y, t + s, begun, u)
        entered = begun if each.after == each.before else t + s
        after = [*new, float(each.after) + 0.0 * t, entered, s]
        if self.events[each.event].stop:
            after = [*new, STOPPED + 0.0 * t, entered, self.dt + 0.0 * t]
        elif self._bounces(each):
            ends = self._ends_at_once(each, new, entered, t + s, u)
            last = self.transitions[each.rest] if each.rest >= 0 else resting(each)
            still = self._reset(last, y, t + s, begun, u)[2]
            since = begun if last.after == last.before else t + s
            over = s if each.rest >= 0 else self.dt + 0.0 * t
            rest = [*still, float(last.after) + 0.0 * t, since, over]
            after = [where(ends, a, b) for a, b in zip(rest, after, strict=True)]
        stopped = [*y, STOPPED + 0.0 * t, begun, self.dt + 0.0 * t]
        after = [where(gap <= TORN, a, b) for a, b in zip(after, stopped, strict=True)]
        nothing = [*y, float(each.before) + 0.0 * t, begun, s]
        result = [where(abs(mask) > 0.0, a, b) for a, b in zip(after, nothing, strict=True)]
        inputs = {"x": x, "t": t, **({"u": u} if self.n_u else {})}
        return Function("reset", inputs, {"x": result})

    def _reset(
        self, each: Transition, y: Vector, t: Any, begun: Any, u: Vector
    ) -> tuple[Any, Any, list[Any]]:
        """The mask of a transition, how far it is from fitting its phase, and the state after its actions."""
        before, after = self.systems[each.before], self.systems[each.after]

        writer = ResetWriter(before, self.events[each.event], each.actions)
        function = writer.reset(
            after, lambda action, swaps: jump(after.model, after.partition, action, swaps, self.q)
        )
        result = self._called(before, function, y, t, begun, u)
        return result[MASK], result[GAP], list(result[HEAD : HEAD + self.size])

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

    def _crossed(self, start: Vector, end: Vector, held: Vector) -> list[Any]:
        """Which events happen as their values go from those at the start of a segment to others."""
        return [self._crosses(i, *each) for i, each in enumerate(zip(start, end, held, strict=True))]

    def _crosses(self, i: int, a: Any, b: Any, on: Any) -> Any:
        direction = self.events[i].direction
        falls, rises = (a > 0.0) * (b <= 0.0), (a < 0.0) * (b >= 0.0)
        if self.bouncing[i] and direction:  # also where the last bounce has left it a little behind zero
            falls += on * (a <= 0.0) * (b < a)
            rises += on * (a >= 0.0) * (b > a)
        return falls if direction < 0 else rises if direction > 0 else falls + rises

    def _any(self, happens: Vector) -> Any:
        """More than zero where one of them is."""
        most = happens[0]
        for each in happens[1:]:
            most = maximum(most, each)
        return most

    def _first(self, start: Vector, end: Vector, happens: Vector) -> Any:
        """The number of the event that happens first, if values change at constant rates."""
        first, which = 2.0 + 0.0 * start[0], 0.0 * start[0]
        for i, (a, b, here) in enumerate(zip(start, end, happens, strict=True)):
            fraction = where(here, maximum(a / where(here, a - b, 1.0 + 0.0 * a), 0.0), 2.0 + 0.0 * a)
            which = where(fraction < first, float(i) + 0.0 * a, which)
            first = minimum(first, fraction)
        return which

    def _left_on(
        self, now: Vector, then: Vector, y: Vector, t: Any, phase: Any, begun: Any, u: Vector
    ) -> list[Any]:
        """Which bouncing events have a point that the last bounce has left a little behind zero.

        Values go from `now` to `then` in the segment. What goes through the ground where the condition of its
        event does not hold is not on it.
        """
        masks = [1.0 + 0.0 * t] * len(self.events)
        if any(event.only for event, on in zip(self.events, self.bouncing, strict=True) if on):
            bodies = [
                phase_masks(system, self.events, [a and b for a, b in zip(on, self.bouncing, strict=True)])
                for system, on in zip(self.systems, self.active, strict=True)
            ]
            masks = self._by_phase(phase, bodies, y, t, begun, u)
        return [
            (abs(a) <= LITTLE * abs(b - a)) * (abs(mask) > 0.0)
            for a, b, mask in zip(now, then, masks, strict=True)
        ]

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
