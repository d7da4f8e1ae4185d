"""`hapsis bench first`: from a file to its first motion, whole processes."""

from hapsis.bench.first.first_benchmark import report as report
from hapsis.bench.first.first_benchmark import run as run
from hapsis.bench.first.first_cases import NAMES

QUICK = ("pendulum", "four-bar", "suspension")  # what is measured with --quick


def names() -> tuple[str, ...]:
    """The models."""
    return NAMES
