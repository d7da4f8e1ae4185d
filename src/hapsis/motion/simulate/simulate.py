"""The verb `simulate`: a model's motion from a start to a time, as a Result."""

import dataclasses
import math
from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np

from hapsis.errors import ModelError, SolveError, near, notice
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.numbers import described, real
from hapsis.mechanics.model.result import Result
from hapsis.motion.simulate.events import events_of
from hapsis.motion.simulate.inputs import Inputs
from hapsis.motion.simulate.kernels import Kernels
from hapsis.motion.simulate.packing import Packed
from hapsis.motion.simulate.progress import Bar
from hapsis.motion.simulate.recording import recorded
from hapsis.motion.simulate.running import FIXED, Plan, Running
from hapsis.motion.simulate.safety import check_step
from hapsis.motion.simulate.starting import initial
from hapsis.motion.solvers.run import METHODS

TOLERANCE = 1e-9
SAMPLES = 10_000
MOST_NUMBERS = 20_000_000  # in all samples together; of very large models fewer are kept
MOST_STEPS = 50_000_000


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
    plan = _plan(method, step, tolerance, watchdog, most_steps)
    if not model.speeds:
        raise ModelError("nothing in this model can move", remedy="add a joint that moves")
    packed = Packed(model, Inputs(model, inputs), keep=True)
    t, y = initial(model, packed.extras.states, start)
    until = real(until, "until")
    if not until > t:
        raise ModelError(f"until is {until:g} s and the start at {t:g} s: it must be later")
    samples = _samples(t, until, every, len(y))
    threads = None if threads is None else _whole(threads, "threads")
    kernels = Kernels(packed, _numbers(parameters), threads)
    if isinstance(start, Result):
        kernels.hold(start.memory.held)  # what sampled controllers gave before
    plan = Plan(**{**plan, "samples": samples})
    if plan.step is not None:
        check_step(kernels, plan.method, plan.step, t, y)
    running = Running(kernels, events_of(events), (t, until), y, plan)
    with Bar(t, until, progress) as bar:
        running.go(bar)
    result = dataclasses.replace(recorded(running), title=str(title))
    if not result.success:
        notice(f"the simulation did not succeed: {result.status}; {result.message}")
    for warning in result.warnings:
        notice(warning)
    return result


def _plan(
    method: str, step: float | None, tolerance: float, watchdog: bool, most_steps: int
) -> dict[str, Any]:
    known = ("auto", *METHODS)
    if method not in known:
        raise SolveError(f'there is no method "{str(method)[:60]}"{near(str(method), known)}',
                         expected=", ".join(known))  # fmt: skip
    if step is not None:
        step = real(step, "step")
        if not 1e-9 <= step <= 1e3:
            raise SolveError(f"step is {step:g} s", expected="from 1e-9 to 1000 s")
    tolerance = real(tolerance, "tolerance")
    if not 1e-14 <= tolerance <= 0.1:
        raise SolveError(f"tolerance is {tolerance:g}", expected="from 1e-14 to 0.1")
    if method in FIXED and step is None:
        raise SolveError(f'the method "{method}" has fixed steps', remedy="give step=")
    stiffness = method == "auto"
    if method == "auto":
        method = "order8" if step is None else "rk4"
    return {
        "method": method, "step": step, "tolerance": tolerance, "samples": None,
        "limit": _whole(most_steps, "most_steps"), "watchdog": bool(watchdog),
        "stiffness": stiffness and step is None,
    }  # fmt: skip


def _samples(t: float, until: float, every: float | None, size: int) -> Any:
    most = max(100, min(SAMPLES, MOST_NUMBERS // size))
    if every is None:
        return np.linspace(t, until, most + 1)
    every = real(every, "every")
    count = (until - t) / every if every > 0.0 else math.inf
    if not count <= 1e8 or not count * size <= 1e9:
        raise SolveError(f"every is {every:g} s", expected="a time that gives fewer rows")
    times = t + every * np.arange(math.floor(count * (1 + 1e-12)) + 1)
    times[-1] = min(times[-1], until)
    return times if until - times[-1] <= 1e-9 * every else np.append(times, until)


def _numbers(parameters: Mapping[str, float] | None) -> dict[str, float]:
    if parameters is not None and not isinstance(parameters, Mapping):  # pyright: ignore
        raise ModelError(f"parameters must be {{name: value}}, not {described(parameters)}")
    return {n: real(x, f'parameter "{n}"') for n, x in (parameters or {}).items()}


def _whole(x: Any, what: str) -> int:
    number = real(x, what)
    if not (1 <= number <= 1e15 and number == int(number)):
        raise SolveError(f"{what} is {number:g}", expected="a whole number, at least 1")
    return int(number)
