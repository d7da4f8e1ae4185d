"""Packs: rows of nodes that one vector instruction computes, one node in each lane."""

from typing import NamedTuple

from hapsis.compiler.ir.graph.ops import ADD, DIV, MUL, SQRT, SUB

PACKED = frozenset({ADD, SUB, MUL, DIV, SQRT})  # operations that packs have
SWAPPED = frozenset({ADD, SUB, MUL})  # those whose operands may change places, up to signs

Row = tuple[int, ...]


class Packs(NamedTuple):
    """Rows of nodes, and for each node its row and lane. A row may end with copies of its first node.

    columns    of each row: its operands, position by position, as rows of references; differences are
               sums with a negative reference
    saved      the predicted share of instructions that they save
    """

    rows: list[Row]
    of: dict[int, tuple[int, int]]
    columns: list[list[Row]]
    saved: float


NONE = Packs([], {}, [], 0.0)


def own_nodes(row: Row) -> Row:
    """A row without the copies of its first node at the end."""
    return row[: 1 + max(lane for lane, index in enumerate(row) if index != row[0] or not lane)]
