"""The constructors of the graph: every node is simplified before it is made.

Constants fold, zeros and ones vanish, signs go to the edges, operands of sums and products are put
in order, and the structural rules fire. They are closures over the tables of one graph: half a
microsecond a node, half of what methods would cost.
"""

from typing import TYPE_CHECKING

from hapsis.compiler.ir import rules
from hapsis.compiler.ir.fold import folded
from hapsis.compiler.ir.ops import (
    ADD,
    DIV,
    EQ,
    EVEN,
    MAX,
    MIN,
    MUL,
    ODD,
    ONE,
    OUT,
    POW,
    SELECT,
    SQRT,
    SUB,
    ZERO,
)  # fmt: skip
from hapsis.compiler.ir.rules import CONSTANT, SCALED
from hapsis.errors import CompileError

if TYPE_CHECKING:
    from hapsis.compiler.ir.graph import Graph

Node = tuple[int, ...]

# more nodes than this is a mistake or an attack, not a mechanism: about 2 GB of memory
NODE_LIMIT = 8_000_000


def bind(graph: "Graph") -> None:
    """Gives the graph its constructors."""
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
        key: Node = (op, *operands)
        if op > OUT:
            # signs leave odd and even functions; constants fold
            if op in ODD:
                sign = operands[0] & 1
                key = _signless(op, operands[0])
            elif op in EVEN:
                key = _signless(op, operands[0])
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


def _signless(op: int, x: int) -> Node:
    return (op, x & -2)


def _related(nodes: list[Node], x: int, y: int) -> bool:
    """Whether an operand, or an operand's operand, occurs twice: what sums and products ask."""
    if x & 2:
        return True
    inner = nodes[x >> 2]
    if y in inner or x == y:
        return True
    if y & 2:
        return False
    other = nodes[y >> 2]
    return x in other or inner[1] in other or inner[-1] in other
