"""The verb `simulate`: a model's motion from a start to a time, as a Result."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, overload, runtime_checkable

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, Notice, SolveError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.runs.results import Results
from hapsis.mechanics.model.state import Array, Start, State
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.simulate.batch.variations import variations
from hapsis.motion.simulate.equations.closed_system import ClosedSystem
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.initial_value_problem import InitialValueProblem, initial_value_problem
from hapsis.motion.simulate.run.drive_jumps import DriveJumps
from hapsis.motion.simulate.run.energy_account import EnergyAccount
from hapsis.motion.simulate.run.events import Event, Events, events_of, with_contacts
from hapsis.motion.simulate.run.open_loops import OpenLoops
from hapsis.motion.simulate.run.partition_switch import PartitionSwitch
from hapsis.motion.simulate.run.result_builder import announced, check_columns, result_of
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_options import (
    MOST_STEPS,
    TOLERANCE,
    RunOptions,
    check_limits,
    run_options,
    sample_times,
    whole,
)
from hapsis.motion.simulate.run.run_parts import MomentumForm, NoInterruption, RunParts, SpeedForm
from hapsis.motion.simulate.run.singular_positions import left_start

ROWS = 200  # of each of many runs, unless it is said how many
# what starts and parameters may be: of one run numbers, of many runs also arrays of them
OneStart = State | Mapping[str, float] | Sequence[float] | Array
ManyValues = Mapping[str, float | Sequence[float] | Array]


@runtime_checkable
class Simulated(Protocol):
    """What moves and is no Model: it says how it is simulated.

    It may have `methods`, the names of methods that it takes instead of those of Models.
    """

    def simulated(self, until: Any, start: Any, **options: Any) -> Any:
        """The motion; the options are those of `simulate`, checked."""
        ...


@overload
def simulate(
    model: Model | Simulated,
    until: float,
    start: OneStart | Result | None = ...,
    *,
    near: Mapping[str, float] | None = ...,
    method: str = ...,
    step: float | None = ...,
    tolerance: float = ...,
    every: float | None = ...,
    inputs: Mapping[str, Any] | None = ...,
    events: Events = ...,
    parameters: Mapping[str, float] | None = ...,
    watchdog: bool = ...,
    losses: bool = ...,
    limits: str | None = ...,
    progress: bool | None = ...,
    most_steps: int = ...,
    longest_step: float | None = ...,
    threads: int | None = ...,
    title: str = ...,
) -> Result: ...


@overload
def simulate(
    model: Model | Simulated,
    until: float,
    start: ManyValues | OneStart | Result | None = ...,
    *,
    near: Mapping[str, float] | None = ...,
    method: str = ...,
    step: float | None = ...,
    tolerance: float = ...,
    every: float | None = ...,
    inputs: Mapping[str, Any] | None = ...,
    events: Events = ...,
    parameters: ManyValues | None = ...,
    watchdog: bool = ...,
    losses: bool = ...,
    limits: str | None = ...,
    progress: bool | None = ...,
    most_steps: int = ...,
    longest_step: float | None = ...,
    threads: int | None = ...,
    title: str = ...,
) -> Results: ...


@verb
def simulate(
    model: Model | Simulated,
    until: float,
    start: Start | Result | None = None,
    *,
    near: Mapping[str, float] | None = None,
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    every: float | None = None,
    inputs: Mapping[str, Any] | None = None,
    events: Events = (),
    parameters: Mapping[str, Any] | None = None,
    watchdog: bool = True,
    losses: bool = False,
    limits: str | None = None,
    progress: bool | None = None,
    most_steps: int = MOST_STEPS,
    longest_step: float | None = None,
    threads: int | None = None,
    title: str = "",
) -> Result | Results:
    """The motion of a model until that time.

    model       what moves: a Model, or an `hs.Hybrid`
    until       the time of the end, s; a run starts at t = 0, or where the given Result ended
    start       {name: value} of coordinates, speeds and states of laws over the model's pose
                "start"; a State; all coordinates; or a Result to go on from. In a model with loops what is
                named is met exactly, and the rest is assembled. Arrays of values are
                many runs, one for each value: the motions come back as `hs.Results`
    near        {name: value} of coordinates that need not be met: guesses, which choose among several ways
                to close the loops
    method      "order8" and "order5" adapt their steps, "stiff" too and is implicit; "rk4", "euler"
                (semi-implicit), "symplectic" and "contact" have fixed ones; "contact" solves contacts
                and friction in each step. "auto" is contact or, without contacts, rk4 if a step is
                given, else order8, and stiff from where that pays
    step        length of fixed steps, s
    tolerance   error allowed per step, relative; a thousandth of it absolute, in SI units
    every       s between two rows of the result; by default a ten-thousandth of the time, of many
                runs a two-hundredth
    inputs      {coordinate: effort}: a number, a function of t, or a table (times, values)
    events      `hs.Event`s, or {name: when}
    parameters  {name: value} other than the model's own, without compiling again; arrays are many
                runs, as in `start`
    watchdog    stop where energy changes by more than 5 % and no force explains it
    losses      count what each joint, force and contact dissipates, NAME.loss, and the work of drives and of
                forces from outside, NAME.work, in J since the start of the run
    limits      "stops": limits of joints act, as rigid stops, with the method "contact"
    progress    a bar on standard error; by default on terminals, after a second
    most_steps  the budget of steps
    longest_step  s, where steps adapt: no step is longer. Functions of t need none: they are examined
                before the run; needed for other things that happen faster than steps are long
    threads     for columns that are computed for all rows at once; results do not depend on it
    title       the heading of plots and of the player
    """
    more: dict[str, Any] = {
        "near": near,
        "every": every,
        "inputs": inputs,
        "events": events_of(events),
        "parameters": parameters,
        "losses": bool(losses),
        "progress": progress,
        "threads": None if threads is None else whole(threads, "threads"),
        "title": str(title),
    }
    if not isinstance(model, Model):
        if not isinstance(model, Simulated):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"simulate takes a Model, a Hybrid or a Scene, not {described(model)}")
        own = getattr(model, "methods", ())
        given = run_options(method, step, tolerance, watchdog, most_steps, longest_step, own)
        check_limits(limits, given)
        return model.simulated(until, start, options=given, **more)
    tell_warnings(model)
    if model.contacts and not losses:
        from hapsis.motion.simulate.contact.contact_model import chosen_method

        method = chosen_method(model, method, step)
    options = run_options(method, step, tolerance, watchdog, most_steps, longest_step)
    check_limits(limits, options)
    runs = variations(start, parameters)
    if runs is not None:
        if losses:
            raise SolveError(
                "losses are counted in one run, not in many", remedy="simulate them one after the other"
            )
        if every is None:
            every = real(until, "until") / ROWS

        def alone(k: int) -> Result:
            mine, values = runs.one(k, start, parameters)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Notice)  # the statuses of all runs say it
                return simulate(
                    model,
                    until,
                    mine,
                    near=near,
                    method=method,
                    step=step,
                    tolerance=tolerance,
                    every=every,
                    inputs=inputs,
                    events=events,
                    parameters=values,
                    watchdog=watchdog,
                    limits=limits,
                    progress=False,
                    most_steps=most_steps,
                    longest_step=longest_step,
                    title=title,
                )

        from hapsis.motion.simulate.batch.simulate_many import simulate_many

        with Bar(progress) as bar:
            return simulate_many(
                model,
                until,
                runs,
                options,
                alone,
                start=start,
                near=near,
                parameters=parameters,
                every=every,
                inputs=inputs,
                events=events,
                threads=None if threads is None else whole(threads, "threads"),
                title=str(title),
                bar=bar,
            )
    if options.method == "contact":
        from hapsis.motion.simulate.contact.simulate_contact import simulate_contact

        return simulate_contact(model, until, start, options=options, limits=limits, **more)
    with Bar(progress) as bar:
        problem = initial_value_problem(model, Inputs(model, inputs), start, parameters, near=near, keep=True)
        span = problem.span(until)
        samples = sample_times(*span, every, len(problem.y))
        kernels = Kernels(
            problem.system, problem.parameters, None if threads is None else whole(threads, "threads")
        )
        if isinstance(start, Result):
            kernels.hold(start.memory.held)  # the last efforts of sampled controllers
        run = run_of(problem, kernels, options, span, samples, events_of(events), losses=bool(losses))
        run.go(bar)
        account = run.parts.account
        result = result_of(run, str(title), account if isinstance(account, EnergyAccount) else None)
    return announced(result, model)


def run_of(
    problem: InitialValueProblem,
    kernels: Kernels,
    options: RunOptions,
    span: tuple[float, float],
    samples: Any,
    events: Sequence[Event] = (),
    losses: bool = False,
) -> Run:
    """The run of a problem, ready to go: a tree, or a closed system whose partition may change."""
    system, loops, t, y, before = problem.system, problem.loops, problem.t, problem.y, None
    momenta = options.method == "symplectic" and loops is None
    form = MomentumForm(kernels) if momenta else SpeedForm(kernels)
    account = EnergyAccount(kernels, form, momenta) if losses else None
    check_columns(system, account.column_names if account is not None else ())
    if loops is not None and options.method == "symplectic":
        raise SolveError(
            '"symplectic" has no form for loops and drives', remedy="use order8, or rk4 with a step"
        )
    if options.step is not None:
        from hapsis.motion.simulate.run.step_stability import check_step

        kernels.hold(system.inputs.values(problem.t))
        check_step(kernels, options.method, options.step, t, y, loops)
    if problem.singular is not None and problem.singular.partition is not None and loops is not None:
        left = left_start(kernels, loops, problem.singular, span, y, samples)
        if account is not None:
            account.begin(t, left.path, left.rows.t, left.t)
        t, y, before = left.t, left.y, left.rows
        samples = samples[samples > t]
    if isinstance(system, ClosedSystem) and loops is not None:
        switch = PartitionSwitch(kernels, system, loops, t, y, growing=before is not None)
        checks = (OpenLoops(loops, system.layout),)
        jumps = DriveJumps(kernels, loops)
        parts = RunParts(form, switch, checks, loops=loops, jumps=jumps, waves=bool(events))
    else:
        parts = RunParts(form, NoInterruption(kernels, momenta), waves=bool(events))
    if account is not None:
        parts = parts._replace(form=account, record=account, account=account)
    watched = with_contacts(events, tuple(system.model.contacts), options.method)
    return Run(kernels, options, (t, span[1]), y, samples, watched, parts, before)
