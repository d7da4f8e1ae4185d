"""What a call accepts, what it returns, and the one line it answers a mistake with."""

import numpy as np
import pytest

import hapsis as hs

BACKENDS = ["llvm", "python"]


def arm(several: bool = False) -> hs.Function:
    q, s = hs.symbols("q", 3), hs.symbol("s")
    a = hs.symbols("a", 2, 2)
    k = hs.parameter("k", 2.0)
    outputs = {"y": q * s * k + a[0, 1]}
    if several:
        outputs |= {"m": a @ a, "e": s + k}
    return hs.Function("arm", {"q": q, "s": s, "a": a}, outputs)


Q, S, A = np.array([1.0, 2.0, 3.0]), 0.5, np.array([[1.0, 2.0], [3.0, 4.0]])
Y = Q * S * 2.0 + 2.0


@pytest.fixture(params=BACKENDS)
def f(request):
    return hs.compile(arm(), request.param)


@pytest.fixture(params=BACKENDS)
def g(request):
    return hs.compile(arm(several=True), request.param)


def test_one_state_in_any_dress(f):
    assert np.array_equal(f(Q, S, A), Y)
    assert np.array_equal(f([1, 2, 3], 0.5, A.tolist()), Y)
    assert np.array_equal(f(Q.astype(np.float32), np.float32(0.5), A.astype(int)), Y)
    assert np.array_equal(f(np.repeat(Q, 2)[::2], np.array(0.5), np.asfortranarray(A)), Y)
    assert np.array_equal(f(a=A, q=Q, s=S), Y)
    assert np.array_equal(f(Q, a=A, s=S), Y)


def test_out_is_filled_and_returned(f, g):
    out = np.empty(3)
    assert f(Q, S, A, out=out) is out
    assert np.array_equal(out, Y)
    parts = (np.empty(3), np.empty((2, 2)), np.empty(()))
    assert g(Q, S, A, out=parts) is parts
    assert np.array_equal(parts[1], A @ A) and parts[2] == 2.5


def test_out_may_be_an_input(f):
    q = Q.copy()
    f(q, S, A, out=q)
    assert np.array_equal(q, Y)


def test_several_outputs_are_a_named_tuple(g):
    r = g(Q, S, A)
    assert r._fields == ("y", "m", "e")
    assert np.array_equal(r.y, Y) and np.array_equal(r.m, A @ A)
    assert r.e == 2.5 and isinstance(r.e, float)


@pytest.mark.parametrize("n", [0, 1, 2, 7, 8, 9, 31, 100])
def test_batches_of_any_length(g, n):
    draw = np.random.default_rng(n)
    q, s, a = draw.normal(size=(n, 3)), draw.normal(size=n), draw.normal(size=(n, 2, 2))
    r = g(q, s, a)
    assert r.y.shape == (n, 3) and r.m.shape == (n, 2, 2) and r.e.shape == (n,)
    assert np.allclose(r.y, q * s[:, None] * 2 + a[:, :1, 1])
    assert np.allclose(r.m, a @ a) and np.array_equal(r.e, s + 2.0)


def test_inputs_without_batch_are_shared(g):
    q = np.random.default_rng(1).normal(size=(21, 3))
    assert np.allclose(g(q, S, A).y, q * S * 2 + 2.0)
    out = (np.empty((21, 3)), np.empty((21, 2, 2)), np.empty(21))
    g(q, S, A, out=out)
    assert np.array_equal(out[1][20], A @ A)


def test_parameters_are_overridden_by_name_or_as_a_whole(f):
    assert np.array_equal(f(Q, S, A, p={"k": 4.0}), Q * S * 4 + 2)
    assert np.array_equal(f(Q, S, A, p=[4.0]), Q * S * 4 + 2)
    assert np.array_equal(f(Q, S, A), Y)
    sweep = f(Q, S, A, p={"k": np.arange(5.0)})
    assert np.array_equal(sweep, Q * S * np.arange(5.0)[:, None] + 2)
    assert np.array_equal(f(np.tile(Q, (5, 1)), S, A, p=np.arange(5.0)[:, None]), sweep)


def test_only_all_parameters_are_baked():
    with pytest.raises(hs.CompileError, match='bake is "k"; expected True or False'):
        hs.compile(arm(), bake="k")


def test_baked_parameters_are_gone():
    baked = hs.compile(arm(), bake=True)
    assert np.array_equal(baked(Q, S, A), Y)
    with pytest.raises(hs.CompileError, match="has no parameters"):
        baked(Q, S, A, p={"k": 1.0})


