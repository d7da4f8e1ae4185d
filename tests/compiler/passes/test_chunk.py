import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import EVERY, functions, inputs_for, random_function

from hapsis.compiler.backends.interpreter import OPERATIONS, evaluate, run_block
from hapsis.compiler.ir.functions.blocks import call
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import exp, sin
from hapsis.compiler.ir.graph.expr import current_graph, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import BLOCK, OUT
from hapsis.compiler.passes.chunk import Slots, chunks, origin
from hapsis.compiler.passes.eliminate import eliminated
from hapsis.compiler.passes.order import ordered


def simulate(function, pieces, flat):
    """Runs the pieces as a backend would: only inputs and the workspace pass between them.

    Each piece stores before it loads and fills its ranges with nan first: the worst order.
    """
    graph = function.graph
    workspace = np.full((pieces.slots, *flat.shape[1:]), np.nan)
    outputs = np.full((function.n_out, *flat.shape[1:]), np.nan)
    written = []
    for piece in pieces:
        values = {ref >> 2: flat[k] for k, ref in enumerate(function.input_refs)}
        before = workspace.copy()
        values |= {node: before[slot] for node, slot in piece.loads.items()}

        def value(ref, values=values):
            if ref & 2:
                return np.full(flat.shape[1:], graph.value(ref))
            return -values[ref >> 2] if ref & 1 else values[ref >> 2]

        for index in piece.nodes:
            node = graph.nodes[index]
            if node[0] == BLOCK:
                block = graph.blocks[node[1]]
                ranges = slice(piece.operands, piece.operands + len(node) - 2)
                results = slice(piece.results, piece.results + block.n_out)
                workspace[results] = np.nan
                if node[2:]:
                    workspace[ranges] = [value(r) for r in node[2:]]
                workspace[results] = run_block(block, workspace[ranges].copy())
                for node_index, slot in piece.loads.items():
                    values[node_index] = workspace[slot]
            else:
                values[index] = OPERATIONS[node[0]](*(value(r) for r in node[1:]))
            if index in piece.stores:
                workspace[piece.stores[index]] = values[index]
        # what it loaded is still there: nothing was stored over it
        for node_index, slot in piece.loads.items():
            np.testing.assert_array_equal(workspace[slot], values[node_index])
        for k in piece.outputs:
            outputs[k] = value(function.output_refs[k])
            written.append(k)
    assert sorted(written) == list(range(function.n_out))
    return outputs


def check(function, size):
    pieces = chunks(function, size)
    nodes = function.graph.nodes
    kept = [i for i in function.live if nodes[i][0] == BLOCK or nodes[i][0] > OUT]
    assert [i for piece in pieces for i in piece.nodes] == kept
    for piece in pieces:
        blocks = [i for i in piece.nodes if nodes[i][0] == BLOCK]
        assert len(piece.nodes) == 1 if blocks else len(piece.nodes) <= size
        used = [*piece.stores.values(), *set(piece.loads.values())]
        assert len(set(used)) == len(used)
        assert all(0 <= slot < pieces.slots for slot in used)
        if blocks:
            node = nodes[blocks[0]]
            n_in, n_out = len(node) - 2, function.graph.blocks[node[1]].n_out
            ranges = [*range(piece.operands, piece.operands + n_in)]
            ranges += range(piece.results, piece.results + n_out)
            assert len(set(ranges)) == n_in + n_out
            assert all(0 <= slot < pieces.slots for slot in ranges)
            own = {i for i in piece.loads if nodes[i][0] == OUT and nodes[i][2] >> 2 == blocks[0]}
            assert not {piece.loads[i] for i in piece.loads if i not in own} & set(ranges)
    x = inputs_for(function, batch=2)
    np.testing.assert_array_equal(simulate(function, pieces, x), evaluate(function, x))
    return pieces


@settings(max_examples=80, deadline=None)
@given(functions(max_nodes=40), st.integers(1, 9))
def test_pieces_compute_the_same(function, size):
    check(function, size)


def test_bigger_programs():
    for seed in range(3):
        function = random_function(seed, 300, names=EVERY, blocks=True)
        check(function, 20)
        check(ordered(function), 7)


def test_pieces_are_as_long_as_allowed_and_slots_are_used_again():
    g = Graph()
    y = x = symbol("x", graph=g)
    for _ in range(10):
        y = exp(y)
    f = Function("chain", {"x": x}, {"y": y})
    pieces = check(f, 3)
    assert [piece.nodes for piece in pieces] == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10]]
    assert [piece.stores for piece in pieces] == [{3: 0}, {6: 1}, {9: 0}, {}]
    assert [piece.loads for piece in pieces] == [{}, {3: 0}, {6: 1}, {9: 0}]
    assert [piece.outputs for piece in pieces] == [[], [], [], [0]]
    assert pieces.slots == 2
    assert check(f, 10).slots == 0


