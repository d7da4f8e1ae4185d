"""Running error bounds: how much two evaluations of one Function may differ.

Compilers may fuse a*b + c into one rounding, and other machines have other sines. Every value has a
bound on its distance from the value of any such evaluation: the operands' bounds are propagated by the
operation's steepest slope within them, and each operation adds twice its own rounding error, once for
each evaluation. (Relative to the exact result once would suffice.) Where a decision (a comparison,
floor, sign, the end of a repeat) could go the other way, or a value is not finite, the bound is inf.

Left out: intervals with directed rounding. The bounds themselves are rounded to nearest, an error
of some 1e-16 of the bound.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler import elementary
from hapsis.compiler.backends.error_slopes import SLOPES
from hapsis.compiler.backends.interpreter import OPERATIONS
from hapsis.compiler.ir.functions.blocks import Block, Call, Map, Repeat
from hapsis.compiler.ir.functions.function import Function, size
from hapsis.compiler.ir.functions.tables import Table
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError, near

Array = Any


@verb
def error_bound(
    function: Function, *inputs: Any, p: Any = None, dtype: Any = np.float64, ulp: float | None = None
) -> tuple[Any, Any]:
    """(values, bounds) of the outputs, each in the form of a call: one array or a named tuple.

    p        parameters, {name: value} or all of them
    dtype    of the computation: float64 or float32

    The `inputs` have their declared shapes, or all of them one more leading dimension for a batch. `ulp`
    replaces the error of our own elementary functions, for other implementations of them.
    """
    ports = function.inputs
    left_out = [port.stand_in for port in ports[len(inputs) :] if port.default is not None]
    arrays = [np.asarray(x, dtype) for x in (*inputs, *left_out)]
    if len(arrays) != len(ports):
        raise CompileError(f"{function.name!r:.60} takes {len(ports)} inputs, got {len(inputs)}")
    batch: tuple[int, ...] = ()
    for port, array in zip(ports, arrays, strict=True):
        lead = array.shape[: array.ndim - len(port.shape)]
        if array.shape[len(lead) :] != port.shape or len(lead) > 1:
            raise CompileError(f"{port.label} has shape {array.shape}, expected {port.shape}")
        batch = np.broadcast_shapes(batch, lead)
    arrays.append(np.asarray(_parameters(function, p), dtype))
    shapes = [*(port.shape for port in ports), (len(function.parameters),)]
    flat = [
        np.broadcast_to(array, batch + shape).reshape(*batch, size(shape)).T
        for array, shape in zip(arrays, shapes, strict=True)
    ]
    values, bounds = flat_error_bound(prepared(function), np.concatenate(flat), ulp)
    return _shaped(function, values.T), _shaped(function, bounds.T)


def _parameters(function: Function, p: Any) -> list[float]:
    stored = function.parameters
    if p is not None and not isinstance(p, Mapping):
        p = dict(zip(stored, np.asarray(p, float).tolist(), strict=True))
    for name in p or {}:
        if name not in stored:
            raise CompileError(f'{function.name!r:.60} has no parameter "{name[:60]}"{near(name, stored)}')
    return list((stored | dict(p or {})).values())


def _shaped(function: Function, rows: Array) -> Any:
    parts, start = [], 0
    for port in function.outputs:
        width = size(port.shape)
        parts.append(rows[..., start : start + width].reshape(rows.shape[:-1] + port.shape))
        start += width
    return parts[0] if len(parts) == 1 else function.result(*parts)


def flat_error_bound(function: Function, flat: Array, ulp: float | None = None) -> tuple[Array, Array]:
    """(values, bounds), each (n_out, ...batch), of a prepared Function for (n_in, ...batch)."""
    with np.errstate(all="ignore"):
        return _Bounds(flat.dtype, ulp).run(function, flat, np.zeros_like(flat))


class _Bounds:
    """An interpreter of pairs (value, bound), with the rounding errors of one precision."""

    def __init__(self, dtype: Any, ulp: float | None) -> None:
        self.info = np.finfo(dtype)
        self.rounding = self.info.eps  # twice the unit roundoff: one for either evaluation
        self.tiny = 2 * self.info.smallest_subnormal
        self.precision = "f32" if self.info.bits == 32 else "f64"
        self.ulp = ulp

    def run(self, function: Function, flat: Array, bounds: Array) -> tuple[Array, Array]:
        """Values and bounds of the outputs from those of the inputs."""
        graph, batch = function.graph, flat.shape[1:]
        known = {
            ref >> 2: (flat[k], bounds[k]) for k, ref in enumerate(function.input_refs)
        }  # values with their bounds; blocks have arrays of both

        def pair(ref: int) -> tuple[Array, Array]:
            if ref & 2:
                constant = np.full(batch, flat.dtype.type(graph.value(ref)))
                return constant, np.zeros_like(constant)
            value, bound = known[ref >> 2]
            return (np.negative(value) if ref & 1 else value), bound

        for index in function.live:
            if index in known:
                continue
            op, *rest = graph.nodes[index]
            if op == ops.OUT:
                known[index] = tuple(part[rest[0]] for part in known[rest[1] >> 2])  # type: ignore
                continue
            pairs = [pair(ref) for ref in graph.operands(index)]
            if op == ops.BLOCK:
                x = np.stack([x for x, _ in pairs]) if pairs else flat[:0]
                e = np.stack([e for _, e in pairs]) if pairs else flat[:0]
                known[index] = self.block(graph.blocks[rest[0]], x, e)  # type: ignore[arg-type]
            elif op == ops.LOOKUP:
                known[index] = _entry(graph.tables[rest[0]], *pairs[0])
            else:
                known[index] = self.operation(op, pairs)
        results = [pair(ref) for ref in function.output_refs]
        if not results:
            return flat[:0], flat[:0]
        return np.stack([v for v, _ in results]), np.stack([e for _, e in results])

    def operation(self, op: int, pairs: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
        """The result of one operation and its bound."""
        value = np.asarray(OPERATIONS[op](*(x for x, _ in pairs)))
        bound = SLOPES[op](value, *(part for x in pairs for part in x))
        if op in (ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.SQRT):
            own = self.rounding * np.abs(value)
            if op in (ops.MUL, ops.DIV):
                own = own + self.tiny
            bound = bound + np.where(self._whole(op, value, pairs), 0, own)
        elif op in _ELEMENTARY:
            name = "sincos" if op in (ops.SIN, ops.COS) else ops.NAMES[op]
            own = elementary.ULP[f"{name}_{self.precision}"]
            ulps = own if self.ulp is None else own + self.ulp
            bound = bound + max(2 * own, ulps) * np.spacing(np.abs(value))
        # 0 * inf is NaN: no bound is known, as for inf
        sound = np.isfinite(value) & ~np.isnan(bound)
        return value, np.where(sound, bound, np.inf).astype(value.dtype)

    def _whole(self, op: int, value: Array, pairs: Sequence[tuple[Array, Array]]) -> Array:
        """Where a sum or product of exactly known whole numbers is itself exact."""
        if op not in (ops.ADD, ops.SUB, ops.MUL):
            return False
        whole = np.abs(value) * self.info.eps < 1
        for x, e in pairs:
            whole = whole & (e == 0) & (x == np.floor(x))
        return whole

    def block(self, block: Block, x: Array, e: Array) -> tuple[Array, Array]:
        """The results of a block and their bounds."""
        body = prepared(block.body)
        if isinstance(block, Call):
            return self.run(body, x, e)
        if isinstance(block, Repeat):
            return self._repeat(block, body, x, e)
        return self._map(block, body, x, e)

    def _map(self, block: Map, body: Function, x: Array, e: Array) -> tuple[Array, Array]:
        gather = block.gather
        parts = self.run(body, *(np.moveaxis(a[gather], 0, 1) for a in (x, e)))
        batch, places = x.shape[1:], block.scatter.ravel()
        sums = [np.zeros((block.n_out, *batch), x.dtype) for _ in range(3)]
        values, bounds = (np.moveaxis(a, 0, 1) for a in parts)
        if block.mask is not None:
            # where the mask is undecided, the result is either the value or zero
            m, em = x[block.mask][:, None], e[block.mask][:, None]
            sure, selected = (em == 0) | (np.abs(m) > em), m != 0
            either = np.where(np.isfinite(values), np.abs(values) + bounds, np.inf)
            bounds = np.where(sure, np.where(selected, bounds, 0), either).astype(x.dtype)
            values = np.where(selected, values, x.dtype.type(0))
        values, bounds = (a.reshape(len(places), *batch) for a in (values, bounds))
        for total, terms in zip(sums, (values, bounds, np.abs(values)), strict=True):
            np.add.at(total, places, terms)
        # n - 1 roundings of partial sums, none larger than the sum of magnitudes
        added = np.maximum(np.bincount(places, minlength=block.n_out) - 1, 0)
        shape = (block.n_out,) + (1,) * len(batch)
        roundings = self.rounding * added.reshape(shape).astype(x.dtype) * sums[2]
        bound = sums[1] + roundings
        return sums[0], np.where(np.isnan(bound), np.inf, bound).astype(x.dtype)

    def _repeat(self, block: Repeat, body: Function, x: Array, e: Array) -> tuple[Array, Array]:
        n = block.n_out
        running = np.ones(x.shape[1:], bool)
        for _ in range(block.times):
            values, bounds = self.run(body, x, e)
            x = np.concatenate([np.where(running, values[:n], x[:n]), x[n:]])
            e = np.concatenate([np.where(running, bounds[:n], e[:n]), e[n:]])
            if block.stops_early:
                unsure = running & (bounds[n] > 0) & (bounds[n] >= np.abs(values[n]))
                e[:n, unsure] = np.inf
                running = running & ~(values[n] != 0)
                if not running.any():
                    break
        return x[:n], e[:n]


def _entry(table: Table, x: Array, e: Array) -> tuple[Array, Array]:
    """The entry of a table and its bound: exact where the index is certain."""
    value = table.entries(x)
    sure = (e == 0) | (table.places(np.floor(x - e)) == table.places(np.floor(x + e)))
    return value, np.where(sure, 0, np.inf).astype(value.dtype)


_ELEMENTARY = (ops.SIN, ops.COS, ops.TAN, ops.ASIN, ops.ACOS, ops.ATAN2, ops.EXP, ops.LOG, ops.POW)
