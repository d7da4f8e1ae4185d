"""A model's equations with a start and a span of time: what all verbs of simulation begin with."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.model.checks.changed_values import parameter_values
from hapsis.mechanics.model.checks.massless import check_masses
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.driven_points import driven_coordinate
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.assemble import assembled, guessed
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.analysis.drive_ways import drive_place, drive_ways
from hapsis.motion.analysis.start_values import names_combinations, quaternions, start_of
from hapsis.motion.simulate.equations.closed_system import ClosedSystem, has_constraints
from hapsis.motion.simulate.equations.function_store import FunctionStore
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.equations.tree_system import TreeSystem
from hapsis.motion.simulate.run.singular_positions import SingularStart, singular_start
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

Array = np.ndarray[Any, np.dtype[np.float64]]
OPEN = 1e-6  # of the unit of a row or coordinate; a start that is further open is wrong
LEAST = 1e-3  # of the smallest pivot: with less the coordinates chosen hardly lead


class InitialValueProblem(NamedTuple):
    """y' = f(t, y) from the state y at the time t.

    loops        the loops and drives of the model in numbers; None for a tree
    parameters   {name: value} other than the model's own
    singular     what is known of a start in a singular position; None elsewhere
    """

    system: System
    loops: Loops | None
    t: float
    y: Array
    parameters: dict[str, float]
    singular: SingularStart | None = None

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
    near: Mapping[str, float] | None = None,
    keep: bool = False,
) -> InitialValueProblem:
    """The equations and the initial state of a model.

    start         as for `simulate`
    drive_values  the inputs of drives at the start; those of `inputs` if not given
    leading       names of coordinates that lead, as many as can, in this order; the model's own
                  independent coordinates if not given
    near          guesses of coordinates, as for `simulate`
    keep          keep the equations, and their native code, with the model for the next time
    """
    if not model.speeds:
        raise ModelError("nothing in this model can move", remedy="add a joint that moves")
    derived(model, check_masses, lambda: check_masses(model))
    values = parameter_values(model, parameters)
    store = FunctionStore.of(model, inputs) if keep else FunctionStore(model)
    if not has_constraints(model):
        t, y = initial_state(model, store.extras.states, start, near=near, parameters=values)
        return InitialValueProblem(TreeSystem(model, inputs, store), None, t, y, values)
    drive_inputs = inputs.drive_values(0.0) if drive_values is None else drive_values
    loops = Loops(model, inputs=drive_inputs, parameters=values)
    t, y = initial_state(model, store.extras.states, start, loops, near)
    q, v, _, _ = store.layout.split(y)
    singular = singular_start(loops, q, v, t)
    if singular is None or singular.partition is None:
        partition = _partition(loops, q, t, leading)
    else:
        partition = singular.partition
    system = ClosedSystem(model, inputs, store, partition)
    return InitialValueProblem(system, loops, t, y, values, singular)


def _partition(loops: Loops, q: Array, t: float, leading: Sequence[str] | None) -> Partition:
    if leading is None:
        return best_partition(loops, q, t, preferred=loops.model.independent)
    return best_partition(loops, q, t, preferred=_able_to_lead(loops, q, t, leading))


def _able_to_lead(loops: Loops, q: Array, t: float, names: Sequence[str]) -> list[str]:
    """Of these coordinates as many, in their order, as can lead together."""
    J, first = loops.relative_jacobian(q, t), loops.positions
    best, able = pivots(J, loops.held, first=first), list[str]()
    for name in names:
        if name not in loops.slots or name in able or loops.slots[name] in loops.held:
            continue
        locked = [*loops.held, *(loops.slots[n] for n in (*able, name))]
        tried = pivots(J, locked, first=first)
        if tried.rank == best.rank and tried.smallest >= LEAST * best.smallest:
            able.append(name)
    return able


def initial_state(
    model: Model,
    states: Mapping[str, float],
    start: Any,
    loops: Loops | None = None,
    near: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> tuple[float, Array]:
    """The time and y = q, v, z, W at which to start.

    states   {name: value} of the states of laws, where they start if nothing else is given
    start    {name: value} over the model's pose "start", a State, all coordinates, or the Result
             of a run that shall go on. Of a model with loops what is given by name is held and the
             rest assembled; a State and coordinates must be closed.
    near     {coordinate: value} of guesses: where there is nothing to close, they are met
    parameters   of the run, where there is nothing to close
    """
    if near is not None:
        if not (start is None or isinstance(start, Mapping)):
            raise ModelError("near are guesses beside a start by name, and the start is complete")
        near = guessed(model, near)
    if isinstance(start, Result):
        return _continued(model, states, start)
    laws = dict(states)
    if isinstance(start, Mapping):
        start = _tracked(model, start, {} if loops is None else loops.parameters)
        laws |= {n: real(x, f'the start of "{n}"') for n, x in start.items() if n in states}
        start = {name: value for name, value in start.items() if name not in states}
        _check_names(model, states, start)
    elif isinstance(start, State):  # an equilibrium has them
        known: Any = getattr(start.report, "states", None) or {}
        laws |= {name: float(known[name]) for name in states if name in known}
    if loops is not None:
        q, v = _closed(loops, start, near)
        if any(drive.tracking is not None for drive in model.drives.values()):  # it starts where it is
            ways = drive_ways(model, q, v, loops.parameters)
            for name, drive in model.drives.items():
                if drive.tracking is not None:
                    laws[f"{name}.tracked"] = ways[f"{name}.position"]
                    laws[f"{name}.tracked.v"] = ways[f"{name}.velocity"]
        return 0.0, np.concatenate([q, v, list(laws.values()), [0.0]])
    if near:  # then the start is one by name
        start = {**near, **(start if isinstance(start, Mapping) else {})}
    if not isinstance(start, State) and names_combinations(model, start):
        state = assembled(Loops(model, parameters=parameters), start)
        return 0.0, np.concatenate([state.q, state.v, list(laws.values()), [0.0]])
    q = start_of(model, start)
    for places in quaternions(model).values():
        q[places] /= np.linalg.norm(q[places])
    return 0.0, np.concatenate([q, _speeds(model, start), list(laws.values()), [0.0]])


def _tracked(model: Model, start: Mapping[str, Any], parameters: Mapping[str, float]) -> dict[str, Any]:
    """The start with states NAME.tracked of drives replaced by the coordinates that they drive."""
    replaced = dict(start)
    for drive in model.drives.values():
        names = [f"{drive.name}.{level}" for level in ("tracked", "tracked.v")]
        if drive.tracking is None or not any(name in replaced for name in names):
            continue
        coordinate = driven_coordinate(model, drive)
        ways = [real(replaced.get(name, 0.0), f'the start of "{name}"') for name in names]
        if drive.point is not None and names[0] not in replaced:
            raise drive.wrong(f'the start says "{names[1][:60]}" without "{names[0][:60]}"')
        at_start = ways if drive.point is None else drive_place(model, drive.name, *ways, parameters)
        for name, at, value in zip(names, (coordinate, speed_name(coordinate)), at_start, strict=True):
            if name not in replaced:
                continue
            del replaced[name]
            if at in replaced and real(replaced[at], f'the start of "{at}"') != value:
                raise ModelError(
                    f'the start says "{at[:60]}" and "{name[:60]}", which are the same, with two values',
                    remedy="leave one of them out",
                )
            replaced[at] = value
    return replaced


def _check_names(model: Model, states: Mapping[str, float], start: Mapping[str, Any]) -> None:
    known = (*model.coordinates, *model.speeds, *model.generalized_speeds, *states)
    for name in start:
        check_known(name, known, "the start names {}, which is no coordinate, speed or state")


def _speeds(model: Model, start: Any) -> Array:
    if isinstance(start, State):
        return np.array(start.v)
    v = np.zeros(len(model.speeds))
    values: dict[str, Any] = {}
    if start is None or isinstance(start, Mapping):
        values = model.pose("start") if "start" in model.poses else {}
        values = {**values, **(start or {})}
    for k, name in enumerate(model.speeds):
        if name in values:
            v[k] = real(values[name], f'the start of "{name}"')
    return v


def _continued(model: Model, states: Mapping[str, float], before: Result) -> tuple[float, Array]:
    if before.memory is None or before.last is None:
        raise ModelError(
            "this result cannot go on: it was read from a file", remedy="start from its last values by name"
        )
    same = (before.last.coordinates, before.last.speeds) == (model.coordinates, model.speeds)
    if not same or before.memory.names != tuple(states):
        raise ModelError("the result to go on from is of another model: its names differ")
    return float(before.t[-1]), np.array(before.memory.y)


def _closed(loops: Loops, start: Any, near: Mapping[str, float] | None) -> tuple[Array, Array]:
    """A start that closes the loops, or why this one does not."""
    model = loops.model
    if start is None or isinstance(start, Mapping):
        state = assembled(loops, start or None, near)
        return np.array(state.q), np.array(state.v)
    q, v = start_of(model, start), _speeds(model, start)
    for places in quaternions(model).values():
        q[places] /= np.linalg.norm(q[places])
    for name, drive in loops.driven.items():
        k = model.coordinates.index(name)
        if drive.position is not None and not abs(q[k] - drive.position) <= OPEN * loops.units[k]:
            raise SolveError(
                f'the start has "{name[:60]}" at {q[k]:.6g}, and {drive.drive.label} begins at '
                f"{drive.position:.6g}",
                remedy="start from hs.assemble(model)",
            )
        if drive.velocity is not None and not isinstance(start, State):
            v[loops.slots[name]] = drive.velocity
    loops.check_finite(q)
    torn = np.abs(loops.relative_gap(q))
    if torn.max(initial=0.0) > OPEN:
        worst = int(np.argmax(torn))
        loop, gap = loops.names[worst].rpartition(".")[0], torn[worst] * loops.row_units[worst]
        raise SolveError(
            f'the start leaves loop "{loop[:60]}" open by {gap:.3g}',
            expected="a start that closes all loops",
            remedy="start from hs.assemble(model, {...})",
        )
    return q, v
