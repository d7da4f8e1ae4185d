"""Maps whose operands and results lie side by side in memory: no copies, the body reads and writes in place.

Of an aligned map the values of each operand of the body stand in a row, one for each index, or the operands
of a port are in a row and the same for all indices; results are in rows, and none is added to another. The
body gets the address of each port and knows the distance between its values. In code for one state it
computes a whole register of indices at a time, what is the same for all spread over its lanes; if the
register is not full at the end, some indices are computed twice, with the same results.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.llvm_ir import Body, PortMemory
from hapsis.compiler.backends.llvm.llvm_loops import close, loop
from hapsis.compiler.backends.llvm.llvm_text import Text
from hapsis.compiler.ir.functions.blocks import Block, Map
from hapsis.compiler.ir.functions.function import Function

LINE = 64  # bytes of a line of the cache: where wide values begin


class PortRange(NamedTuple):
    """The places of a port of the body among the map's operands or results."""

    first: int
    size: int
    shared: bool  # the same for all indices


class Alignment(NamedTuple):
    """The ports of the body of an aligned map."""

    inputs: list[PortRange]
    outputs: list[PortRange]

    def memory(self, count: int, lanes: Lanes, inner: Lanes) -> tuple[PortMemory, ...]:
        """How the body finds the values of its ports."""
        spread = inner.width > lanes.width
        return tuple(
            PortMemory(lanes.bytes * (1 if port.shared else count), port.shared and spread)
            for port in (*self.inputs, *self.outputs)
        )


def alignment(block: Block, body: Function) -> Alignment | None:
    """The ports of a block's body if it is an aligned map."""
    if not isinstance(block, Map) or block.mask is not None:
        return None
    sizes = [len(port.refs) for port in body.inputs]
    if body.parameters:
        sizes.append(len(body.parameters))
    inputs = _ranges(block.gather, sizes, True)
    outputs = _ranges(block.scatter, [len(port.refs) for port in body.outputs], False)
    if inputs is None or outputs is None or len(np.unique(block.scatter)) < block.scatter.size:
        return None
    if block.scatter.size < block.n_out:
        return None  # some results are zero because nothing is added to them
    return Alignment(inputs, outputs)


def _ranges(table: Any, sizes: Sequence[int], may_share: bool) -> list[PortRange] | None:
    """The range of each port from the table of its places by index."""
    ranges: list[PortRange] = []
    count, start = len(table), 0
    for size in sizes:
        columns = table[:, start : start + size]
        first = int(columns[0, 0]) if size else 0
        row, index = np.arange(size), np.arange(count)[:, None]
        shared = may_share and bool((columns == first + row).all())
        if not shared and not (columns == first + row * count + index).all():
            return None
        ranges.append(PortRange(first, size, shared))
        start += size
    return ranges


def aligned_lanes(block: Map, flat: bool, lanes: Lanes) -> Lanes:
    """The lanes for the body of an aligned map: in code for one state those of a register, or its indices."""
    width = min(lanes.vector, 1 << (block.count.bit_length() - 1))
    return lanes.of_width(width) if lanes.width == 1 and flat and width > 1 else lanes


def aligned_slots(lanes: Lanes, inside: int) -> int:
    """Numbers of workspace for the body in lanes of several indices."""
    return inside * lanes.width + LINE * lanes.width // lanes.bytes


def aligned_map(
    text: Text, count: int, body: Body, ports: Alignment, inputs: Sequence[str], results: str, rest: str
) -> None:
    """Appends the code of an aligned map; `inputs` are the addresses of the ports."""
    step, size = body.lanes.width // text.lanes.width, text.lanes.bytes
    if step > 1:
        number = text.let(f"add i64 {text.let(f'ptrtoint ptr {rest} to i64')}, {LINE - 1}")
        rest = text.let(f"inttoptr i64 {text.let(f'and i64 {number}, {-LINE}')} to ptr")
    table = text.local(f"ptr, i64 {body.ports}")
    outputs = [text.at(results, port.first) for port in ports.outputs]
    places = list(zip((*ports.inputs, *ports.outputs), (*inputs, *outputs), strict=True))
    turns = -(-count // step)

    def enter(number: int, address: str) -> None:
        text.do(f"store ptr {address}, ptr {text.let(f'getelementptr ptr, ptr {table}, i64 {number}')}")

    for number, (port, address) in enumerate(places):
        if port.shared or turns == 1:
            enter(number, address)
    if turns == 1:
        text.do(f"call void @{body.symbol}(ptr {table}, ptr {rest})")
        return
    i, name = loop(text, turns)
    first = text.let(f"mul i64 {i}, {step}")
    if count % step:
        last = text.let(f"icmp ult i64 {first}, {count - step}")
        first = text.let(f"select i1 {last}, i64 {first}, i64 {count - step}")
    shift = text.let(f"mul i64 {first}, {size}")
    for number, (port, address) in enumerate(places):
        if not port.shared:
            enter(number, text.let(f"getelementptr i8, ptr {address}, i64 {shift}"))
    text.do(f"call void @{body.symbol}(ptr {table}, ptr {rest})")
    close(text, name)
