"""Native code calls compiled Functions: ports, parameters, mistakes, and an integrator."""

import threading
import time

import numpy as np
import pytest
from native_text import same
from scipy.integrate import solve_ivp

import hapsis as hs
from hapsis.compiler.native import Array, Bound, Ints, Kernel, at, bound, native
from hapsis.errors import CompileError


def pendulum() -> hs.Function:
    t, y, u = hs.symbol("t"), hs.symbols("y", 2), hs.symbols("u", 2)
    g, l = hs.parameter("g", 9.81), hs.parameter("l", 0.7)
    force = u[0] * hs.cos(3 * t) - u[1] * y[1]
    return hs.Function(
        "pendulum",
        {"t": t, "y": y, "u": u},
        {"dy": [y[1], force - g / l * hs.sin(y[0])], "energy": y[1] ** 2 / 2 - g / l * hs.cos(y[0])},
    )


@native
def once(f: Kernel, t: Array, y: Array, dy: Array) -> None:
    f(t, y, dy)


@native
def slope(f: Kernel, n: int, time: float, y: Array, k: Array, c: float, work: Array) -> None:
    """f at y + c k into work[n + 1:], by way of work[1:n + 1] and work[0]."""
    work[0] = time
    spot = at(work, 1)
    for j in range(n):
        spot[j] = y[j] + c * k[j]
    f(work, spot, at(spot, n))


@native
def rk4(f: Kernel, n: int, h: float, count: int, t: Array, y: Array, k: Array, work: Array) -> int:
    new = at(work, n + 1)
    sixth = h / 6
    for _ in range(count):
        f(t, y, k)
        for j in range(n):
            k[n + j] = sixth * k[j]
        for s in range(3):
            c = h if s == 2 else 0.5 * h
            slope(f, n, t[0] + c, y, k, c, work)
            for j in range(n):
                k[j] = new[j]
                k[n + j] += (sixth if s == 2 else 2 * sixth) * new[j]
        for j in range(n):
            y[j] += k[n + j]
        t[0] += h
    return count


def integrated(run, f, count: int = 200) -> np.ndarray:
    t, y, k, work = np.zeros(1), np.array([1.0, 0.2]), np.zeros(4), np.zeros(5)
    assert run(f, 2, 2.0 / count, count, t, y, k, work) == count
    return np.append(y, t)


def made(**more) -> Bound:
    return bound(hs.compile(pendulum()), ("t", "y", "dy"), u=[0.3, 0.1], **more)


def test_runge_kutta_has_the_same_bits_in_python():
    f = made()
    assert same(integrated(rk4, f), integrated(rk4.python, f))


def test_runge_kutta_is_right():
    compiled, u = hs.compile(pendulum()), np.array([0.3, 0.1])
    exact = solve_ivp(lambda t, y: compiled(t, y, u).dy, (0, 2), [1, 0.2], rtol=1e-12, atol=1e-13)
    errors = [abs(integrated(rk4, made(), n)[:2] - exact.y[:, -1]).max() for n in (100, 200, 400)]
    assert errors[2] < 1e-7
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(16, rel=0.1)


def test_python_callables_are_kernels_for_python_only():
    compiled, u = hs.compile(pendulum()), np.array([0.3, 0.1])

    def plain(t, y, dy):
        dy[:2] = compiled(t[0], y[:2].copy(), u).dy

    assert same(integrated(rk4.python, plain), integrated(rk4, made()))
    with pytest.raises(CompileError, match=r'"f" of rk4 is function; expected what .*bound returns'):
        integrated(rk4, plain)


@pytest.mark.parametrize("run", [once, once.python])
def test_values_are_those_of_a_call(run):
    compiled = hs.compile(pendulum())
    draw = np.random.default_rng(3)
    f = made()
    for _ in range(20):
        t, y, dy = draw.normal(size=1), draw.normal(size=2), np.zeros(2)
        f.fixed["u"][:] = draw.normal(size=2)
        run(f, t, y, dy)
        right = compiled(t[0], y, f.fixed["u"])
        assert same(dy, right.dy) and same(f.fixed["energy"], np.array(right.energy))


def test_ports_in_any_order_and_outputs_that_vary():
    compiled = hs.compile(pendulum())
    f = bound(compiled, ("energy", "u", "y"), t=0.25)
    energy, u, y = np.zeros(1), np.array([1.0, 2.0]), np.array([0.5, -0.5])
    for run in (once, once.python):
        energy[:], f.fixed["dy"][:] = 0, 0
        run(f, energy, u, y)
        right = compiled(0.25, y, u)
        assert energy[0] == right.energy and same(f.fixed["dy"], right.dy)


def test_kernels_share_fixed_arrays():
    u, dy = np.zeros(2), np.zeros(2)
    f = made_with(u, dy)
    u[:] = 4, 5
    y = np.array([0.1, 0.2])
    f(np.ones(1), y)
    assert f.fixed["u"] is u and same(dy, hs.compile(pendulum())(1.0, y, u).dy)


def made_with(u, dy):
    return bound(hs.compile(pendulum()), ("t", "y"), u=u, dy=dy)


