"""The motion of a hybrid: one native run through its phases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.model.checks.changed_values import has_number, parameter_values
from hapsis.mechanics.model.checks.massless import check_masses
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.hybrid.hybrid_result import hybrid_result
from hapsis.motion.hybrid.hybrid_run import PhaseForm, PhaseLog, PhaseRows, PhaseSwitch
from hapsis.motion.hybrid.machine import PhaseMachine
from hapsis.motion.hybrid.many_hybrids import simulate_many_hybrids
from hapsis.motion.hybrid.phase_inputs import PhaseInputs
from hapsis.motion.hybrid.phase_jumps import PhaseJumps
from hapsis.motion.hybrid.phase_system import PhaseSystem
from hapsis.motion.simulate.batch.variations import variations
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import known_parameters
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.run.events import Event, with_contacts
from hapsis.motion.simulate.run.result_builder import announced, check_columns
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_options import RunOptions, sample_times
from hapsis.motion.simulate.run.run_parts import RunParts

METHODS = ("order8", "order5", "rk4")
ROWS = 200  # of each of many runs, unless it is said how many
PHASE = "phase"  # the column of the number of the phase, and the name of a start's phase


def simulate_hybrid(
    hybrid: Hybrid,
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
) -> Any:
    """The motion of a hybrid; options as those of `simulate`."""
    if options.method not in METHODS:
        raise SolveError(f'a hybrid is not integrated by "{options.method}"', expected=", ".join(METHODS))
    if losses:
        raise SolveError("losses of joints and forces are not counted in a hybrid")
    tell_warnings(hybrid.model)
    runs = variations(start, parameters)
    if runs is not None and every is None:
        every = real(until, "until") / ROWS
    options = replace(options, stiffness=False)
    asked = HybridOptions(until, options, near, every, inputs, events, threads)

    def made(start: Any, values: Any, bar: Bar) -> Result:
        run, machine, rows = hybrid_run(hybrid, start, values, asked)
        run.go(bar)
        return hybrid_result(run, machine, rows, title)

    with Bar(progress) as bar:
        if runs is None:
            return announced(made(start, parameters, bar), hybrid.model)
        size = len(hybrid.coordinates) + len(hybrid.speeds)
        times = sample_times(0.0, real(until, "until"), every, size)
        return simulate_many_hybrids(
            hybrid,
            runs,
            times,
            lambda k: made(*runs.one(k, start, parameters), Bar(False)),
            options.method,
            threads,
            title,
            bar,
        )


@dataclass(frozen=True)
class HybridOptions:
    """How a hybrid is run: what is the same for each of many runs."""

    until: Any
    options: RunOptions
    near: Any = None
    every: float | None = None
    inputs: Mapping[str, Any] | None = None
    events: Sequence[Event] = ()
    threads: int | None = None


def hybrid_run(
    hybrid: Hybrid, start: Any, parameters: Mapping[str, Any] | None, asked: HybridOptions
) -> tuple[Run, PhaseMachine, PhaseRows]:
    """The run of a hybrid, ready to go; the start may name its phase."""
    name, start = start_phase(hybrid, start)
    options, inputs, threads = asked.options, asked.inputs, asked.threads
    model, first = hybrid.phases[name], list(hybrid.phases).index(name)
    mine = _parameters(hybrid, model, parameters or {})
    for each in hybrid.phases.values():
        derived(each, check_masses, lambda each=each: check_masses(each))
    given = Inputs(model, inputs)
    problem = initial_value_problem(model, given, start, mine, near=asked.near, keep=True)
    span = problem.span(asked.until)
    phases = [
        PhaseSystem(n, m, given, dict(parameters or {}), threads, problem.loops)
        if m is model
        else PhaseSystem(n, m, Inputs(m, inputs), dict(parameters or {}), threads)
        for n, m in hybrid.phases.items()
    ]
    for each in phases:
        _check_states(phases[first], each)
    layout = phases[first].store.layout
    q = layout.split(problem.y)[0]
    phases[first].start(problem.system, q, problem.t)
    for each in phases:
        if each.timed and each.system is None:  # what bends in time must be known before
            each.choose(q, problem.t)
    watched = with_contacts([*hybrid.events, *asked.events], tuple(model.contacts), options.method)
    _check_parameters(phases, parameters or {})
    machine = PhaseMachine(hybrid, watched, phases)
    kernels = phases[first].kernels
    assert kernels is not None
    check_columns(problem.system, (PHASE, *(n for foot in hybrid.watch for n in foot.columns)))
    samples = sample_times(*span, asked.every, len(problem.y))
    memory = start.memory if isinstance(start, Result) else None
    for each in phases:
        each.hold(getattr(memory, "held", {}))  # the last efforts of sampled controllers
    form = PhaseForm(machine, first, getattr(memory, "begun", problem.t), getattr(memory, "loss", 0.0))
    rows = PhaseRows(machine, form)
    parts = RunParts(
        form,
        PhaseSwitch(machine),
        (rows,),
        record=rows,
        jumps=PhaseJumps(machine),
        waves=bool(watched),
        others=[p.kernels for p in phases if p.kernels is not None and p.kernels is not kernels],
        held=PhaseInputs(machine, problem.t, (first, form.first[1])),
        log=PhaseLog(machine, form),
    )
    return Run(kernels, options, span, problem.y, samples, (), parts), machine, rows


def start_phase(hybrid: Hybrid, start: Any) -> tuple[str, Any]:
    """The name of the phase to start in, and the start without it."""
    name = hybrid.start
    if isinstance(start, Result):
        name = getattr(start.memory, PHASE, None) or name
    elif isinstance(start, Mapping) and PHASE in start:
        start = dict(start)
        name = start.pop(PHASE)
        if not isinstance(name, str):
            raise ModelError(f"the start's phase must be a name, not {name!r:.60}")
        check_known(name, hybrid.phases, "the start: there is no phase {}")
    assert name is not None
    return name, start


def _parameters(hybrid: Hybrid, model: Model, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the parameters that the model of one phase has; each must belong to some phase."""
    mine: dict[str, Any] = {}
    for name, value in parameters.items():
        errors: list[Exception] = []
        for each in hybrid.phases.values():
            try:
                parameter_values(each, {name: value})
                if each is model:
                    mine[name] = value
            except ModelError as error:
                errors.append(error)
        if len(errors) == len(hybrid.phases):
            raise errors[0]
    return mine


def _check_parameters(phases: Sequence[PhaseSystem], parameters: Mapping[str, Any]) -> None:
    """Refuses a name that no phase has a number of."""
    known = {name for each in phases if each.system is not None for name in known_parameters(each.system)}
    for name in parameters:
        if not any(has_number(each.model, name) for each in phases):
            check_known(name, known, "there is no parameter {}")


def _check_states(first: PhaseSystem, other: PhaseSystem) -> None:
    """Refuses phases whose laws have different states, or that hold different inputs."""
    for what in ("states", "held"):
        mine, its = (tuple(getattr(each.store.extras, what)) for each in (first, other))
        if mine != its:
            odd = ", ".join(sorted(set(mine) ^ set(its))) or "their order"
            raise ModelError(
                f'phases "{first.name[:60]}" and "{other.name[:60]}" differ in what their laws remember or '
                f"hold: {odd[:200]}",
                expected="the same in all phases",
            )
