"""Formulas and listings read as what they mean, and no name can deform them."""

import math
import re

import ir_values
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.text import printer
from hapsis.compiler.ir.text.printer import Printer, formula, listing, number, plain, signature

MATH = {
    **{n: getattr(math, n) for n in "sqrt sin cos tan asin acos atan2 exp log pow".split()},
    "abs": abs,
    "min": min,
    "max": max,
    "floor": math.floor,
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
    "select": lambda c, x, y: x if c else y,
}


@pytest.fixture
def g():
    return Graph()


def symbols(g, names, kind="other"):
    return [hs.symbol(name, kind, graph=g) for name in names.split()]


# -- names and numbers -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x", "q12", "_a", "arm.mass", "q[0]", "A[1,2]", "x" * 40, "T_1"])
def test_plain_names_are_kept(name):
    assert plain(name, "x0") == name


HOSTILE = ["", "1x", "x y", "x\n", "x;y", "x(1)", "π", "x" * 41, "a-b", '"', "x\x1b[2J", "x'", "[0]"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_never_appear(name, g):
    assert plain(name, "x0") == "x0"
    other, x = hs.symbol("other", graph=g), hs.symbol(name, graph=g)
    k = hs.parameter(name, 2.0, graph=g)
    assert repr(x * 2 + other) in ("other + 2*x1", "2*x1 + other") and repr(hs.sin(k)) == "sin(p0)"
    f = hs.Function(name, {name: [x, other]}, {name: [x * k, hs.sin(x)], "ok": x})
    assert repr(f) == "function(x0[2]; p[1]) -> y0[2], ok"
    lines = str(f).splitlines()
    assert [line.split(" = ")[0].strip() for line in lines[1:-1]] == ["y0[0]", "y0[1]", "ok"]
    assert str(f).isascii()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (2.0, "2"),
        (999999.0, "999999"),
        (1e6, "1000000.0"),
        (1e22, "1e+22"),
        (0.1, "0.1"),
        (1e-9, "1e-09"),
        (2.5, "2.5"),
        (1 / 3, "0.3333333333333333"),
    ],
)
def test_numbers_are_short_and_exact(value, text):
    assert number(value) == text and float(text) == value
    assert number(-value) == ("-" + text if value else "0")


# -- formulas --------------------------------------------------------------------------------------


def test_sums_and_products(g):
    x, y, z = symbols(g, "x y z")
    for text, expression in {
        "x + y": x + y,
        "x - y": x - y,
        "-x + y": y - x,
        "-x - y": -(x + y),
        "-x": -x,
        "x + y + z": x + (y + z),
        "x - y - z": x - (y + z),
        "x*y": y * x,
        "-x*y": -(y * x),
        "2*x": x + x,
        "-2*x": -2 * x,
        "x*(y + z)": (y + z) * x,
        "-x*(y - z)": (z - y) * x,
        "x*y*z": x * (y * z),
        "1 + x": x + 1,
        "-1 + x": x - 1,
        "1 - x": 1 - x,
        "0.5*x": x / 2,
        "x/y": x / y,
        "-x/y": -x / y,
        "x/(y*z)": x / (y * z),
        "x/y/z": (x / y) / z,
        "x*z/y": x / (y / z),
        "(x + y)/z": (x + y) / z,
        "1/x": 1 / x,
        "x/(y + z)": x / (y + z),
        "sin(x)": hs.sin(x),
        "-sin(x)": hs.sin(-x),
        "sin(x - y)": hs.sin(x - y),
        "exp(-x)": hs.exp(-x),
        "2*y*exp(-x)": hs.exp(-x) * y * 2,
        "(x < y)": x < y,
        "(x <= y)": x <= y,
        "(x == y)": x == y,
        "1 - (x == y)": x != y,
        "min(-x, y)": hs.minimum(y, -x),
        "atan2(x, -y)": hs.atan2(x, -y),
        "pow(x, y)": x**y,
        "select((x < 0), -x, 2*y)": hs.where(x < 0, -x, 2 * y),
        "sqrt(1 + x*x)": hs.sqrt(x * x + 1),
        "min(x, -2)": hs.minimum(x, -2.0),
        "floor(x)": hs.floor(x),
        "0": x - x,
        "-2.5": x * 0 - 2.5,
    }.items():
        assert repr(expression) == text


