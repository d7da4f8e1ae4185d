"""Pieces of a program: consecutive runs of instructions, and workspace slots for what crosses them.

A compiler's time grows faster than a function's length, so long programs become many short ones
that hand values on through a workspace. Slots are given by linear scan and given again as soon as
nothing needs them; a piece's own loads and stores never share a slot, whatever order it does them.
"""

from bisect import insort
from dataclasses import dataclass, field

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.graph import Graph, Node
from hapsis.compiler.ir.graph.ops import BLOCK, FIRST, OUT


@dataclass
class Chunk:
    """One piece. A block stands alone in its own, with two ranges of slots to point at.

    nodes       the instructions, in order; OUT nodes are none, they are loads
    loads       node -> slot it is read from
    stores      node -> slot it is written to once computed
    outputs     which flat outputs this piece writes, and the rest can forget
    operands    a block's: first of `n_in` slots, to be filled by this piece before the call
    results     a block's: first of `n_out` slots, filled by the call
    """

    nodes: list[int]
    loads: dict[int, int] = field(default_factory=dict)
    stores: dict[int, int] = field(default_factory=dict)
    outputs: list[int] = field(default_factory=list)
    operands: int = 0
    results: int = 0


class Chunks(list[Chunk]):
    """The pieces in order, and how many slots they use in all."""

    slots: int


class Slots:
    """Slots given out and taken back, the lowest first; ranges are contiguous."""

    def __init__(self) -> None:
        self.count = 0
        self.free: list[int] = []  # ascending

    def take(self, n: int) -> int:
        """The first of `n` free slots in a row."""
        run = 0
        for k, slot in enumerate(self.free):
            run = run + 1 if run and self.free[k - 1] == slot - 1 else 1
            if run >= n:
                del self.free[k + 1 - n : k + 1]
                return slot + 1 - n
        # a run that ends where the slots end is made longer
        if not self.free or self.free[-1] != self.count - 1:
            run = 0
        start = self.count - run
        del self.free[len(self.free) - run :]
        self.count = start + n
        return start

    def give(self, start: int, n: int) -> None:
        """Takes the slots back."""
        for slot in range(start, start + n):
            insort(self.free, slot)


def chunks(function: Function, size: int) -> Chunks:
    """The Function's instructions in pieces of at most `size`, in the order of its nodes.

    Inputs and constants have no slots. An output is written by the piece that makes it, or by the
    block's piece; one that is an input or a constant by the first.
    """
    pieces = _pieces(function, size)
    nodes = function.graph.nodes
    home = {index: at for at, piece in enumerate(pieces) for index in piece.nodes}
    for k, ref in enumerate(function.output_refs):
        maker = origin(nodes, ref)
        piece = pieces[home.get(maker, 0)]
        piece.outputs.append(k)
        if not ref & 2 and nodes[ref >> 2][0] == OUT:
            piece.loads[ref >> 2] = -1
    last = _find_loads(function.graph, pieces, home)
    _assign(function.graph, pieces, last)
    return pieces


def _pieces(function: Function, size: int) -> Chunks:
    nodes = function.graph.nodes
    pieces = Chunks([Chunk([])])
    for index in function.live:
        op = nodes[index][0]
        if op != BLOCK and op <= OUT:
            continue
        before = pieces[-1].nodes
        if before and (op == BLOCK or nodes[before[0]][0] == BLOCK or len(before) >= size):
            pieces.append(Chunk([]))
        pieces[-1].nodes.append(index)
    return pieces


def origin(nodes: list[Node], ref: int) -> int:
    """The instruction a reference comes from: the block of an OUT node; -1 for a constant."""
    if ref & 2:
        return -1
    node = nodes[ref >> 2]
    return node[2] >> 2 if node[0] == OUT else ref >> 2


def _find_loads(graph: Graph, pieces: Chunks, home: dict[int, int]) -> dict[int, int]:
    """Marks what each piece loads; for each instruction the last piece that loads of it."""
    last: dict[int, int] = {}
    for at, piece in enumerate(pieces):
        for index in piece.nodes:
            for ref in graph.operands(index):
                maker = origin(graph.nodes, ref)
                if maker in home and home[maker] != at:
                    piece.loads[ref >> 2] = -1
                    last[maker] = at
    return last


def _assign(graph: Graph, pieces: Chunks, last: dict[int, int]) -> None:
    """Gives every load and store its slot."""
    slots = Slots()
    place: dict[int, int] = {}
    ending: list[list[tuple[int, int]]] = [[] for _ in pieces]
    for at, piece in enumerate(pieces):
        for index in piece.nodes:
            node = graph.nodes[index]
            if node[0] == BLOCK:
                n_in, n_out = len(node) - FIRST[BLOCK], graph.blocks[node[1]].n_out
                piece.operands, piece.results = slots.take(n_in), slots.take(n_out)
                place[index] = piece.results
                ending[at].append((piece.operands, n_in))
                ending[last.get(index, at)].append((piece.results, n_out))
            elif index in last:
                piece.stores[index] = place[index] = slots.take(1)
                ending[last[index]].append((place[index], 1))
        for index in piece.loads:
            node = graph.nodes[index]
            shift = node[1] if node[0] == OUT else 0
            piece.loads[index] = place[origin(graph.nodes, index << 2)] + shift
        for start, n in ending[at]:
            slots.give(start, n)
    pieces.slots = slots.count
