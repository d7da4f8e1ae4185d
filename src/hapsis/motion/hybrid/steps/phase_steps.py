"""One phase of a hybrid as parts of its step: its motion over any time, and the values of its events."""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, minimum, where
from hapsis.compiler.ir.graph.expr import Expr, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.formalisms.deferred_verbs import dependent_pivots
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import pivot_units
from hapsis.motion.hybrid.transitions import value_function
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.run.sound_closing import sound_closing
from hapsis.motion.simulate.step_inputs import remembered_inputs

NUDGE = 1e-8  # s: over which the rates of values are taken

Vector = Sequence[Any]


def held_numbers(system: System) -> int:
    """How many numbers say what is held in a step: the values at its end; with tracked positions among them
    also when it ends, and how fast these go."""
    tracked = remembered_inputs(system.model)
    return len(system.held) + (1 + len(tracked) if tracked else 0)


def held_at(system: System, u: Vector, t: Any) -> list[Any]:
    """What is held, at a time: tracked positions go evenly to where they are at the end of the step."""
    names = list(system.held)
    values, rest = list(u[: len(names)]), u[len(names) :]
    for name, rate in zip(remembered_inputs(system.model), rest[1:], strict=True) if rest else ():
        values[names.index(name)] = values[names.index(name)] + (t - rest[0]) * rate
    return values


def arguments(system: System, function: Function, y: Vector, t: Any, u: Vector, begun: Any = None) -> Any:
    """The arguments of a Function of a phase, in order."""
    known = {
        "t": t,
        "y": [*y, 0.0 * t],
        "u": held_at(system, u, t),
        "near": [1.0] * system.extras.near,
        "begun": begun,
    }
    rows = 0 if system.partition is None else len(system.partition.rows)
    known |= {"reference": [1.0] * rows, "limits": [0.0, 0.0]}
    return [known[port.name] for port in function.inputs]


def phase_motion(system: System, substeps: int) -> Function:
    """(y, t, h, u) -> y: the state after h seconds, by the classical method of Runge and Kutta."""

    def write() -> Function:
        graph = Graph()
        y = list(symbols("y", system.layout.size - 1, graph=graph))
        t, h = symbol("t", graph=graph), symbol("h", graph=graph)
        u = list(symbols("u", held_numbers(system), graph=graph))
        motion, closing = system.motion(), sound_closing(system)

        def rates(t: Any, y: Vector) -> list[Any]:
            return list(blocks.call(motion, *arguments(system, motion, y, t, u)))[:-1]

        def moved(y: Vector, h: Any, rate: Vector) -> list[Any]:
            return [x + h * r for x, r in zip(y, rate, strict=True)]

        part, new = h * (1.0 / substeps), y
        for k in range(substeps):
            start = t + float(k) * part
            k1 = rates(start, new)
            k2 = rates(start + 0.5 * part, moved(new, 0.5 * part, k1))
            k3 = rates(start + 0.5 * part, moved(new, 0.5 * part, k2))
            k4 = rates(start + part, moved(new, part, k3))
            slopes = zip(k1, k2, k3, k4, strict=True)
            new = moved(new, part / 6.0, [a + 2.0 * (b + c) + d for a, b, c, d in slopes])
            for first in system.quaternions:
                size = sum((x * x for x in new[first : first + 4]), 0.0 * t) ** 0.5
                new[first : first + 4] = [x / size for x in new[first : first + 4]]
            if closing is not None:
                known = arguments(system, closing, new, start + part, u)
                new = list(blocks.call(closing, *known))[:-1]
        inputs = {"y": y, "t": t, "h": h, **({"u": u} if u else {})}
        return Function("motion_of_phase", inputs, {"y": new})

    function = system.store.function(("hybrid motion", system.partition, substeps), write)
    assert function is not None
    return function


def phase_pivot(system: System) -> Function | None:
    """(y, t, u) -> pivot: the smallest one, in its unit, with the sign of all; None if it never changes."""
    part = system.partition
    if part is None or not part.rows:
        return None
    x = system.symbols()
    pivots, units = system.evaluate(dependent_pivots, x, part), pivot_units(Loops(system.model), part)
    least, sign = abs(pivots[0]) * (1.0 / units[0]), 1.0 + 0.0 * x["t"]
    for pivot, unit in zip(pivots, units, strict=True):
        least = minimum(least, abs(pivot) * (1.0 / unit))
        sign = where(pivot < 0.0, -sign, sign)
    if not isinstance(least, Expr) or not system.function("pivot", x, {"pivot": least}).cost().price:
        return None
    return system.function("pivot", x, {"pivot": sign * least})


def phase_values(system: System, events: Sequence[Any], active: Sequence[bool]) -> Function:
    """(y, t, begun, u) -> g: the values of all events in a phase, and behind them their rates."""
    watch, motion = value_function(system, events, active), system.motion()
    graph = Graph()
    y = list(symbols("y", system.layout.size - 1, graph=graph))
    t, begun = symbol("t", graph=graph), symbol("begun", graph=graph)
    u = list(symbols("u", held_numbers(system), graph=graph))
    inputs = {"y": y, "t": t, "begun": begun, **({"u": u} if u else {})}

    def values(y: Vector, t: Any) -> list[Any]:
        return [x + 0.0 * t for x in blocks.call(watch, *arguments(system, watch, y, t, u, begun))]

    if not any(active):
        return Function("values", inputs, {"g": [1.0 + 0.0 * t] * len(events) + [0.0 * t] * len(events)})
    rate = list(blocks.call(motion, *arguments(system, motion, y, t, u)))[:-1]
    now, then = values(y, t), values([x + NUDGE * r for x, r in zip(y, rate, strict=True)], t + NUDGE)
    rates = [(b - a) * (1.0 / NUDGE) for a, b in zip(now, then, strict=True)]
    return Function("values", inputs, {"g": [*now, *rates]})
