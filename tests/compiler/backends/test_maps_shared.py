"""Maps whose indices share some of their operands: those are copied once, in one state and in batches."""

import numpy as np
import pytest
from test_masks_everywhere import bits

import hapsis as hs
from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.graph.graph import Graph

pytestmark = pytest.mark.filterwarnings("error")


def body(draw, widths):
    """Sums of products of random operands of several inputs."""
    graph = Graph()
    inputs = {f"x{k}": hs.symbols(f"x{k}", n, graph=graph) for k, n in enumerate(widths)}
    flat = [x for array in inputs.values() for x in array]
    y = [sum(flat[i] * flat[j] for i, j in draw.integers(0, len(flat), (3, 2))) for _ in range(4)]
    return hs.Function("body", inputs, {"y": np.array(y)})


def program(seed):
    """A map over 1 to 20 indices; each input of its body is one for all, one each, or a mixture of both."""
    draw = np.random.default_rng(seed)
    graph, count = Graph(), int(draw.integers(1, 21))
    x = hs.symbols("x", 30, graph=graph)
    widths = draw.integers(1, 6, 3)
    arguments = []
    for n in widths:
        rows = draw.integers(0, len(x), (count, n))
        rows[:, draw.random(n) < draw.choice([0.0, 0.5])] = draw.integers(0, len(x))  # these are shared
        arguments.append(x[rows[0]] if draw.random() < 0.3 else x[rows])
    if not any(a.ndim > 1 for a in arguments):
        arguments[0] = x[draw.integers(0, len(x), (count, widths[0]))]
    when = x[draw.integers(0, len(x), count)] if seed % 3 == 0 else None
    places = {"y": (draw.integers(0, 5, count), 5)} if seed % 2 else None
    y = hs.map(body(draw, widths), *arguments, add_into=places, when=when)
    return hs.Function("program", {"x": x}, {"y": np.asarray(y, dtype=object)})


@pytest.mark.parametrize("seed", range(24))
def test_a_map_with_shared_operands_has_the_interpreters_bits(seed):
    f = program(seed)
    draw = np.random.default_rng(seed)
    x = np.where(draw.random((11, 30)) < 0.2, 0.0, draw.normal(size=(11, 30)))
    expected = evaluate(f, x.T).T.reshape(11, *f.outputs[0].shape)
    compiled = hs.compile(f, contract=False, wait=True)
    assert bits(compiled(x), expected)
    for state, y in zip(x, expected, strict=True):
        assert bits(compiled(state), y)
