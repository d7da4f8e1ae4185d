"""Forward, reverse, dense, sparse, along a direction: one derivative."""

import math

import ir_values
import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from test_function import refused

import hapsis as hs
from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.ir.derivatives import jacobian as module
from hapsis.compiler.ir.derivatives.jacobian import adjoints, tangents
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.graph.ops import ONE, ZERO

TIGHT = 1e-12  # pure algebra
FAIR = 1e-9  # against another way to differentiate


def at(function, *flat):
    return np.array(ir_values.of(function, flat))


def close(found, expected, tolerance):
    scale = 1.0 + np.abs(expected).max(initial=0.0)
    assert np.abs(np.asarray(found) - expected).max(initial=0.0) <= tolerance * scale


@settings(max_examples=14, deadline=None)
@given(strategies.functions(max_nodes=12))
def test_all_derivatives_of_random_functions_agree(f):
    point = [float(x) for x in strategies.inputs_for(f, seed=3, batch=1)[:, 0]]
    stored = list(f.parameters.values())
    n = f.n_in - len(stored)
    expected = ir_values.slopes(f, point, n)
    graph, refs = f.graph, f.output_refs
    wrt = [ref >> 2 for port in f.inputs for ref in port.refs]
    leaves = {ref >> 2: x for ref, x in zip(f.input_refs, point, strict=True)}

    forward = tangents(graph, refs, {index: k for k, index in enumerate(wrt)})
    lines = [[line.get(k, ZERO) for k in range(n)] for line in forward]
    assert not any(ref == ZERO for line in forward for ref in line.values())
    reverse = [adjoints(graph, {ref: ONE}, wrt) if not ref & 2 else [ZERO] * n for ref in refs]
    dense = np.array([ir_values.at(graph, line, leaves) for line in lines])
    close(dense, expected, FAIR)
    close([ir_values.at(graph, line, leaves) for line in reverse], dense, TIGHT)

    along, dice = f.jvp(), np.random.default_rng(1)
    direction = dice.normal(size=n)
    flat = [*point[:n], *direction, *stored]
    close(at(along, *matched(along, flat, f, 2 * n)), dense @ direction, TIGHT)
    back = f.vjp()
    weight = dice.normal(size=f.n_out)
    flat = [*point[:n], *weight, *stored]
    close(at(back, *matched(back, flat, f, n + f.n_out)), weight @ dense, TIGHT)


def matched(derived, flat, f, n):
    """The flat inputs with only those parameters the derivative still needs."""
    values = dict(zip(f.parameters, flat[n:], strict=True))
    return [*flat[:n], *(values[name] for name in derived.parameters)]


@settings(max_examples=8, deadline=None)
@given(strategies.functions(max_nodes=10, blocks=False))
def test_dense_and_sparse_jacobians_agree_with_differences(f):
    point = [float(x) for x in strategies.inputs_for(f, seed=4, batch=1)[:, 0]]
    full = ir_values.slopes(f, point)
    start = 0
    for output in f.outputs:
        column = 0
        for port in f.inputs:
            rows = slice(start, start + len(output.refs))
            part = full[rows, column : column + len(port.refs)]
            column += len(port.refs)
            dense = f.jacobian(output.name, port.name)
            assert dense.outputs[0].shape == output.shape + port.shape
            assert dense.outputs[0].name == f"d_{output.name}_d_{port.name}"
            assert [p.name for p in dense.inputs] == [p.name for p in f.inputs]
            values = at(dense, *matched(dense, point, f, f.n_in - len(f.parameters)))
            close(values.reshape(part.shape), part, FAIR)
            sparse = f.sparse_jacobian(output.name, port.name)
            filled = np.zeros(sparse.shape)
            flat = matched(sparse.function, point, f, f.n_in - len(f.parameters))
            filled[sparse.rows, sparse.columns] = at(sparse.function, *flat)
            close(filled, part, FAIR)
        start += len(output.refs)


