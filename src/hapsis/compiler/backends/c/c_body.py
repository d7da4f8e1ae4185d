"""Bodies of C functions: one Function as straight-line C, split where it is long, and its blocks.

Compile time grows more than linearly with the length of a function, so a long one is written as static
functions of about a thousand operations, which pass values through an array on the stack. Every store
to an output comes after the last use of an input, so outputs may overwrite inputs.
"""

from collections.abc import Sequence

from hapsis.compiler.backends.c.c_dialect import (
    OURS,
    Precision,
    braces,
    map_text,
    place_text,
    repeat_text,
    table,
)
from hapsis.compiler.backends.script.straightline import Pieces, Values
from hapsis.compiler.ir.functions.blocks import Block, Map
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.tables import Table
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.passes.chunk import Chunk, chunks
from hapsis.compiler.passes.pipeline import prepared

LONGEST = 1000  # operations in one C function


class Unit(Pieces):
    """One C file while it is written: its static functions, and the elementary functions it needs."""

    def __init__(self, precision: str, stem: str) -> None:
        super().__init__("hs_", f"_{stem}")
        self._placing = False  # whether the function for places in tables is written
        self.precision = Precision(precision)
        self.dialect = self.precision.dialect()
        self.elementary: set[str] = set()
        self._stack: dict[str, int] = {}

    def write_loop(self, name: str, body: str, block: Block) -> str:
        """Writes the static function of a map or repeat."""
        write = map_text if isinstance(block, Map) else repeat_text
        self.pieces.append(write(block, name, body, self.precision.real))  # type: ignore[arg-type]
        own = block.body.n_in + block.body.n_out
        self._stack[name] = self._stack[body] + own * self.precision.dtype.itemsize
        return name

    def write_table(self, name: str, numbers: Table) -> str:
        """Writes a table; before the first one, also the function that computes the position in a table."""
        if not self._placing:
            self._placing = True
            self.pieces.append(place_text(self.precision.real, self.precision.suffix))
        entries = map(self.precision.literal, numbers.values.ravel().tolist())
        self.pieces.append(table(f"{self.precision.real} {name}", entries))
        return name

    def write_body(self, name: str, function: Function) -> str:
        """Writes the static function of a block's body."""
        ready, real = prepared(function), self.precision.real
        self.write(
            f"static void {name}",
            name,
            [f"const {real} *x"],
            [f"{real} *y"],
            ready,
            [f"x[{slot}]" for slot in range(ready.n_in)],
            [f"y[{j}]" for j in range(ready.n_out)],
        )
        return name

    def stack(self, name: str) -> int:
        """The bytes of stack that the arrays of a function and of its callees take at most."""
        return self._stack[name]

    def write(
        self,
        head: str,
        name: str,
        given: list[str],
        results: list[str],
        function: Function,
        inputs: Sequence[str],
        outputs: Sequence[str],
        first: Sequence[str] = (),
    ) -> None:
        """Append a C function: `given` and `results` declare its pointers, `first` opens its body."""
        body = _Body(self, function, inputs)
        pointers = [text.rsplit("*", 1)[1] for text in given]
        lines = [*first]
        if not body.long:
            lines += body.parts[0]
        else:
            lines.insert(0, f"{self.precision.real} hs_w[{body.scalars}];")
            declared = ", ".join([*given, f"{self.precision.real} *hs_w"])
            for k, part in enumerate(body.parts):
                text = braces(part, [*pointers, "hs_w"])
                self.pieces.append(f"HS_APART static void hs_part{k}_{name}({declared})\n{text}")
                lines.append(f"hs_part{k}_{name}({', '.join([*pointers, 'hs_w'])});")
        lines += [f"{place} = {text};" for place, text in zip(outputs, body.results, strict=True)]
        names = pointers + [text.rsplit("*", 1)[1] for text in results]
        self.pieces.append(f"{head}({', '.join([*given, *results])})\n" + braces(lines, names))
        deepest = max((self._stack[called] for called in body.called), default=0)
        self._stack[name] = body.scalars * self.precision.dtype.itemsize + deepest


