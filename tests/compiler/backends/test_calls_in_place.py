"""Calls take parameters from where the caller has them: the bits are those of the interpreter."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.ir.graph.graph import Graph


def body(draw, states, numbers, letter="a"):
    """A Function of some states and parameters; some of its operations are of parameters alone."""
    graph = Graph()
    y = hs.symbols("y", states, graph=graph)
    p = [hs.parameter(f"{letter}{k}", float(draw.uniform(0.5, 2.0)), graph=graph) for k in range(numbers)]
    new = []
    for k in range(states):
        a, b, c = (p[int(draw.integers(numbers))] for _ in range(3))
        new.append(y[k] * a + (b * c + a) * y[(k + 1) % states] - b * hs.sin(y[k] * c))
    return hs.Function("body", {"y": y}, {"y": new})


@pytest.mark.parametrize("seed", range(8))
def test_nested_calls_agree_with_the_interpreter(seed):
    """Parameters in a row, of two Functions in turn; one state, batches, new values."""
    draw = np.random.default_rng(seed)
    states, numbers = int(draw.integers(2, 6)), int(draw.integers(1, 12))
    first, second = body(draw, states, numbers), body(draw, states, int(draw.integers(1, 12)), "b")
    graph = Graph()
    y = start = hs.symbols("y", states, graph=graph)
    for _ in range(4):
        y = hs.call(first if draw.random() < 0.6 else second, y)
    whole = hs.Function("whole", {"y": start}, {"y": y})
    x = draw.normal(size=(9, states))
    native, reference = (hs.compile(whole, backend, contract=False) for backend in ("llvm", "python"))
    baked = hs.compile(whole.baked(), contract=False)
    assert np.array_equal(native(x[0]), reference(x[0]))
    assert np.array_equal(native(x), reference(x))
    assert np.allclose(native(x), baked(x), rtol=1e-9, atol=1e-9)
    other = {name: value * 1.25 for name, value in whole.parameters.items()}
    p = list(other.values())
    assert np.array_equal(native(x[1], p=p), reference(x[1], p=p))
