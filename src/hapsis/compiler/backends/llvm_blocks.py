"""LLVM IR text for blocks: a kept call, a map with gather and scatter-add, a bounded repeat.

A block's operands and results are contiguous ranges of the caller's workspace. Bodies are compiled
once per module and called with a table of pointers, like everything else; their own workspace
starts where the caller's ends.
"""

from typing import Any

import numpy as np

from hapsis.compiler.backends.llvm_ir import Body
from hapsis.compiler.backends.llvm_text import Lanes, Text
from hapsis.compiler.ir.blocks import Block, Call, Map, Repeat


def block_text(
    text: Text, block: Block, body: Body, operands: str, results: str, rest: str, tables: "Tables"
) -> None:
    """Appends the code of a block: pointers to its operands, its results and free workspace."""
    if isinstance(block, Call):
        _call(text, body, operands, results, rest)
    elif isinstance(block, Map):
        _map(text, block, body, operands, results, rest, tables)
    else:
        _repeat(text, block, body, operands, results, rest)


def block_slots(block: Block) -> int:
    """Values of workspace a block needs besides its body's own."""
    if isinstance(block, Call):
        return 0
    if isinstance(block, Map):
        return block.gather.shape[1] + block.scatter.shape[1]
    # one value more: what lanes are done
    return block.body.n_in + block.body.n_out + 1


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


def _call(text: Text, body: Body, inputs: str, outputs: str, ws: str) -> None:
    """The body on a flat vector of inputs and one of outputs."""
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
            text.do(f"store ptr {text.at(base, offset)}, ptr {place}")
            offset, number = offset + size, number + 1
    text.do(f"call void @{body.symbol}(ptr {table}, ptr {ws})")


def _loop(text: Text, count: int) -> tuple[str, str]:
    """Opens `for i in range(count)`: gives i and the loop's label, to close it with `_close`."""
    text.count += 1
    label = f"l{text.count}"
    text.do(f"br label %{label}")
    text.do(f"{label}:")
    text.do(f"%{label}.i = phi i64 [0, %{text.block}], [%{label}.next, %{label}.turn]")
    text.block = label
    text.loops.append(count)
    return f"%{label}.i", label


def _close(text: Text, label: str, stop: str | None = None) -> None:
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


def _copy(text: Text, source: str, target: str, count: int) -> None:
    """`count` values from one range to another."""
    if not count:
        return
    t = text.lanes.type
    i, name = _loop(text, count)
    value = text.let(f"load {t}, ptr {_element(text, source, i)}, align 8")
    text.do(f"store {t} {value}, ptr {_element(text, target, i)}, align 8")
    _close(text, name)


def _element(text: Text, base: str, index: str) -> str:
    return text.let(f"getelementptr {_array(text.lanes)}, ptr {base}, i64 {index}")


def _array(lanes: Lanes) -> str:
    # an opaque element of the value's size: vectors of odd widths would be padded
    return f"[{lanes.bytes} x i8]"


def _map(
    text: Text, block: Map, body: Body, operands: str, results: str, rest: str, tables: Tables
) -> None:
    t, zero = text.lanes.type, text.lanes.literal(0.0)
    n_in, n_out = block.gather.shape[1], block.scatter.shape[1]
    outputs = text.at(rest, n_in)
    free = text.at(rest, n_in + n_out)
    # clear the results
    i, name = _loop(text, block.n_out)
    text.do(f"store {t} {zero}, ptr {_element(text, results, i)}, align 8")
    _close(text, name)
    # for each index: gather, run the body, add into place
    i, name = _loop(text, block.count)
    wanted, skip = None, ""
    if block.mask is not None:
        at = _element(text, operands, _lookup(text, tables.symbol(block.mask), i, "0", 1))
        wanted = text.let(f"fcmp une {t} {text.let(f'load {t}, ptr {at}, align 8')}, {zero}")
        skip = _open_branch(text, _any(text, wanted))
    k, inner = _loop(text, n_in)
    source = _element(text, operands, _lookup(text, tables.symbol(block.gather), i, k, n_in))
    value = text.let(f"load {t}, ptr {source}, align 8")
    text.do(f"store {t} {value}, ptr {_element(text, rest, k)}, align 8")
    _close(text, inner)
    _call(text, body, rest, outputs, free)
    k, inner = _loop(text, n_out)
    target = _element(text, results, _lookup(text, tables.symbol(block.scatter), i, k, n_out))
    old = text.let(f"load {t}, ptr {target}, align 8")
    new = text.let(f"load {t}, ptr {_element(text, outputs, k)}, align 8")
    if wanted is not None and text.lanes.width > 1:
        new = text.let(f"select {text.lanes.mask} {wanted}, {t} {new}, {t} {zero}")
    total = text.let(f"fadd {t} {old}, {new}")
    text.do(f"store {t} {total}, ptr {target}, align 8")
    _close(text, inner)
    if wanted is not None:
        _close_branch(text, skip)
    _close(text, name)


