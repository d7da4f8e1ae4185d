"""LLVM IR text of the control flow of blocks: loops, branches, calls, tables of indices."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.llvm_ir import Body
from hapsis.compiler.backends.llvm.llvm_text import Text
from hapsis.compiler.ir.functions.blocks import Map


class Tables:
    """Constant index tables of one module, each written once."""

    def __init__(self) -> None:
        self.known: dict[bytes, str] = {}
        self.lines: list[tuple[str, str]] = []

    def symbol(self, table: Any) -> str:
        """The global that holds a table of indices."""
        numbers = np.asarray(table, dtype=np.int32).ravel()
        key = numbers.tobytes()
        if key not in self.known:
            name = self.known[key] = f"@table{len(self.known)}."
            entries = ", ".join(f"i32 {n}" for n in numbers)
            kind = f"private unnamed_addr constant [{len(numbers)} x i32]"
            self.lines.append((name, f"{name} = {kind} [{entries}]"))
        return self.known[key]


def call(
    text: Text, body: Body, inputs: str, outputs: str, ws: str, elsewhere: Mapping[int, str] | None = None
) -> None:
    """The body on a flat vector of inputs and one of outputs.

    elsewhere   {number of a port: address} of those whose values are not in the vector of inputs
    """
    table = text.local(f"ptr, i64 {body.ports}")
    function = body.function
    sizes = [len(port.refs) for port in function.inputs]
    if function.parameters:
        sizes.append(len(function.parameters))
    bases = [(inputs, sizes), (outputs, [len(port.refs) for port in function.outputs])]
    number = 0
    for base, parts in bases:
        offset = 0
        for size in parts:
            place = text.let(f"getelementptr ptr, ptr {table}, i64 {number}")
            there = elsewhere.get(number) if elsewhere else None
            there = there or text.let(f"getelementptr i8, ptr {base}, i64 {offset * body.lanes.bytes}")
            text.do(f"store ptr {there}, ptr {place}")
            offset, number = offset + size, number + 1
    text.do(f"call void @{body.symbol}(ptr {table}, ptr {ws})")


def loop(text: Text, count: int | str) -> tuple[str, str]:
    """Opens `for i in range(count)`: gives i and the loop's label, to close it with `close`."""
    text.count += 1
    label = f"l{text.count}"
    text.do(f"br label %{label}")
    text.do(f"{label}:")
    text.do(f"%{label}.i = phi i64 [0, %{text.block}], [%{label}.next, %{label}.turn]")
    text.block = label
    text.loops.append(count)
    return f"%{label}.i", label


def close(text: Text, label: str, stop: str | None = None) -> None:
    """Closes the innermost loop; `stop` is a condition to leave it early."""
    text.do(f"br label %{label}.turn")
    text.do(f"{label}.turn:")
    text.do(f"%{label}.next = add i64 %{label}.i, 1")
    more = text.let(f"icmp ult i64 %{label}.next, {text.loops.pop()}")
    if stop is not None:
        more = text.let(f"select i1 {stop}, i1 false, i1 {more}")
    text.do(f"br i1 {more}, label %{label}, label %{label}.end")
    text.do(f"{label}.end:")
    text.block = f"{label}.end"


def copy(text: Text, source: str, target: str, count: int) -> None:
    """`count` values from one range to another."""
    if not count:
        return
    t = text.lanes.type
    i, name = loop(text, count)
    value = text.let(f"load {t}, ptr {element(text, source, i)}, align 8")
    text.do(f"store {t} {value}, ptr {element(text, target, i)}, align 8")
    close(text, name)


def element(text: Text, base: str, index: str) -> str:
    """The address of a value by its index."""
    return text.let(f"getelementptr {array(text.lanes)}, ptr {base}, i64 {index}")


def array(lanes: Lanes) -> str:
    """The type of a value that addresses are counted in."""
    # an opaque element of the value's size: vectors of odd widths would be padded
    return f"[{lanes.bytes} x i8]"


def open_branch(text: Text, condition: str) -> str:
    """Opens `if condition:`; gives its label, to close it with `close_branch`."""
    text.count += 1
    label = f"b{text.count}"
    text.do(f"br i1 {condition}, label %{label}, label %{label}.end")
    text.do(f"{label}:")
    text.block = label
    return label


def close_branch(text: Text, label: str) -> None:
    """Closes the innermost branch."""
    text.do(f"br label %{label}.end")
    text.do(f"{label}.end:")
    text.block = f"{label}.end"


def lookup(text: Text, table: str, i: str, k: str, width: int) -> str:
    """The entry (i, k) of a table with rows of that width."""
    row = text.let(f"mul i64 {i}, {width}")
    place = text.let(f"add i64 {row}, {k}")
    entry = text.let(f"getelementptr i32, ptr {table}, i64 {place}")
    narrow = text.let(f"load i32, ptr {entry}")
    return text.let(f"zext i32 {narrow} to i64")


class Gather:
    """The operands of a map: those that are the same for all indices, copied once, and the others.

    places    the address of the body's k-th operand, from an IR value for k
    """

    def __init__(self, text: Text, block: Map, operands: str, tables: Tables) -> None:
        self.text, self.operands, self.tables = text, operands, tables
        table = block.gather
        same = (table == table[0]).all(axis=0)
        self.shared, self.own = np.flatnonzero(same), np.flatnonzero(~same)
        self.shared_table, self.own_table = table[0, self.shared], table[:, self.own]

    def copy_shared(self, places: Callable[[str], str], store: Callable[[str, str], None]) -> None:
        """Copies what all indices share; `store` writes a value to an address."""
        self._copy(self.shared, self.shared_table, "0", places, store)

    def copy_own(self, i: str, places: Callable[[str], str], store: Callable[[str, str], None]) -> None:
        """Copies what index i has for itself."""
        self._copy(self.own, self.own_table, i, places, store)

    def _copy(
        self,
        targets: Any,
        table: Any,
        i: str,
        places: Callable[[str], str],
        store: Callable[[str, str], None],
    ) -> None:
        if not len(targets):
            return
        text, first, count = self.text, int(targets[0]), len(targets)
        k, name = loop(text, count)
        source = element(text, self.operands, lookup(text, self.tables.symbol(table), i, k, count))
        value = text.let(f"load {text.lanes.type}, ptr {source}, align 8")
        if targets[-1] - first == count - 1:
            target = text.let(f"add i64 {k}, {first}")
        else:
            target = lookup(text, self.tables.symbol(targets), "0", k, count)
        store(value, places(target))
        close(text, name)
