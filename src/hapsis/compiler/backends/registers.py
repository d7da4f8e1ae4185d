"""Which values stay in registers: chunks, fused products, reloads and workspace slots.

LLVM's good register allocator is the most expensive part of a compile, and its fast one is bad only
when it must spill. So we spill ourselves, on the straight-line program, where the best choice is
known (Belady): when registers run out, drop the value whose next use is farthest. A dropped value
is written once to a workspace slot and reloaded just before its next use, where it folds into the
instruction. The fast allocator then has nothing left to decide.

    plan = planned(function, registers=28)
    for chunk in plan.chunks:          # one IR function each
        for step in chunk.steps:       # reload step.reloads, then compute step.index
"""

from dataclasses import dataclass, field
from heapq import heappop, heappush

from hapsis.compiler.ir import ops
from hapsis.compiler.ir.blocks import Block
from hapsis.compiler.ir.function import Function
from hapsis.compiler.ir.ops import FIRST

# operations per IR function, and the distance from which a reloaded value is not kept
CHUNK = 1000
FAR = 64
NEVER = 1 << 60

# operations that are calls of functions: they overwrite all registers
CALLS = frozenset(
    {ops.SIN, ops.COS, ops.TAN, ops.ASIN, ops.ACOS, ops.ATAN2, ops.EXP, ops.LOG, ops.POW}
)

# sines and cosines in a row are one call
SINES = frozenset({ops.SIN, ops.COS})


@dataclass
class Step:
    """One instruction: the node it computes and the operands to load from memory just before."""

    index: int
    operands: tuple[int, ...]
    reloads: set[int] = field(default_factory=set[int])


@dataclass
class Plan:
    """The whole program: steps in chunks, slots of the values in memory, products to fuse.

    `slots[node]` is the workspace slot a value is stored in when it is made; for an OUT node, the
    place in its block's results. `fused[sum]` is the product computed together with that sum.
    `ranges[block]` are the first slots of its operands and of its results.
    """

    chunks: list[list[Step]]
    slots: dict[int, int]
    fused: dict[int, int]
    ranges: dict[int, tuple[int, int]]
    size: int


def planned(
    function: Function, registers: int, fuse: bool, chunk: int = CHUNK, spare: int = 0
) -> Plan:
    """The plan of a prepared Function; `spare` workspace slots are left free at the front."""
    fused = _fused(function) if fuse else {}
    steps = _steps(function, fused)
    chunks = _chunks(function, steps, chunk)
    stored = _reloads(function, chunks, registers)
    slots, ranges, size = _slots(function, chunks, stored, spare)
    return Plan(chunks, slots, fused, ranges, size)


def _fused(function: Function) -> dict[int, int]:
    """{sum: product}: products used once, by a sum that can take them."""
    nodes = function.graph.nodes
    uses: dict[int, int] = {}
    for index in function.live:
        node = nodes[index]
        for ref in node[FIRST[node[0]] :]:
            uses[ref >> 2] = uses.get(ref >> 2, 0) + 1 if not ref & 2 else uses.get(ref >> 2, 0)
    for ref in function.output_refs:
        if not ref & 2:
            uses[ref >> 2] = uses.get(ref >> 2, 0) + 2
    fused: dict[int, int] = {}
    for index in function.live:
        node = nodes[index]
        if node[0] in (ops.ADD, ops.SUB):
            for ref in node[:0:-1]:
                inner = ref >> 2
                if not ref & 2 and nodes[inner][0] == ops.MUL and uses[inner] == 1:
                    fused[index] = inner
                    break
    return fused


def _steps(function: Function, fused: dict[int, int]) -> list[Step]:
    nodes = function.graph.nodes
    skipped = set(fused.values())
    steps: list[Step] = []
    for index in function.live:
        node = nodes[index]
        op = node[0]
        if op == ops.BLOCK or (op > ops.OUT and index not in skipped):
            refs = node[FIRST[op] :]
            product = fused.get(index)
            if product is not None:
                refs = (*nodes[product][1:], *(r for r in refs if r & 2 or r >> 2 != product))
            steps.append(Step(index, tuple(ref >> 2 for ref in refs if not ref & 2)))
    return steps


