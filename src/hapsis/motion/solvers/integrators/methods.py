"""The methods of integration, by name."""

from collections.abc import Callable
from math import inf

from hapsis.errors import SolveError, near
from hapsis.motion.solvers.integrators.euler import euler
from hapsis.motion.solvers.integrators.explicit import explicit
from hapsis.motion.solvers.integrators.family import Family
from hapsis.motion.solvers.integrators.midpoint import midpoint
from hapsis.motion.solvers.integrators.rosenbrock import rosenbrock

METHODS: dict[str, Callable[[], Family]] = {
    "rk4": lambda: explicit("rk4"),
    "order5": lambda: explicit("order5"),
    "order8": lambda: explicit("order8"),
    "euler": euler,
    "stiff": rosenbrock,
    "symplectic": midpoint,
}


def method_named(method: str, step: float | None) -> Family:
    """The method of that name, if it can do with such a step (None: adaptive)."""
    if method not in METHODS:
        raise SolveError(f'there is no method "{method}"{near(method, METHODS)}', expected=", ".join(METHODS))
    family = METHODS[method]()
    if step is None and not family.error:
        raise SolveError(f'"{method}" has fixed steps', remedy="give step=")
    if step is not None and not (0 < step < inf):
        raise SolveError(f"the step is {step}", expected="a finite length above zero")
    if step is not None and not family.fixed:
        raise SolveError(f'the steps of "{method}" adapt', remedy="leave out step=")
    return family
