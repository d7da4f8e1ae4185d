"""One sum as a sum of products, with rules for like terms, sin² + cos² = 1 and angle sums.

A term is a coefficient and a sorted tuple of factors. Every rule replaces two terms by one, so the
rewriting terminates. Angles are linear forms: q1 + (q2 + q3) and (q1 + q2) + q3 are the same.
"""

from collections.abc import Iterable

from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ADD, COS, KINDS, MUL, ONE, PARAMETER, SIN, SUB, SYMBOL, ZERO

Factors = tuple[int, ...]
Form = tuple[tuple[int, float], ...]  # parts of an angle and their coefficients

TERMS = 64  # a longer sum is not rewritten
FACTORS = 12
PARTS = 128
LARGEST = 1e100  # of a coefficient, so that sums of two are finite

LIKE = "c*x + d*x -> (c + d)*x, in any order of factors"
SQUARE = "x - x*sin(a)**2 -> x*cos(a)**2, and with sin and cos exchanged"
PYTHAGORAS = "x*sin(a)**2 + x*cos(a)**2 -> x"
ANGLES = "x*cos(a)*cos(b) - x*sin(a)*sin(b) -> x*cos(a + b), and its three kin"


def rank(graph: Graph, ref: int) -> tuple[int, int]:
    """The sort key of a factor: mass, length, force, coordinate, sine and cosine, product, sum."""
    op, at = graph.nodes[ref >> 2][:2]
    if op in (SYMBOL, PARAMETER):
        kind = (graph.symbols if op == SYMBOL else graph.parameters)[at].kind
        return KINDS.index(kind), ref
    place = {SIN: 0, COS: 0, ADD: 2, SUB: 2}.get(op, 1)
    return len(KINDS) + place, ref


