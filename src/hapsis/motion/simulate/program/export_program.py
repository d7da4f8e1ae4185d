"""The verb `export_program`: a model as a whole program in C99, with its initialisation file."""

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from hapsis.compiler.backends.c.c_program import program
from hapsis.compiler.backends.c.program_facts import Phase, Program
from hapsis.compiler.backends.export import target_of, write_files
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.analysis.assembly.reduce import partition_of, pivot_units
from hapsis.motion.analysis.assembly.several_partitions import turned_partitions
from hapsis.motion.simulate.distinct_names import distinct_names
from hapsis.motion.simulate.equations.closed_system import ClosedSystem
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.initial_value_problem import InitialValueProblem, initial_value_problem
from hapsis.motion.simulate.led_functions import led_by_the_best
from hapsis.motion.simulate.program.file_quantities import (
    input_quantities,
    parameter_quantities,
    state_quantities,
)
from hapsis.motion.simulate.program.output_columns import OutputColumns
from hapsis.motion.simulate.run.drive_jumps import refuse_jumps
from hapsis.motion.simulate.run.singular_positions import check_regular
from hapsis.motion.simulate.run.sound_closing import leading_closing, sound_closing

STRIKES = "a blow that a program does not have"


@runtime_checkable
class Programmable(Protocol):
    """What is no Model and can be a program: it says what that is made of."""

    def program(self, stem: str, until: Any, start: Any, **options: Any) -> Program:
        """The facts of the program."""
        ...


@verb
def export_program(
    path: str | os.PathLike[str],
    model: Model | Programmable,
    until: float = 10.0,
    start: Any = None,
    *,
    near: Mapping[str, float] | None = None,
    inputs: Mapping[str, Any] | None = None,
    outputs: Iterable[str] | None = None,
    parameters: Mapping[str, float] | None = None,
    independent: Iterable[str] | None = None,
    every: float | None = None,
    step: float | None = None,
    tolerance: float = 1e-8,
) -> list[Path]:
    """Write a model as a whole program: PATH.c, its initialisation file PATH.in; return their paths.

        cc -std=c99 -O2 -ffp-contract=off PATH.c -o PATH -lm && ./PATH

    The program reads every parameter, the start, the times and tolerances from PATH.in, integrates by the
    method of Kutta and Merson and writes columns to PATH.csv. A wrong line of PATH.in is told in one line,
    and the exit status is 2.

    until, start, near, inputs, parameters    as for `simulate`; a number among the inputs is held and stands
                 in the file, a function of time is part of the equations
    outputs      names of signals as in a Result, reactions too; coordinates, speeds and energy if not given
    independent  coordinates or generalized speeds that lead; the model's own or the best ones at the start
                 if not given
    every        s between two rows; a hundredth of the time if not given
    step         length of fixed steps, s; steps are adapted to the tolerance if it is not given
    tolerance    error allowed per step, relative; a thousandth of it absolute

    A `Hybrid` is one module for each phase, PATH_PHASE.c, and a main with the state machine.
    With loops, constraints or drives the equations are reduced by one partition, that of the start: the
    program stops with a message where it leads no longer.
    """
    if not isinstance(model, Model | Programmable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"a program is made of a Model or a Hybrid, not of {described(model)}")
    target = target_of(path, "c")
    names = None if outputs is None else distinct_names(outputs, "outputs")
    leading = None if independent is None else distinct_names(independent, "independent")
    if not isinstance(model, Model):
        if leading is not None:
            raise ModelError("the phases of a hybrid have their own independent coordinates")
        begin = float(start.t[-1]) if isinstance(start, Result) else 0.0
        times = _options(begin, until, every, step, tolerance)
        given: dict[str, Any] = {"near": near, "inputs": inputs, "outputs": names, "parameters": parameters}
        return write_files(target, program(model.program(target.name, until, start, options=times, **given)))
    tell_warnings(model)
    held = Inputs(model, inputs)
    if held.tables or held.motions:
        raise ModelError(
            "a table among the inputs cannot be part of a program", remedy="give a function of time"
        )
    problem = initial_value_problem(model, held, start, parameters, near=near)
    check_regular(problem.singular)
    if leading is not None:
        problem = _led(problem, leading)
    times = _options(problem.t, problem.span(until)[1], every, step, tolerance)
    if problem.loops is not None:
        kernels = Kernels(problem.system, problem.parameters)
        kernels.hold(dict(zip(problem.system.held, held_values(problem.system), strict=True)))
        refuse_jumps(kernels, problem.loops, (times["tinitial"], times["tfinal"]), problem.y, STRIKES)
    return write_files(target, program(_facts(target.name, problem, names, times, leading is not None)))


