"""The coefficients of explicit Runge-Kutta methods, as flat lists without their zeros.

A method is a list of rows, each a short list of (place, weight): the sum of weight times the slope
at that place. The rows are, in this order, the stages after the first, the new y, the estimates of
the error, the extra stages of the dense output, and its rows after the cubic ones. Slopes are kept
by place: the stages, f at the end of the step, the extra stages.

    rk4      Kutta's, order 4, no error estimate, cubic dense output
    order5   Dormand and Prince, 5(4), dense output of order 4 [HNW, II.5]
    order8   Dormand and Prince, 8(5,3), dense output of order 7 [HNW, II.5 and II.6]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, constant, record, sized
from hapsis.motion.solvers.integrators import order8_table as order8
from hapsis.motion.solvers.integrators.weighted_sums import WeightedRows, flat_rows

Row = Mapping[int, float]


@record
class ExplicitRows(WeightedRows):
    """The rows of a method, see above."""

    stages: int = constant()
    errors: int = constant()  # rows that estimate the error
    extras: int = constant()  # stages for the dense output
    more: int = constant()  # rows of the dense output after the first three
    uses_end: bool = constant(False)  # whether the error needs f at the end of the step
    nodes: Array = sized("stages + extras")


@dataclass(frozen=True)
class Table:
    """One method.

    order     of the steps
    error     order of the error estimate plus one: what the next step is computed with; 0 if none
    stable    h |λ| that is on the boundary of its stability, for λ < 0
    exponents   of the errors in the choice of the next step, see `method`
    limits    the least and the most that the next step is, in parts of this one
    """

    name: str
    order: int
    error: int
    stable: float
    exponents: tuple[int, int, int]
    limits: tuple[float, float]
    rows: ExplicitRows

    @property
    def slopes(self) -> int:
        """How many slopes are kept."""
        return int(self.rows.stages + 1 + self.rows.extras)

    @property
    def dense_rows(self) -> int:
        """Rows of the dense output."""
        return 3 + int(self.rows.more)


def flat(
    name: str,
    stages: Sequence[Row],
    new: Row,
    nodes: Sequence[float],
    *,
    errors: Sequence[Row] = (),
    extras: Sequence[Row] = (),
    extra_nodes: Sequence[float] = (),
    dense: Sequence[Row] = (),
    **facts: Any,
) -> Table:
    """The table of a method given by its rows."""
    rows = ExplicitRows(
        **flat_rows([*stages, new, *errors, *extras, *dense]),
        stages=len(nodes),
        errors=len(errors),
        extras=len(extras),
        more=len(dense),
        uses_end=any(len(nodes) in row for row in errors),
        nodes=np.array([*nodes, *extra_nodes]),
    )
    return Table(name=name, rows=rows, **facts)


@cache
def table(name: str) -> Table:
    """The table of one of the three methods."""
    return {"rk4": _rk4, "order5": _order5, "order8": _order8}[name]()


def _rk4() -> Table:
    stages = ({0: 1 / 2}, {1: 1 / 2}, {2: 1.0})
    new = {0: 1 / 6, 1: 1 / 3, 2: 1 / 3, 3: 1 / 6}
    facts: dict[str, Any] = dict(order=4, error=0, stable=2.785, exponents=(0, 0, 0), limits=(1.0, 1.0))
    return flat("rk4", stages, new, (0.0, 1 / 2, 1 / 2, 1.0), **facts)


def _order5() -> Table:
    stages = (
        {0: 1 / 5},
        {0: 3 / 40, 1: 9 / 40},
        {0: 44 / 45, 1: -56 / 15, 2: 32 / 9},
        {0: 19372 / 6561, 1: -25360 / 2187, 2: 64448 / 6561, 3: -212 / 729},
        {0: 9017 / 3168, 1: -355 / 33, 2: 46732 / 5247, 3: 49 / 176, 4: -5103 / 18656},
    )
    new = {0: 35 / 384, 2: 500 / 1113, 3: 125 / 192, 4: -2187 / 6784, 5: 11 / 84}
    error = {0: -71 / 57600, 2: 71 / 16695, 3: -71 / 1920, 4: 17253 / 339200, 5: -22 / 525, 6: 1 / 40}
    # after the cubic rows one more: the coefficient of θ⁴
    dense = {
        0: -12715105075 / 11282082432,
        2: 87487479700 / 32700410799,
        3: -10690763975 / 1880347072,
        4: 701980252875 / 199316789632,
        5: -1453857185 / 822651844,
        6: 69997945 / 29380423,
    }
    nodes = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0)
    facts: dict[str, Any] = dict(order=5, error=5, stable=3.25, exponents=(7, 11, 2), limits=(0.2, 10.0))
    return flat("order5", stages, new, nodes, errors=(error,), dense=(dense,), **facts)


def _order8() -> Table:
    return flat(
        "order8",
        order8.STAGES,
        order8.NEW,
        order8.NODES,
        errors=order8.ERRORS,
        extras=order8.EXTRAS,
        extra_nodes=order8.EXTRA_NODES,
        dense=order8.DENSE,
        order=8,
        error=8,
        stable=6.1,
        exponents=(7, 7, 2),
        limits=(1 / 3, 6.0),
    )
