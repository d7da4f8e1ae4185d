"""Tables are read at floor(index), held within the range; interpolation goes through them."""

import ir_values
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_function import refused

import hapsis as hs
from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.ir.functions import tables
from hapsis.compiler.ir.functions.tables import interpolated, table
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.cost import Cost
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import prepared

FINITE = st.floats(-1e6, 1e6)
INDEX = st.one_of(st.floats(-3, 12), st.sampled_from([np.nan, np.inf, -np.inf, -0.0, 1e300]))
ENTRIES = st.lists(FINITE, min_size=1, max_size=9)


def scalar(law, *names):
    """A Function of scalars with one output y."""
    graph = Graph()
    xs = [hs.symbol(name, graph=graph) for name in names]
    return hs.Function("f", dict(zip(names, xs, strict=True)), {"y": law(*xs)})


def run(function, *values):
    return python.evaluate(prepared(function), np.array(values, float))[0]


def held(x, n):
    return 0 if not x > 0 else n - 1 if x >= n else int(x)


# -- entries ---------------------------------------------------------------------------------------


@given(ENTRIES, INDEX)
def test_an_entry_is_that_of_the_floor_held_within_the_range(entries, x):
    tab = table(entries)
    expected = entries[held(x, len(entries))]
    assert tab(x) == expected
    f = scalar(tab, "x")
    assert run(f, x) == expected
    assert ir_values.of(f, [x]) == [expected]


@given(st.integers(1, 4), st.integers(1, 5), INDEX, INDEX)
def test_an_entry_of_a_matrix(rows, columns, x, y):
    entries = np.arange(1.0, rows * columns + 1).reshape(rows, columns)
    tab = table(entries)
    expected = entries[held(x, rows), held(y, columns)]
    assert tab(x, y) == expected
    assert run(scalar(tab, "x", "y"), x, y) == expected


def test_arrays_are_read_element_by_element():
    tab, x = table([3.0, 1.0, 2.0]), hs.symbols("x", 2)
    assert tab([0, 2.5]).tolist() == [3.0, 2.0] and tab(np.array([[1]])).shape == (1, 1)
    made = tab(x)
    assert made.shape == (2,) and hs.same(made[1], tab(x[1]))
    grid = table([[1.0, 2.0], [3.0, 4.0]])
    assert grid([0, 1], 1).tolist() == [2.0, 4.0]
    assert grid(x, [[0], [1]]).shape == (2, 2)


def test_equal_tables_are_one_and_constants_fold():
    graph = Graph()
    x = hs.symbol("x", graph=graph)
    one, two = table([1.0, 2.0, 4.0]), table(np.array([1, 2, 4]))
    assert hs.same(one(x), two(x)) and len(graph.tables) == 1
    assert not hs.same(one(x), table([1.0, 2.0, 5.0])(x)) and len(graph.tables) == 2
    f = hs.Function("f", {"x": x}, {"y": one(x) + x})
    assert f.substitute(x=1.5).output_refs == [graph.constant(3.5)]
    assert f.cost() == Cost(add=1, logic=1)
    assert str(one(x)) == "table0(x)" and hs.latex(one(x)) == (r"\operatorname{table}_{0}\left(x\right)")
    pytest.importorskip("sympy")
    with refused("an entry of a table is no formula: SymPy cannot take it"):
        hs.to_sympy(f)


def test_the_contents_are_part_of_the_digest():
    def digest(entries):
        return scalar(table(entries), "x").digest

    # where a table lies among others has no part in it
    graph = Graph()
    x = hs.symbol("x", graph=graph)
    table([9.0])(x), table([1.0, 2.0])(x)
    later = hs.Function("f", {"x": x}, {"y": table([1.0, 2.0])(x)})
    assert digest([1.0, 2.0]) == later.digest
    assert len({digest(e) for e in ([1.0, 2.0], [1.0, 2.5], [1.0, 2.0, 2.0])}) == 3


