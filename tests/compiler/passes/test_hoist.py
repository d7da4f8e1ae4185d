"""What depends on no input leaves the kernel, and kernel after preparation is the Function."""

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import EVERY, functions, inputs_for, random_function

import hapsis as hs
from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.functions.blocks import Call, Map
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.cost import Cost, cost_of, independent
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.hoist import joined
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import prepared


def apart(function: Function, x: np.ndarray, ready=lambda part: part) -> np.ndarray:
    """The Function's outputs by way of its preparation and its kernel."""
    preparation, kernel = hoisted(function)
    n = function.n_in - len(function.parameters)
    w = evaluate(ready(preparation), x[n:])
    return evaluate(ready(kernel), np.concatenate([x[:n], w]))


def price(function: Function) -> float:
    return cost_of(function.graph, function.live).price


def other_parameters(function: Function) -> np.ndarray:
    x = inputs_for(function)
    n = function.n_in - len(function.parameters)
    x[n:] *= np.random.default_rng(3).uniform(0.5, 1.0, x[n:].shape)
    return x


def check_laws(function: Function) -> None:
    preparation, kernel = hoisted(function)
    left = independent(kernel.graph, kernel.live)
    if preparation is None:
        assert kernel is function
    else:
        x = other_parameters(function)
        np.testing.assert_array_equal(apart(function, x), evaluate(function, x))
        # bit by bit what all backends run; zeros have their signs
        whole = prepared(function)
        assert apart(function, x, prepared).tobytes() == evaluate(whole, x).tobytes()
        assert evaluate(joined(preparation, kernel), x).tobytes() == apart(function, x).tobytes()
        assert whole.parameters == function.parameters
        assert preparation.inputs == () and preparation.parameters == function.parameters
        ports = zip(function.inputs + function.outputs, kernel.inputs + kernel.outputs, strict=True)
        assert all(old[:2] == new[:2] for old, new in ports)
        # only what the kernel reads, once, without signs
        refs = preparation.output_refs
        assert len(kernel.parameters) == len(refs) == len(set(refs)) > 0
        assert not any(ref & 3 for ref in refs)
        uses = kernel.uses()
        assert all(uses[index] for index in kernel.parameter_nodes)
        assert [p.name for p in preparation.outputs] == ["w"]
        assert kernel.cost() == function.cost() == cost_of(kernel.graph, kernel.live)
        assert preparation.cost() == Cost() == kernel.cost(preparation=True)
        assert hoisted(preparation) == (None, preparation)
    nodes = kernel.graph.nodes
    assert all(nodes[i][0] == ops.PARAMETER for i in kernel.live if left[i])
    assert hoisted(kernel) == (None, kernel)
    if preparation is not None:
        assert function.cost(preparation=True).price >= price(preparation)
    if not function.graph.blocks:
        once = function.cost(preparation=True)
        assert function.cost() + once == cost_of(function.graph, function.live)
        assert preparation is None or once.price == price(preparation)


@settings(max_examples=150, deadline=None)
@given(functions(max_nodes=40))
def test_laws(function):
    check_laws(function)


@pytest.mark.parametrize("seed", range(6))
def test_laws_of_long_functions(seed):
    check_laws(random_function(seed, 600, names=EVERY, blocks=seed % 2 == 0, reach=15.0))


def model() -> tuple[hs.Function, list[hs.Expr]]:
    g = Graph()
    x, y = hs.symbols("x", 2, graph=g)
    m, l, k = (hs.parameter(n, v, graph=g) for n, v in (("m", 2.0), ("l", 3.0), ("k", 5.0)))
    inertia = m * l * l
    return hs.Function(
        "f",
        {"x": [x, y]},
        {"a": inertia * x - y * (-inertia), "b": 2.0 * k * y + k * x, "c": [hs.sin(m), -m, 4.0]},
    ), [m, l, k]


def test_the_largest_parts_are_prepared_and_nothing_twice():
    f, _ = model()
    preparation, kernel = hoisted(f)
    # m, k, m*l*l, 2*k and sin(m); l is not read, inertia only once
    assert kernel.n_in == 2 + 5 and len(kernel.parameters) == 5
    assert list(kernel.parameters) == ["w0", "w1", "w2", "w3", "w4"]
    assert kernel.cost() == f.cost() == Cost(add=2, mul=4)
    assert f.cost(preparation=True) == Cost(mul=3, trig=1)
    w = evaluate(preparation, np.array([2.0, 3.0, 5.0]))
    assert sorted(w) == sorted([2.0, 5.0, 18.0, 10.0, np.sin(2.0)])
    assert hoisted(f) == (preparation, kernel)


def test_nothing_to_prepare():
    g = Graph()
    x, k = hs.symbol("x", graph=g), hs.parameter("k", 2.0, graph=g)
    for f in (
        hs.Function("bare", {"x": x}, {"y": k * hs.sin(x) + k, "z": -k}),
        hs.Function("none", {"x": x}, {"y": x * x}),
        hs.Function("no inputs", {}, {"y": k * k}),
        hs.Function("empty input", {"x": np.empty(0)}, {"y": k * k}),
    ):
        assert hoisted(f) == (None, f)


