"""Vectorised maps in code for one state: several indices at once, one in each lane of a register.

Indices that are not masked are gathered until the lanes are full; then the body runs once, and its
results are added index by index. The order of all additions is that of the plain loop, and a lane
computes the same as a scalar, so the results are bitwise the same. Lanes that are empty at the end
compute with old values and are not read.
"""

from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.llvm_ir import Body
from hapsis.compiler.backends.llvm.llvm_loops import (
    Gather,
    Tables,
    call,
    close,
    close_branch,
    element,
    lookup,
    loop,
    open_branch,
)
from hapsis.compiler.backends.llvm.llvm_text import Text
from hapsis.compiler.ir.functions.blocks import Block, Map
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops

LINE = 64  # bytes of a line of the cache: where wide values begin


def map_lanes(block: Block, body: Function, lanes: Lanes) -> Lanes:
    """The lanes for the body of a block: a whole register's for a map in code for one state."""
    flat = not any(body.graph.nodes[index][0] == ops.BLOCK for index in body.live)
    if isinstance(block, Map) and lanes.width == 1 and block.count >= lanes.vector and flat:
        return lanes.of_width(lanes.vector)
    return lanes


def wide_slots(block: Block, lanes: Lanes, inside: int) -> int:
    """Numbers of workspace that such a map needs, its body's own included."""
    assert isinstance(block, Map)
    values = block.gather.shape[1] + block.scatter.shape[1] + inside
    return values * lanes.width + LINE * lanes.width // lanes.bytes


def wide_map(
    text: Text, block: Map, body: Body, operands: str, results: str, rest: str, tables: Tables
) -> None:
    """Appends the code of such a map."""
    n_in, n_out, lanes = block.gather.shape[1], block.scatter.shape[1], body.lanes
    t, zero = text.lanes.type, text.lanes.literal(0.0)
    i, clear = loop(text, block.n_out)
    text.do(f"store {t} {zero}, ptr {element(text, results, i)}, align 8")
    close(text, clear)
    number = text.let(f"ptrtoint ptr {rest} to i64")
    line = text.let(f"and i64 {text.let(f'add i64 {number}, {LINE - 1}')}, {-LINE}")
    inputs = text.let(f"inttoptr i64 {line} to ptr")
    outputs = text.let(f"getelementptr i8, ptr {inputs}, i64 {n_in * lanes.bytes}")
    free = text.let(f"getelementptr i8, ptr {outputs}, i64 {n_out * lanes.bytes}")
    filled, whose = text.local("i64"), text.local(f"i64, i64 {lanes.width}")
    text.do(f"store i64 0, ptr {filled}")
    gather = Gather(text, block, operands, tables)
    _spread(text, gather, inputs, lanes)
    i, name = loop(text, block.count)
    _gather(text, block, gather, inputs, (filled, whose, i), tables, lanes)
    # run where the lanes are full, and once more at the end
    count = text.let(f"load i64, ptr {filled}")
    full = text.let(f"icmp eq i64 {count}, {lanes.width}")
    last = text.let(f"icmp eq i64 {i}, {block.count - 1}")
    rest_is = text.let(f"and i1 {last}, {text.let(f'icmp ne i64 {count}, 0')}")
    run = open_branch(text, text.let(f"or i1 {full}, {rest_is}"))
    call(text, body, inputs, outputs, free)
    _scatter(text, block, outputs, results, (count, whose), tables, lanes)
    text.do(f"store i64 0, ptr {filled}")
    close_branch(text, run)
    close(text, name)


def _spread(text: Text, gather: Gather, inputs: str, lanes: Lanes) -> None:
    """Copies the operands that all indices share to all lanes."""

    def store(value: str, place: str) -> None:
        first = text.let(f"insertelement {lanes.type} zeroinitializer, {lanes.scalar} {value}, i32 0")
        kind = f"<{lanes.width} x i32>"
        each = text.let(
            f"shufflevector {lanes.type} {first}, {lanes.type} zeroinitializer, {kind} zeroinitializer"
        )
        text.do(f"store {lanes.type} {each}, ptr {place}")

    gather.copy_shared(lambda k: _in_column(text, inputs, k, lanes), store)


def _gather(
    text: Text,
    block: Map,
    gather: Gather,
    inputs: str,
    where: tuple[str, str, str],
    tables: Tables,
    lanes: Lanes,
) -> None:
    """Copies the operands of one index to the next free lane, unless it is masked."""
    (filled, whose, i), t = where, text.lanes.type
    skip = None
    if block.mask is not None:
        at = element(text, gather.operands, lookup(text, tables.symbol(block.mask), i, "0", 1))
        mark = text.let(f"load {t}, ptr {at}, align 8")
        skip = open_branch(text, text.let(f"fcmp une {t} {mark}, {text.lanes.literal(0.0)}"))
    lane = text.let(f"load i64, ptr {filled}")
    text.do(f"store i64 {i}, ptr {text.let(f'getelementptr i64, ptr {whose}, i64 {lane}')}")
    column = text.let(f"getelementptr {t}, ptr {inputs}, i64 {lane}")
    gather.copy_own(
        i,
        lambda k: _in_column(text, column, k, lanes),
        lambda value, place: text.do(f"store {t} {value}, ptr {place}, align 8"),
    )
    text.do(f"store i64 {text.let(f'add i64 {lane}, 1')}, ptr {filled}")
    if skip is not None:
        close_branch(text, skip)


def _scatter(
    text: Text, block: Map, outputs: str, results: str, where: tuple[str, str], tables: Tables, lanes: Lanes
) -> None:
    """Adds the results of the filled lanes, in the order of the indices."""
    (count, whose), t, n_out = where, text.lanes.type, block.scatter.shape[1]
    lane, name = loop(text, count)
    i = text.let(f"load i64, ptr {text.let(f'getelementptr i64, ptr {whose}, i64 {lane}')}")
    column = text.let(f"getelementptr {t}, ptr {outputs}, i64 {lane}")
    k, inner = loop(text, n_out)
    target = element(text, results, lookup(text, tables.symbol(block.scatter), i, k, n_out))
    old = text.let(f"load {t}, ptr {target}, align 8")
    new = text.let(f"load {t}, ptr {_in_column(text, column, k, lanes)}, align 8")
    text.do(f"store {t} {text.let(f'fadd {t} {old}, {new}')}, ptr {target}, align 8")
    close(text, inner)
    close(text, name)


def _in_column(text: Text, column: str, k: str, lanes: Lanes) -> str:
    """The k-th value of one lane."""
    return text.let(f"getelementptr [{lanes.bytes} x i8], ptr {column}, i64 {k}")
