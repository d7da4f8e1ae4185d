"""Each rule is a law of arithmetic, and the graph keeps it."""

import itertools
import math
from fractions import Fraction

import ir_values
import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hapsis.compiler.ir.graph import ops, rules
from hapsis.compiler.ir.graph.graph import Graph, negated

NORMAL = rules.NORMAL_FORMS.strip().splitlines()
STRUCTURAL = rules.STRUCTURAL.strip().splitlines()
EVERY = [pytest.param(text, id=text.replace(" ", "")) for text in NORMAL + STRUCTURAL]

NUMPY = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "abs": np.abs,
    "sign": np.sign,
    "sqrt": np.sqrt,
    "log": np.log,
    "exp": np.exp,
    "floor": np.floor,
    "pow": np.power,
    "min": np.minimum,
    "max": np.maximum,
    "eq": lambda x, y: np.float64(x == y),
    "lt": lambda x, y: np.float64(x < y),
    "select": lambda c, x, y: x if c else y,
}


def letters(pattern):
    if pattern.name:
        return {pattern.name}
    return set().union(*map(letters, pattern.parts))


def bindings(graph, names, order, signs, deep):
    """The letters bound to signed symbols (or formulas of them), the constants to numbers."""
    found = {"c": graph.constant(2.5), "d": graph.constant(-3.0)}
    for name in order:
        ref = graph.symbol(name)
        if deep:
            ref = graph.node(ops.COS, graph.mul(ref, graph.symbol("u")))
        found[name] = negated(ref) if name in signs else ref
    return {name: found[name] for name in names}


def variants(rule):
    names = letters(rule.left) | letters(rule.right)
    free = sorted(names - {"c", "d"})
    for order in itertools.permutations(free):
        for mask in itertools.product((0, 1), repeat=len(free)):
            signs = [name for name, m in zip(free, mask, strict=True) if m]
            for deep in (False, True):
                graph = Graph()
                yield graph, bindings(graph, names, order, signs, deep)


@pytest.mark.parametrize("text", EVERY)
def test_the_left_side_becomes_the_right_one(text):
    rule = rules.rule(text)
    for graph, found in variants(rule):
        left = rules.built(graph, rule.left, found)
        counts = dict(graph.rule_counts)
        assert rules.built(graph, rule.right, found) == left
        assert (text in counts) == (text in STRUCTURAL)
    for graph, found in variants(rule):  # and if the right side was there first
        right = rules.built(graph, rule.right, found)
        assert rules.built(graph, rule.left, found) == right


@pytest.mark.parametrize("text", EVERY)
def test_both_sides_have_one_value(text):
    left, right = (compile(side.strip(), "rule", "eval") for side in text.split("->"))
    dice = np.random.default_rng(1)
    met = 0
    with np.errstate(all="ignore"):
        for k in range(200):
            draw = dice.choice([-1.0, 0.0, 1.0, 0.75, -2.5], 5) if k % 2 else dice.normal(size=5)
            names = dict(zip("xyzcd", draw, strict=True))
            expected = eval(left, {**NUMPY, **names})
            if np.isfinite(expected):
                met += 1
                assert eval(right, {**NUMPY, **names}) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    assert met > 20


def test_a_rule_is_read_as_written():
    found = rules.rule("  c*x + -sin(y) -> 2  ")
    assert found.text == "c*x + -sin(y) -> 2"
    any_x, any_y = (rules.Pattern(rules.ANY, name=n) for n in "xy")
    constant = rules.Pattern(rules.CONSTANT, name="c")
    sine = rules.Pattern(rules.NEGATED, (rules.Pattern(ops.SIN, (any_y,)),))
    assert found.left == rules.Pattern(ops.ADD, (rules.Pattern(ops.MUL, (constant, any_x)), sine))
    assert found.right == rules.Pattern(rules.NUMBER, value=2.0)
    assert [r.text for r in rules.RULES] == STRUCTURAL


@pytest.mark.parametrize("text", ["x[0] -> x", "x ** 2 -> x", "x -> 'y'", "sinus(x) -> x"])
def test_what_is_no_rule_is_refused(text):
    with pytest.raises((ValueError, KeyError)):
        rules.rule(text)


