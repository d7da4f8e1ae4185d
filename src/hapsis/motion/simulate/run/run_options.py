"""The options of a run, checked: method, steps, tolerance, rows, parameters."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hapsis.errors import SolveError, check_known
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.simulate.run.events import FIXED
from hapsis.motion.solvers.integrators.methods import METHODS

Array = np.ndarray[Any, np.dtype[np.float64]]
TOLERANCE = 1e-9
SAMPLES = 10_000
MOST_NUMBERS = 20_000_000  # in all samples together; of very large models fewer are kept
MOST_STEPS = 50_000_000
DIFFERENTIATED = ("order8", "order5", "rk4")  # methods that can carry derivatives


@dataclass(frozen=True)
class RunOptions:
    """How to integrate; made by `run_options`.

    limit       steps to try in the whole run
    watchdog    whether energy that no force explains stops the run
    longest     the longest step, where steps adapt; None: as the accuracy allows
    stiffness   whether to change to the stiff method where it pays
    why         why "auto" chose the method, where what is no Model was asked
    """

    method: str
    step: float | None
    tolerance: float
    limit: int
    watchdog: bool
    stiffness: bool
    longest: float | None = None
    why: str = ""


def run_options(
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    watchdog: bool = True,
    most_steps: int = MOST_STEPS,
    longest_step: float | None = None,
    own: Sequence[str] = (),
) -> RunOptions:
    """The options as the user gives them, checked; "auto" becomes a method.

    own   the methods of what is no Model, whose first one is "auto" without a step, and the second with one
    """
    known = ("auto", *(own or METHODS))
    check_known(method, known, "there is no method {}", SolveError, expected=", ".join(known))
    if step is not None:
        step = real(step, "step")
        if not 1e-9 <= step <= 1e3:
            raise SolveError(f"step is {step:g} s", expected="from 1e-9 to 1000 s")
    if longest_step is not None:
        longest_step = real(longest_step, "longest_step")
        if not 1e-12 <= longest_step:
            raise SolveError(f"longest_step is {longest_step:g} s", expected="at least 1e-12 s")
        if step is not None:
            raise SolveError("step and longest_step are both given", remedy="a fixed step needs no limit")
    tolerance = real(tolerance, "tolerance")
    if not 1e-14 <= tolerance <= 0.1:
        raise SolveError(f"tolerance is {tolerance:g}", expected="from 1e-14 to 0.1")
    why = ""
    if own and method == "auto":
        method = own[0] if step is None else own[1]
        why = '"auto" takes it where no step is given' if step is None else '"auto" takes it for a fixed step'
    if method in FIXED and step is None:
        raise SolveError(f'the method "{method}" has fixed steps', remedy="give step=")
    stiffness = method == "auto" and step is None
    if method == "auto":
        method = "order8" if step is None else "rk4"
    limit = whole(most_steps, "most_steps")
    if not isinstance(watchdog, bool | np.bool_ | int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SolveError(f"watchdog is {described(watchdog)}", expected="True or False")
    return RunOptions(method, step, tolerance, limit, bool(watchdog), stiffness, longest_step, why)


def check_limits(limits: Any, options: RunOptions) -> None:
    """Refuses other values of `limits`, and methods that have no rows for them."""
    if limits is None:
        return
    if limits != "stops":
        raise SolveError(f"limits is {limits!r:.60}", expected='"stops", or nothing')
    if options.method != "contact":
        raise SolveError(
            f'limits act in the method "contact", not in "{options.method}"',
            remedy='give method="contact" and step=, or use model.with_stops()',
        )


def derivative_options(
    method: str, step: float | None, tolerance: float, most_steps: int, longest_step: float | None
) -> RunOptions:
    """The options of a run that carries derivatives: few methods, and none is changed on the way."""
    options = run_options(method, step, tolerance, most_steps=most_steps, longest_step=longest_step)
    if options.method not in DIFFERENTIATED:
        raise SolveError(f'the method "{method}" has no derivatives', expected=", ".join(DIFFERENTIATED))
    return replace(options, stiffness=False)


def sample_times(t: float, until: float, every: float | None, size: int, step: float | None = None) -> Any:
    """The times of the rows of a result, for states of so many numbers.

    step    where given and `every` is not, rows stand at ends of steps
    """
    most = max(100, min(SAMPLES, MOST_NUMBERS // size))
    if every is None and step is not None and step < until - t:
        every = step * math.ceil((until - t) / (most * step) * (1.0 - 1e-12))
    if every is None:
        return np.linspace(t, until, most + 1)
    every = real(every, "every")
    count = (until - t) / every if every > 0.0 else math.inf
    if not count <= 1e8 or not count * size <= 1e9:
        raise SolveError(f"every is {every:g} s", expected="a time that gives fewer rows")
    times = t + every * np.arange(math.floor(count * (1 + 1e-12)) + 1)
    times[-1] = min(times[-1], until)
    return times if until - times[-1] <= 1e-9 * every else np.append(times, until)


def whole(x: Any, what: str) -> int:
    """A whole number, at least 1."""
    number = real(x, what)
    if not (1 <= number <= 1e15 and number == int(number)):
        raise SolveError(f"{what} is {number:g}", expected="a whole number, at least 1")
    return int(number)
