"""`hapsis bench realtime`: the cost and the lateness of a tick of the haptic loop."""

from hapsis.bench.realtime.realtime_benchmark import report as report
from hapsis.bench.realtime.realtime_benchmark import run as run
from hapsis.bench.realtime.realtime_cases import NAMES
from hapsis.bench.realtime.realtime_grasps import GRASPS

QUICK = ("crank",)  # what is measured with --quick


def names() -> tuple[str, ...]:
    """The cases."""
    return tuple(dict.fromkeys([*NAMES, *(grasp.name for grasp in GRASPS)]))
