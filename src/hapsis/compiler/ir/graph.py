"""The flat, hash-consed graph: equal expressions are the same reference, from the first product on.

Every constructor simplifies before it makes a node: constants fold, zeros and ones vanish, signs
move to the edges, and the structural rules of `rules` fire. Nodes are only ever appended, so their
order is a valid order of evaluation and references stay good for the life of the graph.

Left out on purpose: expression trees, `expand`, and anything about arrays (see `expr`).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hapsis.compiler.ir import rules
from hapsis.compiler.ir.fold import folded
from hapsis.compiler.ir.rules import CONSTANT, SCALED
from hapsis.compiler.ir.ops import (
    ADD, BLOCK, DIV, EQ, EVEN, FIRST, MAX, MIN, MUL, ODD, ONE, OUT, PARAMETER, POW, SELECT, SQRT,
    SUB, SYMBOL, ZERO,
)  # fmt: skip
from hapsis.errors import CompileError

if TYPE_CHECKING:
    from hapsis.compiler.ir.cost import Cost

Node = tuple[int, ...]

# more nodes than this is a mistake or an attack, not a mechanism: about 2 GB of memory
NODE_LIMIT = 8_000_000


class Symbol(NamedTuple):
    """A scalar the graph does not know the value of; a parameter also stores a default."""

    name: str
    kind: str
    value: float | None = None


class BlockLike(Protocol):
    """What a BLOCK node calls: `blocks.Call`, `blocks.Map` or `blocks.Repeat`."""

    @property
    def n_in(self) -> int: ...
    @property
    def n_out(self) -> int: ...
    @property
    def digest(self) -> bytes: ...
    def cost(self) -> "Cost": ...


class Graph:
    """Tables of nodes and constants, with the constructors as attributes.

        add, sub, mul, div      reference, reference -> reference
        node                    op, references... -> reference, for every other operation

    The constructors are closures over the tables: half a microsecond a node, half of what methods
    cost. Prefer `Expr` unless you write millions of nodes.
    """

    __slots__ = (
        "__weakref__", "add", "block_index", "blocks", "constant", "constants", "div", "mul",
        "node", "nodes", "parameter_index", "parameters", "rule_counts", "sub", "symbol_index",
        "symbols",
    )  # fmt: skip
    add: Callable[[int, int], int]
    sub: Callable[[int, int], int]
    mul: Callable[[int, int], int]
    div: Callable[[int, int], int]
    node: Callable[..., int]
    constant: Callable[[float], int]

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.constants: list[float] = [0.0, 1.0]
        self.symbols: list[Symbol] = []
        self.symbol_index: dict[str, int] = {}
        self.parameters: list[Symbol] = []
        self.parameter_index: dict[str, int] = {}
        self.blocks: list[BlockLike] = []
        self.block_index: dict[bytes, int] = {}
        self.rule_counts: dict[str, int] = {}
        _bind_constructors(self)

    def symbol(self, name: str, kind: str = "other") -> int:
        """The scalar of that name; asking twice gives the same one."""
        return self._leaf(SYMBOL, self.symbols, self.symbol_index, Symbol(name, kind))

    def parameter(self, name: str, value: float, kind: str = "other") -> int:
        """The parameter of that name, with the value used when a call gives none."""
        return self._leaf(
            PARAMETER, self.parameters, self.parameter_index, Symbol(name, kind, float(value))
        )

    def _leaf(self, op: int, table: list[Symbol], index: dict[str, int], new: Symbol) -> int:
        at = index.get(new.name)
        if at is None:
            at = index[new.name] = len(table)
            table.append(new)
        elif table[at] != new:
            old = table[at]
            raise CompileError(
                f'"{new.name[:80]}" is already {old.kind} with value {old.value}, not {new.kind} '
                f"with value {new.value}: give one of them another name"
            )
        return self.node(op, at)

    def block_call(self, block: BlockLike, operands: Sequence[int]) -> int:
        """The node that calls `block` on these operands; its results are OUT nodes."""
        at = self.block_index.get(block.digest)
        if at is None:
            at = self.block_index[block.digest] = len(self.blocks)
            self.blocks.append(block)
        return self.node(BLOCK, at, *operands)

    def block(self, block: BlockLike, operands: Sequence[int]) -> list[int]:
        """References to all scalars that `block` returns for these operands."""
        call = self.block_call(block, operands)
        return [self.node(OUT, j, call) for j in range(block.n_out)]

    def operands(self, index: int) -> Node:
        """The operand references of node `index`."""
        node = self.nodes[index]
        return node[FIRST[node[0]] :]

    def value(self, ref: int) -> float:
        """The number behind a constant's reference."""
        value = self.constants[ref >> 2]
        return -value if ref & 1 else value

    def live(self, refs: Iterable[int]) -> list[int]:
        """Indices of all nodes these references need, in order of evaluation."""
        wanted = [ref >> 2 for ref in refs if not ref & 2]
        if not wanted:
            return []
        top = max(wanted) + 1
        mark = bytearray(top)
        for index in wanted:
            mark[index] = 1
        nodes = self.nodes
        for index in range(top - 1, -1, -1):
            if mark[index]:
                node = nodes[index]
                for ref in node[FIRST[node[0]] :]:
                    if not ref & 2:
                        mark[ref >> 2] = 1
        return [index for index, used in enumerate(mark) if used]


