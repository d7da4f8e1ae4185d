"""`hapsis bench compiler`: from formulas to native code."""

from hapsis.bench.compiler.compiler_benchmark import run as run
from hapsis.bench.compiler.compiler_report import report as report
