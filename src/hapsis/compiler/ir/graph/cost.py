"""Operation counts: the cost of one evaluation, and of a new set of parameters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, COUNTED, FIRST, MUL, PRICE, SUB, SYMBOL


@dataclass(frozen=True)
class Cost:
    """Operations by class. `flops` counts all of them, `price` weighs them by their time."""

    add: int = 0
    mul: int = 0
    div: int = 0
    sqrt: int = 0
    trig: int = 0
    exp: int = 0
    logic: int = 0

    @property
    def flops(self) -> int:
        """All operations."""
        return sum(getattr(self, field.name) for field in fields(self))

    @property
    def price(self) -> float:
        """All operations, weighed: a division is 6 additions, a sine 10."""
        return sum(PRICE[field.name] * getattr(self, field.name) for field in fields(self))

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def __mul__(self, times: int) -> "Cost":
        return Cost(*(getattr(self, f.name) * times for f in fields(self)))

    def __str__(self) -> str:
        parts = [f"{getattr(self, f.name)} {f.name}" for f in fields(self) if getattr(self, f.name)]
        return ", ".join(parts) or "nothing"


def cost_of(graph: Graph, live: Sequence[int]) -> Cost:
    """The cost of these nodes; the body of a block counts as often as it may run."""
    counts = dict.fromkeys(PRICE, 0)
    ops = graph.ops(live)
    for op, kind in COUNTED.items():
        counts[kind] += ops.count(op)
    total = Cost(**counts)
    if BLOCK in ops:
        for index in _blocks(graph, live):
            total = total + graph.blocks[graph.nodes[index][1]].cost()
    return total


def _blocks(graph: Graph, live: Sequence[int]) -> list[int]:
    """The blocks among these nodes."""
    return [index for index, op in zip(live, graph.ops(live), strict=True) if op == BLOCK]


def independent(graph: Graph, live: Iterable[int]) -> bytearray:
    """For each node whether it depends on no input, but on parameters and constants alone."""
    nodes = graph.nodes
    alone = bytearray(len(nodes))
    for index in live:
        node = nodes[index]
        op = node[0]
        if op == ADD or op == SUB or op == MUL:
            # the most frequent case: as below, without a loop
            _, x, y = node
            if (x & 2 or alone[x >> 2]) and (y & 2 or alone[y >> 2]):
                alone[index] = 1
            continue
        if op == SYMBOL:
            continue
        for ref in node[FIRST[op] :]:
            if not ref & 2 and not alone[ref >> 2]:
                break
        else:
            alone[index] = 1
    return alone


def opens(graph: Graph, index: int, alone: bytearray) -> bool:
    """Whether the parameters of a block's body depend on no input: then the part of the body that
    depends on parameters alone can be computed once, before."""
    node = graph.nodes[index]
    if node[0] != BLOCK or alone[index]:
        return False
    block = graph.blocks[node[1]]
    parameters = block.parameters(node[2:]) if block.body.parameter_nodes else None
    return parameters is not None and all(ref & 2 or alone[ref >> 2] for ref in parameters)


def split_cost(graph: Graph, live: list[int]) -> tuple[Cost, Cost]:
    """The cost of these nodes for each call, and once for all calls with the same parameters."""
    alone = independent(graph, live)
    opened = [index for index in _blocks(graph, live) if opens(graph, index, alone)]
    left = set(opened)
    each = cost_of(graph, [i for i in live if not alone[i] and i not in left])
    once = cost_of(graph, [i for i in live if alone[i]])
    bodies: set[tuple[bytes, tuple[int, ...]]] = set()
    for index in opened:
        node = graph.nodes[index]
        block = graph.blocks[node[1]]
        each = each + block.cost(opened=True)
        key = block.body.digest, tuple(block.parameters(node[2:]) or ())
        if key not in bodies:
            bodies.add(key)
            once = once + block.body.cost(preparation=True)
    return each, once


def uses_of(graph: Graph, live: Sequence[int], outputs: Sequence[int]) -> list[int]:
    """How often each node of a graph is read by these nodes, and as one of these outputs."""
    nodes = graph.nodes
    uses = [0] * len(nodes)
    for index in live:
        node = nodes[index]
        op = node[0]
        if op == ADD or op == SUB or op == MUL:
            _, x, y = node
            if not x & 2:
                uses[x >> 2] += 1
            if not y & 2:
                uses[y >> 2] += 1
            continue
        for ref in node[FIRST[op] :]:
            if not ref & 2:
                uses[ref >> 2] += 1
    for ref in outputs:
        if not ref & 2:
            uses[ref >> 2] += 1
    return uses
