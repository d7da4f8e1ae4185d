"""Outputs that are mostly zeros: written by the register, and in batches past the lanes."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.backends.llvm.llvm_batch import segments
from hapsis.compiler.ir.functions.function import Port
from hapsis.compiler.ir.graph.ops import ONE, ZERO


def sparse(size: int, seed: int) -> hs.Function:
    """A vector with runs of zeros of every length between values, constants and inputs."""
    draw = np.random.default_rng(seed)
    x = hs.symbols("x", 3)
    y: list = [0.0] * size
    for k in draw.choice(size, size // 6, replace=False):
        y[k] = [x[0] * x[1] + k, x[2], 2.5][k % 3]
    return hs.Function("sparse", {"x": x}, {"y": y, "z": [0.0] * 5})


@pytest.mark.parametrize("size", [1, 7, 8, 9, 40, 131])
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_every_place_is_written(size: int, precision: str) -> None:
    f = sparse(size, size)
    fast = hs.compile(f, precision=precision, contract=False)
    slow = hs.compile(f, "python", precision=precision)
    for count in (None, 1, 3, 8, 21):
        x = np.random.default_rng(1).normal(size=3 if count is None else (count, 3))
        shape = () if count is None else (count,)
        out = tuple(np.full((*shape, n), np.nan, fast(x)[0].dtype) for n in (size, 5))
        fast(x, out=out)
        for mine, theirs in zip(out, slow(x), strict=True):
            assert np.array_equal(mine, theirs)


def test_segments_cover_the_port_in_whole_tiles() -> None:
    refs = (ZERO,) * 17 + (ONE,) + (ZERO,) * 20
    found = segments(Port("y", (38,), refs), 8)
    assert found == [(0, 16, True), (16, 24, False), (24, 38, True)]