def test_tables_travel_with_formulas():
    other = scalar(lambda x: table([5.0, 6.0, 7.0])(x) * x, "x")
    graph = Graph()
    x, k = hs.symbol("x", graph=graph), hs.parameter("k", 1.0, graph=graph)
    table([1.0, 2.0])(x)  # so that places differ
    y = other(x) + hs.call(other, x + 1.0) + table([10.0, 20.0, 30.0])(k + 1.0) * x
    f = hs.Function("f", {"x": x}, {"y": y})
    assert run(f, 1.0, 1.0) == 6.0 + 14.0 + 30.0
    preparation = hoisted(f)[0]
    # the entry at a parameter is found once
    assert preparation is not None and preparation.graph.tables
    assert run(preparation, 0.0) == 20.0
    assert ir_values.of(f, [1.0, 1.0]) == [50.0]


def test_the_derivative_of_an_entry_is_zero():
    f = scalar(lambda x: table([1.0, 3.0, 9.0])(x) * x, "x")
    for made, more in ((f.jacobian("y", "x"), ()), (f.jvp(), (1.0,)), (f.vjp(), (1.0,))):
        assert run(made, 1.5, *more) == 3.0
    assert scalar(table([1.0, 3.0]), "x").jacobian("y", "x").output_refs == [ops.ZERO]


def test_a_table_does_not_change():
    entries = np.array([1.0, 2.0])
    tab = table(entries)
    entries[0] = 7.0
    assert tab(0) == 1.0
    with pytest.raises(ValueError, match="read-only"):
        tab.values[0] = 3.0
    assert repr(tab) == "<table of shape (2,)>"


def test_mistakes_in_tables_are_named(monkeypatch):
    for wrong in ([], np.ones((2, 2, 2)), 3.0, [np.nan], ["1"], [[1.0], [1.0, 2.0]], [1j], [hs]):
        with refused("a table takes"):
            table(wrong)
    with refused("a table takes finite numbers in one or two dimensions"):
        table([hs.symbol("x")])
    with refused("a table of shape (3,) takes 1 index, got 2"):
        table([1.0, 2.0, 3.0])(0, 1)
    with refused("a table of shape (1, 2) takes 2 indices, got 1"):
        table([[1.0, 2.0]])(0)
    with refused("cannot be part of an expression"):
        table([1.0])("0")
    monkeypatch.setattr(tables, "SIZE_LIMIT", 3)
    assert table([1.0] * 3).size == 3
    with refused("a table takes 1 to 3 numbers, not 4"):
        table([1.0] * 4)


# -- interpolation ---------------------------------------------------------------------------------

BETWEEN = st.lists(st.floats(-10, 10), min_size=2, max_size=8)
KIND = st.sampled_from(["linear", "cubic"])


@given(BETWEEN, KIND, st.floats(-2, 2), st.floats(0.1, 3))
def test_a_curve_goes_through_its_values_and_is_constant_beyond(values, kind, start, step):
    g = interpolated(values, start, step, kind)
    for k, value in enumerate(values):
        assert g(start + k * step) == pytest.approx(value, abs=1e-12)
    assert g(start - 1.0) == values[0] and g(start + len(values) * step) == values[-1]
    assert g(-np.inf) == values[0] and g(np.inf) == values[-1] and np.isnan(g(np.nan))


@given(KIND, st.floats(-2, 12), st.floats(-2, 12), st.integers(0, 50))
def test_expressions_and_numbers_agree(kind, x, y, seed):
    values = np.random.default_rng(seed).uniform(-1, 1, (5, 4))
    g = interpolated(values, (0.5, -1.0), (0.75, 1.5), kind)
    assert run(scalar(g, "x", "y"), x, y) == pytest.approx(g(x, y), rel=1e-12, abs=1e-14)
    line = interpolated(values[0], 0.5, 0.75, kind)
    assert run(scalar(line, "x"), x) == pytest.approx(line(x), rel=1e-12, abs=1e-14)


@given(KIND, st.floats(0, 3), st.floats(0, 4), st.tuples(*[st.floats(-2, 2)] * 4))
def test_planes_are_reproduced(kind, x, y, plane):
    a, b, c, d = plane

    def law(x, y):
        return a + b * x + c * y + d * x * y

    grid = law(np.arange(4.0)[:, None], np.arange(5.0)[None, :])
    assert interpolated(grid, (0, 0), (1, 1), kind)(x, y) == pytest.approx(law(x, y), abs=1e-12)


