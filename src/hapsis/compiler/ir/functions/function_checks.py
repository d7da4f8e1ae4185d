"""Checks of a Function: distinct names, inputs that are symbols, no undeclared symbols."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.compiler.ir.functions.ports import Port
from hapsis.compiler.ir.graph.ops import SYMBOL
from hapsis.errors import CompileError, near

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.function import Function


def check(function: "Function") -> None:
    """Raises CompileError if a Function is not valid."""
    _check_names(function.inputs, function.outputs)
    declared = _declared(function)
    _check_parameters(function)
    graph = function.graph
    for index, op in zip(function.live, graph.ops(function.live), strict=True):
        if op == SYMBOL and index not in declared:
            node = graph.nodes[index]
            name, kind, _ = graph.symbols[node[1]]
            twin = next((k for n, k in declared.values() if n == name), None)
            why = "which is not among its inputs: add it to inputs, or substitute a value"
            if twin is not None:
                why = f"of kind {kind}, but its input of that name is of kind {twin}: use one kind"
            raise CompileError(f'an output of {function.name!r:.60} depends on "{name[:60]}", {why}')


def _declared(function: "Function") -> dict[int, tuple[str, str]]:
    """{node: (name, kind)} of the inputs' symbols."""
    nodes, symbols = function.graph.nodes, function.graph.symbols
    declared: dict[int, tuple[str, str]] = {}
    for port in function.inputs:
        for ref in port.refs:
            if ref & 3 or nodes[ref >> 2][0] != SYMBOL:
                raise CompileError(
                    f"input {port.label} of {function.name!r:.60} must be made of symbols: "
                    "use hs.symbol or hs.symbols"
                )
            if ref >> 2 in declared:
                raise CompileError(
                    f"input {port.label} of {function.name!r:.60} repeats a symbol of another "
                    "input: make a new one"
                )
            declared[ref >> 2] = symbols[nodes[ref >> 2][1]][:2]
    return declared


def _check_parameters(function: "Function") -> None:
    known: dict[str, float | None] = {}
    for index in function.parameter_nodes:
        name, _, value = function.graph.parameters[function.graph.nodes[index][1]]
        if name in known:
            raise CompileError(
                f'{function.name!r:.60} has two parameters called "{name[:60]}", with values '
                f"{known[name]} and {value}: give one of them another name"
            )
        known[name] = value


def _check_names(inputs: tuple[Port, ...], outputs: tuple[Port, ...]) -> None:
    for ports, what in ((inputs, "input"), (outputs, "output")):
        names = [port.name for port in ports]
        for port in ports:
            if names.count(port.name) > 1:
                raise CompileError(f"two {what}s are called {port.label}: names must differ")
            if what == "input" and port.name in ("p", "out"):
                raise CompileError(f"no input may be called {port.label}: calls use that name")
    if not outputs:
        raise CompileError("a Function needs at least one output")


def with_defaults(inputs: tuple[Port, ...], defaults: Mapping[str, Any], function: str) -> tuple[Port, ...]:
    """The inputs, with default values for those in `defaults`.

    A default is one number for all entries or an array of the input's shape; all must be finite.
    """
    if not isinstance(defaults, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CompileError(
            f"defaults have the names of inputs, as in defaults={{'t': 0.0}}; got a {type(defaults).__name__}"
        )
    for name in defaults:
        named(str(name), inputs, "input", function)
    return tuple(
        port._replace(default=_default(port, defaults[port.name], function))
        if port.name in defaults
        else port
        for port in inputs
    )


def _default(port: Port, value: Any, function: str) -> tuple[float, ...]:
    try:
        array = np.asarray(value)
        array = None if array.dtype.kind in "USc" else array.astype(float)
    except (TypeError, ValueError, OverflowError, CompileError):
        array = None
    good = array is not None and array.shape in ((), port.shape) and np.isfinite(array).all()
    if array is None or not good:
        shape = f" or an array of shape {port.shape}" if port.shape else ""
        raise CompileError(
            f"the default of input {port.label} of {function!r:.60} must be a finite number{shape}"
        )
    return tuple(np.broadcast_to(array, port.shape).ravel().tolist())


def named(name: str, ports: tuple[Port, ...], what: str, function: str) -> Port:
    """The port of that name; otherwise a CompileError that suggests the most similar name."""
    for port in ports:
        if port.name == name:
            return port
    names = [port.name for port in ports]
    raise CompileError(
        f'{function!r:.60} has no {what} "{name[:60]}"{near(name, names)}: its {what}s are '
        + ", ".join(f'"{n[:60]}"' for n in names)
    )
