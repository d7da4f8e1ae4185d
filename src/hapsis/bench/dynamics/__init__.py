"""`hapsis bench dynamics`: equations of motion against Pinocchio, MuJoCo and CasADi."""

from hapsis.bench.dynamics.dynamics_benchmark import report as report
from hapsis.bench.dynamics.dynamics_benchmark import run as run
from hapsis.bench.robots import NAMES

QUICK = ("panda", "aligned 7")  # what is measured with --quick


def names() -> tuple[str, ...]:
    """The robots."""
    return NAMES
