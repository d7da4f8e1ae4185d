"""The IR of a whole Function: its chunks, the bodies of its blocks, and their declarations.

Large programs become several modules, so that all cores can compile, and compilation can stop when the
time budget is used up.
"""

from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.llvm_batch import batch_text, block_size, output_slots
from hapsis.compiler.backends.llvm.llvm_blocks import block_slots, block_text
from hapsis.compiler.backends.llvm.llvm_ir import Body, ChunkText
from hapsis.compiler.backends.llvm.llvm_loops import Tables
from hapsis.compiler.backends.llvm.llvm_text import Library, Text
from hapsis.compiler.backends.llvm.llvm_wide_maps import map_lanes, wide_slots
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.passes.pipeline import prepared

# operations per module; half as many in short programs, so that there is work for two cores
MODULE = 2_000


class Program:
    """All IR of one Function for one kind of lanes.

    `modules` are the texts, `entry` is the symbol to call, `workspace` the number of values it needs.
    """

    def __init__(self, function: Function, lanes: Lanes) -> None:
        self.lanes, self.library, self.tables = lanes, Library(), Tables()
        self.pieces: list[tuple[str, str, int]] = []
        self.bodies: dict[tuple[bytes, int], Body] = {}
        self.count = 0
        self.sizes: dict[str, int] = {}
        main = self._written(function, lanes, batch=lanes.width > 1)
        self.entry, self.workspace = main.symbol, self.sizes[main.symbol]
        if lanes.width > 1:
            self.pieces.append(("batch", batch_text(main, lanes), 0))
            self.entry = "batch"
            self.workspace += block_size(main, lanes)
        self.modules = self._modules()

    def _body(self, function: Function, lanes: Lanes) -> Body:
        """The body of a prepared Function, written only once even if it is called several times."""
        key = function.digest, lanes.width
        body = self.bodies.get(key)
        if body is None:
            body = self.bodies[key] = self._written(function, lanes)
        return body

    def _written(self, function: Function, lanes: Lanes, batch: bool = False) -> Body:
        """A new body with all its text; in a batch its outputs are stored in slots."""
        body = Body(function, f"f{self.count}", lanes)
        if batch:
            body.slots = output_slots(function, lanes.width)
        self.count += 1
        needed = 0
        texts: list[tuple[Text, int]] = []
        for steps in body.plan.chunks:
            text = ChunkText(body, steps, lanes, self.library)
            if function.graph.nodes[steps[0]][0] == ops.BLOCK:
                needed = max(needed, self._block(text, body, steps[0]))
            else:
                text.emit()
            texts.append((text, len(steps)))
        if body.copied_outputs or not texts:
            text = ChunkText(body, [], lanes, self.library)
            self._copy_outputs(text, body)
            texts.append((text, 0))
        if len(texts) > 1:
            # one function that calls all chunks in turn
            whole = Text(lanes)
            for k, (text, operations) in enumerate(texts):
                self._piece(f"{body.symbol}c{k}", text, operations)
                whole.do(f"call void @{body.symbol}c{k}(ptr %args, ptr %ws)")
            texts = [(whole, 0)]
        self._piece(body.symbol, *texts[0])
        self.sizes[body.symbol] = body.plan.size + needed
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

    def _piece(self, symbol: str, text: Text, operations: int) -> None:
        self.pieces.append((symbol, text.define(symbol), operations))

    def _block(self, text: ChunkText, body: Body, index: int) -> int:
        """The code of a block; gives the workspace it needs beyond the body's own."""
        graph = body.function.graph
        node = graph.nodes[index]
        block = graph.blocks[node[1]]
        inside = prepared(block.body)
        lanes = map_lanes(block, inside, body.lanes)
        inner = self._body(inside, lanes)
        operands, results = body.plan.ranges[index]
        for k, ref in enumerate(node[2:]):
            text.store(text.value(ref), text.place(-1, operands + k))
        rest = text.place(-1, body.plan.size)
        block_text(text, block, inner, text.place(-1, operands), text.place(-1, results), rest, self.tables)
        text.pointers.clear()
        text.values.clear()
        for out in body.results_of.get(index, ()):
            text.write_outputs(out)
        if lanes.width > body.lanes.width:
            return wide_slots(block, lanes, self.sizes[inner.symbol])
        return block_slots(block) + self.sizes[inner.symbol]

    def _modules(self) -> list[str]:
        """The pieces grouped into modules, each of which declares the symbols of the others."""
        groups: list[list[tuple[str, str, int]]] = [[]]
        size, most = 0, MODULE
        if sum(operations for _, _, operations in self.pieces) <= 2 * MODULE:
            most = MODULE // 2
        for piece in self.pieces:
            if size + piece[2] > most and groups[-1]:
                groups.append([])
                size = 0
            groups[-1].append(piece)
            size += piece[2]
        head = self.library.declarations()
        texts: list[str] = []
        for group in groups:
            inside = {symbol for symbol, _, _ in group}
            outside = [
                f"declare void @{symbol}(ptr, ptr)"
                for symbol, _, _ in self.pieces
                if symbol not in inside and symbol != "batch"
            ]
            code = [text for _, text, _ in group]
            # tables are private: each module has those it reads
            tables = [*self.tables.lines, *self.library.tables.values()]
            used = [line for name, line in tables if any(name in t for t in code)]
            parts = [head, *used, *outside, *code]
            texts.append("\n".join(parts))
        return texts
