"""What is known of the loops in a closed pose: rank, mobility, redundant rows, partition."""

from typing import NamedTuple

import numpy as np

from hapsis.motion.analysis.assembly.loop_closers import Closer
from hapsis.motion.analysis.assembly.loop_numbers import Array
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

NEARBY = 1e-2  # of their units, how far away the rank is looked at again

TURNS = {
    "rx": "about x",
    "ry": "about y",
    "rz": "about z",
    "r1": "about the first direction across the axis",
    "r2": "about the second direction across the axis",
}
WORDS = {
    "x": "along x",
    "y": "along y",
    "z": "along z",
    **TURNS,
    "cross": "the angle between the axes",
    "screw": "the pitch",
    "length": "the length",
    "ratio": "the ratio",
}


class Assembly(NamedTuple):
    """What is known of the loops in a closed pose.

    independent  coordinates that determine the others
    redundant    rows that depend on the others
    mobility     degrees of freedom: coordinates minus locks minus the rank of the other rows
    rank         independent rows
    rows         all rows that are not zero in every pose
    gap          the largest of them
    gruebler     coordinates minus locks minus rows: the mobility by counting (Grübler)
    singular     whether the rank is larger in poses nearby: the mechanism can fork or lock here
    """

    independent: tuple[str, ...]
    redundant: tuple[str, ...]
    mobility: int
    rank: int
    rows: int
    gap: float
    gruebler: int
    singular: bool

    def __str__(self) -> str:
        named = ", ".join(in_words(name) for name in self.redundant) or "none"
        fork = "; singular: the rank is larger nearby" if self.singular else ""
        return (
            f"mobility {self.mobility} (Gruebler {self.gruebler}); "
            f"{self.rows} rows of rank {self.rank}, redundant: {named}; "
            f"independent: {', '.join(self.independent) or 'none'}; closed to {self.gap:.1e}{fork}"
        )


def in_words(row: str) -> str:
    """The name of a row, and what it says: `"cut.z" (along z of "cut")`."""
    fact, _, which = row.rpartition(".")
    return f'"{row}" ({WORDS.get(which, f"row {which}")} of "{fact}")'


def reported(closer: Closer, q: Array, held: list[int], chosen: bool) -> Assembly:
    """The report of a closed pose; `chosen`: the user chose what is held."""
    loops = closer.loops
    J, model = loops.relative_jacobian(q), loops.model
    locks = [loops.slots[n] for n, d in loops.driven.items() if d.constant and n in loops.slots]
    driven = [loops.slots[n] for n in loops.driven if n in loops.slots]
    first = closer.count
    all_rows = pivots(J, locks, first=first)
    locked = held if chosen or model.independent else driven
    split = pivots(J, locked, first=first)
    if split.rank < all_rows.rank:
        split = pivots(J, driven, first=first)  # what was held cannot be independent
    names = {slot: name for name, slot in loops.slots.items()}
    free = [k for k in range(len(loops.rest)) if k not in split.dependent and k not in driven]
    unlocked = len(loops.rest) - len(locks)
    return Assembly(
        tuple(names.get(k, model.speeds[k]) for k in sorted(free)),
        tuple(loops.names[k] for k in all_rows.redundant),
        unlocked - all_rows.rank,
        all_rows.rank,
        len(loops.names),
        float(np.abs(loops.gap(q)).max(initial=0.0)),
        unlocked - len(loops.names),
        _singular(closer.holding(locks), q),
    )


def _singular(closer: Closer, q: Array) -> bool:
    """Whether the rank is larger a short way along directions that keep the loops closed."""
    J = closer.jacobian(q)
    rank = pivots(J).rank
    if rank == min(J.shape):
        return False
    draw = np.random.default_rng(3)
    for _ in range(2):
        nearby = strayed(closer, q, rank, draw)
        if nearby is not None and pivots(closer.jacobian(nearby)).rank > rank:
            return True
    return False


def strayed(closer: Closer, q: Array, rank: int, draw: "np.random.Generator") -> Array | None:
    """Another closed pose nearby, or None where the loops close only here."""
    ways = np.linalg.svd(closer.jacobian(q))[2][rank:]
    way = draw.uniform(-1.0, 1.0, len(ways)) @ ways
    way *= NEARBY / max(float(np.linalg.norm(way)), 1e-300)
    closed = closer.run("least squares", closer.moved(q, way))
    far = float(np.linalg.norm((closed.q - q) / closer.loops.units))
    return closed.q if closed.done and far > 0.1 * NEARBY else None
