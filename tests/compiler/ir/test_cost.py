"""What one evaluation costs is a plain count."""

import pytest

import hapsis as hs
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.cost import Cost, cost_of
from hapsis.compiler.ir.graph.graph import Graph

FIELDS = ["add", "mul", "div", "sqrt", "trig", "exp", "logic"]


@pytest.mark.parametrize("op", sorted({*ops.COUNTED} - {ops.LOOKUP}), ids=ops.NAMES.__getitem__)
def test_every_operation_counts_once(op):
    g = Graph()
    arity = 1 if op in ops.UNARY else 2 if op in ops.BINARY else 3
    ref = g.node(op, *(g.symbol(f"x{k}") for k in range(arity)))
    cost = cost_of(g, g.live([ref]))
    assert cost == Cost(**{ops.COUNTED[op]: 1})
    assert cost.flops == 1 and cost.price == ops.PRICE[ops.COUNTED[op]]


def test_prices_rank_the_operations():
    price = ops.PRICE
    assert list(price) == FIELDS
    assert price["add"] == price["mul"] == price["logic"] == 1.0
    assert price["mul"] < price["div"] <= price["sqrt"] < price["trig"] < price["exp"]


def test_negation_is_free_and_shared_values_count_once():
    x, y = hs.symbols("x", 2, graph=Graph())
    s = hs.sin(x)
    f = hs.Function("f", {"x": [x, y]}, {"a": -(s * y), "b": s * y + s, "c": -x})
    assert f.cost() == Cost(add=1, mul=1, trig=1)
    assert hs.Function("f", {"x": [x, y]}, {"a": [x, -y, 3.0]}).cost() == Cost()


def test_costs_add_and_multiply():
    a, b = Cost(1, 2, 3, 4, 5, 6, 7), Cost(10, 20, 30, 40, 50, 60, 70)
    assert a + b == Cost(11, 22, 33, 44, 55, 66, 77) and a * 10 == b
    assert a.flops == 28 and a.price == pytest.approx(3 + 18 + 24 + 50 + 72 + 7)


def test_a_cost_is_a_value():
    assert {Cost(add=1): "one"}[Cost(1)] == "one"
    with pytest.raises(AttributeError):
        Cost().add = 1


def test_a_cost_reads_as_a_list():
    assert str(Cost(add=2, trig=1, logic=3)) == "2 add, 1 trig, 3 logic"
    assert str(Cost(mul=1)) == "1 mul" and str(Cost()) == "nothing"


def test_blocks_count_their_bodies():
    graph = Graph()
    x = hs.symbols("x", 4, graph=graph)
    u = hs.symbol("u", graph=graph)
    body = hs.Function("b", {"u": u}, {"v": hs.exp(u) * u})
    once = Cost(exp=1, mul=1)

    def cost(y):
        return hs.Function("f", {"x": x}, {"y": y}).cost()

    assert cost(hs.call(body, x[0])) == once
    assert cost(hs.map(body, x)) == once * 4
    assert cost(hs.map(body, x, add_into={"v": ([0, 1, 0, 0], 2)})) == once * 4 + Cost(add=2)
    assert cost(hs.repeat(body, x[0], times=7)) == once * 7
    assert cost(hs.call(body, x[0]) + hs.call(body, x[1])) == once * 2 + Cost(add=1)
