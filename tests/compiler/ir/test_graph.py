"""Equal expressions are one reference; signs sit on edges; numbers fold."""

import math

import ir_values
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import constructors, ops
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.graph.ops import ONE, ZERO
from hapsis.errors import CompileError


@pytest.fixture
def g():
    return Graph()


@pytest.fixture
def x(g):
    return g.symbol("x")


@pytest.fixture
def y(g):
    return g.symbol("y")


@pytest.fixture
def z(g):
    return g.symbol("z")


# -- the tables ------------------------------------------------------------------------------------


def test_every_operation_has_a_name_an_arity_and_a_price():
    inner = set(range(ops.ADD, len(ops.NAMES)))
    assert ops.NAMES[ops.SIGN] == "sign" and ops.LOOKUP == len(ops.NAMES) - 1
    assert [ops.NAMES[k] for k in (ops.SYMBOL, ops.OUT, ops.ADD, ops.POW, ops.SELECT)] == [
        "symbol",
        "out",
        "add",
        "pow",
        "select",
    ]
    assert ops.UNARY | ops.BINARY | {ops.SELECT, ops.LOOKUP} == inner
    assert not ops.UNARY & ops.BINARY
    assert set(ops.COUNTED) == inner and set(ops.COUNTED.values()) == set(ops.PRICE)
    assert ops.ODD | ops.EVEN <= ops.UNARY
    assert ops.COMMUTATIVE | ops.COMPARISONS <= ops.BINARY
    assert ops.FIRST == [2] * 4 + [1] * 23 + [2]


@pytest.mark.parametrize("op", sorted(ops.ODD | ops.EVEN))
def test_parity_is_true(op):
    sign = -1.0 if op in ops.ODD else 1.0
    assert ir_values.REAL[op](-0.6) == sign * ir_values.REAL[op](0.6)


@pytest.mark.parametrize("op", sorted(ops.COMMUTATIVE))
def test_symmetry_is_true(op):
    assert ir_values.REAL[op](0.6, -2.0) == ir_values.REAL[op](-2.0, 0.6)


def test_references_are_index_constant_and_sign(g, x, y):
    assert (x, y) == (0, 4)
    assert g.node(ops.SIN, y) == 8
    assert (ZERO, ONE, g.constant(2.0), g.constant(3.0)) == (2, 6, 10, 14)
    assert g.constants == [0.0, 1.0, 2.0, 3.0]
    assert g.nodes == [(ops.SYMBOL, 0), (ops.SYMBOL, 1), (ops.SIN, y)]
    assert g.operands(2) == (y,) and g.operands(0) == ()


# -- one expression, one node ----------------------------------------------------------------------

BINARY = [ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.ATAN2, ops.POW, ops.MIN, ops.LT, ops.LE, ops.EQ]


@pytest.mark.parametrize("op", BINARY)
def test_equal_expressions_are_one_reference(g, x, y, op):
    first = g.node(op, x, y)
    count = len(g.nodes)
    assert g.node(op, x, y) == first
    assert len(g.nodes) == count


@pytest.mark.parametrize("op", sorted(ops.UNARY))
def test_every_function_of_one_operand_is_one_node(g, x, op):
    assert g.node(op, x) == 4 == g.node(op, x)
    assert g.nodes[1] == (op, x)


def test_a_difference_is_its_reverse_with_the_sign_turned(g, x, y):
    assert g.sub(x, y) == negated(g.sub(y, x))
    assert g.add(negated(x), y) == g.sub(y, x)
    assert g.add(negated(x), negated(y)) == negated(g.add(x, y)) == g.sub(negated(x), y)
    assert len(g.nodes) == 4
    assert g.nodes[2:] == [(ops.SUB, x, y), (ops.ADD, x, y)]


@pytest.mark.parametrize("op", [ops.ADD, ops.MUL, ops.MIN, ops.MAX, ops.EQ])
def test_the_order_of_two_operands_does_not_matter(g, x, y, op):
    three = g.constant(3.0)
    assert g.node(op, x, y) == g.node(op, y, x)
    assert g.node(op, y, three) == g.node(op, three, y)


@pytest.mark.parametrize("op", [ops.DIV, ops.ATAN2, ops.POW, ops.LT, ops.LE])
def test_the_order_of_two_operands_matters(g, x, y, op):
    assert g.node(op, x, y) != g.node(op, y, x)


def test_named_constructors_are_those_of_the_operations(g, x, y):
    assert g.node(ops.ADD, x, y) == g.add(x, y)
    assert g.node(ops.SUB, x, y) == g.sub(x, y)
    assert g.node(ops.MUL, x, y) == g.mul(x, y)
    assert g.node(ops.DIV, x, y) == g.div(x, y)
    assert len({g.add(x, y), g.sub(x, y), g.mul(x, y), g.div(x, y)}) == 4