def test_the_order_of_terms_is_mass_length_force_coordinate_then_the_rest(g):
    q = hs.symbol("q1", "coordinate", graph=g)
    o, f, l, m = (
        hs.symbol(n, k, graph=g) for n, k in zip("oflm", ("other", "force", "length", "mass"), strict=True)
    )
    assert repr(hs.cos(q) * hs.sin(q) * o * q * f * l * m * 3) == "3*m*l*f*q1*o*cos(q1)*sin(q1)"
    assert repr(o + q + f + l + m + 3.0) == "3 + m + l + f + q1 + o"
    assert repr(hs.sin(q) + hs.exp(q) + m * l + o) == "o + sin(q1) + m*l + exp(q1)"
    b, a = symbols(g, "b a", "mass")
    assert repr(b + a) == "a + b" and repr(l * b + l * a) == "a*l + b*l"
    p = hs.parameter("p", 1.0, "mass", graph=g)
    assert repr(p * l) == "p*l" and repr(o * p) == "p*o"


def test_sines_are_ordered_by_their_coordinates(g):
    q2, q1, q14 = symbols(g, "q2 q1 q14", "coordinate")
    assert repr(hs.sin(q2) * hs.cos(q1) * hs.cos(q2)) == "cos(q1)*cos(q2)*sin(q2)"
    assert repr(hs.sin(q14) + hs.sin(q2)) == "sin(q2) + sin(q14)"


def test_short_names_of_sines_and_cosines(g):
    q1, q2, q4, q14 = symbols(g, "q1 q2 q4 q14", "coordinate")
    x = hs.symbol("x", graph=g)
    for expression, text in {
        hs.sin(q2).ref: "S2",
        hs.cos(q2 + q4).ref: "C24",
        hs.cos(q14 + q2).ref: "C2p14",
        hs.sin(q4 + q1 + q2).ref: "S124",
        hs.sin(q14).ref: "S14",
        hs.sin(-q2).ref: "-S2",
        hs.sin(q1 - q2).ref: "sin(q1 - q2)",
        hs.cos(x).ref: "cos(x)",
        hs.cos(2 * q1).ref: "cos(2*q1)",
        hs.cos(q1 + 1).ref: "cos(1 + q1)",
        (hs.sin(q1) * hs.cos(q2)).ref: "S1*C2",
        hs.sin(q1 + x).ref: "sin(q1 + x)",
        hs.tan(q1).ref: "tan(q1)",
    }.items():
        assert formula(Expr(g, expression), short=True) == text
        assert not re.search(r"\b[SC]\d", formula(Expr(g, expression)))
    q9, q10 = symbols(g, "q9 q10")
    assert formula(hs.cos(q9 + q10), short=True) == "C9p10"
    assert formula(hs.cos(q9 + q1), short=True) == "C19"
    k = hs.parameter("k1", 1.0, graph=g)
    assert formula(hs.sin(k), short=True) == "sin(k1)"


def test_long_angles_and_repeated_ones_stay_written_out(g):
    many = symbols(g, " ".join(f"q{k}" for k in range(40)))
    assert formula(hs.sin(sum(many[:16])), short=True).startswith("S0p1p")
    assert formula(hs.sin(sum(many[:17])), short=True).startswith("sin(q0 + q1")
    a, b = many[:2]
    for _ in range(60):
        a, b = b, a + b
    Printer(g)._order(hs.sin(b).ref)  # does not write all of it out


def test_what_is_too_long_is_only_counted(g):
    x, y = symbols(g, "x y")
    total, deep, shared = x, x, (x, y)
    for k in range(30):
        total = total + hs.sin(x * (k + 2.0))
        deep = hs.sin(hs.cos(deep))
        shared = (shared[1], shared[0] + shared[1])
    assert repr(total).count("sin") == 30 and repr(deep).count("sin") == 30
    assert repr(shared[1]) == "<expression of 32 nodes>"
    for _ in range(60):
        deep = hs.sin(hs.cos(deep))
    assert repr(deep) == "<expression of 181 nodes>"
    for k in range(400):
        total = total + y * (k + 2.5)
    assert re.fullmatch(r"<expression of \d+ nodes>", repr(total))


