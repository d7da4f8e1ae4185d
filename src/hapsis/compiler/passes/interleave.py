"""Interleaving of independent instructions, so that the processor waits less for results.

An order with few live values computes every result immediately before its use, so that the processor
waits for each. Here the next instruction is the first one within a window whose operands are ready when
it would start, on a simple model of a machine that starts two instructions per cycle and needs five
cycles for a sum or product. The window is short, so that only few more values are alive.
"""

from bisect import insort

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.ops import ADD, DIV, FIRST, MUL, SQRT, SUB

WINDOW = 128  # instructions from the first that waits to the last that may overtake it
LONGEST = 5000  # nodes; longer programs are limited by memory, not by latency
STEP = 0.5  # cycles from one start to the next
CYCLES = {ADD: 5.0, SUB: 5.0, MUL: 5.0, DIV: 14.0, SQRT: 20.0}
SLOW = 40.0  # cycles of an elementary function or a block


def interleaved(function: Function, order: list[int], early: int) -> list[int]:
    """The nodes in an order with less waiting; the first `early` of them keep their positions."""
    if len(order) > LONGEST:
        return order
    nodes = function.graph.nodes
    rest = order[early:]
    missing, readers = _dependencies(function, rest)
    begin = [0.0] * len(rest)  # when all operands are there
    started = bytearray(len(rest))
    window = [place for place in range(min(WINDOW, len(rest))) if not missing[place]]
    merged, time, head = order[:early], 0.0, 0
    for _ in rest:
        for place in window:
            if begin[place] <= time:
                break
        else:
            place = min(window, key=begin.__getitem__)
        window.remove(place)
        started[place] = 1
        merged.append(rest[place])
        time += STEP
        if begin[place] > time:
            time = begin[place]
        done = time + CYCLES.get(nodes[rest[place]][0], SLOW)
        for reader in readers[place]:
            if begin[reader] < done:
                begin[reader] = done
            missing[reader] -= 1
            if not missing[reader] and reader < head + WINDOW:
                insort(window, reader)
        # the window moves on when its first instruction has started
        while head < len(rest) and started[head]:
            last = head + WINDOW
            if last < len(rest) and not missing[last]:
                insort(window, last)
            head += 1
    return merged


def _dependencies(function: Function, order: list[int]) -> tuple[list[int], list[list[int]]]:
    """For each position in the order how many others it depends on, and which depend on it."""
    nodes = function.graph.nodes
    place = [-1] * len(nodes)
    for at, index in enumerate(order):
        place[index] = at
    missing = [0] * len(order)
    readers: list[list[int]] = [[] for _ in order]
    for at, index in enumerate(order):
        node = nodes[index]
        for ref in node[FIRST[node[0]] :]:
            if not ref & 2 and (source := place[ref >> 2]) >= 0:
                missing[at] += 1
                readers[source].append(at)
    return missing, readers
