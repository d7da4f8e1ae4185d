"""LaTeX of expressions and Functions."""

import re

import numpy as np
import pytest

from hapsis.compiler.ir.functions.blocks import call
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.elementary_functions import (
    abs,
    atan2,
    cos,
    exp,
    floor,
    maximum,
    minimum,
    power,
    sign,
    sin,
    sqrt,
    where,
)
from hapsis.compiler.ir.graph.expr import Expr, parameter, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.text.latex import LIMIT, label, latex
from hapsis.errors import CompileError


@pytest.mark.parametrize(
    "name, text",
    [
        ("x", "x"),
        ("q2", "q_{2}"),
        ("q[2]", "q_{2}"),
        ("A[1,2]", "A_{1,2}"),
        ("theta", r"\theta"),
        ("theta1", r"\theta_{1}"),
        ("arm.mass", r"\mathrm{arm}_{\mathrm{mass}}"),
        ("l_a", "l_{a}"),
        ("_", "x"),
    ],
)
def test_names(name, text):
    assert label(name) == text


def test_formulas():
    graph = Graph()  # a fresh one: the order of terms is that of the nodes
    x, y = symbol("x", graph=graph), symbol("y", graph=graph)
    brackets = r"\left(x + y\right)"
    assert latex(x + y) == "x + y"
    assert latex(-(x + y)) in ("-x - y", rf"-{brackets}")
    assert latex(x - y * 2.0) == r"x - 2\,y"
    assert latex((x + y) * sin(x)) == rf"{brackets}\,\sin\left(x\right)"
    assert latex(x / (x + y)) == r"\frac{x}{x + y}"
    assert latex(sqrt(x * x + 2.0)) == r"\sqrt{2 + x^{2}}"
    assert latex((x + y) * (x + y)) == rf"{brackets}^{{2}}"
    assert latex(1e-7 * x) == r"1 \cdot 10^{-7}\,x"
    assert latex(abs(x)) == r"\left|x\right|"
    assert latex(floor(x)) == r"\left\lfloor x \right\rfloor"
    assert latex(power(x, y)) == "x^{y}"
    assert latex(atan2(x, y)) == r"\operatorname{atan2}\left(x,y\right)"
    assert latex(where(x < y, x, 1.0)) == (
        r"\begin{cases} x & \text{if } \left[x < y\right] \\ 1 & \text{otherwise} \end{cases}"
    )
    for other in (exp(x), cos(x), minimum(x, y), maximum(x, y), sign(x), x <= y, x == y):
        assert "\\" in latex(other)


def test_signs_survive():
    graph = Graph()
    x, y, z = (symbol(name, graph=graph) for name in "xyz")
    assert latex(x - (y - z)).replace(" ", "") in ("x-\\left(y-z\\right)", "x-y+z")
    assert latex(sin(x - y)).count("-") == 1


def test_functions_have_lines():
    q, k = symbols("q", 2), parameter("k", 2.0)
    shared = sin(q[0]) * k
    inner = Function("inner", {"q": q}, {"y": q[0] * q[1]})
    kept = call(inner, q)
    f = Function("f", {"q": q}, {"y": np.array([shared + kept, shared * q[1]]), "z": shared})
    text = latex(f)
    lines = text.splitlines()
    assert lines[0] == r"\begin{aligned}" and lines[-1] == r"\end{aligned}"
    assert any(line.startswith("t_{0} &=") for line in lines)
    assert r"\operatorname{block}_{0}" in text
    assert [line.split(" &=")[0] for line in lines[-4:-1]] == [r"y\left[0\right]", r"y\left[1\right]", "z"]


def test_names_that_are_not_plain_are_numbered():
    graph = Graph()
    for name in (r"\input{x}", "$x$", "%", "{", "a b", "\u202e", "x" * 50):
        assert latex(_expr(graph, name)) in {f"x_{{{k}}}" for k in range(9)}
    # distinct symbols look distinct
    other = Graph()
    texts = latex(_expr(other, "q2") + _expr(other, "q[2]") + _expr(other, "q_2"))
    assert len(set(texts.split(" + "))) == 3


def _expr(graph, name):
    return Expr(graph, graph.symbol(name))


def test_too_large():
    x = symbol("x")
    long = x
    for k in range(LIMIT):
        long = sin(long) + float(k)
    with pytest.raises(CompileError, match=rf"\d+ nodes are too many for LaTeX, which takes {LIMIT}"):
        latex(long)
    deep = x
    for k in range(60):
        deep = deep * sin(deep) + float(k)
    with pytest.raises(CompileError, match="make a Function of it"):
        latex(deep)
    assert len(latex(Function("f", {"x": x}, {"y": deep}))) < 10_000


def test_every_operation_is_written():
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    for op in range(ops.ADD, ops.LOOKUP):
        n = 1 if op in ops.UNARY else 3 if op == ops.SELECT else 2
        text = latex(Expr(graph, graph.node(op, *(x, y, x)[:n])))
        assert text and text.count("{") == text.count("}")
        assert len(re.findall(r"\\left", text)) == len(re.findall(r"\\right", text))
