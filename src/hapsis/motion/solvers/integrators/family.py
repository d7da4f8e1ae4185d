"""What a method of integration tells about itself, so that any run can use it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hapsis.compiler.native import Native


@dataclass(frozen=True)
class Family:
    """A method of integration.

    order       of its steps
    error       what power of the step its error estimate goes with; 0: it has none
    fixed       whether it can go with fixed steps
    dense_rows  rows of its dense output, see `dense`
    exponents   (k, p, m): the next step goes with the error to the power -2p / 2ᵏ, and with the one
                before to the power 2m / 2ᵏ; square roots give these, which cost less than powers
    limits      the least and the most that the next step is, in parts of this one
    stable      h |λ| on the boundary of its stability; 0: stiffness does not hold it back
    function    the native function that makes steps: it takes f, g, prepare, the kernels of `own`,
                the steps to try, `real` and `count` (see `layout`), the arrays of `own`, and the
                arrays that all methods share, in the order of `Run.shared`
    own         for a run, the kernels and the arrays that only this method needs
    """

    name: str
    order: int
    error: int
    fixed: bool
    dense_rows: int
    function: Native
    own: Callable[[Any], tuple[tuple[Any, ...], tuple[Any, ...]]]
    exponents: tuple[int, int, int] = (0, 0, 0)
    limits: tuple[float, float] = (1.0, 1.0)
    stable: float = 0.0
