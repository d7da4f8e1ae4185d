"""LLVM IR text of a chunk in which twins share vector instructions (see `lane_units`).

The value of a pack or of a gathered column is a vector. A scalar instruction that reads a node of a pack
extracts its lane, or loads it alone if the pack is in memory. Where lanes differ by a sign, as in mirror
images, the sign bits of some are flipped.
"""

from collections.abc import Sequence

from hapsis.compiler.backends.llvm.lane_units import Units
from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.llvm_ir import Body, ChunkText
from hapsis.compiler.backends.llvm.llvm_text import Library
from hapsis.compiler.ir.graph import ops

_ARITHMETIC = {ops.MUL: "fmul", ops.DIV: "fdiv"}


class LaneText(ChunkText):
    """The IR of one chunk of a body whose plan has units."""

    def __init__(self, body: Body, steps: list[int], lanes: Lanes, library: Library, units: Units) -> None:
        super().__init__(body, steps, lanes, library)
        self.units = units
        self.wide: dict[int, Lanes] = {}  # by their width

    def forget(self, unit: int) -> None:
        """A value is no longer in a register."""
        super().forget(unit)
        for node in self.units.packs.get(unit, ()):
            super().forget(node)

    def fetched(self, index: int) -> str:
        """A scalar: a lane of a pack, or as without packs."""
        unit = self.units.unit_of.get(index)
        if unit is None:
            return super().fetched(index)
        lane, packed = self.units.lane_of[index], self.values.get(unit)
        if packed is None:
            text = self.load(self.place(-1, self.body.plan.slots[unit] + lane))
        else:
            text = self.let(f"extractelement {self._wide(unit).type} {packed}, i32 {lane}")
        if unit in self.units.turned and self.units.turned[unit][lane]:
            text = self.let(f"fneg {self.lanes.type} {text}")
        self.values[index] = text
        return text

    def compute(self, index: int) -> None:
        """Computes a unit; nodes as without packs."""
        if index in self.units.packs:
            self.values[index] = self._pack(index)
            for node in dict.fromkeys(self.units.packs[index]):
                if node in self.body.outputs_of:
                    self.write_outputs(node)
        elif index in self.units.columns:
            self.values[index] = self._gathered(index)
        else:
            super().compute(index)

    def keep(self, index: int) -> None:
        """Stores a unit in its slot."""
        if self.units.width(index) == 1:
            super().keep(index)
        else:
            place, t = self.place(-1, self.body.plan.slots[index]), self._wide(index).type
            self.do(f"store {t} {self._vector(index)}, ptr {place}, align {self.lanes.bytes}")

    def _wide(self, unit: int) -> Lanes:
        width = self.units.width(unit)
        if width not in self.wide:
            self.wide[width] = self.lanes.of_width(width)
        return self.wide[width]

    def _vector(self, unit: int) -> str:
        """The value of a pack or column, loaded where it is not in a register."""
        text = self.values.get(unit)
        if text is None:
            place, t = self.place(-1, self.body.plan.slots[unit]), self._wide(unit).type
            text = self.values[unit] = self.let(f"load {t}, ptr {place}, align {self.lanes.bytes}")
        return text

    def _pack(self, unit: int) -> str:
        """One vector instruction for all nodes of a pack."""
        wide, reads = self._wide(unit), self.units.reads[unit]
        t, op = wide.type, self.body.function.graph.nodes[self.units.packs[unit][0]][0]
        if unit in self.units.fused:
            x, y, z = (self._operand(wide, *read) for read in reads)
            return self.let(f"call {t} {self.library.fma(wide)}({t} {x}, {t} {y}, {t} {z})")
        if op == ops.SQRT:
            x = self._operand(wide, *reads[0])
            return self.let(f"call {t} {self.library.intrinsic('sqrt', wide)}({t} {x})")
        if op in _ARITHMETIC:
            x, y = (self._operand(wide, *read) for read in reads)
            return self.let(f"{_ARITHMETIC[op]} {t} {x}, {y}")
        (one, x), (two, y) = reads
        if all(ref & 1 for ref in y) and two is not None:
            return self.let(f"fsub {t} {self._operand(wide, one, x)}, {self._operand(wide, two, _plain(y))}")
        if all(ref & 1 for ref in x) and one is not None:
            return self.let(f"fsub {t} {self._operand(wide, two, y)}, {self._operand(wide, one, _plain(x))}")
        return self.let(f"fadd {t} {self._operand(wide, one, x)}, {self._operand(wide, two, y)}")

    def _operand(self, wide: Lanes, unit: int | None, column: Sequence[int]) -> str:
        """The operand of a pack with the signs of its lanes."""
        t = wide.type
        if unit is None:
            numbers = (self.lanes.literal(self.graph.value(ref)) for ref in column)
            return f"<{', '.join(f'{wide.scalar} {number}' for number in numbers)}>"
        signs = [ref & 1 for ref in column]
        text = self._vector(unit)
        if not any(signs):
            return text
        if all(signs):
            return self.let(f"fneg {t} {text}")
        whole = f"<{wide.width} x i{8 * self.lanes.bytes}>"
        kind, minus = f"i{8 * self.lanes.bytes}", -(1 << (8 * self.lanes.bytes - 1))
        mask = ", ".join(f"{kind} {minus if sign else 0}" for sign in signs)
        turned = self.let(f"xor {whole} {self.let(f'bitcast {t} {text} to {whole}')}, <{mask}>")
        return self.let(f"bitcast {whole} {turned} to {t}")

    def _gathered(self, unit: int) -> str:
        """A column of scalars: all the same, neighbours in memory, or one by one."""
        wide, row = self._wide(unit), self.units.columns[unit]
        t, kind = wide.type, f"<{wide.width} x i32>"
        if len(set(row)) == 1:
            one = self.let(f"insertelement {t} poison, {wide.scalar} {self.value(row[0])}, i32 0")
            return self.let(f"shufflevector {t} {one}, {t} poison, {kind} zeroinitializer")
        homes = [None if ref & 2 else self.body.inputs.get(ref >> 2) for ref in row]
        first = homes[0]
        if first is not None and homes == [(first[0], first[1] + lane) for lane in range(wide.width)]:
            return self.let(f"load {t}, ptr {self.place(*first)}, align {self.lanes.bytes}")
        text = "poison"
        for lane, ref in enumerate(row):
            text = self.let(f"insertelement {t} {text}, {wide.scalar} {self.value(ref)}, i32 {lane}")
        return text


def _plain(column: Sequence[int]) -> tuple[int, ...]:
    return tuple(ref & -2 for ref in column)
