"""Interleaving keeps every node, after its operands, and starts early what others wait for."""

from hypothesis import given
from strategies import functions

import hapsis as hs
from hapsis.compiler.passes import interleave
from hapsis.compiler.passes.interleave import CYCLES, SLOW, STEP, interleaved
from hapsis.compiler.passes.order import early, schedule


def waiting(function: hs.Function, order: list[int]) -> float:
    """Cycles until all is done, on a machine that starts instructions in this order."""
    ready: dict[int, float] = {}
    time = end = 0.0
    for index in order:
        inputs = (ready.get(ref >> 2, 0.0) for ref in function.graph.operands(index) if not ref & 2)
        time = max([time + STEP, *inputs])
        ready[index] = time + CYCLES.get(function.graph.nodes[index][0], SLOW)
        end = max(end, ready[index])
    return end


@given(functions())
def test_every_node_once_after_its_operands(function: hs.Function) -> None:
    order = schedule(function)
    first = len(early(function))
    found = interleaved(function, order, first)
    assert found[:first] == order[:first]
    assert sorted(found) == sorted(order)
    seen = {ref >> 2 for ref in function.input_refs}
    for index in found:
        assert all(ref & 2 or ref >> 2 in seen for ref in function.graph.operands(index))
        seen.add(index)


def chains(count: int, length: int) -> hs.Function:
    """Independent chains of products, each longer than the processor waits for one."""
    x = hs.symbols("x", count)
    ends = []
    for k in range(count):
        y = x[k]
        for i in range(length):
            y = y * x[(k + i + 1) % count]
        ends.append(y)
    return hs.Function("chains", {"x": x}, {"y": ends})


def test_independent_chains_run_side_by_side() -> None:
    function = chains(8, 7)
    order = schedule(function)
    found = interleaved(function, order, 0)
    assert waiting(function, order) > 7 * 8 * 3
    assert waiting(function, found) < 0.3 * waiting(function, order)


def test_the_window_bounds_how_far_it_looks(monkeypatch) -> None:
    function = chains(8, 7)
    order = schedule(function)
    monkeypatch.setattr(interleave, "WINDOW", 1)
    assert interleaved(function, order, 0) == order
    monkeypatch.setattr(interleave, "WINDOW", 16)
    found = interleaved(function, order, 0)
    place = {index: k for k, index in enumerate(order)}
    first = 0
    done: set[int] = set()
    for index in found:
        assert place[index] < first + 16
        done.add(place[index])
        while first in done:
            first += 1


def test_long_programs_stay(monkeypatch) -> None:
    function = chains(4, 5)
    order = schedule(function)
    monkeypatch.setattr(interleave, "LONGEST", len(order) - 1)
    assert interleaved(function, order, 0) is order
