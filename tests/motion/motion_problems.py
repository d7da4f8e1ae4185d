"""Equations to integrate, as compiled kernels."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.compiler.native import bound
from hapsis.motion.solvers.run.integration import Integration, advance
from hapsis.motion.solvers.run.run_memory import PAUSED

Formulas = Callable[[Any, Any], Sequence[Any]]

METHODS = ["rk4", "order5", "order8", "euler", "stiff", "symplectic"]
ADAPTIVE = ["order5", "order8", "stiff"]


@cache
def kernel(n: int, formulas: Formulas) -> Any:
    """The kernel (t, y, out) of out = formulas(t, y)."""
    return bound(hs.compile(_function(n, formulas)), vary=("t", "y", "out"))


@cache
def jacobian(n: int, formulas: Formulas) -> Any:
    """The kernel (t, y, J, ft) of the derivatives of the formulas."""
    function = _function(n, formulas)
    t, y = hs.symbol("t"), hs.symbols("y", n)
    flat = {
        name: np.asarray(function.jacobian("out", of)(t, y)).reshape(-1)
        for name, of in (("J", "y"), ("ft", "t"))
    }
    both = hs.Function("jacobian", {"t": t, "y": y}, flat)
    return bound(hs.compile(both), vary=("t", "y", "J", "ft"))


def _function(n: int, formulas: Formulas) -> Any:
    t, y = hs.symbol("t"), hs.symbols("y", n)
    return hs.Function("f", {"t": t, "y": y}, {"out": np.array(formulas(t, y), dtype=object)})


def run_of(method: str, n: int, formulas: Formulas, *args: Any, **options: Any) -> Integration:
    """A run that has the kernels its method needs."""
    if method == "stiff":
        options["jacobian"] = jacobian(n, formulas)
    if method == "euler":
        options |= {"rates": kernel(n, formulas), "split": (n // 2, n // 2)}
    return Integration(method, kernel(n, formulas), *args, **options)


def steps_of(method: str, step: float) -> dict[str, Any]:
    """Options of a run of either kind: adaptive where the method can, else with this step."""
    return {} if method in ADAPTIVE else {"step": step}


def finished(run: Integration, steps: int = 100_000) -> int:
    """The answer at the end of the run."""
    while (answer := advance(run, steps)) == PAUSED:
        pass
    return answer


def oscillator(t: Any, y: Any) -> Sequence[Any]:
    """x = cos t from (1, 0)."""
    return [y[1], -y[0]]


def turning(t: Any, y: Any) -> Sequence[Any]:
    """An angle sin t turned by a speed that depends on time."""
    return [y[1] * hs.cos(t), -y[0] * hs.cos(t)]


def pendulum(t: Any, y: Any) -> Sequence[Any]:
    """A pendulum that is pushed a little: no closed form."""
    return [y[1], -hs.sin(y[0]) + 0.1 * hs.cos(2.0 * t)]


def falling(t: Any, y: Any) -> Sequence[Any]:
    """A ball in the air."""
    return [y[1], -9.81]


def both(t: Any, y: Any) -> Sequence[Any]:
    """Events: position zero, speed zero."""
    return [y[0], y[1]]


def position(t: Any, y: Any) -> Sequence[Any]:
    """Event: position zero."""
    return [y[0]]
