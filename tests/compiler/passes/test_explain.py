from itertools import pairwise

from strategies import EVERY, random_function

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.cost import Cost
from hapsis.compiler.ir.graph.elementary_functions import cos, sin
from hapsis.compiler.ir.graph.expr import parameter, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes import sums
from hapsis.compiler.passes.chunk import chunks
from hapsis.compiler.passes.eliminate import equations
from hapsis.compiler.passes.explain import CHUNK, explain
from hapsis.compiler.passes.order import pressure
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import PASSES, prepared
from hapsis.compiler.passes.steps import vector_steps

REPORT = """\
arm(q[2], m) -> x, y

pass          before      after  operations left
eliminate         11         11  2 add, 5 mul, 4 trig
condense          11          4  1 add, 1 mul, 2 trig
order              4          4  1 add, 1 mul, 2 trig

equations   14 written, 11 needed: 21% eliminated
registers   2 values alive at once, 1 once ordered
pieces      1 of at most 700 operations, 0 slots
steps       4 operations in 4 vector steps, 1.0 wide
              add          1 steps      1.0 wide
              cos          1 steps      1.0 wide
              sin          1 steps      1.0 wide
              mul          1 steps      1.0 wide

rules fired
        2  x*cos(a)*cos(b) - x*sin(a)*sin(b) -> x*cos(a + b), and its three kin
        1  x + x -> 2*x"""


def arm():
    g = Graph()
    q, m = symbols("q", 2, graph=g), symbol("m", "mass", graph=g)
    (c, s), (d, t) = ((cos(a), sin(a)) for a in q)
    m + m
    (m + c) * t
    return Function("arm", {"q": q, "m": m}, {"x": m * (c * d - s * t), "y": c * t + s * d})


def test_the_report_of_a_small_arm():
    explanation = explain(arm())
    assert str(explanation) == REPORT
    assert explanation.removed == 3 / 14
    assert explanation.rules == {sums.ANGLES: 2, "x + x -> 2*x": 1}


def test_no_rules_no_heading():
    x = symbol("x", graph=Graph())
    explanation = explain(Function("same", {"x": x}, {"y": x}))
    assert explanation.removed == 0.0
    assert str(explanation).endswith("0 operations in 0 vector steps, 0.0 wide")


def test_what_is_done_once_per_parameter_set_is_told_apart():
    g = Graph()
    x, (a, b) = symbol("x", graph=g), (parameter(n, 1.0, graph=g) for n in "ab")
    explanation = explain(Function("f", {"x": x}, {"y": x * (a * b + a) + cos(b)}))
    assert explanation.once == (Cost(add=1, mul=1, trig=1), 2)
    assert explanation.passes[-1][2] == Cost(add=1, mul=1)
    line = "parameters  3 operations once per set, not counted above: 1 add, 1 mul, 1 trig; "
    assert line + "2 values of them are read" in str(explanation).splitlines()


def test_everything_removed():
    g = Graph()
    x = symbol("x", graph=g)
    sin(x)
    y = symbol("y", graph=g)
    explanation = explain(Function("same", {"x": x, "y": y}, {"y": y}))
    assert (explanation.written, explanation.needed, explanation.removed) == (1, 0, 1.0)


def test_the_figures_are_those_of_the_passes():
    f = random_function(4, 2000, names=EVERY, blocks=True)
    explanation, (preparation, kernel) = explain(f), hoisted(f)
    result = prepared(kernel)
    pieces = chunks(result, CHUNK)
    assert [name for name, _, _ in explanation.passes] == ["eliminate", *(name for name, _ in PASSES)]
    assert explanation.passes[0][1] == f.cost()
    assert explanation.passes[-1][2] == result.cost() == prepared(f).cost()
    assert explanation.once == (f.cost(preparation=True), preparation.n_out)
    assert all(a[2] == b[1] for a, b in pairwise(explanation.passes))
    assert (explanation.written, explanation.needed) == equations(f)
    assert explanation.pressure == (pressure(f), pressure(result))
    assert (explanation.chunks, explanation.slots) == (len(pieces), pieces.slots)
    assert len(explanation.steps) == len(vector_steps(result))