WRONG = [
    (lambda f: f(Q, S), '"a" is missing'),
    (lambda f: f(Q, S, A, 1), "got 4 positional"),
    (lambda f: f(Q, S, A, q=Q), '"q" is given twice'),
    (lambda f: f(Q, S, aa=A), r'no input "aa" \(did you mean "a"\?\)'),
    (lambda f: f(Q[:2], S, A), r'"q" has shape \(2,\), expected \(3,\) .* \(N, 3\)'),
    (lambda f: f(Q, S, A[0]), r'"a" has shape \(2,\), expected \(2, 2\)'),
    (lambda f: f(Q, "one", A), '"s" must be real numbers'),
    (lambda f: f(Q * 1j, S, A), '"q" must be real numbers, not complex128'),
    (lambda f: f([None] * 3, S, A), '"q" must be real numbers, not list'),
    (lambda f: f(hs.symbols("z", 3), S, A), "call the Function itself"),
    (lambda f: f(np.ones((4, 3)), np.ones(5), A), "batch of 5, another input one of 4"),
    (lambda f: f(Q, S, A, p={"kk": 1.0}), r'no parameter is called "kk" \(did you mean "k"\?\)'),
    (lambda f: f(Q, S, A, p={"k": np.nan}), "finite"),
    (lambda f: f(Q, S, A, p=[1.0, 2.0]), r"p has shape \(2,\), expected \(1,\)"),
    (lambda f: f(np.ones((4, 3)), S, A, p=np.ones((3, 1))), "p is a batch of 3"),
    (lambda f: f(Q, S, A, out=np.empty(2)), r"array of shape \(3,\)"),
    (lambda f: f(Q, S, A, out=np.empty(3, np.float32)), "contiguous float64"),
    (lambda f: f(Q, S, A, out=np.empty(6)[::2]), "contiguous"),
    (lambda f: f(Q, S, A, out=[np.empty(3)] * 2), "out needs 1 arrays"),
]


@pytest.mark.parametrize(("call", "says"), WRONG, ids=range(len(WRONG)))
def test_every_mistake_is_one_line(f, call, says):
    with pytest.raises(hs.CompileError, match=says) as caught:
        call(f)
    assert "\n" not in str(caught.value)


def test_read_only_out_is_refused(f):
    out = np.empty(3)
    out.flags.writeable = False
    with pytest.raises(hs.CompileError, match="writeable"):
        f(Q, S, A, out=out)


def test_compile_names_what_it_cannot_do():
    for call, says in [
        (lambda: hs.compile(arm(), "lvm"), r'no backend "lvm" \(did you mean "llvm"\?\)'),
        (lambda: hs.compile(arm(), precision="f16"), 'no precision "f16"'),
        (lambda: hs.compile(lambda x: x), "takes a Function, not function"),
    ]:
        with pytest.raises(hs.CompileError, match=says):
            call()


def test_callable_tells_what_it_is(f):
    assert "arm(q[3], s, a[2, 2]; p[1]) -> y[3]" in repr(f)
    assert f.function.name == "arm"


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_inputs_and_empty_outputs(backend):
    f = hs.compile(hs.Function("c", {}, {"y": [1.5, 2.5], "z": np.empty((0, 3))}), backend)
    r = f()
    assert np.array_equal(r.y, [1.5, 2.5]) and r.z.shape == (0, 3)


def test_a_parameter_that_cancels_keeps_its_place():
    x, y, k, m = hs.symbol("x"), hs.symbol("y"), hs.parameter("k", 2.0), hs.parameter("m", 3.0)
    f = hs.Function("f", {"x": x, "y": y}, {"z": (x * y) * k - x * (y * k) + m * x})
    assert list(f.parameters) == ["k", "m"]
    for backend in BACKENDS:
        assert hs.compile(f, backend)(2.0, 7.0) == pytest.approx(6.0)
        assert hs.compile(f, backend)(2.0, 7.0, p={"m": 5.0}) == pytest.approx(10.0)


def test_arrays_at_odd_addresses(f):
    memory = np.zeros(8 * 3 * 5 + 1, np.uint8)
    odd = memory[1:].view(np.float64).reshape(5, 3)
    odd[:] = Q
    assert not odd.flags.aligned
    assert np.array_equal(f(odd[0], S, A), Y)
    assert np.array_equal(f(odd, S, A), np.tile(Y, (5, 1)))
    with pytest.raises(hs.CompileError, match="contiguous"):
        f(Q, S, A, out=odd[0])


def test_out_may_overlap_an_input_in_part(f):
    memory = np.arange(12.0)
    rows, out = memory[:9].reshape(3, 3), memory[3:].reshape(3, 3)
    expected = f(rows.copy(), S, A)
    f(rows, S, A, out=out)
    assert np.array_equal(out, expected)
