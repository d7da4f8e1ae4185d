"""LLVM IR text for a Function: one IR function per chunk of the straight-line program.

    void f0(ptr args, ptr ws)

`args` is a table of pointers: each input port, the parameters if any, each output port. A value is
a scalar or, in batches, a vector of W lanes; everything else is the same. `registers` decides which
values are in memory; inputs are loaded where they are needed. With `contract`, products used once are
fused into their sums; without, every rounding is that of the interpreter. No name of the user appears:
all identifiers are numbers.
"""

from collections.abc import Iterable

from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.llvm_text import Library, Text
from hapsis.compiler.backends.llvm.registers import Plan, planned
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.tables import Table
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.ops import FIRST

_ARITHMETIC = {ops.ADD: "fadd", ops.SUB: "fsub", ops.MUL: "fmul", ops.DIV: "fdiv"}
_INTRINSIC = {ops.SQRT: "sqrt", ops.ABS: "fabs", ops.FLOOR: "floor"}
_COMPARE = {ops.LT: "olt", ops.LE: "ole", ops.EQ: "oeq"}
_ORDER = {ops.MIN: "olt", ops.MAX: "ogt"}
_CALLS = frozenset({ops.TAN, ops.ASIN, ops.ACOS, ops.ATAN2, ops.EXP, ops.LOG, ops.POW})


