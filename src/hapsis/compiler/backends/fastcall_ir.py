"""LLVM text of a CPython *vectorcall* entry that checks NumPy arguments and runs a kernel.

The kernel is `void kernel(ptr table, ptr workspace)`; `table` holds one data pointer per input,
then the parameter vector's, then one per output. The entry is what the interpreter jumps to when
the callable of `fastcall.make_callable` is called: no argument tuple, no attribute look-up, no
Python frame. Whatever is not the plain case (exact arrays of the declared shapes, disjoint memory)
goes unchanged to a Python callable, the *slow path*, so the entry itself never raises anything
but MemoryError.

No address is written into the code, because object code is kept on disk and loaded by other
processes: the entry reads objects and functions of CPython and NumPy from a table of its own
module, `table_symbol(symbol)`, filled in at load time (see `Slot`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from math import prod

Shape = tuple[int, ...]

TAG = 0x6873_0001  # changes with the layout of the table or of the callable
NO_PARAMETERS = -1
STACK_WORKSPACE = 4096  # a larger workspace is a global: the interpreter lock guards it

# byte offsets: the callable, then PyObject, PyVarObject, PyFloatObject and PyArrayObject
CALLABLE_ENTRY, CALLABLE_SLOW, CALLABLE_PARAMETERS, CALLABLE_RESULT = 16, 24, 32, 40
TYPE, SIZE, FLOAT_VALUE = 8, 16, 16
ARRAY_DATA, ARRAY_NDIM, ARRAY_SHAPE, ARRAY_DTYPE, ARRAY_FLAGS = 16, 24, 32, 56, 64
READABLE = 0x0001 | 0x0100  # C-contiguous, aligned
WRITABLE = READABLE | 0x0400

# LLVM type, bytes, NumPy's type number
_PRECISIONS = {"f64": ("double", 8, 12), "f32": ("float", 4, 11)}


class Slot(IntEnum):
    """Entries of the table, 8 bytes each; the first two are set by the compiler."""

    TAG = 0
    PARAMETER_BYTES = auto()  # what the kernel reads, or NO_PARAMETERS
    NDARRAY = auto()  # types
    FLOAT = auto()
    SCALAR = auto()  # numpy.float64
    TUPLE = auto()
    F64 = auto()  # native dtype singletons
    F32 = auto()
    OUT = auto()  # the interned string "out"
    NONE = auto()
    ITEMS = auto()  # byte offset of a tuple's items: 24, from CPython 3.14 on 32
    VECTORCALL = auto()  # functions
    NEW_ARRAY = auto()
    NEW_FLOAT = auto()
    NEW_OBJECT = auto()
    INCREF = auto()
    DECREF = auto()


def table_symbol(symbol: str) -> str:
    """The name of the global table that belongs to the entry `symbol`."""
    return f"{symbol}_python"


def entry_ir(
    symbol: str,
    kernel: str,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    parameters: int | None = None,
    precision: str = "f64",
    workspace_bytes: int = 0,
) -> str:
    """IR text of the entry `symbol` and its table, to append to the module that defines `kernel`.

    `parameters` is the length of the parameter vector, None for a kernel that takes none. A small
    workspace lies on the stack, uninitialised; one above `STACK_WORKSPACE` is a global. The text
    names only `kernel` and symbols that begin with `symbol`.
    """
    if precision not in _PRECISIONS:
        raise ValueError(f"precision {precision!r} is not one of {', '.join(_PRECISIONS)}")
    if not outputs:
        raise ValueError("a function needs at least one output")
    read, written = ([tuple(map(int, shape)) for shape in shapes] for shapes in (inputs, outputs))
    return _Entry(symbol, kernel, read, written, parameters, precision, workspace_bytes).text()


@dataclass
class _Entry:
    """One entry being written: `head` runs first (stack memory), then `body`, block by block."""

    symbol: str
    kernel: str
    inputs: list[Shape]
    outputs: list[Shape]
    parameters: int | None
    precision: str
    workspace: int
    globals: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    count: int = 0

    def __post_init__(self) -> None:
        self.real, self.bytes, self.number = _PRECISIONS[self.precision]

    def text(self) -> str:
        """The module text: globals, then the function."""
        length = len(self.inputs) + (self.parameters is not None) + len(self.outputs)
        self.head.append(f"  %table = alloca [{length} x ptr], align 8")
        workspace = self._workspace()
        nargs = self.let(f"and i64 %nargsf, {2**63 - 1}")  # the top bit only marks scratch space
        self.require(self.let(f"icmp eq i64 {nargs}, {len(self.inputs)}"))
        self.ndarray = self.slot(Slot.NDARRAY)
        self.dtype = self.slot(Slot[self.precision.upper()])
        read = self._read_inputs()
        plain = self.equal("ptr", ("%kwnames", "null"))
        self.do(f"br i1 {plain}, label %allocate, label %given")
        self._given(read, workspace)
        self._allocate(read, workspace)
        self._slow()
        signature = "ptr %callable, ptr %args, i64 %nargsf, ptr %kwnames"
        head = [f"define ptr @{self.symbol}({signature}) nounwind {{", "entry:", *self.head]
        return "\n".join([*self.globals, self._table_global(), *head, *self.body, "}", ""])

    # writing -----------------------------------------------------------------------------------

    def do(self, text: str) -> None:
        self.body.append(f"  {text}")

    def let(self, text: str) -> str:
        self.count += 1
        self.do(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def label(self, name: str = "") -> str:
        self.count += not name
        self.body.append(f"{name or f'b{self.count}'}:")
        return name or f"b{self.count}"

    def require(self, condition: str, otherwise: str = "slow") -> None:
        """Go on in a new block when `condition` holds, else leave."""
        self.do(f"br i1 {condition}, label %b{self.count + 1}, label %{otherwise}")
        self.label()

    def at(self, base: str, offset: int | str) -> str:
        return self.let(f"getelementptr i8, ptr {base}, i64 {offset}")

    def load(self, kind: str, base: str, offset: int | str) -> str:
        return self.let(f"load {kind}, ptr {self.at(base, offset)}")

    def equal(self, kind: str, *pairs: tuple[str, object]) -> str:
        """A bit that says whether every pair is equal."""
        bits = [self.let(f"icmp eq {kind} {a}, {b}") for a, b in pairs]
        return self.both(*bits)

    def both(self, first: str, *others: str) -> str:
        for other in others:
            first = self.let(f"and i1 {first}, {other}")
        return first

    def stack(self, name: str, kind: str) -> str:
        self.head.append(f"  %{name} = alloca {kind}, align 8")
        return f"%{name}"

    def slot(self, slot: Slot, kind: str = "ptr") -> str:
        return self.load(kind, f"@{table_symbol(self.symbol)}", 8 * slot)

    # checking ----------------------------------------------------------------------------------

    def array(self, item: str, shape: Shape, flags: int) -> str:
        """The data pointer of `item`, once known to be an exact array of that shape and dtype."""
        self.require(self.equal("ptr", (self.load("ptr", item, TYPE), self.ndarray)))
        dtype = self.equal("ptr", (self.load("ptr", item, ARRAY_DTYPE), self.dtype))
        masked = self.let(f"and i32 {self.load('i32', item, ARRAY_FLAGS)}, {flags}")
        ndim = self.load("i32", item, ARRAY_NDIM)
        self.require(self.both(dtype, self.equal("i32", (masked, flags), (ndim, len(shape)))))
        if shape:
            sizes = self.load("ptr", item, ARRAY_SHAPE)
            pairs = [(self.load("i64", sizes, 8 * k), size) for k, size in enumerate(shape)]
            self.require(self.equal("i64", *pairs))
        return self.load("ptr", item, ARRAY_DATA)

    def number_or_array(self, item: str, index: int) -> str:
        """A pointer to the value of a float, a numpy.float64 or an array without dimensions."""
        kind, k = self.load("ptr", item, TYPE), index
        python = self.equal("ptr", (kind, self.slot(Slot.FLOAT)))
        numpy = self.equal("ptr", (kind, self.slot(Slot.SCALAR)))
        self.do(f"br i1 {self.let(f'or i1 {python}, {numpy}')}, label %n{k}, label %a{k}")
        self.label(f"n{k}")
        value = self.at(item, FLOAT_VALUE)
        if self.precision == "f32":
            place = self.stack(f"x{k}", self.real)
            rounded = self.let(f"fptrunc double {self.let(f'load double, ptr {value}')} to float")
            self.do(f"store float {rounded}, ptr {place}")
            value = place
        self.do(f"br label %m{k}")
        self.label(f"a{k}")
        data = self.array(item, (), READABLE)
        self.do(f"br label %e{k}")
        self.label(f"e{k}")  # a known name for the end of the array checks
        self.do(f"br label %m{k}")
        self.label(f"m{k}")
        return self.let(f"phi ptr [ {value}, %n{k} ], [ {data}, %e{k} ]")

    def _read_inputs(self) -> list[tuple[str, int]]:
        """Pointer and byte count of everything the kernel reads."""
        read = []
        for k, shape in enumerate(self.inputs):
            item = self.load("ptr", "%args", 8 * k)
            data = self.array(item, shape, READABLE) if shape else self.number_or_array(item, k)
            read.append((data, self.bytes * prod(shape)))
        if self.parameters is not None:
            data = self.load("ptr", "%callable", CALLABLE_PARAMETERS)
            read.append((data, self.bytes * self.parameters))
        return read

    def _disjoint(self, a: tuple[str, int], b: tuple[str, int]) -> None:
        """Leave when two ranges share a byte, that is when -size_a < a - b < size_b."""
        (p, m), (q, n) = a, b
        if m and n:  # shifted by size_a - 1 both bounds are one unsigned comparison
            left, right = (self.let(f"ptrtoint ptr {x} to i64") for x in (p, q))
            moved = self.let(f"add i64 {self.let(f'sub i64 {left}, {right}')}, {m - 1}")
            self.require(self.let(f"icmp uge i64 {moved}, {m + n - 1}"))

    # the paths ---------------------------------------------------------------------------------

    def _run(self, pointers: Sequence[str], workspace: str) -> None:
        for k, pointer in enumerate(pointers):
            self.do(f"store ptr {pointer}, ptr {self.at('%table', 8 * k)}")
        self.do(f"call void @{self.kernel}(ptr %table, ptr {workspace})")

    def _given(self, read: list[tuple[str, int]], workspace: str) -> None:
        """`out=` and nothing else: check it, run, return it."""
        self.label("given")
        self.require(self.equal("i64", (self.load("i64", "%kwnames", SIZE), 1)))
        name = self.load("ptr", "%kwnames", self.slot(Slot.ITEMS, "i64"))
        self.require(self.equal("ptr", (name, self.slot(Slot.OUT))))
        out = self.load("ptr", "%args", 8 * len(self.inputs))  # keyword values follow the others
        items = [out] if len(self.outputs) == 1 else self._tuple_items(out)
        written: list[tuple[str, int]] = []
        for item, shape in zip(items, self.outputs, strict=True):
            place = (self.array(item, shape, WRITABLE), self.bytes * prod(shape))
            for other in [*read, *written]:
                self._disjoint(place, other)
            written.append(place)
        self._run([pointer for pointer, _ in [*read, *written]], workspace)
        references = self.let(f"load i64, ptr {out}")
        self.do(f"store i64 {self.let(f'add i64 {references}, 1')}, ptr {out}")
        self.do(f"ret ptr {out}")

    def _tuple_items(self, out: str) -> list[str]:
        kind = self.load("ptr", out, TYPE)
        plain = self.equal("ptr", (kind, self.slot(Slot.TUPLE)))
        ours = self.equal("ptr", (kind, self.load("ptr", "%callable", CALLABLE_RESULT)))
        self.require(self.let(f"or i1 {plain}, {ours}"))
        self.require(self.equal("i64", (self.load("i64", out, SIZE), len(self.outputs))))
        start = self.at(out, self.slot(Slot.ITEMS, "i64"))
        return [self.load("ptr", start, 8 * k) for k in range(len(self.outputs))]

    def _allocate(self, read: list[tuple[str, int]], workspace: str) -> None:
        """No keyword: make the outputs, run, return them; a scalar comes back as a float."""
        self.label("allocate")
        made: list[str] = []
        pointers: list[str] = []
        for k in range(len(self.outputs)):
            made.append(self.stack(f"made{k}", "ptr"))
            self.do(f"store ptr null, ptr {made[k]}")
        for k, shape in enumerate(self.outputs):
            pointers.append(self._new_array(k) if shape else self.stack(f"y{k}", self.real))
        self._run([*(pointer for pointer, _ in read), *pointers], workspace)
        for k, (shape, pointer) in enumerate(zip(self.outputs, pointers, strict=True)):
            if not shape:
                self._new_float(k, pointer)
        objects = [self.let(f"load ptr, ptr {place}") for place in made]
        result = objects[0] if len(objects) == 1 else self._new_tuple(objects)
        self.do(f"ret ptr {result}")
        self.label("failed")  # out of memory: give back what was made; a null is fine here
        drop = self.slot(Slot.DECREF)
        for place in made:
            self.do(f"call void {drop}(ptr {self.let(f'load ptr, ptr {place}')})")
        self.do("ret ptr null")

    def _kept(self, k: int, made: str) -> None:
        self.do(f"store ptr {made}, ptr %made{k}")
        self.require(self.let(f"icmp ne ptr {made}, null"), "failed")

    def _new_array(self, k: int) -> str:
        shape, name = self.outputs[k], f"@{self.symbol}_shape{k}"
        sizes = ", ".join(f"i64 {size}" for size in shape)
        self.globals.append(f"{name} = internal constant [{len(shape)} x i64] [{sizes}]")
        arguments = (
            f"ptr {self.ndarray}, i32 {len(shape)}, ptr {name}, i32 {self.number}, "
            "ptr null, ptr null, i32 0, i32 0, ptr null"
        )
        made = self.let(f"call ptr {self.slot(Slot.NEW_ARRAY)}({arguments})")
        self._kept(k, made)
        return self.load("ptr", made, ARRAY_DATA)

    def _new_float(self, k: int, place: str) -> None:
        value = self.let(f"load {self.real}, ptr {place}")
        if self.precision == "f32":
            value = self.let(f"fpext float {value} to double")
        self._kept(k, self.let(f"call ptr {self.slot(Slot.NEW_FLOAT)}(double {value})"))

    def _new_tuple(self, objects: list[str]) -> str:
        # after the kernel: this allocation may collect garbage, that is, run Python code
        arguments = f"ptr {self.load('ptr', '%callable', CALLABLE_RESULT)}, i64 {len(objects)}"
        made = self.let(f"call ptr {self.slot(Slot.NEW_OBJECT)}({arguments})")
        self.require(self.let(f"icmp ne ptr {made}, null"), "failed")
        # "no hash yet" for 3.14; the first item overwrites it elsewhere
        self.do(f"store i64 -1, ptr {self.at(made, SIZE + 8)}")
        start = self.at(made, self.slot(Slot.ITEMS, "i64"))
        for k, item in enumerate(objects):
            self.do(f"store ptr {item}, ptr {self.at(start, 8 * k)}")
        return made

    def _slow(self) -> None:
        """The same arguments to the Python callable; None, so a TypeError, once it is deleted."""
        self.label("slow")
        slow = self.load("ptr", "%callable", CALLABLE_SLOW)
        gone = self.let(f"icmp eq ptr {slow}, null")
        target = self.let(f"select i1 {gone}, ptr {self.slot(Slot.NONE)}, ptr {slow}")
        # held during the call: it may replace itself
        self.do(f"call void {self.slot(Slot.INCREF)}(ptr {target})")
        arguments = f"ptr {target}, ptr %args, i64 %nargsf, ptr %kwnames"
        result = self.let(f"call ptr {self.slot(Slot.VECTORCALL)}({arguments})")
        self.do(f"call void {self.slot(Slot.DECREF)}(ptr {target})")
        self.do(f"ret ptr {result}")

    # memory ------------------------------------------------------------------------------------

    def _workspace(self) -> str:
        if not self.workspace:
            return "null"
        kind = f"[{self.workspace} x i8]"
        if self.workspace <= STACK_WORKSPACE:
            self.head.append(f"  %workspace = alloca {kind}, align 64")
            return "%workspace"
        name = f"@{self.symbol}_workspace"
        self.globals.append(f"{name} = internal global {kind} zeroinitializer, align 64")
        return name

    def _table_global(self) -> str:
        size = NO_PARAMETERS if self.parameters is None else self.bytes * self.parameters
        values = [TAG, size, *[0] * (len(Slot) - 2)]
        entries = ", ".join(f"i64 {value}" for value in values)
        return f"@{table_symbol(self.symbol)} = global [{len(Slot)} x i64] [{entries}], align 8"
