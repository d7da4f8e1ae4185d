"""The derivative of every operation and of every block, against the complex step."""

import ir_values
import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.ir.derivatives.derivative_rules import (
    PARTIALS,
    ROUTES,
    block_at,
    block_jvp,
    block_partials,
    block_vjp,
    flattened,
)
from hapsis.compiler.ir.functions.blocks import Call, Map, Repeat
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph

STEP = 1e-6  # of the central differences, which are then good to about 1e-9

POINTS = [(0.3, 0.7, 0.4), (0.9, 0.2, 0.1), (0.55, 1.4, 2.0), (-0.4, 0.8, 0.6), (-0.7, -0.9, -1.1)]
POSITIVE = {ops.SQRT, ops.LOG, ops.POW}


def points(op):
    return [p for p in POINTS if op not in POSITIVE or min(p) > 0]


def with_symbols(op):
    g = Graph()
    arity = 1 if op in ops.UNARY else 2 if op in ops.BINARY else 3
    operands = tuple(g.symbol(f"x{k}") for k in range(arity))
    return g, operands, g.node(op, *operands)


def differences(op, point):
    rows = []
    for k in range(len(point)):
        up, down = list(point), list(point)
        up[k] += STEP
        down[k] -= STEP
        rows.append((ir_values.REAL[op](*up) - ir_values.REAL[op](*down)) / (2 * STEP))
    return rows


def complex_step(op, point):
    h = 1e-30
    moved = [[complex(x, h if j == k else 0) for j, x in enumerate(point)] for k in range(len(point))]
    return [ir_values.COMPLEX[op](*m).imag / h for m in moved]


def test_every_operation_has_a_derivative_or_none():
    flat = {ops.LT, ops.LE, ops.EQ, ops.FLOOR, ops.SIGN, ops.LOOKUP}
    assert set(PARTIALS) | set(ROUTES) | flat == set(ops.COUNTED)
    assert not set(PARTIALS) & set(ROUTES)


@pytest.mark.parametrize("op", sorted(PARTIALS), ids=ops.NAMES.__getitem__)
def test_partials_against_complex_step_and_differences(op):
    g, operands, result = with_symbols(op)
    partials = PARTIALS[op](g, result, *operands)
    assert len(partials) == len(operands)
    for point in points(op):
        point = point[: len(operands)]
        leaves = {ref >> 2: x for ref, x in zip(operands, point, strict=True)}
        found = ir_values.at(g, partials, leaves)
        assert found == pytest.approx(complex_step(op, point), rel=1e-14, abs=1e-15)
        assert found == pytest.approx(differences(op, point), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("op", sorted(ROUTES), ids=ops.NAMES.__getitem__)
def test_routes_pass_the_operand_that_is_the_result(op):
    g, operands, result = with_symbols(op)
    condition, x, y = ROUTES[op](g, *operands)
    for point in [*POINTS, (0.0, 1.0, 2.0)]:
        leaves = {ref >> 2: v for ref, v in zip(operands, point, strict=False)}
        holds, first, second, value = ir_values.at(g, [condition, x, y, result], leaves)
        assert (first if holds else second) == value


def test_a_constant_exponent_needs_no_logarithm():
    g = Graph()
    x, c = g.symbol("x"), g.constant(0.3)
    partials = PARTIALS[ops.POW](g, g.node(ops.POW, x, c), x, c)
    assert partials[1] is None
    assert not any(node[0] == ops.LOG for node in g.nodes)


def test_slopes_of_arcs_keep_their_digits_near_one():
    g, (x,), r = with_symbols(ops.ASIN)
    near = 1 - 2.0**-40
    expected = 1 / np.sqrt(2.0**-40 * (2 - 2.0**-40))
    assert ir_values.at(g, PARTIALS[ops.ASIN](g, r, x), {x >> 2: near}) == [
        pytest.approx(expected, rel=1e-15)
    ]


# -- blocks ----------------------------------------------------------------------------------------


def body(outputs=2):
    """Three scalars and a parameter in; each result misses some of them."""
    g = Graph()
    x, y = hs.symbols("x", 2, graph=g), hs.symbol("y", graph=g)
    k = hs.parameter("k", 0.7, graph=g)
    out = [hs.sin(x[0] * y) + k * y, x[1] * x[1] * k, hs.exp(x[0] / 3) * x[1]]
    return hs.Function("body", {"x": x, "y": y}, {"z": out[:outputs]})


def step(stops):
    g = Graph()
    s, c = hs.symbols("s", 2, graph=g), hs.symbol("c", graph=g)
    new = [s[0] + 0.3 * hs.sin(s[1]) * c, s[1] * hs.cos(s[0]) + 0.1 * c]
    outputs = {"s": new, "done": new[0] > 1.0} if stops else {"s": new}
    return hs.Function("step", {"s": s, "c": c}, outputs)


GATHER, SCATTER = (np.array([[0, 1, 2, 5], [2, 3, 4, 5], [0, 3, 1, 5]]), np.array([[0, 1], [2, 1], [0, 3]]))
BLOCKS = {
    "call": (Call(body(3)), 4),
    "map": (Map(body(), GATHER, SCATTER, 6, 4), 6),
    "repeat": (Repeat(step(False), 4, 2), 3),
    "loop": (Repeat(step(True), 9, 2), 3),
}


@pytest.fixture(params=BLOCKS)
def called(request):
    """A graph with one block on symbols, its operands, and what it is as a Function."""
    block, n = BLOCKS[request.param]
    g = Graph()
    operands = tuple(g.symbol(f"u{k}") for k in range(n))
    refs = g.block(block, operands)
    f = Function.of("f", g, [Port("u", (n,), operands)], [Port("v", (len(refs),), tuple(refs))])
    point = np.random.default_rng(5).uniform(0.2, 0.9, n)
    return g, block, operands, f, point


def values(g, refs, operands, point):
    leaves = {ref >> 2: x for ref, x in zip(operands, point, strict=True)}
    return np.array(ir_values.at(g, refs, leaves))


def test_partials_of_blocks(called):
    g, block, operands, f, point = called
    found = block_partials(g, block, operands)
    assert len(found) == block.n_out == f.n_out
    dense = np.zeros((f.n_out, f.n_in))
    for row, line in enumerate(found):
        assert all(0 <= j < len(operands) for j in line)
        dense[row, list(line)] = values(g, list(line.values()), operands, point)
    assert dense == pytest.approx(ir_values.slopes(f, point), rel=1e-12, abs=1e-14)
    assert np.count_nonzero(dense) > 4


def test_partials_of_calls_and_maps_are_only_the_non_zeros():
    g = Graph()
    u = tuple(g.symbol(f"u{k}") for k in range(6))
    call = block_partials(g, BLOCKS["call"][0], u[:4])
    assert [sorted(line) for line in call] == [[0, 2, 3], [1, 3], [0, 1]]
    found = block_partials(g, BLOCKS["map"][0], u)
    assert [sorted(line) for line in found] == [[0, 1, 2, 5], [1, 3, 5], [2, 4, 5], [3, 5]]
    constant = Function.of("c", *flat_graph([ops.ONE]))
    assert block_partials(g, Call(constant), u[:1]) == [{}]


def flat_graph(refs):
    g = Graph()
    return g, [Port("x", (1,), (g.symbol("x"),))], [Port("y", (len(refs),), tuple(refs))]


def test_rates_of_blocks(called):
    g, block, operands, f, point = called
    rates = [g.symbol(f"du{k}") for k in range(len(operands))]
    refs = block_jvp(g, block, operands, rates)
    direction = np.random.default_rng(6).normal(size=len(operands))
    found = values(g, refs, (*operands, *rates), (*point, *direction))
    assert found == pytest.approx(ir_values.slopes(f, point) @ direction, rel=1e-12, abs=1e-14)
    assert sum(node[0] == ops.BLOCK for node in g.nodes) == 2  # one block more, nothing else
    assert g.blocks[1].n_in <= 2 * block.n_in


@pytest.mark.parametrize("routed", [False, True])
def test_adjoints_of_blocks(called, routed):
    g, block, operands, f, point = called
    weights = [g.symbol(f"w{k}") for k in range(f.n_out)]
    refs = block_vjp(g, block, operands, weights, routed)
    chosen = np.random.default_rng(7).normal(size=f.n_out)
    for weight in (chosen, chosen * 0):
        found = values(g, refs, (*operands, *weights), (*point, *weight))
        expected = weight @ ir_values.slopes(f, point)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-14)


