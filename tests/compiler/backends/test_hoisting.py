"""Compiled code prepares parameters once and is called as if it did not."""

import threading
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import EVERY, functions, random_function

import hapsis as hs
from hapsis.compiler.backends.call import parameter_preparation as preparing
from hapsis.compiler.backends.llvm import llvm_jit
from hapsis.errors import CompileError


def same_bits(ours, reference) -> None:
    ours, reference = (x if isinstance(x, tuple) else (x,) for x in (ours, reference))
    for a, b in zip(ours, reference, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert a.shape == b.shape and a.dtype == b.dtype
        whole = np.uint64 if a.dtype == np.float64 else np.uint32
        assert ((a.view(whole) == b.view(whole)) | (np.isnan(a) & np.isnan(b))).all()


def states(f: hs.Function, count: int, dtype: type = np.float64) -> list[np.ndarray]:
    draw = np.random.default_rng(count)
    return [draw.uniform(-1, 1, (count, *port.shape)).astype(dtype) for port in f.inputs]


def sets(f: hs.Function, count: int, dtype: type = np.float64) -> np.ndarray:
    draw = np.random.default_rng(count + 1)
    stored = np.array(list(f.parameters.values()))
    return (stored * draw.uniform(0.3, 1.0, (count, len(stored)))).astype(dtype)


def arm() -> hs.Function:
    q = hs.symbols("q", 3)
    m = [hs.parameter(f"m{k}", 1.0 + k) for k in range(3)]
    l = [hs.parameter(f"l{k}", 0.5 + 0.1 * k) for k in range(3)]
    inertia = sum(a * b * b for a, b in zip(m, l, strict=True)) + hs.cos(l[0])
    y = [inertia / (1.0 + a) * hs.sin(x) - b * x for x, a, b in zip(q, m, l, strict=True)]
    return hs.Function("arm", {"q": q}, {"y": y, "e": inertia + m[0] * q[0]})


def check_all_calls(f: hs.Function, precision: str = "f64") -> None:
    dtype = np.float64 if precision == "f64" else np.float32
    native = hs.compile(f, contract=False, precision=precision)
    judge = hs.compile(f, "python", precision=precision)
    x, p, stored = states(f, 11, dtype), sets(f, 11, dtype), list(f.parameters)
    one = [a[4] for a in x]
    same_bits(native(*x), judge(*x))
    same_bits(native(*one), judge(*one))
    if stored:
        same_bits(native(*x, p=p), judge(*x, p=p))
        same_bits(native(*x, p=p[3]), judge(*x, p=p[3]))
        same_bits(native(*one, p=p), judge(*one, p=p))
        same_bits(native(*one, p=p[3]), judge(*one, p=p[3]))
        changed = {stored[-1]: p[2, -1]}
        same_bits(native(*one, p=changed), judge(*one, p=changed))
        sweep = {stored[0]: p[:, 0]}
        same_bits(native(*one, p=sweep), judge(*one, p=sweep))
        same_bits(native(*one), judge(*one))


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_every_kind_of_call_has_the_interpreters_bits(precision):
    check_all_calls(arm(), precision)


@pytest.mark.parametrize("seed", range(8))
def test_random_functions_of_parameters(seed):
    f = random_function(seed, 250, names=EVERY, blocks=seed % 2 == 0, reach=15.0)
    check_all_calls(f, "f32" if seed % 4 == 3 else "f64")


@settings(max_examples=25, deadline=None)
@given(functions())
def test_short_random_functions(f):
    check_all_calls(f)


@pytest.mark.parametrize("seed", range(4))
def test_contraction_stays_within_the_bound_for_other_parameters(seed):
    f = random_function(seed, 200, names=EVERY, reach=15.0)
    x, p = states(f, 9), sets(f, 1)[0]
    values, bounds = hs.error_bound(f, *x, p=p)
    for a, b, e in zip(hs.compile(f)(*x, p=p), values, bounds, strict=True):
        near = np.abs(a - b) <= e
        assert (near | ~np.isfinite(e) | (np.isnan(a) & np.isnan(b))).all()


def test_out_and_names():
    f = hs.compile(arm(), contract=False)
    q, p = states(arm(), 5)[0], sets(arm(), 5)
    expected = f(q, p=p)
    out = (np.empty((5, 3)), np.empty(5))
    assert f(q, p=p, out=out) is out
    same_bits(out, expected)
    same_bits(f(q=q[2], p=p[2]), (expected.y[2], expected.e[2]))
    # results over the parameters that were given
    p = np.ascontiguousarray(sets(arm(), 5)[:, :6])
    over = (p.ravel()[:15].reshape(5, 3), np.empty(5))
    f(q, p=p, out=over)
    same_bits(over, expected)
    assert f.function.parameters == arm().parameters and "p[6]" in repr(f)


def test_empty_batches():
    f = hs.compile(arm())
    assert f(np.empty((0, 3)), p=np.empty((0, 6))).y.shape == (0, 3)
    assert f(np.zeros(3), p=np.empty((0, 6))).e.shape == (0,)


def test_mistakes_are_named_as_ever():
    f = hs.compile(arm())
    q = np.zeros(3)
    for p, says in (
        ({"m9": 1.0}, 'no parameter is called "m9"'),
        (np.ones(5), r"p has shape \(5,\), expected \(6,\)"),
        ({"m0": np.inf}, "finite"),
    ):
        with pytest.raises(CompileError, match=says):
            f(q, p=p)
    with pytest.raises(CompileError, match="p is a batch of 3"):
        f(np.zeros((2, 3)), p=np.ones((3, 6)))


def test_one_set_of_parameters_is_prepared_once(monkeypatch):
    f = hs.compile(arm())
    q, p = np.zeros(3), sets(arm(), 2)
    runs = []
    single = preparing.LlvmKernel.single

    def counted(self, inputs, outputs):
        runs.append(self.part.preparation)
        single(self, inputs, outputs)

    monkeypatch.setattr(preparing.LlvmKernel, "single", counted)
    for k in (0, 0, 1, 1, 1):
        f(q, p=p[k])
    assert sum(runs) == 2 and len(runs) == 7


def test_threads_with_parameters_of_their_own():
    f = hs.compile(arm(), contract=False)
    q, p = states(arm(), 8)[0], sets(arm(), 8)
    expected = hs.compile(arm(), "python")(q, p=p)
    wrong = []

    def work(k: int) -> None:
        for _ in range(100):
            if not np.array_equal(f(q[k], p=p[k]).y, expected.y[k]):
                wrong.append(k)
            if not np.array_equal(f(q, p=p).y, expected.y):
                wrong.append(-1)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_constants_that_did_not_fold_need_no_parameters():
    u, x = hs.symbol("u"), hs.symbol("x")
    body = hs.Function("b", {"u": u}, {"v": hs.exp(u)})
    f = hs.Function("f", {"x": x}, {"y": x * hs.call(body, 2.0)})
    check_all_calls(f)
    with pytest.raises(CompileError, match="has no parameters"):
        hs.compile(f)(1.0, p=[1.0])


def test_a_preparation_that_does_not_compile_is_interpreted(monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", "")
    monkeypatch.setenv("HAPSIS_BACKGROUND", "off")
    f = hs.compile(arm(), contract=False)

    def fails(*_):
        raise CompileError("LLVM refuses the generated code: because")

    q, p = states(arm(), 4)[0], sets(arm(), 4)
    monkeypatch.setattr(llvm_jit, "_object", fails)
    with pytest.warns(hs.Notice, match="prepared in the interpreter: LLVM refuses"):
        ours = f(q[0], p=p[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(q[0], p=p[1])
    monkeypatch.undo()
    judge = hs.compile(arm(), "python")
    same_bits(ours, judge(q[0], p=p[0]))
    same_bits(f(q, p=p), judge(q, p=p))


def test_baked_and_derived_functions():
    f = arm()
    q, p = states(f, 3)[0], sets(f, 1)[0]
    same_bits(hs.compile(f, bake=True, contract=False)(q), hs.compile(f.baked(), "python")(q))
    for name in ("q", "p", "m0"):
        check_all_calls(f.jacobian("y", name))
    check_all_calls(f.vjp())
    assert hs.compile(f)(q, p=p).y == pytest.approx(hs.compile(f, "python")(q, p=p).y)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_bodies_of_blocks_are_prepared_once_too(precision):
    k, c, u = hs.parameter("k", 2.0), hs.parameter("c", 0.5), hs.symbols("u", 2)
    done = hs.sqrt(c) > u[0] * u[0] + 10.0
    step = hs.Function("step", {"u": u}, {"v": u - u * hs.sqrt(k * c) / (k + 3.0 * u * u), "done": done})
    x = hs.symbols("x", 3, 2)
    one = hs.repeat(step, x[0], times=9)
    part = hs.Function("part", {"u": u}, {"v": u * hs.exp(k) + hs.sin(c)})
    many = hs.map(part, x, add_into={"v": ([0, 1, 0], 2)})
    f = hs.Function("f", {"x": x}, {"a": one, "b": many, "c": hs.call(part, x[1])})
    check_all_calls(f, precision)
    assert f.cost(preparation=True).price > 0
