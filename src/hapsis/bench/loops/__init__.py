"""`hapsis bench loops`: closed mechanisms against MuJoCo, Exudyn and Pinocchio."""

from hapsis.bench.loops.loops_benchmark import report as report
from hapsis.bench.loops.loops_benchmark import run as run
from hapsis.bench.loops.loops_cases import cases

QUICK = ("four-bar",)  # what is measured with --quick


def names() -> tuple[str, ...]:
    """The mechanisms."""
    return tuple(cases())
