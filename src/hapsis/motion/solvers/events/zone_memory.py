"""The memory for zones: where forces begin that are zero elsewhere."""

from hapsis.compiler.native import Array, Kernel, constant, later, record, sized

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
