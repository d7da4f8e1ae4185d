"""Numbers and formulas: the grammar, its limits, and the same values as Python's own arithmetic."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import number, real

NAMES = {"a": 0.7, "L.1": -1.3, "_rho": 2.5, "left.arm.m": 0.01}


@pytest.mark.parametrize(
    "text, value",
    [
        ("1", 1.0),
        ("-1.5", -1.5),
        ("+2.", 2.0),
        (".5", 0.5),
        ("2e-3", 2e-3),
        ("1E+2", 100.0),
        ("0", 0.0),
        ("-0", 0.0),
        ("1e-310", 0.0),
        ("1e-999", 0.0),
        ("1.7976931348623157e308", sys.float_info.max),
    ],
)
def test_number_reads_the_one_grammar(text, value):
    read = number(text)
    assert read == value and math.copysign(1, read) == math.copysign(1, value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1 ",
        "1_0",
        "0x10",
        "inf",
        "infinity",
        "nan",
        "1,5",
        "1e",
        ".",
        "e5",
        "1e400",
        "--1",
        "1.2.3",
        "١",
        "１",
        "1\n",
        "true",
        "1e5.0",
        "9" * 2000,
    ],
)
def test_number_refuses_everything_else_with_the_place(text):
    with pytest.raises(ModelError) as caught:
        number(text, "arm.yaml:3:7")
    assert str(caught.value).startswith("arm.yaml:3:7: ")
    assert len(str(caught.value)) < 200


def test_a_comma_gets_its_own_advice():
    with pytest.raises(ModelError, match="decimal point"):
        number("1,5")


@pytest.mark.parametrize("x", [1, np.float32(0.5), np.int64(3), 2.5, np.float64(-1)])
def test_real_takes_every_kind_of_number(x):
    assert real(x, "x") == float(x) and type(real(x, "x")) is float


@pytest.mark.parametrize(
    "x", [True, np.bool_(True), "1", None, math.nan, math.inf, -math.inf, 10**400, 1j, [1.0]]
)
def test_real_refuses_what_is_no_finite_number(x):
    with pytest.raises(ModelError, match="the mass"):
        real(x, "the mass")


# a formula as a tree of our own: (text, value, strength of its outermost operator)
def leaves():
    numbers = st.floats(0.001, 1000).map(lambda x: (repr(x), x, 9))
    names = st.sampled_from(sorted(NAMES.items())).map(lambda item: (item[0], item[1], 9))
    return numbers | names | st.just(("pi", math.pi, 9))


ONE = "sin cos tan asin acos atan exp log sqrt abs".split()
TWO = {"atan2": hs.atan2, "min": hs.minimum, "max": hs.maximum}


@st.composite
def larger(draw, inner):
    kind = draw(st.sampled_from(["+", "-", "*", "/", "^", "neg", "one", "two", "()"]))
    x, u, strength = draw(inner)
    if kind == "()":
        return f"( {x})", u, 9
    if kind == "neg":
        return "-" + (x if strength >= 3 else f"({x})"), -u, 3
    if kind == "one":
        name = draw(st.sampled_from(ONE))
        return f"{name}({x})", tried(getattr(hs, name), u), 9
    y, w, other = draw(inner)
    if kind == "two":
        name = draw(st.sampled_from(sorted(TWO)))
        return f"{name}({x},\t{y})", tried(TWO[name], u, w), 9
    level = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}[kind]
    # ^ takes the right side first, and a minus there; the others take the left side first
    left = x if (strength > level if kind == "^" else strength >= level) else f"({x})"
    right = y if (other >= 3 if kind == "^" else other > level) else f"({y})"
    python = {
        "+": lambda p, q: p + q,
        "-": lambda p, q: p - q,
        "*": lambda p, q: p * q,
        "/": lambda p, q: p / q,
        "^": hs.power,
    }
    gap = draw(st.sampled_from(["", " "]))
    return f"{left}{gap}{kind}{gap}{right}", tried(python[kind], u, w), level


def tried(f, *x):
    """The value, or nan as soon as a part of it is no finite number."""
    try:
        value = f(*x) if all(map(math.isfinite, x)) else math.nan
    except ZeroDivisionError:
        return math.nan
    return value if math.isfinite(value) else math.nan


@settings(max_examples=300)
@given(st.recursive(leaves(), larger, max_leaves=12))
def test_a_formula_has_the_value_of_its_tree_to_the_bit(tree):
    text, value, _ = tree
    formula = Formula(text)
    if math.isfinite(value):
        assert formula.value(NAMES) == value


SIGNS = ["+", "-", "*", "/", "^", " * -", "^-", "-(", "*(", "/(", "^("]


@settings(max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(SIGNS), st.integers(1, 3)), max_size=10))
def test_python_reads_the_same_text_the_same_way(parts):
    text = "2.0" + "".join(f"{sign}{digit}.0" for sign, digit in parts)
    text += ")" * text.count("(")
    try:
        value = eval(text.replace("^", "**"), {"__builtins__": {}})  # digits and signs only
    except (ZeroDivisionError, OverflowError):
        return
    if isinstance(value, float) and math.isfinite(value):
        assert Formula(text).value({}) == pytest.approx(value, rel=1e-9, abs=1e-9)


@settings(max_examples=100)
@given(st.recursive(leaves(), larger, max_leaves=8))
def test_expressions_and_numbers_give_the_same(tree):
    text, value, _ = tree
    if math.isnan(value):
        return
    formula = Formula(text)
    symbols = {name: hs.symbol(name) for name in NAMES}
    traced = formula.value(symbols)
    if formula.names:
        f = hs.compile(hs.Function("f", symbols, {"y": traced}), "python")
        traced = float(np.asarray(f(*NAMES.values())))
    assert float(traced) == pytest.approx(formula.value(NAMES), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "text, value",
    [
        ("-2^2", -4),
        ("2^3^2", 512),
        ("2^-1", 0.5),
        ("8/4/2", 1),
        ("8-4-2", 2),
        ("-2*-3", 6),
        ("2*pi", 2 * math.pi),
        ("--2", 2),
        ("+2-+3", -1),
        ("2e1", 20),
        ("max(1,2)-min(1,2)", 1),
    ],
)
def test_what_binds_first(text, value):
    assert Formula(text).value({}) == value


@pytest.mark.parametrize(
    "text, column",
    [
        ("", 1),
        ("1 +", 4),
        ("(1", 3),
        ("1)", 2),
        ("2 L", 3),
        ("1_0", 2),
        ("0x10", 2),
        ("a ** 2", 4),
        ("sin", 1),
        ("sin()", 5),
        ("sin(1, 2)", 1),
        ("atan2(1)", 1),
        ("sinus(1)", 1),
        ("a, b", 2),
        ("a;b", 2),
        ("α + 1", 1),
        ("1 − 2", 3),
        ("__import__('os')", 1),
        ("a.", 2),
        (".a", 1),
        ("L[0]", 2),
        ("1e999", 1),
    ],
)
def test_errors_say_the_column(text, column):
    with pytest.raises(ModelError, match=rf"column {column}\b"):
        Formula(text)


def test_a_wrong_function_hints_at_the_right_one():
    with pytest.raises(ModelError, match='did you mean "sqrt"'):
        Formula("sqr(2)")


def test_budgets():
    assert Formula("+".join(["1"] * 500)).value({}) == 500
    with pytest.raises(ModelError, match="more than 1000"):
        Formula("+".join(["1"] * 501))
    assert Formula("(" * 49 + "1" + ")" * 49).value({}) == 1
    for text in ("(" * 50 + "1" + ")" * 50, "-" * 50 + "1", "^".join("1" * 51), "(" * 19_999):
        with pytest.raises(ModelError, match="deep"):
            Formula(text)
    with pytest.raises(ModelError, match="characters"):
        Formula("1" + " " * 20_000)


def test_equality_names_and_values():
    assert Formula("a + b") == Formula("a + b") != Formula("b + a")
    assert len({Formula("a"), Formula("a")}) == 1
    assert Formula("sin(a)*pi + b.c").names == {"a", "b.c"}
    assert str(Formula("a*2")) == "a*2"
    with pytest.raises(ModelError, match=r'"rho", which is no parameter.*did you mean "rho1"'):
        Formula("2*rho").value({"rho1": 1.0})


@pytest.mark.parametrize("text", ["1/0", "log(0)", "sqrt(-1)", "10^400", "asin(2)", "(-8)^(1/3)"])
def test_a_value_is_finite(text):
    with pytest.raises(ModelError, match="no finite value"):
        Formula(text).value({})


@given(st.recursive(leaves(), larger, max_leaves=8))
@settings(max_examples=100)
def test_a_prefix_renames_the_parameters_only(tree):
    text, value, _ = tree
    formula = Formula(text).prefixed("one").prefixed("two")
    assert formula.names == {f"two.one.{name}" for name in Formula(text).names}
    if not math.isnan(value):
        named = {f"two.one.{name}": x for name, x in NAMES.items()}
        assert formula.value(named) == Formula(text).value(NAMES)


def test_time_keeps_its_name():
    assert Formula("sin(w * t)").prefixed("left") == Formula("sin(left.w * t)")
