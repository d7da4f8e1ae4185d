"""`hapsis bench batch`: many runs of one model at once."""

from hapsis.bench.batch.batch_benchmark import run as run
from hapsis.bench.batch.batch_cases import NAMES
from hapsis.bench.batch.batch_report import report as report


def names() -> tuple[str, ...]:
    """The mechanisms."""
    return NAMES
