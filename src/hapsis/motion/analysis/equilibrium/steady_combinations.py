"""Generalized speeds of a steady motion: the model's own speeds that give them.

What moves steadily are speeds of the model's own, and a combination depends on the pose that is looked for,
as the spin of a coin on its lean. So for each combination one own speed is to be found, of those that lead
the motion, in which it changes most. They begin at what they must be in the pose of the start.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hapsis.errors import SolveError
from hapsis.motion.analysis.assembly.combined_speeds import combined
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.steady_partition import steady_partition
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

STILL = 1e-9  # of its unit: slower than what moves


class SteadyCombinations(NamedTuple):
    """Combinations with their values, relative to the units of each, and the own speeds that give them."""

    loops: Loops
    wanted: Mapping[str, float]
    slots: Mapping[int, float]  # with their speeds at the start
    sizes: Mapping[int, float]  # how fast each of them is, about

    def missed(self, q: Array, v: Array) -> Array:
        """What each combination is off, of the fastest one."""
        if not self.wanted:
            return np.zeros(0)
        u = combined(self.loops, q)
        at = [u.names.index(name) for name in self.wanted]
        values = np.array(list(self.wanted.values())) / u.units[at]
        found = (u.Y @ (v / self.loops.speed_units) + u.w)[at]
        return (found - values) / (np.abs(values).max(initial=0.0) or 1.0)


def steady_combinations(
    loops: Loops, q: Array, v: Array, moving: Mapping[int, float], wanted: Mapping[str, float]
) -> SteadyCombinations:
    """The combinations of a steady motion from a start in which the own speeds `moving` are given."""
    if not wanted or not any([*wanted.values(), *moving.values()]):
        return SteadyCombinations(loops, {}, {}, {})  # none, or nothing moves
    u, units = combined(loops, q), loops.speed_units
    at = [u.names.index(name) for name in wanted]
    turning = np.where(v == 0.0, STILL * units, v)  # what turns leads, though it stands still at the start
    part = steady_partition(loops, q, list(moving), turning)
    led = [k for k in range(len(v)) if k not in part.dependent and k not in loops.held]
    Z = _motions(loops.relative_jacobian(q), led, sorted(part.dependent))
    Y = u.Y[at] @ Z
    found = pivots(Y, [k for k, slot in enumerate(led) if slot in moving])
    if found.rank < len(at):
        odd = ", ".join(f'"{name[:60]}"' for k, name in enumerate(wanted) if k in found.redundant)
        raise SolveError(
            f"no steady motion can be given {odd}: the rows and the other speeds determine it",
            remedy="give fewer speeds",
        )
    columns = sorted(found.dependent)
    known = Z @ np.array([moving.get(slot, 0.0) / units[slot] for slot in led])
    left = np.array(list(wanted.values())) / u.units[at] - u.w[at] - u.Y[at] @ known
    guess = np.linalg.solve(Y[:, columns], left)
    fastest = float(np.abs(np.array(list(wanted.values())) / u.units[at]).max())
    fastest = max([fastest, *(abs(x) / units[slot] for slot, x in moving.items())])
    slots = [led[k] for k in columns]
    return SteadyCombinations(
        loops,
        dict(wanted),
        {slot: float(x * units[slot]) for slot, x in zip(slots, guess, strict=True)},
        {slot: fastest * float(units[slot]) for slot in slots},
    )


def _motions(J: Array, led: Sequence[int], dependent: Sequence[int]) -> Array:
    """The motions that rows allow, one for each speed that leads."""
    Z = np.zeros((J.shape[1], len(led)))
    Z[led, range(len(led))] = 1.0
    if dependent:
        Z[dependent] = -np.linalg.lstsq(J[:, dependent], J[:, led], rcond=None)[0]
    return Z
