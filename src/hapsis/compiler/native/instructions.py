"""IR text of one function, line by line: instructions, blocks, arithmetic with Python's semantics.

Nothing is contracted or reordered, so every result is bitwise that of Python.

    int      64 bits, wrapping                 //, % round down, as in Python; by zero they are 0
    float    IEEE double                       comparisons with NaN are false
"""

import struct
from typing import NamedTuple

from hapsis.compiler.native.record.record_layout import Kind, Layout

TYPES = {"int": "i64", "float": "double", "bool": "i1", "None": "void"}
TYPES |= {"Array": "ptr", "Ints": "ptr", "Kernel": "ptr", "Kernels": "ptr"}
ELEMENT = {"Array": "float", "Ints": "int"}

_FLOAT = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_INT = {"+": "add", "-": "sub", "*": "mul"}
_FCMP = {"==": "oeq", "!=": "une", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}
_ICMP = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


class Value(NamedTuple):
    """A kind and the text that names the value; in checked code, the length of an array."""

    kind: Kind
    text: str
    length: str = ""


def ir_type(kind: Kind) -> str:
    """The type of a value in IR."""
    return "ptr" if isinstance(kind, Layout) else TYPES[kind]


def element_kind(kind: Kind) -> str:
    """The kind of the elements of an array; an empty text for what has none."""
    return ELEMENT.get(kind, "") if isinstance(kind, str) else ""


def constant(number: float) -> Value:
    """A number of the program text: bool, int or float."""
    if isinstance(number, bool):
        return Value("bool", "true" if number else "false")
    if isinstance(number, int):
        return Value("int", str(int(number)))
    return Value("float", f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}")


