"""The search for twins: rows of nodes that are the same formula of other inputs.

Nodes of one shape (see `shapes`) do not depend on each other, and packs of such nodes can always be ordered.

The search begins at the deepest shapes that several nodes have. A pack has one node of each *instance*:
instances read different inputs, or have operands in different lanes of packs that are known already. From
there it goes down: the operands of a pack are a pack, unless they are one node, inputs or constants. Last,
packs spread to what reads them, and from there down again, wherever operations agree. That finds the
rest of twins which differ somewhere: a number that is zero in one of them only, another order of terms.
"""

from collections import defaultdict
from collections.abc import Iterable

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.ops import ADD, FIRST, OUT, SUB
from hapsis.compiler.passes.order import early
from hapsis.compiler.passes.packs import PACKED, SWAPPED, Row, own_nodes
from hapsis.compiler.passes.shapes import shapes

FEWEST = 24  # nodes in packs below which nothing is packed
DEEP = 4  # operations, one after the other, in the smallest shape at which a search begins
NEAR = 3  # steps down to an operand that says in which lane a node is
MANY = 128  # readers of one node among which a partner is looked for


class TwinSearch:
    """The search for packs in one prepared Function.

    rows      the packs, those of nodes of one shape first
    shaped    how many those are
    of        of each node in a pack its row and lane
    """

    def __init__(self, function: Function, width: int) -> None:
        self.function, self.width = function, width
        self.nodes = function.graph.nodes
        self.shapes = shapes(function)
        self.early = set(early(function))  # angles, which are evaluated together anyway
        self.rows: list[Row] = []
        self.shaped = 0
        self.of: dict[int, tuple[int, int]] = {}
        self._run()

    def _run(self) -> None:
        """Fills `rows` and `of`."""
        classes = self._classes()
        if sum(map(len, classes)) < FEWEST:
            return
        # first where instances read different inputs, then where lanes of their operands tell them apart
        for told_by in (self._by_inputs, self._by_lanes):
            for members in classes:
                for row in told_by([index for index in members if index not in self.of]):
                    self._grow(row)
        self.shaped = len(self.rows)
        self._spread()

    def _classes(self) -> list[list[int]]:
        """Nodes that share their shape with others, the deepest first."""
        shape, depth = self.shapes.shape, self.shapes.depth
        members: dict[int, list[int]] = defaultdict(list)
        for index in self.function.live:
            if self.nodes[index][0] in PACKED and index not in self.early:
                members[shape[index]].append(index)
        twins = [row for row in members.values() if len(row) > 1 and depth[row[0]] >= DEEP]
        return sorted(twins, key=lambda row: -depth[row[0]])

    def _by_inputs(self, members: list[int]) -> Iterable[Row]:
        """Rows of nodes that read different inputs: the first of each instance, the second, ..."""
        groups: dict[int, list[int]] = defaultdict(list)
        for index in members:
            groups[self.shapes.reads[index]].append(index)
        # lanes in the order of inputs, as are parameters of twins
        return self._rows_of([groups[key] for key in sorted(groups)]) if len(groups) > 1 else ()

    def _by_lanes(self, members: list[int]) -> Iterable[Row]:
        """Rows of nodes with operands in different lanes of one row."""
        groups: dict[tuple[int, int], list[int]] = {}
        for index in members:
            place = self._nearest(index)
            if place is not None:
                groups.setdefault(place, []).append(index)
        by_row: dict[int, list[list[int]]] = defaultdict(list)
        for (row, _), group in sorted(groups.items()):
            by_row[row].append(group)
        for several in by_row.values():
            if len(several) > 1:
                yield from self._rows_of(several)

    def _nearest(self, index: int) -> tuple[int, int] | None:
        """The row and lane of the nearest operands that are in one; None if they are in several lanes."""
        level = [index]
        for _ in range(NEAR):
            level = [r >> 2 for x in level for r in self._operands(x) if not r & 2]
            places = {self.of[x] for x in level if x in self.of}
            if places:
                return min(places) if len({lane for _, lane in places}) == 1 else None
        return None

    def _rows_of(self, groups: list[list[int]]) -> Iterable[Row]:
        """Rows with one node of each group, as wide as registers."""
        for k in range(max(map(len, groups))):
            row = [group[k] for group in groups if len(group) > k]
            while len(row) > 1:
                part, row = row[: self.width], row[self.width :]
                yield self._filled(tuple(part))

    def _filled(self, row: Row) -> Row:
        """The row with copies of its first node up to a power of two."""
        full = 1 << (len(row) - 1).bit_length()
        return row + row[:1] * (min(full, self.width) - len(row))

    def _operands(self, index: int) -> Row:
        node = self.nodes[index]
        return node[FIRST[node[0]] :]

    def _grow(self, row: Row) -> None:
        """Makes the row a pack, and its operands, as far as they are twins."""
        left = [row]
        while left:
            row = left.pop()
            if not self._fits(row):
                continue
            for lane, index in enumerate(row):
                self.of.setdefault(index, (len(self.rows), lane))
            self.rows.append(row)
            for column in self.columns(row):
                if not any(ref & 2 for ref in column):
                    left.append(tuple(ref >> 2 for ref in column))

    def _spread(self) -> None:
        """Packs of what reads packs, and of what these read, where shapes differ elsewhere."""
        readers: dict[int, list[int]] = defaultdict(list)
        for index in self.function.live:
            if self.nodes[index][0] in PACKED:
                for ref in self._operands(index):
                    if not ref & 2:
                        readers[ref >> 2].append(index)
        k = 0
        while k < len(self.rows):
            row = self.rows[k]
            own = own_nodes(row)
            for at, reader in enumerate(readers[row[0]]):
                if reader not in self.of:
                    partners = [self._partner(reader, _near(readers[index], at)) for index in own[1:]]
                    if None not in partners:
                        above = (reader, *(x for x in partners if x is not None))
                        self._join(self._filled(above))
            # what is below packs of one shape is known already
            for column in self.columns(row) if k >= self.shaped else ():
                if not any(ref & 2 for ref in column):
                    self._join(tuple(ref >> 2 for ref in column))
            k += 1

    def _kind(self, index: int) -> int:
        op = self.nodes[index][0]
        return ADD if op == SUB else op

    def _partner(self, reader: int, others: list[int]) -> int | None:
        """The one of the others that agrees best with a reader; None if none does."""
        best, partner = 0, None
        for other in others:
            score = self._agreement(reader, other)
            if score > best:
                best, partner = score, other
        return partner

    def _agreement(self, x: int, y: int) -> int:
        """How well two readers of a row agree: their operation and their other operands."""
        if x == y or self._kind(x) != self._kind(y) or x in self.of or y in self.of:
            return 0
        best = 0
        mine, others = self._summands(x), self._summands(y)
        for pairs in (zip(mine, others, strict=True), zip(mine, reversed(others), strict=True)):
            scores = [self._matched(a, b) for a, b in pairs]
            if min(scores) > 0:
                best = max(best, sum(scores))
        return best

    def _matched(self, x: int, y: int) -> int:
        """How well two operands match for packs that spread: 0 if they do not."""
        if (x | y) & 2:
            return 4 if x & y & 2 else 0
        x, y = x >> 2, y >> 2
        if x == y:
            return 4
        a, b = self.of.get(x), self.of.get(y)
        if a is not None and b is not None:
            return 5 if a[0] == b[0] and a[1] != b[1] else 0
        if a is not None or b is not None:
            return 0
        if self.nodes[x][0] <= OUT or self.nodes[y][0] <= OUT:
            return 3 if self.nodes[x][0] == self.nodes[y][0] else 0
        return 2 if self._kind(x) == self._kind(y) else 1

    def _join(self, row: Row) -> None:
        """Makes a row a pack without a look at its shape."""
        own = own_nodes(row)
        if len(own) < 2 or len(set(own)) < len(own) or any(x in self.of or x in self.early for x in row):
            return
        if self._kind(row[0]) not in PACKED or len({self._kind(x) for x in own}) > 1:
            return
        for lane, index in enumerate(row):
            self.of.setdefault(index, (len(self.rows), lane))
        self.rows.append(row)

    def _fits(self, row: Row) -> bool:
        """Whether a row may become a pack: free nodes of one shape, and different ones."""
        if self.nodes[row[0]][0] not in PACKED or any(x in self.of or x in self.early for x in row):
            return False
        own = own_nodes(row)
        return (
            len(own) > 1
            and len(set(own)) == len(own)
            and len({self.shapes.shape[index] for index in own}) == 1
        )

    def columns(self, row: Row) -> list[Row]:
        """The operands of a row, position by position; those of a sum or product may change places."""
        lanes = [self._summands(index) for index in row]
        if len(lanes[0]) == 2 and self.nodes[row[0]][0] in SWAPPED:
            first = lanes[0]
            for lane, (x, y) in enumerate(lanes):
                if self._alike(first[0], x) + self._alike(first[1], y) < self._alike(
                    first[0], y
                ) + self._alike(first[1], x):
                    lanes[lane] = y, x
        return [tuple(column) for column in zip(*lanes, strict=True)]

    def _summands(self, index: int) -> Row:
        """The operands of a node; a difference as a sum."""
        node = self.nodes[index]
        return (node[1], node[2] ^ 1) if node[0] == SUB else node[FIRST[node[0]] :]

    def _alike(self, x: int, y: int) -> int:
        """How well two references are operands of one pack at the same place."""
        if (x | y) & 2:
            return 3 if x & y & 2 else -5
        x, y = x >> 2, y >> 2
        if x == y:
            return 4
        if self.shapes.shape[x] != self.shapes.shape[y]:
            return -5
        if x in self.of and y in self.of:
            return 5 if self.of[x][0] == self.of[y][0] else 0
        return 2


def _near(readers: list[int], at: int) -> list[int]:
    """The readers of a node around a place, or all if they are few: those of twins are in one order."""
    first = max(0, min(at - MANY // 2, len(readers) - MANY))
    return readers[first : first + MANY]
