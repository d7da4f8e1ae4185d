"""LLVM IR text that runs a kernel over a batch: W states at a time, one per lane.

Arrays of users have one state per row. The kernel needs, for each scalar, the values of W states in
consecutive memory, so every block of W rows is transposed before and after the kernel, W x W numbers at
a time, in registers. The last block repeats the last row in its unused lanes: the same numbers are
written twice, and no lane reads outside of the arrays. An input shared by all states has row stride 0
and is copied to all lanes once.

Each value of the outputs is in the block once, however often it occurs in them (twice in a mass
matrix), and a table gives the position of each entry of an output. Tiles of zeros, half of the mass
matrix of a humanoid, do not pass through the block.
"""

from hapsis.compiler.backends.llvm.lanes import WAYS, Lanes
from hapsis.compiler.backends.llvm.llvm_ir import Body
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph.ops import ZERO


def padded(lanes: Lanes, size: int) -> int:
    """The number of values that a port takes in the transposed block, rounded up to whole tiles."""
    return -(-size // lanes.width) * lanes.width


def block_size(body: Body, lanes: Lanes) -> int:
    """The number of values of workspace for the transposed inputs and outputs of one block."""
    inputs = sum(padded(lanes, size) for size in input_sizes(body))
    return inputs + len(body.slots or ())


def input_sizes(body: Body) -> list[int]:
    """Scalars of each input, parameters last."""
    function = body.function
    sizes = [len(port.refs) for port in function.inputs]
    return [*sizes, len(function.parameters)] if function.parameters else sizes


def output_slots(function: Function, width: int) -> dict[int, int]:
    """{value: its position in the block}, for the values of the outputs outside of zero tiles."""
    slots: dict[int, int] = {}
    for port in function.outputs:
        for start, stop, zero in segments(port, width):
            for ref in () if zero else port.refs[start:stop]:
                slots.setdefault(ref, len(slots))
    return slots


def batch_text(body: Body, lanes: Lanes) -> str:
    """`void batch(ptr ports, ptr strides, i64 start, i64 stop, i64 last, ptr ws)`.

    `ports` and `strides` (in numbers per row) list inputs, parameters, outputs. Rows start to stop
    are computed; `last` is the last row there is.
    """
    sizes, t, slots = input_sizes(body), lanes.bytes, body.slots or {}
    inward, outward, zeros = (lanes.rows_symbol(way) for way in WAYS)
    offsets = [sum(padded(lanes, n) for n in sizes[:k]) for k in range(len(sizes) + 1)]
    first, ports = body.first_output, body.ports
    lines = [
        "define void @batch(ptr %ports, ptr %strides, i64 %start, i64 %stop, i64 %last, ptr %ws) nounwind {",
        "entry:",
        f"%table = alloca ptr, i64 {ports}",
        f"%rest = getelementptr i8, ptr %ws, i64 {(offsets[-1] + len(slots)) * t}",
    ]
    for k in range(ports):
        lines += [
            f"%place{k} = getelementptr i8, ptr %ws, i64 {offsets[min(k, first)] * t}",
            f"%entry{k} = getelementptr ptr, ptr %table, i64 {k}",
            f"store ptr %place{k}, ptr %entry{k}",
        ]
        for name, kind in (("port", "ptr"), ("stride", "i64")):
            lines.append(f"%{name}p{k} = getelementptr {kind}, ptr %{name}s, i64 {k}")
            lines.append(f"%{name}{k} = load {kind}, ptr %{name}p{k}")
    lines += [
        "br label %block",
        "block:",
        "%i = phi i64 [%start, %entry], [%next, %stored]",
        "%first = icmp eq i64 %i, %start",
    ]
    for k in range(body.first_output):
        lines += [
            f"%moves{k} = icmp ne i64 %stride{k}, 0",
            f"%needed{k} = or i1 %moves{k}, %first",
            f"br i1 %needed{k}, label %read{k}, label %have{k}",
            f"read{k}:",
            f"call void @{inward}(ptr %port{k}, i64 %stride{k}, i64 {sizes[k]}, i64 %i, i64 %last,"
            f" ptr %place{k}, ptr null)",
            f"br label %have{k}",
            f"have{k}:",
        ]
    lines.append(f"call void @{body.symbol}(ptr %table, ptr %rest)")
    tables: list[str] = []
    for k, port in enumerate(body.function.outputs, first):
        for start, stop, zero in segments(port, lanes.width):
            tag = f"{k}_{start}"
            where = "null"
            if not zero:
                where = f"@where{tag}"
                tables.append(_table(where, [slots[ref] * t for ref in port.refs[start:stop]], lanes))
            lines += [
                f"%to{tag} = getelementptr {lanes.scalar}, ptr %port{k}, i64 {start}",
                f"call void @{zeros if zero else outward}(ptr %to{tag}, i64 %stride{k},"
                f" i64 {stop - start}, i64 %i, i64 %last, ptr %place{first}, ptr {where})",
            ]
    lines += [
        "br label %stored",
        "stored:",
        f"%next = add i64 %i, {lanes.width}",
        "%more = icmp ult i64 %next, %stop",
        "br i1 %more, label %block, label %exit",
        "exit:",
        "ret void",
        "}",
    ]
    names = (inward, outward, zeros)
    declared = [f"declare void @{name}(ptr, i64, i64, i64, i64, ptr, ptr)" for name in names]
    return "\n".join([*declared, *tables, *lines])


def _table(name: str, numbers: list[int], lanes: Lanes) -> str:
    """A constant array of whole tiles: the position of each column in the block, in bytes."""
    numbers = numbers + numbers[-1:] * (padded(lanes, len(numbers)) - len(numbers))
    listed = ", ".join(f"i32 {number}" for number in numbers)
    return f"{name} = private constant [{len(numbers)} x i32] [{listed}]"


def segments(port: Port, width: int) -> list[tuple[int, int, bool]]:
    """(start, stop, zero): the ranges of an output, in whole tiles, and whether they are all zeros."""
    runs: list[tuple[int, int, bool]] = []
    size = len(port.refs)
    for start in range(0, size, width):
        stop = min(start + width, size)
        zero = all(ref == ZERO for ref in port.refs[start:stop])
        if runs and runs[-1][2] == zero:
            start = runs.pop()[0]
        runs.append((start, stop, zero))
    return runs


def rows_text(lanes: Lanes, way: str) -> str:
    """The text of the function that transposes W rows, compiled once for all kernels.

    It takes (rows, stride, n, i, last, block, table), for rows i to i + W of n numbers.

    For inputs the block is dense; for outputs the table gives the position of each column in it.
    """
    w, t = lanes.width, lanes.type
    lines = [
        f"define void @{lanes.rows_symbol(way)}(ptr %rows, i64 %stride, i64 %n, i64 %i,"
        " i64 %last, ptr %block, ptr %table) nounwind {",
        "entry:",
    ]
    for lane in range(w):
        lines += [
            f"%at{lane} = add i64 %i, {lane}",
            f"%past{lane} = icmp ugt i64 %at{lane}, %last",
            f"%row{lane} = select i1 %past{lane}, i64 %last, i64 %at{lane}",
            f"%skip{lane} = mul i64 %row{lane}, %stride",
            f"%p{lane} = getelementptr {lanes.scalar}, ptr %rows, i64 %skip{lane}",
        ]
    lines += [
        f"%whole = and i64 %n, {-w}",
        "%any = icmp ne i64 %whole, 0",
        "br i1 %any, label %tile, label %rest",
        "tile:",
        "%c = phi i64 [0, %entry], [%c.next, %tile]",
        *_tile(lanes, way, "%c", "a", None),
        f"%c.next = add i64 %c, {w}",
        "%c.more = icmp ult i64 %c.next, %whole",
        "br i1 %c.more, label %tile, label %rest",
        "rest:",
        "%left = sub i64 %n, %whole",
        "%some = icmp ne i64 %left, 0",
        "br i1 %some, label %last.tile, label %exit",
        "last.tile:",
        f"%one = insertelement <{w} x i64> zeroinitializer, i64 %left, i32 0",
        f"%all = shufflevector <{w} x i64> %one, <{w} x i64> zeroinitializer, <{w} x i32> zeroinitializer",
        f"%mask = icmp ult <{w} x i64> <{', '.join(f'i64 {k}' for k in range(w))}>, %all",
        *_tile(lanes, way, "%whole", "b", "%mask"),
        "br label %exit",
        "exit:",
        "ret void",
        "}",
    ]
    direction = f"declare {t} @llvm.masked.load.{lanes.suffix}.p0(ptr, i32, <{w} x i1>, {t})"
    if way != "in":
        direction = f"declare void @llvm.masked.store.{lanes.suffix}.p0({t}, ptr, i32, <{w} x i1>)"
    return "\n".join([direction, *lines])


def _tile(lanes: Lanes, way: str, column: str, tag: str, mask: str | None) -> list[str]:
    """One W x W tile: read, transposed, written."""
    w, t, inward = lanes.width, lanes.type, way == "in"
    number = lanes.bytes // w
    masked = f"i32 {number}, <{w} x i1> {mask}"
    lines: list[str] = []
    rows = [f"%{tag}p{lane}" for lane in range(w)]
    lanes_at = [f"%{tag}q{k}" for k in range(w)]
    for lane in range(w):
        lines.append(f"{rows[lane]} = getelementptr {lanes.scalar}, ptr %p{lane}, i64 {column}")
    lines.append(f"%{tag}w = mul i64 {column}, {lanes.bytes}")
    lines.append(f"%{tag}t = getelementptr i32, ptr %table, i64 {column}")
    for k in range(w):
        if inward:
            lines.append(f"%{tag}o{k} = add i64 %{tag}w, {k * lanes.bytes}")
        elif way == "out":
            lines.append(f"%{tag}e{k} = getelementptr i32, ptr %{tag}t, i64 {k}")
            lines.append(f"%{tag}n{k} = load i32, ptr %{tag}e{k}")
            lines.append(f"%{tag}o{k} = zext i32 %{tag}n{k} to i64")
        if way != "zero":
            lines.append(f"{lanes_at[k]} = getelementptr i8, ptr %block, i64 %{tag}o{k}")
    values = [f"%{tag}v{k}" for k in range(w)]
    for k in range(w if way != "zero" else 0):
        line = f"load {t}, ptr {rows[k] if inward else lanes_at[k]}, align {number}"
        if inward and mask:
            line = (
                f"call {t} @llvm.masked.load.{lanes.suffix}.p0(ptr {rows[k]}, {masked}, {t} zeroinitializer)"
            )
        lines.append(f"{values[k]} = {line}")
    turned = ["zeroinitializer"] * w if way == "zero" else _turned(values, lanes, tag, lines)
    for k in range(w):
        line = f"store {t} {turned[k]}, ptr {lanes_at[k] if inward else rows[k]}, align {number}"
        if mask and not inward:
            store = f"call void @llvm.masked.store.{lanes.suffix}.p0"
            line = f"{store}({t} {turned[k]}, ptr {rows[k]}, {masked})"
        lines.append(line)
    return lines


def _turned(values: list[str], lanes: Lanes, tag: str, lines: list[str]) -> list[str]:
    """The transposed tile: row and column numbers are exchanged bit by bit."""
    w, t = lanes.width, lanes.type
    step = 1
    while step < w:
        new = list(values)
        for k in range(w):
            if k & step:
                continue
            low, high = values[k], values[k | step]
            picks = (
                [w + (p ^ step) if p & step else p for p in range(w)],
                [w + p if p & step else p | step for p in range(w)],
            )
            for target, pick in zip((k, k | step), picks, strict=True):
                name = f"%{tag}s{step}_{target}"
                chosen = ", ".join(f"i32 {p}" for p in pick)
                lines.append(f"{name} = shufflevector {t} {low}, {t} {high}, <{w} x i32> <{chosen}>")
                new[target] = name
        values, step = new, step * 2
    return values