def test_signs_of_products_and_quotients_go_to_the_result(g, x, y):
    for make in (g.mul, g.div):
        plain = make(x, y)
        assert not plain & 1
        assert make(negated(x), y) == make(x, negated(y)) == negated(plain)
        assert make(negated(x), negated(y)) == plain


def test_other_functions_keep_the_sign_of_their_operand(g, x, y):
    for op in sorted(ops.UNARY - ops.ODD - ops.EVEN):
        ref = g.node(op, negated(x))
        assert not ref & 1 and g.nodes[ref >> 2] == (op, negated(x))
    assert g.node(ops.MIN, negated(x), y) != g.node(ops.MIN, x, y)


def test_minus_zero_is_zero():
    assert negated(ZERO) == ZERO
    assert negated(ONE) == ONE ^ 1 and negated(negated(ONE)) == ONE


def test_zero_is_never_signed(g, x):
    minus = negated(x)
    assert g.mul(minus, ZERO) == g.mul(ZERO, minus) == ZERO
    assert g.div(ZERO, minus) == g.sub(ZERO, ZERO) == g.add(x, minus) == g.add(minus, x) == ZERO
    assert g.sub(x, x) == g.sub(minus, minus) == ZERO
    assert g.sub(x, ZERO) == x and g.sub(ZERO, x) == minus
    assert g.node(ops.SIN, ZERO) == g.node(ops.SIGN, ZERO) == ZERO
    assert g.mul(g.constant(-1e-300), g.constant(1e-300)) == ZERO
    assert g.div(g.constant(-1e-300), g.constant(1e300)) == ZERO


def test_one_is_neutral_with_either_sign(g, x):
    minus = negated(ONE)
    assert g.mul(ONE, x) == g.mul(x, ONE) == g.div(x, ONE) == x
    assert g.mul(minus, x) == g.mul(x, minus) == g.div(x, minus) == negated(x)
    assert g.div(x, x) == ONE and g.div(negated(x), x) == minus


# -- numbers ---------------------------------------------------------------------------------------


def test_a_constant_is_stored_once_without_its_sign(g):
    assert g.constant(-2.5) == negated(g.constant(2.5))
    assert g.value(g.constant(-2.5)) == -2.5 and g.value(g.constant(2.5)) == 2.5
    assert g.constants == [0.0, 1.0, 2.5]
    assert g.constant(0.0) == g.constant(-0.0) == ZERO and g.constant(1) == ONE
    assert g.constant(-1.0) == negated(ONE)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_constant_is_finite(g, value):
    with pytest.raises(CompileError, match=r"a constant must be a finite number, not (nan|inf)$"):
        g.constant(value)
    assert g.constants == [0.0, 1.0]


FOLDS = [
    (ops.ADD, (1.5, 2.0)),
    (ops.SUB, (1.5, 2.0)),
    (ops.MUL, (-1.5, 2.0)),
    (ops.DIV, (49.0, 49.0)),
    (ops.DIV, (10.0, 3.0)),
    (ops.DIV, (-1.0, 3.0)),
    (ops.SQRT, (2.0,)),
    (ops.ABS, (-2.0,)),
    (ops.MIN, (3.0, -2.0)),
    (ops.MAX, (3.0, -2.0)),
    (ops.LT, (1.0, 2.0)),
    (ops.LE, (2.0, 2.0)),
    (ops.EQ, (2.0, 3.0)),
    (ops.SELECT, (-1.0, 5.0, 7.0)),
    (ops.SELECT, (0.0, 5.0, 7.0)),
    (ops.FLOOR, (-2.5,)),
    (ops.SIGN, (-2.5,)),
    (ops.POW, (2.0, -3.0)),
    (ops.LT, (2.0, 1.0)),
]


@pytest.mark.parametrize(("op", "values"), FOLDS)
def test_constants_fold_to_the_value_of_the_operation(g, op, values):
    ref = g.node(op, *map(g.constant, values))
    assert ref & 2 and g.nodes == []
    assert g.value(ref) == ir_values.REAL[op](*values)


