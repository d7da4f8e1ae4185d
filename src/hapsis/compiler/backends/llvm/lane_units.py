"""The instructions of a program in which twins share vector instructions (see `passes.twins`).

A *unit* is what one or a few instructions compute: a node; a pack of nodes, one in each lane; or a column,
the operand of a pack that has to be gathered: the same node in all lanes, inputs, other results.
Nodes have their indices, packs and columns the numbers after them. Units are ordered like the nodes of
a program without packs: depth first from the outputs, the operand that needs more registers first.
"""

from dataclasses import dataclass, field

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, DIV, FIRST, MUL, OUT, SQRT, SUB
from hapsis.compiler.passes.order import early
from hapsis.compiler.passes.packs import Packs, Row


@dataclass
class Units:
    """The units of a program, in order.

    packs      {unit: its nodes by lane}
    columns    {unit: the nodes that it gathers, by lane}
    reads      {unit of a pack: its operands, each (unit or None, references by lane)}
    fused      {unit of a pack of sums: which of its operands is a pack of products that it fuses with}
    unit_of    {node in a pack: the unit}
    lane_of    {node in a pack: its lane}
    turned     {unit of a pack: for each lane whether it holds the negative of its node}
    """

    order: list[int] = field(default_factory=list)
    operands: dict[int, list[int]] = field(default_factory=dict)
    packs: dict[int, Row] = field(default_factory=dict)
    columns: dict[int, Row] = field(default_factory=dict)
    reads: dict[int, list[tuple[int | None, Row]]] = field(default_factory=dict)
    fused: dict[int, int] = field(default_factory=dict)
    unit_of: dict[int, int] = field(default_factory=dict)
    lane_of: dict[int, int] = field(default_factory=dict)
    turned: dict[int, Row] = field(default_factory=dict)

    def width(self, unit: int) -> int:
        """The numbers of a unit."""
        row = self.packs.get(unit) or self.columns.get(unit)
        return len(row) if row else 1


def agreed(function: Function, packs: Packs, fused: dict[int, int]) -> dict[int, int]:
    """{sum: product} such that the sums of a pack all fuse, with products of one pack, or none does.

    All code of a Function fuses the same products, with packs or without, so that it computes the same bits.
    """
    if not packs.rows:
        return fused
    fused, uses, nodes = dict(fused), function.uses(), function.graph.nodes
    for index in [x for x, product in fused.items() if x not in packs.of and product in packs.of]:
        del fused[index]  # the product is computed in its lane
    for row, columns in zip(packs.rows, packs.columns, strict=True):
        if nodes[row[0]][0] not in (ADD, SUB):
            continue
        products = [c for c in columns if _are_products(function, packs, c, uses)]
        best = next(
            (c for c in products if c[0] >> 2 == fused.get(row[0])), products[0] if products else None
        )
        for lane, index in enumerate(row):
            if best is None:
                fused.pop(index, None)
            else:
                fused[index] = best[lane] >> 2
    return fused


def _are_products(function: Function, packs: Packs, column: Row, uses: list[int]) -> bool:
    """Whether a column is a pack of products that nothing else reads."""
    row = tuple(ref >> 2 for ref in column)
    if any(ref & 2 for ref in column) or row[0] not in packs.of:
        return False
    if packs.rows[packs.of[row[0]][0]] != row:
        return False
    return all(function.graph.nodes[x][0] == MUL and uses[x] == 1 for x in row)


def units(function: Function, packs: Packs, fused: dict[int, int], turning: bool) -> Units:
    """The units of a prepared Function in order; `fused` as `agreed` gives it.

    turning    whether packs may hold negatives of their nodes: sums that are zero then have another sign
    """
    return _Writer(function, packs, fused, turning).written()


