from hypothesis import given, settings
from strategies import functions, random_function

from hapsis.compiler.ir.functions.blocks import call
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import cos, exp, sin
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import BLOCK, NAMES, OUT
from hapsis.compiler.passes.steps import Steps, vector_steps


def kind(function, index):
    node = function.graph.nodes[index]
    if node[0] != BLOCK:
        return NAMES[node[0]].replace("sub", "add")
    # blocks are numbered as they first come
    called = [function.graph.nodes[i][1] for i in function.live if function.graph.nodes[i][0] == BLOCK]
    return f"block{list(dict.fromkeys(called)).index(node[1])}"


def level_kinds(function):
    """The steps one would need level by level."""
    level, found = {}, set()
    for index in function.live:
        node = function.graph.nodes[index]
        operands = [level[r >> 2] for r in function.graph.operands(index) if not r & 2]
        counts = node[0] == BLOCK or node[0] > OUT
        level[index] = max(operands, default=0) + counts
        if counts:
            found.add((level[index], kind(function, index)))
    return len(found)


def check(function):
    steps = vector_steps(function)
    nodes = function.graph.nodes
    todo = {i for i in function.live if nodes[i][0] == BLOCK or nodes[i][0] > OUT}
    done = set(function.live) - todo - {i for i in function.live if nodes[i][0] == OUT}
    for name, step in steps.steps:
        assert step
        for index in step:
            assert kind(function, index) == name
            for ref in function.graph.operands(index):
                while not ref & 2 and nodes[ref >> 2][0] == OUT:
                    ref = nodes[ref >> 2][2]
                assert ref & 2 or ref >> 2 in done
        assert done.isdisjoint(step)
        done.update(step)
        todo.difference_update(step)
    assert not todo
    assert len(steps) <= level_kinds(function)
    return steps


@settings(max_examples=80, deadline=None)
@given(functions(max_nodes=40))
def test_every_schedule_is_valid_and_no_longer_than_the_levels(function):
    check(function)


def test_steps_of_a_random_program_are_much_fewer_than_levels_have_kinds():
    f = random_function(0, 4000, reach=500.0)
    assert len(check(f)) < 0.75 * level_kinds(f)


def test_sums_and_differences_share_a_step():
    g = Graph()
    x = symbols("x", 4, graph=g)
    f = Function("f", {"x": x}, {"y": [x[0] + x[1], x[2] - x[3]]})
    assert check(f).widths == [("add", 2)]


def test_a_step_waits_until_more_of_its_kind_are_ready():
    g = Graph()
    x, y = symbol("x", graph=g), symbol("y", graph=g)
    # level by level: exp and sin, exp, exp: with patience the sines go together at the end
    f = Function("f", {"x": x, "y": y}, {"y": [sin(y), sin(exp(exp(x)))]})
    assert check(f).widths == [("exp", 1), ("exp", 1), ("sin", 2)]


def test_of_equally_urgent_kinds_the_widest_goes_first():
    g = Graph()
    x = symbols("x", 3, graph=g)
    f = Function("f", {"x": x}, {"y": [cos(x[0]), exp(x[1]), exp(x[2])]})
    assert check(f).widths == [("exp", 2), ("cos", 1)]


def test_blocks_are_kinds_and_their_results_no_steps():
    x = symbols("x", 2)
    body = Function("g", {"x": x}, {"y": [x[0] * x[1], x[0] + x[1]]})
    q = symbols("q", 2)
    y, z = call(body, [q[0], q[1]]), call(body, [q[1], q[0]])
    f = Function("f", {"q": q}, {"y": y[0] + y[1], "z": z[0] - z[1]})
    assert check(f).widths == [("block0", 2), ("add", 2)]


def test_the_table():
    steps = Steps((("mul", (1, 2, 3)), ("add", (4, 5)), ("mul", (6,)), ("exp", (7,))))
    assert steps.widths == [("mul", 3), ("add", 2), ("mul", 1), ("exp", 1)]
    assert len(steps) == 4
    assert steps.mean_width == 1.75
    assert str(steps) == (
        "7 operations in 4 vector steps, 1.8 wide\n"
        "  mul          2 steps      2.0 wide\n"
        "  add          1 steps      2.0 wide\n"
        "  exp          1 steps      1.0 wide"
    )


def test_nothing_to_do():
    x = symbol("x")
    steps = check(Function("f", {"x": x}, {"y": x}))
    assert (len(steps), steps.mean_width) == (0, 0.0)
    assert str(steps) == "0 operations in 0 vector steps, 0.0 wide"
