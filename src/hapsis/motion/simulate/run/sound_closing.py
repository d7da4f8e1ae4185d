"""The closing of states in programs and steps, which tells where constraint rows contradict each other.

They have one partition, that of their start. Rows that are redundant there are left out of it; where they
no longer follow from the others, the motion that is computed is none of the model's.
"""

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import maximum, sqrt, where
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names, position_rows
from hapsis.mechanics.formalisms.constraints.row_units import row_units
from hapsis.mechanics.formalisms.deferred_verbs import row_rates
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.run.open_loops import TORN


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
