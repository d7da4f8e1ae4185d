from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import EVERY, functions, inputs_for, random_function

from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import cos, exp, maximum, minimum, sin
from hapsis.compiler.ir.graph.expr import parameter, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, COS, MUL, NAMES, OUT, SIN, SUB
from hapsis.compiler.passes import order
from hapsis.compiler.passes.order import early, ordered, pressure, schedule


def alive_at_once(function):
    """The definition: values made and still to be used, after each instruction."""
    nodes = function.graph.nodes
    first = set(early(function))
    order = [i for i in function.live if nodes[i][0] > OUT and i not in first]
    order = [i for i in function.live if nodes[i][0] in (BLOCK, OUT) or i in order]
    most = 0
    for t, index in enumerate(order):
        later = {ref >> 2 for i in order[t + 1 :] for ref in function.graph.operands(i) if not ref & 2}
        made = {i for i in order[: t + 1] if nodes[i][0] > OUT}
        alive = made & later
        if nodes[index][0] > OUT:
            alive |= {index}
        most = max(most, len(alive))
    return most


def triple(n):
    g = Graph()
    a, b, c = (symbols(name, n, n, graph=g) for name in "ABC")
    return Function("triple", {"a": a, "b": b, "c": c}, {"y": a @ b @ c})


@settings(max_examples=60, deadline=None)
@given(functions(max_nodes=40))
def test_laws(function):
    result = ordered(function)
    x = inputs_for(function)
    np.testing.assert_array_equal(evaluate(result, x), evaluate(function, x))
    assert result.cost() == function.cost()
    assert pressure(result) <= pressure(function)
    assert ordered(result).graph.nodes == result.graph.nodes


@settings(max_examples=60, deadline=None)
@given(functions(max_nodes=40))
def test_a_schedule_has_every_node_once_after_its_operands(function):
    order = schedule(function)
    inputs = {ref >> 2 for ref in function.input_refs}
    done = set(inputs)
    for index in order:
        assert index not in done
        assert all(ref & 2 or ref >> 2 in done for ref in function.graph.operands(index))
        done.add(index)
    assert done == inputs | set(function.live)


@settings(max_examples=60, deadline=None)
@given(functions(max_nodes=40))
def test_a_product_used_once_stands_right_before_its_sum(function):
    order = schedule(function)
    nodes = function.graph.nodes
    first = set(early(function))
    used = [r >> 2 for i in function.live for r in function.graph.operands(i) if not r & 2]
    used += [ref >> 2 for ref in function.output_refs if not ref & 2] * 2
    for before, index in pairwise([None, *order]):
        if nodes[index][0] in (ADD, SUB) and index not in first:
            operands = [ref >> 2 for ref in nodes[index][1:] if not ref & 2]
            products = [i for i in operands if nodes[i][0] == MUL and used.count(i) == 1]
            products = [i for i in products if i not in first]
            assert not products or before in products


@settings(max_examples=40, deadline=None)
@given(functions(max_nodes=25))
def test_pressure_is_what_it_says(function):
    assert pressure(function) == alive_at_once(function)


@settings(max_examples=40, deadline=None)
@given(functions(max_nodes=25, names=("add", "sub", "scale", "sin", "cos", "shift", "mul")))
def test_early_sines_come_first_and_in_pairs(function):
    result = ordered(function)
    first = early(result)
    start = len(result.input_refs)
    assert first == list(range(start, start + len(first)))
    nodes = result.graph.nodes
    trig = [nodes[i] for i in first if nodes[i][0] in (SIN, COS)]
    assert [nodes[i] for i in first[len(first) - len(trig) :]] == trig
    assert all((a[1], a[0]) < (b[1], b[0]) for a, b in pairwise(trig))


def names_of(function, indices):
    return [NAMES[function.graph.nodes[i][0]].replace("sub", "add") for i in indices]


def crossed(x):
    """Takes two registers."""
    return minimum(maximum(x[0], x[1]), maximum(x[2], x[3]))


def test_which_sines_are_early():
    g = Graph()
    q, r, s = (symbol(name, graph=g) for name in "qrs")
    p = parameter("p", 1.0, graph=g)

    def found(*outputs):
        f = Function("f", {"q": q, "r": r, "s": s}, {"y": list(outputs)})
        return names_of(f, early(f))

    assert found(sin(q)) == ["sin"]
    assert found(cos(q), sin(r), sin(q)) == ["sin", "cos", "sin"]
    assert found(sin(q + r), cos(q + r), q * r) == ["add", "sin", "cos"]
    assert found(sin(2 * q - r + 1 + p)) == ["mul", "add", "add", "add", "sin"]
    assert found(sin(q * r), cos(sin(q)), sin(q * p)) == ["sin"]
    assert found(sin(q + r * s), cos(exp(q) - r), cos(2 * exp(q))) == []
    late = exp(q)
    assert found(sin(late + (q - 2 * s))) == []
    # an angle that is shared is listed once, one that is no angle not at all
    assert found(sin((q + r) + s), cos((q + r) - s), q - s) == ["add", "add", "add", "sin", "cos"]