def test_sums_match_with_every_sign_turned():
    g = Graph()
    x, y, z = map(g.symbol, "xyz")
    assert g.sub(x, g.add(x, y)) == negated(y)
    assert g.sub(g.add(y, x), x) == y
    assert g.sub(g.sub(x, y), x) == negated(y)
    assert g.sub(g.sub(x, y), g.sub(x, z)) == g.sub(z, y)
    assert g.sub(g.sub(y, x), g.sub(z, x)) == g.sub(y, z)
    assert g.sub(negated(x), x) == g.mul(g.constant(-2.0), x)
    assert g.add(g.mul(g.constant(2.0), x), g.mul(g.constant(-3.0), x)) == negated(x)
    assert g.sub(x, g.mul(g.constant(3.0), x)) == g.mul(g.constant(-2.0), x)


def test_like_terms_that_cancel_leave_no_node():
    g = Graph()
    x = g.symbol("x")
    assert g.sub(g.mul(g.constant(2.0), x), g.add(x, x)) == ops.ZERO
    assert g.add(g.mul(g.constant(-1.0), x), x) == ops.ZERO


def test_no_rule_fits_unrelated_operands():
    g = Graph()
    x, y, z, w = map(g.symbol, "xyzw")
    for ref in (
        g.sub(g.add(x, y), g.add(z, w)),
        g.mul(g.div(x, y), z),
        g.div(g.mul(x, y), z),
        g.add(g.mul(g.constant(2.0), x), y),
        g.node(ops.MIN, x, y),
        g.node(ops.SELECT, z, x, y),
        g.mul(g.node(ops.ABS, x), g.node(ops.ABS, y)),
        g.add(g.add(x, y), x),
        g.mul(g.div(y, x), y),
        g.div(g.div(x, y), y),
        g.node(ops.LE, x, x),
        g.node(ops.EQ, x, x),
    ):
        assert not ref & 2
    assert g.rule_counts == {}


def test_rules_count_every_time_they_make_something():
    g = Graph()
    x, y = map(g.symbol, "xy")
    g.add(x, x)
    g.add(y, y)
    g.add(x, x)  # found in the table
    assert g.rule_counts == {"x + x -> 2*x": 2}
    for _ in range(2):
        g.div(g.mul(x, y), y)
        g.node(ops.SQRT, g.mul(x, x))
        g.mul(g.div(x, y), y)
    assert set(g.rule_counts.values()) == {2, 1} and len(g.rule_counts) == 4


def test_only_constants_stand_for_constants():
    g = Graph()
    x, y = map(g.symbol, "xy")
    three = g.constant(3.0)
    for ref in (g.add(g.mul(three, x), g.mul(three, y)), g.add(g.mul(x, y), x)):
        assert g.nodes[ref >> 2][0] == ops.ADD
    assert g.rule_counts == {}


# -- random formulas, built and computed without any rule ------------------------------------------

LEAVES = ["x", "y", "z", "w", 0, 1, -1, 2, -2, 0.5, 4]
EXACT_OPS = [op for op in ir_values.EXACT if op != ops.POW]
SMOOTH = {
    ops.ADD: lambda x, y: x + y,
    ops.SUB: lambda x, y: x - y,
    ops.MUL: lambda x, y: x * y,
    ops.DIV: lambda x, y: x / y,
    ops.SQRT: mpmath.sqrt,
    ops.SIN: mpmath.sin,
    ops.COS: mpmath.cos,
    ops.TAN: mpmath.tan,
    ops.EXP: mpmath.exp,
    ops.LOG: mpmath.log,
    ops.ABS: abs,
}


def bounded(function):
    """The function where its operands are of this world: the sine of exp(exp(90)) takes ages.

    Its value is a real number, too: the magnitude of sqrt(-1) is no 1 here.
    """

    def checked(*xs):
        assume(all(abs(x) < 1e30 for x in xs))
        value = function(*xs)
        assume(not isinstance(value, mpmath.mpc))
        return value

    return checked