def test_derived_blocks_are_well_formed(called):
    g, block, operands, f, _ = called
    rates = [g.symbol(f"du{k}") for k in range(len(operands))]
    weights = [g.symbol(f"w{k}") for k in range(f.n_out)]
    block_partials(g, block, operands)
    block_jvp(g, block, operands, rates)
    block_vjp(g, block, operands, weights)
    for op, *rest in g.nodes:
        if op == ops.OUT:
            assert rest[0] < g.blocks[g.nodes[rest[1] >> 2][1]].n_out
        if op != ops.BLOCK:
            continue
        made = g.blocks[rest[0]]
        assert made.n_in == len(rest) - 1
        if isinstance(made, Map):
            assert made.gather.shape == (made.count, made.body.n_in)
            assert made.scatter.shape == (made.count, made.body.n_out)
            assert made.gather.max() < made.n_in and made.scatter.max() < made.n_out
        elif isinstance(made, Repeat):
            assert made.times == block.times and made.stops_early == block.stops_early
            assert made.body.n_out in (made.n_out, made.n_out + 1)


def test_a_loop_that_stops_early_has_the_slope_of_the_steps_it_made():
    block = BLOCKS["loop"][0]
    g = Graph()
    u = tuple(g.symbol(f"u{k}") for k in range(3))
    f = Function.of("f", g, [Port("u", (3,), u)], [Port("v", (2,), tuple(g.block(block, u)))])
    for start in ([0.99, 0.5, 0.8], [0.2, 0.4, 0.3], [-3.0, 0.1, 0.2]):
        found = block_partials(g, block, u)
        dense = np.array([values(g, [line[j] for j in range(3)], u, start) for line in found])
        assert dense == pytest.approx(ir_values.slopes(f, start), rel=1e-12, abs=1e-14)


def test_flattened_bodies_have_one_input_and_one_output():
    function = body(3)
    flat = flattened(function)
    assert [p.shape for p in flat.inputs] == [(4,)] and [p.shape for p in flat.outputs] == [(3,)]
    assert flat.parameters == {} and flat.graph is not function.graph
    at = [0.3, 0.5, 0.9, 0.2]
    assert ir_values.of(flat, at) == ir_values.of(function, at)


def test_the_block_of_a_node(called):
    g, block, operands, f, _ = called
    index = next(i for i in f.live if g.nodes[i][0] == ops.BLOCK)
    assert block_at(g, index) == (block, operands)
