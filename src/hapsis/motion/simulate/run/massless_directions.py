"""Directions of motion that move no mass: there accelerations have no value."""

from typing import Any

import numpy as np

from hapsis.mechanics.formalisms.deferred_verbs import mass_matrix
from hapsis.mechanics.model.units import speed_units
from hapsis.motion.simulate.equations.kernels import Kernels

Array = np.ndarray[Any, np.dtype[np.float64]]
NOTHING = 1e-12  # of the largest mass: less is rounding
SHARE = 0.5  # of the largest speed in a way to move: those belong to it


def massless_directions(kernels: Kernels, q: Array, free: Array) -> str:
    """A sentence on what moves without mass in a pose; empty where all that moves has mass.

    free    ways to move, as columns over the speeds
    """
    model = kernels.system.model
    M = kernels.call(mass_matrix(model), q)
    if not (np.isfinite(M).all() and free.size):
        return ""
    units = np.array(speed_units(model))
    M = M * units * units[:, None]
    free = free / units[:, None]
    masses, ways = np.linalg.eigh(free.T @ M @ free)
    if masses[0] > NOTHING * max(float(np.abs(masses).max()), float(np.abs(M).max())):
        return ""
    way = np.abs(free @ ways[:, 0])
    moved = [model.speeds[k] for k in np.flatnonzero(way > SHARE * way.max())]
    bodies = [each.child for each in model.tree if set(each.joint.speeds) & set(moved)]
    names = ", ".join(f'"{name[:60]}"' for name in moved)[:200]
    carried = ", ".join(f'"{name[:60]}"' for name in bodies)[:200]
    return f"{names} can move without moving any mass: give {carried} a mass or an inertia"
