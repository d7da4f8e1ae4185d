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
from graphlib import CycleError, TopologicalSorter
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
LEAST = -1.0  # instructions that a pack may cost: others gain by it what is not counted
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
        shaped = len(self.rows)
        self._spread()
        columns = [self._columns(row) for row in self.rows]
        return _Choice(self.function, self.rows, self.of, columns, shaped).packs()

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
            own = self._own(row)
            for reader in readers[row[0]]:
                found = [reader]
                for lane in range(1, len(own)):
                    scored = [(self._agreement(reader, other, k), -other) for other in readers[row[lane]]]
                    best = max(scored, default=(0, 0))
                    if best[0] > 0:
                        found.append(-best[1])
                if len(found) == len(own):
                    self._join(self._filled(tuple(found)) if len(own) < len(row) else tuple(found))
            for column in self._columns(row):
                below = tuple(ref >> 2 for ref in column)
                if not any(ref & 2 for ref in column) and len(set(below)) == len(own):
                    if len({self._kind(x) for x in below[: len(own)]}) == 1:
                        self._join(below)
            k += 1

    def _own(self, row: Row) -> Row:
        """A row without the copies of its first node at the end."""
        return row[: 1 + max(lane for lane, index in enumerate(row) if index != row[0] or not lane)]

    def _kind(self, index: int) -> int:
        op = self.nodes[index][0]
        return ADD if op == SUB else op

    def _agreement(self, x: int, y: int, k: int) -> int:
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
        own = self._own(row)
        if len(own) < 2 or len(set(own)) < len(own) or any(x in self.of or x in self.early for x in row):
            return
        if self._kind(row[0]) not in PACKED or len({self._kind(x) for x in own}) > 1:
            return
        for lane, index in enumerate(row):
            self.of.setdefault(index, (len(self.rows), lane))
        self.rows.append(row)

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
        self,
        function: Function,
        rows: Sequence[Row],
        of: dict[int, tuple[int, int]],
        columns: list[list[Row]],
        shaped: int,
    ) -> None:
        self.function, self.rows, self.of, self.columns = function, rows, of, columns
        self.shaped = shaped  # rows of one shape, which are the first
        self.kept = bytearray(b"\1" * len(rows))
        self.saves = [len(set(row)) - 1.0 for row in rows]
        self.sources: list[list[tuple[int, float]]] = []  # of each column: its row or -1, instructions without it
        self.readers: list[list[int]] = [[] for _ in rows]  # rows of which it is an operand
        self.loose: list[set[int]] = [set() for _ in rows]  # nodes that are read alone
        shared = Counter(column for parts in columns for column in set(parts))
        for k, parts in enumerate(columns):
            self.sources.append([self._source(k, column, shared[column]) for column in parts])
        nodes = function.graph.nodes
        for index in function.live:
            node = nodes[index]
            if index not in of and node[0] >= BLOCK:
                self._read_alone(node[FIRST[node[0]] :])

    def _source(self, k: int, column: Row, readers: int) -> tuple[int, float]:
        """The row that a column is, and the instructions that gather it otherwise, shared by its readers."""
        nodes = [ref >> 2 for ref in column if not ref & 2]
        filling = len(set(nodes)) / readers
        if len(nodes) == len(column) and nodes[0] in self.of:
            row = self.of[nodes[0]][0]
            if self.rows[row] == tuple(nodes):
                self.readers[row].append(k)
                return row, filling
        if len(set(column)) > 1:
            self._read_alone(column)
        return -1, filling

    def _read_alone(self, refs: Iterable[int]) -> None:
        for ref in refs:
            place = self.of.get(ref >> 2) if not ref & 2 else None
            if place is not None and place[1] > 0:
                self.loose[place[0]].add(ref >> 2)

    def packs(self) -> Packs:
        """The kept packs, renumbered; none where the whole saves too little."""
        waiting = list(range(len(self.rows)))
        while waiting:
            k = waiting.pop()
            if self.kept[k] and self._gain(k) < LEAST:
                self.kept[k] = 0
                waiting += self.readers[k]
                waiting += [row for row, _ in self.sources[k] if row >= 0]
        while cycle := self._cycle():
            for k in cycle:
                self.kept[k] = 0
        left = [k for k in range(len(self.rows)) if self.kept[k]]
        total = sum(op > OUT for op in self.function.graph.ops(self.function.live))
        share = sum(map(self._gain, left)) / max(total, 1)
        if share < GAIN:
            return NONE
        number = {k: n for n, k in enumerate(left)}
        of = {index: (number[k], lane) for index, (k, lane) in self.of.items() if k in number}
        return Packs([self.rows[k] for k in left], of, [self.columns[k] for k in left], share)

    def _cycle(self) -> list[int]:
        """Packs of different shapes that wait for each other; none if all can be computed in some order."""

        def unit(index: int) -> int:
            row = self.of.get(index)
            return index if row is None or not self.kept[row[0]] else -1 - row[0]

        nodes, needs = self.function.graph.nodes, dict[int, list[int]]()
        for index in self.function.live:
            node = nodes[index]
            if node[0] >= BLOCK:
                operands = [unit(ref >> 2) for ref in node[FIRST[node[0]] :] if not ref & 2]
                needs.setdefault(unit(index), []).extend(operands)
        try:
            TopologicalSorter(needs).prepare()
        except CycleError as error:
            return [-1 - unit for unit in error.args[1] if unit < 0 and -1 - unit >= self.shaped]
        return []

    def _gain(self, k: int) -> float:
        """Instructions that a pack saves, all others being as they are."""
        filling = sum(cost for row, cost in self.sources[k] if row < 0 or not self.kept[row])
        whole = all(self.kept[row] for row in self.readers[k])
        return self.saves[k] - filling - (len(self.loose[k]) if whole else self.saves[k])
