"""LLVM IR text for blocks: a kept call, a map with gather and scatter-add, a bounded repeat.

A block's operands and results are contiguous ranges of the caller's workspace. Bodies are compiled
once per module and called with a table of pointers, like everything else; their own workspace
starts where the caller's ends.
"""

from collections.abc import Mapping

from hapsis.compiler.backends.llvm.llvm_ir import Body
from hapsis.compiler.backends.llvm.llvm_loops import (
    Gather,
    Tables,
    call,
    close,
    close_branch,
    copy,
    element,
    lookup,
    loop,
    open_branch,
)
from hapsis.compiler.backends.llvm.llvm_text import Text
from hapsis.compiler.backends.llvm.llvm_wide_maps import wide_map
from hapsis.compiler.ir.functions.blocks import Block, Call, Map, Repeat

ANY, EVERY = "ne 0", "eq -1"  # comparisons of the lanes' bits


def block_text(
    text: Text,
    block: Block,
    body: Body,
    operands: str,
    results: str,
    rest: str,
    tables: Tables,
    elsewhere: Mapping[int, str] | None = None,
) -> None:
    """Appends the code of a block: pointers to its operands, its results and free workspace.

    elsewhere   {number of a port: address} of those of a call that are not among its operands in memory
    """
    if isinstance(block, Call):
        call(text, body, operands, results, rest, elsewhere)
    elif isinstance(block, Map) and body.lanes.width > text.lanes.width:
        wide_map(text, block, body, operands, results, rest, tables)
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
    # one value more: the lanes that have stopped
    return block.body.n_in + block.body.n_out + 1


def _map(text: Text, block: Map, body: Body, operands: str, results: str, rest: str, tables: Tables) -> None:
    t, zero = text.lanes.type, text.lanes.literal(0.0)
    n_in, n_out = block.gather.shape[1], block.scatter.shape[1]
    outputs = text.at(rest, n_in)
    free = text.at(rest, n_in + n_out)
    # clear the results
    i, name = loop(text, block.n_out)
    text.do(f"store {t} {zero}, ptr {element(text, results, i)}, align 8")
    close(text, name)

    def place(k: str) -> str:
        return element(text, rest, k)

    def store(value: str, at: str) -> None:
        text.do(f"store {t} {value}, ptr {at}, align 8")

    gather = Gather(text, block, operands, tables)
    gather.copy_shared(place, store)
    # for each index: gather, run the body, add into place
    i, name = loop(text, block.count)
    wanted, skip = None, ""
    if block.mask is not None:
        at = element(text, operands, lookup(text, tables.symbol(block.mask), i, "0", 1))
        wanted = text.let(f"fcmp une {t} {text.let(f'load {t}, ptr {at}, align 8')}, {zero}")
        skip = open_branch(text, _lanes_where(text, wanted, ANY))
    gather.copy_own(i, place, store)
    call(text, body, rest, outputs, free)
    k, inner = loop(text, n_out)
    target = element(text, results, lookup(text, tables.symbol(block.scatter), i, k, n_out))
    old = text.let(f"load {t}, ptr {target}, align 8")
    new = text.let(f"load {t}, ptr {element(text, outputs, k)}, align 8")
    if wanted is not None and text.lanes.width > 1:
        new = text.let(f"select {text.lanes.mask} {wanted}, {t} {new}, {t} {zero}")
    total = text.let(f"fadd {t} {old}, {new}")
    text.do(f"store {t} {total}, ptr {target}, align 8")
    close(text, inner)
    if wanted is not None:
        close_branch(text, skip)
    close(text, name)


def _repeat(text: Text, block: Repeat, body: Body, operands: str, results: str, rest: str) -> None:
    lanes, t = text.lanes, text.lanes.type
    n, n_in, n_out = block.n_out, block.body.n_in, block.body.n_out
    outputs = text.at(rest, n_in)
    done_at = text.at(rest, n_in + n_out)
    free = text.at(rest, n_in + n_out + 1)
    zero = lanes.literal(0.0)
    copy(text, operands, rest, n_in)
    text.do(f"store {t} {zero}, ptr {done_at}, align 8")
    _, name = loop(text, block.times)
    call(text, body, rest, outputs, free)
    # a lane that has stopped keeps its state
    done = text.let(f"load {t}, ptr {done_at}, align 8")
    finished = text.let(f"fcmp une {t} {done}, {zero}")
    k, inner = loop(text, n)
    place = element(text, rest, k)
    old = text.let(f"load {t}, ptr {place}, align 8")
    new = text.let(f"load {t}, ptr {element(text, outputs, k)}, align 8")
    kept = text.let(f"select {lanes.mask} {finished}, {t} {old}, {t} {new}")
    text.do(f"store {t} {kept}, ptr {place}, align 8")
    close(text, inner)
    stop = None
    if block.stops_early:
        said = text.let(f"load {t}, ptr {text.at(outputs, n)}, align 8")
        now = text.let(f"fcmp une {t} {said}, {zero}")
        either = text.let(f"or {lanes.mask} {finished}, {now}")
        one = lanes.literal(1.0)
        mark = text.let(f"select {lanes.mask} {either}, {t} {one}, {t} {zero}")
        text.do(f"store {t} {mark}, ptr {done_at}, align 8")
        stop = _lanes_where(text, either, EVERY)
    close(text, name, stop)
    copy(text, rest, results, n)


def _lanes_where(text: Text, mask: str, test: str) -> str:
    """Whether a condition holds in `ANY` or in `EVERY` lane."""
    width = text.lanes.width
    if width == 1:
        return mask
    bits = text.let(f"bitcast <{width} x i1> {mask} to i{width}")
    relation, number = test.split()
    return text.let(f"icmp {relation} i{width} {bits}, {number}")
