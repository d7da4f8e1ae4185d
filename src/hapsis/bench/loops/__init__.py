"""`hapsis bench loops`: closed mechanisms against MuJoCo, Exudyn and Pinocchio."""

from hapsis.bench.loops.loops_benchmark import report as report
from hapsis.bench.loops.loops_benchmark import run as run
