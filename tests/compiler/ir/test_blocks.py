"""Kept calls, maps and repeats compute what the written-out loop computes."""

import ir_values
import numpy as np
import pytest
from test_function import refused

import hapsis as hs
from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.blocks import Call, Map, Repeat
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.cost import Cost
from hapsis.compiler.ir.graph.expr import current_graph
from hapsis.compiler.ir.graph.graph import Graph


@pytest.fixture
def graph():
    return Graph()


def spring(value=2.0):
    """A force between two points in the plane, and its energy, with a parameter inside."""
    graph = Graph()
    a, b = hs.symbols("a", 2, graph=graph), hs.symbols("b", 2, graph=graph)
    k = hs.symbol("k", graph=graph)
    rest = hs.parameter("rest", value, "length", graph=graph)
    d = b - a
    length = hs.sqrt(d @ d + 0.01)
    force = k * (length - rest) * d / length
    return hs.Function(
        "spring", {"a": a, "b": b, "k": k}, {"force": force, "energy": k * (length - rest) ** 2}
    )


def newton():
    """One step towards the square root of c; done when it no longer moves."""
    graph = Graph()
    x, c = hs.symbol("x", graph=graph), hs.symbol("c", graph=graph)
    new = (x + c / x) / 2
    return hs.Function("newton", {"x": x, "c": c}, {"x": new, "done": abs(new - x) < 1e-3})


def values(function, count=3, seed=0):
    """The interpreter's and plain Python's outputs at random inputs, which must agree."""
    n = function.n_in - len(function.parameters)
    flat = np.random.default_rng(seed).uniform(0.5, 2.0, (function.n_in, count))
    flat[n:] = np.array(list(function.parameters.values())).reshape(-1, 1)
    found = python.evaluate(function, flat)
    for lane in range(count):
        plain = ir_values.of(function, flat[:, lane])
        assert found[:, lane] == pytest.approx(plain, rel=1e-12, abs=1e-13)
    return found


def equal(graph, inputs, kept, written):
    """Both forms as Functions of the inputs, and that they have the same values."""
    f, g = (hs.Function("f", inputs, {"y": np.ravel(y)}) for y in (kept, written))
    assert values(f) == pytest.approx(values(g), rel=1e-12, abs=1e-13)
    live = f.graph.live(f.output_refs)
    assert any(f.graph.nodes[i][0] == ops.BLOCK for i in live)
    return f


# -- call ------------------------------------------------------------------------------------------


def test_a_kept_call_is_the_call(graph):
    o, q = hs.symbols("o", 2, graph=graph), hs.symbols("q", 2, graph=graph)
    s, body = hs.symbol("s", graph=graph), spring()
    kept, written = hs.call(body, o, -q, s * s), body(o, -q, s * s)
    assert kept._fields == ("force", "energy") and kept.force.shape == (2,)
    equal(graph, {"o": o, "q": q, "s": s}, kept.force, written.force)
    f = equal(graph, {"o": o, "q": q, "s": s}, [kept.energy], [written.energy])
    assert f.parameters == {"rest": 2.0} and graph.parameters[0].kind == "length"
    named = hs.call(body, o, k=s * s, b=-q)
    assert all(map(hs.same, kept.force, named.force))
    assert len(graph.blocks) == 1


def test_a_call_with_numbers_stays_a_call():
    body = spring()
    here = current_graph()
    result = hs.call(body, [0.0, 0.0], [3.0, 4.0], 1.0)
    f = hs.Function("f", {}, {"y": result.force})
    assert result.energy.graph is here and f.n_in == 1
    assert values(f)[:, 0] == pytest.approx([1.8, 2.4], rel=2e-3)


def test_mistakes_in_a_call_are_those_of_the_function(graph):
    with refused('"k" is missing'):
        hs.call(spring(), [0, 0], [1, 1])
    with refused('"a" has shape (3,), expected (2,)'):
        hs.call(spring(), [0, 0, 0], [1, 1], 1)


# -- map -------------------------------------------------------------------------------------------


