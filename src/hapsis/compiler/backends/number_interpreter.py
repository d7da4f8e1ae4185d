"""A Function for one set of numbers, in Python's own floats: the same bits as the interpreter, faster.

Python's +, -, *, / and square root are those of the interpreter; elementary functions are its own. What
floats do not have (a division by zero, the root of a negative number, blocks, tables) is left to the
interpreter.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops


def _elementary(name: str, part: int | None = None) -> Callable[..., float]:
    def value(*numbers: float) -> float:
        from hapsis.compiler import elementary  # only where one is evaluated

        with np.errstate(all="ignore"):
            result: Any = elementary.evaluate(name, *(np.float64(x) for x in numbers))
        return float(result if part is None else result[part])

    return value


def _sign(x: float) -> float:
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x


OPERATIONS: dict[int, Callable[..., Any]] = {
    ops.ADD: lambda x, y: x + y,
    ops.SUB: lambda x, y: x - y,
    ops.MUL: lambda x, y: x * y,
    ops.DIV: lambda x, y: x / y,
    ops.SQRT: math.sqrt,
    ops.ABS: abs,
    ops.SIGN: _sign,
    ops.MIN: lambda x, y: x if x < y else y,
    ops.MAX: lambda x, y: x if x > y else y,
    ops.LT: lambda x, y: float(x < y),
    ops.LE: lambda x, y: float(x <= y),
    ops.EQ: lambda x, y: float(x == y),
    ops.SELECT: lambda c, x, y: x if c != 0.0 else y,
    ops.SIN: _elementary("sincos", 0),
    ops.COS: _elementary("sincos", 1),
    **{
        op: _elementary(ops.NAMES[op])
        for op in (ops.TAN, ops.ASIN, ops.ACOS, ops.ATAN2, ops.EXP, ops.LOG, ops.POW)
    },
}


class NumberRows:
    """The rows of a prepared Function without inputs: its nodes, constants, parameters and outputs."""

    def __init__(
        self,
        nodes: Sequence[Sequence[int]],
        constants: Sequence[float],
        parameters: Sequence[int],
        outputs: Sequence[int],
    ) -> None:
        self.nodes, self.constants, self.parameters, self.outputs = nodes, constants, parameters, outputs

    @staticmethod
    def of(function: Function) -> "NumberRows":
        """The rows of a Function that the pipeline has prepared."""
        graph = function.graph
        return NumberRows(graph.nodes, graph.constants, function.parameter_nodes, function.output_refs)

    def numbers(self, values: Sequence[float]) -> Any:
        """The outputs for these parameters; None where floats cannot compute them."""
        results: list[Any] = [None] * len(self.nodes)
        constants = self.constants

        def number(ref: int) -> float:
            x = constants[ref >> 2] if ref & 2 else results[ref >> 2]
            return -x if ref & 1 else x

        for index, value in zip(self.parameters, values, strict=True):
            results[index] = value
        try:
            for index, node in enumerate(self.nodes):
                op = node[0]
                if op == ops.MUL:
                    results[index] = number(node[1]) * number(node[2])
                elif op == ops.ADD:
                    results[index] = number(node[1]) + number(node[2])
                elif op > ops.OUT:
                    results[index] = OPERATIONS[op](*map(number, node[1:]))
                elif results[index] is None:
                    return None
            return np.array([number(ref) for ref in self.outputs])
        except (KeyError, ArithmeticError, ValueError, TypeError):
            return None