@pytest.fixture
def chain():
    """Each output depends on two neighbours."""
    x = hs.symbols("x", 4, graph=Graph())
    return hs.Function("chain", {"x": x}, {"y": [hs.sin(x[k]) * x[k + 1] for k in range(3)]})


def test_sparse_patterns_are_exact(chain):
    sparse = chain.sparse_jacobian("y", "x")
    assert list(sparse.rows) == [0, 0, 1, 1, 2, 2] and list(sparse.columns) == [0, 1, 1, 2, 2, 3]
    assert sparse.shape == (3, 4) and sparse.function.outputs[0].shape == (6,)
    with pytest.raises(AttributeError):
        sparse.shape = (1, 1)
    assert sparse.rows.dtype.kind == "i" and sparse.function.name == "chain.jacobian"
    x = np.array([0.1, 0.2, 0.3, 0.4])
    expected = np.stack([np.cos(x[:3]) * x[1:], np.sin(x[:3])], axis=1).ravel()
    assert at(sparse.function, *x) == pytest.approx(expected, rel=1e-15)


def test_sparse_columns_are_sorted_whatever_the_sweep(monkeypatch):
    x = hs.symbols("x", 3, graph=Graph())
    f = hs.Function("f", {"x": x}, {"y": [x[2] * hs.exp(x[0]), x[1], 5.0, x[2] + x[1] * x[0]]})
    for budget in (0, 10**9):
        monkeypatch.setattr(module, "REVERSE_BUDGET", budget)
        sparse = f.sparse_jacobian("y", "x")
        assert list(zip(sparse.rows, sparse.columns, strict=True)) == [
            (0, 0),
            (0, 2),
            (1, 1),
            (3, 0),
            (3, 1),
            (3, 2),
        ]
        e = math.exp(0.5)
        assert at(sparse.function, 0.5, 2.0, 3.0) == pytest.approx([3 * e, e, 1, 2, 0.5, 1])


def test_structural_zeros_stay_out():
    x, y = hs.symbols("x", 2, graph=Graph())
    f = hs.Function(
        "f", {"x": x, "y": y}, {"z": [hs.floor(x) + hs.sign(y), hs.where(x < y, 1.0, 2.0), x - x]}
    )
    assert f.sparse_jacobian("z", "x").rows.size == 0
    assert list(at(f.jacobian("z", "y"), 0.3, 0.4)) == [0, 0, 0]
    g = hs.Function("g", {"x": x, "y": y}, {"z": hs.sin(x) + (x * 2 - hs.sin(x)) + y})
    assert float(g.jacobian("z", "x")(0.0, 0.0)) == 2.0


def test_the_cheaper_sweep_is_taken(monkeypatch):
    x = hs.symbols("x", 30, graph=Graph())
    product = x[0]
    for k in range(1, 30):
        product = product * hs.sin(x[k])
    one = hs.Function("one", {"x": x}, {"y": product})
    reverse = one.jacobian("y", "x").cost()
    monkeypatch.setattr(module, "REVERSE_BUDGET", 0)
    forward = one.jacobian("y", "x").cost()
    assert reverse.mul < forward.mul / 4
    t = hs.symbol("t", graph=Graph())
    many = [t]
    for k in range(20):
        many.append(hs.sin(many[-1] * (k + 2.0)))
    f = hs.Function("many", {"t": t}, {"y": many})
    forward = f.jacobian("y", "t").cost()
    monkeypatch.setattr(module, "REVERSE_BUDGET", 10**9)
    assert f.jacobian("y", "t").cost() == forward
    close(at(f.jacobian("y", "t"), 0.3), ir_values.slopes(f, [0.3])[:, 0], TIGHT)


