"""A hybrid as a whole program in C: one module for each phase, and a main with the state machine.

The motion is computed once to see at which poses phases begin: there the partitions of its equations are
chosen.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hapsis.compiler.backends.c.program_facts import Phase, Program, ProgramEvent, Transition
from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.compiler.ir.graph.elementary_functions import sqrt
from hapsis.errors import SolveError
from hapsis.mechanics.model.result import Result
from hapsis.motion.hybrid.actions import Impact, Swap
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.hybrid.hybrid_result import hybrid_result
from hapsis.motion.hybrid.impacts import jump
from hapsis.motion.hybrid.machine import PhaseMachine
from hapsis.motion.hybrid.machine import Transition as Change
from hapsis.motion.hybrid.readings import Foot
from hapsis.motion.hybrid.simulate_hybrid import HybridOptions, hybrid_run, start_phase
from hapsis.motion.hybrid.transitions import ResetWriter, value_function
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.program.export_program import STRIKES, default_outputs, held_values
from hapsis.motion.simulate.program.file_quantities import (
    input_quantities,
    parameter_quantities,
    state_quantities,
)
from hapsis.motion.simulate.program.output_columns import OutputColumns
from hapsis.motion.simulate.run.run_options import run_options
from hapsis.motion.simulate.run.sound_closing import leading_closing


def hybrid_program(
    hybrid: Hybrid,
    stem: str,
    until: Any,
    start: Any,
    near: Mapping[str, float] | None,
    inputs: Mapping[str, Any] | None,
    outputs: Sequence[str] | None,
    parameters: Mapping[str, float] | None,
    options: Mapping[str, float],
) -> Program:
    """The facts of the program."""
    name = start_phase(hybrid, start)[0]
    how = replace(run_options(tolerance=1e-8), method="order8", stiffness=False)
    run, machine, rows = hybrid_run(hybrid, start, parameters, HybridOptions(until, how, near, inputs=inputs))
    y = run.state().copy()
    run.go(Bar(False))
    result = hybrid_result(run, machine, rows, "")
    if not result.success:
        raise SolveError(f"the motion that the program shall compute fails: {run.message}")
    names = [event.name for event in machine.events]
    blow = next((event for event in result.events if event.name not in names), None)
    if blow is not None:
        raise SolveError(
            f't = {blow.time:.6g}: the speed of "{blow.name.removesuffix(".jump")[:60]}" jumps, {STRIKES}',
            remedy="give it a position with a continuous speed, or end before",
        )
    systems = [_system(machine, p, result) for p in range(len(machine.phases))]
    first = list(hybrid.phases).index(name)
    facts = _facts(stem, machine, systems, result, first, y, outputs, parameters or {}, options)
    return replace(facts, since=float(run.begin - rows.form.first[1]))


def _system(machine: PhaseMachine, p: int, result: Result) -> System:
    """The equations of a phase by a partition that stays good, chosen at its last pose or that of the run."""
    phase = machine.phases[p]
    phase.settle(*_last_pose(machine, p, result))
    assert phase.system is not None
    return phase.system


def _last_pose(machine: PhaseMachine, p: int, result: Result) -> tuple[Any, float]:
    """The last pose of a phase, or of the run, and its time."""
    rows = np.flatnonzero(result["phase"] == p)
    row = int(rows[-1]) if len(rows) else -1
    coordinates = machine.phases[p].model.coordinates
    return np.array([result[n][row] for n in coordinates]), float(result.t[row])


def _facts(
    stem: str,
    machine: PhaseMachine,
    systems: Sequence[System],
    result: Result,
    first: int,
    y: Any,
    outputs: Sequence[str] | None,
    parameters: Mapping[str, float],
    options: Mapping[str, float],
) -> Program:
    names = default_outputs(systems[first]) if outputs is None else tuple(outputs)
    phases: list[Phase] = []
    columns: tuple[str, ...] = ()
    for p, system in enumerate(systems):
        more = _foot_forces(machine.hybrid.watch, system)
        columns, row = OutputColumns(system, more).function(names, {"phase": float(p)})
        watched = value_function(system, machine.events, machine.active[p])
        phase, q, t = machine.phases[p], *_last_pose(machine, p, result)
        closing = leading_closing(system, phase.loops, q, t)
        phases.append(Phase(phase.name, system.motion(), row, closing, watched))
    changes = [_transition(machine, systems, result, change) for change in machine.transitions]
    functions = [f for phase in phases for f in (phase.motion, phase.columns, phase.closing, phase.watched)]
    functions += [each.reset for each in changes]
    values: dict[str, float] = {}
    for function in functions:
        values |= {} if function is None else function.parameters
    values |= {name: float(x) for name, x in parameters.items() if name in values}
    system = systems[first]
    return Program(
        stem,
        tuple(phases),
        state_quantities(system, y),
        input_quantities(system.model, system.held, held_values(system)),
        parameter_quantities(system.model, values),
        columns,
        options,
        tuple(system.quaternions),
        f"A hybrid of {len(phases)} phases: {', '.join(phase.name for phase in phases)}.",
        system.extras.near,
        tuple(ProgramEvent(e.name, e.direction, e.stop) for e in machine.events),
        tuple(changes),
        first,
    )


def _foot_forces(feet: Sequence[Foot], system: System) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
    """{column: its value from the loads} of feet that are watched; 0 in phases that do not hold them."""

    def value(foot: Foot, name: str) -> Callable[[Mapping[str, Any]], Any]:
        if foot.pin(system.model) is None:
            return lambda loads: 0.0
        return lambda loads: foot.forces(system.model, list(loads["lam"]), sqrt)[name]

    return {name: value(foot, name) for foot in feet for name in foot.columns}


def _transition(
    machine: PhaseMachine, systems: Sequence[System], result: Result, change: Change
) -> Transition:
    event = machine.events[change.event]
    if not (change.actions or event.to):
        return Transition(change.event, change.before, change.after, None)
    before, after = systems[change.before], systems[change.after]
    row = int(np.argmax(result["phase"] == change.after))  # where the phase begins first
    q = np.array([result[name][row] for name in after.model.coordinates])

    def jumps(action: Impact, swaps: Sequence[Swap]) -> Any:
        return jump(after.model, after.partition, action, swaps, q)

    reset = ResetWriter(before, event, change.actions).reset(after, jumps)
    return Transition(change.event, change.before, change.after, reset, change.rest, bool(change.strikes))
