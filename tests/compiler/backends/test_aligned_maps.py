"""Maps whose operands and results lie side by side: nothing is copied, and the bits are the interpreter's."""

import numpy as np
import pytest
from test_masks_everywhere import bits

import hapsis as hs
from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.backends.llvm.llvm_aligned_maps import alignment
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.pipeline import prepared

pytestmark = pytest.mark.filterwarnings("error")


def body(rows):
    """A row times rows that all share; a zero and an input as they are; a choice."""
    graph = Graph()
    a, r = hs.symbols("a", 3, graph=graph), hs.symbols("r", 3, rows, graph=graph)
    k = hs.symbol("k", graph=graph)
    x = -(a @ r)
    chosen = hs.where(k == 1.0, a, a + r @ x)
    return hs.Function("body", {"a": a, "k": k, "r": r}, {"x": x, "end": chosen, "fixed": np.array([0.0, k])})


def program(count, rows=4):
    """A map of expressions and their negatives, and two of its results with the same shared rows."""
    graph = Graph()
    a, r = hs.symbols("a", count, 3, graph=graph), hs.symbols("r", 3, rows, graph=graph)
    turned = hs.sin(r) * r - 1.0
    turned[1, 1] = -turned[1, 1]
    begin, places = -(a * a[0]), np.arange(count, dtype=float)
    one = hs.map(body(rows), begin, places, turned)
    two = hs.map(body(rows), one.end, places, turned)
    three = hs.map(body(rows), two.end, one.fixed[:, 1], turned)
    outputs = {"x": one.x, "across": two.x.T, "end": three.end, "fixed": three.fixed, "begin": begin}
    return hs.Function("program", {"a": a, "r": r}, outputs)


def maps(function):
    ready = prepared(function)
    nodes = [ready.graph.nodes[i] for i in ready.live]
    return [ready.graph.blocks[node[1]] for node in nodes if node[0] == ops.BLOCK]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 21])
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_the_bits_are_the_interpreters(count, precision):
    f = program(count)
    dtype = np.float64 if precision == "f64" else np.float32
    draw = np.random.default_rng(count)
    a, r = (draw.normal(size=(19, *port.shape)).astype(dtype) for port in f.inputs)
    a[draw.random(a.shape) < 0.2] = -0.0
    blocks = maps(f)
    assert len(blocks) == 3 and all(alignment(block, prepared(block.body)) for block in blocks)
    flat = np.concatenate([x.reshape(19, -1) for x in (a, r)], axis=1)
    expected = evaluate(prepared(f), flat.T).T
    compiled = hs.compile(f, contract=False, precision=precision, wait=True)

    def together(results, n):
        return np.concatenate([np.asarray(y).reshape(n, -1) for y in results], axis=1)

    assert bits(together(compiled(a, r), 19), expected)
    for k in (0, 7):
        assert bits(together(compiled(a[k], r[k]), 1)[0], expected[k])


def test_results_that_are_added_or_masked_are_not_aligned():
    graph = Graph()
    a, r = hs.symbols("a", 8, 3, graph=graph), hs.symbols("r", 3, 2, graph=graph)
    places = np.arange(8, dtype=float)
    added = hs.map(body(2), a, places, r, add_into={"x": (places.astype(int) // 2, 4)})
    masked = hs.map(body(2), a, places, r, when=a[:, 0])
    for found in (added, masked):
        (block,) = maps(hs.Function("f", {"a": a, "r": r}, {"x": found.x, "end": found.end}))
        assert alignment(block, prepared(block.body)) is None
