"""A copy in another graph means the same, and becomes simpler where a replacement allows it."""

import ir_values
import numpy as np
import pytest
import strategies
from hypothesis import given, settings

import hapsis as hs
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.graph.transplant import relocated, transplant


def copied(function, graph):
    known = {ref >> 2: ref for ref in ()}
    refs = iter(transplant(function.graph, function.output_refs, graph, known))
    names = [function.graph.symbols[function.graph.nodes[r >> 2][1]] for p in function.inputs for r in p.refs]
    slots = iter([graph.symbol(s.name, s.kind) for s in names])
    inputs = [p._replace(refs=tuple(next(slots) for _ in p.refs)) for p in function.inputs]
    outputs = [p._replace(refs=tuple(next(refs) for _ in p.refs)) for p in function.outputs]
    return Function.of(function.name, graph, inputs, outputs)


@settings(max_examples=40, deadline=None)
@given(strategies.functions(max_nodes=25))
def test_a_copy_has_the_same_values_and_the_same_cost(function):
    copy = copied(function, Graph())
    flat = [float(x) for x in strategies.inputs_for(function, batch=1)[:, 0]]
    moved = dict(zip(function.parameters, flat[len(flat) - len(function.parameters) :], strict=True))
    n = len(flat) - len(moved)
    again = flat[:n] + [moved[name] for name in copy.parameters]
    assert ir_values.of(copy, again) == pytest.approx(ir_values.of(function, flat), rel=1e-11, abs=1e-11)
    assert copy.cost() == function.cost()


def test_leaves_are_copied_by_name_kind_and_value():
    source, target = Graph(), Graph()
    m, k = source.symbol("m", "mass"), source.parameter("k", 2.5, "length")
    zero = source.parameter("o", 0.0)
    refs = transplant(source, [source.mul(m, k), negated(m), zero], target, {})
    assert target.symbols == [("m", "mass", None)]
    assert target.parameters == [("k", "length", 2.5), ("o", "other", 0.0)]
    assert refs[1] == negated(target.symbol("m", "mass"))
    assert target.nodes[refs[0] >> 2][0] == ops.MUL


def test_replacements_simplify():
    source, target = Graph(), Graph()
    x, y = source.symbol("x"), source.symbol("y")
    ref = source.add(source.mul(x, source.node(ops.SIN, y)), source.constant(-2.0))
    assert transplant(source, [ref], target, {x >> 2: ops.ZERO, y >> 2: target.symbol("v")}) == [
        target.constant(-2.0)
    ]
    minus = negated(target.symbol("v"))
    (found,) = transplant(source, [ref], target, {x >> 2: ops.ONE, y >> 2: minus})
    assert found == target.sub(target.constant(-2.0), target.node(ops.SIN, target.symbol("v")))
    assert transplant(source, [negated(x), x], target, {x >> 2: ops.ZERO}) == [ops.ZERO] * 2


def test_inner_nodes_may_be_replaced_and_what_is_below_is_left_out():
    source, target = Graph(), Graph()
    x = source.symbol("x")
    inner = source.node(ops.EXP, x)
    ref = source.mul(inner, inner)
    s = target.symbol("s")
    assert transplant(source, [ref], target, {inner >> 2: s, x >> 2: s}) == [target.mul(s, s)]
    assert len(target.nodes) == 2


def test_constants_move_with_their_value():
    source, target = Graph(), Graph()
    for k in range(2, 9):
        target.constant(k * 1.5)
    refs = [source.constant(-7.25), source.constant(7.25), ops.ZERO, ops.ONE ^ 1]
    moved = transplant(source, refs, target, {})
    assert [target.value(r) for r in moved] == [-7.25, 7.25, 0.0, -1.0]


def test_nodes_are_copied_in_the_given_order():
    source, target = Graph(), Graph()
    x = source.symbol("x")
    a, b = source.node(ops.SIN, x), source.node(ops.COS, x)
    c = source.mul(a, b)
    known = {x >> 2: target.symbol("y")}
    refs = relocated(source, [c, c ^ 1], target, known, [b >> 2, a >> 2, c >> 2])
    assert [node[0] for node in target.nodes] == [ops.SYMBOL, ops.COS, ops.SIN, ops.MUL]
    assert refs == [3 << 2, 3 << 2 | 1]


@pytest.mark.parametrize("seed", range(30))
def test_relocated_graphs_keep_their_values_and_their_sharing(seed):
    function = strategies.random_function(seed, 60, names=strategies.EVERY, blocks=seed % 3 == 0)
    source, target = function.graph, Graph()
    known = {}
    # inputs in another order than they had
    for ref in reversed(function.input_refs):
        op, at = source.nodes[ref >> 2]
        symbol = (source.symbols if op == ops.SYMBOL else source.parameters)[at]
        known[ref >> 2] = target.symbol(symbol.name)
    order = [index for index in function.live if index not in known]
    refs = relocated(source, function.output_refs, target, known, order)
    assert len(target.nodes) == len(known) + len(order)
    for node in target.nodes:
        if node[0] in (ops.ADD, ops.SUB):
            assert node[1] < node[2] and not (node[1] | node[2]) & 1
        if node[0] == ops.MUL:
            assert node[1] & 2 or node[1] <= node[2]
    # what is built on it finds what is there
    count = len(target.nodes)
    for node in list(target.nodes):
        if node[0] in (ops.ADD, ops.SUB, ops.MUL):
            target.node(*node)
    assert len(target.nodes) == count
    values = {ref >> 2: 0.1 * k for k, ref in enumerate(function.input_refs)}
    here = ir_values.at(source, function.output_refs, values)
    there = ir_values.at(target, refs, {known[i] >> 2: v for i, v in values.items()})
    assert np.allclose(here, there, rtol=1e-12, equal_nan=True)


def test_blocks_keep_their_operands_and_outputs():
    graph = Graph()
    x, y = hs.symbols("x", 2, graph=graph)
    body = hs.Function("b", {"u": x, "v": y}, {"w": [x - y, x / (y * y + 1)]})
    outer = hs.call(body, -x, 2.0)
    target = Graph()
    target.symbol("other")
    refs = transplant(graph, [outer[1].ref, outer[0].ref], target, {})
    at = ir_values.at(target, refs, {target.symbol("x[0]") >> 2: 3.0})
    assert at == [-3.0 / 5.0, -5.0]
    assert [target.nodes[r >> 2][1] for r in refs] == [1, 0]
