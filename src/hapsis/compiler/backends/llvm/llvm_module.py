"""The IR of a whole Function: its chunks, the bodies of its blocks, and their declarations.

Large programs become several modules, so that all cores can compile, and compilation can stop when the
time budget is used up.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hapsis.compiler.backends.llvm.lane_text import LaneText
from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.llvm_batch import batch_text, block_size, output_slots
from hapsis.compiler.backends.llvm.llvm_blocks import block_slots, block_text
from hapsis.compiler.backends.llvm.llvm_ir import Body, ChunkText
from hapsis.compiler.backends.llvm.llvm_loops import Tables
from hapsis.compiler.backends.llvm.llvm_text import Library, Text
from hapsis.compiler.backends.llvm.llvm_wide_maps import map_lanes, wide_slots
from hapsis.compiler.ir.functions.blocks import Call
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.passes.pipeline import prepared

# operations per module; half as many in short programs, so that there is work for two cores
MODULE = 2_000
SHORT = 3 * MODULE  # nodes of a short one, of which about a third are products that are fused into sums


class Piece(NamedTuple):
    """One IR function, with the number of its operations and the others that it calls."""

    symbol: str
    text: str
    operations: int
    calls: list[str]


class Program:
    """All IR of one Function for one kind of lanes.

    `modules` are the texts, `entry` is the symbol to call, `workspace` the number of values it needs.
    `finished`, if given, gets each module as soon as its text is complete. All symbols begin with `prefix`.
    """

    def __init__(
        self,
        function: Function,
        lanes: Lanes,
        finished: Callable[[str], None] | None = None,
        prefix: str = "f",
    ) -> None:
        self.lanes, self.library, self.tables = lanes, Library(), Tables()
        self.finished, self.prefix = finished, prefix
        self.modules: list[str] = []
        self.pieces: list[Piece] = []  # of the next module
        self.bodies: dict[tuple[bytes, int], Body] = {}
        self.count = 0
        self.sizes: dict[str, int] = {}
        self.most = MODULE if _nodes(function) > SHORT else MODULE // 2
        main = self._written(function, lanes, batch=lanes.transposed)
        self.entry, self.workspace = main.symbol, self.sizes[main.symbol]
        if lanes.transposed:
            self._piece(Piece("batch", batch_text(main, lanes), 0, [main.symbol]))
            self.entry = "batch"
            self.workspace += block_size(main, lanes)
        self._finish_module()

    def _body(self, function: Function, lanes: Lanes) -> Body:
        """The body of a prepared Function, written only once even if it is called several times."""
        key = function.digest, lanes.width
        body = self.bodies.get(key)
        if body is None:
            body = self.bodies[key] = self._written(function, lanes)
        return body

    def _written(self, function: Function, lanes: Lanes, batch: bool = False) -> Body:
        """A new body with all its text; in a batch its outputs are stored in slots."""
        body = Body(function, f"{self.prefix}{self.count}", lanes)
        if batch:
            body.slots = output_slots(function, lanes.width)
        self.count += 1
        needed, plan = 0, body.plan
        last = bool(body.copied_outputs) or not plan.chunks  # whether there is one more, which copies outputs
        names = [f"{body.symbol}c{k}" for k in range(len(plan.chunks) + last)]
        if len(names) == 1:
            names = [body.symbol]
        for symbol, steps in zip(names, plan.chunks, strict=not last):
            if plan.units:
                text: ChunkText = LaneText(body, steps, lanes, self.library, plan.units)
            else:
                text = ChunkText(body, steps, lanes, self.library)
            calls: list[str] = []
            if steps[0] < len(function.graph.nodes) and function.graph.nodes[steps[0]][0] == ops.BLOCK:
                inner, more = self._block(text, body, steps[0])
                calls, needed = [inner], max(needed, more)
            else:
                text.emit()
            self._piece(Piece(symbol, text.define(symbol), len(steps), calls))
        if last:
            text = ChunkText(body, [], lanes, self.library)
            self._copy_outputs(text, body)
            self._piece(Piece(names[-1], text.define(names[-1]), 0, []))
        if len(names) > 1:
            # one function that calls all chunks in turn
            whole = Text(lanes)
            for symbol in names:
                whole.do(f"call void @{symbol}(ptr %args, ptr %ws)")
            self._piece(Piece(body.symbol, whole.define(body.symbol), 0, names))
        self.sizes[body.symbol] = plan.size + needed
        return body

    def _copy_outputs(self, text: ChunkText, body: Body) -> None:
        """Writes the outputs that are constants or inputs; zeros of one state a whole register at a time."""
        if body.lanes.width > 1:
            text.write(body.copied_outputs)
            return
        text.write(copied for copied in body.copied_outputs if copied[0] != ops.ZERO)
        zeros = [(port, offset) for ref, port, offset in body.copied_outputs if ref == ops.ZERO]
        at = 0
        while at < len(zeros):
            port, offset = zeros[at]
            count = self.lanes.vector
            while zeros[at : at + count] != [(port, offset + k) for k in range(count)]:
                count //= 2
            kind = f"<{count} x {self.lanes.scalar}>"
            align = self.lanes.bytes
            text.do(f"store {kind} zeroinitializer, ptr {text.place(port, offset)}, align {align}")
            at += count

    def _piece(self, piece: Piece) -> None:
        """Adds an IR function, to the next module if this one is full."""
        if self.pieces and sum(each.operations for each in self.pieces) + piece.operations > self.most:
            self._finish_module()
        self.pieces.append(piece)

    def _finish_module(self) -> None:
        """Writes the module of the pieces since the last one; it declares what it calls of others."""
        code = [piece.text for piece in self.pieces]
        inside = {piece.symbol for piece in self.pieces}
        called = dict.fromkeys(symbol for piece in self.pieces for symbol in piece.calls)
        outside = [f"declare void @{symbol}(ptr, ptr)" for symbol in called if symbol not in inside]
        # tables are private: each module has those it reads
        readers = [text for text in code if "@table" in text or "@data" in text]
        tables = [*self.tables.lines, *self.library.tables.values()] if readers else []
        used = [line for name, line in tables if any(name in text for text in readers)]
        self.modules.append("\n".join([self.library.declarations(), *used, *outside, *code]))
        self.pieces = []
        if self.finished is not None:
            self.finished(self.modules[-1])

    def _block(self, text: ChunkText, body: Body, index: int) -> tuple[str, int]:
        """The code of a block; gives the symbol of its body, and the workspace it needs beyond ours."""
        graph = body.function.graph
        node = graph.nodes[index]
        block = graph.blocks[node[1]]
        inside = prepared(block.body)
        lanes = map_lanes(block, inside, body.lanes)
        inner = self._body(inside, lanes)
        operands, results = body.plan.ranges[index]
        in_place = _in_place(body, inner, node[2:]) if isinstance(block, Call) else {}
        passed = {k for ks, _ in in_place.values() for k in ks}
        for k, ref in enumerate(node[2:]):
            if k not in passed:
                text.store(text.value(ref), text.place(-1, operands + k))
        rest = text.place(-1, body.plan.size)
        elsewhere = {port: text.place(*home) for port, (_, home) in in_place.items()}
        at = text.place(-1, operands), text.place(-1, results)
        block_text(text, block, inner, *at, rest, self.tables, elsewhere)
        text.pointers.clear()
        text.values.clear()
        for out in body.results_of.get(index, ()):
            text.write_outputs(out)
        if lanes.width > body.lanes.width:
            return inner.symbol, wide_slots(block, lanes, self.sizes[inner.symbol])
        return inner.symbol, block_slots(block) + self.sizes[inner.symbol]


def _in_place(body: Body, inner: Body, refs: Sequence[int]) -> dict[int, tuple[range, tuple[int, int]]]:
    """The ports of a called Function whose values stand in one row in an input of the caller, as parameters
    do: {number of the port: (their places among the operands, where the row begins)}."""
    function = inner.function
    sizes = [len(port.refs) for port in function.inputs]
    if function.parameters:
        sizes.append(len(function.parameters))
    found: dict[int, tuple[range, tuple[int, int]]] = {}
    start = 0
    for number, size in enumerate(sizes):
        places = range(start, start + size)
        start += size
        if size < 2 or any(refs[k] & 3 or refs[k] >> 2 not in body.inputs for k in places):
            continue
        port, offset = body.inputs[refs[places[0]] >> 2]
        if all(body.inputs[refs[k] >> 2] == (port, offset + j) for j, k in enumerate(places)):
            found[number] = places, (port, offset)
    return found


def _nodes(function: Function, known: set[bytes] | None = None) -> int:
    """The nodes of a prepared Function and, once each, of the bodies of its blocks."""
    known, graph = known if known is not None else set(), function.graph
    kinds = graph.ops(function.live)
    total = len(kinds)
    for index, op in zip(function.live, kinds, strict=True) if ops.BLOCK in kinds else ():
        if op == ops.BLOCK:
            body = prepared(graph.blocks[graph.nodes[index][1]].body)
            if body.digest not in known:
                known.add(body.digest)
                total += _nodes(body, known)
    return total
