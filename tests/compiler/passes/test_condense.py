import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import PLAIN, functions, inputs_for, random_function

from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.cost import Cost
from hapsis.compiler.ir.graph.elementary_functions import cos, exp, sin
from hapsis.compiler.ir.graph.expr import Expr, parameter, symbol
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import KINDS
from hapsis.compiler.ir.text.printer import formula
from hapsis.compiler.passes import condense, sums
from hapsis.compiler.passes.condense import condensed, roots


class Letters:
    """Symbols by name in one graph: q... are coordinates, m... masses, l... lengths."""

    def __init__(self):
        self.graph = Graph()
        self.names = {}

    def __getattr__(self, name):
        if name not in self.names:
            kind = {"q": "coordinate", "m": "mass", "l": "length"}.get(name[0], "other")
            self.names[name] = symbol(name, kind, graph=self.graph)
        return self.names[name]

    def angle(self, digits):
        return sum((getattr(self, "q" + d) for d in digits[1:]), getattr(self, "q" + digits[0]))

    def s(self, digits):
        return sin(self.angle(digits))

    def c(self, digits):
        return cos(self.angle(digits))

    def function(self, **outputs):
        return Function("f", self.names, outputs)


def written(function, short=True):
    texts = [formula(Expr(function.graph, ref), short) for ref in function.output_refs]
    return texts[0] if len(texts) == 1 else texts


def check(function, result):
    """The laws: values kept, cost not worse, and nothing left to do."""
    x = inputs_for(function, batch=7)
    before, after = evaluate(function, x), evaluate(result, x)
    np.testing.assert_allclose(after, before, rtol=1e-12, atol=1e-12)
    assert result.cost().price <= function.cost().price
    assert condensed(result).digest == result.digest


def test_the_seed_example_comes_out_as_printed():
    a = Letters()
    s, c = a.s, a.c
    c2, c4, c56, c8, s2, s4, s56, s8 = (f(d) for f in (c, s) for d in ("2", "4", "56", "8"))
    text = (
        "C2*C4*C56*C56*S8 + C2*C4*S56*S56*S8 + C2*S4*S56*C8 + S2*C4*S56*C8 "
        "- S2*S4*C56*C56*S8 - S2*S4*S56*S56*S8"
    )
    y = (
        c2 * c4 * c56 * c56 * s8
        + c2 * c4 * s56 * s56 * s8
        + c2 * s4 * s56 * c8
        + s2 * c4 * s56 * c8
        - s2 * s4 * c56 * c56 * s8
        - s2 * s4 * s56 * s56 * s8
    )
    function = a.function(y=y)
    assert written(function) == text
    result = condensed(function)
    assert written(result) == "C24*S8 + S24*S56*C8"
    assert function.cost() == Cost(add=6, mul=20, trig=8)
    assert result.cost() == Cost(add=3, mul=3, trig=5)
    assert result.graph.rule_counts == {sums.ANGLES: 3, sums.PYTHAGORAS: 1}
    check(function, result)


