"""IR text of memory accesses: variables, arrays, records and calls of Kernels.

Array and Ints never overlap (type-based aliasing). Indices are unchecked, or in `checked` code every
array is passed with its length and every index is compared with it (see `faults`).
"""

import hashlib

from hapsis.compiler.native.faults import NOT_GIVEN
from hapsis.compiler.native.instructions import TYPES, Instructions, Value, constant, element_kind, ir_type
from hapsis.compiler.native.record.record_layout import Field, Kind, Layout

__all__ = ["METADATA", "Value", "Writer", "constant", "element_kind", "ir_type"]

# alias classes: floats, ints, and the tables of kernels
METADATA = """\
!0 = !{!"hapsis"}
!1 = !{!"float", !0}
!2 = !{!"int", !0}
!3 = !{!"port", !0}
!4 = !{!1, !1, i64 0}
!5 = !{!2, !2, i64 0}
!6 = !{!3, !3, i64 0}
!7 = !{}
"""
_TAG = {"float": "!tbaa !4", "int": "!tbaa !5"}
_FIXED = "!tbaa !6, !invariant.load !7"  # addresses and lengths in records
_PLACES = 4  # words of a Kernel's table before the addresses for its ports


class Writer(Instructions):
    """The lines of one function, and what it reads and writes."""

    def __init__(self, checked: bool = False) -> None:
        super().__init__()
        self.checked = checked
        self.texts: dict[str, str] = {}  # constants that name places, for faults
        self.head: list[str] = []  # what is loaded once, behind the slots
        self._loaded: dict[str, Value] = {}

    def measured(self, kind: Kind) -> bool:
        """Whether values of this kind are passed with a length."""
        return self.checked and element_kind(kind) != ""

    def slot(self, kind: Kind) -> str:
        """Memory for one value; LLVM turns it into registers."""
        self.count += 1
        name = f"%s{self.count}"
        self.slots.append(f"{name} = alloca {ir_type(kind)}")
        if self.measured(kind):
            self.slots.append(f"{name}n = alloca i64")
        return name

    def put(self, slot: str, value: Value) -> None:
        """Stores into a slot."""
        self.do(f"store {ir_type(value.kind)} {value.text}, ptr {slot}")
        if self.measured(value.kind):
            self.do(f"store i64 {value.length}, ptr {slot}n")

    def get(self, slot: str, kind: Kind) -> Value:
        """Loads from a slot."""
        value = self.new(kind, f"load {ir_type(kind)}, ptr {slot}")
        if self.measured(kind):
            return value._replace(length=self.new("int", f"load i64, ptr {slot}n").text)
        return value

    def parameter(self, kind: Kind, k: int) -> str:
        """A parameter of a function as its head declares it."""
        return f"{ir_type(kind)} %p{k}" + (f", i64 %n{k}" if self.measured(kind) else "")

    def argument(self, value: Value) -> str:
        """A value as a call of a native function passes it."""
        length = f", i64 {value.length}" if self.measured(value.kind) else ""
        return f"{ir_type(value.kind)} {value.text}{length}"

    def named_text(self, text: str) -> str:
        """A constant with a text, for a message."""
        name = "@text_" + hashlib.sha256(text.encode()).hexdigest()[:16]
        data = text.encode() + b"\0"
        listed = "".join(f"\\{byte:02X}" for byte in data)
        self.texts[name] = f'{name} = private constant [{len(data)} x i8] c"{listed}"'
        return name

    def note(self, text: str, index: str, length: str) -> None:
        """Notes a fault."""
        name = self.named_text(text)
        self.do(f"call void @hs_note(ptr {name}, i64 {index}, i64 {length})")

    def place(self, array: Value, index: Value, where: str) -> str:
        """The address of an element; `where` names it for checked code."""
        if not self.checked:
            kind = TYPES[element_kind(array.kind)]
            return self.new("", f"getelementptr {kind}, ptr {array.text}, i64 {index.text}").text
        return self._checked_place(array.text, index.text, array.length, 8, where)

    def byte(self, array: Value, index: Value, where: str) -> str:
        """The address of a byte."""
        if not self.checked:
            return self.new("", f"getelementptr i8, ptr {array.text}, i64 {index.text}").text
        return self._checked_place(array.text, index.text, self.byte_count(array), 1, where)

    def byte_count(self, array: Value) -> str:
        """The bytes of an array in checked code."""
        return self.new("int", f"mul i64 {array.length}, 8").text

    def byte_limit(self, array: Value, count: Value, where: str) -> Value:
        """A number of bytes; zero if the array has fewer, which is a fault."""
        most = Value("int", self.byte_count(array))
        good = self.new("bool", f"icmp ule i64 {count.text}, {most.text}")
        bad, done = self.label(), self.label()
        self.end(f"br i1 {good.text}, label %{done}, label %{bad}")
        self.start(bad)
        self.note(where, count.text, most.text)
        self.start(done)
        return self.select(good, count, constant(0))

    def _checked_place(self, x: str, index: str, length: str, step: int, where: str) -> str:
        name = self.named_text(where)
        head = f"call ptr @hs_place(ptr {x}, i64 {index}, i64 {length}, i64 {step}"
        return self.new("", f"{head}, ptr {name})").text

    def part(self, array: Value, start: Value, where: str) -> Value:
        """The array from an element on."""
        kind = TYPES[element_kind(array.kind)]
        if not self.checked:
            return Value(array.kind, self.place(array, start, where))
        # a start after the last element gives an empty array; before the first it is a fault
        name = self.named_text(where)
        low = self.intrinsic("int", "i64 @llvm.smax.i64", start, constant(0))
        before = self.compare("<", start, constant(0))
        yes, done = self.label(), self.label()
        self.end(f"br i1 {before.text}, label %{yes}, label %{done}")
        self.start(yes)
        self.do(f"call void @hs_note(ptr {name}, i64 {start.text}, i64 {array.length})")
        self.start(done)
        cut = self.intrinsic("int", "i64 @llvm.smin.i64", low, Value("int", array.length))
        rest = self.arithmetic("-", Value("int", array.length), cut)
        pointer = self.new("", f"getelementptr {kind}, ptr {array.text}, i64 {cut.text}").text
        return Value(array.kind, pointer, rest.text)

    def read(self, kind: str, place: str) -> Value:
        """The number at an address."""
        return self.new(kind, f"load {TYPES[kind]}, ptr {place}, {_TAG[kind]}")

    def write(self, place: str, value: Value) -> None:
        """Changes the number at an address."""
        kind = str(value.kind)
        self.do(f"store {TYPES[kind]} {value.text}, ptr {place}, {_TAG[kind]}")

    # --- records ---

    def field(self, record: Value, offset: int) -> str:
        """The address of a field, or of its second word."""
        return self.new("", f"getelementptr i8, ptr {record.text}, i64 {offset}").text

    def load_field(self, record: Value, field: Field) -> Value:
        """The value of a field; loads of constant fields are marked as invariant."""
        place = self.field(record, field.offset)
        if isinstance(field.kind, Layout):
            return self.new(field.kind, f"load ptr, ptr {place}, {_FIXED}")
        if field.kind in ("int", "float", "bool"):
            tag = _TAG["float" if field.kind == "float" else "int"]
            type_ = "double" if field.kind == "float" else "i64"
            more = ", !invariant.load !7" if field.fixed else ""
            value = self.new(field.kind, f"load {type_}, ptr {place}, {tag}{more}")
            return self.truth(value._replace(kind="int")) if field.kind == "bool" else value
        pointer = self.new(field.kind, f"load ptr, ptr {place}, {_FIXED}")
        if not self.checked or field.kind == "Kernel":
            return pointer
        second = self.field(record, field.offset + 8)
        return pointer._replace(length=self.new("int", f"load i64, ptr {second}, {_FIXED}").text)

    def load_once(self, path: str, record: Value, field: Field) -> Value:
        """The same, loaded at the head of the function once for each path, so that loops do not reload it."""
        if path not in self._loaded:
            lines, live, self.lines, self.live = self.lines, self.live, self.head, True
            self._loaded[path] = self.load_field(record, field)
            self.lines, self.live = lines, live
        return self._loaded[path]

    def store_field(self, place: str, value: Value) -> None:
        """Changes a number of a record."""
        self.write(place, self.as_int(value) if value.kind == "bool" else value)

    def chosen_kernel(self, kernels: Value, index: Value, where: str) -> Value:
        """One of several Kernels; in checked code null if the index is out of range."""
        if not self.checked:
            place = self.new("", f"getelementptr ptr, ptr {kernels.text}, i64 {index.text}").text
            return self.new("Kernel", f"load ptr, ptr {place}, !invariant.load !7")
        # the meaningless element is zero, which means no Kernel
        place = self._checked_place(kernels.text, index.text, kernels.length, 8, where)
        self.do("store i64 0, ptr @hs_scratch")
        return self.new("Kernel", f"load ptr, ptr {place}")

    def call_kernel(self, table: str, arrays: list[Value], where: str) -> None:
        """Stores the pointers in the kernel's ports and calls it (see `kernels`)."""
        after = self.label()
        if self.checked:
            self._check_arrays(table, arrays, where, after)
        head = [self._word(table, k) for k in range(3)]
        for k, array in enumerate(arrays, _PLACES):
            self.do(f"store ptr {array.text}, ptr {self._word(table, k)}, !tbaa !6")
        self.do(f"call void {head[0]}(ptr {head[1]}, ptr {head[2]}) nounwind")
        if self.checked:
            self.start(after)

    def _check_arrays(self, table: str, arrays: list[Value], where: str, after: str) -> None:
        """Skips the call if there is no kernel or if an array is too short for it."""
        good = self.label()
        self._unless(f"icmp ne ptr {table}, null", good, after, "", "")
        checks = self._word(table, _PLACES - 1)
        good = self.label()
        self._unless(f"icmp ne ptr {checks}, null", good, after, where, str(NOT_GIVEN))
        for k, array in enumerate(arrays):
            place = self.new("", f"getelementptr i64, ptr {checks}, i64 {2 * k}").text
            least = self.new("int", f"load i64, ptr {place}")
            last = self.arithmetic("-", least, constant(1)).text
            test = f"icmp sge i64 {array.length}, {least.text}"
            what = f"{where}, argument {k + 1}"
            self._unless(test, self.label(), after, what, last, array.length)
            length = self._word(checks, 2 * k + 1)
            self.do(f"store i64 {array.length}, ptr {length}")

    def _unless(self, test: str, good: str, after: str, where: str, index: str, length: str = "-1") -> None:
        """Continues if a test holds; else records the fault and jumps to `after`."""
        bad, passed = self.label(), self.new("bool", test)
        self.end(f"br i1 {passed.text}, label %{good}, label %{bad}")
        self.start(bad)
        if where:
            self.note(where, index, length)
        self.jump(after)
        self.start(good)

    def _word(self, table: str, k: int) -> str:
        word = self.new("", f"getelementptr ptr, ptr {table}, i64 {k}").text
        return self.new("", f"load ptr, ptr {word}, !invariant.load !7").text
