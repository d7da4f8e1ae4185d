"""Inputs with defaults: a call that leaves them out is the call that gives them."""

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_function import refused

import hapsis as hs
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import prepared

DEFAULTS = {"x": 0.25, "t": 0.5, "w": [1.0, -2.0]}
GIVEN = {"x": np.array([0.3, 0.7, -0.2]), "t": 1.5, "w": np.array([0.1, 0.4])}


def pushed(*which):
    """A force of a vector, a time and two weights, with a parameter; some may be left out."""
    x, t, w = hs.symbols("x", 3), hs.symbol("t"), hs.symbols("w", 2)
    k = hs.parameter("k", 3.0)
    y = k * k * x * hs.sin(t + x[0]) + w[0] - w[1] * t
    defaults = {name: DEFAULTS[name] for name in which}
    return hs.Function("pushed", {"x": x, "t": t, "w": w}, {"y": y, "e": x @ x + t}, defaults)


def full(names):
    """The arguments with those of `names` at their defaults."""
    values = {n: np.broadcast_to(DEFAULTS[n], np.shape(GIVEN[n])) for n in names}
    return GIVEN | values


def equal(a, b):
    a, b = (v if isinstance(v, tuple) else (v,) for v in (a, b))
    assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


@given(st.sets(st.sampled_from(list(GIVEN))), st.sampled_from(["python", "llvm"]))
def test_left_out_is_given(names, backend):
    f = pushed(*names)
    call = hs.compile(f, backend)
    rest = {name: GIVEN[name] for name in GIVEN if name not in names}
    equal(call(**rest), call(**full(names)))
    equal(call(**rest), hs.compile(pushed(), backend)(*full(names).values()))
    assert {*f.defaults} == names


def test_positional_arguments_are_taken_in_order():
    call = hs.compile(pushed("t", "w"))
    x, t, w = GIVEN.values()
    equal(call(x), call(x, 0.5, [1.0, -2.0]))
    equal(call(x, t), call(x, t, [1.0, -2.0]))
    equal(call(x, w=w), call(x, 0.5, w))
    first = hs.compile(pushed("x"))
    equal(first(t=t, w=w), first([0.25] * 3, t, w))
    with refused('takes "x", "t", "w": "t" is missing'):
        first(x)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_every_way_to_leave_inputs_out(precision):
    f = pushed("t", "w")
    call = hs.compile(f, precision=precision)
    judge = hs.compile(f, "python", precision=precision)
    x, many = GIVEN["x"].astype(call(GIVEN["x"]).y.dtype), np.ones((5, 3))
    for first in (x, list(x), many, many[:, ::-1], np.ones(6)[::2]):
        for tail in ((), (1.5,), (1.5, [0.1, 0.4])):
            for a, b in zip(call(first, *tail), judge(first, *tail), strict=True):
                assert a == pytest.approx(b, rel=1e-6)
    out = (np.empty(3, x.dtype), np.empty((), x.dtype))
    assert call(x, out=out) is out
    assert np.array_equal(out[0], call(x).y) and out[1] == call(x).e
    equal(call(x, p={"k": 1.0}), call(x, 0.5, [1.0, -2.0], p=[1.0]))
    with refused('"x" has shape (2,), expected (3,) for one state'):
        call([1.0, 2.0])
    # what the entry keeps alive ends with it
    slow = call.slow
    del call
    gc.collect()
    equal(slow(x), slow(x, 0.5, [1.0, -2.0]))


def test_a_default_is_shared_by_a_batch():
    call = hs.compile(pushed("t", "w"))
    many = np.random.default_rng(0).uniform(size=(7, 3))
    equal(call(many), call(many, np.full(7, 0.5), [1.0, -2.0]))
    equal(call(GIVEN["x"], w=np.ones((4, 2))).e, np.full(4, GIVEN["x"] @ GIVEN["x"] + 0.5))