@settings(max_examples=30)
@given(KIND, st.integers(0, 50))
def test_derivatives_by_differences(kind, seed):
    draw = np.random.default_rng(seed)
    g = interpolated(draw.uniform(-1, 1, (6, 5)), (-1.0, 0.0), (0.5, 0.25), kind)
    f = scalar(g, "x", "y")
    cell = draw.integers(-1, 6, 2)
    x, y = np.array([-1.0, 0.0]) + (cell + draw.uniform(0.1, 0.9, 2)) * [0.5, 0.25]
    h = 1e-6
    by_x = (g(x + h, y) - g(x - h, y)) / (2 * h)
    by_y = (g(x, y + h) - g(x, y - h)) / (2 * h)
    assert run(f.jacobian("y", "x"), x, y) == pytest.approx(by_x, abs=1e-7)
    assert run(f.jacobian("y", "y"), x, y) == pytest.approx(by_y, abs=1e-7)
    assert run(f.jvp(), x, y, 1.0, 2.0) == pytest.approx(by_x + 2 * by_y, abs=1e-6)


def test_a_cubic_has_a_continuous_derivative_and_a_line_has_kinks():
    values = np.random.default_rng(4).uniform(-1, 1, (6, 7))
    jumps = {}
    for kind in ("linear", "cubic"):
        f = scalar(interpolated(values, (0, 0), (1, 1), kind), "x", "y")
        slopes = [f.jacobian("y", "x"), f.jacobian("y", "y")]
        at = [(x, y) for x in range(1, 5) for y in range(1, 6)]
        sides = [[run(s, x + e, y + e) for s in slopes for x, y in at] for e in (-1e-9, 1e-9)]
        jumps[kind] = np.abs(np.subtract(*sides)).max()
    assert jumps["cubic"] < 1e-7 and jumps["linear"] > 0.1


def test_cubics_converge_faster():
    errors = {}
    x = np.linspace(0.3, 2.7, 101)
    for kind in ("linear", "cubic"):
        errors[kind] = [
            np.abs(interpolated(np.sin(np.linspace(0, 3, n + 1)), 0, 3 / n, kind)(x) - np.sin(x)).max()
            for n in (30, 60)
        ]
    assert errors["linear"][0] / errors["linear"][1] == pytest.approx(4, rel=0.1)
    assert errors["cubic"][0] / errors["cubic"][1] > 7


def test_one_table_serves_a_whole_surface():
    f = scalar(interpolated(np.ones((5, 6)), (0, 0), (1, 1), "cubic"), "x", "y")
    assert len(f.graph.tables) == 1
    lookups = [i for i in f.live if f.graph.nodes[i][0] == ops.LOOKUP]
    assert len(lookups) == 16
    g = interpolated(np.ones(3), 0, 1)
    assert repr(g) == "<linear interpolation of a table of shape (3,)>"


def test_mistakes_in_interpolation_are_named():
    with refused('there is no interpolation "cubik" (did you mean "cubic"?): use linear or cubic'):
        interpolated([1.0, 2.0], 0, 1, "cubik")
    with refused("interpolation needs at least two values along each axis, not shape (1, 3)"):
        interpolated([[1.0, 2.0, 3.0]], (0, 0), (1, 1))
    with refused("interpolation takes finite numbers in one or two dimensions"):
        interpolated([1.0, np.inf], 0, 1)
    for wrong in (0.0, -1.0):
        with refused(f"the step of an interpolation must be positive, not {wrong}"):
            interpolated([1.0, 2.0], 0, wrong)
    for wrong in (1.0, (1.0,), (1, 2, 3), ("a", 1), np.nan):
        with refused("the start of this interpolation must be a pair of finite numbers"):
            interpolated(np.ones((2, 2)), wrong, (1, 1))
    with refused("the step of this interpolation must be a finite number"):
        interpolated(np.ones(2), 0, (1, 1))
    with refused("a table of shape (2,) is interpolated at 1 number, got 2"):
        interpolated(np.ones(2), 0, 1)(1.0, 2.0)
    with refused("a table of shape (2, 2) is interpolated at 2 numbers, got 1"):
        interpolated(np.ones((2, 2)), (0, 0), (1, 1))(1.0)
