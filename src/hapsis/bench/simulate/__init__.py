"""`hapsis bench simulate`: motions against MuJoCo, Exudyn and SciPy."""

from hapsis.bench.simulate.simulate_benchmark import report as report
from hapsis.bench.simulate.simulate_benchmark import run as run
