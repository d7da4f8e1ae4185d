"""Maps with a mask: the body counts for the indices that are wanted, and only for them."""

import ir_values
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_function import refused

import hapsis as hs
from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.ir.functions.blocks import Map
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import prepared

N = 6


def push(root=True):
    """A force that is no number where the depth is negative, and its energy; one parameter."""
    graph = Graph()
    d, v = hs.symbol("d", graph=graph), hs.symbols("v", 2, graph=graph)
    k = hs.parameter("k", 2.0, graph=graph)
    depth = hs.sqrt(d) if root else d * d
    force = hs.exp(k) * depth * (1.0 + hs.sin(v[0])) * v
    return hs.Function("push", {"d": d, "v": v}, {"force": force, "energy": depth * d})


def world(mask, rows=None, body=None, chosen=range(N)):
    """A Function of depths d, velocities v and conditions m; `mask` says what is wanted of them."""
    graph = Graph()
    d, v = hs.symbols("d", N, graph=graph), hs.symbols("v", N, 2, graph=graph)
    m = hs.symbols("m", N, graph=graph)
    at = list(chosen)
    into = None if rows is None else {"force": (np.asarray(rows)[at], N)}
    when = mask(d, m)
    when = None if when is None else np.asarray(when, dtype=object)[at]
    made = hs.map(body or push(), d[at], v[at], add_into=into, when=when)
    return hs.Function("world", {"d": d, "v": v, "m": m}, {"f": made.force, "e": made.energy})


def run(function, flat):
    return python.evaluate(prepared(function), flat)


def states(function, seed=0, count=4, low=0.1):
    flat = np.random.default_rng(seed).uniform(low, 1.0, (function.n_in, count))
    flat[-1] = 2.0
    return flat


def same_bits(x, y):
    return np.array_equal(np.asarray(x).view(np.int64), np.asarray(y).view(np.int64))


ROWS = st.lists(st.integers(0, N - 1), min_size=N, max_size=N)
CHOSEN = st.lists(st.booleans(), min_size=N, max_size=N)


@given(CHOSEN, ROWS)
def test_a_mask_chooses_the_terms_of_the_sum(chosen, rows):
    masked, body = world(lambda d, m: m, rows), push()
    flat = states(masked)
    flat[3 * N : 4 * N] = np.array(chosen, float)[:, None]
    found = run(masked, flat)[: 2 * N].reshape(N, 2, -1)
    total = np.zeros_like(found)
    for i in np.flatnonzero(chosen):
        operands = np.concatenate([flat[[i, N + 2 * i, N + 2 * i + 1]], flat[-1:]])
        total[rows[i]] += run(body, operands)[:2]
    assert same_bits(found, total)
    for lane in range(flat.shape[1]):
        plain = ir_values.of(masked, flat[:, lane])
        assert run(masked, flat)[:, lane] == pytest.approx(plain, rel=1e-12)


@given(ROWS)
def test_a_mask_of_ones_is_none_and_a_mask_of_zeros_is_zero(rows):
    plain, masked = world(lambda d, m: None, rows), world(lambda d, m: m, rows)
    flat = states(plain)
    for value in (1.0, -3.0, 1e-300, np.nan):
        flat[3 * N : 4 * N] = value
        assert same_bits(run(masked, flat), run(plain, flat))
    for value in (0.0, -0.0):
        flat[3 * N : 4 * N] = value
        assert same_bits(run(masked, flat), np.zeros((3 * N, 4)))


def test_a_mask_of_numbers_is_decided_at_once():
    rows = [0, 1, 1, 3, 3, 0]
    plain = world(lambda d, m: None, rows)
    assert world(lambda d, m: [1, True, 2.0, -1, 0.5, 7], rows).digest == plain.digest
    nothing = world(lambda d, m: np.zeros(N), rows)
    assert nothing.output_refs == [ops.ZERO] * 18
    some = world(lambda d, m: [1, 0, 1, 1, 0, 0], rows)
    block = some.graph.blocks[0]
    assert block.count == 3 and block.mask is None
    mixed = world(lambda d, m: [1, 0, m[2], -m[2], 0, 0], rows)
    block = mixed.graph.blocks[0]
    # the sign of a condition says nothing: one operand for both
    assert block.count == 3 and block.mask.shape == (3,) and block.mask[1] == block.mask[2]


def test_what_is_masked_out_does_not_leak():
    masked = world(lambda d, m: [x > 0 for x in d], [0, 0, 1, 1, 2, 2])
    flat = states(masked)
    flat[[1, 4]] = [[-1.0], [np.nan]]
    found = run(masked, flat)
    assert np.isfinite(found).all()
    assert (found[2 * N + 1] == 0).all() and (found[2 * N + 4] == 0).all()
    for made in (masked.jvp(), masked.vjp(), masked.jacobian("f", "d")):
        more = np.concatenate([flat[:-1], np.ones((made.n_in - len(flat), 4)), flat[-1:]])
        assert np.isfinite(run(made, more)).all()


@settings(max_examples=25)
@given(CHOSEN, ROWS, st.integers(0, 99))
def test_derivatives_are_those_of_what_is_taken(chosen, rows, seed):
    def wanted(d, m):
        return np.where(chosen, m * d, 0.0 * m)

    masked = world(wanted, rows)
    flat = states(masked, seed, 1)[:, 0]
    exact = ir_values.slopes(masked, flat, 4 * N)
    draw = np.random.default_rng(seed)
    rate, weight = draw.uniform(-1, 1, 4 * N), draw.uniform(-1, 1, 3 * N)

    def at(made, *extra):
        return run(made, np.concatenate([flat[:-1], *extra, flat[-1:]]))

    assert at(masked.jvp(), rate) == pytest.approx(exact @ rate, rel=1e-11, abs=1e-12)
    assert at(masked.vjp(), weight) == pytest.approx(weight @ exact, rel=1e-11, abs=1e-12)
    rows_of = {"f": exact[: 2 * N], "e": exact[2 * N :]}
    for out, matrix in rows_of.items():
        for name, part in (("d", slice(N)), ("v", slice(N, 3 * N)), ("m", slice(3 * N, 4 * N))):
            found = run(masked.jacobian(out, name), flat)
            assert found == pytest.approx(matrix[:, part].ravel(), rel=1e-11, abs=1e-12)