def _led(problem: InitialValueProblem, leading: tuple[str, ...]) -> InitialValueProblem:
    """The same with equations in which these coordinates or generalized speeds lead."""
    system = problem.system
    if problem.loops is None or not isinstance(system, ClosedSystem):
        raise ModelError(
            "all coordinates of a model without constraints lead", remedy="leave out independent="
        )
    q = system.layout.split(problem.y)[0]
    return problem._replace(system=system.by(partition_of(problem.loops, q, leading)))


def _facts(
    stem: str,
    problem: InitialValueProblem,
    outputs: tuple[str, ...] | None,
    options: Mapping[str, float],
    led: bool,
) -> Program:
    """The program of one phase; it has one partition where it is said what leads."""
    system, model = problem.system, problem.system.model
    names = default_outputs(system) if outputs is None else outputs
    systems: list[System] = [system]
    if not led and isinstance(system, ClosedSystem) and problem.loops is not None:
        q = system.layout.split(problem.y)[0]
        systems = [system.by(part) for part in turned_partitions(problem.loops, q, system.partition)]
    written = [OutputColumns(each).function(names) for each in systems]
    columns, row = written[0]
    if len(systems) == 1:
        closing = leading_closing(system, problem.loops, system.layout.split(problem.y)[0], problem.t)
        phase = Phase("motion", system.motion(), row, closing)
    else:
        assert problem.loops is not None
        parts = [each.partition for each in systems if each.partition is not None]
        by = partial(led_by_the_best, model, parts, [pivot_units(problem.loops, each) for each in parts])
        closings = [each for each in map(sound_closing, systems) if each is not None]
        phase = Phase(
            "motion", by([each.motion() for each in systems]), by([row for _, row in written]), by(closings)
        )
    values: dict[str, float] = {}
    for function in (phase.motion, phase.columns, phase.closing):
        values |= {} if function is None else function.parameters
    values |= {name: x for name, x in problem.parameters.items() if name in values}
    return Program(
        stem,
        (phase,),
        state_quantities(system, problem.y),
        input_quantities(model, system.held, held_values(system)),
        parameter_quantities(model, values),
        columns,
        options,
        tuple(system.quaternions),
        about(system),
        system.extras.near,
    )


def held_values(system: System) -> list[float]:
    """The values of what is held; an error where a controller in Python would have to give them."""
    inputs = system.inputs
    values = {inputs.names[slot]: x for slot, x in inputs.numbers.items()}
    for name in system.held:
        if name not in values:
            raise ModelError(
                f'"{name[:60]}" comes from a sampled controller, which is Python code: no part of a program',
                remedy="leave out its rate, so that it is traced",
            )
    return [values[name] for name in system.held]


def default_outputs(system: System) -> tuple[str, ...]:
    """Coordinates, speeds and energy."""
    return (*system.model.coordinates, *system.model.speeds, "energy")


def about(system: System) -> str:
    """What the program computes, in a sentence."""
    model = system.model
    freedom = len(model.speeds) - (0 if system.partition is None else len(system.partition.dependent))
    words = f"bodies: {len(model.bodies)}, speeds: {len(model.speeds)}"
    if system.partition is None:
        return f"{words}."
    lead = [name for k, name in enumerate(model.speeds) if k not in system.partition.dependent]
    return f"{words}, {freedom} of them independent: {', '.join(lead)}."


def _options(start: float, until: Any, every: Any, step: Any, tolerance: Any) -> dict[str, float]:
    end = real(until, "until")
    if not end > start:
        raise ModelError(f"until is {end:g} s and the start at {start:g} s: it must be later")
    pause = (end - start) / 100.0 if every is None else _positive(every, "every")
    longest = min(pause, (end - start) / 100.0) if step is None else _positive(step, "step")
    relative = _positive(tolerance, "tolerance") if step is None else 0.0
    return {
        "tinitial": start,
        "tfinal": end,
        "integstp": longest,
        "printint": pause,
        "abserr": float(f"{relative / 1000.0:.12g}"),
        "relerr": relative,
    }


def _positive(value: Any, what: str) -> float:
    number = real(value, what)
    if not number > 0.0:
        raise SolveError(f"{what} is {number:g}", expected="more than 0")
    return number
