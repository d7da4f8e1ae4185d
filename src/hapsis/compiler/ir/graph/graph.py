"""The flat, hash-consed graph: equal expressions are the same reference, from the first product on.

Every constructor simplifies before it creates a node: constants are folded, zeros and ones eliminated,
signs moved to the edges, and the structural rules of `rules` applied. Nodes are only appended, so their
order is a valid order of evaluation, and references stay valid for the life of the graph.

Left out on purpose: expression trees, `expand`, and anything about arrays (see `expr`).
"""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hapsis.compiler.ir.graph.constructors import Node, bind, no_nodes
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, FIRST, LOOKUP, MUL, OUT, PARAMETER, SUB, SYMBOL, ZERO
from hapsis.compiler.ir.graph.rules import SCALED

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.blocks import Block
    from hapsis.compiler.ir.functions.tables import Table


COPIED = (
    *("nodes", "constants", "indices", "symbols", "symbol_index", "parameters", "parameter_index"),
    *("blocks", "block_index", "tables", "table_index", "rule_counts"),
)


_SCALED, _MUL = bytes([SCALED]), bytes([MUL])


class Symbol(NamedTuple):
    """A scalar whose value is not known in the graph; a parameter also has a stored value."""

    name: str
    kind: str
    value: float | None = None


class Graph:
    """Tables of nodes and constants, with the constructors as attributes.

        add, sub, mul, div      reference, reference -> reference
        node                    op, references... -> reference, for every other operation
        append                  a node that is new and cannot be simplified -> reference

    Prefer `Expr` unless you write millions of nodes.
    """

    __slots__ = (
        "__weakref__",
        "add",
        "append",
        "block_index",
        "blocks",
        "constant",
        "constants",
        "div",
        "indices",
        "mul",
        "node",
        "nodes",
        "parameter_index",
        "parameters",
        "rule_counts",
        "sub",
        "symbol_index",
        "symbols",
        "table_index",
        "tables",
    )
    add: Callable[[int, int], int]
    sub: Callable[[int, int], int]
    mul: Callable[[int, int], int]
    div: Callable[[int, int], int]
    node: Callable[..., int]
    constant: Callable[[float], int]
    append: Callable[[Node], int]

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.constants: list[float] = [0.0, 1.0]
        self.symbols: list[Symbol] = []
        self.symbol_index: dict[Symbol, int] = {}
        self.parameters: list[Symbol] = []
        self.parameter_index: dict[Symbol, int] = {}
        self.blocks: list[Block] = []
        self.block_index: dict[bytes, int] = {}
        self.tables: list[Table] = []
        self.table_index: dict[bytes, int] = {}
        self.rule_counts: dict[str, int] = {}
        self.indices = no_nodes()
        bind(self)

    def copy(self) -> "Graph":
        """A new graph with the same nodes under the same references."""
        new = Graph.__new__(Graph)
        for name in COPIED:
            setattr(new, name, getattr(self, name).copy())
        bind(new)
        return new

    def __reduce__(self) -> Any:
        """How it is copied and pickled: its tables, with every reference as it is."""
        return restored, self._tables

    @property
    def _tables(self) -> Any:
        leaves = (self.symbols, self.parameters, self.blocks, self.tables)
        return self.constants, self.nodes, leaves, self.rule_counts

    def symbol(self, name: str, kind: str = "other") -> int:
        """The reference of the scalar of that name and kind, the same for every call."""
        return self._leaf(SYMBOL, self.symbols, self.symbol_index, Symbol(name, kind))

    def parameter(self, name: str, value: float, kind: str = "other") -> int:
        """The parameter of that name, with the value used when a call gives none."""
        new = Symbol(name, kind, float(value))
        return self._leaf(PARAMETER, self.parameters, self.parameter_index, new)

    def _leaf(self, op: int, table: list[Symbol], index: dict[Symbol, int], new: Symbol) -> int:
        return self.node(op, _slot(table, index, new, new))

    def block_call(self, block: "Block", operands: Sequence[int]) -> int:
        """The node that calls `block` on these operands; its results are OUT nodes."""
        return self.node(BLOCK, self.block_slot(block), *operands)

    def block_slot(self, block: "Block") -> int:
        """The index of `block` in the table of blocks; equal blocks share it."""
        return _slot(self.blocks, self.block_index, block.digest, block)

    def block(self, block: "Block", operands: Sequence[int]) -> list[int]:
        """References to all scalars that `block` returns for these operands."""
        call = self.block_call(block, operands)
        return [self.node(OUT, j, call) for j in range(block.n_out)]

    def lookup(self, table: "Table", index: int) -> int:
        """The entry of a table at an index."""
        return self.node(LOOKUP, self.table_slot(table), index)

    def table_slot(self, table: "Table") -> int:
        """The index of `table` in the list of tables; equal tables share it."""
        return _slot(self.tables, self.table_index, table.digest, table)

    def operands(self, index: int) -> Node:
        """The operand references of node `index`."""
        node = self.nodes[index]
        return node[FIRST[node[0]] :]

    def value(self, ref: int) -> float:
        """The number behind a constant's reference."""
        value = self.constants[ref >> 2]
        return -value if ref & 1 else value

    def live(self, refs: Iterable[int], known: Container[int] = ()) -> list[int]:
        """The indices of all nodes that these references depend on, in order of evaluation.

        Nodes that only those in `known` depend on are left out.
        """
        pending = [ref >> 2 for ref in refs if not ref & 2]
        if not pending:
            return []
        mark, index = bytearray(max(pending) + 1), max(pending)
        for start in pending:
            mark[start] = 1
        nodes, before, indices = self.nodes, mark.rfind, list[int]()
        while index >= 0:
            indices.append(index)
            if not known or index not in known:
                node = nodes[index]
                op = node[0]
                if op == ADD or op == SUB or op == MUL:
                    # the most frequent case: as below, without a loop
                    _, x, y = node
                    if not x & 2:
                        mark[x >> 2] = 1
                    if not y & 2:
                        mark[y >> 2] = 1
                else:
                    for ref in node[FIRST[op] :]:
                        if not ref & 2:
                            mark[ref >> 2] = 1
            index -= 1
            if index >= 0 and not mark[index]:
                index = before(1, 0, index)  # the next marked one, without a look at those between
        indices.reverse()
        return indices

    def ops(self, indices: Iterable[int]) -> bytes:
        """The operations of these nodes."""
        return bytes(map(self.indices.heads.__getitem__, indices)).replace(_SCALED, _MUL)


def restored(
    constants: Iterable[float],
    nodes: Iterable[Node],
    leaves: Sequence[Iterable[Any]],
    rule_counts: dict[str, int],
) -> Graph:
    """The graph of these tables: constants, nodes, then symbols, parameters, blocks and tables."""
    new = Graph()
    symbols, parameters, blocks, tables = leaves
    for value in constants:
        new.constant(value)
    for item in symbols:
        _slot(new.symbols, new.symbol_index, item, item)
    for item in parameters:
        _slot(new.parameters, new.parameter_index, item, item)
    for item in blocks:
        new.block_slot(item)
    for item in tables:
        new.table_slot(item)
    for node in nodes:
        new.append(node)
    new.rule_counts.update(rule_counts)
    return new


def _slot(table: list[Any], index: dict[Any, int], key: Any, item: Any) -> int:
    """The index of an item in a table, to which it is appended unless `index` has its key."""
    at = index.get(key)
    if at is None:
        at = index[key] = len(table)
        table.append(item)
    return at


def negated(ref: int) -> int:
    """-x; the constant zero has no sign."""
    return ref ^ 1 if ref != ZERO else ref
