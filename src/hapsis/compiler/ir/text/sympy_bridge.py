"""Expressions and small Functions as SymPy objects, for computer algebra.

Objects are built directly, no text is parsed. SymPy is optional and imported only here.
"""

import importlib
import operator
from collections.abc import Callable, Sequence
from typing import Any

from hapsis.compiler.ir.functions.blocks import Call, Map, Repeat
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.text.latex import leaf_names
from hapsis.errors import CompileError, install_command

LIMIT = 5000  # operations, with blocks written out; SymPy needs some milliseconds for each


@verb
def to_sympy(what: Expr | Function) -> Any:
    """A SymPy expression, or for a Function a dict from output name to expression or Matrix.

    Symbols are real and have the plain names the printer shows (others x0, p0, ...). Numbers are
    integers or floats of 53 bits. Kept calls and maps are written out; a repeat must not stop
    early. CompileError above 5000 operations.
    """
    if not isinstance(what, Expr | Function):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CompileError(f"to_sympy takes an expression or a Function, not a {type(what).__name__}")
    sympy = _sympy()
    refs = [what.ref] if isinstance(what, Expr) else what.output_refs
    try:
        flat = _Bridge(sympy).values(what.graph, refs, {})
    except RecursionError:
        raise CompileError("the formula is nested too deeply for SymPy") from None
    if isinstance(what, Expr):
        return flat[0]
    results: dict[str, Any] = {}
    start = 0
    for port in what.outputs:
        part = flat[start : start + len(port.refs)]
        start += len(port.refs)
        if not port.shape:
            results[port.name] = part[0]
        elif len(port.shape) <= 2:
            results[port.name] = sympy.Matrix(*(*port.shape, 1)[:2], part)
        else:
            results[port.name] = sympy.ImmutableDenseNDimArray(part, port.shape)
    return results


def _sympy() -> Any:
    try:
        return importlib.import_module("sympy")
    except ImportError:
        raise CompileError("SymPy is not installed", remedy=install_command("sympy")) from None


class _Bridge:
    def __init__(self, sympy: Any) -> None:
        self.sympy = sympy
        self.left = LIMIT
        self.operations = _operations(sympy)

    def values(self, graph: Graph, refs: Sequence[int], known: dict[int, Any]) -> list[Any]:
        """The SymPy values of these references; `known` has those of some nodes."""
        live = graph.live(refs)
        names = leaf_names(graph, live)
        known = dict(known)

        def value(ref: int) -> Any:
            if ref & 2:
                return self._number(graph.value(ref))
            return -known[ref >> 2] if ref & 1 else known[ref >> 2]

        for index in live:
            if index in known:
                continue
            op, *rest = graph.nodes[index]
            if op in (ops.SYMBOL, ops.PARAMETER):
                known[index] = self.sympy.Symbol(names[index], real=True)
            elif op == ops.OUT:
                known[index] = known[rest[1] >> 2][rest[0]]
            elif op == ops.BLOCK:
                known[index] = self._block(graph.blocks[rest[0]], [value(r) for r in rest[1:]])
            elif op == ops.LOOKUP:
                raise CompileError("an entry of a table is no formula: SymPy cannot take it")
            else:
                self._spend()
                known[index] = self.operations[op](*(value(ref) for ref in rest))
        return [value(ref) for ref in refs]

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise CompileError(f"more than {LIMIT} operations are too many for SymPy")

    def _number(self, value: float) -> Any:
        whole = value == int(value) and abs(value) < 2**53
        return self.sympy.Integer(int(value)) if whole else self.sympy.Float(value)

    def _body(self, function: Function, operands: Sequence[Any]) -> list[Any]:
        known = {ref >> 2: x for ref, x in zip(function.input_refs, operands, strict=True)}
        return self.values(function.graph, function.output_refs, known)

    def _block(self, block: Any, operands: list[Any]) -> list[Any]:
        if isinstance(block, Call):
            return self._body(block.body, operands)
        if isinstance(block, Map):
            results: list[Any] = [self.sympy.Integer(0)] * block.n_out
            for i, (places, targets) in enumerate(
                zip(block.gather.tolist(), block.scatter.tolist(), strict=True)
            ):
                parts = self._body(block.body, [operands[k] for k in places])
                for target, x in zip(targets, parts, strict=True):
                    self._spend()
                    if block.mask is not None:
                        x = self.operations[ops.SELECT](operands[block.mask[i]], x, 0)
                    results[target] = results[target] + x
            return results
        assert isinstance(block, Repeat)
        if block.stops_early:
            raise CompileError("a repeat that stops early is no formula: SymPy cannot take it")
        for _ in range(block.times):
            self._spend()
            operands = self._body(block.body, operands) + operands[block.n_out :]
        return operands[: block.n_out]


def _operations(sympy: Any) -> dict[int, Callable[..., Any]]:
    """{operation: SymPy function}; comparisons are 1 or 0, so conditions become Piecewise."""

    def truth(relation: Callable[..., Any]) -> Callable[..., Any]:
        def number(x: Any, y: Any) -> Any:
            return sympy.Piecewise((1, relation(x, y)), (0, True))

        return number

    def select(c: Any, x: Any, y: Any) -> Any:
        return sympy.Piecewise((x, sympy.Ne(c, 0)), (y, True))

    def divide(x: Any, y: Any) -> Any:
        return x / y

    def power(x: Any, y: Any) -> Any:
        return x**y

    return {
        ops.ADD: operator.add,
        ops.SUB: operator.sub,
        ops.MUL: operator.mul,
        ops.DIV: divide,
        ops.POW: power,
        ops.SQRT: sympy.sqrt,
        ops.SIN: sympy.sin,
        ops.COS: sympy.cos,
        ops.TAN: sympy.tan,
        ops.ASIN: sympy.asin,
        ops.ACOS: sympy.acos,
        ops.ATAN2: sympy.atan2,
        ops.EXP: sympy.exp,
        ops.LOG: sympy.log,
        ops.ABS: sympy.Abs,
        ops.MIN: sympy.Min,
        ops.MAX: sympy.Max,
        ops.LT: truth(sympy.Lt),
        ops.LE: truth(sympy.Le),
        ops.EQ: truth(sympy.Eq),
        ops.SELECT: select,
        ops.FLOOR: sympy.floor,
        ops.SIGN: sympy.sign,
    }