def test_products_made_in_advance_come_when_needed():
    g = Graph()
    x = symbols("x", 20, graph=g)
    y = symbols("y", 20, graph=g)
    products = [a * b for a, b in zip(x, y, strict=True)]
    f = Function("dot", {"x": x, "y": y}, {"d": sum(products[1:], products[0])})
    assert pressure(f) == 20
    assert pressure(ordered(f)) == 2
    order = names_of(f, schedule(f))
    assert order == ["mul", *["mul", "add"] * 19]


def test_the_heavier_operand_comes_first():
    g = Graph()
    x = symbols("x", 4, graph=g)
    light = exp(x[0])
    heavy = exp(crossed(x))
    f = Function("f", {"x": x}, {"y": light / heavy, "z": x[0]})
    assert names_of(f, schedule(f)) == ["max", "max", "min", "exp", "exp", "div"]
    assert (pressure(f), pressure(ordered(f))) == (3, 2)
    # of equals, the older one
    f = Function("f", {"x": x}, {"y": exp(x[1]) / light})
    assert [f.graph.nodes[i] for i in schedule(f)][:1] == [f.graph.nodes[light.ref >> 2]]


def test_the_lighter_product_is_the_one_that_fuses():
    g = Graph()
    x = symbols("x", 4, graph=g)
    light = x[0] * exp(x[1])
    heavy = x[1] * crossed(x)
    f = Function("f", {"x": x}, {"y": light + heavy})
    assert names_of(f, schedule(f)) == ["max", "max", "min", "mul", "exp", "mul", "add"]


def test_what_a_fused_product_needs_is_weighed_with_the_other_term():
    g = Graph()
    x = symbols("x", 4, graph=g)
    heavy = crossed(x)
    f = Function("f", {"x": x}, {"y": exp(x[0]) + heavy * x[1]})
    assert names_of(f, schedule(f)) == ["max", "max", "min", "exp", "mul", "add"]


def test_what_fuses_decides_between_orders_of_equal_pressure():
    g = Graph()
    x = symbols("x", 3, graph=g)
    product = x[0] * x[1]
    f = Function("f", {"x": x}, {"y": exp(x[2]) + product})
    assert names_of(f, f.live[3:]) == ["mul", "exp", "add"]
    result = ordered(f)
    assert names_of(result, result.live[3:]) == ["exp", "mul", "add"]
    assert pressure(result) == pressure(f) == 2


def test_outputs_in_their_order_and_a_product_that_is_one():
    g = Graph()
    x = symbols("x", 3, graph=g)
    product = x[0] * x[1]
    f = Function("f", {"x": x}, {"a": exp(x[0]), "b": product + exp(x[2]), "c": product})
    assert names_of(f, schedule(f)) == ["exp", "mul", "exp", "add"]


@pytest.mark.parametrize(("n", "before", "after"), [(4, 18, 6), (8, 66, 10)])
def test_pressure_falls_on_matrix_products(n, before, after):
    f = triple(n)
    assert (pressure(f), pressure(ordered(f))) == (before, after)
    total = Function("t", {p.name: _array(f, p) for p in f.inputs}, {"y": _total(f)})
    reverse = total.vjp("a")
    assert pressure(ordered(reverse)) < 0.5 * pressure(reverse)


def _array(f, port):
    from hapsis.compiler.ir.graph.expr import Expr

    return np.array([Expr(f.graph, ref) for ref in port.refs], dtype=object).reshape(port.shape)


def _total(f):
    y = _array(f, f.outputs[0])
    return (y * y).sum()


def test_pressure_falls_on_random_graphs():
    fell = 0
    for seed in range(10):
        f = random_function(seed, 400, reach=100.0, n_out=2)
        before, after = pressure(f), pressure(ordered(f))
        assert after <= before
        fell += after < 0.9 * before
    assert fell >= 8


def test_blocks_are_ordered_too():
    f = random_function(5, 300, names=EVERY, blocks=True)
    x = inputs_for(f)
    np.testing.assert_array_equal(evaluate(ordered(f), x), evaluate(f, x))


def test_deep_graphs_need_no_recursion():
    g = Graph()
    x = y = symbol("x", graph=g)
    for _ in range(50_000):
        y = exp(y)
    f = Function("deep", {"x": x}, {"y": y})
    assert schedule(f) == list(range(1, 50_001))
    assert pressure(f) == 1


def test_a_short_function_never_gets_worse_and_a_long_one_is_not_compared(monkeypatch):
    compared = []
    peak = order._peak
    monkeypatch.setattr(order, "_peak", lambda *a: compared.append(1) or peak(*a))
    function = random_function(11, 300, reach=300.0)
    length = len(order.schedule(function))
    for limit, expected in ((length, 2), (length - 1, 0)):
        compared.clear()
        monkeypatch.setattr(order, "SHORT", limit)
        ordered(function)
        assert len(compared) == expected