def test_a_map_is_a_loop(graph):
    x, k = hs.symbols("x", 5, 2, graph=graph), hs.symbols("k", 3, graph=graph)
    i, j, body = [0, 1, 4], [2, 0, 4], spring()
    kept = hs.map(body, x[i], x[j], k)
    written = [body(x[a], x[b], k[n]) for n, (a, b) in enumerate(zip(i, j, strict=True))]
    assert kept.force.shape == (3, 2) and kept.energy.shape == (3,)
    equal(graph, {"x": x, "k": k}, kept.force, [w.force for w in written])
    equal(graph, {"x": x, "k": k}, kept.energy, [w.energy for w in written])
    assert graph.blocks[0].count == 3 and graph.blocks[0].n_out == 9


def test_arguments_of_the_inputs_shape_are_shared(graph):
    x, k = hs.symbols("x", 3, 2, graph=graph), hs.symbol("k", graph=graph)
    body = spring()
    kept = hs.map(body, x, [1.0, 2.0], k * 2)
    equal(graph, {"x": x, "k": k}, kept.force, [body(row, [1.0, 2.0], k * 2).force for row in x])
    # each scalar is an operand once: 6 coordinates, 2 numbers, k and the parameter
    assert graph.blocks[0].n_in == 10 and graph.blocks[0].gather.shape == (3, 6)
    kept = hs.map(body, x[0], x, 1.0)
    equal(graph, {"x": x, "k": k}, kept.energy, [body(x[0], row, 1.0).energy for row in x])


def test_results_are_added_into_rows(graph):
    x = hs.symbols("x", 4, 2, graph=graph)
    i, j, body = np.array([0, 1, 2, 0, 3]), np.array([1, 2, 3, 2, 0]), spring()
    kept = hs.map(body, x[i], x[j], 3.0, add_into={"force": (i, 4)})
    total = np.zeros((4, 2), dtype=object)
    for a, b in zip(i, j, strict=True):
        total[a] = total[a] + body(x[a], x[b], 3.0).force
    assert kept.force.shape == (4, 2) and kept.energy.shape == (5,)
    equal(graph, {"x": x}, kept.force, total)
    equal(graph, {"x": x}, kept.energy, [body(x[a], x[b], 3.0).energy for a, b in zip(i, j, strict=True)])
    both = hs.map(body, x[i], x[j], 3.0, add_into={"energy": ([1] * 5, 2), "force": (j, 6)})
    assert both.force.shape == (6, 2) and both.energy.shape == (2,)
    f = equal(
        graph,
        {"x": x},
        both.energy,
        [0.0, sum(body(x[a], x[b], 3.0).energy for a, b in zip(i, j, strict=True))],
    )
    assert f.cost().add > 0
    rows = equal(graph, {"x": x}, both.force[4:], np.zeros((2, 2)))
    assert values(rows) == pytest.approx(np.zeros((4, 3)))


def test_one_output_comes_alone_and_scalars_map_too(graph):
    u = hs.symbol("u", graph=graph)
    square = hs.Function("square", {"u": u}, {"v": u * u})
    x = hs.symbols("x", 3, graph=graph)
    kept = hs.map(square, x)
    assert kept.shape == (3,)
    equal(graph, {"x": x}, kept, x * x)
    summed = hs.map(square, x, add_into={"v": ([0, 0, 0], 1)})
    equal(graph, {"x": x}, summed, [x @ x])
    assert hs.map(square, [1.0, 2.0]).shape == (2,)
    with refused("map of 'square' takes 1 arguments, got 2"):
        hs.map(square, x, x)