@given(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_arithmetic_of_constants_is_exact(x, y):
    g = Graph()
    for op in (ops.ADD, ops.SUB, ops.MUL, ops.DIV):
        expected = ir_values.REAL[op](x, y)
        if math.isfinite(expected):
            assert g.value(g.node(op, g.constant(x), g.constant(y))) == expected


@pytest.mark.parametrize(
    ("op", "values"),
    [
        (ops.DIV, (1.0, 0.0)),
        (ops.DIV, (0.0, 0.0)),
        (ops.SQRT, (-1.0,)),
        (ops.LOG, (0.0,)),
        (ops.MUL, (1e200, -1e200)),
        (ops.ADD, (1.7e308, 1.6e308)),
        (ops.ASIN, (2.0,)),
        (ops.ACOS, (-2.0,)),
        (ops.EXP, (1e4,)),
        (ops.POW, (-2.0, 0.3)),
        (ops.POW, (0.0, -1.0)),
        (ops.DIV, (1e300, -1e-300)),
    ],
)
def test_what_is_not_finite_stays_a_node(g, op, values):
    ref = g.node(op, *map(g.constant, values))
    assert not ref & 2
    expected = ir_values.REAL[op](*values)
    assert repr(ir_values.at(g, [ref], {})[0]).strip("-") == repr(expected).strip("-")
    assert g.node(op, *map(g.constant, values)) == ref


def test_a_constant_comes_first_in_a_product(g, x, y):
    three = g.constant(3.0)
    ref = g.mul(y, three)
    assert g.nodes[ref >> 2] == (ops.MUL, three, y) and ref == g.mul(three, y)
    big = [g.constant(float(k)) for k in range(5, 40)][-1]
    ref = g.mul(big, x)  # whatever its number
    assert g.nodes[ref >> 2] == (ops.MUL, big, x)


def test_constants_of_nested_products_meet(g, x):
    half, four = g.constant(0.5), g.constant(-4.0)
    assert g.mul(four, g.mul(half, x)) == g.mul(g.constant(-2.0), x)
    assert g.mul(g.constant(2.0), g.mul(half, x)) == x
    assert g.mul(g.constant(-2.0), g.mul(half, x)) == negated(x)
    assert g.div(g.mul(half, x), four) == g.mul(g.constant(-0.125), x)


def test_dividing_by_a_number_multiplies(g, x):
    assert g.div(x, g.constant(4.0)) == g.mul(g.constant(0.25), x)
    assert g.div(x, g.constant(-4.0)) == g.mul(g.constant(-0.25), x)
    for divisor in (ZERO, g.constant(1e-310)):  # no finite reciprocal
        ref = g.div(x, divisor)
        assert g.nodes[ref >> 2] == (ops.DIV, x, divisor)


def test_select_takes_a_side_when_the_condition_is_known(g, x, y):
    assert g.node(ops.SELECT, ONE, x, y) == x
    assert g.node(ops.SELECT, g.constant(-3.0), x, y) == x
    assert g.node(ops.SELECT, ZERO, x, y) == y
    assert g.node(ops.SELECT, x, ONE, ZERO) == g.node(ops.SELECT, x, ONE, ZERO)
    assert g.nodes[g.node(ops.SELECT, x, ONE, ZERO) >> 2] == (ops.SELECT, x, ONE, ZERO)


# -- powers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("exponent", [*range(-9, 10), 31, 32, -32, 0.5, -0.5, 1.5, 7.5, -31.5, 31.5])
def test_whole_and_half_powers_are_products_and_a_root(g, x, exponent):
    ref = g.node(ops.POW, x, g.constant(float(exponent)))
    used = {g.nodes[k][0] for k in g.live([ref])} - {ops.SYMBOL}
    assert used <= {ops.MUL, ops.SQRT, ops.DIV}
    assert (ops.SQRT in used) == (exponent % 1 != 0) and (ops.DIV in used) == (exponent < 0)
    value = ir_values.at(g, [ref], {x >> 2: 1.1})[0]
    assert value == pytest.approx(1.1**exponent, rel=1e-14)


@pytest.mark.parametrize(("exponent", "products"), [(2, 1), (3, 2), (4, 2), (8, 3), (15, 6), (32, 5)])
def test_powers_square_repeatedly(g, x, exponent, products):
    g.node(ops.POW, x, g.constant(float(exponent)))
    assert len(g.nodes) == 1 + products


@pytest.mark.parametrize("exponent", [0.25, 1.75, -0.3, 32.5, 33.0, -33.0, 1e308, math.pi])
def test_other_powers_stay_powers(g, x, exponent):
    ref = g.node(ops.POW, x, g.constant(exponent))
    assert g.nodes[ref >> 2] == (ops.POW, x, g.constant(exponent))


def test_powers_of_a_number_stay_powers(g, x):
    ref = g.node(ops.POW, g.constant(2.0), x)
    assert g.nodes[ref >> 2] == (ops.POW, g.constant(2.0), x)


# -- symbols, blocks, limits -----------------------------------------------------------------------


def test_a_name_is_one_leaf(g):
    assert g.symbol("a", "mass") == g.symbol("a", "mass")
    assert g.parameter("a", 2, "length") == g.parameter("a", 2.0, "length") != g.symbol("a", "mass")
    assert [tuple(s) for s in g.symbols] == [("a", "mass", None)]
    assert [tuple(s) for s in g.parameters] == [("a", "length", 2.0)]
    assert g.nodes == [(ops.SYMBOL, 0), (ops.PARAMETER, 0)]


def test_kind_and_value_belong_to_the_name(g):
    assert g.symbol("a", "mass") != g.symbol("a", "length")
    assert g.parameter("k", 2.0) != g.parameter("k", 3.0)
    assert [s.kind for s in g.symbols] == ["mass", "length"]
    assert [s.value for s in g.parameters] == [2.0, 3.0]


def test_the_graph_refuses_to_grow_without_bound(monkeypatch):
    monkeypatch.setattr(constructors, "NODE_LIMIT", 10)
    g = Graph()
    for k in range(10):
        g.symbol(f"x{k}")
    with pytest.raises(CompileError, match="the graph has more than 10 nodes: split the formula"):
        for k in range(3):
            g.symbol(f"y{k}")
    assert 10 <= len(g.nodes) <= 11
    assert g.symbol("x3") == 12  # what is there can still be found


def test_a_block_is_stored_once(g, x, y):
    from hapsis.compiler.ir.functions.blocks import Call

    def body():
        own = Graph()
        a = own.symbol("a")
        port = Port("b", (2,), (own.mul(a, a), negated(a)))
        return Call(Function.of("f", own, [Port("a", (), (a,))], [port]))

    first, second, again = g.block(body(), [x]), g.block(body(), [y]), g.block(body(), [x])
    assert len(g.blocks) == 1 and first == again != second and len(first) == 2
    call = g.block_call(body(), [x])
    assert g.nodes[call >> 2] == (ops.BLOCK, 0, x) and g.operands(call >> 2) == (x,)
    assert [g.nodes[r >> 2] for r in first] == [(ops.OUT, 0, call), (ops.OUT, 1, call)]


def test_live_nodes_are_what_is_needed_in_order(g, x, y, z):
    a = g.mul(x, y)
    g.node(ops.SIN, z)
    b = g.add(a, g.constant(2.0))
    assert g.live([b]) == [0, 1, a >> 2, b >> 2]
    assert g.live([negated(b), z]) == [0, 1, 2, a >> 2, b >> 2]
    assert g.live([a, ONE]) == [0, 1, a >> 2]
    assert g.live([]) == g.live([ZERO, ONE]) == []
    assert g.live([x]) == [0] and g.live([y]) == [1]


def test_related_operands_are_seen_whatever_their_place(g, x, y, z):
    xy, three, seven = g.add(x, y), g.constant(3.0), g.constant(7.0)
    assert g.sub(xy, y) == x and g.sub(y, xy) == negated(x) and g.sub(xy, g.add(y, z)) == g.sub(x, z)
    assert g.sub(g.add(x, seven), seven) == x and g.sub(three, g.add(three, x)) == negated(x)
    assert g.mul(g.div(three, x), x) == three and g.mul(g.div(x, y), y) == x
    assert g.add(g.mul(three, x), g.mul(seven, x)) == g.mul(g.constant(10.0), x)
    assert g.add(x, g.mul(seven, x)) == g.mul(g.constant(8.0), x)
    late = [g.constant(k + 0.5) for k in range(60)][-1]  # a reference above all nodes
    assert g.sub(g.add(x, late), late) == x and g.sub(late, g.add(late, x)) == negated(x)
    # a number of a node that looks like an operand's reference is none
    assert g.nodes[g.add(g.node(ops.SIN, z), three) >> 2][0] == ops.ADD


def test_products_of_constants_without_a_finite_value(g, x):
    huge = g.constant(1e200)
    never = g.mul(huge, g.constant(1.1e200))
    assert [node[0] for node in g.nodes] == [ops.SYMBOL, ops.MUL]
    assert g.mul(huge, huge) != never and g.mul(never, x) == g.mul(x, never)
    assert g.mul(g.constant(1e-100), never) == g.constant(1e-100 * 1e200 * 1.1e200)
    assert not g.add(g.constant(1.7e308), g.constant(1.6e308)) & 2


def test_deep_graphs_need_no_recursion(g, x):
    ref = x
    for _ in range(5000):
        ref = g.node(ops.SIN, ref)
    assert len(g.live([ref])) == 5001