def test_the_limits_of_a_formula_are_exact(g, monkeypatch):
    x, y = symbols(g, "x y")
    e = hs.sin(x * y)
    monkeypatch.setattr(printer, "LONGEST", 4)
    monkeypatch.setattr(printer, "DEEPEST", 3)
    assert repr(e) == "sin(x*y)"
    monkeypatch.setattr(printer, "LONGEST", 3)
    assert repr(e) == "<expression of 4 nodes>"
    monkeypatch.setattr(printer, "LONGEST", 4)
    monkeypatch.setattr(printer, "DEEPEST", 2)
    assert repr(e) == "<expression of 4 nodes>"
    assert repr(x) == "x" and repr(x * 0) == "0"
    monkeypatch.setattr(printer, "DEEPEST", 3)
    assert repr(hs.exp(-x * y)) == "exp(-x*y)"
    monkeypatch.setattr(printer, "LONGEST", 3)
    assert repr(hs.exp(-x * y)) == "<expression of 4 nodes>"


LEAVES = ["x", "y", "z", 2.0, -3.0, 0.5, 1.0]
TWO = [ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.MIN, ops.MAX, ops.LT, ops.LE, ops.ATAN2]
ONE = [ops.SIN, ops.COS, ops.ABS, ops.EXP, ops.FLOOR, ops.SIGN]


def trees():
    return st.recursive(
        st.sampled_from(LEAVES),
        lambda inner: (
            st.tuples(st.sampled_from(TWO), inner, inner)
            | st.tuples(st.sampled_from(ONE), inner)
            | st.tuples(st.just(ops.SELECT), inner, inner, inner)
        ),
        max_leaves=10,
    )


def planted(g, tree):
    if isinstance(tree, tuple):
        return g.node(tree[0], *(planted(g, part) for part in tree[1:]))
    return g.symbol(tree) if isinstance(tree, str) else g.constant(tree)


@settings(max_examples=120, deadline=None)
@given(trees())
def test_a_formula_evaluates_to_what_it_says(tree):
    g = Graph()
    ref = planted(g, tree)
    at = {"x": 0.7, "y": -1.3, "z": 2.1}
    expected = ir_values.at(g, [ref], {g.symbol(n) >> 2: v for n, v in at.items()})[0]
    if not abs(expected) < 1e12:
        return
    for e, value in ((Expr(g, ref), expected), (Expr(g, negated(ref)), -expected)):
        try:
            found = eval(repr(e), {**MATH, **at})
        except (ZeroDivisionError, OverflowError):
            return
        assert float(found) == pytest.approx(value, rel=1e-9, abs=1e-9)


# -- Functions -------------------------------------------------------------------------------------


def test_signatures(g):
    x, a, s = hs.symbols("x", 3, graph=g), hs.symbols("A", 2, 2, graph=g), hs.symbol("s", graph=g)
    k = hs.parameter("k", 1.0, graph=g)
    f = hs.Function("f", {"x": x, "A": a, "s": s}, {"y": a @ a, "r": s * x[0]})
    assert signature(f) == repr(f) == "f(x[3], A[2, 2], s) -> y[2, 2], r"
    h = hs.Function("h", {"s": s}, {"y": s * k})
    assert signature(h) == "h(s; p[1]) -> y"
    assert signature(hs.Function("c", {}, {"y": [1.0]})) == "c() -> y[1]"


def test_a_listing_names_what_is_shared(g):
    x, y = symbols(g, "x y")
    s = hs.sin(x) + y
    f = hs.Function("f", {"x": x, "y": y}, {"a": [s * s, 1 / s], "b": -s, "c": hs.cos(y)})
    assert (
        listing(f)
        == str(f)
        == (
            "f(x, y) -> a[2], b, c:\n"
            "    t0 = y + sin(x)\n"
            "    a[0] = t0*t0\n"
            "    a[1] = 1/t0\n"
            "    b = -t0\n"
            "    c = cos(y)\n"
            "    # 1 add, 1 mul, 1 div, 2 trig"
        )
    )