def test_blocks_of_parameters_move_as_a_whole():
    g = Graph()
    x, k = hs.symbol("x", graph=g), hs.parameter("k", 2.0, graph=g)
    body = hs.Function("b", {"u": hs.symbol("u", graph=g)}, {"v": hs.exp(hs.symbol("u", graph=g))})
    f = hs.Function("f", {"x": x}, {"y": x * hs.repeat(body, k, times=3) + hs.call(body, x)})
    preparation, kernel = hoisted(f)
    assert [node[0] for node in preparation.graph.nodes] == [ops.PARAMETER, ops.BLOCK, ops.OUT]
    assert f.cost(preparation=True) == Cost(exp=3) and f.cost() == Cost(add=1, mul=1, exp=1)
    assert kernel.n_in == 2
    check_laws(f)


def spring() -> hs.Function:
    x, k, c = hs.symbol("x"), hs.parameter("k", 2.0), hs.parameter("c", 0.5)
    return hs.Function("spring", {"x": x}, {"y": x * hs.sqrt(k * c) + hs.exp(k) / (1.0 + x * x)})


def test_bodies_are_split_into_a_call_that_moves_and_a_block_that_stays():
    body = spring()
    x, c = hs.symbols("x", 4), hs.parameter("c", 0.5)
    each, once = Cost(add=2, mul=2, div=1), Cost(mul=1, sqrt=1, exp=1)
    assert (body.cost(), body.cost(preparation=True)) == (each, once)
    for y, runs, more in (
        ([hs.call(body, x[0])], 1, Cost()),
        ([hs.call(body, x[0]), hs.call(body, x[1])], 2, Cost()),
        (hs.map(body, x), 4, Cost()),
        (hs.map(body, x, add_into={"y": ([0, 1, 0, 0], 2)}), 4, Cost(add=2)),
        ([hs.repeat(body, x[0], times=7) * c], 7, Cost(mul=1)),
    ):
        f = hs.Function("f", {"x": x}, {"y": y})
        preparation, kernel = hoisted(f)
        assert f.cost() == each * runs + more and f.cost(preparation=True) == once
        assert price(preparation) == price(hoisted(body)[0])
        # two values of the body, and what is read outside of it
        assert len(kernel.parameters) == 2 + (more.mul == 1)
        check_laws(f)


def test_bodies_inside_bodies():
    inner = spring()
    u = hs.symbols("u", 2)
    outer = hs.Function("outer", {"u": u}, {"v": hs.map(inner, u) * hs.parameter("k", 2.0)})
    x = hs.symbols("x", 2)
    f = hs.Function("f", {"x": x}, {"y": hs.repeat(outer, x, times=3)})
    assert f.cost() == (inner.cost() * 2 + Cost(mul=2)) * 3
    assert f.cost(preparation=True) == inner.cost(preparation=True)
    check_laws(f)


def test_a_body_with_parameters_that_move_stays_whole():
    body = spring()
    g = Graph()
    x, k = g.symbol("x"), g.parameter("k", 2.0)
    call = g.block(Call(body), [x, k, g.mul(x, k)])
    f = Function.of("f", g, [Port("x", (), (x,))], [Port("y", (), (call[0],))])
    assert hoisted(f) == (None, f) and f.cost() == cost_of(body.graph, body.live) + Cost(mul=1)
    gather = np.array([[0, 1, 2], [0, 2, 1]])
    mapped = g.block(Map(body, gather, np.array([[0], [1]]), 3, 2), [x, k, g.mul(k, k)])
    f = Function.of("f", g, [Port("x", (), (x,))], [Port("y", (2,), tuple(mapped))])
    assert f.cost() == cost_of(body.graph, body.live) * 2
    check_laws(f)


def test_what_is_constant_but_not_folded_is_prepared_too():
    x, u = hs.symbol("x"), hs.symbol("u")
    body = hs.Function("b", {"u": u}, {"v": hs.exp(u)})
    f = hs.Function("f", {"x": x}, {"y": x * hs.call(body, 2.0)})
    preparation, kernel = hoisted(f)
    assert preparation.n_in == 0 and kernel.n_in == 2 and f.cost() == Cost(mul=1)
    check_laws(f)


def test_an_input_may_be_called_as_the_prepared_values():
    g = Graph()
    w, k = hs.symbols("w", 2, graph=g), hs.parameter("w0", 2.0, graph=g)
    f = hs.Function("f", {"w": w}, {"y": w * (k + 1.0) + k})
    assert hoisted(f)[1].inputs[0].name == "w"
    check_laws(f)


def test_prepared_functions_are_not_kept_for_ever():
    import gc
    import weakref

    f, _ = model()
    held = [weakref.ref(x) for x in (prepared(f), *hoisted(f))]
    assert prepared(prepared(f)) is prepared(f)
    del f, _
    gc.collect()
    assert not any(ref() for ref in held)
