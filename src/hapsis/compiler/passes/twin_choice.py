"""The packs that pay: one saves all but one of its instructions, and costs what fills and empties registers.

What is given up is decided pack by pack, until every pack that is left saves something where the others are
as they are. The whole must save a share of all instructions, or nothing is packed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.ops import BLOCK, FIRST, OUT
from hapsis.compiler.passes.packs import NONE, Packs, Row

LEAST = -1.0  # instructions that a pack may save at least: others gain by it what is not counted
PATIENT = 3  # rounds in which one pack of each cycle is given up; then all
GAIN = 0.08  # the least share of all instructions that packs must save


class TwinChoice:
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
        self.place = {ref >> 2: k for k, ref in enumerate(function.input_refs)}
        self.kept = bytearray(b"\1" * len(rows))
        self.saves = [len(set(row)) - 1.0 for row in rows]
        self.sources: list[
            list[tuple[int, float]]
        ] = []  # of each column: its row or -1, instructions without it
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
        return -1, 0.0 if self._neighbours(column) else filling

    def _neighbours(self, column: Row) -> bool:
        """Whether a column is inputs or parameters that stand side by side in memory."""
        places = [self.place.get(ref >> 2, -1) if not ref & 2 else -1 for ref in column]
        return places[0] >= 0 and places == list(range(places[0], places[0] + len(places)))

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
        rounds = 0
        while cycles := self._in_cycles(rounds >= PATIENT):
            rounds += 1
            for k in cycles:
                self.kept[k] = 0
        left = [k for k in range(len(self.rows)) if self.kept[k]]
        total = sum(op > OUT for op in self.function.graph.ops(self.function.live))
        share = sum(map(self._gain, left)) / max(total, 1)
        if share < GAIN:
            return NONE
        number = {k: n for n, k in enumerate(left)}
        of = {index: (number[k], lane) for index, (k, lane) in self.of.items() if k in number}
        return Packs([self.rows[k] for k in left], of, [self.columns[k] for k in left], share)

    def _in_cycles(self, every: bool) -> list[int]:
        """Packs of different shapes that wait for each other: one of each cycle, or every one.

        They are found depth first: an operand that waits for what is being looked at closes a cycle.
        """

        def unit(index: int) -> int:
            row = self.of.get(index)
            return index if row is None or not self.kept[row[0]] else size + row[0]

        nodes, size = self.function.graph.nodes, len(self.function.graph.nodes)
        needs: dict[int, list[int]] = defaultdict(list)
        for index in self.function.live:
            node = nodes[index]
            if node[0] >= BLOCK:
                needs[unit(index)] += [unit(ref >> 2) for ref in node[FIRST[node[0]] :] if not ref & 2]
        given_up: set[int] = set()
        state = bytearray(size + len(self.rows))  # 1: being looked at, 2: done
        left, path = list(needs), list[int]()
        while left:
            at = left.pop()
            if at < 0:
                state[path.pop()] = 2
            elif state[at] == 0:
                state[at] = 1
                path.append(at)
                left.append(-1)
                left += [x for x in needs.get(at, ()) if state[x] < 2]
            elif state[at] == 1:
                cycle = path[path.index(at) :]
                spread = [x - size for x in cycle if x >= size + self.shaped]
                if every:
                    given_up.update(spread)
                elif given_up.isdisjoint(spread):
                    given_up.add(min(spread, key=self._gain))
        return list(given_up)

    def _gain(self, k: int) -> float:
        """Instructions that a pack saves, all others being as they are."""
        filling = sum(cost for row, cost in self.sources[k] if row < 0 or not self.kept[row])
        whole = all(self.kept[row] for row in self.readers[k])
        return self.saves[k] - filling - (len(self.loose[k]) if whole else self.saves[k])
