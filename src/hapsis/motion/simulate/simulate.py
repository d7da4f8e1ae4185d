"""The verb `simulate`: a model's motion from a start to a time, as a Result."""

import dataclasses
from collections.abc import Mapping
from functools import singledispatch
from typing import Any

from hapsis.errors import ModelError, notice
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.simulate.equations.closed_system import Looped, is_tied
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import Packed
from hapsis.motion.simulate.run.events import events_of
from hapsis.motion.simulate.run.partition_switch import Looping
from hapsis.motion.simulate.run.progress import Bar
from hapsis.motion.simulate.run.result_builder import recorded
from hapsis.motion.simulate.run.run import Plan, Running
from hapsis.motion.simulate.run.run_options import (
    MOST_STEPS,
    TOLERANCE,
    asked_plan,
    asked_span,
    check_method,
    parameter_values,
    sample_times,
    whole,
)
from hapsis.motion.simulate.run.step_stability import check_step


@singledispatch
def simulate(model: Any, until: float, start: Any = None, **options: Any) -> Result:
    """The motion of a model, or of anything else that can move, until that time."""
    raise ModelError(f"simulate takes a Model, not {described(model)}")


@simulate.register
def _(
    model: Model,
    until: float,
    start: Any = None,
    *,
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    every: float | None = None,
    inputs: Mapping[str, Any] | None = None,
    events: Any = (),
    parameters: Mapping[str, float] | None = None,
    watchdog: bool = True,
    progress: bool | None = None,
    most_steps: int = MOST_STEPS,
    threads: int | None = None,
    title: str = "",
) -> Result:
    """The motion of a model until that time.

    start       {name: value} of coordinates, speeds and states of laws over the model's pose
                "start"; a State; all coordinates; or a Result to go on from
    method      "order8" and "order5" adapt their steps, "stiff" too and is implicit; "rk4", "euler"
                (semi-implicit) and "symplectic" have fixed ones. "auto" is rk4 if a step is given,
                else order8, and stiff from where that pays
    step        length of fixed steps, s
    tolerance   error allowed per step, relative; a thousandth of it absolute, in SI units
    every       s between two rows of the result; a ten-thousandth of the time if not given
    inputs      {coordinate: effort}: a number, a function of t, or a table (times, values)
    events      `hs.Event`s, or {name: when}
    parameters  {name: value} other than the model's own, without compiling again
    watchdog    stop where energy changes by more than 5 % and no force explains it
    progress    a bar on standard error; by default on terminals, after a second
    most_steps  the budget of steps
    threads     for what is computed of all rows at once; no bit depends on it
    title       the heading of plots and of the player
    """
    plan = asked_plan(method, step, tolerance, watchdog, most_steps)
    if not model.speeds:
        raise ModelError("nothing in this model can move", remedy="add a joint that moves")
    values, given = parameter_values(parameters), Inputs(model, inputs)
    packed, loops = Packed(model, given, keep=True), None
    if is_tied(model):
        check_method(plan["method"])
        loops = Loops(model, inputs=given.told(0.0), parameters=values)
    (t, until), y = asked_span(model, packed.extras.states, start, until, loops)
    if loops is not None:
        q = packed.layout.split(y)[0]
        part = best_partition(loops, q, t, preferred=model.independent)
        packed = Looped(model, given, part, keep=True)
    samples = sample_times(t, until, every, len(y))
    threads = None if threads is None else whole(threads, "threads")
    kernels = Kernels(packed, values, threads)
    if isinstance(start, Result):
        kernels.hold(start.memory.held)  # what sampled controllers gave before
    plan = Plan(**{**plan, "samples": samples})
    if plan.step is not None:
        check_step(kernels, plan.method, plan.step, t, y, loops)
    if loops is None:
        running = Running(kernels, events_of(events), (t, until), y, plan)
    else:
        running = Looping(kernels, events_of(events), (t, until), y, plan, loops)
    with Bar(t, until, progress) as bar:
        running.go(bar)
    result = dataclasses.replace(recorded(running), title=str(title))
    if not result.success:
        notice(f"the simulation did not succeed: {result.status}; {result.message}")
    for warning in result.warnings:
        notice(warning)
    return result