class ChunkText(Text):
    """The IR of one chunk of a body."""

    def __init__(self, body: "Body", steps: list[int], lanes: Lanes, library: Library) -> None:
        super().__init__(lanes)
        self.body, self.steps, self.library = body, steps, library
        self.graph = body.function.graph
        self.values: dict[int, str] = {}
        self.conditions: dict[int, str] = {}
        self.pointers: dict[tuple[int, int], str] = {}
        self.position = {index: k for k, index in enumerate(steps)}
        self.fma = library.fma(lanes) if body.plan.fused else ""

    def place(self, port: int, offset: int) -> str:
        """The address of a port's value (port -1 is the workspace), computed once per chunk."""
        pointer = self.pointers.get((port, offset))
        if pointer is None:
            if port < 0:
                pointer = self.at("%ws", offset)
            elif offset:
                pointer = self.at(self.place(port, 0), offset)
            else:
                entry = self.let(f"getelementptr ptr, ptr %args, i64 {port}") if port else "%args"
                pointer = self.let(f"load ptr, ptr {entry}")
            self.pointers[port, offset] = pointer
        return pointer

    def load(self, place: str) -> str:
        """A value from memory."""
        return self.let(f"load {self.lanes.type}, ptr {place}")

    def store(self, value: str, place: str) -> None:
        """A value to memory."""
        self.do(f"store {self.lanes.type} {value}, ptr {place}")

    def value(self, ref: int) -> str:
        """The operand of a reference, loaded or negated where needed."""
        if ref & 2:
            text = self.body.literals.get(ref)
            if text is None:
                text = self.body.literals[ref] = self.lanes.literal(self.graph.value(ref))
            return text
        text = self.values.get(ref >> 2) or self.fetched(ref >> 2)
        return self.let(f"fneg {self.lanes.type} {text}") if ref & 1 else text

    def fetched(self, index: int) -> str:
        """A value that is in no register: from memory, or a condition as a number."""
        if index in self.conditions:
            one, zero = self.lanes.literal(1.0), self.lanes.literal(0.0)
            text = self._choice(self.conditions[index], one, zero)
        else:
            text = self.load(self.place(*self.body.home(index)))
        self.values[index] = text
        return text

    def emit(self) -> None:
        """Writes all steps of the chunk."""
        plan, outputs = self.body.plan, self.body.outputs_of
        for index in self.steps:
            for old in plan.reloads.get(index, ()):
                self.forget(old)
            self.compute(index)
            if index in plan.slots:
                self.keep(index)
            if index in outputs:
                self.write_outputs(index)

    def forget(self, index: int) -> None:
        """A value is no longer in a register."""
        self.values.pop(index, None)
        self.conditions.pop(index, None)

    def keep(self, index: int) -> None:
        """Stores a value in its slot."""
        self.store(self.value(index << 2), self.place(-1, self.body.plan.slots[index]))

    def compute(self, index: int) -> None:
        """The instruction of a node; sums and products, which are most of them, directly here."""
        node, plan, t = self.graph.nodes[index], self.body.plan, self.lanes.type
        if index in plan.fused:
            text = self._fused(node, plan.fused[index])
        elif node[0] in _ARITHMETIC:
            text = f"{_ARITHMETIC[node[0]]} {t} {self.value(node[1])}, {self.value(node[2])}"
        else:
            if index not in self.values:
                self._node(index, node)
            return
        self.lines.append(f"%v{index} = {text}")
        self.values[index] = f"%v{index}"

    def write_outputs(self, index: int) -> None:
        """Stores a value wherever it is an output."""
        self.write(self.body.outputs_of.get(index, ()))

    def write(self, outputs: Iterable[tuple[int, int, int]]) -> None:
        """Stores values in their ports, or in a batch each once in its slot."""
        slots = self.body.slots
        if slots is None:
            for ref, number, offset in outputs:
                self.store(self.value(ref), self.place(number, offset))
            return
        for ref in dict.fromkeys(ref for ref, _, _ in outputs if ref in slots):
            self.store(self.value(ref), self.place(self.body.first_output, slots[ref]))

    def _node(self, index: int, node: tuple[int, ...]) -> None:
        op, t = node[0], self.lanes.type
        if op in (ops.SIN, ops.COS):
            self._sines(index)
            return
        if op == ops.SELECT:
            self.values[index] = self._select(node)
            return
        if op == ops.LOOKUP:
            self.values[index] = self._lookup(self.graph.tables[node[1]], self.value(node[2]))
            return
        operands = [self.value(ref) for ref in node[FIRST[op] :]]
        typed = f"{t} {', '.join(operands)}"
        if op in _INTRINSIC:
            name = self.library.intrinsic(_INTRINSIC[op], self.lanes)
            self.values[index] = self.let(f"call {t} {name}({typed})")
        elif op in _COMPARE:
            self.conditions[index] = self.let(f"fcmp {_COMPARE[op]} {typed}")
        elif op in _ORDER:
            chosen = self.let(f"fcmp {_ORDER[op]} {typed}")
            self.values[index] = self._choice(chosen, *operands)
        elif op in _CALLS:
            name = self.library.elementary(ops.NAMES[op], self.lanes)
            arguments = ", ".join(f"{t} {x}" for x in operands)
            self.values[index] = self.let(f"call {t} {name}({arguments})")
        elif op == ops.SIGN:
            self.values[index] = self._sign(operands[0])

    def _fused(self, node: tuple[int, ...], product: int) -> str:
        """The instruction for x*y + z, x*y - z or z - x*y, rounded once."""
        t = self.lanes.type
        _, a, b = self.graph.nodes[product]
        first = not node[1] & 2 and node[1] >> 2 == product
        third = node[2] if first else node[1]
        x, y, z = self.value(a), self.value(b), self.value(third)
        if node[0] == ops.SUB and first:
            z = self.let(f"fneg {t} {z}")
        elif node[0] == ops.SUB:
            x = self.let(f"fneg {t} {x}")
        return f"call {t} {self.fma}({t} {x}, {t} {y}, {t} {z})"

    def _choice(self, condition: str, x: str, y: str) -> str:
        t = self.lanes.type
        return self.let(f"select {self.lanes.mask} {condition}, {t} {x}, {t} {y}")

    def _select(self, node: tuple[int, ...]) -> str:
        condition = self.conditions.get(node[1] >> 2) if not node[1] & 2 else None
        if condition is None:
            value, zero = self.value(node[1] & -2), self.lanes.literal(0.0)
            condition = self.let(f"fcmp une {self.lanes.type} {value}, {zero}")
        return self._choice(condition, self.value(node[2]), self.value(node[3]))

    def _lookup(self, table: Table, x: str) -> str:
        """The entry at x, clipped to the table; whatever is not above 0, also NaN, counts as 0."""
        t, lanes = self.lanes.type, self.lanes
        zero, last = lanes.literal(0.0), lanes.literal(table.size - 1.0)
        low = self._choice(self.let(f"fcmp ogt {t} {x}, {zero}"), x, zero)
        held = self._choice(self.let(f"fcmp olt {t} {low}, {last}"), low, last)
        whole = "i32" if lanes.width == 1 else f"<{lanes.width} x i32>"
        places = self.let(f"fptosi {t} {held} to {whole}")
        data = self.library.table(table, lanes)
        if lanes.width == 1:
            at = self.let(f"getelementptr {lanes.scalar}, ptr {data}, i32 {places}")
            return self.load(at)
        value = "zeroinitializer"
        for lane in range(lanes.width):
            place = self.let(f"extractelement {whole} {places}, i32 {lane}")
            at = self.let(f"getelementptr {lanes.scalar}, ptr {data}, i32 {place}")
            entry = self.let(f"load {lanes.scalar}, ptr {at}")
            value = self.let(f"insertelement {t} {value}, {lanes.scalar} {entry}, i32 {lane}")
        return value

    def _sign(self, x: str) -> str:
        t, literal = self.lanes.type, self.lanes.literal
        negative = self.let(f"fcmp olt {t} {x}, {literal(0.0)}")
        lower = self._choice(negative, literal(-1.0), x)
        positive = self.let(f"fcmp ogt {t} {x}, {literal(0.0)}")
        return self._choice(positive, literal(1.0), lower)

    def _sines(self, index: int) -> None:
        """This sine or cosine with its partner; as scalars, together with others that are ready."""
        angles, wide = [self.graph.nodes[index][1]], self.lanes
        if wide.width == 1:
            angles = self._ready_angles(index)
            wide = wide.of_width(wide.vector if len(angles) > 1 else 1)
        for angle, sine, cosine in zip(angles, *self._sincos(angles, wide), strict=True):
            for op, text in ((ops.SIN, sine), (ops.COS, cosine)):
                twin = self.body.trig.get((op, angle))
                if twin is not None:
                    self.values[twin] = text

    def _ready_angles(self, index: int) -> list[int]:
        """The angle of this node and those of the sines and cosines that directly follow it."""
        angles = [self.graph.nodes[index][1]]
        run: set[int] = set()
        for other in self.steps[self.position[index] :]:
            if other >= len(self.graph.nodes):
                break
            node = self.graph.nodes[other]
            # the sine of a sine in this group belongs to the next group
            waits = not node[1] & 2 and node[1] >> 2 in run
            if node[0] not in (ops.SIN, ops.COS) or waits or len(angles) == self.lanes.vector:
                break
            run.add(other)
            if node[1] not in angles:
                angles.append(node[1])
        return angles

    def _sincos(self, angles: list[int], wide: Lanes) -> tuple[list[str], list[str]]:
        t = wide.type
        pair = f"{{{t}, {t}}}"
        packed = self.value(angles[0])
        gathered = wide.width > 1 and self.lanes.width == 1
        if gathered:
            packed = "zeroinitializer"
            for lane, angle in enumerate(angles):
                x = self.value(angle)
                packed = self.let(f"insertelement {t} {packed}, {wide.scalar} {x}, i32 {lane}")
        name = self.library.elementary("sincos", wide)
        both = self.let(f"call {pair} {name}({t} {packed})")
        sides = [self.let(f"extractvalue {pair} {both}, {k}") for k in (0, 1)]
        if not gathered:
            return [sides[0]], [sides[1]]
        split = [
            [self.let(f"extractelement {t} {side}, i32 {lane}") for lane in range(len(angles))]
            for side in sides
        ]
        return split[0], split[1]


