"""`hapsis bench wasm`: a step in WebAssembly against our native code and MuJoCo's WebAssembly."""

from hapsis.bench.wasm.wasm_benchmark import NAMES
from hapsis.bench.wasm.wasm_benchmark import report as report
from hapsis.bench.wasm.wasm_benchmark import run as run

QUICK = NAMES[:1]  # what is measured with --quick


def names() -> tuple[str, ...]:
    """The models."""
    return NAMES
