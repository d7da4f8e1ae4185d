"""Condensation: like terms, Pythagoras and angle sums, kept where the count of operations falls.

Sums are read as sums of products (see `sums`), innermost first, so that chains of rotations about
parallel axes fold up one by one. A scan by hashes that take sine for cosine finds the few sums
where two terms could meet; everything else is left alone. Nothing is ever multiplied out.
"""

from collections import Counter
from collections.abc import Iterator

from hapsis.compiler.ir.function import Function
from hapsis.compiler.ir.graph import Node, negated
from hapsis.compiler.ir.ops import ADD, BLOCK, COS, FIRST, MUL, OUT, SIN, SUB
from hapsis.compiler.passes.eliminate import eliminated
from hapsis.compiler.passes.sums import TERMS, Angles, Form, Sum

# how many angles are tried one by one, and how many nodes may be walked through for that
TRIALS, WALK = 16, 400_000


def condensed(function: Function) -> Function:
    """The Function in its condensed form, or itself when that form is not cheaper.

    The rules that made it so are in `graph.rule_counts` of what comes back.
    """
    fired: Counter[str] = Counter()
    while suspects(function):
        better = _cheaper(eliminated(function), fired)
        if better is None:
            break
        function = better
    if fired:
        function.graph.rule_counts.update(fired)
    return function


def _uses(function: Function) -> list[int]:
    nodes = function.graph.nodes
    uses = [0] * len(nodes)
    for index in function.live:
        node = nodes[index]
        for ref in node[FIRST[node[0]] :]:
            if not ref & 2:
                uses[ref >> 2] += 1
    for ref in function.output_refs:
        if not ref & 2:
            uses[ref >> 2] += 1
    return uses


def suspects(function: Function) -> set[int]:
    """The sums in which two terms might combine, each named by its last addition.

    A product's hash is the sum of its factors' hashes, and sine and cosine of an angle have the
    same; the last bits count them. Terms that combine have equal hashes, or hashes that differ by
    the square of a sine.
    """
    nodes, uses = function.graph.nodes, _uses(function)
    hashes = [0] * len(nodes)
    terms: dict[int, list[int]] = {}
    squares: set[int] = set()
    for index in function.live:
        node = nodes[index]
        op = node[0]
        if op == MUL:
            _, x, y = node
            hashes[index] = (0 if x & 2 else hashes[x >> 2]) + (0 if y & 2 else hashes[y >> 2])
        elif op == SIN or op == COS:
            hashes[index] = hash((node[1], 1)) << 8 | 1
            squares.add(2 * hashes[index])
        else:
            hashes[index] = hash((index, 0)) << 8
            if op == ADD or op == SUB:
                terms[index] = _term_hashes(node, uses, hashes, terms)
    return {
        index
        for index, found in terms.items()
        if len(found) <= TERMS
        and (
            len(set(found)) < len(found)
            or any(x - y in squares for x in found if x & 254 for y in found)
        )
    }


def _term_hashes(
    node: Node, uses: list[int], hashes: list[int], terms: dict[int, list[int]]
) -> list[int]:
    """The hashes of a sum's terms; those of a sum that serves only this one are taken over."""
    found: list[int] = []
    for ref in (node[1], node[2]):
        if ref & 2:
            found.append(0)
        elif uses[ref >> 2] == 1 and ref >> 2 in terms:
            more = terms.pop(ref >> 2)
            if len(more) > len(found):
                found, more = more, found
            found += more
        else:
            found.append(hashes[ref >> 2])
    return found


def _cheaper(function: Function, fired: Counter[str]) -> Function | None:
    """A cheaper form: all rewritings at once, else those that pay one by one; None if none do."""
    price = function.cost().price
    rewriter = _Rewriter(function)
    best = rewriter.rewritten(None)
    least = best.cost().price
    if least >= price:
        tries = list(rewriter.made)[: min(TRIALS, WALK // len(function.live))]
        allowed: set[Form] = set()
        best = rewriter.rewritten(allowed)
        least = best.cost().price
        for form in tries:
            trial = rewriter.rewritten(allowed | {form})
            cost = trial.cost().price
            if cost < least:
                best, least, allowed = trial, cost, allowed | {form}
    if least >= price:
        return None
    fired.update(rewriter.fired[best])
    return eliminated(best)


class _Rewriter:
    """Writes condensed forms of one Function into its own graph, unchanged nodes shared."""

    def __init__(self, function: Function) -> None:
        self.function, self.graph = function, function.graph
        self.uses, self.suspects = _uses(function), suspects(function)
        self.made: dict[Form, None] = {}
        self.fired: dict[Function, Counter[str]] = {}

    def rewritten(self, allowed: set[Form] | None) -> Function:
        """The Function with all rewritings that make no angle outside of `allowed`."""
        function, nodes = self.function, self.graph.nodes
        self.moved: dict[int, int] = {}
        self.counts: Counter[str] = Counter()
        self.angles = Angles(self.graph)
        for index in function.live:
            op = nodes[index][0]
            ref = None
            if (op == ADD or op == SUB) and (self.moved or index in self.suspects):
                ref = self._sum(index, allowed)
            if ref is None:
                ref = self._copy(index)
            if ref != index << 2:
                self.moved[index] = ref
        outputs = [p._replace(refs=tuple(map(self._new, p.refs))) for p in function.outputs]
        new = Function.of(function.name, self.graph, function.inputs, outputs)
        self.fired[new] = self.counts
        return new

    def _new(self, ref: int) -> int:
        if ref & 2:
            return ref
        there = self.moved.get(ref >> 2, ref & -2)
        return negated(there) if ref & 1 else there

    def _copy(self, index: int) -> int:
        node = self.graph.nodes[index]
        op, first = node[0], FIRST[node[0]]
        if op == SIN or op == COS:
            return self.graph.node(op, self.angles.same(self._new(node[1])))
        if self.moved and op >= BLOCK and any(ref >> 2 in self.moved for ref in node[first:]):
            return self.graph.node(op, *node[1:first], *map(self._new, node[first:]))
        return index << 2

    def _sum(self, index: int, allowed: set[Form] | None) -> int | None:
        """What the sum condenses to, or None where no rule fires."""
        terms = list(self._terms(index))
        if index not in self.suspects and not any(r >> 2 in self.moved for r in terms):
            return None
        total = Sum(self.angles, allowed)
        if len(terms) > TERMS or not total.read(map(self._new, terms)):
            return None
        total.rewrite()
        self.made.update(dict.fromkeys(total.made))
        self.counts.update(total.fired)
        return total.built() if total.fired else None

    def _terms(self, index: int) -> Iterator[int]:
        """The terms of a sum, through the sums that serve only this one."""
        left = [index << 2]
        while left:
            ref = left.pop()
            node = self.graph.nodes[ref >> 2] if not ref & 2 else (OUT,)
            inner = ref >> 2 == index or (not ref & 2 and self.uses[ref >> 2] == 1)
            if inner and (node[0] == ADD or node[0] == SUB):
                left.append(node[2] ^ (ref & 1) ^ (node[0] == SUB))
                left.append(node[1] ^ (ref & 1))
            else:
                yield ref
