"""Masked maps in every backend: the interpreter's bits, and no jump is left out."""

import numpy as np
import pytest
from test_c import interpreted, library, needs_gcc, ran
from test_matlab import needs_octave, octave

import hapsis as hs
from hapsis.compiler.backends.interface import interface
from hapsis.compiler.ir.graph.graph import Graph

# a notice would mean that the interpreter served in place of native code
pytestmark = pytest.mark.filterwarnings("error")
N = 5
POOL = [0.0, -0.0, 1.0, 0.5, -0.5, np.nan, np.inf, 2.0]


def contact():
    """A law that is no number outside of contact, with a parameter to prepare."""
    graph = Graph()
    d, v = hs.symbol("d", graph=graph), hs.symbol("v", graph=graph)
    k = hs.parameter("k", 2.0, graph=graph)
    force = hs.exp(k) * hs.sqrt(d) * d * (1.0 + 0.3 * v)
    return hs.Function("contact", {"d": d, "v": v}, {"force": force, "work": force * v})


def ground(seed=0):
    """Forces of N contacts on 3 rows; two of the masks are computed, the rest are inputs."""
    graph = Graph()
    d, v = hs.symbols("d", N, graph=graph), hs.symbols("v", N, graph=graph)
    m = hs.symbols("m", N, graph=graph)
    when = [d[0] > 0, *m[1:4], hs.maximum(d[4], 0.0)]
    rows = np.random.default_rng(seed).integers(0, 3, N)
    found = hs.map(contact(), d, v, add_into={"force": (rows, 3)}, when=when)
    return hs.Function("ground", {"d": d, "v": v, "m": m}, {"f": found.force, "w": found.work})


def made(seed=0):
    f = ground(seed)
    return [f, f.jvp("d", "v"), f.vjp("d", "v"), f.jacobian("f", "d")]


def columns(function, count, seed=0):
    draw = np.random.default_rng(seed)
    flat = draw.uniform(-1, 1, (function.n_in, count))
    special = draw.choice(POOL, flat.shape)
    flat = np.where(draw.random(flat.shape) < 0.3, special, flat)
    flat[-1] = 2.0
    return flat


def bits(x, y):
    x, y = np.asarray(x), np.asarray(y)
    words = np.int64 if x.dtype == np.float64 else np.int32
    return bool(np.all((x.view(words) == y.view(words)) | (np.isnan(x) & np.isnan(y))))


def arguments(function, flat):
    parts = np.split(flat[:-1], np.cumsum([len(p.refs) for p in function.inputs])[:-1])
    return [p.T.reshape(-1, *port.shape) for p, port in zip(parts, function.inputs, strict=True)]


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("which", range(4))
def test_native_code_has_the_interpreters_bits(which, precision):
    function = made(which)[which]
    flat = columns(function, 37)
    x = [a.astype(precision.replace("f", "float")) for a in arguments(function, flat)]
    judge = hs.compile(function, "python", precision=precision)
    native = hs.compile(function, precision=precision, contract=False)
    found, expected = (r if isinstance(r, tuple) else (r,) for r in (native(*x), judge(*x)))
    for k, (a, b) in enumerate(zip(found, expected, strict=True)):
        assert bits(a, b)
        for lane in range(37):
            alone = native(*(part[lane] for part in x))
            assert bits((alone if isinstance(alone, tuple) else (alone,))[k], b[lane])


@needs_gcc
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_c_has_the_interpreters_bits(tmp_path, precision):
    functions = made(1)
    lib = library(tmp_path, functions, precision, ["-O2"])
    for k, function in enumerate(functions):
        flat = columns(function, 20, k).astype(precision.replace("f", "float"))
        assert bits(ran(lib, k, function, flat), interpreted(function, flat))


def test_python_text_computes_the_same():
    for k, function in enumerate(made(2)):
        scope: dict = {}
        exec(hs.source(function, "python"), scope)
        flat = columns(function, 10, k)
        expected = interpreted(function, flat)
        for lane, x in enumerate(zip(*arguments(function, flat), strict=True)):
            found = scope[interface([function], "model").entries[0].name](*(part.tolist() for part in x))
            found = found if isinstance(found, tuple) else (found,)
            flat_found = np.concatenate([np.ravel(part) for part in found])
            np.testing.assert_allclose(flat_found, expected[:, lane], rtol=1e-12, atol=1e-14)


@needs_octave
def test_octave_computes_the_same(tmp_path):
    functions = made(3)[:3]
    states = [columns(f, 4, k) for k, f in enumerate(functions)]
    for function, flat, got in zip(functions, states, octave(tmp_path, functions, states), strict=True):
        np.testing.assert_allclose(got, interpreted(function, flat), rtol=1e-12, atol=1e-14)


def test_bounds_hold_and_open_choices_count():
    function = ground()
    flat = columns(function, 50, 4)
    x = arguments(function, np.where(np.isfinite(flat), flat, 0.25))
    values, bounds = hs.error_bound(function, *x)
    fused = hs.compile(function)(*x)
    for a, b, e in zip(fused, values, bounds, strict=True):
        assert np.all((np.abs(a - b) <= e) | np.isinf(e))
        assert np.array_equal(np.isfinite(e), np.isfinite(b)) and np.isfinite(e).any()
    graph = Graph()
    u = hs.symbol("u", graph=graph)
    body = hs.Function("body", {"u": u}, {"y": u + 3.0})
    t = hs.symbol("t", graph=graph)
    one = hs.Function("one", {"t": t}, {"y": hs.map(body, np.array([t]), when=[hs.sqrt(t) * hs.sqrt(t) - t])})
    value, bound = hs.error_bound(one, 0.1)
    # whether the body counts is open: nothing, or all of it
    assert bound[0] >= 3.1 and np.isfinite(bound[0]) and value[0] in (0.0, 3.1)


def test_code_jumps_over_the_body():
    text = hs.source(ground(), "c")
    assert "continue;" in text
    plain = hs.source(
        hs.Function("f", {"x": (x := hs.symbols("x", 3))}, {"y": hs.map(contact(), x, x).force}), "c"
    )
    assert "continue;" not in plain