RULES = {
    # angle sums, in each order of the terms and with each sign
    "C1*C2 - S1*S2": (lambda a: a.c("1") * a.c("2") - a.s("1") * a.s("2"), "C12"),
    "S1*S2 - C1*C2": (lambda a: a.s("1") * a.s("2") - a.c("1") * a.c("2"), "-C12"),
    "C1*C2 + S1*S2": (lambda a: a.c("1") * a.c("2") + a.s("1") * a.s("2"), "cos(q1 - q2)"),
    "S1*S2 + C1*C2": (lambda a: a.s("1") * a.s("2") + a.c("1") * a.c("2"), "cos(q1 - q2)"),
    "S1*C2 + C1*S2": (lambda a: a.s("1") * a.c("2") + a.c("1") * a.s("2"), "S12"),
    "S1*C2 - C1*S2": (lambda a: a.s("1") * a.c("2") - a.c("1") * a.s("2"), "sin(q1 - q2)"),
    "C1*S2 - S1*C2": (lambda a: a.c("1") * a.s("2") - a.s("1") * a.c("2"), "-sin(q1 - q2)"),
    "-S1*C2 - C1*S2": (lambda a: -a.s("1") * a.c("2") - a.c("1") * a.s("2"), "-S12"),
    "factors kept": (lambda a: a.m * a.c("1") * a.l * a.c("2") - a.s("2") * a.l * a.s("1") * a.m, "m*l*C12"),
    "coefficients kept": (
        lambda a: a.m * (3 * a.c("1")) * a.c("2") - 3 * (a.s("2") * a.m) * a.s("1"),
        "3*m*C12",
    ),
    "angles of angles": (lambda a: a.c("12") * a.c("3") - a.s("12") * a.s("3"), "C123"),
    "angles cancel": (lambda a: a.c("12") * a.c("2") + a.s("12") * a.s("2"), "C1"),
    "angles cancel, sine": (lambda a: a.s("2") * a.c("12") - a.c("2") * a.s("12"), "-S1"),
    "double angle": (lambda a: a.c("1") * a.c("1") - a.s("1") * a.s("1"), "cos(2*q1)"),
    # Pythagoras
    "one": (lambda a: a.c("1") * a.c("1") + a.s("1") * a.s("1"), "1"),
    "minus one": (lambda a: -a.c("1") * a.c("1") - a.s("1") * a.s("1"), "-1"),
    "factors stay": (lambda a: a.m * a.s("1") * a.s("1") + a.c("1") * a.m * a.c("1") + a.l, "m + l"),
    "square of cos": (lambda a: a.m - a.m * a.s("1") * a.s("1"), "m*C1*C1"),
    "square of sin": (lambda a: a.c("1") * a.c("1") * a.m - a.m, "-m*S1*S1"),
    "square of one": (lambda a: 1 - a.s("1") * a.s("1"), "C1*C1"),
    "squares meet": (lambda a: 2 - a.s("1") * a.s("1") - a.c("1") * a.c("1"), "1"),
    "a square of a product": (
        lambda a: a.c("2") * a.m - a.s("1") * (a.c("2") * (a.m * a.s("1"))),
        "m*C1*C1*C2",
    ),
    # like terms
    "twice": (lambda a: (a.x * a.y) * a.z + a.x * (a.y * a.z), "2*x*y*z"),
    "once": (lambda a: 3 * ((a.x * a.y) * a.z) - 2 * (a.x * (a.y * a.z)), "x*y*z"),
    "none": (lambda a: (a.x * a.y) * a.z + a.w - a.x * (a.y * a.z), "w"),
    "nothing at all": (lambda a: (a.x * a.y) * a.z - a.x * (a.y * a.z), "0"),
    "far apart": (lambda a: (a.x * a.y + a.z) + (a.w - a.y * a.x), "w + z"),
    "a number": (lambda a: (a.x + 1) + (a.z - (a.x + 3)), "-2 + z"),
    "under a function": (lambda a: exp(a.x + a.c("1") * a.c("1") + a.s("1") * a.s("1")), "exp(1 + x)"),
}


@pytest.mark.parametrize("name", RULES)
def test_rules(name):
    formula_of, expected = RULES[name]
    a = Letters()
    function = a.function(y=formula_of(a))
    result = condensed(function)
    assert written(result) == expected
    check(function, result)


