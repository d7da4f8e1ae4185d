"""Quick and good code of the same Function, run on the same numbers: every bit must be the same.

    python tools/two_speeds.py 500          random Functions: straight lines, blocks, tables, all operations
    python tools/two_speeds.py models       dynamics and derivatives of the models of the library

Numbers include zeros of both signs, infinities, NaN, the smallest and the largest. A NaN is a NaN: which
of several NaNs comes out is not defined by the processor's instructions in either speed.
"""

import os
import sys
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np

from hapsis.compiler.backends.llvm import background, code
from hapsis.compiler.backends.llvm.code import Code, Part
from hapsis.compiler.backends.llvm.llvm import LlvmKernel

SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -2.2e-308, 1.7e308, 1.0, -1.0, 1e-160, 0.5)
STATES = 24


@contextmanager
def held():
    """The jobs of the background, which are not done meanwhile, and no cache."""
    jobs: list[Any] = []
    with (
        mock.patch.dict(os.environ, HAPSIS_CACHE="", HAPSIS_BACKGROUND="on"),
        mock.patch.object(background, "submit", jobs.append),
        mock.patch.object(code, "SMALL", -1.0),
    ):
        yield jobs


def kernel(function, precision="f64", contract=True, wide=False):
    """A kernel with quick code, and the jobs that make it good."""
    with held() as jobs:
        new = LlvmKernel(Part(function), precision, contract, float("inf"), 1)
        new.code(new.wide if wide else 1)
    return new, jobs


def numbers(function, seed, dtype, parameters):
    """Inputs of some states, and parameters: plain ones first, then with special values among them."""
    draw = np.random.default_rng(seed)
    arrays = [draw.uniform(-2, 2, (STATES, *port.shape)).astype(dtype) for port in function.inputs]
    for array in arrays:
        chosen = draw.random(array.shape) < 0.3
        chosen[: STATES // 2] = False
        with np.errstate(over="ignore"):
            array[chosen] = draw.choice(np.array(SPECIAL).astype(dtype), chosen.sum())
    return arrays, draw.uniform(-2, 2, parameters).astype(dtype)


def run(compiled: LlvmKernel, function, arrays, p, wide: bool):
    """All outputs, as one array."""
    shapes = [(STATES, *port.shape) for port in function.outputs]
    outputs = [np.full(shape, 7.0, p.dtype) for shape in shapes]
    more = [p] if len(p) else []
    if wide:
        compiled.batch([*arrays, *more], outputs, STATES)
    else:
        for k in range(STATES):
            rows = [np.ascontiguousarray(a[k]) for a in arrays]
            out = [
                o[k : k + 1].reshape(port.shape) for o, port in zip(outputs, function.outputs, strict=True)
            ]
            compiled.single([*rows, *more], out)
    return np.concatenate([o.ravel() for o in outputs])


def differs(function, seed, precision="f64", contract=True, wide=False) -> str:
    """Where the two speeds differ; empty if they do not."""
    compiled, jobs = kernel(function, precision, contract, wide)
    own: Code = compiled.code(compiled.wide if wide else 1)
    # other threads of the process may have asked for code of their own meanwhile
    jobs = [job for job in jobs if job.code is own]
    if own.good or len(jobs) != 1:
        return "there is no quick code"
    dtype = np.float64 if precision == "f64" else np.float32
    arrays, p = numbers(function, seed, dtype, own.facts.parameters)
    with np.errstate(all="ignore"):
        quick = run(compiled, function, arrays, p, wide)
        before = own.address
        while jobs[0].step():
            pass
        good = run(compiled, function, arrays, p, wide)
    if own.address == before or not own.good:
        return "there is no good code"
    whole = f"u{quick.itemsize}"
    same = (quick.view(whole) == good.view(whole)) | (np.isnan(quick) & np.isnan(good))
    return "" if same.all() else f"{(~same).sum()} of {len(same)} numbers differ"


WAYS = [
    {"precision": precision, "contract": contract, "wide": wide}
    for precision in ("f64", "f32")
    for contract in (True, False)
    for wide in (False, True)
]


def random_functions(count: int, first: int = 0):
    """Random Functions of many sizes and kinds."""
    from strategies import EVERY, PLAIN, random_function

    for seed in range(first, first + count):
        size = int(10 ** np.random.default_rng(seed).uniform(0.7, 3.3))
        yield seed, random_function(seed, size, PLAIN * 3 + EVERY, blocks=seed % 3 == 0)


def models():
    """Functions of the models of the library."""
    import hapsis as hs

    for name in hs.library.MODELS:
        try:
            model = getattr(hs.library, name)()
            yield f"{name} inverse", hs.inverse_dynamics(model)
            yield f"{name} forward", hs.forward_dynamics(model)
            yield f"{name} mass", hs.mass_matrix(model)
        except (hs.Error, TypeError):
            continue


def main(what: str) -> int:
    """Prints what differs; the number of those."""
    wrong = count = 0
    for name, function in models() if what == "models" else random_functions(int(what)):
        ways = WAYS if what == "models" else [WAYS[count % 8]]
        for way in ways:
            problem = differs(function, count, **way)
            count += 1
            if problem:
                wrong += 1
                print(name, way, problem, flush=True)
    print(f"{count} pairs of quick and good code, {wrong} differ")
    return wrong


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tests"))
    sys.exit(bool(main(sys.argv[1] if len(sys.argv) > 1 else "200")))
