"""The equations of a motion and of its sensitivities: y' = f and S' = f_y S + f_θ, as one Function."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph.expr import Expr

Array = np.ndarray[Any, np.dtype[np.float64]]
LONG = 20_000  # price; derivatives that would cost more are mapped over their directions


def sensitivity_equations(motion: Function, theta_slopes: Array, moves_held: bool) -> Function:
    """(t, y, ..., du) -> dy of y and, behind it, of its derivative in each direction.

    theta_slopes  (directions, thetas), how the parameters move in each
    moves_held    whether there is an input du, how u moves in each
    """
    m, graph = len(theta_slopes), motion.graph
    ports = {port.name: port for port in motion.inputs}
    n = len(ports["y"].refs)
    by = ["y", *(["theta"] if "theta" in ports else []), *(["u"] if moves_held else [])]
    along = motion.jvp(*by)
    S, S_symbols = _new_input(motion, "S", m, n)
    rates: dict[str, Any] = {"d_y": S_symbols, "d_theta": theta_slopes}
    inputs = [
        p if p.name != "y" else p._replace(shape=(n * (1 + m),), refs=(*p.refs, *S.refs))
        for p in motion.inputs
    ]
    if moves_held:
        du, rates["d_u"] = _new_input(motion, "du", m, len(ports["u"].refs))
        inputs.append(du)
    known = motion.input_symbols()
    arguments = [known[p.name] if p.name in known else rates[p.name] for p in along.inputs]
    if m * along.cost().price < LONG:
        mapped = [p.name not in known for p in along.inputs]
        rows = [
            along(*(x[j] if each else x for x, each in zip(arguments, mapped, strict=True))) for j in range(m)
        ]
    else:
        rows = list(blocks.map(along, *arguments))
    refs = (*motion.output("dy").refs, *(x.ref for row in rows for x in row))
    return Function.of("sensitivity_equations", graph, inputs, [Port("dy", (len(refs),), refs)])


def _new_input(function: Function, name: str, rows: int, columns: int) -> tuple[Port, Any]:
    """A matrix as one more input in the graph of a Function, and its symbols."""
    refs = tuple(function.graph.symbol(f"{name}[{k}]") for k in range(rows * columns))
    flat = np.empty(len(refs), dtype=object)
    flat[:] = [Expr(function.graph, ref) for ref in refs]
    return Port(name, (rows, columns), refs), flat.reshape(rows, columns)
