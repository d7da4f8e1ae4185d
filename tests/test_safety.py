"""Names from outside never reach generated text; graphs out of budget fail with one clear line."""

import itertools
import re

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.backends.llvm import llvm
from hapsis.compiler.ir.graph import constructors

HOSTILE = [
    'x"; system("rm")',
    "a\nb",
    "*/ evil /*",
    "while",
    "int",
    "%d%n",
    "\\",
    "'",
    "`ls`",
    "$(ls)",
    "é\u202egnirts",
    "\u0000",
    "a" * 1_000_000,
    "",
    " ",
    "f0",
    "in0",
    "v1",
    "__import__('os')",
    "@f0",
    "}\ndefine void @x() {",
    "%v1 = fadd",
    "<!--",
    "]]>",
    "\r\n#pragma",
    "??/",
    "end",
    "p1",
]
NEUTRAL = [f"n{k}" for k in range(len(HOSTILE))]


def machine(names: list[str]) -> hs.Function:
    """One Function with every name of the list somewhere: inputs, outputs, parameters, bodies."""
    supply = itertools.cycle(names)
    x = hs.symbols(next(supply), 3)
    k, m = hs.parameter(next(supply), 2.0), hs.parameter(next(supply) + "2", 3.0)
    y = hs.symbols(next(supply) + "body", 3)
    spring = hs.Function(next(supply), {next(supply): y}, {next(supply): hs.sin(y) * k})
    s = hs.symbol(next(supply) + "state")
    step = hs.Function(next(supply), {next(supply): s}, {next(supply): s - hs.exp(s) * m / 9.0})
    rows = np.stack([x, x * 2.0])
    more = {next(supply) + str(j): hs.symbol(n + "s") for j, n in enumerate(names)}
    total = sum(more.values())
    outputs = {
        next(supply): hs.call(spring, x),
        next(supply) + "b": hs.map(spring, rows),
        next(supply) + "c": hs.repeat(step, x[0], times=3) + total,
    }
    return hs.Function(next(supply), {"x": x, **more}, outputs)


@pytest.mark.parametrize("language", ["c", "python", "matlab"])
def test_generated_text_is_the_neutral_one_but_for_identifiers(language):
    """Names bring no other sign than letters, digits and underscores; see also test_generated_names."""
    texts = [hs.source(machine(names), language) for names in (HOSTILE, NEUTRAL)]
    assert texts[0].isascii() and len(texts[0]) < 100_000
    hostile, neutral = (sorted({*re.sub(r"\w+", "", text)}) for text in texts)
    assert hostile == neutral


@pytest.mark.parametrize("contract", [False, True])
def test_llvm_text_is_the_neutral_one_byte_by_byte(contract):
    assert llvm.source(machine(HOSTILE), contract=contract) == llvm.source(
        machine(NEUTRAL), contract=contract
    )


def test_hostile_names_run_and_print():
    function = machine(HOSTILE)
    f = hs.compile(function)
    assert np.isfinite(f(np.ones(3), *np.ones(len(HOSTILE)))[0]).all()
    for text in (str(function), repr(function), repr(f), str(hs.explain(function))):
        assert len(text) < 20_000
        for name in ("system", "*/", "\u202e", "__import__", "define void @x"):
            assert name not in text


def test_errors_stay_one_short_line_whatever_the_name():
    for name in HOSTILE:
        function = hs.Function(name, {"x": hs.symbol("x")}, {"y": hs.symbol("x")})
        f = hs.compile(function, "python")
        for call in (lambda f=f: f(), lambda f=f, n=name: f(1.0, **{n or "q": 2.0})):
            with pytest.raises(hs.CompileError) as caught:
                call()
            text = str(caught.value)
            assert len(text) < 400 and "\n" not in text and "\u202e" not in text


def test_a_graph_out_of_budget_is_refused(monkeypatch):
    monkeypatch.setattr(constructors, "NODE_LIMIT", 1000)
    graph = hs.Function("f", {"x": hs.symbol("fresh")}, {"y": 1.0}).graph
    del graph
    from hapsis.compiler.ir.graph.graph import Graph

    small = Graph()
    x = hs.Expr(small, small.symbol("x"))
    with pytest.raises(hs.CompileError, match="more than 1,000 nodes: split the formula"):
        for k in range(2000):
            x = x * x + float(k)


def test_loops_out_of_budget_are_refused():
    x = hs.symbol("x")
    f = hs.Function("f", {"x": x}, {"y": x + 1})
    with pytest.raises(hs.CompileError, match="1 to 10,000,000 times"):
        hs.repeat(f, x, times=10**9)


def test_deep_formulas_do_not_recurse():
    x = hs.symbol("x")
    y = x
    for k in range(20_000):
        y = hs.sin(y) + 1.0 / (k + 1)
    f = hs.Function("deep", {"x": x}, {"y": y})
    assert np.isfinite(hs.compile(f, "python")(0.3))
    assert len(repr(y)) < 100 and len(str(f)) > 1000
    assert np.isfinite(hs.compile(f.jacobian("y", "x"), contract=False)(0.3))
