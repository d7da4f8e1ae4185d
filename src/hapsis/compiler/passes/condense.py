"""Condensation: like terms, sin² + cos² = 1 and angle sums, applied where they reduce the operations.

Sums are read as sums of products (see `sums`), innermost first, so that chains of rotations about
parallel axes are condensed step by step. A scan with hashes that do not distinguish sine from cosine
finds the few sums in which two terms may combine; all others are unchanged. Nothing is multiplied out.
"""

from collections import Counter
from collections.abc import Iterator

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.cost import cost_of
from hapsis.compiler.ir.graph.graph import Node, negated
from hapsis.compiler.ir.graph.ops import ADD, COS, FIRST, MUL, SIN, SUB
from hapsis.compiler.passes.eliminate import eliminated
from hapsis.compiler.passes.sums import TERMS, Angles, Form, Sum

# The share of the price that the condensed form of a long Function must save. Its terms share factors
# that must stay available, and a smaller gain is lost by reloading them.
GAIN, LONG = 0.05, 256
# typical savings of like terms, and of terms that differ by sines against cosines
LIKE_SAVES, SINES_SAVE = 2.0, 30.0

# how many angles are tried one by one, and how many nodes may be visited for that
TRIALS, WALK = 16, 400_000
FEW = 3  # trials after which what the others save is estimated


def condensed(function: Function) -> Function:
    """The Function in its condensed form, or unchanged if that form is not cheaper.

    The rules applied are in `graph.rule_counts` of the result.
    """
    suspects = _Rewriter(function)
    if not any(suspects.roots.values()):
        return function
    least = GAIN * _price(function) if len(function.live) > LONG else 0.0
    if least and suspects.hope() < least:
        return function
    fired: Counter[str] = Counter()
    # trials are written into the graph, so it must be a copy
    best = eliminated(function)
    while better := _cheaper(best, fired, least - (_price(function) - _price(best))):
        best = better
    if not fired or _price(function) - _price(best) < least:
        return function
    best.graph.rule_counts.update(fired)
    return best


def _price(function: Function) -> float:
    """The price of all operations, also of those that depend on parameters alone."""
    return cost_of(function.graph, function.live).price


def roots(function: Function, uses: list[int]) -> dict[int, bool]:
    """Every sum, named by its last addition, and whether two of its terms might combine.

    A product's hash is the sum of its factors' hashes, and sine and cosine of an angle have the
    same; the last bits count them. Terms that combine have equal hashes, or hashes that differ by
    the square of a sine.
    """
    nodes = function.graph.nodes
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
    return {index: _may_combine(row, squares) for index, row in terms.items()}


def _may_combine(hashes: list[int], squares: set[int]) -> bool:
    return len(hashes) <= TERMS and (
        len(set(hashes)) < len(hashes) or any(x - y in squares for x in hashes if x & 254 for y in hashes)
    )


def _term_hashes(node: Node, uses: list[int], hashes: list[int], terms: dict[int, list[int]]) -> list[int]:
    """The hashes of a sum's terms, including those of inner sums that are used only here."""
    own: list[int] = []
    for ref in (node[1], node[2]):
        if ref & 2:
            own.append(0)
        elif uses[ref >> 2] == 1 and ref >> 2 in terms:
            more = terms.pop(ref >> 2)
            if len(more) > len(own):
                own, more = more, own
            own += more
        else:
            own.append(hashes[ref >> 2])
    return own


def _cheaper(function: Function, fired: Counter[str], needed: float) -> Function | None:
    """A cheaper form: all rewritings at once, else those that each save something; None if none does.

    Also None as soon as the first few show that all together do not save what is needed.
    """
    rewriter = _Rewriter(function)
    price = _price(function)
    best, least = rewriter.priced(None)
    if least >= price and rewriter.new_angles:
        tries = list(rewriter.new_angles)[: min(TRIALS, WALK // len(function.live))]
        allowed: set[Form] = set()
        best, least = rewriter.priced(allowed)
        for k, form in enumerate(tries):
            if k >= FEW and (price - least) * len(tries) < needed * k:
                return None
            trial, cost = rewriter.priced(allowed | {form})
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
        self.uses = function.uses()
        self.roots = roots(function, self.uses)
        self.new_angles: dict[Form, None] = {}
        self.fired: dict[Function, Counter[str]] = {}

    def hope(self) -> float:
        """An estimate of the saving: little for like terms, more for sines that combine with cosines."""
        angles, total = Angles(self.graph), 0.0
        for index, suspect in self.roots.items():
            if suspect:
                trial = Sum(angles, set())
                trial.read(self._terms(index))
                total += LIKE_SAVES * len(trial.fired) + SINES_SAVE * trial.sines_meet()
        return total

    def priced(self, allowed: set[Form] | None) -> tuple[Function, float]:
        """The rewritten Function and its price."""
        new = self.rewritten(allowed)
        return new, _price(new)

    def rewritten(self, allowed: set[Form] | None) -> Function:
        """The Function with all rewritings that create no angle outside of `allowed`."""
        function = self.function
        self.moved: dict[int, int] = {}
        self.fresh: set[int] = set()  # condensed sums, and products with them
        self.counts: Counter[str] = Counter()
        self.angles = Angles(self.graph)
        for index in function.live:
            old, new = index << 2, None
            if index in self.roots and (self.fresh or self.roots[index]):
                new = self._sum(index, allowed)
            if new is None:
                new = self._copy(old)
            else:
                self.fresh.add(old)
            if new != old:
                self.moved[old] = new
        outputs = [p._replace(refs=tuple(map(self._new, p.refs))) for p in function.outputs]
        result = Function.of(function.name, self.graph, function.inputs, outputs, function.parameter_nodes)
        self.fired[result] = self.counts
        return result

    def _new(self, ref: int) -> int:
        there = self.moved.get(ref & -2, ref & -2)
        return negated(there) if ref & 1 else there

    def _copy(self, old: int) -> int:
        node = self.graph.nodes[old >> 2]
        op, first = node[0], FIRST[node[0]]
        if op == SIN or op == COS:
            return self.graph.node(op, self.angles.same(self._new(node[1])))
        if any(ref & -2 in self.moved for ref in node[first:]):
            if op == MUL and not self.fresh.isdisjoint(node[1:]):
                self.fresh.add(old)
            return self.graph.node(op, *node[1:first], *map(self._new, node[first:]))
        return old

    def _sum(self, index: int, allowed: set[Form] | None) -> int | None:
        """The condensed sum, or None where no rule applies."""
        terms = list(self._terms(index))
        if not self.roots[index] and self.fresh.isdisjoint(ref & -2 for ref in terms):
            return None
        total = Sum(self.angles, allowed)
        if len(terms) > TERMS or not total.read(map(self._new, terms)):
            return None
        total.rewrite()
        self.new_angles.update(dict.fromkeys(total.new_angles))
        self.counts.update(total.fired)
        return total.built() if total.fired else None

    def _terms(self, index: int) -> Iterator[int]:
        """The terms of a sum, including those of inner sums that are used only here."""
        nodes, left = self.graph.nodes, [index << 2]
        while left:
            ref = left.pop()
            inner = not ref & 2 and (ref >> 2 == index or self.uses[ref >> 2] == 1)
            if inner and nodes[ref >> 2][0] in (ADD, SUB):
                op, x, y = nodes[ref >> 2]
                left += (y ^ (ref & 1) ^ (op == SUB), x ^ (ref & 1))
            else:
                yield ref