class Angles:
    """The angles of a graph by their linear forms, so that one angle is one node."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.known: dict[Form, int] = {}

    def parts(self, ref: int) -> dict[int, float]:
        """The linear form of an angle; one with too many parts is a single part."""
        nodes, value = self.graph.nodes, self.graph.value
        parts: dict[int, float] = {}
        left = [(ref, 1.0)]
        while left and len(parts) + len(left) <= PARTS:
            at, factor = left.pop()
            if at & 1:
                factor = -factor
            op = SYMBOL if at & 2 else nodes[at >> 2][0]
            if op in (ADD, SUB):
                _, x, y = nodes[at >> 2]
                left += ((y, -factor if op == SUB else factor), (x, factor))
            elif op == MUL and nodes[at >> 2][1] & 2:
                _, c, x = nodes[at >> 2]
                left.append((x, factor * value(c)))
            else:
                parts[at & -2] = parts.get(at & -2, 0.0) + factor
        return {ref: 1.0} if left else parts

    def of(self, x: int, y: int = ZERO, factor: float = 0.0) -> tuple[Form, int]:
        """The form of x + factor*y, its first coefficient positive, and the sign taken out."""
        parts = self.parts(x)
        if factor:
            for part, more in self.parts(y).items():
                parts[part] = parts.get(part, 0.0) + factor * more
        form = tuple(sorted((part, c) for part, c in parts.items() if c))
        if form and form[0][1] < 0:
            return tuple((part, -c) for part, c in form), 1
        return form, 0

    def same(self, ref: int) -> int:
        """The first angle in the graph that equals this one."""
        form, sign = self.of(ref)
        return self.known.setdefault(form, ref ^ sign) ^ sign

    def built(self, form: Form) -> int:
        """The angle of a form, in the order of its parts unless it is known in another."""
        ref = self.known.get(form)
        if ref is None:
            ref = ZERO
            for part, coefficient in form:
                term = self.graph.mul(self.graph.constant(coefficient), part)
                ref = self.graph.add(ref, term)
            self.known[form] = ref
        return ref


class Sum:
    """The terms of one sum while they are rewritten.

    `allowed` holds the forms that new angles may have, or None for any; `new_angles` collects the
    forms of those that were written, `fired` the names of the rules.
    """

    def __init__(self, angles: Angles, allowed: set[Form] | None) -> None:
        self.angles, self.graph, self.allowed = angles, angles.graph, allowed
        self.terms: dict[Factors, float] = {}
        self.given: dict[Factors, int] = {}  # terms as they came
        self.new_angles: list[Form] = []
        self.fired: list[str] = []

    def read(self, refs: Iterable[int]) -> bool:
        """Reads the terms; False if one has too many factors or too large a coefficient."""
        for ref in refs:
            coefficient, factors = self._product(ref)
            if len(factors) > FACTORS or abs(coefficient) > LARGEST:
                return False
            key = self._key(factors)
            met = key in self.terms
            self._add(coefficient, key)
            if met:
                self.fired.append(LIKE)
            else:
                self.given[key] = ref
        return True

    def sines_meet(self) -> bool:
        """Whether two terms have equal coefficients and are equal if sine and cosine are not distinguished.

        A term with the square of a sine may also combine with one without it.
        """
        nodes = self.graph.nodes
        met: set[tuple[float, Factors]] = set()
        for key, coefficient in self.terms.items():
            angles = [nodes[r >> 2][1] | 1 for r in key if nodes[r >> 2][0] in (SIN, COS)]
            others = [r for r in key if nodes[r >> 2][0] not in (SIN, COS)]
            squares = {x for x in angles if angles.count(x) > 1}
            shapes = {tuple(sorted([*others, *angles]))}
            shapes |= {_without(next(iter(shapes)), x, x) for x in squares}
            terms = {(abs(coefficient), shape) for shape in shapes}
            if met & terms:
                return True
            met |= terms
        return False

    def _product(self, ref: int) -> tuple[float, list[int]]:
        nodes = self.graph.nodes
        coefficient, factors = 1.0, []
        left = [ref]
        while left and len(factors) <= FACTORS:
            at = left.pop()
            if at & 2:
                coefficient *= self.graph.value(at)
                continue
            if at & 1:
                coefficient = -coefficient
            node = nodes[at >> 2]
            if node[0] == MUL:
                left += node[1:]
            else:
                factors.append(at & -2)
        return coefficient, factors

    def _key(self, factors: Iterable[int]) -> Factors:
        return tuple(sorted(factors, key=lambda ref: rank(self.graph, ref)))

    def _add(self, coefficient: float, key: Factors) -> None:
        total = self.terms.pop(key, 0.0) + coefficient
        self.given.pop(key, None)
        if total:
            self.terms[key] = total

    def rewrite(self) -> None:
        """Applies the rules until none matches."""
        while any(self._pairs(key) or self._squares(key) for key in list(self.terms)):
            pass

    def _pairs(self, key: Factors) -> bool:
        trig = [ref for ref in key if self.graph.nodes[ref >> 2][0] in (SIN, COS)]
        pairs = ((x, y) for k, x in enumerate(trig) for y in trig[k + 1 :])
        return any(self._pair(key, x, y) for x, y in pairs)

    def _other(self, ref: int) -> int:
        op, angle = self.graph.nodes[ref >> 2]
        return self.graph.node(SIN if op == COS else COS, angle)

    def _pair(self, key: Factors, x: int, y: int) -> bool:
        """Two terms that differ by sines against cosines of two angles become one."""
        rest = _without(key, x, y)
        partner = self._key((*rest, self._other(x), self._other(y)))
        first, second = self.terms[key], self.terms.get(partner, 0.0)
        if partner == key or abs(first) != abs(second):
            return False
        (op, a), (op_y, b) = self.graph.nodes[x >> 2], self.graph.nodes[y >> 2]
        equal = first == second
        if op == op_y:
            # with cos(a)cos(b) first: sin(a)sin(b) with the same sign gives the difference of the angles
            kind, plus = COS, not equal
            first = first if op == COS else second
        else:
            kind, plus = SIN, equal
            a, b = (a, b) if op == SIN else (b, a)
        form, sign = self.angles.of(a, b, 1.0 if plus else -1.0)
        if form and self.allowed is not None and form not in self.allowed:
            return False
        self.fired.append(ANGLES if form else PYTHAGORAS)
        del self.terms[key], self.terms[partner]
        angle = ZERO
        if form:
            self.new_angles.append(form)
            angle = self.angles.built(form) ^ sign
        more, factors = self._product(self.graph.node(kind, angle))
        self._add(first * more, self._key((*rest, *factors)))
        return True

    def _squares(self, key: Factors) -> bool:
        """T - T*x*x becomes the square of the other function."""
        for x in key:
            if key.count(x) > 1 and self.graph.nodes[x >> 2][0] in (SIN, COS):
                rest = _without(key, x, x)
                whole = self.terms.get(rest, 0.0)
                if whole == -self.terms[key]:
                    other = self._other(x)
                    del self.terms[key], self.terms[rest]
                    self.fired.append(SQUARE)
                    self._add(whole, self._key((*rest, other, other)))
                    return True
        return False

    def built(self) -> int:
        """The sum as an expression; terms that no rule changed keep their nodes."""
        total = ZERO
        for key, coefficient in self.terms.items():
            term = self.given.get(key)
            if term is None:
                term = ONE
                for factor in key:
                    term = self.graph.mul(term, factor)
                term = self.graph.mul(self.graph.constant(coefficient), term)
            total = self.graph.add(total, term)
        return total


def _without(key: Factors, x: int, y: int) -> Factors:
    left = list(key)
    left.remove(x)
    left.remove(y)
    return tuple(left)