def test_calls_on_expressions_fill_in():
    f, z = pushed("t", "w"), hs.symbols("z", 3)
    written, kept = f(z), hs.call(f, z)
    assert all(map(hs.same, written.y, f(z, 0.5, [1.0, -2.0]).y))
    assert all(map(hs.same, kept.y, hs.call(f, z, w=[1.0, -2.0], t=0.5).y))
    rows = hs.symbols("rows", 4, 3)
    mapped = hs.map(f, rows)
    assert all(map(hs.same, mapped.e, hs.map(f, rows, 0.5, [1.0, -2.0]).e))
    with refused("map of 'pushed' takes 3 arguments, got 1"):
        hs.map(pushed("w"), rows)
    step = hs.Function("step", {"x": z, "c": (c := hs.symbol("c"))}, {"x": z * c}, {"c": 0.5})
    twice = hs.Function("twice", {"z": z}, {"y": hs.repeat(step, z, times=2)})
    assert np.array_equal(hs.compile(twice)([4.0, 8.0, 12.0]), [1.0, 2.0, 3.0])


def test_derivatives_passes_and_changes_keep_defaults():
    f = pushed("t", "w")
    kept = {"t": 0.5, "w": (1.0, -2.0)}

    def found(function):
        return {name: np.array(v).tolist() for name, v in function.defaults.items()}

    wanted = {name: np.array(v).tolist() for name, v in kept.items()}
    made = [
        f.jacobian("y", "x"),
        f.sparse_jacobian("y", "t").function,
        f.jvp("x"),
        f.vjp("t"),
        f.substitute(x=[1.0, 2.0, 3.0]),
        f.baked(),
        prepared(f),
        hoisted(f)[1],
    ]
    for new in made:
        assert found(new) == wanted
    assert found(f.substitute(t=2.0)) == {"w": [1.0, -2.0]}
    jvp = hs.compile(f.jvp("x"))
    equal(jvp(GIVEN["x"], d_x=np.ones(3)), jvp(GIVEN["x"], 0.5, [1.0, -2.0], np.ones(3)))
    bound = hs.error_bound(f, GIVEN["x"])[0]
    equal(bound, hs.compile(f, "python")(GIVEN["x"]))


def test_defaults_have_no_part_in_what_is_computed():
    assert pushed().digest == pushed("t").digest
    for language in ("c", "python", "matlab"):
        ours, plain = (hs.source(f, language) for f in (pushed("t", "w"), pushed()))
        assert ours == plain
    assert "Every argument is given" in hs.source(pushed("t"), "c")


def test_signatures_show_defaults():
    f = pushed("x", "t", "w")
    assert repr(f) == "pushed(x[3]=0.25, t=0.5, w[2]=...; p[1]) -> y[3], e"
    assert repr(f) in repr(hs.compile(f)) and str(f).startswith(repr(f))
    assert f.defaults["x"].tolist() == [0.25] * 3 and f.defaults["t"] == 0.5
    empty = hs.symbols("n", 0)
    g = hs.Function("g", {"n": empty}, {"y": 1.0}, {"n": 0.0})
    assert repr(g) == "g(n[0]) -> y" and hs.compile(g)() == 1.0


@pytest.mark.parametrize("wrong", [np.nan, np.inf, "1", None, [1.0, 2.0], 1j, hs.symbol("other")])
def test_what_cannot_be_a_default_is_refused(wrong):
    x = hs.symbols("x", 3)
    with refused("the default of input \"x\" of 'f' must be a finite number or an array of shape"):
        hs.Function("f", {"x": x}, {"y": x}, {"x": wrong})
    with refused("must be a finite number"):
        hs.Function("f", {"t": (t := hs.symbol("t"))}, {"y": t}, {"t": wrong})


def test_a_default_needs_an_input():
    t = hs.symbol("t")
    with refused('\'f\' has no input "tt" (did you mean "t"?)'):
        hs.Function("f", {"t": t}, {"y": t}, {"tt": 0.0})
    with refused("defaults have the names of inputs, as in defaults={'t': 0.0}; got a list"):
        hs.Function("f", {"t": t}, {"y": t}, [0.0])  # type: ignore[arg-type]