def test_a_listing_writes_angles_out(g):
    (q,) = symbols(g, "q1", "coordinate")
    assert "y = sin(q1)" in str(hs.Function("f", {"q": q}, {"y": hs.sin(q)}))


def test_a_listing_breaks_long_formulas(g):
    x = hs.symbols("x", 40, graph=g)
    f = hs.Function("f", {"x": x}, {"y": hs.exp(sum(hs.sin(v) for v in x))})
    lines = str(f).splitlines()[1:-1]
    assert len(lines) > 3 and all(len(line) < 400 for line in lines)
    assert lines[0].startswith("    t0 = ") and lines[1].endswith(" + t0")
    deep = x[0]
    for _ in range(3000):
        deep = hs.sin(deep) * 2
    assert len(str(hs.Function("f", {"x": x}, {"y": deep})).splitlines()) > 100
    wide = hs.symbols("q", 2000, graph=g)
    text = str(hs.Function("f", {"q": wide}, {"y": hs.sin(sum(wide)) + 1.0}))
    assert text.count("\n") > 50


def test_a_listing_shows_blocks(g):
    x = hs.symbols("x", 2, graph=g)
    body = hs.Function("b", {"x": x}, {"y": [x[0] * x[1], x[0]]})
    y = hs.call(body, x * 2)
    z = hs.call(hs.Function("c", {"x": x}, {"y": x[0]}), y)
    f = hs.Function("f", {"x": x}, {"y": -y[1], "z": z})
    assert str(f).splitlines()[1:-1] == [
        "    t0 = b(2*x[0], 2*x[1])",
        "    t1 = c(t0[0], t0[1])",
        "    y = -t0[1]",
        "    z = t1",
    ]
    assert repr(y[0] * 3) == "3*b(2*x[0], 2*x[1])[0]"


def test_blocks_are_called_by_their_kind_and_name(g):
    x = hs.symbols("x", 2, graph=g)
    step = hs.Function("a b", {"x": x[0]}, {"y": x[0] * 2})
    assert repr(hs.map(step, x)[1]) == "map function(x[0], x[1])[1]"
    assert repr(hs.repeat(step, x[1], times=3)) == "repeat function(x[1])"


def test_scalars_of_matrices_are_listed_by_row_and_column(g):
    x = hs.symbols("x", 2, 3, graph=g)
    lines = str(hs.Function("f", {"x": x}, {"y": x, "z": x[0]})).splitlines()
    assert lines[3] == "    y[0,2] = x[0,2]" and lines[5] == "    y[1,1] = x[1,1]"
    assert lines[7] == "    z[0] = x[0,0]" and len(lines) == 11


@settings(max_examples=40, deadline=None)
@given(strategies.functions(max_nodes=25, blocks=False))
def test_a_listing_runs_as_python(f):
    flat = [float(v) for v in strategies.inputs_for(f, batch=1)[:, 0]]
    names = dict(MATH)
    slots = iter(flat)
    for port in f.inputs:
        if port.shape == (2, 2):
            values = {(i, j): next(slots) for i in range(2) for j in range(2)}
        else:
            values = [next(slots) for _ in port.refs]
        names[port.name] = values
    names["s"] = {(): names["s"][0]}
    names |= dict(zip(f.parameters, slots, strict=True))
    names["y"] = {}
    # a scalar input of these Functions is the symbol s[]
    text = "\n".join(line.strip() for line in str(f).replace("s[]", "s[()]").splitlines()[1:])
    exec(text, names)
    found = [*(names["y"][k] for k in range(len(f.outputs[0].refs))), names["z"]]
    assert found == pytest.approx(ir_values.of(f, flat), rel=1e-9, abs=1e-9)


def test_named_nodes_print_by_name(g):
    x, y = symbols(g, "x y")
    s = x + y
    printer = Printer(g, {s.ref >> 2: "t7"})
    assert printer.text((s * x).ref) in ("x*t7", "t7*x") and printer.text((-s).ref) == "-t7"
    assert printer.text(hs.minimum(-s, x).ref) in ("min(x, -t7)", "min(-t7, x)")
    assert printer.text((x / s).ref) == "x/t7" and printer.text((1 - s).ref) == "1 - t7"
