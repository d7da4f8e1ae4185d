"""Elements of generated IR: value types, constants, instructions, external declarations."""

from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.ir.functions.tables import Table


class Library:
    """The external symbols of generated text: elementary functions, intrinsics and tables."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, int, str]] = set()
        self.intrinsics: set[str] = set()
        self.tables: dict[bytes, tuple[str, str]] = {}  # name and line of each table of numbers

    def elementary(self, name: str, lanes: Lanes) -> str:
        """The symbol of an elementary function for these lanes."""
        self.functions.add((name, lanes.width, lanes.precision))
        return f"@hs_{name}_{lanes.width}{lanes.precision}"

    def intrinsic(self, name: str, lanes: Lanes) -> str:
        """The symbol of an LLVM intrinsic of one operand."""
        self.intrinsics.add(f"declare {lanes.type} @llvm.{name}.{lanes.suffix}({lanes.type})")
        return f"@llvm.{name}.{lanes.suffix}"

    def fma(self, lanes: Lanes) -> str:
        """The symbol of the fused multiply-add."""
        operands = ", ".join([lanes.type] * 3)
        self.intrinsics.add(f"declare {lanes.type} @llvm.fma.{lanes.suffix}({operands})")
        return f"@llvm.fma.{lanes.suffix}"

    def table(self, table: Table, lanes: Lanes) -> str:
        """The global that holds a table of numbers; written as bytes, which are read quickly."""
        if table.digest not in self.tables:
            name = f"@data{len(self.tables)}."
            data = table.values.astype("<f8" if lanes.precision == "f64" else "<f4").tobytes()
            kind = f"private unnamed_addr constant [{len(data)} x i8]"
            text = "\\" + data.hex("\\", 1).upper()
            self.tables[table.digest] = name, f'{name} = {kind} c"{text}", align 64'
        return self.tables[table.digest][0]

    def declarations(self) -> str:
        """The `declare` lines of all of them."""
        lines = sorted(self.intrinsics)
        for name, width, precision in sorted(self.functions):
            t = Lanes(width, precision).type
            result = f"{{{t}, {t}}}" if name == "sincos" else t
            operands = ", ".join([t] * (2 if name in ("pow", "atan2") else 1))
            lines.append(f"declare {result} @hs_{name}_{width}{precision}({operands})")
        return "\n".join(lines)


class Text:
    """Lines of one IR function, with fresh numbers for temporaries."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.lines: list[str] = []
        self.locals: list[str] = []
        self.count = 0
        self.block = "start"
        self.loops: list[int | str] = []

    def let(self, instruction: str) -> str:
        """The name of a new temporary that holds the instruction's result."""
        self.count += 1
        self.lines.append(f"%t{self.count} = {instruction}")
        return f"%t{self.count}"

    def do(self, instruction: str) -> None:
        """An instruction without result."""
        self.lines.append(instruction)

    def local(self, what: str) -> str:
        """Memory on the stack, allocated once at the start of the function, also if a loop uses it."""
        self.locals.append(f"%m{len(self.locals)} = alloca {what}")
        return f"%m{len(self.locals) - 1}"

    def define(self, symbol: str) -> str:
        """The whole function, once all its lines are there."""
        how, end = "nounwind noinline", ["ret void"]
        if self.lanes.width > 1:
            # Vector code gains nothing from LLVM's instruction combining. Without it, and without the
            # fast instruction selector (which a compiler-only fence disables), compilation takes two
            # thirds of the time.
            how, end = how + " optnone", ['fence syncscope("singlethread") acq_rel', "ret void"]
        lines = "\n".join(["start:", *self.locals, *self.lines, *end])
        return f"define void @{symbol}(ptr %args, ptr %ws) {how} {{\n{lines}\n}}\n"

    def at(self, pointer: str, offset: int) -> str:
        """The address `offset` values behind a pointer."""
        if not offset:
            return pointer
        return self.let(f"getelementptr i8, ptr {pointer}, i64 {offset * self.lanes.bytes}")
