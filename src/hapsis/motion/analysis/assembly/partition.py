"""The verb `partition`: which coordinates lead, which follow, and by which rows."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.loop_report import in_words
from hapsis.motion.analysis.assembly.reduce import best_partition, partition_of, pivot_sizes
from hapsis.motion.analysis.linear.given_state import given_state
from hapsis.motion.analysis.linear.linearization import position_name
from hapsis.motion.analysis.linear.operating_point import check_closed


class Partitioned(NamedTuple):
    """The coordinates of a model in a closed pose, by what determines them.

    independent  lead: they, and those that are driven, determine all others
    dependent    follow, in the order in which they are eliminated
    driven       are prescribed by drives
    rows         the rows that determine the dependent ones, in the same order
    redundant    rows that depend on the others in this pose
    pivot        the smallest pivot of J_v over the largest; 1 without rows
    condition    the condition number of J_v, how much errors of rows grow in what follows

    Both with lengths in the model's own unit (see `model.units`).
    """

    independent: tuple[str, ...]
    dependent: tuple[str, ...]
    driven: tuple[str, ...]
    rows: tuple[str, ...]
    redundant: tuple[str, ...]
    pivot: float
    condition: float

    def __str__(self) -> str:
        redundant = ", ".join(in_words(name) for name in self.redundant)
        return "\n".join(
            (
                f"independent  {', '.join(self.independent) or 'none'}",
                f"driven       {', '.join(self.driven) or 'none'}",
                f"dependent    {', '.join(self.dependent) or 'none'}",
                f"rows         {', '.join(self.rows) or 'none'}",
                f"redundant    {redundant or 'none'}",
                f"J_v          condition number {self.condition:.3g}, smallest pivot "
                f"{self.pivot:.3g} of the largest",
            )
        )


@verb
def partition(model: Model, at: Any = None, independent: Sequence[str] | None = None) -> Partitioned:
    """Which coordinates lead and which follow in a closed pose.

    at           a State, all coordinates, or {name: value} to be assembled; the pose "start"
                 assembled if not given
    independent  the coordinates that shall lead, or generalized speeds, which lead through the speeds that
                 they are made of; by default the model's own where possible, else the best

    The best ones come from full pivoting on J; a coordinate of a ball or free joint is named by
    the speed along which it changes.
    """
    loops = Loops(model)
    q = given_state(loops, at)[0]
    check_closed(loops, q)
    if independent is None:
        part = best_partition(loops, q, preferred=model.independent)
    else:
        part = partition_of(loops, q, independent)
    rows = [loops.names.index(name) for name in part.rows]
    J = loops.relative_jacobian(q)[rows][:, list(part.dependent)]
    sizes = np.abs(pivot_sizes(loops, part, q))
    held = loops.held
    lead = [k for k in range(len(model.speeds)) if k not in part.dependent and k not in held]
    return Partitioned(
        tuple(_name(model, k) for k in lead),
        tuple(_name(model, k) for k in part.dependent),
        tuple(_name(model, k) for k in held),
        part.rows,
        tuple(name for name in loops.names if name not in part.rows),
        float(sizes.min() / sizes.max()) if len(sizes) else 1.0,
        float(np.linalg.cond(J)) if len(rows) else 1.0,
    )


def _name(model: Model, slot: int) -> str:
    return position_name(model, slot).removesuffix(".moved")
