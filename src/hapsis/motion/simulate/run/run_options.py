"""What a user asks of a run, checked: how, from when to when, which rows, with which numbers."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.errors import ModelError, SolveError, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.run.initial_state import Array, initial
from hapsis.motion.simulate.run.run import FIXED
from hapsis.motion.solvers.run.integration import METHODS

TOLERANCE = 1e-9
SAMPLES = 10_000
MOST_NUMBERS = 20_000_000  # in all samples together; of very large models fewer are kept
MOST_STEPS = 50_000_000


def check_method(method: str) -> None:
    """Refuses what cannot go with loops."""
    if method == "symplectic":
        raise SolveError(
            '"symplectic" has no form for loops and drives', remedy="use order8, or rk4 with a step"
        )


def asked_span(
    model: Model, states: Mapping[str, float], start: Any, until: Any, loops: Loops | None = None
) -> tuple[tuple[float, float], Array]:
    """From when to when, and the state at the start; `loops` where there are any."""
    t, y = initial(model, states, start, loops)
    until = real(until, "until")
    if not until > t:
        raise ModelError(f"until is {until:g} s and the start at {t:g} s: it must be later")
    return (t, until), y


def asked_plan(
    method: str, step: float | None, tolerance: float, watchdog: bool, most_steps: int
) -> dict[str, Any]:
    """The fields of a `Plan`, samples left out."""
    known = ("auto", *METHODS)
    if method not in known:
        raise SolveError(
            f'there is no method "{str(method)[:60]}"{near(str(method), known)}', expected=", ".join(known)
        )
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
        "method": method,
        "step": step,
        "tolerance": tolerance,
        "samples": None,
        "limit": whole(most_steps, "most_steps"),
        "watchdog": bool(watchdog),
        "stiffness": stiffness and step is None,
    }


def sample_times(t: float, until: float, every: float | None, size: int) -> Any:
    """The times of the rows of a result, for states of so many numbers."""
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


def parameter_values(parameters: Mapping[str, float] | None) -> dict[str, float]:
    """{name: number} of parameters other than the model's own."""
    if parameters is not None and not isinstance(parameters, Mapping):  # pyright: ignore
        raise ModelError(f"parameters must be {{name: value}}, not {described(parameters)}")
    return {n: real(x, f'parameter "{n}"') for n, x in (parameters or {}).items()}


def whole(x: Any, what: str) -> int:
    """A whole number, at least 1."""
    number = real(x, what)
    if not (1 <= number <= 1e15 and number == int(number)):
        raise SolveError(f"{what} is {number:g}", expected="a whole number, at least 1")
    return int(number)
