"""Counting operations: what one evaluation costs."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from hapsis.compiler.ir.graph import Graph
from hapsis.compiler.ir.ops import BLOCK, COUNTED, PRICE


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


def cost_of(graph: Graph, live: Iterable[int]) -> Cost:
    """The cost of these nodes; a block counts its body as often as it may run."""
    counts = dict.fromkeys(PRICE, 0)
    blocks = Cost()
    for index in live:
        node = graph.nodes[index]
        kind = COUNTED.get(node[0])
        if kind:
            counts[kind] += 1
        elif node[0] == BLOCK:
            blocks = blocks + graph.blocks[node[1]].cost()
    return Cost(**counts) + blocks