def _open_branch(text: Text, condition: str) -> str:
    """Opens `if condition:`; gives its label, to close it with `_close_branch`."""
    text.count += 1
    label = f"b{text.count}"
    text.do(f"br i1 {condition}, label %{label}, label %{label}.end")
    text.do(f"{label}:")
    text.block = label
    return label


def _close_branch(text: Text, label: str) -> None:
    text.do(f"br label %{label}.end")
    text.do(f"{label}.end:")
    text.block = f"{label}.end"


def _lookup(text: Text, table: str, i: str, k: str, width: int) -> str:
    row = text.let(f"mul i64 {i}, {width}")
    place = text.let(f"add i64 {row}, {k}")
    entry = text.let(f"getelementptr i32, ptr {table}, i64 {place}")
    narrow = text.let(f"load i32, ptr {entry}")
    return text.let(f"zext i32 {narrow} to i64")


def _repeat(text: Text, block: Repeat, body: Body, operands: str, results: str, rest: str) -> None:
    lanes, t = text.lanes, text.lanes.type
    n, n_in, n_out = block.n_out, block.body.n_in, block.body.n_out
    outputs = text.at(rest, n_in)
    done_at = text.at(rest, n_in + n_out)
    free = text.at(rest, n_in + n_out + 1)
    zero = lanes.literal(0.0)
    _copy(text, operands, rest, n_in)
    text.do(f"store {t} {zero}, ptr {done_at}, align 8")
    _, name = _loop(text, block.times)
    _call(text, body, rest, outputs, free)
    # a lane that is done keeps its state
    done = text.let(f"load {t}, ptr {done_at}, align 8")
    finished = text.let(f"fcmp une {t} {done}, {zero}")
    k, inner = _loop(text, n)
    place = _element(text, rest, k)
    old = text.let(f"load {t}, ptr {place}, align 8")
    new = text.let(f"load {t}, ptr {_element(text, outputs, k)}, align 8")
    kept = text.let(f"select {lanes.mask} {finished}, {t} {old}, {t} {new}")
    text.do(f"store {t} {kept}, ptr {place}, align 8")
    _close(text, inner)
    stop = None
    if block.stops_early:
        said = text.let(f"load {t}, ptr {text.at(outputs, n)}, align 8")
        now = text.let(f"fcmp une {t} {said}, {zero}")
        either = text.let(f"or {lanes.mask} {finished}, {now}")
        one = lanes.literal(1.0)
        mark = text.let(f"select {lanes.mask} {either}, {t} {one}, {t} {zero}")
        text.do(f"store {t} {mark}, ptr {done_at}, align 8")
        stop = _all(text, either)
    _close(text, name, stop)
    _copy(text, rest, results, n)


def _any(text: Text, mask: str) -> str:
    """Whether a condition holds in some lane."""
    width = text.lanes.width
    if width == 1:
        return mask
    bits = text.let(f"bitcast <{width} x i1> {mask} to i{width}")
    return text.let(f"icmp ne i{width} {bits}, 0")


def _all(text: Text, mask: str) -> str:
    """Whether a condition holds in every lane."""
    width = text.lanes.width
    if width == 1:
        return mask
    bits = text.let(f"bitcast <{width} x i1> {mask} to i{width}")
    return text.let(f"icmp eq i{width} {bits}, -1")