def test_every_mistake_in_a_map_is_named(graph, monkeypatch):
    x, body = hs.symbols("x", 4, 2, graph=graph), spring()
    with refused("map of 'spring' takes 3 arguments, got 2"):
        hs.map(body, x, x)
    for wrong in (x[0][:1], x[:, :1], np.ones((2, 4, 2)), 3.0):
        with refused("of a map has shape"):
            hs.map(body, x, wrong, 1.0)
    with refused('"b" of a map has shape (4, 1), expected (2,) (the same for all) or one more lead'):
        hs.map(body, x, x[:, :1], 1.0)
    with refused("the mapped arguments have leading dimensions [3, 4]: one and the same is needed"):
        hs.map(body, x, x[:3], 1.0)
    with refused("nothing is mapped: at least one argument needs one more leading dimension"):
        hs.map(body, x[0], x[1], 1.0)
    with refused("a map takes 1 to 10,000,000 indices, not 0"):
        hs.map(body, x[:0], x[:0], 1.0)
    for rows in ([0, 1, 2], [0, 1, 2, 4], [-1, 0, 1, 2], [[0, 1, 2, 3]], [0.5, 1, 2, 3]):
        with refused('add_into of "force": needs 4 row numbers from 0 to 3'):
            hs.map(body, x, x, 1.0, add_into={"force": (rows, 4)})
    for wrong in ([0, 1, 2, 3], (1, 2, 3), 4):
        with refused('add_into of "force" is a pair: (row numbers, number of rows)'):
            hs.map(body, x, x, 1.0, add_into={"force": wrong})
    with refused('has no output "forces" (did you mean "force"?)'):
        hs.map(body, x, x, 1.0, add_into={"forces": ([0] * 4, 1)})
    monkeypatch.setattr(blocks, "COUNT_LIMIT", 4)
    assert hs.map(body, x, x, 1.0).force.shape == (4, 2)
    monkeypatch.setattr(blocks, "COUNT_LIMIT", 3)
    with refused("a map takes 1 to 3 indices, not 4"):
        hs.map(body, x, x, 1.0)
    assert hs.map(body, x[:1], x[:1], 1.0).force.shape == (1, 2)


# -- repeat ----------------------------------------------------------------------------------------


def test_a_repeat_is_a_loop(graph):
    g = Graph()
    s, w, d = hs.symbols("s", 2, graph=g), hs.symbol("w", graph=g), hs.parameter("d", 0.1, graph=g)
    step = hs.Function("step", {"s": s, "w": w}, {"s": [s[0] + d * s[1], s[1] - d * w * s[0]]})
    x, w = hs.symbols("x", 2, graph=graph), hs.symbol("w", graph=graph)
    written = x
    for _ in range(5):
        written = step(written, w)
    kept = hs.repeat(step, x, w, times=5)
    f = equal(graph, {"x": x, "w": w}, kept, written)
    assert kept.shape == (2,) and f.parameters == {"d": 0.1}
    assert not graph.blocks[0].stops_early and graph.blocks[0].times == 5
    once = hs.repeat(step, x, w, times=1)
    equal(graph, {"x": x, "w": w}, once, step(x, w))


def test_each_lane_stops_when_it_is_done(graph):
    c, body = hs.symbol("c", graph=graph), newton()
    root = hs.repeat(body, c, c, times=30)
    f = hs.Function("root", {"c": c}, {"r": root})
    assert graph.blocks[0].stops_early
    many = np.array([[1.0, 4.0, 1e6, 2.0, 1e-6]])
    found = python.evaluate(f, many)[0]
    for value, lane in zip(many[0], found, strict=True):
        # the state that came with the condition is kept, and nothing after it
        x = value
        for _ in range(30):
            new = (x + value / x) / 2
            done, x = abs(new - x) < 1e-3, new
            if done:
                break
        assert lane == pytest.approx(x, rel=1e-15)
        assert lane == pytest.approx(np.sqrt(value), rel=1e-2 if value > 1e-3 else 1.0)
        assert ir_values.of(f, [value]) == pytest.approx([x], rel=1e-15)


def test_the_bound_on_repetitions_holds(graph):
    c = hs.symbol("c", graph=graph)
    f = hs.Function("root", {"c": c}, {"r": hs.repeat(newton(), c, c, times=2)})
    assert ir_values.of(f, [1e6]) == pytest.approx([(500000.5 + 1e6 / 500000.5) / 2], rel=1e-12)
    assert values(f).shape == (1, 3)