class _Writer:
    """Writes the units of one Function."""

    def __init__(self, function: Function, packs: Packs, fused: dict[int, int], turning: bool) -> None:
        self.function, self.source, self.fused_nodes, self.turning = function, packs, fused, turning
        self.nodes = function.graph.nodes
        self.units = Units()
        self.first_pack = len(self.nodes)
        self.first_column = self.first_pack + len(packs.rows)
        self.column_units: dict[Row, int] = {}
        self.skipped = set(fused.values())
        for k, row in enumerate(packs.rows):
            for lane, index in enumerate(row):
                if index not in self.units.unit_of:
                    self.units.unit_of[index], self.units.lane_of[index] = self.first_pack + k, lane

    def written(self) -> Units:
        """All of them."""
        function, new = self.function, self.units
        first = early(function)
        inputs = {ref >> 2 for ref in function.input_refs}
        ready = inputs.union(first)
        for index in function.live:
            op = self.nodes[index][0]
            if op != BLOCK and op <= OUT:
                continue
            if index in new.unit_of:
                self._pack(new.unit_of[index])
            elif index not in self.skipped:
                new.operands[index] = [self._unit(ref) for ref in self._refs(index) if not ref & 2]
        placed = [index for index in sorted(first) if index in new.operands]
        new.order = placed + self._scheduled(ready)
        return new

    def _unit(self, ref: int) -> int:
        return self.units.unit_of.get(ref >> 2, ref >> 2)

    def _refs(self, index: int) -> list[int]:
        """What the instruction of a node reads: of a fused sum the factors of the product as well."""
        node = self.nodes[index]
        refs = list(node[FIRST[node[0]] :])
        product = self.fused_nodes.get(index)
        if product is None:
            return refs
        third = refs[1] if refs[0] >> 2 == product and not refs[0] & 2 else refs[0]
        return [*self.nodes[product][1:], third]

    def _pack(self, unit: int) -> None:
        """The operands of a pack, once for all its nodes."""
        new, k = self.units, unit - self.first_pack
        row = self.source.rows[k]
        if unit in new.packs or row[0] in self.skipped:
            return
        new.packs[unit] = row
        columns = list(self.source.columns[k])
        product = self.fused_nodes.get(row[0])
        if product is not None:
            at = next(n for n, c in enumerate(columns) if c[0] >> 2 == product and not c[0] & 2)
            inner = self.source.columns[self.source.of[product][0]]
            # the sign of the product goes to its first factor
            signs = [ref & 1 for ref in columns[at]]
            factor = tuple(ref ^ sign for ref, sign in zip(inner[0], signs, strict=True))
            columns = [factor, inner[1], columns[1 - at]]
            new.fused[unit] = at
        reads = [(self._column(column), column) for column in columns]
        new.reads[unit] = self._signed(unit, reads) if self.turning else reads
        new.operands[unit] = [u for u, _ in new.reads[unit] if u is not None]

    def _signed(self, unit: int, reads: list[tuple[int | None, Row]]) -> list[tuple[int | None, Row]]:
        """The operands with signs that are the same in all lanes, as far as the pack may hold negatives.

        In mirror images lanes differ by signs. A product takes them to itself, a sum those of its first
        summand; constants have any sign.
        """
        new = self.units
        op, lanes = self.nodes[new.packs[unit][0]][0], range(len(new.packs[unit]))
        none = (0,) * len(lanes)
        signs = [
            [(ref & 1) ^ turn for ref, turn in zip(column, new.turned.get(source or 0, none), strict=True)]
            for source, column in reads
        ]
        if op == SQRT:
            turn = [0 for _ in lanes]
        elif unit in new.fused or op in (MUL, DIV):
            # x*y, x/y or x*y + z: the signs of both factors are those of the first
            first, second = (0, 1) if reads[0][0] is not None else (1, 0)
            whole = [x ^ y for x, y in zip(signs[0], signs[1], strict=True)]
            signs[second] = [signs[second][0]] * len(lanes)
            signs[first] = [w ^ signs[second][0] for w in whole]
            if unit in new.fused and reads[2][0] is not None:
                turn = [x ^ signs[2][0] for x in signs[2]]
            else:
                turn = [x ^ signs[first][0] for x in signs[first]]
            signs[first] = [x ^ t for x, t in zip(signs[first], turn, strict=True)]
            if reads[second][0] is None:
                # a constant takes what is left
                rest = [x ^ signs[first][0] for x in signs[first]]
                signs[first] = [signs[first][0]] * len(lanes)
                signs[second] = [x ^ r for x, r in zip(signs[second], rest, strict=True)]
            if unit in new.fused:
                signs[2] = [x ^ t for x, t in zip(signs[2], turn, strict=True)]
        else:
            first = 0 if reads[0][0] is not None else 1
            turn = [x ^ signs[first][0] for x in signs[first]]
            signs = [[x ^ t for x, t in zip(row, turn, strict=True)] for row in signs]
        if any(turn):
            new.turned[unit] = tuple(turn)
        return [
            (u, tuple((ref & -2) | sign for ref, sign in zip(c, row, strict=True)))
            for (u, c), row in zip(reads, signs, strict=True)
        ]

    def _column(self, column: Row) -> int | None:
        """The unit of a pack's operand; None for constants."""
        if all(ref & 2 for ref in column):
            return None
        row = tuple(ref & -2 for ref in column)
        first = self.source.of.get(row[0] >> 2) if not row[0] & 2 else None
        if (
            first is not None
            and self.source.rows[first[0]] == tuple(ref >> 2 for ref in row)
            and not any(r & 2 for r in row)
        ):
            return self.first_pack + first[0]
        unit = self.column_units.get(row)
        if unit is None:
            unit = self.column_units[row] = self.first_column + len(self.column_units)
            self.units.columns[unit] = row
            self.units.operands[unit] = list(dict.fromkeys(self._unit(ref) for ref in row if not ref & 2))
        return unit

    def _owner(self, unit: int) -> int:
        """The unit that computes a value: the block of one of its results."""
        if unit < self.first_pack and self.nodes[unit][0] == OUT:
            return self.nodes[unit][2] >> 2
        return unit

    def _scheduled(self, ready: set[int]) -> list[int]:
        """The units depth first from the outputs."""
        operands = {
            unit: [x for x in dict.fromkeys(map(self._owner, reads)) if x not in ready]
            for unit, reads in self.units.operands.items()
        }
        roots = [self._owner(self._unit(ref)) for ref in self.function.output_refs if not ref & 2]
        size = self.first_column + len(self.column_units)
        rank = [0] * size
        # as in `passes.order`: the registers that a unit needs, then its age
        for unit in _ordered(roots, operands, ready, rank):
            most = tied = 0
            for need in [rank[x] // size for x in operands[unit]]:
                if need > most:
                    most, tied = need, 0
                elif need == most:
                    tied = 1
            age = self.units.packs[unit][0] if unit in self.units.packs else unit
            rank[unit] = (most + tied) * size + size - 1 - age
        return _ordered(roots, operands, ready, rank)


def _ordered(roots: list[int], operands: dict[int, list[int]], ready: set[int], rank: list[int]) -> list[int]:
    """The units that the roots need, each after its operands, that with the highest rank first."""
    order: list[int] = []
    done = bytearray(len(rank))
    for unit in ready:
        done[unit] = 1
    rank_of = rank.__getitem__
    left = roots[::-1]
    while left:
        unit = left.pop()
        if unit < 0:
            unit = ~unit
            if not done[unit]:
                done[unit] = 1
                order.append(unit)
        elif not done[unit]:
            left.append(~unit)
            needed = operands[unit]
            if len(needed) > 1:
                needed = sorted(needed, key=rank_of)
            left += needed
    return order
