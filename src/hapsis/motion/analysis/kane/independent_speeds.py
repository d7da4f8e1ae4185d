"""Which generalized speeds are independent at a closed pose, and which follow from the rows.

The rows J v + ∂h/∂t = 0 are J Y⁻¹ u + ... = 0 in the generalized speeds u = Y v + w. Full pivoting on J Y⁻¹,
with rows and speeds in their units, gives the dependent speeds that are determined best. Reference: [Kane].
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.kane.speed_basis import speed_basis
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name
from hapsis.motion.analysis.assembly.combined_speeds import combined
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.linear.given_state import given_state
from hapsis.motion.analysis.linear.operating_point import check_closed
from hapsis.motion.solvers.linear.full_pivot_lu import Pivots, pivots

WEAK = 1e-4  # a pivot over the largest: below it the independent speeds hardly lead
SINGULAR = 1e12  # the condition number of combinations that are not independent at a pose


@verb
def independent_speeds(
    model: Model, at: Any = None, independent: Sequence[str] | None = None
) -> tuple[str, ...]:
    """The names of the generalized speeds that lead all others at a closed pose, in their order.

    at           a State, all coordinates, or {name: value} to be assembled; the pose "start" if not given
    independent  the speeds that shall lead, generalized ones, the model's own or coordinates; an error says
                 where they cannot. By default the model's `independent` where they can, else the best ones
    """
    part = independent_partition(model, at, independent)
    names = speed_basis(model).names
    return tuple(name for k, name in enumerate(names) if k not in part.dependent)


def independent_partition(model: Model, at: Any, independent: Sequence[str] | None) -> Partition:
    """The dependent generalized speeds, by their places, and the rows that determine them."""
    if model.drives:
        raise ModelError(
            f'"{next(iter(model.drives))[:60]}" drives a coordinate, and Kane\'s equations have efforts only',
            remedy="leave drives out: model.without(...), or use hs.reduced_dynamics",
        )
    if not model.speeds:
        raise ModelError("nothing in this model can move", remedy="add a joint that moves")
    if isinstance(independent, str):
        raise ModelError("independent are several names", remedy='("u1",)')
    names = speed_basis(model).names
    chosen = None if independent is None else [_place(model, names, name) for name in independent]
    loops = Loops(model)
    if not loops.names:
        if chosen is not None and len({*chosen}) != len(names):
            raise SolveError(f"the model has no rows: all its {len(names)} speeds are independent")
        return Partition((), ())
    q = given_state(loops, at)[0]
    check_closed(loops, q)
    J, first = _jacobian(loops, q), loops.positions
    best = pivots(J, first=first)
    if chosen is not None:
        factors = pivots(J, chosen, first=first)
        if len({*chosen}) != J.shape[1] - best.rank or not _good(factors, best):
            named = ", ".join(names[k] for k in chosen)
            raise SolveError(
                f"{named[:200]} cannot be independent in this pose: of the {best.rank} rows that count they "
                f"leave {min(factors.rank, best.rank)} that determine the others",
                expected=f"{J.shape[1] - best.rank} speeds that lead all others",
            )
        best = factors
    else:
        named = {n: k for k, n in enumerate(names)}
        own = [named[n] for m in model.independent if (n := m if m in named else speed_name(m)) in named]
        factors = pivots(J, own, first=first)
        best = factors if own and _good(factors, best) else best
    if best.rank == J.shape[1]:
        raise SolveError("the rows leave nothing that can move in this pose")
    return Partition(best.dependent, tuple(loops.names[k] for k in best.rows[: best.rank]))


def _good(factors: Pivots, best: Pivots) -> bool:
    return factors.rank == best.rank and factors.smallest >= WEAK * best.smallest


def _place(model: Model, names: tuple[str, ...], name: str) -> int:
    """The place of a generalized speed, also by the coordinate whose rate it is."""
    speed = speed_name(name) if isinstance(name, str) and speed_name(name) in names else name  # pyright: ignore
    check_known(speed, names, "there is no generalized speed {}")
    return names.index(speed)


def _jacobian(loops: Loops, q: Array) -> Array:
    """The slopes of the rows by the generalized speeds, in the units of both."""
    J = loops.relative_jacobian(q)
    if not loops.model.generalized_speeds:
        return J
    u = combined(loops, q)
    if not np.linalg.cond(u.Y) < SINGULAR:
        rank = int(np.linalg.matrix_rank(u.Y, tol=1e-9))
        raise SolveError(
            f"the speeds {', '.join(loops.model.generalized_speeds)[:200]} are no independent combinations "
            f"in this pose: their rank with the speeds that complete them is {rank} of {len(u.Y)}"
        )
    return J @ np.linalg.inv(u.Y)
