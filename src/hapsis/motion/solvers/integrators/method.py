"""The description of a method of integration, and the methods by name.

A file of this folder that defines a method registers it; `methods` imports them all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from hapsis.compiler.native import Native
from hapsis.errors import SolveError, near
from hapsis.motion.solvers.run.run_memory import RunMemory


def nothing_more(options: dict[str, Any], size: int) -> dict[str, Any]:
    """The fields of a record that has no others than `RunMemory`, or sizes them itself."""
    return {}


def no_trial(memory: Any) -> None:
    """Nothing to call: the method has no kernels besides f."""


@dataclass(frozen=True)
class Method:
    """A method of integration.

    order       of its steps
    error       what power of the step its error estimate goes with; 0: it has none
    dense_rows  rows of its dense output, see `dense_output`
    advance     the native function (f, g, memory) that makes steps and gives an answer
    memory      its record, which extends `RunMemory`
    options     the options of a run that only some methods take
    fields      the fields that only this record has, from these options and the size of y
    trial       calls the kernels that are among them once from Python, which compares sizes
    exponents   (k, p, m): the next step goes with the error to the power -2p / 2ᵏ, and with the one
                before to the power 2m / 2ᵏ; square roots give these, which cost less than powers
    limits      the least and the most that the next step is, in parts of this one
    stable      h |λ| on the boundary of its stability; 0: stiffness does not hold it back
    """

    name: str
    order: int
    error: int
    dense_rows: int
    advance: Native
    memory: type[RunMemory]
    options: tuple[str, ...] = ()
    fields: Callable[[dict[str, Any], int], dict[str, Any]] = nothing_more
    trial: Callable[[Any], None] = no_trial
    exponents: tuple[int, int, int] = (0, 0, 0)
    limits: tuple[float, float] = (1.0, 1.0)
    stable: float = 0.0


METHODS: dict[str, Method] = {}


def register(method: Method) -> None:
    """Makes a method known by its name."""
    METHODS[method.name] = method


def check_options(options: dict[str, Any]) -> None:
    """Raises if no method at all has such an option."""
    known = {name for method in METHODS.values() for name in method.options}
    for name in options:
        if name not in known:
            raise TypeError(f'a run has no option "{name}"{near(name, known)}')


def method_named(name: str, step: float | None) -> Method:
    """The method of that name, if it can do with such a step (None: adaptive)."""
    if name not in METHODS:
        raise SolveError(f'there is no method "{name}"{near(name, METHODS)}', expected=", ".join(METHODS))
    method = METHODS[name]
    if step is None and not method.error:
        raise SolveError(f'"{name}" has fixed steps', remedy="give step=")
    if step is not None and not (0 < step < inf):
        raise SolveError(f"the step is {step}", expected="a finite length above zero")
    return method
