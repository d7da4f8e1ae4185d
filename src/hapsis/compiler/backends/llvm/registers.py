"""Register planning: chunks, fused products, reloads and workspace slots.

A register allocator spends most of its time, and makes most of its mistakes, on values that do not fit
into registers. So values are spilled here, on the straight-line program, where the optimal choice is
known (Belady): when registers run out, drop the value whose next use is farthest. A dropped value is
stored once in a workspace slot and reloaded just before its next use, as an operand of the instruction.

    plan = planned(function, registers=24, fuse=True)
    for chunk in plan.chunks:          # one IR function each
        for node in chunk:             # load plan.reloads[node], then compute node
"""

from dataclasses import dataclass

from hapsis.compiler.backends.llvm.lane_units import Units, agreed, units
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, FIRST, MUL, OUT, SUB
from hapsis.compiler.passes.twins import twins

# operations per IR function, and the distance from which a reloaded value is not kept
CHUNK = 1000
FAR = 24
NEVER = 1 << 60
FEW = 16  # registers

# operations that are calls of functions: they overwrite all registers
CALLS = frozenset({ops.SIN, ops.COS, ops.TAN, ops.ASIN, ops.ACOS, ops.ATAN2, ops.EXP, ops.LOG, ops.POW})

# sines and cosines in a row are one call
SINES = frozenset({ops.SIN, ops.COS})


@dataclass
class Plan:
    """The plan of a program: nodes in chunks, the values to reload before each, and their slots.

    `reloads[node]` are the operands to load from memory just before that node is computed.
    `slots[node]` is the workspace slot a value is stored in when it is made; for an OUT node, the
    place in its block's results. `fused[sum]` is the product computed together with that sum.
    `ranges[block]` are the first slots of its operands and of its results. With `units`, what is
    computed is not nodes but units, which have numbers beside those of the nodes.
    """

    chunks: list[list[int]]
    reloads: dict[int, list[int]]
    slots: dict[int, int]
    fused: dict[int, int]
    ranges: dict[int, tuple[int, int]]
    size: int
    units: Units | None = None


def planned(
    function: Function, registers: int, fuse: bool, chunk: int = CHUNK, vector: int = 1, packed: bool = False
) -> Plan:
    """The plan of a prepared Function for a number of registers, each with `vector` numbers.

    packed    for one state: twins share instructions
    """
    packs = twins(function, vector)
    fused = agreed(function, packs, _fused(function)) if fuse else {}
    # few registers: the order of units has fewer live values than that of the nodes, which hides waiting
    lanes = None
    if packed and (packs.rows or registers < FEW):
        # an angle is pi or -pi by the sign of a zero
        turning = fuse and ops.ATAN2 not in function.graph.ops(function.live)
        lanes = units(function, packs, fused, turning)
    order, operands = (lanes.order, lanes.operands) if lanes else _steps(function, fused)
    chunks = _chunks(function, order, chunk)
    reloads, stored = _reloads(function, chunks, operands, registers)
    slots, ranges, size = _slots(function, chunks, operands, stored, lanes)
    return Plan(chunks, reloads, slots, fused, ranges, size, lanes)


def _fused(function: Function) -> dict[int, int]:
    """{sum: product}: products used once, by a sum that can take them."""
    nodes, uses = function.graph.nodes, function.uses()
    fused: dict[int, int] = {}
    for index in function.live:
        node = nodes[index]
        if node[0] == ADD or node[0] == SUB:
            for ref in (node[2], node[1]):
                if not ref & 2 and uses[ref >> 2] == 1 and nodes[ref >> 2][0] == MUL:
                    fused[index] = ref >> 2
                    break
    return fused


def _steps(function: Function, fused: dict[int, int]) -> tuple[list[int], dict[int, list[int]]]:
    """The nodes that become instructions, in order, and the nodes each one reads."""
    nodes = function.graph.nodes
    skipped = set(fused.values())
    order: list[int] = []
    operands: dict[int, list[int]] = {}
    for index in function.live:
        node = nodes[index]
        op = node[0]
        if (op > OUT and index not in skipped) or op == BLOCK:
            refs = node[FIRST[op] :]
            product = fused.get(index)
            if product is not None:
                _, x, y = node
                third = y if x >> 2 == product and not x & 2 else x
                refs = (*nodes[product][1:], third)
            order.append(index)
            operands[index] = [ref >> 2 for ref in refs if not ref & 2]
    return order, operands


