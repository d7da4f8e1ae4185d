"""Expressions behave as numbers do, in every order and in every array."""

import gc
import math
import operator
import re
import threading
import weakref

import ir_values
import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.expr import Expr, apply, current_graph, reference
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import CompileError

AT = {"x": 0.75, "y": -1.25, "z": 2.5}


@pytest.fixture
def xyz():
    graph = Graph()
    return [hs.symbol(name, graph=graph) for name in "xyz"]


def number(e):
    """The value of an expression, or of an array of them, at AT."""
    if isinstance(e, np.ndarray):
        return np.array([number(item) for item in e.ravel()]).reshape(e.shape)
    if not isinstance(e, Expr):
        return e
    leaves = {e.graph.symbol(s.name, s.kind) >> 2: AT[s.name] for s in e.graph.symbols}
    return ir_values.at(e.graph, [e.ref], leaves)[0]


def refused(message):
    return pytest.raises(CompileError, match=f"^[^\\n]*{re.escape(message)}[^\\n]*$")


OPERATORS = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_operators_in_both_orders(xyz, op):
    x, y, _ = xyz
    for a, b in ((x, y), (x, 2.0), (2.0, x), (x, 3), (-4, x), (x, np.float64(0.75)), (x, True)):
        result = op(a, b)
        assert isinstance(result, Expr)
        assert number(result) == pytest.approx(float(op(number(a), number(b))), rel=1e-15)
    assert number(op(np.float64(1.5), x)) == pytest.approx(float(op(1.5, AT["x"])), rel=1e-15)


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_operators_with_arrays_of_numbers(xyz, op):
    x = xyz[0]
    numbers = np.array([[0.75, 2.0], [-3.0, 0.5]])
    for a, b in ((x, numbers), (numbers, x), (x, numbers.tolist())):
        result = op(a, b)
        assert result.shape == (2, 2) and result.dtype == object
        expected = op(np.asarray(number(a)), np.asarray(number(b))).astype(float)
        assert number(result) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("op", OPERATORS[:4], ids=lambda op: op.__name__)
def test_operators_with_arrays_of_expressions(xyz, op):
    x, y, z = xyz
    array = np.array([y, z, x])
    for a, b in ((array, x), (x, array), (array, 2.0), (2.0, array), (array, array[::-1])):
        result = op(a, b)
        assert number(result) == pytest.approx(op(number(a), number(b)), rel=1e-15)
    assert op(array[:, None], array[None, :]).shape == (3, 3)


def test_signs_powers_and_magnitude(xyz):
    x, y, z = xyz
    assert number(-x) == -0.75 and hs.same(+x, x) and hs.same(operator.neg(-x), x)
    assert number(abs(y)) == 1.25 and hs.same(abs(-y), abs(y))
    assert number(z**2) == 6.25 and number(2.0**x) == pytest.approx(2**0.75)
    assert number(z**x) == pytest.approx(2.5**0.75) and hs.same(z**0.5, hs.sqrt(z))
    assert number(np.array([x, y]) ** 2) == pytest.approx([0.5625, 1.5625])
    assert number(z ** np.array([1.0, 3.0])) == pytest.approx([2.5, 15.625])