def test_the_budget_counts_outputs_times_nodes(monkeypatch, chain):
    swept = []
    monkeypatch.setattr(module, "adjoints", lambda *a: swept.append(1) or adjoints(*a))
    product = len(chain.outputs[0].refs) * len(chain.live)
    monkeypatch.setattr(module, "REVERSE_BUDGET", product - 1)
    chain.jacobian("y", "x")
    assert not swept
    monkeypatch.setattr(module, "REVERSE_BUDGET", product)
    chain.jacobian("y", "x")
    assert len(swept) == 3


def test_second_derivatives_of_an_energy():
    x = hs.symbols("x", 3, graph=Graph())
    f = hs.Function("f", {"x": x}, {"e": hs.exp(x[0] * x[1]) + hs.cos(x[2]) * x[0] ** 3})
    gradient = f.jacobian("e", "x")
    assert gradient.outputs[0].shape == (3,)
    hessian = gradient.jacobian("d_e_d_x", "x")
    a, b, c = point = (0.3, -0.7, 1.1)
    e = math.exp(a * b)
    mixed = e * (1 + a * b)
    cross = -3 * a * a * math.sin(c)
    expected = [
        [b * b * e + 6 * a * math.cos(c), mixed, cross],
        [mixed, a * a * e, 0.0],
        [cross, 0.0, -math.cos(c) * a**3],
    ]
    assert at(hessian, *point).reshape(3, 3) == pytest.approx(np.array(expected), rel=1e-13)


def test_a_derivative_by_one_input_leaves_the_others_alone():
    x, y = hs.symbols("x", 2, graph=Graph())
    f = hs.Function("f", {"x": x, "y": y}, {"z": x * x * y, "v": [x, -y]})
    along = f.jvp("y")
    assert [p.name for p in along.inputs] == ["x", "y", "d_y"] and along.name == "f.jvp"
    assert [(p.name, p.shape) for p in along.outputs] == [("d_z", ()), ("d_v", (2,))]
    assert list(at(along, 3.0, 5.0, 2.0)) == [18.0, 0.0, -2.0]
    back = f.vjp("x")
    assert [p.name for p in back.inputs] == ["x", "y", "w_z", "w_v"] and back.name == "f.vjp"
    assert [(p.name, p.shape) for p in back.outputs] == [("w_x", ())]
    assert list(at(back, 3.0, 5.0, 1.0, 10.0, 100.0)) == [40.0]
    assert list(at(f.vjp("y"), 3.0, 5.0, 1.0, 10.0, 100.0)) == [9.0 - 100.0]
    assert list(at(f.vjp("y", "x"), 3.0, 5.0, 1.0, 10.0, 100.0)) == [-91.0, 40.0]
    with refused('has no input "w"'):
        f.jvp("w")


def test_an_output_and_its_negative_share_their_weights():
    x = hs.symbol("x", graph=Graph())
    s = hs.sin(x)
    f = hs.Function("f", {"x": x}, {"a": s, "b": -s, "c": s, "d": 3.0})
    assert at(f.vjp(), 0.5, 1.0, 10.0, 100.0, 7.0) == pytest.approx([91 * math.cos(0.5)])


def test_names_that_are_taken_get_one_more_prefix():
    x, y = hs.symbols("x", 2, graph=Graph())
    f = hs.Function("f", {"x": x, "d_x": y}, {"z": x * y})
    assert [p.name for p in f.jvp().inputs] == ["x", "d_x", "d_d_x", "d_d_d_x"]
    assert list(at(f.jvp(), 2.0, 3.0, 10.0, 100.0)) == [230.0]
    f = hs.Function("f", {"x": x, "w_z": y}, {"z": x * y})
    assert [p.name for p in f.vjp().inputs] == ["x", "w_z", "w_w_z"]
    assert list(at(f.vjp(), 2.0, 3.0, 10.0)) == [30.0, 20.0]
    # a symbol of the name a rate would get, under another input's name
    taken = hs.symbol("d_x[0]", graph=x.graph)
    f = hs.Function("f", {"x": x, "v": taken}, {"z": x * taken})
    assert list(at(f.jvp("x"), 2.0, 3.0, 10.0)) == [30.0]


