"""Functions of one model by several partitions as one: in each call that is taken whose partition leads best.

All of them have the same inputs and outputs. What rolls or glides needs more than one in a step or a program:
a blade that turns has no speed of the model's own that leads in all its headings.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, minimum, where
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.deferred_verbs import dependent_pivots
from hapsis.mechanics.model.model import Model


def led_by_the_best(
    model: Model, parts: Sequence[Partition], units: Sequence[Any], written: Sequence[Function]
) -> Function:
    """One Function of those written by these partitions; `units` are those of their pivots.

    The pose is the input q, or the first numbers of y.
    """
    first = written[0]
    if len(written) == 1:
        return first
    graph, defaults = Graph(), dict[str, Any]()
    inputs: dict[str, Any] = {}
    for port in first.inputs:
        if port.shape:
            inputs[port.name] = symbols(port.name, port.shape[0], kind="coordinate", graph=graph)
        else:
            inputs[port.name] = symbol(port.name, graph=graph)
        if port.default is not None:
            defaults[port.name] = port.stand_in
    n_q = len(model.coordinates)
    known = {"q": (inputs["q"] if "q" in inputs else inputs["y"])[:n_q], "t": inputs.get("t")}
    chosen: dict[str, Any] = {}
    best: Any = None
    for part, unit, function in zip(parts, units, written, strict=True):
        pivots = dependent_pivots(model, part)
        own = np.ravel(blocks.call(pivots, **{port.name: known[port.name] for port in pivots.inputs}))
        least: Any = None
        for pivot, size in zip(own, unit, strict=True):
            share = abs(pivot) * (1.0 / float(size))
            least = share if least is None else minimum(least, share)
        values = function.outputs_by_name(blocks.call(function, **inputs))
        if best is None:
            chosen, best = values, least
            continue
        better = least > best
        chosen = {name: _either(better, values[name], x) for name, x in chosen.items()}
        best = where(better, least, best)
    return Function(first.name, inputs, chosen, defaults=defaults or None)


def _either(condition: Any, a: Any, b: Any) -> Any:
    if np.ndim(a) == 0:
        return where(condition, a, b)
    flat = [where(condition, x, y) for x, y in zip(np.ravel(a), np.ravel(b), strict=True)]
    return np.array(flat, object).reshape(np.shape(a))