def test_a_value_keeps_its_slot_until_its_last_piece():
    g = Graph()
    x = symbol("x", graph=g)
    a = exp(x)
    b = exp(a)
    c = exp(b)
    d = c + a
    f = Function("f", {"x": x}, {"y": exp(d), "a": a})
    pieces = check(f, 1)
    assert [piece.stores for piece in pieces] == [{1: 0}, {2: 1}, {3: 2}, {4: 1}, {}]
    assert [piece.loads for piece in pieces] == [{}, {1: 0}, {2: 1}, {1: 0, 3: 2}, {4: 1}]
    assert [piece.outputs for piece in pieces] == [[1], [], [], [], [0]]
    assert pieces.slots == 3


def test_a_block_has_ranges_that_end_with_its_last_result():
    x = symbols("x", 2)
    body = Function("g", {"x": x}, {"y": [x[0] * x[1], x[0] + x[1], exp(x[0])]})
    q = symbols("q", 2)
    y = call(body, [sin(q[0]), q[1]])
    f = eliminated(Function("f", {"q": q}, {"a": exp(exp(y[1]) * y[0]), "b": -y[2], "c": 2.0}))
    pieces = check(f, 1)
    kinds = [[f.graph.nodes[i][0] == BLOCK for i in piece.nodes] for piece in pieces]
    assert kinds == [[False], [True], [False], [False], [False]]
    block = pieces[1]
    made = pieces[0].nodes[0]
    assert (pieces[0].stores, block.loads[made], block.stores) == ({made: 0}, 0, {})
    assert (block.operands, block.results) == (1, 3)
    outs = {
        f.graph.nodes[i][1]: slot
        for piece in pieces
        for i, slot in piece.loads.items()
        if i != made and f.graph.nodes[i][0] == OUT
    }
    assert outs == {0: 3, 1: 4, 2: 5}
    assert block.outputs == [1] and pieces[0].outputs == [2] and pieces[4].outputs == [0]
    # the operands' slots serve again, the results' only once all are used
    assert [list(piece.stores.values()) for piece in pieces[2:]] == [[0], [1], []]
    assert pieces.slots == 6


def test_a_block_without_operands_and_outputs_that_are_inputs():
    x = symbol("x")
    body = Function("g", {}, {"y": [1.5, 2.5]})
    y = current_graph().block(_call(body), [])
    f = Function("f", {"x": x}, {"y": _expr(y[0]) + _expr(y[1]), "x": -x})
    pieces = check(f, 5)
    assert [len(piece.nodes) for piece in pieces] == [1, 1]
    assert (pieces.slots, pieces[0].outputs) == (2, [1])


def _call(body):
    from hapsis.compiler.ir.functions.blocks import Call

    return Call(body)


def _expr(ref):
    from hapsis.compiler.ir.graph.expr import Expr

    return Expr(current_graph(), ref)


def test_a_program_without_instructions_is_one_empty_piece():
    x = symbol("x")
    pieces = check(Function("f", {"x": x}, {"y": [x, 1.0, x]}), 4)
    assert (len(pieces), pieces[0].nodes, pieces[0].outputs, pieces.slots) == (1, [], [0, 1, 2], 0)


def test_origin():
    nodes = [(0, 0), (BLOCK, 0, 0), (OUT, 1, 1 << 2)]
    assert [origin(nodes, ref) for ref in (0, 1, 1 << 2, 2 << 2, 2 << 2 | 1, 2, 2 << 2 | 2)] == [
        0,
        0,
        1,
        1,
        1,
        -1,
        -1,
    ]


def test_slots_come_lowest_first_and_in_rows():
    slots = Slots()
    assert [slots.take(1), slots.take(3), slots.take(1), slots.take(2)] == [0, 1, 4, 5]
    slots.give(1, 3)
    assert (slots.take(2), slots.free) == (1, [3])
    slots.give(0, 1)
    assert (slots.take(1), slots.take(1), slots.count) == (0, 3, 7)
    slots.give(6, 1)
    # the free end is made longer, the hole before it stays
    slots.give(3, 1)
    assert (slots.take(3), slots.count, slots.free) == (6, 9, [3])
    assert (slots.take(2), slots.count, slots.free) == (9, 11, [3])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 20)), max_size=40))
def test_slots_are_never_given_twice(steps):
    slots = Slots()
    held = []
    for give, n, which in steps:
        if give and held:
            slots.give(*held.pop(which % len(held)))
        elif n:
            held.append((slots.take(n), n))
        used = [s for start, length in held for s in range(start, start + length)]
        assert sorted([*used, *slots.free]) == list(range(slots.count))


@pytest.mark.parametrize("size", [1, 700])
def test_slots_stay_few_on_long_programs(size):
    function = ordered(random_function(0, 3000, reach=10.0))
    assert chunks(function, size).slots <= 60