@pytest.mark.parametrize("p", [{"l": 0.4}, {"g": 1.6, "l": 2}, [3.7, 0.9], None])
def test_parameters(p):
    compiled, u = hs.compile(pendulum()), np.array([0.3, 0.1])
    t, y = np.array([0.3]), np.array([1.0, -2.0])
    right = compiled(0.3, y, u, p=p).dy
    late = made()
    late.set_parameters({"g": 100.0})
    late.set_parameters(p)
    for f in (made(p=p), late):
        for run in (once, once.python):
            dy = np.zeros(2)
            run(f, t, y, dy)
            assert same(dy, right)
    late.set_parameters()
    once(late, t, y, dy)
    assert same(dy, compiled(0.3, y, u).dy)


def test_parameters_of_one_kernel_leave_the_callable_alone():
    compiled, y, u = hs.compile(pendulum()), np.ones(2), np.ones(2)
    before = compiled(0.0, y, u).dy
    bound(compiled, ("t", "y", "dy"), u=u, p={"g": 1.0})
    assert same(compiled(0.0, y, u).dy, before)


def test_function_without_parameters_and_defaults():
    x = hs.symbols("x", 3)
    f = bound(hs.compile(hs.Function("twice", {"x": x}, {"y": [2 * a for a in x]})), ("x", "y"))
    y = np.zeros(4)
    f(np.arange(5.0), y)
    assert y.tolist() == [0, 2, 4, 0]
    f.set_parameters()
    with pytest.raises(CompileError, match="has no parameters"):
        f.set_parameters([1.0])


@native
def pair(f: Kernel, g: Kernel, x: Array, y: Array, z: Array, places: Ints) -> None:
    for i in range(3):
        f(x, y, z)
        g(z, at(y, places[i]))


def test_two_kernels_in_one_function():
    a, b = hs.symbols("a", 2), hs.symbols("b", 2)
    f = hs.Function("f", {"a": a, "b": b}, {"c": [a[0] * b[1], a[1] - b[0]]})
    g = hs.Function("g", {"a": a}, {"d": [a[0] + a[1] * 0.5]})
    kernels = bound(hs.compile(f), ("a", "b", "c")), bound(hs.compile(g), ("a", "d"))
    results = []
    for run in (pair, pair.python):
        x, y, z = np.array([1.5, 2.5]), np.array([0.5, 3.0]), np.zeros(2)
        run(*kernels, x, y, z, np.array([1, 0, 1]))
        results.append(np.concatenate([x, y, z]))
    assert same(*results)


def test_number_of_arrays_is_checked_through_calls():
    f = bound(hs.compile(pendulum()), ("t", "y"), u=[0, 0])
    with pytest.raises(CompileError, match=r"rk4 calls f with 3 arrays, but 2 ports .* \(t, y\)"):
        integrated(rk4, f)


def test_mistakes_of_binding():
    compiled = hs.compile(pendulum())
    for words, given in {
        'no port "yy" .did you mean': dict(vary=("t", "yy")),
        "without a value: u": dict(vary=("t", "y", "dy")),
        "given twice": dict(vary=("t", "y"), u=[0, 0], y=[0, 0]),
        r'"u" has shape \(3,\)': dict(vary=("t", "y"), u=[0, 0, 0]),
        '"u" must be real numbers': dict(vary=("t", "y"), u=["a", "b"]),
        'no parameter is called "k"': dict(vary=("t", "y"), u=[0, 0], p={"k": 1.0}),
        "one set of parameters": dict(vary=("t", "y"), u=[0, 0], p=np.ones((3, 2))),
    }.items():
        with pytest.raises(CompileError, match=words):
            bound(compiled, **given)
    with pytest.raises(CompileError, match=r"takes what hs.compile returns, not Function"):
        bound(pendulum(), ("t", "y"), u=[0, 0])
    with pytest.raises(CompileError, match="runs in the interpreter"):
        bound(hs.compile(pendulum(), "python"), ("t", "y"), u=[0, 0])
    with pytest.raises(CompileError, match="needs f64"):
        bound(hs.compile(pendulum(), precision="f32"), ("t", "y"), u=[0, 0])


def test_mistakes_of_calls_from_python():
    f, t, y = made(), np.zeros(1), np.zeros(2)
    for words, arrays in {
        "takes 3 arrays": (t, y),
        'port "y" .* at least 2 numbers': (t, t, y),
        'port "dy" .* writeable float64': (t, y, np.zeros(2, int)),
        'port "t" ': (0.0, y, np.zeros(2)),
        "shares memory with an input": (t, y, y),
    }.items():
        with pytest.raises(CompileError, match=words):
            f(*arrays)
    shared = np.zeros(3)
    f(t, shared[:2], shared[2:].repeat(2))
    with pytest.raises(CompileError, match="shares memory"):
        f(t, shared[:2], shared[1:])


@native
def wait(f: Kernel, flag: Array, t: Array, y: Array, dy: Array, most: int) -> int:
    i = 0
    while flag[0] == 0.0 and i < most:
        f(t, y, dy)  # might change the flag, as far as the compiler knows: it is read every time
        i += 1
    return i


def test_the_interpreter_runs_meanwhile():
    # native code goes on until another thread, which needs the interpreter, has seen it at work
    flag, y, dy, most = np.zeros(1), np.ones(2), np.zeros(2), 10**10

    def other() -> None:
        while dy[0] == 0.0:
            time.sleep(1e-4)
        flag[0] = 1.0

    thread = threading.Thread(target=other)
    thread.start()
    assert 0 < wait(made(), flag, np.zeros(1), y, dy, most) < most
    thread.join()
