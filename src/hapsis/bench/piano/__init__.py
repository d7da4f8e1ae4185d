"""`hapsis bench piano`: the cost of a whole step of the grand piano action in the haptic loop."""

from hapsis.bench.piano.piano_benchmark import report as report
from hapsis.bench.piano.piano_benchmark import run as run