def _chunks(function: Function, steps: list[Step], size: int) -> list[list[Step]]:
    """Even pieces; a block is a piece of its own, because it is a loop or a call."""
    nodes = function.graph.nodes
    pieces: list[list[Step]] = [[]]
    for step in steps:
        if nodes[step.index][0] == ops.BLOCK:
            pieces += [[step], []]
        else:
            pieces[-1].append(step)
    chunks: list[list[Step]] = []
    for piece in pieces:
        parts = -(-len(piece) // size)
        each = -(-len(piece) // max(parts, 1))
        chunks += [piece[k * each : (k + 1) * each] for k in range(parts)]
    return chunks


def _reloads(function: Function, chunks: list[list[Step]], registers: int) -> set[int]:
    """Fills in each step's reloads; gives the computed values that must be in memory."""
    nodes = function.graph.nodes
    # for each step, when each operand is needed next
    following: list[tuple[int, ...]] = []
    position = sum(len(chunk) for chunk in chunks)
    next_use: dict[int, int] = {}
    for chunk in reversed(chunks):
        for step in reversed(chunk):
            position -= 1
            following.append(tuple(next_use.get(x, NEVER) for x in step.operands))
            for x in step.operands:
                next_use[x] = position
    first_use = next_use
    following.reverse()
    stored: set[int] = set()
    position = 0
    for chunk in chunks:
        end = position + len(chunk)
        held: dict[int, int] = {}
        heap: list[tuple[int, int]] = []
        before = ops.ADD
        for step in chunk:
            for x, later in zip(step.operands, following[position], strict=True):
                if x not in held:
                    step.reloads.add(x)
                    if nodes[x][0] > ops.OUT:
                        stored.add(x)
                    if later - position > FAR or later >= end:
                        continue
                elif later >= end:
                    del held[x]
                    continue
                held[x] = later
                heappush(heap, (-later, x))
            op = nodes[step.index][0]
            if op in CALLS and not (op in SINES and before in SINES):
                held.clear()
            before = op
            later = first_use.get(step.index, NEVER)
            if later < end:
                held[step.index] = later
                heappush(heap, (-later, step.index))
            while len(held) > registers:
                later, x = heappop(heap)
                if held.get(x) == -later:
                    del held[x]
            position += 1
    return stored


def _slots(
    function: Function, chunks: list[list[Step]], stored: set[int], spare: int
) -> tuple[dict[int, int], dict[int, tuple[int, int]], int]:
    """Slots by linear scan: a slot is free again after the last use of its value."""
    graph = function.graph
    last: dict[int, int] = {}
    outs: dict[int, list[int]] = {}
    for index in function.live:
        node = graph.nodes[index]
        if node[0] == ops.OUT:
            outs.setdefault(node[2] >> 2, []).append(index)
    position = 0
    for chunk in chunks:
        for step in chunk:
            for x in step.operands:
                node = graph.nodes[x]
                last[node[2] >> 2 if node[0] == ops.OUT else x] = position
            position += 1
    slots: dict[int, int] = {}
    ranges: dict[int, tuple[int, int]] = {}
    free: list[int] = []
    size, position = spare, 0
    expiring: dict[int, list[int]] = {}
    for chunk in chunks:
        for step in chunk:
            index = step.index
            if graph.nodes[index][0] == ops.BLOCK:
                block: Block = graph.blocks[graph.nodes[index][1]]  # type: ignore[assignment]
                ranges[index] = (size, size + block.n_in)
                for out in outs.get(index, ()):
                    slots[out] = size + block.n_in + graph.nodes[out][1]
                size += block.n_in + block.n_out
            elif index in stored:
                if free:
                    slots[index] = free.pop()
                else:
                    slots[index] = size
                    size += 1
                expiring.setdefault(last[index], []).append(slots[index])
            free += expiring.pop(position, ())
            position += 1
    return slots, ranges, size
