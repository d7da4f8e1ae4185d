"""Twins: nodes that are the same operation on twin operands, so that one vector instruction computes them all.

The legs of a robot, the corners of a car and the arms of a linkage are the same formulas of other inputs and
other numbers. They are found in the straight-line program, where everything that was written of them shows: in
every formalism, in loops, in derivatives.

A *pack* is a row of such nodes, one for each lane. Two nodes may be in one pack if they have the same *shape*:
the same operations down to the inputs, in which inputs, parameters and constants are not distinguished, nor are
sums and differences (mirror images differ by signs). Nodes of one shape do not depend on each other, so packs
can be ordered.

The search begins at the deepest shapes that several nodes have. Of these nodes a pack has one of each *instance*: nodes
that read different inputs, or whose operands are in different lanes already. From there it goes down: operands of
a pack are a pack, unless they are the same node, inputs or constants. Packs that cost more to fill and
to empty than they save are given up.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, DIV, FIRST, MUL, OUT, SQRT, SUB
from hapsis.compiler.passes.order import early

PACKED = frozenset({ADD, SUB, MUL, DIV, SQRT})
SWAPPED = frozenset({ADD, SUB, MUL})  # operations whose operands may change places, up to signs

FEWEST = 24  # nodes in packs below which nothing is packed
DEEP = 4  # operations, one after the other, in the smallest shape at which a search begins
NEAR = 3  # steps down to an operand that says in which lane a node is
GAIN = 0.08  # the least share of the instructions that packs must save

Row = tuple[int, ...]


class Packs(NamedTuple):
    """Rows of nodes, and for each node its row and lane. A row may end with copies of its first node.

    columns    of each row: its operands, position by position, as rows of references
    saved      the predicted share of instructions that they save
    """

    rows: list[Row]
    of: dict[int, tuple[int, int]]
    columns: list[list[Row]]
    saved: float


NONE = Packs([], {}, [], 0.0)
_known: WeakKeyDictionary[Function, dict[int, Packs]] = WeakKeyDictionary()


def twins(function: Function, width: int) -> Packs:
    """The packs of a prepared Function for registers of so many numbers; none where they do not pay."""
    known = _known.setdefault(function, {})
    if width not in known:
        known[width] = _Search(function, width).packs() if width > 1 else NONE
    return known[width]


class _Search:
    """The search for packs in one Function."""

    def __init__(self, function: Function, width: int) -> None:
        self.function, self.width = function, width
        self.nodes = function.graph.nodes
        self.early = set(early(function))  # angles, which are evaluated together anyway
        self.rows: list[Row] = []
        self.of: dict[int, tuple[int, int]] = {}

    def packs(self) -> Packs:
        """All packs that pay."""
        classes = self._classes()
        if sum(len(members) for members in classes) < FEWEST:
            return NONE
        # first where instances read different inputs, then where lanes of their operands tell them apart
        for told_by in (self._by_inputs, self._by_lanes):
            for members in classes:
                for row in told_by([x for x in members if x not in self.of]):
                    self._grow(row)
        if sum(map(len, self.rows)) < FEWEST:
            return NONE
        columns = [self._columns(row) for row in self.rows]
        return _Choice(self.function, self.rows, self.of, columns).packs()

    def _classes(self) -> list[list[int]]:
        """Nodes that share their shape with others, the deepest first."""
        nodes, live = self.nodes, self.function.live
        numbers: dict[Row, int] = {}
        size = len(nodes)
        self.shape, self.reads, depth = [0] * size, [0] * size, [0] * size
        shape, reads = self.shape, self.reads
        members: dict[int, list[int]] = defaultdict(list)
        for k, ref in enumerate(self.function.input_refs[: self.function.n_in - len(self.function.parameter_nodes)]):
            reads[ref >> 2] = 1 << k
        for index in live:
            node = nodes[index]
            op = node[0]
            if op <= OUT:
                if op == BLOCK or op == OUT:
                    shape[index] = -index - 2  # like no other
                    for ref in node[2:]:
                        reads[index] |= reads[ref >> 2] if not ref & 2 else 0
                continue
            kids, deepest, all_read = [], 0, 0
            for ref in node[FIRST[op] :]:
                if ref & 2:
                    kids.append(-1)
                    continue
                kid = ref >> 2
                kids.append(shape[kid])
                all_read |= reads[kid]
                if depth[kid] > deepest:
                    deepest = depth[kid]
            if op in SWAPPED:
                kids.sort()
            depth[index], reads[index] = deepest + 1, all_read
            key = (ADD if op == SUB else op, *node[1 : FIRST[op]], *kids)
            shape[index] = numbers.setdefault(key, len(numbers) + 1)
            if op in PACKED and index not in self.early:
                members[shape[index]].append(index)
        twins = [row for row in members.values() if len(row) > 1 and depth[row[0]] >= DEEP]
        return sorted(twins, key=lambda row: -depth[row[0]])

    def _by_inputs(self, members: list[int]) -> Iterable[Row]:
        """Rows of nodes that read different inputs: the first of each instance, the second, ..."""
        groups: dict[int, list[int]] = defaultdict(list)
        for index in members:
            groups[self.reads[index]].append(index)
        return self._rows_of(list(groups.values())) if len(groups) > 1 else ()

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
            for column in self._columns(row):
                if not any(ref & 2 for ref in column):
                    left.append(tuple(ref >> 2 for ref in column))

    def _fits(self, row: Row) -> bool:
        """Whether a row may become a pack: free nodes of one shape, different but for the copies at its end."""
        if self.nodes[row[0]][0] not in PACKED or any(x in self.of or x in self.early for x in row):
            return False
        own = row[: 1 + max(lane for lane, index in enumerate(row) if index != row[0] or not lane)]
        return len(own) > 1 and len(set(own)) == len(own) and len({self.shape[index] for index in own}) == 1

    def _columns(self, row: Row) -> list[Row]:
        """The operands of a row, position by position; those of a sum or product may change places."""
        lanes = [self._summands(index) for index in row]
        if len(lanes[0]) == 2 and self.nodes[row[0]][0] in SWAPPED:
            first = lanes[0]
            for lane, (x, y) in enumerate(lanes):
                if self._alike(first[0], x) + self._alike(first[1], y) < self._alike(first[0], y) + self._alike(
                    first[1], x
                ):
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
        if self.shape[x] != self.shape[y]:
            return -5
        if x in self.of and y in self.of:
            return 5 if self.of[x][0] == self.of[y][0] else 0
        return 2


class _Choice:
    """The packs that pay: instructions saved, less those that fill and empty registers."""

    def __init__(
        self, function: Function, rows: Sequence[Row], of: dict[int, tuple[int, int]], columns: list[list[Row]]
    ) -> None:
        self.function, self.rows, self.columns = function, rows, columns
        self.of = of
        self.nodes = function.graph.nodes
        self.kept = bytearray(b"\1" * len(rows))
        self.shared = Counter(column for parts in columns for column in set(parts))
        self.readers: dict[int, set[int]] = defaultdict(set)  # of each row, the rows with it as an operand
        for k, parts in enumerate(columns):
            for column in parts:
                for ref in column:
                    if not ref & 2 and ref >> 2 in of:
                        self.readers[of[ref >> 2][0]].add(k)
        self.scalar_readers: dict[int, set[int]] = defaultdict(set)  # of each node, nodes outside of rows
        outputs = {ref >> 2 for ref in function.output_refs if not ref & 2}
        self.outputs = outputs
        for index in function.live:
            if index not in of and self.nodes[index][0] >= BLOCK:
                for ref in self.nodes[index][FIRST[self.nodes[index][0]] :]:
                    if not ref & 2 and ref >> 2 in of:
                        self.scalar_readers[ref >> 2].add(index)

    def packs(self) -> Packs:
        """The kept packs, renumbered; none where the whole saves too little."""
        waiting = list(range(len(self.rows)))
        for _ in range(6):
            lost = [k for k in waiting if self.kept[k] and self._gain(k) < 0]
            if not lost:
                break
            for k in lost:
                if self._gain(k) < 0:
                    self.kept[k] = 0
            waiting = [k for k in waiting if self.kept[k]]
        saved = sum(self._gain(k) for k in waiting)
        total = sum(self.nodes[index][0] > OUT for index in self.function.live)
        share = saved / max(total, 1)
        if share < GAIN:
            return NONE
        number = {k: n for n, k in enumerate(waiting)}
        of = {i: (number[k], lane) for i, (k, lane) in self.of.items() if k in number}
        return Packs([self.rows[k] for k in waiting], of, [self.columns[k] for k in waiting], share)

    def _gain(self, k: int) -> float:
        """Instructions that a pack saves, all others being as they are."""
        row = self.rows[k]
        gain = len(set(row)) - 1.0
        for column in self.columns[k]:
            gain -= self._filling(column) / self.shared[column]
        for index in set(row):
            readers = self.scalar_readers[index]
            alone = bool(readers) or any(
                not self.kept[r] for r in self.readers[k] if any(index == ref >> 2 for c in self.columns[r] for ref in c)
            )
            gain -= 1.0 * (alone and self.of[index][1] > 0)
        return gain

    def _filling(self, column: Row) -> float:
        """Instructions that bring a column into a register, shared by those that read it."""
        if all(ref & 2 for ref in column):
            return 0.0
        if len({ref >> 2 for ref in column}) == 1:
            return 1.0
        rows = {self.of.get(ref >> 2, (-1, 0)) if not ref & 2 else (-1, 0) for ref in column}
        numbers = {row for row, _ in rows}
        if len(numbers) == 1 and (number := numbers.pop()) >= 0 and self.kept[number]:
            if self.rows[number] == tuple(ref >> 2 for ref in column):
                return 0.0
        return float(len(set(column)))
