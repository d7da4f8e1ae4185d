"""Which generalized speeds are independent at a closed pose, and which follow from the rows.

The rows J v + ∂h/∂t = 0 are J Y⁻¹ u + ... = 0 in the generalized speeds u = Y v + w. Full pivoting on J Y⁻¹,
with rows and speeds in their units, gives the dependent speeds that are determined best. Reference: [Kane].
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

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
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

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
    """The dependent generalized speeds, by their places, and the drives and rows that determine them."""
    _check_drives(model)
    if not model.speeds:
        raise ModelError("nothing in this model can move", remedy="add a joint that moves")
    if isinstance(independent, str):
        raise ModelError("independent are several names", remedy='("u1",)')
    names = speed_basis(model).names
    chosen = None if independent is None else [_place(model, names, name) for name in independent]
    loops = Loops(model)
    q = given_pose(loops, at)
    if not loops.names and not model.drives:
        if chosen is not None and len({*chosen}) != len(names):
            raise SolveError(f"the model has no rows: all its {len(names)} speeds are independent")
        return Partition((), ())
    rows = _Rows(loops, q)
    best = rows.determined(())
    if chosen is not None:
        factors = rows.determined(chosen)
        if len({*chosen}) != len(names) - best.rank or not _good(factors, best):
            named = ", ".join(names[k] for k in chosen)
            raise SolveError(
                f"{named[:200]} cannot be independent in this pose: of the {best.rank} rows that count they "
                f"leave {min(factors.rank, best.rank)} that determine the others",
                expected=f"{len(names) - best.rank} speeds that lead all others",
            )
        best = factors
    else:
        named = {n: k for k, n in enumerate(names)}
        own = [named[n] for m in model.independent if (n := m if m in named else speed_name(m)) in named]
        factors = rows.determined(own)
        best = factors if own and _good(factors, best) else best
    if best.rank == len(names):
        raise SolveError("the rows leave nothing that can move in this pose")
    return Partition(best.dependent, best.names)


class _Determined(NamedTuple):
    """Which generalized speeds depend, what determines them, and the smallest pivot over the largest."""

    dependent: tuple[int, ...]
    names: tuple[str, ...]
    smallest: float

    @property
    def rank(self) -> int:
        return len(self.dependent)


class _Rows:
    """The slopes of drives and rows by the generalized speeds at a pose, in the units of both."""

    def __init__(self, loops: Loops, q: Array) -> None:
        self.loops, self.drives = loops, {d.drive.name: loops.slots[n] for n, d in loops.driven.items()}
        J = np.vstack([np.eye(len(loops.rest))[list(self.drives.values())], loops.relative_jacobian(q)])
        self.J = by_combinations(loops, q, J)

    def determined(self, leading: Sequence[int]) -> _Determined:
        """What all but the leading speeds follow from: from drives first, then from rows of positions."""
        count = len(self.drives)
        driven = pivots(self.J[:count], leading)
        lost = _Determined((), (), 0.0)
        if driven.rank < count:
            return lost
        # what drives determine is eliminated from the rows
        D, J = self.J[:count], self.J[count:]
        slots = list(driven.dependent)
        left = J - J[:, slots] @ np.linalg.solve(D[:, slots], D) if count else J
        rows = pivots(left, [*leading, *slots], first=self.loops.positions)
        names = [list(self.drives)[k] for k in driven.rows] + [
            self.loops.names[k] for k in rows.rows[: rows.rank]
        ]
        return _Determined(
            (*driven.dependent, *rows.dependent), tuple(names), min(driven.smallest, rows.smallest)
        )


def _check_drives(model: Model) -> None:
    """Refuses drives that give an acceleration only: their speeds are neither known nor free."""
    for drive in model.drives.values():
        if drive.tracking is None and drive.position is None and drive.velocity is None:
            raise ModelError(
                f'drive "{drive.name[:60]}" gives an acceleration, and Kane\'s equations need its speed',
                remedy="drive the position or the velocity, or use hs.reduced_dynamics",
            )


def given_pose(loops: Loops, at: Any) -> Array:
    """The closed pose on which a choice is made, as a user gives it."""
    q, _, others = given_state(loops, at)
    known = (*loops.model.coordinates, *loops.model.speeds, *loops.model.generalized_speeds)
    for name in others:
        check_known(name, known, "the pose names {}, which is no coordinate or speed")
    check_closed(loops, q)
    return q


def _good(factors: _Determined, best: _Determined) -> bool:
    return factors.rank == best.rank and factors.smallest >= WEAK * best.smallest


def _place(model: Model, names: tuple[str, ...], name: str) -> int:
    """The place of a generalized speed, also by the coordinate whose rate it is."""
    speed = speed_name(name) if isinstance(name, str) and speed_name(name) in names else name  # pyright: ignore
    check_known(speed, names, "there is no generalized speed {}")
    return names.index(speed)


def by_combinations(loops: Loops, q: Array, J: Array) -> Array:
    """Slopes by the speeds in their units, as slopes by the generalized speeds."""
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
