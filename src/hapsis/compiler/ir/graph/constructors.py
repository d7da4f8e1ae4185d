"""The constructors of the graph, which simplify every node before they create it.

Constants are folded, zeros and ones eliminated, signs moved to the edges, operands of sums and products
sorted, and the structural rules applied. The constructors are closures over the tables of one graph:
half a microsecond per node, half of what methods would cost.
"""

import weakref
from typing import TYPE_CHECKING, NamedTuple

from hapsis.compiler.ir.graph import rules
from hapsis.compiler.ir.graph.fold import folded
from hapsis.compiler.ir.graph.ops import (
    ADD,
    DIV,
    EQ,
    EVEN,
    LOOKUP,
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
)
from hapsis.compiler.ir.graph.rules import CONSTANT, SCALED
from hapsis.errors import CompileError

if TYPE_CHECKING:
    from hapsis.compiler.ir.graph.graph import Graph

Node = tuple[int, ...]

# more nodes than this (about 2 GB of memory) are a mistake or an attack, not a mechanism
NODE_LIMIT = 8_000_000


class Indices(NamedTuple):
    """What the constructors look up: the references of nodes and of constants, and heads.

    A head is the operation of a node, for the rules; SCALED is a product with a constant factor.
    """

    table: dict[Node, int]
    constant_refs: dict[float, int]
    heads: bytearray

    def copy(self) -> "Indices":
        """A copy of all three."""
        return Indices(self.table.copy(), self.constant_refs.copy(), self.heads.copy())


def no_nodes() -> Indices:
    """The indices of a graph without nodes."""
    return Indices({}, {0.0: ZERO, 1.0: ONE}, bytearray())