class Instructions:
    """The lines of one function; `live` is False after a jump, until the next block starts."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.slots: list[str] = []  # memory of local variables, for the head of the function
        self.needs: set[str] = set()  # what must be declared
        self.live = True
        self.count = 0  # names given so far

    def label(self) -> str:
        """The name of a block that is not started yet."""
        self.count += 1
        return f"b{self.count}"

    def start(self, label: str) -> None:
        """Begins a block; the one before runs into it if it has no jump of its own."""
        if self.live:
            self.lines.append(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.live = True

    def end(self, jump: str) -> None:
        """Ends the block; what follows without a label cannot be reached."""
        if not self.live:
            self.start(self.label())
        self.lines.append(jump)
        self.live = False

    def jump(self, label: str) -> None:
        """Goes on at another block."""
        self.end(f"br label %{label}")

    def do(self, line: str) -> None:
        """An instruction without a result."""
        if not self.live:
            self.start(self.label())
        self.lines.append(line)

    def new(self, kind: Kind, instruction: str) -> Value:
        """An instruction with a result."""
        self.count += 1
        name = f"%v{self.count}"
        self.do(f"{name} = {instruction}")
        return Value(kind, name)

    def memory(self, words: int) -> str:
        """Some words of the stack."""
        self.count += 1
        self.slots.append(f"%s{self.count} = alloca [{words} x i64]")
        return f"%s{self.count}"

    def word(self, memory: str, k: int) -> Value:
        """The word k of such memory; `volatile`, because other code writes it."""
        place = self.new("", f"getelementptr i64, ptr {memory}, i64 {k}").text
        return self.new("int", f"load volatile i64, ptr {place}")

    def set_word(self, memory: str, k: int, value: Value) -> None:
        """Stores the word k of such memory."""
        place = self.new("", f"getelementptr i64, ptr {memory}, i64 {k}").text
        self.do(f"store volatile i64 {value.text}, ptr {place}")

    def outside(self, result: str, name: str, *arguments: str) -> str:
        """A call of the system's library."""
        types = ", ".join(argument.split()[0] for argument in arguments)
        self.needs.add(f"declare {result} @{name}({types})")
        return self.new("", f"call {result} @{name}({', '.join(arguments)})").text

    def as_float(self, value: Value) -> Value:
        """An int or bool as float; a float as it is."""
        if value.kind == "float":
            return value
        how = "sitofp i64" if value.kind == "int" else "uitofp i1"
        return self.new("float", f"{how} {value.text} to double")

    def as_int(self, value: Value) -> Value:
        """A float truncated to an int, clipped to the range of ints, NaN as 0; a bool as 0 or 1."""
        if value.kind == "int":
            return value
        if value.kind == "bool":
            return self.new("int", f"zext i1 {value.text} to i64")
        return self.intrinsic("int", "i64 @llvm.fptosi.sat.i64.f64", value)

    def truth(self, value: Value) -> Value:
        """Whether a number is not zero."""
        if value.kind == "bool":
            return value
        return self.compare("!=", value, constant(0 if value.kind == "int" else 0.0))

    def intrinsic(self, kind: str, head: str, *values: Value) -> Value:
        """A call of LLVM's own, or of a function declared elsewhere."""
        result, name = head.split(" @")
        types = ", ".join(ir_type(value.kind) for value in values)
        self.needs.add(f"declare {result} @{name}({types})")
        listed = ", ".join(f"{ir_type(value.kind)} {value.text}" for value in values)
        return self.new(kind, f"call {result} @{name}({listed})")

    def compare(self, sign: str, a: Value, b: Value) -> Value:
        """A comparison of two values of the same kind."""
        test = f"fcmp {_FCMP[sign]}" if a.kind == "float" else f"icmp {_ICMP[sign]}"
        return self.new("bool", f"{test} {ir_type(a.kind)} {a.text}, {b.text}")

    def select(self, test: Value, yes: Value, no: Value) -> Value:
        """One of two values of the same kind; both are computed."""
        kind = ir_type(yes.kind)
        return self.new(yes.kind, f"select i1 {test.text}, {kind} {yes.text}, {kind} {no.text}")

    def arithmetic(self, sign: str, a: Value, b: Value) -> Value:
        """+ - * / of two values of the same kind, int or float."""
        if sign == "/":
            a, b = self.as_float(a), self.as_float(b)
        if a.kind == "float":
            return self.new("float", f"{_FLOAT[sign]} double {a.text}, {b.text}")
        return self.new("int", f"{_INT[sign]} i64 {a.text}, {b.text}")

    def bitwise(self, name: str, a: Value, b: Value) -> Value:
        """and, or, xor, shl, ashr of two ints."""
        return self.new("int", f"{name} i64 {a.text}, {b.text}")

    def negative(self, a: Value) -> Value:
        """The number with the other sign."""
        if a.kind == "float":
            return self.new("float", f"fneg double {a.text}")
        return self.new("int", f"sub i64 0, {a.text}")

    def divided(self, sign: str, a: Value, b: Value) -> Value:
        """a // b or a % b of ints, rounded down.

        x / 0 and -2**63 / -1 would trap in the processor, so both are replaced before.
        """
        one, zero = constant(1), constant(0)
        odd = self.new("bool", f"icmp ult i64 {self.arithmetic('+', b, one).text}, 2")
        safe = self.select(odd, one, b)
        quotient = self.new("int", f"sdiv i64 {a.text}, {safe.text}")
        rest = self.arithmetic("-", a, self.arithmetic("*", quotient, safe))
        crossed = self.new("int", f"xor i64 {rest.text}, {safe.text}")
        uneven = self.compare("!=", rest, zero)
        below = self.compare("<", crossed, zero)
        lower = self.new("bool", f"and i1 {uneven.text}, {below.text}")
        if sign == "%":
            return self.select(lower, self.arithmetic("+", rest, safe), rest)
        down = self.select(lower, self.arithmetic("-", quotient, one), quotient)
        turned = self.select(self.compare("==", b, zero), zero, self.negative(a))
        return self.select(odd, turned, down)
