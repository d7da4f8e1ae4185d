"""Running error bounds hold for fused evaluations, and give up where a decision is open."""

import numpy as np
import pytest
from strategies import BLOCKS, OPERATIONS, inputs_for, random_function

from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.backends.error_bounds import error_bound, flat_error_bound
from hapsis.compiler.backends.error_slopes import SLOPES
from hapsis.compiler.ir.functions.blocks import call, map, repeat
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.elementary_functions import abs, exp, floor, maximum, sign, sin, sqrt, where
from hapsis.compiler.ir.graph.expr import parameter, symbol, symbols
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError


def fused(function, flat):
    """float32 evaluation in which every product that a sum uses is not rounded."""
    graph, values, exact = function.graph, {}, {}

    def value(ref, table=values):
        if ref & 2:
            return np.full(flat.shape[1:], np.float32(graph.value(ref)))
        found = table.get(ref >> 2, values[ref >> 2])
        return -found if ref & 1 else found

    for k, ref in enumerate(function.input_refs):
        values[ref >> 2] = flat[k]
    for index in function.live:
        op, *refs = graph.nodes[index]
        if index in values:
            continue
        if op == ops.MUL:
            exact[index] = value(refs[0]).astype(float) * value(refs[1])
        if op in (ops.ADD, ops.SUB):
            x, y = value(refs[0]).astype(float), value(refs[1], exact)
            values[index] = (x + y if op == ops.ADD else x - y).astype(np.float32)
        else:
            values[index] = np.asarray(python.OPERATIONS[op](*(value(r) for r in refs)))
    return np.stack([value(ref) for ref in function.output_refs])


def test_bounds_hold_for_fused_evaluations():
    ratios = []
    with np.errstate(all="ignore"):
        for seed in range(100):
            function = prepared(random_function(seed, 60, names=tuple(OPERATIONS)))
            flat = inputs_for(function, seed, 100).astype(np.float32)
            values, bounds = flat_error_bound(function, flat)
            assert np.array_equal(values, python.evaluate(function, flat))
            difference = np.abs(fused(function, flat).astype(float) - values)
            assert np.all(difference <= bounds), seed
            ratios += (bounds[difference > 0] / difference[difference > 0]).tolist()
    assert len(ratios) > 1000
    assert np.median(ratios) < 50  # a bound nobody comes near would be of no use


@pytest.mark.parametrize("op", sorted(SLOPES), ids=lambda op: ops.NAMES[op])
def test_slopes_cover_every_move_within_the_bounds(op):
    dice = np.random.default_rng(op)
    n = 1 if op in ops.UNARY else 3 if op == ops.SELECT else 2
    x = dice.normal(0, 1.5, (n, 1, 2000))
    x[:, :, ::7] = np.round(x[:, :, ::7]) + 0.0  # a zero that moves by nothing keeps its sign
    e = 10.0 ** dice.uniform(-9, -0.5, (n, 1, 2000)) * (dice.random((n, 1, 2000)) > 0.1)
    moved = x + e * np.clip(dice.uniform(-1.5, 1.5, (n, 60, 2000)), -1, 1)
    with np.errstate(all="ignore"):
        f = python.OPERATIONS[op]
        result = f(*x)
        bound = SLOPES[op](result, *(part for pair in zip(x, e, strict=True) for part in pair))
        bound = np.where(np.isnan(bound) | ~np.isfinite(result), np.inf, bound)
        apart = np.abs(f(*moved) - result)
    slack = 1e-14 * (1 + np.abs(result)) + 1e-6 * bound
    assert np.all((apart <= bound + slack) | np.isinf(bound)), ops.NAMES[op]
    assert np.isfinite(bound).mean() > 0.2


def bound_of(expression, x, value, **options):
    return float(error_bound(Function("f", {"x": x}, {"y": expression}), value, **options)[1])


