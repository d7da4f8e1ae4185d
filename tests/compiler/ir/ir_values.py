"""Another evaluator of graphs, plain Python node by node, over real, exact or complex numbers.

It shares no code with the interpreter, so that the two can be compared, and complex numbers give
derivatives to full precision by the complex step.
"""

import cmath
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.blocks import Call, Map
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph

Table = dict[int, Callable[..., Any]]


def _float(function: Callable[..., float]) -> Callable[..., float]:
    def quiet(*xs: float) -> float:
        with np.errstate(all="ignore"):
            return float(function(*map(np.float64, xs)))

    return quiet


REAL: Table = {
    ops.ADD: lambda x, y: x + y,
    ops.SUB: lambda x, y: x - y,
    ops.MUL: lambda x, y: x * y,
    ops.DIV: _float(np.divide),
    ops.SQRT: _float(np.sqrt),
    ops.SIN: _float(np.sin),
    ops.COS: _float(np.cos),
    ops.TAN: _float(np.tan),
    ops.ASIN: _float(np.arcsin),
    ops.ACOS: _float(np.arccos),
    ops.ATAN2: _float(np.arctan2),
    ops.EXP: _float(np.exp),
    ops.LOG: _float(np.log),
    ops.POW: _float(np.power),
    ops.ABS: abs,
    ops.MIN: lambda x, y: x if x < y else y,
    ops.MAX: lambda x, y: x if x > y else y,
    ops.LT: lambda x, y: float(x < y),
    ops.LE: lambda x, y: float(x <= y),
    ops.EQ: lambda x, y: float(x == y),
    ops.SELECT: lambda c, x, y: x if c != 0 else y,
    ops.FLOOR: _float(np.floor),
    ops.SIGN: lambda x: (x > 0) * 1.0 - (x < 0) * 1.0,
}

# exact numbers; sine, cosine and tangent are stood in for by rational functions of their parity
EXACT: Table = {
    **{op: REAL[op] for op in (ops.ADD, ops.SUB, ops.MUL, ops.ABS, ops.MIN, ops.MAX, ops.SELECT)},
    ops.DIV: lambda x, y: Fraction(x) / y,
    ops.SIN: lambda x: x / (1 + Fraction(x) * x),
    ops.COS: lambda x: 1 / (1 + Fraction(x) * x),
    ops.TAN: lambda x: x * x * x,
    ops.LT: lambda x, y: int(x < y),
    ops.LE: lambda x, y: int(x <= y),
    ops.EQ: lambda x, y: int(x == y),
    ops.FLOOR: math.floor,
    ops.SIGN: lambda x: (x > 0) - (x < 0),
    ops.POW: lambda x, y: Fraction(x) ** int(y),
}


def _turn(y: complex, x: complex) -> complex:
    if abs(x.real) > abs(y.real):
        return cmath.atan(y / x) + (0 if x.real > 0 else math.copysign(math.pi, y.real))
    return math.copysign(math.pi / 2, y.real) - cmath.atan(x / y)


# for the complex step: analytic functions continued, branches taken by the real part
COMPLEX: Table = {
    **{op: REAL[op] for op in (ops.ADD, ops.SUB, ops.MUL)},
    ops.DIV: lambda x, y: x / y,
    ops.SQRT: cmath.sqrt,
    ops.SIN: cmath.sin,
    ops.COS: cmath.cos,
    ops.TAN: cmath.tan,
    ops.ASIN: cmath.asin,
    ops.ACOS: cmath.acos,
    ops.ATAN2: _turn,
    ops.EXP: cmath.exp,
    ops.LOG: cmath.log,
    ops.POW: lambda x, y: cmath.exp(y * cmath.log(x)),
    ops.ABS: lambda x: x if x.real > 0 else -x,
    ops.MIN: lambda x, y: x if x.real < y.real else y,
    ops.MAX: lambda x, y: x if x.real > y.real else y,
    ops.LT: lambda x, y: complex(x.real < y.real),
    ops.LE: lambda x, y: complex(x.real <= y.real),
    ops.EQ: lambda x, y: complex(x.real == y.real),
    ops.SELECT: lambda c, x, y: x if c.real != 0 else y,
    ops.FLOOR: lambda x: complex(math.floor(x.real)),
    ops.SIGN: lambda x: complex((x.real > 0) - (x.real < 0)),
}


def at(graph: Graph, refs: Sequence[int], leaves: dict[int, Any], table: Table = REAL) -> list[Any]:
    """The values of references, given those of the leaves by their node numbers."""
    values: dict[int, Any] = dict(leaves)
    number = Fraction if table is EXACT else complex if table is COMPLEX else float

    def value(ref: int) -> Any:
        found = number(graph.constants[ref >> 2]) if ref & 2 else values[ref >> 2]
        return -found if ref & 1 else found

    for index in graph.live(refs):
        if index in values:
            continue
        op, *rest = graph.nodes[index]
        if op == ops.BLOCK:
            values[index] = _block(graph.blocks[rest[0]], [value(r) for r in rest[1:]], table)
        elif op == ops.OUT:
            values[index] = values[rest[1] >> 2][rest[0]]
        elif op == ops.LOOKUP:
            values[index] = number(_entry(graph.tables[rest[0]], value(rest[1])))
        else:
            values[index] = table[op](*map(value, rest))
    return [value(ref) for ref in refs]


def _entry(table: Any, index: Any) -> float:
    entries, x = table.values.ravel().tolist(), index.real
    return entries[0] if not x > 0 else entries[-1] if x >= len(entries) else entries[int(x)]


def of(function: Function, flat: Sequence[Any], table: Table = REAL) -> list[Any]:
    """The flat outputs of a Function for its flat inputs, parameters last."""
    leaves = {ref >> 2: x for ref, x in zip(function.input_refs, flat, strict=True)}
    return at(function.graph, function.output_refs, leaves, table)


def _block(block: Any, operands: list[Any], table: Table) -> list[Any]:
    if isinstance(block, Call):
        return of(block.body, operands, table)
    if isinstance(block, Map):
        total = [0.0] * block.n_out
        for i, (sources, targets) in enumerate(zip(block.gather, block.scatter, strict=True)):
            if block.mask is not None and operands[block.mask[i]] == 0:
                continue
            results = of(block.body, [operands[k] for k in sources], table)
            for place, result in zip(targets, results, strict=True):
                total[place] = total[place] + result
        return total
    state, others = operands[: block.n_out], operands[block.n_out :]
    for _ in range(block.times):
        state, done = _split(of(block.body, [*state, *others], table), block.n_out)
        if done:
            break
    return state


def _split(results: list[Any], n: int) -> tuple[list[Any], bool]:
    return results[:n], any(r != 0 for r in results[n:])


def slope(function: Function, flat: Sequence[float], j: int) -> np.ndarray:
    """d outputs / d input j by the complex step: exact to rounding where all is analytic."""
    h = 1e-30
    moved = [complex(x, h if k == j else 0.0) for k, x in enumerate(flat)]
    return np.array([complex(y).imag / h for y in of(function, moved, COMPLEX)])


def slopes(function: Function, flat: Sequence[float], count: int | None = None) -> np.ndarray:
    """The whole Jacobian of the flat outputs by the first `count` flat inputs."""
    count = len(flat) if count is None else count
    return np.stack([slope(function, flat, j) for j in range(count)], axis=1)
