import numpy as np
from hypothesis import given, settings
from strategies import functions, inputs_for

from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import exp, sin
from hapsis.compiler.ir.graph.expr import parameter, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.eliminate import eliminated, equations
from hapsis.compiler.passes.pipeline import PASSES, prepared


@settings(max_examples=60, deadline=None)
@given(functions(max_nodes=40))
def test_laws(function):
    result = eliminated(function)
    x = inputs_for(function)
    np.testing.assert_array_equal(evaluate(result, x), evaluate(function, x))
    assert eliminated(result).digest == result.digest
    assert result.cost() == function.cost()
    assert result.parameters == function.parameters
    assert result.live[-1:] == [len(result.graph.nodes) - 1][: len(result.live)]
    # node number = slot of the flat input
    assert [ref >> 2 for ref in result.input_refs] == list(range(result.n_in))
    assert all(ref == k << 2 for k, ref in enumerate(result.input_refs))
    assert eliminated(result).graph.nodes == result.graph.nodes


@settings(max_examples=30, deadline=None)
@given(functions(max_nodes=40))
def test_all_passes_together_keep_the_laws(function):
    result = prepared(function)
    x = inputs_for(function)
    np.testing.assert_allclose(evaluate(result, x), evaluate(function, x), rtol=1e-12, atol=1e-12)
    assert result.cost().price <= function.cost().price
    assert prepared(result).graph.nodes == result.graph.nodes
    assert (result.name, result.parameters) == (function.name, function.parameters)
    for side in ("inputs", "outputs"):
        old, new = getattr(function, side), getattr(result, side)
        assert [(p.name, p.shape) for p in old] == [(p.name, p.shape) for p in new]


def test_the_order_of_the_passes():
    assert [name for name, _ in PASSES] == ["condense", "order"]


def test_equations_written_and_needed():
    g = Graph()
    x, other = symbols("x", 3, graph=g), symbol("other", graph=g)
    p, unused = parameter("p", 1.0, graph=g), parameter("unused", 2.0, graph=g)
    y = sin(x[0]) * x[1]
    exp(y)  # written from the inputs, needed by nothing
    exp(x[2] + p)
    exp(other), exp(unused), other * y  # not written from the inputs
    f = Function("f", {"x": x}, {"y": y + p})
    assert equations(f) == (6, 3)
    result = eliminated(f)
    assert equations(result) == (3, 3)
    assert [result.graph.symbols, result.graph.parameters] == [g.symbols[:3], g.parameters[:1]]


def test_a_given_order_is_kept():
    g = Graph()
    x = symbols("x", 2, graph=g)
    a, b = exp(x[0]), sin(x[1])
    f = Function("f", {"x": x}, {"y": a + b})
    at = [e.ref >> 2 for e in (b, a, a + b)]
    nodes = eliminated(f, at).graph.nodes
    assert nodes[2:4] == [g.nodes[b.ref >> 2], g.nodes[a.ref >> 2]]
