"""The motion of a model whose contacts are solved step by step: `method="contact"`."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.errors import SolveError
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.model.checks.changed_values import parameter_values
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.structure.limit_stops import tell_without_stops, unstopped
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.contact.contact_model import (
    METHOD,
    ContactModel,
    Numbers,
    contact_model,
    smooth_parameters,
)
from hapsis.motion.simulate.contact.contact_record import UNITS, ContactColumns, ContactRecord
from hapsis.motion.simulate.contact.contact_scene import SceneTables
from hapsis.motion.simulate.contact.mobility import energy_of_step
from hapsis.motion.simulate.contact.step_rows import check_drive, row_units
from hapsis.motion.simulate.contact.touch_memory import remember, touch_memory
from hapsis.motion.simulate.contact.unsolved_step import unsolved_step
from hapsis.motion.simulate.equations.closed_system import has_constraints
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.simulate.run.integrator import STATUS
from hapsis.motion.simulate.run.result_builder import MoreColumns, announced, final_rows, result_of
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_options import RunOptions, sample_times
from hapsis.motion.simulate.run.run_parts import NoInterruption, RunParts
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.run.run_memory import NOT_CONVERGED

Array = np.ndarray[Any, np.dtype[np.float64]]
STOPS = "stops"  # limits of joints act
FAST = "bodies turn by more than 0.5 rad in {} half steps, too far for their contacts: use a smaller step"
INSIDE = 0.1  # of the smaller solid: what starts deeper is told
SUNK = (
    'contact "{}" goes {:.2g} m deep, past the middle of the thinner of its sides: '
    "use a stiffer law or a smaller step"
)
LAGGED = (
    "friction of sliding is less than it should be in {} of the steps: no solution was found that has all of "
    "it; compare with a run of smaller steps"
)


@final
class ContactForm:
    """The vector is y itself; a step goes by the scene."""

    def __init__(self, kernels: Kernels, scene: ContactScene) -> None:
        self.kernels, self.scene = kernels, scene

    def of_method(self, method: str) -> dict[str, Any]:
        """The method, the kernel of the smooth motion, and the scene."""
        motion = self.kernels.handle(self.kernels.system.motion(), "dy")
        return {"method": method, "f": motion, "scene": self.scene}

    def vector(self, t: float, y: Array) -> Array:
        """y."""
        return y

    def states(self, t: Any, vectors: Array) -> Array:
        """The vectors."""
        return vectors


def simulate_contact(
    model: Model,
    until: Any,
    start: Any,
    *,
    near: Any,
    options: RunOptions,
    every: float | None,
    inputs: Mapping[str, Any] | None,
    events: Sequence[Event],
    parameters: Mapping[str, Any] | None,
    losses: bool,
    progress: bool | None,
    threads: int | None,
    title: str,
    limits: str | None = None,
) -> Result:
    """The motion of a model by steps with contacts; options as those of `simulate`."""
    if losses:
        raise SolveError(f'losses are not counted by name with the method "{METHOD}"')
    parts = contact_model(model)
    for drive in model.drives.values():
        check_drive(drive, False)
    if limits == STOPS:
        tell_without_stops(model)
    parameters = parameter_values(model, parameters)
    numbers = Numbers(model, parameters)
    with Bar(progress) as bar:
        smooth = parts.smooth
        given = smooth_parameters(parts, parameters)
        if has_constraints(parts.closed) and not isinstance(start, Result):
            start, near = closed_start(parts, start, given, near), None
        problem = initial_value_problem(smooth, Inputs(smooth, inputs), start, given, near=near, keep=True)
        span = problem.span(until)
        samples = sample_times(*span, every, len(problem.y), options.step)
        kernels = Kernels(problem.system, problem.parameters, threads)
        tables = SceneTables(parts, kernels, numbers, limits == STOPS)
        scene = tables.scene()
        kernels.hold(problem.system.inputs.values(problem.t))
        assert options.step is not None
        tables.ease(scene, problem.t, problem.y, options.step)
        if isinstance(start, Result) and start.memory.touches is not None:
            remember(scene, start.memory.touches)
        scene.tolerance = options.tolerance
        form = ContactForm(kernels, scene)
        names = tuple(contact.name for contact in parts.contacts)
        record = ContactRecord(scene, tables.found, names, tables.rows.rows)
        run_parts = RunParts(
            form,
            NoInterruption(kernels, weighed=True),
            record=record,
            waves=bool(events),
            loses=True,
            allowed=energy_of_step(scene, problem.t, problem.y, options.step),
            limited=limited(model, limits == STOPS),
        )
        run = Run(kernels, options, span, problem.y, samples, events, run_parts)
        run.go(bar)
        if run.status == STATUS[NOT_CONVERGED]:
            why = unsolved_step(scene, tables.found, names, model.speeds, tables.rows.rows)
            run.message = f"t = {run.integrator.t:.9g}: {why}"
        more = contact_columns(model, scene, record, run)
        loops = Loops(parts.closed, parameters=given) if constraint_names(parts.closed) else None
        more = more._replace(model=model, loops=loops)
        result = result_of(run, title, more=more)
    return announced(result, model)


def limited(model: Model, limits: bool) -> set[str]:
    """The coordinates whose limits act."""
    stopped = {force.joint for force in model.forces.values() if isinstance(force, Stop)}
    return stopped | set(unstopped(model)) if limits else stopped


def closed_start(
    parts: ContactModel, start: Any, parameters: Mapping[str, Any], near: Any, inputs: Any = None
) -> Any:
    """A start that closes the loops and is where the drives begin."""
    closed = parts.closed
    given = Inputs(closed, inputs)
    values = {} if inputs is not None else None  # of a step's drives: they begin where the start is
    problem = initial_value_problem(closed, given, start, parameters, near=near, drive_values=values)
    q, v, _, _ = problem.system.layout.split(problem.y)
    return State(closed.coordinates, closed.speeds, q, v)


def _contact_columns(names: Sequence[str], contact: ContactColumns) -> dict[str, Array]:
    """All columns of one contact."""
    return {name: contact.column(what) for name, what in zip(names, UNITS, strict=True)}


def contact_columns(model: Model, scene: ContactScene, record: ContactRecord, run: Run) -> MoreColumns:
    """The columns of contacts, and what the solver says of its work."""
    groups: list[Any] = []
    units: dict[str, str] = {}
    times = final_rows(run)[0].t
    steps = record.steps(times)
    rows = record.row_columns(steps)
    if rows:
        groups.append((tuple(rows), rows))
        units.update(row_units(model, tuple(rows)))
    for name, contact in record.columns(times).items():
        names = [f"{name}.{what}" for what in UNITS]
        units.update(zip(names, UNITS.values(), strict=True))
        groups.append((names, partial(_contact_columns, names, contact)))
    report = {
        "iterations": int(scene.iterations),
        "factors": int(scene.factors),
        "most_iterations": int(scene.worst_iterations),
        "residual": float(scene.worst),
        "loose_steps": int(scene.loose),
        "lagged_steps": int(scene.lagged),
        "deepest": float(scene.deepest),
        "lost_by_steps": float(run.energy.lost),
    }
    counted = ((FAST, scene.fast), (LAGGED, scene.lagged))
    warnings = [text.format(int(count)) for text, count in counted if count]
    if scene.inside > INSIDE:
        contact = record.names[record.found.pairs[int(scene.inside_pair)].contact]
        warnings.append(f'the run starts with the sides of contact "{contact[:60]}" inside each other')
    elif scene.sunk > 1.0:
        contact = record.names[record.found.pairs[int(scene.sunk_pair)].contact]
        warnings.append(SUNK.format(contact[:60], float(scene.sunk_depth)))
    return MoreColumns(
        groups, units, report, warnings, touch_memory(scene), accelerations=steps[:, 1 : 1 + scene.n_v]
    )