def test_derivatives_along_two_directions():
    x = hs.symbols("x", 2, graph=Graph())
    f = hs.Function("f", {"x": x}, {"y": hs.sin(x[0]) * x[1] ** 3})
    twice = f.jvp("x").jvp("x")
    assert [p.name for p in twice.inputs] == ["x", "d_x", "d_d_x"]
    a, b, u = (0.4, 1.3), (0.7, -0.2), (1.1, 0.6)
    hessian = np.array(
        [
            [-math.sin(a[0]) * a[1] ** 3, 3 * math.cos(a[0]) * a[1] ** 2],
            [3 * math.cos(a[0]) * a[1] ** 2, 6 * math.sin(a[0]) * a[1]],
        ]
    )
    assert at(twice, *a, *b, *u) == pytest.approx([np.array(b) @ hessian @ np.array(u)])
    mixed = f.vjp("x").jvp("x")
    assert at(mixed, *a, 1.0, *u) == pytest.approx(hessian @ np.array(u))


def test_derivatives_by_parameters_stand_in_their_order():
    g = Graph()
    x = hs.symbols("x", 2, graph=g)
    a, b = hs.parameter("a", 2.0, graph=g), hs.parameter("b", 3.0, graph=g)
    f = hs.Function("f", {"x": x}, {"y": [a * a * x[0], b * x[1] + a]})
    by_all = f.jacobian("y", "p")
    assert by_all.outputs[0].shape == (2, 2) and by_all.outputs[0].name == "d_y_d_p"
    leaves = {r >> 2: v for r, v in zip(f.input_refs, (5.0, 7.0, 2.0, 3.0), strict=True)}
    assert ir_values.at(g, by_all.output_refs, leaves) == [20.0, 0.0, 1.0, 7.0]
    by_one = f.jacobian("y", "b")
    assert by_one.outputs[0].shape == (2,)
    assert ir_values.at(g, by_one.output_refs, leaves) == [0.0, 7.0]
    sparse = f.sparse_jacobian("y", "p")
    assert list(sparse.rows) == [0, 1, 1] and list(sparse.columns) == [0, 0, 1]
    # an input comes before a parameter of its name
    own = hs.Function("f", {"a": x}, {"y": a * x[0]})
    assert own.jacobian("y", "a").outputs[0].shape == (2,)
    with refused('has no input "p"'):
        hs.Function("f", {"x": x}, {"y": x[0]}).jacobian("y", "p")


def test_outputs_and_inputs_are_found_by_name():
    x = hs.symbol("x", graph=Graph())
    with refused('has no output "q"'):
        hs.Function("f", {"x": x}, {"z": x}).jacobian("q", "x")
    with refused('has no input "q"'):
        hs.Function("f", {"x": x}, {"z": x}).sparse_jacobian("z", "q")


# -- choices ---------------------------------------------------------------------------------------


def test_where_takes_the_slope_of_the_side_it_takes():
    x = hs.symbol("x", graph=Graph())
    f = hs.Function(
        "f",
        {"x": x},
        {
            "y": [
                hs.where(x > 1, x * x, 3 * x),
                hs.minimum(x, x * x),
                hs.maximum(2.0, x),
                abs(x),
                -hs.clip(x, 0.0, 1.0),
            ]
        },
    )
    for point in (-0.5, 0.5, 1.5, 2.5):
        expected = ir_values.slopes(f, [point])
        assert at(f.jacobian("y", "x"), point) == pytest.approx(expected[:, 0])
        assert at(f.jvp(), point, 2.0) == pytest.approx(2 * expected[:, 0])
        weights = [1.0, 10.0, 100.0, 1000.0, 1e4]
        assert at(f.vjp(), point, *weights) == pytest.approx(weights @ expected)


