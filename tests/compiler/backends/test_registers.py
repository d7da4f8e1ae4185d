"""The plan of registers, run step by step: every value is where the plan says when it is read."""

import pytest
from strategies import random_function

from hapsis.compiler.backends.llvm import registers
from hapsis.compiler.backends.llvm.registers import planned
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.passes.pipeline import prepared

CASES = [
    (seed, n, r, size)
    for seed, (n, r, size) in enumerate(
        [(40, 4, 10), (300, 4, 50), (300, 28, 1000), (900, 6, 37), (900, 13, 100), (2000, 28, 1000)]
    )
]


def run(function: Function, count: int, fuse: bool, size: int) -> tuple[int, int]:
    """Executes the plan on tokens: registers held at most, and values in memory at most."""
    graph = function.graph
    plan = planned(function, count, fuse, size)
    inputs = {ref >> 2 for ref in function.input_refs}
    memory: dict[int, int] = {}
    done: set[int] = set(inputs)
    most = 0
    for chunk in plan.chunks:
        held: set[int] = set()
        last = {x: k for k, index in enumerate(chunk) for x in reads(graph, plan, index)}
        for k, index in enumerate(chunk):
            node = graph.nodes[index]
            for x in plan.reloads.get(index, ()):
                # a reload finds its own value in its slot
                if x not in inputs:
                    assert memory[plan.slots[x]] == x
                held.add(x)
            for x in reads(graph, plan, index):
                assert x in held, f"{x} is not in a register when {index} needs it"
                assert x in done
            if node[0] == ops.BLOCK:
                start = plan.ranges[index][1]
                for out in (i for i in function.live if graph.nodes[i][0] == ops.OUT):
                    if graph.nodes[out][2] >> 2 == index:
                        memory[start + graph.nodes[out][1]] = out
                        assert plan.slots[out] == start + graph.nodes[out][1]
                        done.add(out)
            held.add(index)
            done.add(index)
            if index in plan.slots and node[0] != ops.BLOCK:
                memory[plan.slots[index]] = index
            # only what is read again before the chunk ends can be meant to stay
            soon = {x for x in held if last.get(x, -1) > k}
            again = {x for later in chunk[k + 1 :] for x in plan.reloads.get(later, ())}
            most = max(most, len(soon - again))
    computed = {i for i in function.live if graph.nodes[i][0] > ops.OUT}
    assert computed <= done | set(plan.fused.values())
    assert all(slot < plan.size for slot in plan.slots.values())
    return most, plan.size


def reads(graph, plan, index):
    node = graph.nodes[index]
    refs = node[ops.FIRST[node[0]] :]
    product = plan.fused.get(index)
    if product is not None:
        refs = [*graph.nodes[product][1:], *(r for r in refs if r & 2 or r >> 2 != product)]
    return [r >> 2 for r in refs if not r & 2]


@pytest.mark.parametrize(("seed", "n", "count", "size"), CASES)
@pytest.mark.parametrize("fuse", [False, True])
def test_values_are_where_the_plan_says(seed, n, count, size, fuse):
    function = prepared(random_function(seed, n, blocks=seed % 2 == 0))
    most, _ = run(function, count, fuse, size)
    assert most <= count + 1


def test_fewer_registers_need_more_memory():
    function = prepared(random_function(5, 2000))
    sizes = [run(function, count, True, 1000)[1] for count in (4, 12, 28)]
    assert sizes[0] >= sizes[1] >= sizes[2]


def test_only_products_used_once_are_fused():
    function = prepared(random_function(3, 1000))
    graph, plan = function.graph, planned(function, 28, True)
    uses = [r >> 2 for i in function.live for r in graph.operands(i) if not r & 2]
    assert plan.fused
    for total, product in plan.fused.items():
        assert graph.nodes[total][0] in (ops.ADD, ops.SUB)
        assert graph.nodes[product][0] == ops.MUL
        assert uses.count(product) == 1
        assert product not in [r >> 2 for r in function.output_refs if not r & 2]


def test_chunks_are_even_and_small_enough():
    function = prepared(random_function(4, 3000))
    plan = planned(function, 28, False, 700)
    sizes = [len(chunk) for chunk in plan.chunks]
    assert max(sizes) <= 700 and max(sizes) - min(sizes) <= max(sizes) // 2
    assert registers.CHUNK == 1000
