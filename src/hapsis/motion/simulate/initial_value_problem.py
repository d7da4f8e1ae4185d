"""A model's equations with a start and a span of time: what all verbs of simulation begin with."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.reduction import Partition
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.simulate.equations.closed_system import ClosedSystem, has_constraints
from hapsis.motion.simulate.equations.function_store import FunctionStore
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.equations.tree_system import TreeSystem
from hapsis.motion.simulate.run.initial_state import initial_state
from hapsis.motion.simulate.run.run_options import parameter_values
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

Array = np.ndarray[Any, np.dtype[np.float64]]
LEAST = 1e-3  # of the smallest pivot: with less the coordinates chosen hardly lead


class InitialValueProblem(NamedTuple):
    """y' = f(t, y) from the state y at the time t.

    loops        the loops and drives of the model in numbers; None for a tree
    parameters   {name: value} other than the model's own
    """

    system: System
    loops: Loops | None
    t: float
    y: Array
    parameters: dict[str, float]

    def span(self, until: Any) -> tuple[float, float]:
        """From the start until that time, which must be later."""
        end = real(until, "until")
        if not end > self.t:
            raise ModelError(f"until is {end:g} s and the start at {self.t:g} s: it must be later")
        return self.t, end


def initial_value_problem(
    model: Model,
    inputs: Inputs,
    start: Any = None,
    parameters: Mapping[str, float] | None = None,
    *,
    drive_values: Mapping[str, float] | None = None,
    leading: Sequence[str] | None = None,
    keep: bool = False,
) -> InitialValueProblem:
    """The equations and the initial state of a model.

    start         as for `simulate`
    drive_values  the inputs of drives at the start; those of `inputs` if not given
    leading       names of coordinates that lead, as many as can, in this order; the model's own
                  independent coordinates if not given
    keep          keep the equations, and their native code, with the model for the next time
    """
    if not model.speeds:
        raise ModelError("nothing in this model can move", remedy="add a joint that moves")
    values = parameter_values(parameters)
    store = FunctionStore.of(model, inputs) if keep else FunctionStore(model)
    if not has_constraints(model):
        t, y = initial_state(model, store.extras.states, start)
        return InitialValueProblem(TreeSystem(model, inputs, store), None, t, y, values)
    told = inputs.drive_values(0.0) if drive_values is None else drive_values
    loops = Loops(model, inputs=told, parameters=values)
    t, y = initial_state(model, store.extras.states, start, loops)
    partition = _partition(loops, store.layout.split(y)[0], t, leading)
    return InitialValueProblem(ClosedSystem(model, inputs, store, partition), loops, t, y, values)


def _partition(loops: Loops, q: Array, t: float, leading: Sequence[str] | None) -> Partition:
    if leading is None:
        return best_partition(loops, q, t, preferred=loops.model.independent)
    return best_partition(loops, q, t, preferred=_able_to_lead(loops, q, t, leading))


def _able_to_lead(loops: Loops, q: Array, t: float, names: Sequence[str]) -> list[str]:
    """Of these coordinates as many, in their order, as can lead together."""
    J, first = loops.jacobian(q, t), loops.positions
    best, able = pivots(J, loops.held, first=first), list[str]()
    for name in names:
        if name not in loops.slots or name in able or loops.slots[name] in loops.held:
            continue
        locked = [*loops.held, *(loops.slots[n] for n in (*able, name))]
        tried = pivots(J, locked, first=first)
        if tried.rank == best.rank and tried.smallest >= LEAST * best.smallest:
            able.append(name)
    return able
