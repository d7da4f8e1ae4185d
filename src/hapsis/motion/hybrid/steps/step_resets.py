"""What events do in a step of a hybrid: their resets, and the rules that end what would never end.

The rules are those of a run: a strike must leave its event behind, bounces that follow each other within an
instant go on in the phase of rest, and a state that does not fit the phase after ends the motion.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, final

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, where
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.motion.hybrid.actions import Impact
from hapsis.motion.hybrid.impacts import jump
from hapsis.motion.hybrid.machine import Transition
from hapsis.motion.hybrid.steps import step_status as status
from hapsis.motion.hybrid.steps.phase_steps import arguments
from hapsis.motion.hybrid.steps.step_phases import StepPhases, finite
from hapsis.motion.hybrid.transitions import ResetWriter
from hapsis.motion.solvers.run.phase_memory import BOUNCES, GAP, HEAD, INSTANT, MASK, TORN
from hapsis.motion.solvers.run.phased_explicit import REPEATS
from hapsis.motion.solvers.run.values_after_resets import DEEP, KEPT, REACH

Vector = Sequence[Any]


class Moment(NamedTuple):
    """What the reset of an event takes besides the state: the side that its value came from, and its memory.

    crowd, latest   events without an instant between them, and when the last of them happened
    last, repeats   when this event happened last, and how often within instants
    """

    begun: Any
    at: Any
    side: Any
    crowd: Any
    latest: Any
    last: Any
    repeats: Any


class After(NamedTuple):
    """What stands behind the state in the output of a reset."""

    phase: Any
    begun: Any
    status: Any
    crowd: Any
    latest: Any
    last: Any
    repeats: Any


@final
class StepResets:
    """Writes the resets of transitions; `q` is a pose like those at which phases begin."""

    def __init__(self, phases: StepPhases, transitions: Sequence[Transition], q: Any) -> None:
        self.phases, self.transitions, self.q = phases, list(transitions), q

    def reset(self, k: int) -> Function:
        """(x, u) -> x: the state and a Moment to the state and what is After; time is at."""
        each, phases, graph = self.transitions[k], self.phases, Graph()
        x = list(symbols("x", phases.size + len(Moment._fields), graph=graph))
        u = list(symbols("u", phases.n_u, graph=graph))
        y, now = x[: phases.size], Moment(*x[phases.size :])
        zero = 0.0 * now.at
        mask, problem, new = self._result(each, y, now, u)
        crowd = where(now.at - now.latest > INSTANT, zero, now.crowd) + 1.0
        quick = now.at - now.last < INSTANT
        repeats = where(quick, now.repeats + 1.0, zero)
        target, begun = float(each.after) + zero, self._begun(each, now)
        stuck = 1.0 - self._leaves(each, new, now, begun, u)
        if each.strikes:
            stuck = stuck * (1.0 - self._goes_on(each, y, new, now, begun, u))
            stuck = stuck + self._rocks(each, new, now, begun, u)
            ends = where(stuck + quick > 0.0, 1.0 + zero, zero)
            if each.rest >= 0:
                last = self.transitions[each.rest]
                _, still, rest = self._result(last, y, now, u)
                problem = where(problem > 0.0, problem, where(ends, still, zero))
                new = [where(ends, a, b) for a, b in zip(rest, new, strict=True)]
                target = where(ends, float(last.after) + zero, target)
                begun = where(ends, self._begun(last, now), begun)
            else:
                endless = status.ZENO if each.strikes == BOUNCES else status.CHATTERING
                problem = where(problem > 0.0, problem, where(ends, endless + zero, zero))
        else:
            problem = where(problem > 0.0, problem, where(stuck * quick, status.ZENO + zero, zero))
            problem = where(repeats > REPEATS, status.CHATTERING + zero, problem)
        problem = where(crowd > REPEATS, status.CHATTERING + zero, problem)
        fails = problem > 0.0
        if phases.events[each.event].stop:
            problem = where(fails, problem, status.STOP + zero)
        over = problem > 0.0
        here = float(each.before) + zero
        after = After(
            where(fails, here, target), where(over, now.at, begun), problem, crowd, now.at, now.at, repeats
        )
        nothing = After(here, now.begun, zero, now.crowd, now.latest, now.last, now.repeats)
        state = [where(fails, a, b) for a, b in zip(y, new, strict=True)]
        result = [where(abs(mask) > 0.0, a, b) for a, b in zip([*state, *after], [*y, *nothing], strict=True)]
        inputs = {"x": x, **({"u": u} if phases.n_u else {})}
        return Function("reset", inputs, {"x": result})

    def mask(self, each: Transition) -> Function:
        """(x, u) -> mask: whether the conditions of an event hold; x are a state, begun and the time."""
        system, size, graph = self.phases.systems[each.before], self.phases.size, Graph()
        x = list(symbols("x", size + 2, graph=graph))
        u = list(symbols("u", self.phases.n_u, graph=graph))
        mask = ResetWriter(system, self.phases.events[each.event], ()).mask()
        value = blocks.call(mask, *arguments(system, mask, x[:size], x[-1], u, x[-2]))
        return Function("mask", {"x": x, **({"u": u} if u else {})}, {"mask": [value + 0.0 * x[-1]]})

    def _begun(self, each: Transition, now: Moment) -> Any:
        return now.begun if each.after == each.before else now.at

    def _result(self, each: Transition, y: Vector, now: Moment, u: Vector) -> tuple[Any, Any, list[Any]]:
        """The mask of a transition, what is wrong with its result, and the state after its actions."""
        before, after = (self.phases.systems[p] for p in (each.before, each.after))
        writer = ResetWriter(before, self.phases.events[each.event], each.actions)
        function = writer.reset(
            after, lambda action, swaps: jump(after.model, after.partition, action, swaps, self.q)
        )
        result = blocks.call(function, *arguments(before, function, y, now.at, u, now.begun))
        new, zero = list(result[HEAD : HEAD + self.phases.size]), 0.0 * now.at
        struck = any(isinstance(action, Impact) for action in each.actions)
        impossible = status.IMPACT if struck else status.NOT_FINITE
        problem = where(result[GAP] <= TORN, zero, status.OPEN + zero)
        problem = where(finite(new), problem, impossible + zero)
        closing = after.closing()
        if closing is not None:
            new = list(blocks.call(closing, *arguments(after, closing, new, now.at, u)))[:-1]
        return result[MASK], problem, new

    def _goes_on(self, each: Transition, y: Vector, new: Vector, now: Moment, begun: Any, u: Vector) -> Any:
        """1 where the value of an event goes on to change as it did, as a time does; else 0."""
        phases, i, zero = self.phases, each.event, 0.0 * now.at
        if not phases.active[each.after][i]:
            return zero
        before, after = float(each.before) + zero, float(each.after) + zero
        rate = -now.side * phases.watched(y, before, now.at, now.begun, u)[1][i]
        then = -now.side * phases.watched(new, after, now.at, begun, u)[1][i]
        return where((rate > 0.0) * (then > KEPT * rate), 1.0 + zero, zero)

    def _rocks(self, each: Transition, y: Vector, now: Moment, begun: Any, u: Vector) -> Any:
        """More than zero where another strike comes within an instant: its value leaves zero and is back."""
        phases, total = self.phases, 0.0 * now.at
        others = [
            x for x in self.transitions if x.strikes and x.before == each.after and x.event != each.event
        ]
        if not others:
            return total
        system, phase = phases.systems[each.after], float(each.after) + 0.0 * now.at
        values, rates = phases.watched(y, phase, now.at, begun, u)
        later = phases.moved(y, phase, now.at, REACH + 0.0 * now.at, u)
        rates_later = phases.watched(later, phase, now.at + REACH, begun, u)[1]
        for i in sorted({other.event for other in others}):
            if not phases.active[each.after][i]:
                continue
            rate, bend = rates[i], (rates_later[i] - rates[i]) / REACH
            back = (rate * float(phases.events[i].direction) < 0.0) * (rate * bend < 0.0)
            back = back * (abs(values[i]) <= INSTANT * abs(rate)) * (2.0 * abs(rate) < INSTANT * abs(bend))
            if phases.events[i].only:
                mask = ResetWriter(system, phases.events[i], ()).mask()
                holds = blocks.call(mask, *arguments(system, mask, y, now.at, u, begun))
                back = back * (abs(holds) > 0.0)
            total = total + back
        return total

    def _leaves(self, each: Transition, y: Vector, now: Moment, begun: Any, u: Vector) -> Any:
        """1 where the value of an event is or goes, after it, where it came from, or does not count; else 0.

        It must go back beyond zero for longer than an instant, by the parabola of its rate now and after
        some time.
        """
        phases, i = self.phases, each.event
        if not phases.active[each.after][i]:
            return 1.0 + 0.0 * now.at
        system, phase = phases.systems[each.after], float(each.after) + 0.0 * now.at
        values, rates = phases.watched(y, phase, now.at, begun, u)
        later = phases.moved(y, phase, now.at, REACH + 0.0 * now.at, u)
        rates_later = phases.watched(later, phase, now.at + REACH, begun, u)[1]
        value, rate = now.side * values[i], now.side * rates[i]
        bend = (rate - now.side * rates_later[i]) / REACH  # how fast the rate falls
        high = (2.0 * rate > INSTANT * bend) * (0.5 * rate * rate > DEEP * abs(value) * bend)
        leaves = where(value > 0.0, 1.0, (rate > 0.0) * where(bend > 0.0, high, 1.0))
        if phases.events[i].only:  # what goes through the ground where its condition does not hold may do so
            mask = ResetWriter(system, phases.events[i], ()).mask()
            holds = blocks.call(mask, *arguments(system, mask, y, now.at, u, begun))
            leaves = where(abs(holds) > 0.0, leaves, 1.0 + 0.0 * now.at)
        return leaves + 0.0 * now.at
