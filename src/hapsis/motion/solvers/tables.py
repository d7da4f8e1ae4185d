"""The coefficients of explicit Runge-Kutta methods, as flat lists without their zeros.

A method is a list of rows, each a short list of (place, weight): the sum of weight times the slope
at that place. The rows are, in this order, the stages after the first, the new y, the estimates of
the error, the extra stages of the dense output, and its rows after the cubic ones. Slopes are kept
by place: the stages, f at the end of the step, the extra stages.

    rk4      Kutta's, order 4, no error estimate, cubic dense output
    order5   Dormand and Prince, 5(4), dense output of order 4 [HNW, II.5]
    order8   Dormand and Prince, 8(5,3), dense output of order 7 [HNW, II.5 and II.6]
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from hapsis.motion.solvers.rows import flat_rows

# places in `shape`
STAGES = 0
ERRORS = 1  # rows that estimate the error
EXTRAS = 2  # stages for the dense output
MORE = 3  # rows of the dense output after the first three
USES_END = 4  # whether the error needs f at the end of the step
NODES = 5  # where the nodes start among the weights
STARTS = 6  # from here on: where each row starts


@dataclass(frozen=True)
class Table:
    """One method.

    order     of the steps
    error     order of the error estimate plus one: what the next step is computed with; 0 if none
    stable    h |λ| that is on the boundary of its stability, for λ < 0
    exponents   of the errors in the choice of the next step, see `family`
    limits    the least and the most that the next step is, in parts of this one
    shape, places, weights    the rows, see above
    """

    name: str
    order: int
    error: int
    stable: float
    exponents: tuple[int, int, int]
    limits: tuple[float, float]
    shape: np.ndarray[Any, np.dtype[np.int64]]
    places: np.ndarray[Any, np.dtype[np.int64]]
    weights: np.ndarray[Any, np.dtype[np.float64]]

    @property
    def slopes(self) -> int:
        """How many slopes are kept."""
        return int(self.shape[STAGES] + 1 + self.shape[EXTRAS])

    @property
    def dense_rows(self) -> int:
        """Rows of the dense output."""
        return 3 + int(self.shape[MORE])


def flat(
    name: str,
    a: Iterable[Sequence[float]],
    b: Sequence[float],
    c: Sequence[float],
    *,
    errors: Sequence[Sequence[float]] = (),
    extra: Sequence[Sequence[float]] = (),
    extra_nodes: Sequence[float] = (),
    dense: Sequence[Sequence[float]] = (),
    **facts: Any,
) -> Table:
    """The table of a method given by the matrices of a textbook."""
    rows = [*list(a)[1:], b, *errors, *extra, *dense]
    starts, places, weights = flat_rows(rows)
    stages = len(b)
    uses_end = any(len(e) > stages and e[stages] != 0.0 for e in errors)
    head = [stages, len(errors), len(extra), len(dense), int(uses_end), len(weights)]
    return Table(
        name=name,
        shape=np.array([*head, *starts], np.int64),
        places=places,
        weights=np.array([*weights, *c, *extra_nodes], float),
        **facts,
    )


@cache
def table(name: str) -> Table:
    """The table of one of the three methods."""
    facts: dict[str, Any]
    if name == "rk4":
        a = [[], [1 / 2], [0.0, 1 / 2], [0.0, 0.0, 1.0]]
        b, c = [1 / 6, 1 / 3, 1 / 3, 1 / 6], [0.0, 1 / 2, 1 / 2, 1.0]
        facts = dict(order=4, error=0, stable=2.785, exponents=(0, 0, 0), limits=(1.0, 1.0))
        return flat(name, a, b, c, **facts)

    # its import takes a while, and the numbers are needed only here
    from scipy.integrate import DOP853, RK45

    if name == "order5":
        m: Any = RK45
        facts = dict(order=5, error=5, stable=3.25, exponents=(7, 11, 2), limits=(0.2, 10.0))
        # the one row after the cubic ones is the coefficient of θ⁴
        return flat(name, m.A, m.B, m.C, errors=[m.E], dense=[m.P[:, 3]], **facts)
    m = DOP853
    facts = dict(order=8, error=8, stable=6.1, exponents=(4, 1, 0), limits=(1 / 3, 6.0))
    return flat(
        name,
        m.A,
        m.B,
        m.C,
        errors=[m.E5, m.E3],
        extra=m.A_EXTRA,
        extra_nodes=m.C_EXTRA,
        dense=m.D,
        **facts,
    )