def test_open_decisions_are_inf():
    x = symbol("x")
    near = exp(x)  # 1 at 0, but carries an error
    for jump in (floor(near), sign(near - 1.0), near < 1.0, near <= 1.0, 1.0 / (near - 1.0)):
        assert bound_of(jump, x, 0.0) == np.inf
        assert bound_of(jump, x, 0.25) < 1e-13
    assert bound_of(floor(x), x, 1.0) == 0  # exact
    assert bound_of(where(near < 1.0, near, 1.0), x, 0.0) < 1e-14  # both choices are close
    assert bound_of(maximum(near, 1.0), x, 0.0) < 1e-14
    assert bound_of(where(near < 1.0, -1.0, 1.0), x, 0.0) == 2.0
    assert bound_of(sqrt(near - 1.0), x, 0.0) == np.inf
    assert bound_of(sqrt(x), x, -1.0) == np.inf  # nan is no number


def test_blocks_carry_bounds():
    x, a = symbol("x"), symbol("a")
    body = Function("body", {"x": x, "a": a}, {"y": sin(x * a) / (2.0 + x)})
    q = symbols("q", 3)
    inline = Function("inline", {"q": q}, {"y": body(q[0], body(q[1], q[2]))})
    kept = Function("kept", {"q": q}, {"y": call(body, q[0], call(body, q[1], q[2]))})
    values = np.random.default_rng(0).uniform(-1, 1, (7, 3))
    np.testing.assert_array_equal(error_bound(inline, values), error_bound(kept, values))
    rows = map(body, q, 2.0, add_into={"y": ([0, 1, 0], 2)})
    added = Function("added", {"q": q}, {"y": rows})
    one = Function("one", {"q": q}, {"y": np.array([body(q[0], 2.0) + body(q[2], 2.0)])})
    first, plain = error_bound(added, values), error_bound(one, values)
    np.testing.assert_allclose(first[0][:, :1], plain[0])
    assert np.all(first[1][:, :1] >= plain[1] * 0.999) and np.all(first[1] < 1e-14)


def test_a_repeat_that_might_stop_elsewhere():
    x, a = symbol("x"), symbol("a")
    step = {"x": 0.5 * (x + a / x), "done": abs(x * x - a) < 1e-3}
    newton = Function("newton", {"x": x, "a": a}, step)
    function = Function("root", {"a": a}, {"x": repeat(newton, 1.0 + a * a, a, times=30)})
    values, bounds = error_bound(function, np.array([0.5, 2.0, 3.0]))
    np.testing.assert_allclose(values, np.sqrt([0.5, 2.0, 3.0]), rtol=1e-6)
    assert np.all(bounds < 1e-13)
    halving = Function("half", {"x": x}, {"x": x / 3.0, "done": x / 3.0 <= 1.0 / 3.0})
    function = Function("h", {"a": a}, {"x": repeat(halving, a, times=5)})
    assert np.isinf(error_bound(function, np.array([1.0, 2.0]))[1]).tolist() == [True, False]


def test_shapes_parameters_and_mistakes():
    q, k = symbols("q", 2, 2), parameter("k", 0.1)
    function = Function("f", {"q": q, "s": symbol("s")}, {"a": q * k, "b": q[0, 0] / 3.0})
    values, bounds = error_bound(function, np.ones((2, 2)), 1.0)
    assert values.a.shape == bounds.a.shape == (2, 2) and values.b.shape == ()
    values, bounds = error_bound(function, np.ones((5, 2, 2)), 1.0, dtype=np.float32)
    assert values.a.shape == (5, 2, 2) and bounds.b.shape == (5,) and bounds.b.dtype == np.float32
    assert float(error_bound(function, np.ones((2, 2)), 1.0, p={"k": 3.0})[0].a[0, 0]) == 3.0
    for mistake in ((np.ones((2, 2)),), (np.ones(3), 1.0)):
        with pytest.raises(CompileError):
            error_bound(function, *mistake)
    with pytest.raises(CompileError, match="did you mean"):
        error_bound(function, np.ones((2, 2)), 1.0, p={"K": 3.0})


def test_random_functions_with_blocks_have_finite_bounds():
    for seed in range(20):
        function = prepared(random_function(seed, 40, names=(*OPERATIONS, *BLOCKS)))
        flat = inputs_for(function, seed, 4)
        values, bounds = flat_error_bound(function, flat)
        assert np.array_equal(values, python.evaluate(function, flat))
        assert np.isfinite(bounds).all() and bounds.max() < 1e-12
