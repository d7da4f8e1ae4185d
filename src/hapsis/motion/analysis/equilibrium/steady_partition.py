"""Which speeds lead a steady motion of a mechanism with rows of speeds.

What rolls has coordinates that nothing depends on: where it is, where it heads, how far its wheels have
turned. Their rates may be whatever the rows say. All else, the lean of a bicycle, must stand still, and can
only be held still if it leads. So after the speeds that are given those lead along which a force at rest,
or a row of positions, changes.
"""

import random
from collections.abc import Iterable, Sequence

import numpy as np

from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import bias
from hapsis.mechanics.model.derived import derived
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.loop_speeds import slots_of
from hapsis.motion.analysis.assembly.reduce import WEAK, in_sparse_order
from hapsis.motion.analysis.linear.operating_point import OperatingPoint
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

POSES = 4  # random ones, at which forces are looked at
NOTHING = 1e-9  # of the largest effort: less is rounding
FAR = 0.3  # of the units of coordinates, from the start


def steady_partition(here: OperatingPoint, loops: Loops, q: Array, moving: Sequence[int]) -> Partition:
    """The partition of a closed pose led by what moves, the model's own leaders, and what forces depend on."""
    J, driven, first = loops.relative_jacobian(q, here.t), loops.held, loops.positions
    best = pivots(J, driven, first=first)
    locked = list(driven)

    def lead(slots: Iterable[int]) -> None:
        for slot in slots:
            factors = pivots(J, [*locked, slot], first=first)
            if slot not in locked and factors.rank == best.rank and factors.smallest >= WEAK * best.smallest:
                locked.append(slot)

    lead(moving)
    lead(slots_of(loops, loops.model.independent))
    # rows of positions determine what they determine best, and rows of speeds what does not matter
    tied = pivots(J[:first], locked).dependent
    lead(slot for slot in _weighed(here, loops, q) if slot not in tied)
    return in_sparse_order(loops, J, pivots(J, locked, first=first))


def _weighed(here: OperatingPoint, loops: Loops, q: Array) -> list[int]:
    """The speeds along which a force acts at rest or a row of positions changes, in poses nobody chose."""
    model, draw = loops.model, random.Random(3)
    f = derived(model, ("steady", bias), lambda: bias(model, passive=False))
    matters = np.zeros(len(model.speeds), bool)
    for _ in range(POSES):
        away = np.array([draw.uniform(-FAR, FAR) for _ in model.speeds]) * loops.speed_units
        pose = here.moved(q, away)
        effort = here.others(f, ("steady", bias), pose)["c"] * loops.speed_units
        for row in (effort, *loops.relative_jacobian(pose, here.t)[: loops.positions]):
            matters |= ~(np.abs(row) <= NOTHING * np.abs(row).max(initial=0.0))
    return [int(k) for k in np.flatnonzero(matters)]