def _chunks(function: Function, order: list[int], size: int) -> list[list[int]]:
    """Even pieces; a block is a piece of its own, because it is a loop or a call."""
    nodes = function.graph.nodes
    pieces: list[list[int]] = [[]]
    for index in order:
        if index < len(nodes) and nodes[index][0] == BLOCK:
            pieces += [[index], []]
        else:
            pieces[-1].append(index)
    chunks: list[list[int]] = []
    for piece in pieces:
        parts = -(-len(piece) // size)
        each = -(-len(piece) // max(parts, 1))
        chunks += [piece[k * each : (k + 1) * each] for k in range(parts)]
    return chunks


def _reloads(
    function: Function, chunks: list[list[int]], operands: dict[int, list[int]], registers: int
) -> tuple[dict[int, list[int]], set[int]]:
    """{node: operands it reloads}, and the computed values that must therefore be in memory."""
    nodes = function.graph.nodes
    size = 1 + max((index for chunk in chunks for index in chunk), default=0)
    following, next_use = _next_uses(max(size, len(nodes)), chunks, operands)
    reloads: dict[int, list[int]] = {}
    stored: set[int] = set()
    position = 0
    for chunk in chunks:
        end = position + len(chunk)
        held: dict[int, int] = {}
        before = ADD
        for index in chunk:
            fresh: list[int] = []
            for x, later in zip(operands[index], following[index], strict=True):
                if x in held:
                    if later >= end:
                        del held[x]
                        continue
                else:
                    fresh.append(x)
                    if later - position > FAR or later >= end:
                        continue
                held[x] = later
            if fresh:
                reloads[index] = fresh
                stored.update(fresh)
            op = nodes[index][0] if index < len(nodes) else ADD
            if op in CALLS and not (op in SINES and before in SINES):
                held.clear()
            before = op
            later = next_use[index]
            if later < end:
                held[index] = later
            while len(held) > registers:
                del held[max(held, key=held.__getitem__)]
            position += 1
    return reloads, stored


def _next_uses(
    size: int, chunks: list[list[int]], operands: dict[int, list[int]]
) -> tuple[dict[int, list[int]], list[int]]:
    """For each node, when each of its operands is needed next; and each value's first use."""
    position = sum(len(chunk) for chunk in chunks)
    next_use = [NEVER] * size
    following: dict[int, list[int]] = {}
    for chunk in reversed(chunks):
        for index in reversed(chunk):
            position -= 1
            reads = operands[index]
            following[index] = [next_use[x] for x in reads]
            for x in reads:
                next_use[x] = position
    return following, next_use


def _slots(
    function: Function,
    chunks: list[list[int]],
    operands: dict[int, list[int]],
    stored: set[int],
    lanes: Units | None,
) -> tuple[dict[int, int], dict[int, tuple[int, int]], int]:
    """Slots by linear scan: a slot is free again after the last use of its value."""
    graph = function.graph
    last: dict[int, int] = {}
    for chunk in chunks:
        for index in chunk:
            for x in operands[index]:
                last[x] = index
    slots: dict[int, int] = {}
    ranges: dict[int, tuple[int, int]] = {}
    free: dict[int, list[int]] = {}  # by their width
    expiring: dict[int, list[tuple[int, int]]] = {}
    size = 0
    for chunk in chunks:
        for index in chunk:
            if index < len(graph.nodes) and graph.nodes[index][0] == BLOCK:
                # a block's operands and results are contiguous and stay
                block = graph.blocks[graph.nodes[index][1]]
                ranges[index] = (size, size + block.n_in)
                size += block.n_in + block.n_out
            elif index in stored:
                width = lanes.width(index) if lanes else 1
                if free.get(width):
                    slots[index] = free[width].pop()
                else:
                    slots[index] = -(-size // width) * width
                    size = slots[index] + width
                expiring.setdefault(last[index], []).append((width, slots[index]))
            for width, slot in expiring.pop(index, ()):
                free.setdefault(width, []).append(slot)
    for index in function.live:
        node = graph.nodes[index]
        if node[0] == OUT:
            slots[index] = ranges[node[2] >> 2][1] + node[1]
    return slots, ranges, size