def bind(graph: "Graph") -> None:
    """Gives the graph its constructors."""
    nodes, constants = graph.nodes, graph.constants
    table, constant_refs, heads = graph.indices
    find, append = table.get, nodes.append
    push, find_rules = heads.append, rules.BY_HEADS.get
    in_sums, in_products = rules.IN_SUMS, rules.IN_PRODUCTS
    limit = NODE_LIMIT << 2
    # a weak reference, so that the graph is freed with its last expression without a garbage collection
    weak: Graph = weakref.proxy(graph)

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
        value = folded(op, tuple(weak.value(ref) for ref in operands))
        return None if value is None else constant(value)

    def new(key: Node) -> int:
        ref = len(nodes) << 2
        if ref > limit:
            raise full()
        append(key)
        push(SCALED if key[0] == MUL and key[1] & 2 else key[0])
        table[key] = ref
        return ref

    def full() -> CompileError:
        return CompileError(
            f"the graph has more than {NODE_LIMIT:,} nodes: split the formula into Functions "
            "and keep the calls, or use map and repeat"
        )

    def simplified(op: int, x: int, y: int) -> int | None:
        # the result of a structural rule for a sum or product: each of them needs an operand, or an
        # operand's operand, that occurs twice
        if (x | y) & 2:
            if x & y & 2:
                return None
            inner = nodes[(y if x & 2 else x) >> 2]
            if (x if x & 2 else y) not in inner:
                return None
        elif x != y:
            inner, other = nodes[x >> 2], nodes[y >> 2]
            if not (y in inner or x in other or inner[1] in other or inner[-1] in other):
                return None
        head = CONSTANT if x & 2 else heads[x >> 2]
        partner = CONSTANT if y & 2 else heads[y >> 2]
        candidates = find_rules(op << 10 | head << 5 | partner)
        if candidates is None:
            return None
        ref = rules.rewritten(weak, (op, x, y), candidates)
        if ref is not None:
            table[op, x, y] = ref
        return ref

    def add(x: int, y: int) -> int:
        # zero, constants, opposite terms
        if (x | y) & 2:
            if x == ZERO:
                return y
            if y == ZERO:
                return x
            if x & y & 2:
                ref = fold(ADD, (x, y))
                if ref is not None:
                    return ref
        if x ^ y == 1:
            return ZERO
        # canonical order; the first operand's sign is moved to the result's edge
        if x > y:
            x, y = y, x
        sign, op = x & 1, ADD
        if sign:
            x, y = x ^ 1, y ^ 1
        if y & 1:
            y, op = y ^ 1, SUB
        key = (op, x, y)
        ref = find(key)
        if ref is None:
            if (x | y) & 2 or x == y or in_sums[heads[x >> 2]] or in_sums[heads[y >> 2]]:
                ref = simplified(op, x, y)
            if ref is None:
                ref = len(nodes) << 2
                if ref > limit:
                    raise full()
                append(key)
                push(op)
                table[key] = ref
        return ref ^ 1 if sign and ref != ZERO else ref

    def sub(x: int, y: int) -> int:
        return add(x, y ^ 1 if y != ZERO else y)

    def mul(x: int, y: int) -> int:
        sign = (x ^ y) & 1
        if (x | y) & 1:
            x, y = x & -2, y & -2
        if (x | y) & 2:
            # zero, one, two constants
            if y & 2:
                x, y = y, x
            if x == ZERO or y == ZERO:
                return ZERO
            if x == ONE:
                return y ^ sign
            if y & 2:
                ref = fold(MUL, (x, y))
                if ref is not None:
                    return ref ^ sign if ref != ZERO else ZERO
                if x > y:
                    x, y = y, x
            else:
                # a constant comes first and is multiplied with the constant of another product
                inner = nodes[y >> 2]
                if inner[0] == MUL and inner[1] & 2:
                    ref = fold(MUL, (x, inner[1]))
                    if ref is not None and ref != ZERO:  # underflow would lose the value
                        return mul(ref, inner[2] ^ sign)
        elif x > y:
            x, y = y, x
        key = (MUL, x, y)
        ref = find(key)
        if ref is None:
            if x == y or (
                not y & 2 and (in_products[heads[y >> 2]] or (not x & 2 and in_products[heads[x >> 2]]))
            ):
                ref = simplified(MUL, x, y)
            if ref is None:
                ref = len(nodes) << 2
                if ref > limit:
                    raise full()
                append(key)
                push(SCALED if x & 2 else MUL)
                table[key] = ref
        return ref ^ 1 if sign and ref != ZERO else ref

    def div(x: int, y: int) -> int:
        sign = (x ^ y) & 1
        x &= -2
        y &= -2
        if x == ZERO and y != ZERO:
            return ZERO
        if x == y and not y & 2:
            return ONE ^ sign
        if x & y & 2:
            ref = fold(DIV, (x, y))
            if ref is not None:
                return ref ^ sign if ref != ZERO else ZERO
        # dividing by a constant is multiplying by its reciprocal
        if y & 2:
            ref = fold(DIV, (ONE, y))
            if ref is not None:
                return mul(ref, x ^ sign)
        key = (DIV, x, y)
        ref = find(key)
        if ref is None:
            ref = rules.rewritten(weak, key, rules.BY_OP.get(DIV, ()))
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
        if op == LOOKUP:
            if operands[1] & 2:
                return constant(weak.tables[operands[0]].at(weak.value(operands[1])))
        elif op > OUT:
            # signs are moved out of odd and even functions; constants are folded
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
                ref = power(key[1], weak.value(key[2]))
                if ref is not None:
                    return ref
            elif op in (MIN, MAX, EQ) and key[1] > key[2]:
                key = (op, key[2], key[1])
        ref = find(key)
        if ref is None:
            candidates = rules.BY_OP.get(op)
            ref = rules.rewritten(weak, key, candidates) if candidates else None
            if ref is None:
                ref = new(key)
            else:
                table[key] = ref
        return ref ^ sign if ref != ZERO else ZERO

    def power(x: int, exponent: float) -> int | None:
        # whole and half powers are products and one root, by repeated squaring
        twice = abs(exponent) * 2
        if twice > 64 or twice != int(twice):
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
    graph.node, graph.constant, graph.append = node, constant, new


def _signless(op: int, x: int) -> Node:
    return (op, x & -2)
