"""The bridge to SymPy: the same numbers come out there."""

import sys

import numpy as np
import pytest
from strategies import OPERATIONS, inputs_for, random_function

from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.ir.functions.blocks import call, map, repeat
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import sin, where
from hapsis.compiler.ir.graph.expr import parameter, symbol, symbols
from hapsis.compiler.ir.text.sympy_bridge import to_sympy
from hapsis.errors import CompileError

sympy = pytest.importorskip("sympy")


def test_expressions():
    x, y = symbol("x"), symbol("y")
    a, b = sympy.symbols("x y", real=True)
    assert to_sympy(x * x - y / 4.0) == a**2 - sympy.Float(0.25) * b
    assert to_sympy(-sin(x)) == -sympy.sin(a)
    assert to_sympy(where(x < y, x, y)).subs({a: 1, b: 2}) == 1
    assert sympy.diff(to_sympy(sin(x * y)), a) == b * sympy.cos(a * b)


@pytest.mark.parametrize("seed", range(12))
def test_random_functions_give_the_same_numbers(seed):
    function = random_function(seed, 8, names=tuple(OPERATIONS), n_out=2)
    flat = inputs_for(function, seed, 1)[:, 0]
    found = to_sympy(function)
    names = [
        function.graph.symbols[function.graph.nodes[r >> 2][1]].name
        for port in function.inputs
        for r in port.refs
    ]
    values = dict(zip([*names, *function.parameters], flat, strict=True))
    numbers = {sympy.Symbol(name, real=True): value for name, value in values.items()}
    got = [*found["y"], found["z"]]
    got = [float(sympy.N(x.subs(numbers) if hasattr(x, "subs") else x)) for x in got]
    np.testing.assert_allclose(got, python.evaluate(function, flat), rtol=1e-9, atol=1e-12)


def test_shapes_and_blocks():
    q, x, k = symbols("q", 2), symbol("x"), parameter("k", 3.0)
    square = Function("square", {"x": x}, {"y": x * x * k})
    f = Function(
        "f",
        {"q": q},
        {
            "m": np.array([[q[0], q[1]], [q[1], q[0]]]),
            "c": call(square, q[0]),
            "s": map(square, q, add_into={"y": ([0, 0], 1)}),
            "r": repeat(square, q[0], times=2),
        },
    )
    found = to_sympy(f)
    a, b, c = (sympy.Symbol(name, real=True) for name in ("q[0]", "q[1]", "k"))
    assert found["m"] == sympy.Matrix([[a, b], [b, a]])
    assert found["c"] == c * a**2
    assert sympy.expand(found["s"][0]) == c * a**2 + c * b**2
    assert sympy.expand(found["r"]) == c**3 * a**4


def test_limits_and_names():
    x = symbol("x")
    stopping = Function("s", {"x": x}, {"x": x * 0.5, "done": x < 1.0})
    with pytest.raises(CompileError, match="stops early"):
        to_sympy(Function("f", {"x": x}, {"y": repeat(stopping, x, times=3)}))
    body = Function("b", {"x": x}, {"x": sin(x)})
    with pytest.raises(CompileError, match="too deeply for SymPy"):
        to_sympy(Function("f", {"x": x}, {"y": repeat(body, x, times=100_000)}))
    with pytest.raises(CompileError, match="too many for SymPy"):
        to_sympy(Function("f", {"x": x}, {"y": map(body, np.full(9000, 0.5) * x)}))
    odd, clash = symbol("__import__('os')"), symbol("x1")
    found = to_sympy(odd * clash + odd).free_symbols
    assert len(found) == 2 and all(str(s).isidentifier() for s in found)


def test_sympy_is_an_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(CompileError, match=r"(pip install|./run add) sympy"):
        to_sympy(symbol("x"))
