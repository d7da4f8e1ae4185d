"""The simplification rules as data: each line is `left -> right`.

`NORMAL_FORMS` are established by the constructors of the graph, for speed; `STRUCTURAL` rules are
matched here, before a node is created. In a rule c and d are constants, every other letter is any
expression. Both sides of a rule must agree wherever the left one is finite. Rewritings that only
sometimes save operations (angle sums, factoring) are passes, not rules.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from hapsis.compiler.ir.graph.ops import ADD, DIV, MUL, NAMES, SUB, ZERO

if TYPE_CHECKING:
    from hapsis.compiler.ir.graph.graph import Graph

NORMAL_FORMS = """
x + 0 -> x
x - x -> 0
x - 0 -> x
0 - x -> -x
-x + -y -> -(x + y)
y - x -> -(x - y)
x * 0 -> 0
x * 1 -> x
x * -1 -> -x
-x * y -> -(x*y)
-x * -y -> x*y
c * (d*x) -> (c*d)*x
0 / x -> 0
x / 1 -> x
x / x -> 1
x / c -> (1/c)*x
-x / y -> -(x/y)
x / -y -> -(x/y)
sin(-x) -> -sin(x)
tan(-x) -> -tan(x)
asin(-x) -> -asin(x)
sign(-x) -> -sign(x)
cos(-x) -> cos(x)
abs(-x) -> abs(x)
min(x, y) -> min(y, x)
max(x, y) -> max(y, x)
eq(x, y) -> eq(y, x)
select(1, x, y) -> x
select(0, x, y) -> y
pow(x, 0) -> 1
pow(x, 1) -> x
pow(x, 2) -> x*x
pow(x, 3) -> x*(x*x)
pow(x, 5) -> x*((x*x)*(x*x))
pow(x, -1) -> 1/x
pow(x, -2) -> 1/(x*x)
pow(x, 0.5) -> sqrt(x)
pow(x, 2.5) -> (x*x)*sqrt(x)
pow(x, -1.5) -> 1/(x*sqrt(x))
"""

STRUCTURAL = """
x + x -> 2*x
c*x + x -> (c + 1)*x
c*x + d*x -> (c + d)*x
(x + y) - x -> y
(x + y) - (x + z) -> y - z
(x/y) * y -> x
abs(x) * abs(x) -> x*x
(x*y) / y -> x
(x/y) / x -> 1/y
x / (y/z) -> (x*z)/y
abs(abs(x)) -> abs(x)
abs(x*x) -> x*x
abs(sqrt(x)) -> sqrt(x)
sqrt(x*x) -> abs(x)
log(exp(x)) -> x
floor(floor(x)) -> floor(x)
sign(sign(x)) -> sign(x)
min(x, x) -> x
max(x, x) -> x
lt(x, x) -> 0
select(z, x, x) -> x
"""

# heads of patterns and of operands that are no operation of the graph: a constant, a number, a
# minus sign, a product with a constant; and a letter, which is the head of no operand
CONSTANT, NUMBER, NEGATED, SCALED, ANY = 28, 29, 30, 31, 32


class Pattern(NamedTuple):
    """One side of a rule: an operation with its parts, a letter, or a number."""

    head: int
    parts: tuple["Pattern", ...] = ()
    name: str = ""
    value: float = 0.0


class Rule(NamedTuple):
    """One rule: its text, and both sides as patterns."""

    text: str
    left: Pattern
    right: Pattern


Bindings = dict[str, int]
_OPERATORS: dict[type, int] = {ast.Add: ADD, ast.Sub: SUB, ast.Mult: MUL, ast.Div: DIV}


def rule(text: str) -> Rule:
    """The rule of a line `left -> right`."""
    left, right = (_pattern(ast.parse(side.strip(), mode="eval").body) for side in text.split("->"))
    return Rule(text.strip(), left, right)


def _pattern(tree: ast.expr) -> Pattern:
    match tree:
        case ast.Name(id=name):
            return Pattern(CONSTANT if name in "cd" else ANY, name=name)
        case ast.Constant(value=int() | float() as value):
            return Pattern(NUMBER, value=float(value))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return Pattern(NEGATED, (_pattern(inner),))
        case ast.BinOp(left=x, op=op, right=y):
            return Pattern(_OPERATORS[type(op)], (_pattern(x), _pattern(y)))
        case ast.Call(func=ast.Name(id=name), args=args):
            return Pattern(list[str](NAMES).index(name), tuple(map(_pattern, args)))
        case _:
            raise ValueError(f"no rule can hold {ast.dump(tree)}")


RULES = [rule(line) for line in STRUCTURAL.strip().splitlines()]

# sums are one kind of node: a difference is a sum with a sign on one edge
BY_OP: dict[int, list[Rule]] = {}
for _rule in RULES:
    BY_OP.setdefault(ADD if _rule.left.head == SUB else _rule.left.head, []).append(_rule)
BY_OP[SUB] = BY_OP[ADD]


def _heads(pattern: Pattern) -> set[int]:
    """The heads an operand may have to match the pattern."""
    if pattern.head == ANY:
        return set(range(32))
    if pattern.head in (ADD, SUB):
        return {ADD, SUB}
    if pattern.head == MUL:
        return {SCALED} if CONSTANT in (part.head for part in pattern.parts) else {MUL, SCALED}
    return {pattern.head}


# the rules of sums and products by `op << 10 | head of one operand << 5 | head of the other`
BY_HEADS: dict[int, tuple[Rule, ...]] = {}
for _op in (ADD, SUB, MUL):
    for _rule in BY_OP[_op]:
        _left, _right = (_heads(part) for part in _rule.left.parts)
        for _pair in {p for a in _left for b in _right for p in (a << 5 | b, b << 5 | a)}:
            _key = _op << 10 | _pair
            BY_HEADS[_key] = (*BY_HEADS.get(_key, ()), _rule)


def _asked(op: int) -> bytes:
    """For each head whether a rule of this operation needs an operand with that head."""
    parts = [part for rule_ in BY_OP[op] for part in rule_.left.parts if part.head != ANY]
    return bytes(any(head in _heads(part) for part in parts) for head in range(32))


IN_SUMS, IN_PRODUCTS = _asked(ADD), _asked(MUL)


def rewritten(graph: "Graph", key: tuple[int, ...], candidates: Iterable[Rule]) -> int | None:
    """The result of the first rule that matches the node `key`, or None if none matches."""
    op = key[0]
    for candidate in candidates:
        # a sum may match with all signs reversed; the result is then minus the right side
        for sign in (0, 1) if op in (ADD, SUB) else (0,):
            for bindings in _node_matches(graph, candidate.left, key, sign, {}):
                counts = graph.rule_counts
                counts[candidate.text] = counts.get(candidate.text, 0) + 1
                ref = built(graph, candidate.right, bindings)
                return ref ^ sign if ref != ZERO else ref
    return None


def built(graph: "Graph", pattern: Pattern, bindings: Bindings) -> int:
    """The reference of a pattern whose letters are bound."""
    if pattern.head in (ANY, CONSTANT):
        return bindings[pattern.name]
    if pattern.head == NUMBER:
        return graph.constant(pattern.value)
    parts = [built(graph, part, bindings) for part in pattern.parts]
    if pattern.head == NEGATED:
        return parts[0] ^ 1 if parts[0] != ZERO else ZERO
    return graph.node(pattern.head, *parts)


def _matches(graph: "Graph", pattern: Pattern, ref: int, bindings: Bindings) -> Iterator[Bindings]:
    """All ways to bind the letters so that `pattern` is `ref`."""
    head = pattern.head
    if head in (ANY, CONSTANT):
        if pattern.name in bindings:
            if bindings[pattern.name] == ref:
                yield bindings
        elif head == ANY or ref & 2:
            yield {**bindings, pattern.name: ref}
    elif not ref & 2:
        yield from _node_matches(graph, pattern, graph.nodes[ref >> 2], ref & 1, bindings)


def _node_matches(
    graph: "Graph", pattern: Pattern, node: tuple[int, ...], sign: int, bindings: Bindings
) -> Iterator[Bindings]:
    head, op = pattern.head, node[0]
    choices: list[tuple[int, ...]]
    if head in (ADD, SUB) and op in (ADD, SUB):
        x, y = node[1] ^ sign, node[2] ^ sign ^ (op == SUB)
        turn = int(head == SUB)
        choices = [(x, y ^ turn), (y, x ^ turn)]
    elif head == op == MUL:
        # either order, and the sign of a product may belong to either factor
        signs = ((1, 0), (0, 1)) if sign else ((0, 0),)
        choices = [(a ^ s, b ^ t) for a, b in (node[1:], node[:0:-1]) for s, t in signs]
    else:
        choices = [node[1:]] if head == op and not sign else []
    for operands in choices:
        yield from _all_match(graph, pattern.parts, operands, bindings)


def _all_match(
    graph: "Graph", patterns: tuple[Pattern, ...], refs: tuple[int, ...], bindings: Bindings
) -> Iterator[Bindings]:
    if not patterns:
        yield bindings
        return
    for more in _matches(graph, patterns[0], refs[0], bindings):
        yield from _all_match(graph, patterns[1:], refs[1:], more)