def test_derivatives_by_differences():
    masked = world(lambda d, m: [x > 0.5 for x in m], [0, 1, 1, 3, 3, 0])
    flat, h = states(masked, 3, 1)[:, 0], 1e-6
    draw = np.random.default_rng(1).uniform(-1, 1, 3 * N)
    step = np.concatenate([draw, np.zeros(N + 1)])
    slope = (run(masked, flat + h * step) - run(masked, flat - h * step)) / (2 * h)
    found = run(masked.jvp("d", "v"), np.concatenate([flat[:-1], draw, flat[-1:]]))
    assert found == pytest.approx(slope, rel=1e-7, abs=1e-8)


def test_derivatives_keep_the_mask_and_conditions_have_none():
    # the root of a condition has an infinite slope at 0: no adjoint goes there
    masked = world(lambda d, m: hs.sqrt(m))
    for made in (masked.jvp(), masked.vjp(), masked.jacobian("f", "d")):
        kinds = [
            made.graph.blocks[made.graph.nodes[i][1]]
            for i in made.live
            if made.graph.nodes[i][0] == ops.BLOCK
        ]
        assert kinds and all(block.mask is not None for block in kinds)
    assert set(masked.vjp("m").output_refs) == {ops.ZERO}
    assert set(masked.jacobian("e", "m").output_refs) == {ops.ZERO}


def test_what_is_gathered_may_be_the_mask_too():
    graph = Graph()
    x = hs.symbols("x", 4, graph=graph)
    u = hs.symbol("u", graph=graph)
    inverse = hs.Function("inverse", {"u": u}, {"y": 1.0 / u})
    f = hs.Function("f", {"x": x}, {"y": hs.map(inverse, x, when=x)})
    flat = np.array([2.0, 0.0, -4.0, 0.5])
    assert run(f, flat).tolist() == [0.5, 0.0, -0.25, 2.0]
    assert run(f.vjp(), np.concatenate([flat, np.ones(4)])).tolist() == [-0.25, 0, -0.0625, -4]


def test_parameters_of_a_masked_body_are_prepared_once():
    masked = world(lambda d, m: m)
    preparation, kernel = hoisted(masked)
    assert preparation is not None and preparation.cost().exp == 0
    assert masked.cost().exp == 0 and masked.cost(preparation=True).exp == 1
    kept = [b for b in kernel.graph.blocks if isinstance(b, Map)]
    assert len(kept) == 1 and kept[0].mask is not None and kept[0].count == N


def test_masked_maps_nest():
    graph = Graph()
    d, v = hs.symbols("d", N, graph=graph), hs.symbols("v", N, 2, graph=graph)
    energy = hs.map(push(), d, v, when=[x > 0 for x in d]).energy
    inner = hs.Function("inner", {"d": d, "v": v}, {"e": energy})
    out = Graph()
    a, b = hs.symbols("a", 3, N, graph=out), hs.symbols("b", 3, N, 2, graph=out)
    m = hs.symbols("m", 3, graph=out)
    outer = hs.Function("outer", {"a": a, "b": b, "m": m}, {"y": hs.map(inner, a, b, when=m)})
    flat = states(outer, 5, low=-1.0)
    flat[9 * N : 9 * N + 3] = [[1.0], [0.0], [1.0]]
    depth = flat[: 3 * N].reshape(3, N, -1)
    expected = np.where(depth > 0, np.abs(depth) ** 1.5, 0.0)
    expected[1] = 0.0
    assert run(outer, flat) == pytest.approx(expected.reshape(3 * N, -1), rel=1e-12)


def test_digests_listings_and_costs():
    plain, masked = world(lambda d, m: None), world(lambda d, m: m)
    other = world(lambda d, m: m[::-1])
    assert len({plain.digest, masked.digest, other.digest}) == 3
    assert plain.cost() == masked.cost()
    assert "masked map push(" in str(masked) and "masked" not in str(plain)
    assert hs.latex(masked).startswith(r"\begin{aligned}")


def test_sympy_writes_cases():
    pytest.importorskip("sympy")
    graph = Graph()
    x, m, u = hs.symbol("x", graph=graph), hs.symbol("m", graph=graph), hs.symbol("u", graph=graph)
    body = hs.Function("body", {"u": u}, {"y": u * u})
    f = hs.Function("f", {"x": x, "m": m}, {"y": hs.map(body, np.array([x]), when=[m])[0]})
    found = hs.to_sympy(f)["y"]
    assert found.subs({"x": 3}).free_symbols == found.free_symbols
    values = [
        float(found.subs(dict(zip(sorted(found.free_symbols, key=str), v, strict=True))))
        for v in ((0.0, 3.0), (2.0, 3.0))
    ]
    assert values == [0.0, 9.0]


def test_mistakes_in_masks_are_named():
    for wrong in (1.0, np.ones(N - 1), np.ones((N, 1))):
        with refused(f"when of a map of 'push' has shape {np.shape(wrong)}, expected (6,): one"):
            graph = Graph()
            d, v = hs.symbols("d", N, graph=graph), hs.symbols("v", N, 2, graph=graph)
            hs.map(push(), d, v, when=wrong)
    with refused("a constant must be a finite number"):
        world(lambda d, m: [np.nan] * N)
