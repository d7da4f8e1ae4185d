"""Inertias: the mass properties of all bodies as numbers, and whether a body can have them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks.problems import Problems

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

SLACK = 1e-9  # relative, for inertias that were rounded when they were written


def rows(bodies: list[Body], model: "Model") -> np.ndarray[Any, Any]:
    """A row for each body: mass, com x, y, z, inertia xx, yy, zz, xy, xz, yz."""
    numbers = [
        [x if x.__class__ is float else model.value(x) for x in (b.mass, *b.com, *b.inertia)] for b in bodies
    ]
    return np.array(numbers, dtype=float).reshape(-1, 10)


def check(bodies: list[Body], rows: Any, problems: Problems) -> None:
    """Principal moments: none negative, and none more than the other two together."""
    scale = abs(rows[:, 4:]).max(axis=1, initial=0.0)
    scale[scale == 0.0] = 1.0
    xx, yy, zz, xy, xz, yz = (rows[:, 4:] / scale[:, None]).T
    matrices = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    low, middle, high = np.linalg.eigvalsh(matrices).T
    slack = SLACK * np.maximum(abs(low), abs(high))
    impossible = (low < -slack) | (low + middle < high - slack)
    # a negative mass, which is told already, turns an inertia round that follows from it, as that of a rod
    follows = (rows[:, 0] < 0.0) & (high <= slack) & (high + middle <= low + slack)
    for k in np.flatnonzero(impossible & ~follows):
        moments = ", ".join(f"{m * scale[k]:.4g}" for m in (low[k], middle[k], high[k]))
        why = "none may be negative"
        if low[k] >= -slack[k]:
            why = "none may be more than the other two together"
        problems.impossible(
            f"{bodies[k].label}: its inertia is impossible: the principal moments are {moments} "
            f"kg m², and {why}; check the order and signs of its numbers, or use physical=False",
            bodies[k].where,
        )