UNTOUCHED = {
    "coefficients differ": lambda a: a.c("1") * a.c("2") - 2 * a.s("1") * a.s("2"),
    "angles differ": lambda a: a.c("1") * a.c("2") - a.s("1") * a.s("3"),
    "factors differ": lambda a: a.m * a.c("1") * a.c("2") - a.l * a.s("1") * a.s("2"),
    "a sine and its cosine": lambda a: a.s("1") * a.c("1") + a.x,
    "half a square": lambda a: a.m - 0.5 * a.m * a.s("1") * a.s("1"),
    "a square with plus": lambda a: a.m + a.m * a.s("1") * a.s("1"),
    "a square of no sine": lambda a: a.m - a.m * a.x * a.x,
    "two different sines": lambda a: a.m - a.m * a.s("1") * a.s("2"),
    "sine and cosine": lambda a: a.m * a.c("1") - a.m * a.s("1"),
    "no sum": lambda a: a.c("1") * a.c("2"),
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_no_rule_fits_is_left_alone(name):
    a = Letters()
    function = a.function(y=UNTOUCHED[name](a))
    size = len(function.graph.nodes)
    assert condensed(function) is function
    assert len(function.graph.nodes) == size


def test_a_form_that_costs_more_is_not_taken():
    a = Letters()
    c1, c2, s1, s2 = a.c("1"), a.c("2"), a.s("1"), a.s("2")
    function = a.function(y=c1 * c2 - s1 * s2, kept=[c1, c2, s1, s2])
    size = len(function.graph.nodes)
    assert condensed(function) is function
    assert len(function.graph.nodes) == size
    # the cosine it would need is not there
    function = a.function(y=a.m - a.m * s1 * s1, kept=s1)
    assert condensed(function) is function
    function = a.function(y=a.m - a.m * s1 * s1, kept=[s1, c1])
    assert written(condensed(function))[0] == "m*C1*C1"


def test_angles_that_pay_are_taken_alone():
    a = Letters()
    kept = [f(d) for f in (a.c, a.s) for d in "12345"]
    y = [a.c("1") * a.c(d) - a.s("1") * a.s(d) for d in "2345"]
    y.append(a.s("6") * a.c("7") + a.c("6") * a.s("7"))
    function = a.function(y=y, kept=kept)
    result = condensed(function)
    assert written(result)[3:5] == ["C1*C5 - S1*S5", "S67"]
    assert result.cost() == function.cost() + Cost(add=0, mul=-2, trig=-3)
    assert result.graph.rule_counts == {sums.ANGLES: 1}
    check(function, result)


def test_like_terms_pay_where_angles_do_not():
    a = Letters()
    c1, c2, s1, s2 = a.c("1"), a.c("2"), a.s("1"), a.s("2")
    like = (a.x * a.y) * a.z - a.x * (a.y * a.z) + a.z
    function = a.function(y=c1 * c2 - s1 * s2, like=like, kept=[c1, c2, s1, s2])
    result = condensed(function)
    assert written(result)[:2] == ["C1*C2 - S1*S2", "z"]
    assert result.graph.rule_counts == {sums.LIKE: 1}
    check(function, result)


def test_only_so_many_angles_are_tried(monkeypatch):
    a = Letters()
    kept = [f(d) for f in (a.c, a.s) for d in "12345"]
    y = [a.c("1") * a.c(d) - a.s("1") * a.s(d) for d in "2345"]
    y.append(a.s("6") * a.c("7") + a.c("6") * a.s("7"))
    function = a.function(y=y, kept=kept)
    monkeypatch.setattr(condense, "TRIALS", 4)
    assert condensed(function) is function
    monkeypatch.setattr(condense, "TRIALS", 5)
    assert condensed(function) is not function
    monkeypatch.setattr(condense, "WALK", 5 * len(function.live) - 1)
    assert condensed(function) is function
    monkeypatch.setattr(condense, "WALK", 5 * len(function.live))
    assert condensed(function) is not function


@pytest.mark.parametrize("n", [2, 5, 30])
def test_rotations_about_parallel_axes_fold_up(n):
    a = Letters()
    matrix = np.eye(3)
    for k in range(n):
        q = getattr(a, f"q{k}")
        c, s = cos(q), sin(q)
        matrix = matrix @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    function = a.function(R=matrix)
    result = condensed(function)
    assert result.cost() == Cost(add=n - 1, trig=2)
    assert result.graph.rule_counts == {sums.ANGLES: 2 * (n - 1)}
    check(function, result)


def test_a_rotation_and_back_is_the_identity():
    a = Letters()
    angles = [a.q1, a.q2 + a.q1]
    turns = [np.array([[cos(q), -sin(q)], [sin(q), cos(q)]]) for q in angles]
    product = turns[0] @ turns[1] @ turns[1].T @ turns[0].T
    assert written(condensed(a.function(y=product))) == ["1", "0", "0", "1"]


def test_equal_angles_become_one_node():
    a = Letters()
    y = a.c("1") * cos(a.q2 + a.q3) - a.s("1") * sin(a.q2 + a.q3)
    z = cos(a.q1 + a.q2) * a.c("3") - sin(a.q1 + a.q2) * a.s("3")
    result = condensed(a.function(y=y, z=z, w=sin((a.q3 + a.q1) + a.q2)))
    assert written(result) == ["C123", "C123", "S123"]
    assert result.cost() == Cost(add=2, trig=2)
    # opposite ones too
    y = a.c("1") * a.c("2") + a.s("1") * a.s("2")
    result = condensed(a.function(y=y, z=sin((a.q2 + a.q3) - (a.q1 + a.q3)), w=a.q1 - a.q2))
    assert result.cost() == Cost(add=1, trig=2)
    assert written(result)[1] == "-sin(q1 - q2)"


def test_inner_sums_used_elsewhere_stay():
    a = Letters()
    inner = a.x * a.y + a.z
    function = a.function(y=inner + (a.w - a.x * a.y), inner=inner)
    assert condensed(function) is function
    function = a.function(y=inner + (a.w - a.x * a.y))
    assert written(condensed(function)) == "w + z"


def test_terms_that_nothing_touches_stay_the_same_nodes():
    a = Letters()
    kept = (a.x * a.z) * a.y
    function = a.function(y=a.c("1") * a.c("1") + kept + a.s("1") * a.s("1"), kept=kept)
    result = condensed(function)
    assert result.cost() == Cost(add=1, mul=2)
    check(function, result)


def test_a_parameter_never_gets_lost():
    a = Letters()
    p = parameter("p", 2.0, graph=a.graph)
    r = parameter("r", 3.0, graph=a.graph)
    function = a.function(y=(a.x * a.y) * p - a.x * (a.y * p) + a.x * r)
    result = condensed(function)
    assert written(result) == "r*x"
    assert result.parameters == function.parameters == {"p": 2.0, "r": 3.0}
    check(function, result)


def test_blocks_are_rewritten_around():
    from hapsis.compiler.ir.functions.blocks import call

    inner = Letters()
    body = Function("g", {"x": inner.x, "y": inner.y}, {"a": inner.x * inner.y, "b": inner.y})
    a = Letters()
    one = a.c("1") * a.c("1") + a.s("1") * a.s("1")
    results = call(body, a.x + one, a.y)
    function = a.function(y=results.a + results.b)
    result = condensed(function)
    assert result.cost() == function.cost() + Cost(add=-1, mul=-2, trig=-2)
    check(function, result)


def test_the_limits():
    assert (sums.TERMS, sums.FACTORS, sums.PARTS) == (64, 12, 128)
    assert (condense.TRIALS, condense.WALK) == (16, 400_000)


def test_long_sums_and_products_are_left_alone():
    a = Letters()
    square = a.c("1") * a.c("1") + a.s("1") * a.s("1")

    def long_sum(terms):
        total = square
        for k in range(terms - 2):
            total = total + getattr(a, f"x{k}")
        return a.function(y=total)

    assert condensed(long_sum(sums.TERMS)).cost() == Cost(add=sums.TERMS - 2)
    function = long_sum(sums.TERMS + 1)
    assert condensed(function) is function

    def long_product(factors):
        product = math.prod((getattr(a, f"x{k}") for k in range(factors - 2)), start=1.0)
        return a.function(y=product * a.c("1") * a.c("1") + product * a.s("1") * a.s("1"))

    assert condensed(long_product(sums.FACTORS)).cost() == Cost(mul=sums.FACTORS - 3)
    function = long_product(sums.FACTORS + 1)
    assert condensed(function) is function
    # one such term, and the whole sum stays
    product = math.prod((getattr(a, f"x{k}") for k in range(sums.FACTORS + 1)), start=1.0)
    function = a.function(y=square + product)
    assert condensed(function) is function


@pytest.mark.parametrize("huge", [1.5e308, 1.1e100, -1.1e100])
def test_huge_coefficients_are_left_alone(huge):
    a = Letters()
    function = a.function(y=(huge * (a.x * a.y)) * a.z + (huge * a.x) * (a.y * a.z))
    assert condensed(function) is function
    function = a.function(y=huge * (huge * a.x) * a.y - huge * (huge * a.y) * a.x)
    assert condensed(function) is function
    function = a.function(y=(1e100 * (a.x * a.y)) * a.z + (1e100 * a.x) * (a.y * a.z))
    assert written(condensed(function)) == "2e+100*x*y*z"


def test_angles_of_very_many_parts_are_single_parts():
    a = Letters()
    parts = [getattr(a, f"q{k}") for k in range(sums.PARTS + 1)]
    angles = sums.Angles(a.graph)
    within = sum(parts[1:-1], parts[0])
    assert angles.of(within.ref) == (tuple((q.ref, 1.0) for q in parts[:-1]), 0)
    beyond = within + parts[-1]
    assert angles.of(beyond.ref) == (((beyond.ref, 1.0),), 0)


def test_linear_forms_of_angles():
    a = Letters()
    x, y = a.x, a.y
    angles = sums.Angles(a.graph)
    assert angles.of((3 * x - 0.5 * y).ref) == (((x.ref, 3.0), (y.ref, -0.5)), 0)
    assert angles.of((0.5 * (y - x)).ref) == (((x.ref, 0.5), (y.ref, -0.5)), 1)
    assert angles.of((-x).ref) == (((x.ref, 1.0),), 1)
    assert angles.of((x + 2.0).ref, y.ref, -1.0)[0] == tuple(
        sorted([(x.ref, 1.0), (y.ref, -1.0), (a.graph.constant(2.0), 1.0)])
    )
    assert angles.of(x.ref, x.ref, -1.0) == ((), 0)
    assert angles.of((x - y).ref, (x + y).ref, 1.0) == (((x.ref, 2.0),), 0)
    form, _ = angles.of((x - 2 * y).ref)
    assert angles.built(form) == (x - 2 * y).ref
    assert angles.same((y - x).ref) == (y - x).ref
    assert angles.same((x - y).ref) == (x - y).ref
    z = a.z
    assert angles.same(((z + x) - (y + z)).ref) == (x - y).ref
    assert angles.same(((y + z) - (x + z)).ref) == (y - x).ref


def test_factors_are_sorted_by_the_seeds_priority():
    g = Graph()
    kinds = [symbol(kind, kind, graph=g) for kind in reversed(KINDS)]
    mass = parameter("m0", 1.0, "mass", graph=g)
    x, y = kinds[0], kinds[1]
    others = [x + y, x - y, exp(x), sin(y), cos(x), *kinds, mass]
    ranked = sorted(others, key=lambda e: sums.rank(g, e.ref))
    expected = [kinds[4], mass, *kinds[3::-1], sin(y), cos(x), exp(x), x + y, x - y]
    assert [e.ref for e in ranked] == [e.ref for e in expected]


def test_roots_name_every_sum_once_and_find_the_suspects():
    a = Letters()
    plain = a.x * a.y + a.z * a.w
    twice = (a.x * a.y) * a.z + (a.w + a.x * (a.y * a.z))
    trig = a.c("1") * a.c("2") + a.s("1") * a.s("2")
    square = a.w - a.w * a.s("1") * a.s("1")
    near = a.w - a.w * a.s("1") * a.s("2")
    number = (a.w + 1.0) + a.z * a.z
    all_of_them = [plain, twice, trig, square, near, number]
    function = a.function(y=all_of_them, z=exp(plain))
    expected = [False, True, True, True, False, False]
    assert roots(function, function.uses()) == {
        e.ref >> 2: found for e, found in zip(all_of_them, expected, strict=True)
    }


@settings(max_examples=60, deadline=None)
@given(functions(max_nodes=40))
def test_laws_on_random_functions(function):
    check(function, condensed(function))


@settings(max_examples=40, deadline=None)
@given(functions(max_nodes=60, blocks=False, names=(*PLAIN, "sin", "cos", "product", "add")))
def test_laws_on_sums_and_products(function):
    check(function, condensed(function))


factor = st.tuples(st.booleans(), st.sampled_from(["1", "2", "12", "3"]))
term = st.tuples(st.sampled_from([1.0, -1.0, 2.0]), st.lists(factor, max_size=4), st.booleans())


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(term, min_size=1, max_size=8), min_size=1, max_size=3))
def test_laws_on_trigonometric_sums(rows):
    a = Letters()
    outputs = []
    for row in rows:
        total = a.x
        for coefficient, factors, with_m in row:
            product = a.m if with_m else 1.0
            for is_sin, digits in factors:
                product = product * (a.s(digits) if is_sin else a.c(digits))
            total = total + coefficient * product
        outputs.append(total)
    function = a.function(y=outputs)
    check(function, condensed(function))


