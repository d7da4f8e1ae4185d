"""`hapsis bench dynamics`: equations of motion against Pinocchio, MuJoCo and CasADi."""

from hapsis.bench.dynamics.dynamics_benchmark import report as report
from hapsis.bench.dynamics.dynamics_benchmark import run as run
