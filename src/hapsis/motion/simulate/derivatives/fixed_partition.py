"""The one partition of a run that is differentiated, and what follows from it.

Every evaluation closes the pose by at least one Newton step, so derivatives by dependent coordinates
vanish and those by independent ones are exact. Only at the start must dependent ones be made to follow.
"""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hapsis.errors import ModelError, SolveError
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import pivot_sizes
from hapsis.motion.simulate.equations.closed_system import ClosedSystem

Array = np.ndarray[Any, np.dtype[np.float64]]
WEAK = 0.02  # of a pivot at the start: below it the independent coordinates hardly determine the others


@final
class FixedPartition:
    """The partition of a closed system at a start, kept for a whole run."""

    def __init__(self, system: ClosedSystem, loops: Loops, t: float, y: Array) -> None:
        self.system, self.loops, self.partition = system, loops, system.partition
        self.pivots = pivot_sizes(loops, self.partition, system.layout.split(y)[0], t)

    def dependent_starts(self) -> dict[str, str]:
        """{name: why} of the coordinates and speeds whose start follows from others."""
        speeds = self.system.model.speeds
        tied = {k: "follows from the others" for k in self.partition.dependent}
        tied |= dict.fromkeys(self.loops.held, "is led by a drive")
        reasons: dict[str, str] = {}
        for joint in self.system.model.moving:
            why = [tied.get(speeds.index(name)) for name in joint.speeds]
            if len(joint.speeds) == len(joint.coordinates):
                of_coordinates = why
            else:  # a quaternion: all of it follows where one of its speeds does
                of_coordinates = [next(filter(None, why), None)] * len(joint.coordinates)
            named = zip((*joint.coordinates, *joint.speeds), (*of_coordinates, *why), strict=True)
            reasons |= {name: reason for name, reason in named if reason is not None}
        return reasons

    def check_starts(self, names: Sequence[str]) -> None:
        """Raises an error for a target that is the start of a dependent coordinate."""
        dependent, model = self.dependent_starts(), self.system.model
        for name in names:
            plain = name.removeprefix("start:")
            if plain in dependent:
                free = [n for n in (*model.coordinates, *model.speeds) if n not in dependent]
                raise ModelError(
                    f'the start of "{plain[:60]}" {dependent[plain]}', expected=", ".join(free[:6]) or None
                )

    def check(self, t: Array, y: Array) -> None:
        """Raises an error where the independent coordinates of the start cannot be independent any more."""
        q = self.system.layout.split(y)[0]
        for k in np.unique(np.linspace(0, len(t) - 1, 200).astype(int)) if self.partition.rows else []:
            ratio = pivot_sizes(self.loops, self.partition, q[k], float(t[k])) / self.pivots
            if not ratio.min() > WEAK:
                loop = self.partition.rows[int(np.argmin(ratio))].rpartition(".")[0]
                raise SolveError(
                    f't = {t[k]:.6g}: "{loop[:60]}" comes near a singular position, over which '
                    "derivatives are not carried",
                    remedy="stop before it, or choose other independent coordinates",
                )
