"""Bodies of C functions: one Function as straight-line C, split where it is long, and its blocks.

Compilers take more than linear time for one long function, so a long one is written as static
functions of about a thousand operations; values that cross go through an array on the stack. Every
store to an output comes after the last use of an input: outputs may overwrite inputs.
"""

import heapq
from collections.abc import Sequence

from hapsis.compiler.backends.c_dialect import OURS, Precision, braces, map_text, repeat_text
from hapsis.compiler.backends.straightline import Values, ready
from hapsis.compiler.ir import ops
from hapsis.compiler.ir.blocks import Block, Call, Map
from hapsis.compiler.ir.function import Function

LONGEST = 1000  # operations in one C function


class Unit:
    """One C file in the making: its static functions, and the elementary functions it needs."""

    def __init__(self, precision: str) -> None:
        self.precision = Precision(precision)
        self.dialect = self.precision.dialect()
        self.pieces: list[str] = []
        self.elementary: set[str] = set()
        self._names: dict[bytes, str] = {}
        self._stack: dict[str, int] = {}
        self._count = 0

    def block(self, block: Block) -> str:
        """The name of the static function of a block, written on first demand."""
        name = self._names.get(block.digest)
        if name is None:
            body = self._body(block.body)
            if isinstance(block, Call):
                name = body
            else:
                name, real = self._new_name(), self.precision.real
                if isinstance(block, Map):
                    self.pieces.append(map_text(block, name, body, real))
                else:
                    self.pieces.append(repeat_text(block, name, body, real))
                own = block.body.n_in + block.body.n_out
                self._stack[name] = self._stack[body] + own * self.precision.dtype.itemsize
            self._names[block.digest] = name
        return name

    def _new_name(self) -> str:
        self._count += 1
        return f"hs_b{self._count - 1}"

    def _body(self, function: Function) -> str:
        name = self._names.get(function.digest)
        if name is None:
            name = self._new_name()
            made, slots = ready(function)
            real = self.precision.real
            self.write(
                f"static void {name}", name, [f"const {real} *x"], [f"{real} *y"], made,
                [f"x[{slot}]" for slot in slots], [f"y[{j}]" for j in range(made.n_out)],
            )  # fmt: skip
            self._names[function.digest] = name
        return name

    def stack(self, name: str) -> int:
        """Bytes of stack the arrays of a function and of what it calls take at most."""
        return self._stack[name]

    def write(
        self, head: str, name: str, given: list[str], made: list[str], function: Function,
        inputs: Sequence[str], outputs: Sequence[str], first: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Append a C function: `given` and `made` declare its pointers, `first` opens its body."""
        body = _Body(self, function, inputs)
        calls: list[str] = []
        pointers = [text.rsplit("*", 1)[1] for text in given]
        for k, lines in enumerate(body.parts[:-1]):
            declared = ", ".join([*given, f"{self.precision.real} *w"])
            self.pieces.append(
                f"HS_APART static void {name}_{k}({declared})\n" + braces(lines, [*pointers, "w"])
            )
            calls.append(f"{name}_{k}({', '.join([*pointers, 'w'])});")
        stores = [
            f"{place} = {body.text(ref)};"
            for place, ref in zip(outputs, function.output_refs, strict=True)
        ]
        workspace = [f"{self.precision.real} w[{body.workspace}];"] if calls else []
        lines = [*workspace, *first, *calls, *body.parts[-1], *stores]
        names = pointers + [text.rsplit("*", 1)[1] for text in made]
        self.pieces.append(f"{head}({', '.join([*given, *made])})\n" + braces(lines, names))
        deepest = max((self._stack[called] for called in body.called), default=0)
        self._stack[name] = body.scalars * self.precision.dtype.itemsize + deepest


class _Body:
    """The lines of one Function, in parts of at most about LONGEST operations.

    With several parts the last one is empty: results are read from the workspace.
    """

    def __init__(self, unit: Unit, function: Function, inputs: Sequence[str]) -> None:
        self.unit, self.graph = unit, function.graph
        segments = split(function, LONGEST)
        self._last = _last_uses(function, segments)
        crossing = [i for i, (made, used) in self._last.items() if used > made]
        # whatever a store needs must be a name before the first store
        results = [ref >> 2 for ref in function.output_refs if not ref & 2]
        self.values = Values(function, inputs, unit.dialect, [*crossing, *results])
        self.workspace = 0
        self.called: set[str] = set()
        self.scalars = 0  # numbers in local arrays
        self._free: list[tuple[int, int]] = []  # (last segment that reads it, place)
        self._inputs = {ref >> 2 for ref in function.input_refs}
        if len(segments) < 2:
            self.parts = [self._lines(0, segments[0] if segments else [])]
            self.parts[0] += self._loaded(results)
        else:
            self.parts = [self._lines(k, part) for k, part in enumerate(segments)]
            self.parts.append(self._loaded(results))
        self.scalars += self.workspace

    def text(self, ref: int) -> str:
        """The text of a result."""
        return self.values.text(ref)

    def _loaded(self, results: list[int]) -> list[str]:
        """Lines that read inputs which are results themselves."""
        lines: list[str] = []
        for index in dict.fromkeys(results):
            if index in self._inputs:
                name = self.values.new_name()
                lines.append(self.unit.dialect.line.format(name, self.values.texts[index]))
                self.values.texts[index] = name
        return lines

    def _lines(self, k: int, segment: list[int]) -> list[str]:
        nodes, values = self.graph.nodes, self.values
        pairs = _pairs(self.graph.nodes, segment)
        lines: list[str] = []
        for index in segment:
            op = nodes[index][0]
            if index in values.texts:
                continue
            if op == ops.BLOCK:
                lines += self._call(k, index)
            elif op == ops.OUT:
                values.out(index)
            elif op in (ops.SIN, ops.COS):
                lines += self._sincos(nodes[index][1], pairs[nodes[index][1]])
            else:
                lines += values.define(index)
                if op in OURS:
                    self.unit.elementary.add(ops.NAMES[op])
        for index in segment:
            if self._last[index][1] > k and nodes[index][0] not in (ops.BLOCK, ops.OUT):
                place = self._place(k, self._last[index][1])
                lines.append(f"w[{place}] = {values.texts[index]};")
                values.texts[index] = f"w[{place}]"
        return lines

    def _place(self, k: int, last: int) -> int:
        """A place in the workspace that is free after segment k, kept until `last` is done."""
        if self._free and self._free[0][0] < k:
            place = self._free[0][1]
            heapq.heapreplace(self._free, (last, place))
            return place
        heapq.heappush(self._free, (last, self.workspace))
        self.workspace += 1
        return self.workspace - 1

    def _sincos(self, angle: int, pair: dict[int, int]) -> list[str]:
        self.unit.elementary.add("sincos")
        sine, cosine = self.values.new_name(), self.values.new_name()
        for op, index in pair.items():
            self.values.texts[index] = sine if op == ops.SIN else cosine
        real, suffix = self.unit.precision.real, self.unit.precision.suffix
        angle_text = self.values.text(angle)
        return [
            f"{real} {sine}, {cosine};",
            f"hs_sincos{suffix}({angle_text}, &{sine}, &{cosine});",
        ]

    def _call(self, k: int, index: int) -> list[str]:
        """Operands into an array, the call, and where its results are from now on."""
        node, real = self.graph.nodes[index], self.unit.precision.real
        block: Block = self.graph.blocks[node[1]]  # type: ignore[assignment]
        name = self.unit.block(block)
        self.called.add(name)
        operands = ", ".join(self.values.text(ref) for ref in node[2:]) or "0"
        given, result = self.values.new_name(), self.values.new_name()
        lines = [f"const {real} {given}[{max(1, len(node) - 2)}] = {{{operands}}};"]
        self.scalars += len(node) - 2
        if self._last[index][1] > k:
            base = self.workspace
            self.workspace += block.n_out
            self.values.arrays[index] = lambda j: f"w[{base + j}]"
            return [*lines, f"{name}({given}, w + {base});"]
        self.scalars += block.n_out
        self.values.arrays[index] = lambda j: f"{result}[{j}]"
        return [*lines, f"{real} {result}[{max(1, block.n_out)}];", f"{name}({given}, {result});"]


def split(function: Function, longest: int) -> list[list[int]]:
    """The Function's nodes in order, cut into segments of about `longest` operations."""
    segments: list[list[int]] = []
    weight = longest
    for index in function.live:
        node = function.graph.nodes[index]
        if node[0] in (ops.SYMBOL, ops.PARAMETER):
            continue
        # an OUT stays with what comes before it: it costs nothing
        if weight >= longest and node[0] != ops.OUT:
            segments.append([])
            weight = 0
        weight += 1 if node[0] > ops.OUT else len(node) if node[0] == ops.BLOCK else 0
        segments[-1].append(index)
    return segments


def _last_uses(function: Function, segments: list[list[int]]) -> dict[int, tuple[int, int]]:
    """For each node its segment and the last one that reads it; results are read after all."""
    nodes = function.graph.nodes
    made = {index: k for k, segment in enumerate(segments) for index in segment}
    last = dict(made)
    # from the end, so that an OUT hands its own last use on to its block
    results = [(ref, len(segments) if len(segments) > 1 else 0) for ref in function.output_refs]
    for ref, k in results:
        if not ref & 2 and ref >> 2 in last:
            last[ref >> 2] = max(last[ref >> 2], k)
    for index in reversed(list(made)):
        k = last[index] if nodes[index][0] == ops.OUT else made[index]
        for ref in function.graph.operands(index):
            if not ref & 2 and ref >> 2 in last:
                last[ref >> 2] = max(last[ref >> 2], k)
    return {index: (made[index], last[index]) for index in made}


def _pairs(nodes: Sequence[tuple[int, ...]], segment: list[int]) -> dict[int, dict[int, int]]:
    """For each angle of a segment the nodes of its sine and cosine."""
    pairs: dict[int, dict[int, int]] = {}
    for index in segment:
        if nodes[index][0] in (ops.SIN, ops.COS):
            pairs.setdefault(nodes[index][1], {})[nodes[index][0]] = index
    return pairs
