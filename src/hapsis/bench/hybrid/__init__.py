"""`hapsis bench hybrid`: steps and events of walkers, against MuJoCo's contact and a loop by SciPy."""

from hapsis.bench.hybrid.hybrid_benchmark import names as names
from hapsis.bench.hybrid.hybrid_benchmark import report as report
from hapsis.bench.hybrid.hybrid_benchmark import run as run
