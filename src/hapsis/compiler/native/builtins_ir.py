"""The functions built into the native language, and the IR of their calls."""

import ast
from collections.abc import Callable
from typing import Any

from hapsis.compiler.native import builtins_python
from hapsis.compiler.native.definition import POWER
from hapsis.compiler.native.scope import NUMBERS, Scope
from hapsis.compiler.native.writer import Value, constant, element_kind, ir_type

MANY = 1000
MONOTONIC = 1  # the number of that clock in Linux
Write = Callable[[Scope, ast.Call, list[Value]], Any]  # a Value, or None


def _absolute(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    (x,), writer = scope.alike(node, values), scope.writer
    if x.kind == "float":
        return writer.intrinsic("float", "double @llvm.fabs.f64", x)
    return writer.select(writer.compare("<", x, constant(0)), writer.negative(x), x)


def _extreme(sign: str) -> Write:
    """min or max: the first argument if they are equal or one is NaN."""

    def find(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
        best, *rest = scope.alike(node, values)
        for value in rest:
            best = scope.writer.select(scope.writer.compare(sign, value, best), value, best)
        return best

    return find


def _real(head: str) -> Write:
    """A function of floats."""

    def find(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
        floats = [scope.writer.as_float(scope.numeric(node, value)) for value in values]
        return scope.writer.intrinsic("float", head, *floats)

    return find


def _finite(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    size = _absolute(scope, node, [scope.writer.as_float(scope.numeric(node, values[0]))])
    return scope.writer.compare("<", size, constant(float("inf")))


def _from(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    array, start = values
    if not element_kind(array.kind) or start.kind != "int":
        scope.fail(node, f"at takes an array and an int, not {array.kind} and {start.kind}")
    return scope.writer.part(array, start, scope.where(node))


def _number(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    """int() or float()."""
    if values[0].kind not in ("bool", *NUMBERS):
        scope.fail(node, f"{ast.unparse(node.func)} takes a number, not {values[0].kind}")
    whole = scope.static(node.func) is int
    return scope.writer.as_int(values[0]) if whole else scope.writer.as_float(values[0])


def _ints(scope: Scope, node: ast.Call, array: Value, *numbers: Value) -> None:
    if array.kind != "Ints" or any(number.kind != "int" for number in numbers):
        scope.fail(node, f"{ast.unparse(node.func)} takes Ints and ints")


def _clock(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    """The time of the monotonic clock in nanoseconds."""
    writer = scope.writer
    time = writer.memory(2)
    writer.outside("i32", "clock_gettime", f"i32 {MONOTONIC}", f"ptr {time}")
    seconds, rest = (writer.word(time, k) for k in range(2))
    return writer.arithmetic("+", writer.arithmetic("*", seconds, constant(10**9)), rest)


def _wait(scope: Scope, node: ast.Call, values: list[Value]) -> None:
    """Sleeps until an absolute time, again if a signal interrupts it."""
    writer = scope.writer
    (moment,) = values
    if moment.kind != "int":
        scope.fail(node, f"wait_until takes an int of nanoseconds, not {moment.kind}")
    time = writer.memory(2)
    for k, sign in enumerate(("//", "%")):
        writer.set_word(time, k, writer.divided(sign, moment, constant(10**9)))
    again, after = writer.label(), writer.label()
    writer.start(again)
    answer = writer.outside("i32", "clock_nanosleep", f"i32 {MONOTONIC}", "i32 1", f"ptr {time}", "ptr null")
    woken = writer.new("bool", f"icmp eq i32 {answer}, 4")
    writer.end(f"br i1 {woken.text}, label %{again}, label %{after}")
    writer.start(after)


def _publish(scope: Scope, node: ast.Call, values: list[Value]) -> None:
    array, index, value = values
    _ints(scope, node, array, index, value)
    place = scope.writer.place(array, index, scope.where(node))
    scope.writer.do(f"store atomic i64 {value.text}, ptr {place} release, align 8")


def _observe(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    array, index = values
    _ints(scope, node, array, index)
    place = scope.writer.place(array, index, scope.where(node))
    return scope.writer.new("int", f"load atomic i64, ptr {place} acquire, align 8")


def _claim(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    array, index = values
    _ints(scope, node, array, index)
    place, writer = scope.writer.place(array, index, scope.where(node)), scope.writer
    pair = writer.new("", f"cmpxchg ptr {place}, i64 0, i64 1 acq_rel acquire, align 8").text
    return writer.new("bool", f"extractvalue {{ i64, i1 }} {pair}, 1")


def _byte(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    array, index = values
    _ints(scope, node, array, index)
    place = scope.writer.byte(array, index, scope.where(node))
    loaded = scope.writer.new("", f"load i8, ptr {place}, align 1").text
    return scope.writer.new("int", f"zext i8 {loaded} to i64")


def _put_byte(scope: Scope, node: ast.Call, values: list[Value]) -> None:
    array, index, value = values
    _ints(scope, node, array, index, value)
    place = scope.writer.byte(array, index, scope.where(node))
    low = scope.writer.new("", f"trunc i64 {value.text} to i8").text
    scope.writer.do(f"store i8 {low}, ptr {place}, align 1")


def _transfer(name: str) -> Write:
    """read or write of the system: file, memory, bytes."""

    def find(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
        file, array, count = values
        _ints(scope, node, array, file, count)
        writer = scope.writer
        if writer.checked:
            count = writer.byte_limit(array, count, scope.where(node))
        number = writer.new("", f"trunc i64 {file.text} to i32").text
        answer = writer.outside("i64", name, f"i32 {number}", f"ptr {array.text}", f"i64 {count.text}")
        return Value("int", answer)

    return find


def _foreign(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
    """A call by address; a C int comes back."""
    address, *rest = values
    if address.kind != "int" or not all(value.kind in NUMBERS or element_kind(value.kind) for value in rest):
        scope.fail(node, "foreign takes an address, then numbers and arrays")
    writer = scope.writer
    code = writer.new("", f"inttoptr i64 {address.text} to ptr").text
    listed = ", ".join(f"{ir_type(value.kind)} {value.text}" for value in rest)
    answer = writer.new("", f"call i32 {code}({listed}) nounwind").text
    return writer.new("int", f"sext i32 {answer} to i64")


def _cast(kind: str, wanted: str) -> Write:
    """The same 64 bits as another kind."""

    def find(scope: Scope, node: ast.Call, values: list[Value]) -> Value:
        if values[0].kind != wanted:
            scope.fail(node, f"{ast.unparse(node.func)} takes {wanted}, not {values[0].kind}")
        types = {"int": "i64", "float": "double"}
        return scope.writer.new(kind, f"bitcast {types[wanted]} {values[0].text} to {types[kind]}")

    return find


# function, least and most number of arguments, what it writes
_BUILTINS: list[tuple[Any, int, int, Write]] = [
    (abs, 1, 1, _absolute),
    (min, 2, MANY, _extreme("<")),
    (max, 2, MANY, _extreme(">")),
    (int, 1, 1, _number),
    (float, 1, 1, _number),
    (builtins_python.sqrt, 1, 1, _real("double @llvm.sqrt.f64")),
    (builtins_python.floor, 1, 1, _real("double @llvm.floor.f64")),
    (builtins_python.power, 2, 2, _real(f"double @{POWER}")),
    (builtins_python.isfinite, 1, 1, _finite),
    (builtins_python.at, 2, 2, _from),
    (builtins_python.clock, 0, 0, _clock),
    (builtins_python.wait_until, 1, 1, _wait),
    (builtins_python.publish, 3, 3, _publish),
    (builtins_python.observe, 2, 2, _observe),
    (builtins_python.claim, 2, 2, _claim),
    (builtins_python.byte, 2, 2, _byte),
    (builtins_python.put_byte, 3, 3, _put_byte),
    (builtins_python.receive, 3, 3, _transfer("read")),
    (builtins_python.transmit, 3, 3, _transfer("write")),
    (builtins_python.foreign, 1, MANY, _foreign),
    (builtins_python.bits, 1, 1, _cast("int", "float")),
    (builtins_python.from_bits, 1, 1, _cast("float", "int")),
]
POINTS_TO_FIELD = builtins_python.place  # translated where fields are known, see `expressions`
NAMES = ", ".join(sorted(one.__name__ for one, *_ in _BUILTINS))
_BY_IDENTITY = {id(entry[0]): entry for entry in _BUILTINS}


def builtin(scope: Scope, node: ast.Call, target: Any, evaluate: Callable[[ast.expr], Value]) -> Value | None:
    """The value of a call of one of these functions, None if it has none."""
    if id(target) not in _BY_IDENTITY or node.keywords:
        scope.fail(
            node,
            f'"{ast.unparse(node)[:60]}" cannot be called from a native function',
            f"there are native functions, Kernels, and {NAMES} of hapsis.compiler.native",
        )
    _, least, most, write = _BY_IDENTITY[id(target)]
    if not least <= len(node.args) <= most:
        expected = str(least) if least == most else f"{least} or more"
        scope.fail(node, f"{target.__name__} takes {expected} arguments, not {len(node.args)}")
    return write(scope, node, [evaluate(argument) for argument in node.args])
