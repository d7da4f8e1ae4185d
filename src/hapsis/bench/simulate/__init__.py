"""`hapsis bench simulate`: motions against MuJoCo, Exudyn and SciPy."""

from hapsis.bench.simulate.simulate_benchmark import report as report
from hapsis.bench.simulate.simulate_benchmark import run as run
from hapsis.bench.simulate.simulate_cases import NAMES

QUICK = ("chain 1",)  # what is measured with --quick


def names() -> tuple[str, ...]:
    """The cases."""
    return NAMES
