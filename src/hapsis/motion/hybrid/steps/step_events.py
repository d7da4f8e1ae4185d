"""Where in a step an event happens: on the method's own steps, also where it passes zero twice.

A segment is what is left of the step. Two changes of sign within it cancel at its ends. They are found by
a cubic through the values and rates at both: the segment then ends where that comes nearest to zero. So a
ball that leaves the ground and is back within a step is not lost. The rules are those of a run.
"""

from collections.abc import Sequence
from typing import Any, final

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, sqrt, where
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.motion.hybrid.steps.phase_steps import NUDGE
from hapsis.motion.hybrid.steps.step_phases import StepPhases
from hapsis.motion.solvers.run.phase_memory import INSTANT
from hapsis.motion.solvers.run.values_after_resets import STILL

TRIES = 40  # to locate an event
CLOSE = 1e-13  # of a segment: the bracket of an event
BEHIND = 1e-10  # of a segment: how far behind its zero an event happens
DEEP = 0.5  # of the values at the ends: a hump that seems to go below is looked at
LEAST = 1e-9  # of a segment: no part of it is shorter
ZERO = 1e-15  # s: how far ahead it is looked where a value is zero
NEAR = 1e-6  # of a segment: what is no farther from zero, and leaves it, starts at zero

Vector = Sequence[Any]