def test_matrices_multiply(xyz):
    x, y, z = xyz
    a, b = np.array([[x, y], [z, 1.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])
    assert number(a @ b) == pytest.approx(number(a) @ b)
    assert number(b @ a) == pytest.approx(b @ number(a))
    assert number(a @ a @ np.array([x, y])) == pytest.approx(number(a) @ number(a) @ [0.75, -1.25])
    assert number(a.T.sum(axis=0)) == pytest.approx(number(a).T.sum(axis=0))


def test_comparisons_are_one_or_zero(xyz):
    x, y, _ = xyz
    for a in (-1.0, 0.75, 2.0):
        for op in OPERATORS[4:]:
            assert number(op(x, a)) == float(op(0.75, a))
            assert number(op(a, x)) == float(op(a, 0.75))
    assert hs.same(x > y, y < x) and hs.same(x >= y, y <= x) and hs.same(x == y, y == x)
    assert not hs.same(x < y, x <= y)


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_and_or_not_have_their_truth_tables(xyz, a, b):
    x, y, _ = xyz
    p = x > 0 if a else x < 0
    q = y < 0 if b else y > 0
    assert number(p & q) == float(a and b) and number(p | q) == float(a or b)
    assert number(~p) == float(not a) and hs.same(~~p, p)
    assert number(~(p & q)) == number(~p | ~q) and number(~(p | q)) == number(~p & ~q)
    assert number(p & b) == number(b & p) == float(a and b)
    assert number(p | b) == number(b | p) == float(a or b)
    assert number(p & 1.0) == number(p) and number((p | q) & ~p) == float(b and not a)
    assert list(number(p & np.array([0.0, 1.0]))) == [0.0, float(a)]
    assert number((x != 0.75) | p) == float(a)


def test_and_or_not_take_comparisons_only(xyz):
    x, y, _ = xyz
    p = x < 0
    two = hs.symbol("two", graph=x.graph) * 0 + 2
    bad = [x, y, p + p, 2 * p, -p, p - 1, two, p * x, 1 - x, 2 - p, x - p]
    bad += [hs.maximum(p, y), hs.maximum(x, 1.0)]
    for wrong in bad:
        for use in (lambda e: e & p, lambda e: p & e, lambda e: e | p, lambda e: p | e, operator.inv):
            with refused("& | ~ take comparisons such as (x < 0) & (y > 1)"):
                use(wrong)
    for wrong in (2, 0.5, np.array([0, 3]), np.array([x]), [p, x], math.nan):
        with refused("& | ~ take comparisons"):
            p & wrong
        with refused("& | ~ take comparisons"):
            p | wrong


def test_a_condition_may_be_older_than_the_number_one_in_the_graph():
    x = hs.symbol("x", graph=Graph())
    p = x < 1.0
    assert p.ref < ops.ONE and (~p).ref & 1
    assert number(~p & p) == 0.0 and number(~p | p) == 1.0


def test_many_conditions_may_be_joined(xyz):
    x, y, _ = xyz
    every = x < 100
    for k in range(400):  # deeper than recursion would go
        every = ~(every & (y < k))
    assert number(every) in (0.0, 1.0)


def test_an_expression_is_no_number_and_no_truth_yet(xyz):
    x, y, _ = xyz
    with refused("an expression has no truth value yet: use hs.where(condition, a, b) instead of if"):
        bool(x < y)
    with refused("an expression is not a number yet: compile a Function of it and call that"):
        float(x)
    with refused("an expression is not a number yet"):
        float(-x)
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
    assert float(x - x) == 0.0 and float(x * 0 - 2.5) == -2.5
    with pytest.raises(AttributeError):
        x.color = "red"


def test_graphs_do_not_mix(xyz):
    other = hs.symbol("x", graph=Graph())
    for use in (operator.add, operator.sub, operator.mul, operator.truediv, operator.lt):
        with refused("expressions of two graphs cannot be mixed: make all symbols in one thread"):
            use(xyz[0], other)
    assert not hs.same(xyz[0], other) and not hs.same(xyz[0], xyz[1])


@pytest.mark.parametrize("wrong", ["3", "a", None, 1j, {}, object(), 10**400, b"x"])
def test_only_numbers_are_taken(xyz, wrong):
    x = xyz[0]
    with refused(f"a {type(wrong).__name__} cannot be part of an expression: use numbers and"):
        x + wrong
    with refused("cannot be part of an expression"):
        wrong * x
    with refused("a constant must be a finite number, not nan"):
        x + math.nan


def test_references_of_numbers_and_expressions(xyz):
    x = xyz[0]
    assert reference(x.graph, x) == x.ref and reference(x.graph, 1) == ops.ONE
    assert reference(x.graph, np.float32(0.5)) == x.graph.constant(0.5)


def test_numbers_alone_stay_numbers():
    assert apply(ops.ADD, 1, 2) == 3.0 and type(apply(ops.ADD, 1, 2)) is float
    both = apply(ops.MUL, [1.0, 2.0], (3.0, 4.0))
    assert both.dtype == float and list(both) == [3.0, 8.0]
    assert apply(ops.ADD, np.ones((2, 1)), np.ones(3)).shape == (2, 3)
    assert apply(ops.DIV, 1.0, 0.0) == math.inf and math.isnan(apply(ops.SQRT, -1.0))


# -- symbols and parameters ------------------------------------------------------------------------


def test_symbols_are_named_row_by_row():
    graph = Graph()
    q, a = hs.symbols("q", 2, kind="coordinate", graph=graph), hs.symbols("A", 2, 2, graph=graph)
    assert [s.name for s in graph.symbols] == ["q[0]", "q[1]", "A[0,0]", "A[0,1]", "A[1,0]", "A[1,1]"]
    assert [s.kind for s in graph.symbols] == ["coordinate"] * 2 + ["other"] * 4
    assert q.shape == (2,) and a.shape == (2, 2) and q.dtype == object
    assert hs.same(q[1], hs.symbols("q", 2, kind="coordinate", graph=graph)[1])


@pytest.mark.parametrize("kind", ops.KINDS)
def test_kinds_and_values_are_kept(kind):
    graph = Graph()
    hs.symbol("s", kind, graph=graph)
    hs.parameter("p", 3, kind, graph=graph)
    assert graph.symbols[0] == ("s", kind, None) and graph.parameters[0] == ("p", kind, 3.0)
    assert type(graph.parameters[0].value) is float


def test_symbols_need_a_shape():
    for shape in ((), (-1,), (2, -3)):
        with refused("symbols takes the lengths of its axes, as in hs.symbols('q', 7)"):
            hs.symbols("q", *shape)
    assert hs.symbols("q", 0).shape == (0,) and hs.symbols("q", 2, 0).shape == (2, 0)


def test_a_wrong_kind_and_a_wrong_value_are_refused():
    with refused('"mas" is no kind of symbol (did you mean "mass"?): use one of mass, length, fo'):
        hs.symbol("m", "mas")
    with refused("is no kind of symbol: use one of"):
        hs.symbols("m", 2, kind="?\n?")
    with refused("is no kind of symbol"):
        hs.parameter("m", 1.0, "weight")
    for value in (math.nan, math.inf, -math.inf):
        with refused(f'the value of parameter "k" must be finite, not {value}'):
            hs.parameter("k", value)


def in_a_thread(task):
    found = []
    thread = threading.Thread(target=lambda: found.append(task()))
    thread.start()
    thread.join()
    return found[0]


def test_the_current_graph_goes_with_its_last_expression():
    def task():
        x = hs.symbol("x", "mass")
        graph = weakref.ref(x.graph)
        assert current_graph() is graph() is hs.symbol("y").graph
        total = x + 1
        del x
        assert current_graph() is graph()
        del total
        gone = graph() is None
        return gone and len(hs.symbol("z").graph.nodes) == 1

    gc.disable()  # no collection is needed for that
    try:
        assert in_a_thread(task)
    finally:
        gc.enable()


def test_each_thread_has_its_own_graph():
    x = hs.symbol("x")
    assert in_a_thread(lambda: hs.symbol("x").graph) is not x.graph
    assert hs.symbol("x").graph is x.graph is hs.symbols("v", 2)[0].graph
    assert hs.parameter("p", 1.0).graph is x.graph
    own = Graph()
    assert hs.symbol("x", graph=own).graph is own is hs.parameter("p", 2.0, graph=own).graph
    assert hs.symbols("v", 1, graph=own)[0].graph is own
    assert current_graph() is x.graph