def test_big_functions_keep_their_values(monkeypatch):
    function = random_function(3, 3000, reach=10.0)
    # so small a gain would be lost in reloading the factors
    assert condensed(function) is function
    monkeypatch.setattr(condense, "GAIN", 0.0)
    result = condensed(function)
    assert result.cost().price < function.cost().price
    check(function, result)


def test_hope_weighs_like_terms_and_sines():
    a = Letters()
    x, y, z = a.x, a.y, a.z
    like = (x * y) * z + (a.w + x * (y * z))
    sines = a.c("1") * a.c("2") - a.s("1") * a.s("2")
    for outputs, expected in (
        ({"y": like}, condense.LIKE_SAVES),
        ({"y": sines}, condense.SINES_SAVE),
        ({"y": [like, sines]}, condense.LIKE_SAVES + condense.SINES_SAVE),
        ({"y": x * y + z}, 0.0),
    ):
        assert condense._Rewriter(a.function(**outputs)).hope() == expected


def test_only_long_functions_must_hope_for_more(monkeypatch):
    a = Letters()
    like = (a.x * a.y) * a.z + (a.w + a.x * (a.y * a.z))
    function = a.function(y=like, z=exp(a.x * a.w + a.z))
    short = condensed(function)
    assert short is not function and short.cost().price < function.cost().price
    # as if it were long, with a gain that this one cannot reach, then with one that it can
    monkeypatch.setattr(condense, "LONG", len(function.live) - 1)
    monkeypatch.setattr(condense, "GAIN", 0.5)
    assert condensed(function) is function
    monkeypatch.setattr(condense, "GAIN", 0.01)
    assert condensed(function).cost() == short.cost()
    # at the very length it is still short
    monkeypatch.setattr(condense, "LONG", len(function.live))
    monkeypatch.setattr(condense, "GAIN", 0.5)
    assert condensed(function) is not function


def test_sines_meet_only_with_equal_weights():
    a = Letters()
    c1, s1, c2, s2 = a.c("1"), a.s("1"), a.c("2"), a.s("2")
    for terms, meet in (
        ([c1 * c2, s1 * s2], True),
        ([c1 * c2, -1.0 * s1 * s2], True),
        ([c1 * c2, 2.0 * s1 * s2], False),
        ([a.x * c1 * c2, a.y * s1 * s2], False),
        ([a.x * c1 * c2, a.x * s1 * c2, a.y], True),
        ([a.w, a.w * s1 * s1], True),
        ([a.w, 2.0 * a.w * s1 * s1], False),
        ([a.w, a.w * s1 * s2], False),
        ([a.w * c1 * c1, a.w], True),
        ([a.x * a.y, a.z], False),
        ([a.x * s1, a.x * a.y], False),
    ):
        total = sums.Sum(sums.Angles(a.graph), None)
        assert total.read(term.ref for term in terms)
        assert total.sines_meet() is meet