def leaking():
    """Functions of x whose other side has no finite slope for x <= 0."""
    x = hs.symbol("x", graph=Graph())
    g = Graph()
    u = hs.symbol("u", graph=g)
    root = hs.Function("root", {"u": u}, {"v": hs.sqrt(u) * u})
    down = hs.Function("down", {"u": u}, {"v": hs.log(u) + u * 0.5})
    pair = np.array([x, x + 1.0])
    mapped, safe = hs.map(root, pair), x > 0
    return {
        "root": hs.where(safe, hs.sqrt(x), 0.0),
        "product": hs.where(safe, hs.log(x) * x, 5.0),
        "shared": hs.where(safe, hs.sqrt(x), 0.0) + hs.where(safe, 2 * hs.sqrt(x), 0.0),
        "minus": -hs.where(x <= 0, 1.0, -hs.sqrt(x)),
        "chain": hs.where(safe, hs.sin(hs.exp(hs.log(x) * 2) / x), 0.0),
        "call": hs.where(safe, hs.call(root, x), 0.0),
        "map": hs.where(safe, mapped[0], 0.0) + mapped[1] * 0.0,
        "lanes": hs.where(safe, mapped[0], 0.0) + hs.where(x > -9, mapped[1], 0.0) * 1e-9,
        "repeat": hs.where(safe, hs.repeat(down, x, times=2), 0.0),
    }, x


@pytest.mark.parametrize("name", list(leaking()[0]))
@pytest.mark.parametrize("value", [0.0, -0.5])
def test_the_side_not_taken_leaks_nothing(name, value, monkeypatch):
    formulas, x = leaking()
    f = hs.Function("f", {"x": x}, {"y": formulas[name]})
    for budget in (0, 10**9):
        monkeypatch.setattr(module, "REVERSE_BUDGET", budget)
        found = at(f.jacobian("y", "x"), value)
        assert found == pytest.approx([0.0], abs=1e-8)
    assert at(f.jvp(), value, 1.0) == pytest.approx([0.0], abs=1e-8)
    assert at(f.vjp(), value, 1.0) == pytest.approx([0.0], abs=1e-8)
    assert at(f.vjp(), 4.5, 1.0) == pytest.approx(ir_values.slopes(f, [4.5])[:, 0], rel=1e-12)
    assert at(f.jvp(), 4.5, 1.0) == pytest.approx(ir_values.slopes(f, [4.5])[:, 0], rel=1e-12)


def test_weights_without_a_route_cost_no_choice():
    x = hs.symbol("x", graph=Graph())
    y = hs.sqrt(x) * hs.exp(x)
    smooth = hs.Function("f", {"x": x}, {"y": y + hs.where(x > 0, y * y, 0.0)})
    assert hs.Function("f", {"x": x}, {"y": y}).vjp().cost().logic == 0
    # the choice itself, its condition, and the two factors of y * y behind it
    assert smooth.vjp().cost().logic <= 4
    u = hs.symbol("u", graph=Graph())
    body = hs.Function("body", {"u": u}, {"v": [hs.sqrt(u) * u, u]})
    for kept in (
        hs.call(body, x)[0],
        hs.map(body, [x, x * x])[0, 0],
        hs.repeat(hs.Function("step", {"u": u}, {"v": hs.sqrt(u) * u}), x, times=2),
    ):
        certain = hs.Function("f", {"x": x}, {"y": kept})
        routed = hs.Function("f", {"x": x}, {"y": hs.where(x > 0, kept, 0.0)})
        assert certain.vjp().cost().logic == 0 < routed.vjp().cost().logic


def test_tanh_has_its_slope_everywhere():
    x = hs.symbol("x", graph=Graph())
    f = hs.Function("f", {"x": x}, {"y": hs.tanh(x)})
    for v in (0.0, -0.0, 1e-12, 0.4, -0.4, 3.0, 400.0, -400.0):
        for derived in (f.jacobian("y", "x"), f.substitute().jacobian("y", "x")):
            assert at(derived, v) == pytest.approx([1 - math.tanh(v) ** 2], abs=1e-15)


