"""The closing of states in programs and steps, which tells where constraint rows contradict each other.

They have one partition, that of their start. Rows that are redundant there are left out of it; where they
no longer follow from the others, the motion that is computed is none of the model's. Nor is that beyond a
dead point, where another coordinate must lead: steps that come over it lose their digits without an error.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, sqrt, where
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names, position_rows
from hapsis.mechanics.formalisms.constraints.row_units import row_units
from hapsis.mechanics.formalisms.deferred_verbs import dependent_pivots, row_rates
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.reduce import pivot_sizes, pivot_units
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.run.open_loops import TORN

DEAD = 0.05  # of what it is at the start: what leads determines the other speeds no longer


def leading_closing(system: System, loops: Loops | None, q: Array, t: float) -> Function | None:
    """A sound closing that is not finite near dead points of rows of speeds, either.

    q, t    the start. Where coordinates lead no longer the closing itself finds no pose.
    """
    closing, part = sound_closing(system), system.partition
    places = position_rows(system.model)
    if closing is None or part is None or loops is None or not set(part.rows) - set(places):
        return closing
    ours = [k for k, row in enumerate(part.rows) if row not in places]
    at_start = pivot_sizes(loops, part, q, t) * pivot_units(loops, part)
    x = system.symbols()
    pivots = system.evaluate(dependent_pivots, x, part)
    share: Any = x["y"][0] * 0.0 + 1.0
    for k in ours:  # their product: it does not depend on the order of rows and speeds
        share = share * (pivots[k] * (1.0 / float(at_start[k])))
    first, *others = system.outputs_by_name(closing, x)["y"]
    dead = abs(share) < DEAD
    return system.function("closing", x, {"y": [first + where(dead, sqrt(share * 0.0 - 1.0), 0.0), *others]})


def sound_closing(system: System) -> Function | None:
    """(t, y, u) -> y, closed; not finite where rows that the partition leaves out are open."""
    closing, part = system.closing(), system.partition
    if closing is None or part is None or set(constraint_names(system.model)) <= set(part.rows):
        return closing
    return system.store.function(("sound closing", part), lambda: _written(system))


def _written(system: System) -> Function:
    assert system.partition is not None
    x = system.symbols()
    at = system.closed(x)
    rows = system.outputs_by_name(row_rates(system.model), at)
    units, places = row_units(system.model), position_rows(system.model)
    names, worst = constraint_names(system.model), x["y"][0] * 0.0
    for name, h, rate in zip(names, rows["h"], rows["rate"], strict=True):
        if name not in system.partition.rows:
            for gap in (h, rate) if name in places else (rate,):
                worst = maximum(worst, gap * gap * (1.0 / units[name] ** 2))
    first, *others = at["y"]
    torn = worst > TORN**2
    return system.function("closing", x, {"y": [first + where(torn, sqrt(-worst), 0.0), *others]})