class Body:
    """A prepared Function as IR: its plan, and the memory of its inputs and outputs."""

    def __init__(self, function: Function, symbol: str, lanes: Lanes) -> None:
        self.function, self.symbol, self.lanes = function, symbol, lanes
        self.plan: Plan = planned(
            function, lanes.registers, lanes.contract, vector=lanes.packs, packed=lanes.width == 1
        )
        graph = function.graph
        self.literals: dict[int, str] = {}
        self.slots: dict[int, int] | None = None  # of outputs, where a batch gathers them
        # node -> (port, offset); parameters are the port after the inputs
        self.inputs: dict[int, tuple[int, int]] = {}
        for number, port in enumerate(function.inputs):
            self.inputs |= {r >> 2: (number, k) for k, r in enumerate(port.refs)}
        first = sum(len(port.refs) for port in function.inputs)
        for k, ref in enumerate(function.input_refs[first:]):
            self.inputs[ref >> 2] = (len(function.inputs), k)
        self.first_output = len(function.inputs) + bool(function.parameters)
        self.ports = self.first_output + len(function.outputs)
        # {computed value: its outputs}; constants and inputs are written at the end
        self.outputs_of: dict[int, list[tuple[int, int, int]]] = {}
        self.copied_outputs: list[tuple[int, int, int]] = []
        for k, port in enumerate(function.outputs):
            for offset, ref in enumerate(port.refs):
                place = (ref, self.first_output + k, offset)
                if ref & 2 or ref >> 2 in self.inputs:
                    self.copied_outputs.append(place)
                else:
                    self.outputs_of.setdefault(ref >> 2, []).append(place)
        self.trig: dict[tuple[int, int], int] = {}
        self.results_of: dict[int, list[int]] = {}
        for index in function.live:
            node = graph.nodes[index]
            if node[0] in (ops.SIN, ops.COS):
                self.trig[node[0], node[1]] = index
            elif node[0] == ops.OUT:
                self.results_of.setdefault(node[2] >> 2, []).append(index)

    def home(self, index: int) -> tuple[int, int]:
        """The memory of a value: (port, offset); port -1 is the workspace."""
        return self.inputs.get(index) or (-1, self.plan.slots[index])
