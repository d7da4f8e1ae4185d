"""The memory for zones: where forces begin that are zero elsewhere."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from hapsis.compiler.native import Array, Kernel, constant, later, record, sized
from hapsis.errors import SolveError

RESOLVED = 3  # steps from entering a zone to leaving it, at least


@record
class Zones:
    """The zones of a run.

    A zone is where a force acts that is zero outside. Each has a gap, which is positive outside; a
    speed, more than which the gap does not shrink in a second; and a size, the shortest way through
    it. `approach(t, y, gap, speed)` computes the first two.
    """

    count: int = constant(0)
    approach: Kernel = later()
    size: Array = sized("count")
    gap: Array = sized("count")  # at t
    speed: Array = sized("count")
    gap_new: Array = sized("count")  # at the end of the step
    speed_new: Array = sized("count")
    steps: Array = sized("count")  # made since the zone was entered
    part: float = 1.0  # of a step that must be made again
    close: bool = False  # the ends of this step do not rule out that a zone was passed through
    # while a step is looked through: the gaps at two places behind each other, and at the next
    behind: Array = sized("count")
    here: Array = sized("count")
    here_speed: Array = sized("count")
    ahead: Array = sized("count")
    ahead_speed: Array = sized("count")
    looks: int = 0  # states looked at within steps, in the whole run
    # zones that fixed steps passed through
    passed: int = 0
    passed_zone: int = 0  # the first of them
    passed_time: float = 0.0


def zones_of(approach: Any, sizes: ArrayLike) -> Zones:
    """The memory for zones of these sizes; for none without a kernel that says how near they are."""
    lengths = np.array(sizes, float).ravel() if approach is not None else np.zeros(0)
    if not (lengths > 0.0).all():
        raise SolveError("a zone has no size", expected="sizes above zero, inf where there is no way through")
    return Zones(count=len(lengths), approach=cast(Kernel, approach), size=lengths)
