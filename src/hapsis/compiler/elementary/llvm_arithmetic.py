"""The arithmetic that writes LLVM IR text, for scalars or vectors of any power-of-two width.

Left out: fast-math flags (error-free transformations forbid them) and target intrinsics.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from .arithmetic import REGISTRY, Function, Table
from .emitter import FLOATS, Emitter, Named, Needs, Statement

LANE = {"f64": "double", "f32": "float", "w64": "i64", "w32": "i32", "mask": "i1"}
_COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq"}


def _type(kind: str, width: int) -> str:
    return LANE[kind] if width == 1 else f"<{width} x {LANE[kind]}>"


def _hex(value: float) -> str:
    """A float constant in LLVM's hexadecimal form (floats are written as doubles too)."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def symbol(function: Function, width: int) -> str:
    """The LLVM name of a function, for instance @hs_sincos_8f64."""
    return f"@hs_{function.name}_{width}{function.precision}"


def _results_type(function: Function, width: int) -> str:
    lane = _type(function.precision, width)
    return lane if function.outputs == 1 else "{" + ", ".join([lane] * function.outputs) + "}"


class LlvmArithmetic(Emitter):
    """Straight-line IR; only `rare` makes blocks, a branch around a call of the slow function."""

    prefix = "%t"

    def __init__(self, width: int, fma: bool) -> None:
        super().__init__(fma)
        self.width = width
        self.block = "%entry"

    def type(self, kind: str) -> str:
        """The LLVM type of a kind at this width."""
        return _type(kind, self.width)

    def literal(self, value: float | int, kind: str) -> str:
        """A hexadecimal constant, repeated for every lane."""
        if kind in FLOATS:
            if kind == "f32":
                value = struct.unpack("<f", struct.pack("<f", value))[0]
            text = _hex(float(value))
        else:
            # words print as signed: LLVM refuses none of them
            text = str(value)
        if self.width == 1:
            return text
        return "<" + ", ".join([f"{LANE[kind]} {text}"] * self.width) + ">"

    def binary_text(self, operation: str, result: Named, a: Named, b: Named) -> str:
        """One instruction without flags, so that nothing is contracted."""
        opcode = "f" + operation if a.kind in FLOATS else operation
        return f"{result.text} = {opcode} {self.type(a.kind)} {a.text}, {b.text}"

    def compare_text(self, relation: str, result: Named, a: Named, b: Named) -> str:
        """An ordered comparison: false for NaN."""
        opcode = f"fcmp {_COMPARE[relation]}" if a.kind in FLOATS else f"icmp {relation}"
        return f"{result.text} = {opcode} {self.type(a.kind)} {a.text}, {b.text}"

    def unary_text(self, operation: str, result: Named, a: Named) -> str:
        """fneg, or xor with ones for a mask."""
        if operation == "neg":
            return f"{result.text} = fneg {self.type(a.kind)} {a.text}"
        ones = "true" if self.width == 1 else "<" + ", ".join(["i1 true"] * self.width) + ">"
        return f"{result.text} = xor {self.type('mask')} {a.text}, {ones}"

    def intrinsic(self, name: str, *inputs: Named) -> Named:
        """A call of llvm.sqrt, llvm.fabs, llvm.floor or llvm.fma."""
        kind = inputs[0].kind
        lanes = "" if self.width == 1 else f"v{self.width}"
        called, lane = f"@llvm.{name}.{lanes}{kind}", self.type(kind)
        self.needs.helpers.add(f"declare {lane} {called}({', '.join([lane] * len(inputs))})")
        result = self.fresh(kind)
        arguments = ", ".join(f"{lane} {v.text}" for v in inputs)
        return self.put(result, f"{result.text} = call {lane} {called}({arguments})", *inputs)

    def cast(self, name: str, a: Named, kind: str) -> Named:
        """One conversion instruction."""
        result = self.fresh(kind)
        source, target = self.type(a.kind), self.type(kind)
        return self.put(result, f"{result.text} = {name} {source} {a.text} to {target}", a)

    def select(self, mask: Named, yes: Named, no: Named) -> Named:
        """A select lane by lane."""
        yes, no = self.pair(yes, no)
        result, lane = self.fresh(yes.kind), self.type(yes.kind)
        text = f"select {self.type('mask')} {mask.text}, {lane} {yes.text}, {lane} {no.text}"
        return self.put(result, f"{result.text} = {text}", mask, yes, no)

    def lookup(self, table: Table, index: Named) -> Named:
        """A load a lane: gathers are rare, and few targets have them."""
        self.needs.tables.add(table)
        result = self.fresh("f64")
        stem, lines = result.text, []
        vector = "poison"
        for lane in range(self.width):
            at = index.text
            if self.width > 1:
                at = f"{stem}.i{lane}"
                lines.append(f"{at} = extractelement {self.type('w64')} {index.text}, i32 {lane}")
            where = f"{stem}.p{lane}"
            lines.append(f"{where} = getelementptr inbounds double, ptr @hs_{table.name}, i64 {at}")
            last = lane == self.width - 1
            entry = stem if self.width == 1 else f"{stem}.e{lane}"
            lines.append(f"{entry} = load double, ptr {where}, align 8")
            if self.width > 1:
                filled = stem if last else f"{stem}.v{lane}"
                lines.append(
                    f"{filled} = insertelement {self.type('f64')} {vector}, double {entry}, i32 {lane}"
                )
                vector = filled
        self.statements.append(Statement(tuple(lines), (stem,), (index.text,)))
        return result

    def rare(self, mask: Named, fast: Sequence[Named], slow: Function, *inputs: Named) -> tuple[Named, ...]:
        """A branch on any lane of the mask, the call, selects, and phis behind both ways."""
        self.needs.functions.add(slow)
        results = [self.fresh(v.kind) for v in fast]
        stem = results[0].text
        label = stem[1:]
        lines, any_lane = [], mask.text
        if self.width > 1:
            reduce = f"@llvm.vector.reduce.or.v{self.width}i1"
            self.needs.helpers.add(f"declare i1 {reduce}({self.type('mask')})")
            any_lane = f"{stem}.any"
            lines.append(f"{any_lane} = call i1 {reduce}({self.type('mask')} {mask.text})")
        lines.append(f"br i1 {any_lane}, label %{label}.slow, label %{label}.join")
        lines.append(f"{label}.slow:")
        lane, packed = self.type(slow.precision), _results_type(slow, self.width)
        arguments = ", ".join(f"{lane} {v.text}" for v in inputs)
        lines.append(f"{stem}.all = call {packed} {symbol(slow, self.width)}({arguments}) cold")
        for i, quick in enumerate(fast):
            careful = f"{stem}.all"
            if len(fast) > 1:
                careful = f"{stem}.s{i}"
                lines.append(f"{careful} = extractvalue {packed} {stem}.all, {i}")
            lines.append(
                f"{stem}.m{i} = select {self.type('mask')} {mask.text}, {lane} {careful}, {lane} {quick.text}"
            )
        lines += [f"br label %{label}.join", f"{label}.join:"]
        for i, (quick, result) in enumerate(zip(fast, results, strict=True)):
            lines.append(
                f"{result.text} = phi {lane} [ {quick.text}, {self.block} ], [ {stem}.m{i}, %{label}.slow ]"
            )
        self.block = f"%{label}.join"
        uses = tuple(v.text for v in (mask, *fast, *inputs))
        self.statements.append(Statement(tuple(lines), tuple(r.text for r in results), uses))
        return tuple(results)


