"""`hapsis bench particles`: forces of connectors against a C loop of the same law, and their cost."""

from hapsis.bench.particles.particles_benchmark import report as report
from hapsis.bench.particles.particles_benchmark import run as run
