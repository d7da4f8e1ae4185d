"""`hapsis bench compiler`: from formulas to native code."""

from hapsis.bench.compiler.compiler_benchmark import report as report
from hapsis.bench.compiler.compiler_benchmark import run as run