def emit_function(function: Function, width: int, fma: bool) -> tuple[str, Needs]:
    """The `define` of one function and what it refers to."""
    ar = LlvmArithmetic(width, fma)
    kind = function.precision
    inputs = [Named(ar, kind, f"%x{i}") for i in range(function.inputs)]
    results = function.body(ar, *inputs)
    lane, packed = ar.type(kind), _results_type(function, width)
    body = ar.live_lines(results)
    value = f"{lane} {results[0].text}"
    if function.outputs > 1:
        whole = "poison"
        for i, result in enumerate(results):
            body.append(f"%out{i} = insertvalue {packed} {whole}, {lane} {result.text}, {i}")
            whole = f"%out{i}"
        value = f"{packed} {whole}"
    parameters = ", ".join(f"{lane} {v.text}" for v in inputs)
    attributes = "noinline nounwind cold" if function.cold else "noinline nounwind"
    head = f"define internal {packed} {symbol(function, width)}({parameters}) {attributes} {{\nentry:\n"
    lines = [line if line.endswith(":") else "  " + line for line in body]
    return head + "\n".join([*lines, f"  ret {value}", "}"]) + "\n", ar.needs


def emit_table(table: Table) -> str:
    """A constant global holding the table."""
    entries = ", ".join(f"double {_hex(v)}" for v in table.entries)
    size = len(table.entries)
    return f"@hs_{table.name} = internal constant [{size} x double] [{entries}], align 16\n"


def emit_library(requests: Iterable[tuple[str, int, str]], fma: bool) -> tuple[str, str]:
    """(definitions, declarations) of the functions asked for and of all they need, each once."""
    todo = [(REGISTRY[name, precision], width) for name, width, precision in sorted(requests)]
    done: set[tuple[Function, int]] = set()
    needs = Needs()
    texts = []
    while todo:
        function, width = todo.pop(0)
        if (function, width) in done:
            continue
        done.add((function, width))
        text, own = emit_function(function, width, fma)
        texts.append(text)
        needs.update(own)
        todo += [(slow, width) for slow in sorted(own.functions, key=lambda f: f.name)]
    tables = [emit_table(t) for t in sorted(needs.tables, key=lambda t: t.name)]
    return "\n".join(texts), "".join(tables) + "".join(f"{d}\n" for d in sorted(needs.helpers))
