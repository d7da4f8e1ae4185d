"""Tables in every backend: the interpreter's bits at every index, however odd."""

import numpy as np
import pytest
from test_c import interpreted, library, needs_gcc, ran, same_bits
from test_matlab import needs_octave, octave

import hapsis as hs
from hapsis.compiler.backends.c import c_body
from hapsis.compiler.backends.interface import interface
from hapsis.compiler.backends.llvm import llvm
from hapsis.compiler.ir.functions.tables import interpolated, table
from hapsis.compiler.ir.graph.graph import Graph

# a notice would mean that the interpreter served in place of native code
pytestmark = pytest.mark.filterwarnings("error")
ODD = [0.0, -0.0, -1.0, 0.999, 1.0, 1e9, 1e300, -1e300, np.inf, -np.inf, np.nan, 5e-324, 3.0, 2.5]
ENTRIES = [0.1, -0.0, 3e-7, 1e5, -2.75]


def reader():
    """Entries, a curve and a surface, alone and inside of a map."""
    graph, inner = Graph(), Graph()
    draw = np.random.default_rng(3)
    x, y = hs.symbol("x", graph=graph), hs.symbol("y", graph=graph)
    k = hs.parameter("k", 2.2, graph=graph)
    u = hs.symbol("u", graph=inner)
    curve = interpolated(draw.uniform(-1, 1, 6), -1.0, 0.5, "cubic")
    body = hs.Function("body", {"u": u}, {"v": curve(u) + table(ENTRIES)(u)})
    height = interpolated(draw.uniform(-1, 1, (4, 5)), (-1.0, 0.0), (0.5, 0.25))
    outputs = {
        "entry": table(ENTRIES)(x),
        "cell": table(np.arange(6.0).reshape(2, 3))(-y, x),
        "height": height(x, y),
        "many": hs.map(body, np.array([x, y, -x])),
        "once": table(ENTRIES)(k) * x,
    }
    return hs.Function("reader", {"x": x, "y": y}, outputs)


def states(function, count=60):
    draw = np.random.default_rng(1)
    flat = draw.uniform(-2, 6, (function.n_in, count))
    flat[:2, :30] = draw.choice(ODD, (2, 30))
    flat[-1] = 2.2
    return flat


def made():
    f = reader()
    return [f, f.jvp("x", "y"), f.vjp("x", "y")]


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_native_code_has_the_interpreters_bits(precision):
    dtype = np.dtype(precision.replace("f", "float"))
    for function in made():
        with np.errstate(over="ignore"):
            flat = states(function).astype(dtype)
        parts = np.split(flat[:-1], np.cumsum([len(p.refs) for p in function.inputs])[:-1])
        x = [a.T.reshape(-1, *p.shape) for a, p in zip(parts, function.inputs, strict=True)]
        native = hs.compile(function, precision=precision, contract=False)
        judge = hs.compile(function, "python", precision=precision)(*x)
        for k, (a, b) in enumerate(zip(native(*x), judge, strict=True)):
            assert same_bits(a, b)
            for lane in range(flat.shape[1]):
                alone = np.asarray(native(*(part[lane] for part in x))[k], dtype)
                assert same_bits(alone, b[lane])


@needs_gcc
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_c_has_the_interpreters_bits(tmp_path, precision, monkeypatch):
    monkeypatch.setattr(c_body, "LONGEST", 60 if precision == "f32" else 1000)
    functions = made()
    lib = library(tmp_path, functions, precision, ["-O2"])
    for k, function in enumerate(functions):
        with np.errstate(over="ignore"):
            flat = states(function).astype(precision.replace("f", "float"))
        assert same_bits(ran(lib, k, function, flat), interpreted(function, flat))


def test_python_text_computes_the_same():
    for function in made():
        scope: dict = {}
        exec(hs.source(function, "python"), scope)
        flat = states(function)
        expected = interpreted(function, flat)
        sizes = np.cumsum([len(p.refs) for p in function.inputs])[:-1]
        for lane in range(flat.shape[1]):
            x = np.split(flat[:-1, lane], sizes)
            x = [a.tolist() if p.shape else a[0] for a, p in zip(x, function.inputs, strict=True)]
            found = np.concatenate(
                [np.ravel(part) for part in scope[interface([function], "model").entries[0].name](*x)]
            )
            np.testing.assert_allclose(found, expected[:, lane], rtol=1e-12, atol=1e-14)


@needs_octave
def test_octave_computes_the_same(tmp_path):
    functions = made()
    flat = [states(f)[:, ::4] for f in functions]
    for f, x, got in zip(functions, flat, octave(tmp_path, functions, flat), strict=True):
        np.testing.assert_allclose(got, interpreted(f, x), rtol=1e-12, atol=1e-14)


def test_one_table_is_written_once():
    f = reader()
    distinct = 4  # the entries, the cells, the surface, the curve
    assert hs.source(f, "c").count("static const double hs_t") == distinct
    assert sum(line.startswith("_t") for line in hs.source(f, "python").splitlines()) == distinct
    assert hs.source(f, "matlab").count("persistent t") == distinct
    lines = llvm.source(f).splitlines()
    assert len({line.split(" = ")[1] for line in lines if line.startswith("@data")}) == distinct


def test_bounds_are_exact_where_the_entry_is_sure():
    x = hs.symbol("x")
    f = hs.Function("f", {"x": x}, {"y": table(ENTRIES)(x * 3.0)})
    value, bound = hs.error_bound(f, 0.5)
    assert value == ENTRIES[1] and bound == 0.0
    # 3/3 is 1 or just below
    value, bound = hs.error_bound(f, 1 / 3)
    assert value in ENTRIES[:2] and bound == np.inf
    # beyond the end every index leads to the last entry
    assert hs.error_bound(f, [100.0, -7.0])[1].tolist() == [0.0, 0.0]
    smooth = hs.Function("g", {"x": x}, {"y": interpolated(np.sin(np.arange(9)), 0, 0.3)(x)})
    at = np.random.default_rng(0).uniform(-1, 3, 200)
    values, bounds = hs.error_bound(smooth, at)
    assert np.all(np.abs(hs.compile(smooth)(at) - values) <= bounds) and bounds.max() < 1e-14


def test_large_tables_compile_and_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    entries = np.random.default_rng(0).uniform(size=300_000)
    x = hs.symbol("x")
    f = hs.Function("f", {"x": x}, {"y": table(entries)(x)})
    at = np.array([0.0, 1.0, 299_999.0, 1e7, 77_777.5])
    expected = entries[[0, 1, 299_999, 299_999, 77_777]]
    for _ in range(2):  # made, then fetched
        call = hs.compile(f)
        assert np.array_equal(call(at), expected) and call(77_777.5) == expected[4]