def negated(ref: int) -> int:
    """-x; the constant zero has no sign."""
    return ref ^ 1 if ref != ZERO else ref


def _bind_constructors(graph: Graph) -> None:
    nodes, constants = graph.nodes, graph.constants
    table: dict[Node, int] = {}
    constant_refs: dict[float, int] = {0.0: ZERO, 1.0: ONE}
    find, append = table.get, nodes.append
    heads = bytearray()
    find_rules = rules.BY_HEADS.get

    def constant(value: float) -> int:
        sign = 0
        if value < 0:
            value, sign = -value, 1
        ref = constant_refs.get(value)
        if ref is None:
            if not value < float("inf"):  # nan too
                raise CompileError(f"a constant must be a finite number, not {value}")
            ref = constant_refs[value] = len(constants) << 2 | 2
            constants.append(value)
        return ref ^ sign if ref != ZERO else ZERO

    def fold(op: int, operands: Node) -> int | None:
        value = folded(op, tuple(graph.value(ref) for ref in operands))
        return None if value is None else constant(value)

    def new(key: Node) -> int:
        ref = len(nodes) << 2
        if ref > NODE_LIMIT << 2:
            raise CompileError(
                f"the graph has more than {NODE_LIMIT:,} nodes: split the formula into Functions "
                "and keep the calls, or use map and repeat"
            )
        op = key[0]
        append(key)
        heads.append(SCALED if op == MUL and key[1] & 2 else op)
        table[key] = ref
        return ref

    def simplified(key: Node) -> int | None:
        # what a structural rule makes of a sum or product; most have none that could fit
        op, x, y = key
        head = CONSTANT if x & 2 else heads[x >> 2]
        other = CONSTANT if y & 2 else heads[y >> 2]
        candidates = find_rules(op << 10 | head << 5 | other)
        if candidates is None or not _related(nodes, x, y):
            return None
        ref = rules.rewritten(graph, key, candidates)
        if ref is not None:
            table[key] = ref
        return ref

    def add(x: int, y: int) -> int:
        # zero, opposite terms, constants
        if x == ZERO:
            return y
        if y == ZERO:
            return x
        if x ^ y == 1:
            return ZERO
        if x & y & 2:
            ref = fold(ADD, (x, y))
            if ref is not None:
                return ref
        # canonical order; the first operand's sign goes to the result's edge
        if x > y:
            x, y = y, x
        key = (SUB if (x ^ y) & 1 else ADD, x & -2, y & -2)
        ref = find(key)
        if ref is None:
            ref = simplified(key)
            if ref is None:
                ref = new(key)
        return ref ^ (x & 1) if ref != ZERO else ZERO

    def sub(x: int, y: int) -> int:
        return add(x, y ^ 1 if y != ZERO else y)

    def mul(x: int, y: int) -> int:
        sign = (x ^ y) & 1
        x &= -2
        y &= -2
        # zero and one
        if x == ZERO or y == ZERO:
            return ZERO
        if x == ONE:
            return y ^ sign
        if y == ONE:
            return x ^ sign
        # a constant comes first and swallows the constant of another product
        if x > y:
            x, y = y, x
        if (x | y) & 2:
            if y & 2:
                x, y = y, x
            if y & 2:
                ref = fold(MUL, (x, y))
                if ref is not None:
                    return ref ^ sign if ref != ZERO else ZERO
            else:
                inner = nodes[y >> 2]
                if inner[0] == MUL and inner[1] & 2:
                    ref = fold(MUL, (x, inner[1]))
                    if ref is not None:
                        return mul(ref, inner[2] ^ sign)
        key = (MUL, x, y)
        ref = find(key)
        if ref is None:
            ref = simplified(key)
            if ref is None:
                ref = new(key)
        return ref ^ sign if ref != ZERO else ZERO

    def div(x: int, y: int) -> int:
        sign = (x ^ y) & 1
        x &= -2
        y &= -2
        if x == ZERO and y != ZERO:
            return ZERO
        if x == y and not y & 2:
            return ONE ^ sign
        # dividing by a constant is multiplying by its reciprocal
        if y & 2:
            ref = fold(DIV, (ONE, y))
            if ref is not None:
                return mul(ref, x ^ sign)
        key = (DIV, x, y)
        ref = find(key)
        if ref is None:
            ref = rules.rewritten(graph, key, rules.BY_OP.get(DIV, ()))
            if ref is None:
                ref = new(key)
            else:
                table[key] = ref
        return ref ^ sign

    def node(op: int, *operands: int) -> int:
        if op == ADD:
            return add(*operands)
        if op == SUB:
            return sub(*operands)
        if op == MUL:
            return mul(*operands)
        if op == DIV:
            return div(*operands)
        sign = 0
        key = (op, *operands)
        if op > OUT:
            # signs leave odd and even functions; constants fold
            if op in ODD:
                sign = operands[0] & 1
                key = (op, operands[0] & -2)
            elif op in EVEN:
                key = (op, operands[0] & -2)
            if all(ref & 2 for ref in key[1:]):
                ref = fold(op, key[1:])
                if ref is not None:
                    return ref ^ sign if ref != ZERO else ZERO
            elif op == SELECT and key[1] & 2:
                return key[2] if key[1] != ZERO else key[3]
            elif op == POW and key[2] & 2:
                ref = power(key[1], graph.value(key[2]))
                if ref is not None:
                    return ref
            elif op in (MIN, MAX, EQ) and key[1] > key[2]:
                key = (op, key[2], key[1])
        ref = find(key)
        if ref is None:
            candidates = rules.BY_OP.get(op)
            ref = rules.rewritten(graph, key, candidates) if candidates else None
            if ref is None:
                ref = new(key)
            else:
                table[key] = ref
        return ref ^ sign if ref != ZERO else ZERO

    def power(x: int, exponent: float) -> int | None:
        # whole and half powers are products and one root, by repeated squaring
        twice = abs(exponent) * 2
        if twice != int(twice) or twice > 64:
            return None
        result, square, left = ONE, x, int(twice) // 2
        while left:
            if left & 1:
                result = mul(result, square)
            square, left = mul(square, square) if left > 1 else square, left >> 1
        if int(twice) & 1:
            result = mul(result, node(SQRT, x))
        return div(ONE, result) if exponent < 0 else result

    graph.add, graph.sub, graph.mul, graph.div = add, sub, mul, div
    graph.node, graph.constant = node, constant


def _related(nodes: list[Node], x: int, y: int) -> bool:
    """Whether an operand, or an operand's operand, occurs twice: rules of sums and products ask it."""
    if x & 2:
        return True
    inner = nodes[x >> 2]
    if y in inner or x == y:
        return True
    if y & 2:
        return False
    other = nodes[y >> 2]
    return x in other or inner[1] in other or inner[-1] in other
