"""Chunks of a program: consecutive instructions, and workspace slots for values used across chunks.

Compile time grows faster than the length of a function, so long programs are divided into many short
ones that pass values through a workspace. Slots are assigned by linear scan and reused as soon as their
value is no longer needed; the loads and stores of one chunk never share a slot, so their order is free.
"""

from bisect import insort
from dataclasses import dataclass, field

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.graph import Graph, Node
from hapsis.compiler.ir.graph.ops import BLOCK, FIRST, OUT


@dataclass
class Chunk:
    """One chunk. A block has its own chunk, with two ranges of slots for operands and results.

    nodes       the instructions, in order; OUT nodes are loads, not instructions
    loads       node -> slot it is read from
    stores      node -> slot it is written to once computed
    outputs     the flat outputs that this chunk writes
    operands    of a block: first of `n_in` slots, which this chunk fills before the call
    results     of a block: first of `n_out` slots, which the call fills
    """

    nodes: list[int]
    loads: dict[int, int] = field(default_factory=dict)
    stores: dict[int, int] = field(default_factory=dict)
    outputs: list[int] = field(default_factory=list)
    operands: int = 0
    results: int = 0


class Chunks(list[Chunk]):
    """The chunks in order, and the total number of slots."""

    slots: int


class Slots:
    """An allocator of slots, the lowest first; ranges are contiguous."""

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
        # a free run at the end of the slots is extended
        if not self.free or self.free[-1] != self.count - 1:
            run = 0
        start = self.count - run
        del self.free[len(self.free) - run :]
        self.count = start + n
        return start

    def give(self, start: int, n: int) -> None:
        """Frees `n` slots from `start` on."""
        for slot in range(start, start + n):
            insort(self.free, slot)


def chunks(function: Function, size: int) -> Chunks:
    """The Function's instructions in chunks of at most `size`, in the order of its nodes.

    Inputs and constants have no slots. An output is written by the chunk that computes it, or by the
    block's chunk; one that is an input or a constant by the first chunk.
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
    """Sets the loads of each chunk; returns for each instruction the last chunk that loads its result."""
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