class _Body:
    """The lines of one Function: one part, or several parts, one for each chunk, where it is long.

    A long one stores results in the workspace, after the chunks' slots, until all parts are done.
    """

    def __init__(self, unit: Unit, function: Function, inputs: Sequence[str]) -> None:
        self.unit, self.graph = unit, function.graph
        self.called: set[str] = set()
        self.scalars = 0  # numbers in local arrays
        self._results = function.output_refs
        self.long = _weight(function) > LONGEST
        if not self.long:
            # all operands of stores must be local variables before the first store
            named = {ref >> 2 for ref in self._results if not ref & 2}
            self.values = Values(function, inputs, unit.dialect, unit.table, named)
            inside = {ref >> 2 for ref in function.input_refs}
            loaded = [index for index in sorted(named) if index in inside]
            body = [index for index in function.live if index not in inside]
            self.parts = [[*self._lines(body), *self._loaded(loaded)]]
            self.results = [self.values.text(ref) for ref in self._results]
        else:
            pieces = chunks(function, LONGEST)
            named = {index for piece in pieces for index in piece.stores}
            self.values = Values(function, inputs, unit.dialect, unit.table, named)
            self.scalars = pieces.slots + len(self._results)
            self.parts = [self._piece(piece, pieces.slots) for piece in pieces]
            self.results = [f"hs_w[{pieces.slots + k}]" for k in range(len(self._results))]

    def _loaded(self, indices: list[int]) -> list[str]:
        """Lines that read the inputs that are also outputs."""
        lines: list[str] = []
        for index in indices:
            name = self.values.new_name()
            lines.append(self.unit.dialect.line.format(name, self.values.texts[index]))
            self.values.texts[index] = name
        return lines

    def _piece(self, piece: Chunk, slots: int) -> list[str]:
        """The lines of one chunk: its computations, then its stores."""
        values, nodes = self.values, self.graph.nodes
        for index, slot in piece.loads.items():
            values.texts[index] = f"hs_w[{slot}]"
        if piece.nodes and nodes[piece.nodes[0]][0] == ops.BLOCK:
            _, at, *operands = nodes[piece.nodes[0]]
            name = self._block(at)
            lines = [f"hs_w[{piece.operands + j}] = {values.text(r)};" for j, r in enumerate(operands)]
            lines.append(f"{name}(hs_w + {piece.operands}, hs_w + {piece.results});")
        else:
            lines = self._lines(piece.nodes)
        lines += [f"hs_w[{slot}] = {values.texts[index]};" for index, slot in piece.stores.items()]
        return lines + [f"hs_w[{slots + k}] = {values.text(self._results[k])};" for k in piece.outputs]

    def _lines(self, segment: list[int]) -> list[str]:
        nodes, values = self.graph.nodes, self.values
        pairs = _pairs(nodes, segment)
        lines: list[str] = []
        for index in segment:
            op = nodes[index][0]
            if index in values.texts:
                continue
            if op == ops.BLOCK:
                lines += self._call(index)
            elif op == ops.OUT:
                values.out(index)
            elif op in (ops.SIN, ops.COS):
                lines += self._sincos(nodes[index][1], pairs[nodes[index][1]])
            else:
                lines += values.define(index)
                if op in OURS:
                    self.unit.elementary.add(ops.NAMES[op])
        return lines

    def _sincos(self, angle: int, pair: dict[int, int]) -> list[str]:
        self.unit.elementary.add("sincos")
        sine, cosine = self.values.new_name(), self.values.new_name()
        for op, index in pair.items():
            self.values.texts[index] = sine if op == ops.SIN else cosine
        real, suffix = self.unit.precision.real, self.unit.precision.suffix
        angle_text = self.values.text(angle)
        return [f"{real} {sine}, {cosine};", f"hs_sincos{suffix}({angle_text}, &{sine}, &{cosine});"]

    def _block(self, at: int) -> str:
        name = self.unit.block(self.graph.blocks[at])  # type: ignore[arg-type]
        self.called.add(name)
        return name

    def _call(self, index: int) -> list[str]:
        """The lines that store the operands in an array and call; the results are in another array."""
        node, real = self.graph.nodes[index], self.unit.precision.real
        name, n_out = self._block(node[1]), self.graph.blocks[node[1]].n_out
        operands = ", ".join(self.values.text(ref) for ref in node[2:]) or "0"
        operands_array, result = self.values.new_name(), self.values.new_name()
        self.values.arrays[index] = lambda j: f"{result}[{j}]"
        self.scalars += len(node) - 2 + n_out
        return [
            f"const {real} {operands_array}[{max(1, len(node) - 2)}] = {{{operands}}};",
            f"{real} {result}[{max(1, n_out)}];",
            f"{name}({operands_array}, {result});",
        ]


def _weight(function: Function) -> int:
    """A measure of the length of a Function in C: its operations, and the operands of its blocks."""
    nodes = (function.graph.nodes[index] for index in function.live)
    return sum(len(node) if node[0] == ops.BLOCK else node[0] > ops.OUT for node in nodes)


def _pairs(nodes: Sequence[tuple[int, ...]], segment: list[int]) -> dict[int, dict[int, int]]:
    """For each angle of a segment the nodes of its sine and cosine."""
    pairs: dict[int, dict[int, int]] = {}
    for index in segment:
        if nodes[index][0] in (ops.SIN, ops.COS):
            pairs.setdefault(nodes[index][1], {})[nodes[index][0]] = index
    return pairs