def arity(op):
    return 1 if op in ops.UNARY else 2 if op in ops.BINARY else 3


def trees(chosen, size):
    def grown(inner):
        return st.sampled_from(chosen).flatmap(lambda op: st.tuples(st.just(op), *[inner] * arity(op)))

    powers = st.tuples(st.just(ops.POW), st.sampled_from("xyzw"), st.integers(-4, 6))
    return st.recursive(st.sampled_from(LEAVES) | powers, grown, max_leaves=size)


def planted(graph, tree):
    if isinstance(tree, tuple):
        return graph.node(tree[0], *(planted(graph, part) for part in tree[1:]))
    return graph.symbol(tree) if isinstance(tree, str) else graph.constant(float(tree))


def computed(tree, table, names, number):
    if isinstance(tree, tuple):
        return table[tree[0]](*(computed(part, table, names, number) for part in tree[1:]))
    return names[tree] if isinstance(tree, str) else number(tree)


def leaves_of(graph, names):
    return {graph.symbol(name) >> 2: value for name, value in names.items()}


def dyadic(graph):
    # folded constants that are exact numbers
    return all(c * 2**20 == int(c * 2**20) and c < 2**20 for c in graph.constants)


@settings(max_examples=150, deadline=None)
@given(trees(EXACT_OPS, 10), st.lists(st.integers(-6, 6), min_size=4, max_size=4))
def test_every_graph_has_the_exact_value_of_its_formula(tree, values):
    names = {n: Fraction(v, 2) for n, v in zip("xyzw", values, strict=True)}
    try:
        expected = computed(tree, ir_values.EXACT, names, Fraction)
    except ZeroDivisionError:
        assume(False)
    graph = Graph()
    ref = planted(graph, tree)
    assume(dyadic(graph) and not {ops.SIN, ops.COS, ops.TAN} & folded_ops(tree))
    assert ir_values.at(graph, [ref], leaves_of(graph, names), ir_values.EXACT) == [expected]


def folded_ops(tree):
    """Operations on constants alone: the graph folds the true sine, not its stand-in."""
    if not isinstance(tree, tuple):
        return set()
    graph = Graph()
    found = set().union(*map(folded_ops, tree[1:]))
    return found | ({tree[0]} if all(planted(graph, t) & 2 for t in tree[1:]) else set())


@settings(max_examples=80, deadline=None)
@given(trees(list(SMOOTH), 8), st.lists(st.integers(1, 40), min_size=4, max_size=4))
def test_every_smooth_graph_has_the_value_of_its_formula(tree, values):
    graph = Graph()
    ref = planted(graph, tree)
    assume(dyadic(graph))
    with mpmath.workdps(60):
        names = {n: mpmath.mpf(v) / 16 for n, v in zip("xyzw", values, strict=True)}
        table = {**SMOOTH, ops.POW: lambda x, y: x**y}
        table = {op: bounded(function) for op, function in table.items()}
        try:
            expected = computed(tree, table, names, mpmath.mpf)
            if not isinstance(expected, mpmath.mpf) or not abs(expected) < 1e30:
                assume(False)
            moved = ir_values.at(graph, [ref], leaves_of(graph, names), table)[0]
        except (ZeroDivisionError, ValueError, OverflowError):
            assume(False)
        assert abs(mpmath.mpmathify(moved) - expected) <= 1e-12 * (1 + abs(expected))


def test_every_rule_loses_no_value_at_the_ends_of_the_range():
    g = Graph()
    x = g.symbol("x")
    tiny, huge = g.constant(1e-200), g.constant(1e200)
    for ref, at, expected in (
        (g.mul(tiny, g.mul(tiny, x)), 1e300, 1e-100),
        (g.mul(huge, g.mul(huge, x)), 1e-300, 1e100),
        (g.div(negated(tiny), g.div(huge, x)), 1e300, -1e-100),
    ):
        value = ir_values.at(g, [ref], {x >> 2: at})[0]
        assert math.isclose(value, expected, rel_tol=1e-12)