# -- the sweeps themselves -------------------------------------------------------------------------


def test_tangents_of_leaves_constants_and_negatives():
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    assert tangents(g, [x, negated(x), y, ONE], {x >> 2: 7}) == [{7: ONE}, {7: negated(ONE)}, {}, {}]
    assert tangents(g, [g.mul(x, y)], {x >> 2: 0, y >> 2: 1}) == [{0: y, 1: x}]
    square = g.mul(x, x)
    assert tangents(g, [square], {x >> 2: 0}) == [{0: g.mul(g.constant(2.0), x)}]


def test_adjoints_of_leaves_constants_and_negatives():
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    assert adjoints(g, {negated(x): ONE}, [x >> 2, y >> 2]) == [negated(ONE), ZERO]
    weight = g.constant(3.0)
    assert adjoints(g, {g.mul(x, y): weight, ONE: weight}, [x >> 2, y >> 2]) == [
        g.mul(weight, y),
        g.mul(weight, x),
    ]
    assert adjoints(g, {}, [x >> 2]) == [ZERO]


def test_an_inner_node_may_be_the_variable():
    g = Graph()
    x = g.symbol("x")
    s = g.node(ops.SIN, x)
    ref = g.mul(s, s)
    assert tangents(g, [ref], {s >> 2: 0}) == [{0: g.mul(g.constant(2.0), s)}]
    assert adjoints(g, {ref: ONE}, [s >> 2]) == [g.mul(g.constant(2.0), s)]
    # what is below it then has no part of its own
    assert tangents(g, [ref], {s >> 2: 0, x >> 2: 1}) == [{0: g.mul(g.constant(2.0), s)}]
    assert adjoints(g, {ref: ONE}, [s >> 2, x >> 2]) == [g.mul(g.constant(2.0), s), ZERO]


def test_derivatives_of_a_block_no_direction_reaches():
    graph = Graph()
    x, y = hs.symbols("x", 2, graph=graph)
    body = hs.Function("b", {"x": x}, {"v": [hs.exp(x), x * x]})
    v = hs.call(body, x)
    f = hs.Function("f", {"x": x, "y": y}, {"z": v[0] * y + y})
    blocks = len(graph.blocks)
    assert at(f.jacobian("z", "y"), 0.5, 2.0) == pytest.approx([math.exp(0.5) + 1])
    assert at(f.jvp("y"), 0.5, 2.0, 3.0) == pytest.approx([3 * math.exp(0.5) + 3])
    assert len(graph.blocks) <= blocks + 1  # only the reverse sweep tries one
    assert at(f.vjp("x"), 0.5, 2.0, 1.0) == pytest.approx([2 * math.exp(0.5)])


def test_batches_of_derivatives(chain):
    many = np.random.default_rng(0).normal(size=(4, 6))
    found = python.evaluate(chain.jacobian("y", "x"), many)
    for lane in range(6):
        close(found[:, lane].reshape(3, 4), ir_values.slopes(chain, many[:, lane]), TIGHT)


def test_derivatives_by_parameters():
    x, k, m = hs.symbols("x", 2), hs.parameter("k", 2.0), hs.parameter("m", 3.0)
    f = hs.Function("f", {"x": x}, {"y": k * x * m + m})
    at = np.array([1.5, -2.0])
    by_k = hs.compile(f.jacobian("y", "k"), "python")(at)
    by_all = hs.compile(f.jacobian("y", "p"), "python")(at)
    assert np.array_equal(by_k, at * 3.0) and by_all.shape == (2, 2)
    assert np.array_equal(by_all, np.stack([at * 3.0, at * 2.0 + 1.0], axis=1))
    with pytest.raises(hs.CompileError, match='no input "kk"'):
        f.jacobian("y", "kk")