def test_every_mistake_in_a_repeat_is_named(monkeypatch):
    x = hs.symbol("x")
    body = newton()
    with refused("repeat of 'f': its state comes in with shape () and goes out with (2,): they must"):
        hs.repeat(hs.Function("f", {"x": x}, {"y": [x, x]}), x, times=2)
    for outputs in ({"y": x, "a": x, "b": x}, {"y": x, "a": [x]}):
        with refused("repeat of 'f': besides the state it may return one scalar, the condition"):
            hs.repeat(hs.Function("f", {"x": x}, outputs), x, times=2)
    for times in (0, -1, 10_000_001, 2.5, float("nan")):
        with refused(f"repeat takes 1 to 10,000,000 times, not {times}"):
            hs.repeat(body, x, x, times=times)
    with refused("repeat of 'c': it has no input for the state"):
        hs.repeat(hs.Function("c", {}, {"y": 1.0}), 1.0, times=2)
    with refused('"c" is missing'):
        hs.repeat(body, x, times=2)
    monkeypatch.setattr(blocks, "COUNT_LIMIT", 5)
    hs.repeat(body, x, x, times=5)
    with refused("repeat takes 1 to 5 times, not 6"):
        hs.repeat(body, x, x, times=6)


# -- blocks inside blocks, parameters, digests -----------------------------------------------------


def test_blocks_nest(graph):
    inner = newton()
    g = Graph()
    a = hs.symbol("a", graph=g)
    root = hs.Function("root", {"a": a}, {"r": hs.repeat(inner, a, a, times=20)})
    x = hs.symbols("x", 3, graph=graph)
    f = hs.Function("f", {"x": x}, {"y": hs.map(root, x) * 2.0})
    flat = np.array([4.0, 9.0, 2.0])
    assert python.evaluate(f, flat) == pytest.approx(2 * np.sqrt(flat), rel=1e-5)
    assert f.cost().div == 3 * 20


def test_a_parameter_inside_is_the_callers_parameter(graph):
    x = hs.symbols("x", 2, 2, graph=graph)
    hs.parameter("other", 1.0, graph=graph)
    force = hs.call(spring(), x[0], x[1], 1.0).force
    f = hs.Function("f", {"x": x}, {"y": force})
    assert f.parameters == {"rest": 2.0} and f.n_in == 5
    stiff, soft = (ir_values.of(f, [0, 0, 3, 4, rest]) for rest in (0.0, 4.0))
    assert np.array(stiff) == pytest.approx(5 * np.array(soft), rel=1e-2)
    two = force + hs.call(spring(1.5), x[0], x[1], 1.0).force
    with refused('has two parameters called "rest", with values 2.0 and 1.5'):
        hs.Function("f", {"x": x}, {"y": two})


def test_digests_tell_blocks_apart():
    body, other = spring(), newton()
    gather, scatter = np.arange(12).reshape(2, 6), np.arange(6).reshape(2, 3)
    made = [
        Call(body),
        Call(other),
        Repeat(other, 3, 1),
        Repeat(other, 4, 1),
        Repeat(other, 3, 2),
        Map(body, gather, scatter, 12, 6),
        Map(body, gather, scatter, 13, 6),
        Map(body, gather, scatter, 12, 7),
        Map(body, gather[::-1], scatter, 12, 6),
        Map(body, gather, scatter[::-1], 12, 6),
        Map(other, gather, scatter, 12, 6),
    ]
    assert len({block.digest for block in made}) == len(made)
    assert Call(spring(9.0)).digest == made[0].digest and len(made[0].digest) == 32
    again = Map(spring(), gather.tolist(), scatter.copy(), 12, 6)
    assert again.digest == made[5].digest and again.gather.dtype == np.int64
    assert again.count == 2 and again.cost() == body.cost() * 2
    into_one = Map(body, gather, scatter * 0, 12, 1)
    assert into_one.cost() == body.cost() * 2 + Cost(add=5)


def test_sizes_of_blocks():
    body = spring()
    assert (Call(body).n_in, Call(body).n_out) == (6, 3)
    assert (Repeat(newton(), 3, 1).n_in, Repeat(newton(), 3, 1).n_out) == (2, 1)
    assert Repeat(newton(), 3, 1).cost() == newton().cost() * 3