@final
class StepEvents:
    """Locates the events of a segment."""

    def __init__(self, phases: StepPhases) -> None:
        self.phases, self.events = phases, phases.events

    def watched(self, y: Vector, phase: Any, t: Any, begun: Any, u: Vector) -> tuple[list[Any], list[Any]]:
        """The values of all events and their rates; what is at zero is on the side to which it goes.

        So an event at the very end of a step happens there: the next one would begin behind it.
        """
        values, rates = self.phases.watched(y, phase, t, begun, u)
        return [where(a == 0.0, ZERO * r, a) for a, r in zip(values, rates, strict=True)], rates

    def started(
        self, y: Vector, phase: Any, t: Any, begun: Any, u: Vector, h: Any
    ) -> tuple[list[Any], list[Any]]:
        """The same at the start of a segment of length h, on its side where it leaves zero."""
        values, rates = self.watched(y, phase, t, begun, u)
        for i, (event, a, r) in enumerate(zip(self.events, values, rates, strict=True)):
            if event.direction:
                leaves = (r * float(event.direction) < 0.0) * (abs(a) <= NEAR * h * abs(r))
                values[i] = where(leaves, ZERO * r, a)
        return values, rates

    def sides(self, values: Vector, rates: Vector) -> list[Any]:
        """On which side of zero each value is, 1 or -1; at zero, that to which it goes."""
        return [
            where(a > 0.0, 1.0, where(a < 0.0, -1.0, where(r > 0.0, 1.0, where(r < 0.0, -1.0, 0.0))))
            + 0.0 * a
            for a, r in zip(values, rates, strict=True)
        ]

    def held(self, start: tuple[Vector, Any], tick: Any, t: Any, u: Vector) -> list[Any]:
        """1 for values that stood at zero before an event, as of feet on the ground, and go through it after.

        They are beyond zero from there, on whichever side of it rounding has put them.

        start    the state before it, and its phase
        tick     the state after it
        """
        (y, phase), after = start, (tick.phase, t, tick.begun, u)
        moved = self.phases.moved(y, phase, t, NUDGE + 0.0 * t, u)
        then = self.phases.watched(moved, *after)[0]
        values, rates = self.phases.watched(tick.y, *after)
        result: list[Any] = []
        every = zip(self.events, self.phases.watched(y, *after)[0], then, values, rates, strict=True)
        for event, a, b, value, rate in every:
            through = (rate * float(event.direction) > 0.0) * (abs(value) <= INSTANT * abs(rate))
            result.append(where(through * (abs(b - a) <= STILL * NUDGE * abs(rate)), 1.0 + 0.0 * t, 0.0 * t))
        return result

    def crossed(self, sides: Vector, values: Vector) -> list[Any]:
        """Which events have happened where values that began on these sides are now."""
        happens: list[Any] = []
        for event, side, value in zip(self.events, sides, values, strict=True):
            happened = (side * value < 0.0) * 1.0
            if event.direction:
                happened = happened * (side * float(event.direction) < 0.0)
            happens.append(happened)
        return happens

    def whole(self, sides: Vector, start: tuple[Vector, Vector], end: tuple[Vector, Vector], h: Any) -> Any:
        """The part of a segment that is looked at: all, or up to where an event seems to turn back.

        start, end   values and rates of all events
        """
        part: Any = 1.0 + 0.0 * h
        for side, a, p, b, q in zip(sides, *start, *end, strict=True):
            part = minimum(part, self._turn(side * a, side * b, side * h * p, side * h * q))
        return part

    def _turn(self, a: Any, b: Any, p: Any, q: Any) -> Any:
        """Where a cubic comes near zero and back; 1 where it does not. It has values a, b and slopes p, q."""
        turns = (b > 0.0) * (p < 0.0) * (q > 0.0)
        # the root of its derivative, p + B x + A x², that lies between
        d = b - a
        A, B = 3.0 * (p + q - 2.0 * d), 2.0 * (3.0 * d - 2.0 * p - q)
        below = B + sqrt(maximum(B * B - 4.0 * A * p, 0.0))
        x = -2.0 * p / where(turns, below, 1.0 + 0.0 * p)
        low = a + x * (p + x * (0.5 * B + x * (A / 3.0)))
        near = turns * (low < DEEP * minimum(a, b)) * (x > 0.0) * (x < 1.0)
        return where(near, maximum(x, LEAST), 1.0 + 0.0 * x)

    def located(self, bracket: Vector, known: Vector) -> list[Any]:
        """The bracket [a, b, ...] of the first event; `known` are the other inputs of `bracketing`."""
        return list(blocks.repeat(self.bracketing(), list(bracket), *known, times=TRIES))

    def bracketing(self) -> Function:
        """(bracket, sides, y, phase, begun, t, h, u) -> bracket, done: one step of the Illinois method.

        A bracket is two parts of the segment, the weights of its ends, which end moved last, the event that
        seems to be the first, and the values of all events at both ends. None has happened at the one end, at
        least one at the other.
        """
        graph, count = Graph(), len(self.events)
        bracket = list(symbols("bracket", 6 + 2 * count, graph=graph))
        sides = list(symbols("sides", count, graph=graph))
        y = list(symbols("y", self.phases.size, graph=graph))
        phase, begun, t, h = (symbol(name, graph=graph) for name in ("phase", "begun", "t", "h"))
        u = list(symbols("u", self.phases.n_u, graph=graph))
        a, b, wa, wb, moved_last, last = bracket[:6]
        at_a, at_b = bracket[6 : 6 + count], bracket[6 + count :]
        width, one = b - a, 1.0 + 0.0 * t
        first = self._first(at_a, at_b, self.crossed(sides, at_b))
        same = abs(first - last) < 0.5
        wa, wb, moved_last = where(same, wa, one), where(same, wb, one), where(same, moved_last, 0.0 * t)
        ga, gb = wa * _value(first, at_a), wb * _value(first, at_b)
        part = a + width * ga / (ga - gb)
        # never quite at an end, so that the bracket shrinks from both sides
        part = minimum(maximum(part, a + 0.01 * width), b - 0.01 * width)
        moved = self.phases.moved(y, phase, t, part * h, u)
        g = self.watched(moved, phase, t + part * h, begun, u)[0]
        hit = any_of(self.crossed(sides, g)) > 0.0
        # the value of an end that stays twice is halved, so that the other end moves
        result = [
            where(hit, a, part),
            where(hit, part, b),
            where(hit, where(moved_last < 0.0, 0.5 * wa, wa), one),
            where(hit, one, where(moved_last > 0.0, 0.5 * wb, wb)),
            where(hit, -one, one),
            first,
            *(where(hit, old, new) for old, new in zip(at_a, g, strict=True)),
            *(where(hit, new, old) for old, new in zip(at_b, g, strict=True)),
        ]
        done = where(result[1] - result[0] < CLOSE, 1.0 + 0.0 * t, 0.0 * t)
        inputs = {"bracket": bracket, "sides": sides, "y": y, "phase": phase, "begun": begun, "t": t, "h": h}
        inputs |= {"u": u} if self.phases.n_u else {}
        return Function("bracketing", inputs, {"bracket": result, "done": done})

    def _first(self, start: Vector, end: Vector, happens: Vector) -> Any:
        """The number of the event that happens first, if values change at constant rates."""
        first, which = 2.0 + 0.0 * start[0], 0.0 * start[0]
        for i, (a, b, here) in enumerate(zip(start, end, happens, strict=True)):
            fraction = where(here, maximum(a / where(here, a - b, 1.0 + 0.0 * a), 0.0), 2.0 + 0.0 * a)
            which = where(fraction < first, float(i) + 0.0 * a, which)
            first = minimum(first, fraction)
        return which


def any_of(happens: Vector) -> Any:
    """More than zero where one of them is."""
    most = happens[0]
    for each in happens[1:]:
        most = maximum(most, each)
    return most


def _value(which: Any, values: Vector) -> Any:
    """The value of that number."""
    value = values[0]
    for i, each in enumerate(values[1:], start=1):
        value = where(abs(which - float(i)) < 0.5, each, value)
    return value
