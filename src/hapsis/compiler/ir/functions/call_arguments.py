"""What a call of a Function is given and returns: arguments by place or name, results as named tuples."""

from collections import namedtuple
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from hapsis.compiler.ir.functions.ports import Port
from hapsis.compiler.ir.graph.expr import boxed
from hapsis.errors import CompileError

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.function import Function


@cache
def named_result(names: tuple[str, ...]) -> Any:
    """The named tuple type of outputs with these names; its tuples can be pickled."""
    result = namedtuple("Result", names, rename=True)  # pyright: ignore[reportUntypedNamedTuple]

    def reduced(values: Any) -> Any:
        return _named, (names, tuple(values))

    result.__reduce__ = reduced  # pyright: ignore
    return result


def _named(names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return named_result(names)(*values)


def bound(function: "Function", args: tuple[Any, ...], named: Mapping[str, Any]) -> list[list[Any]]:
    """For each input its scalars, from positional and named arguments; an error if they do not fit."""
    values = arguments(function, args, named)
    return [flat(port, value) for port, value in zip(function.inputs, values, strict=True)]


def arguments(function: "Function", args: tuple[Any, ...], named: Mapping[str, Any]) -> list[Any]:
    """The value of each input, from positional and named arguments; an error if they do not fit."""
    ports = function.inputs

    def refused(why: str) -> CompileError:
        known = ", ".join(port.label for port in ports) or "no inputs"
        return CompileError(f"{function.name!r:.60} takes {known}: {why}")

    if len(args) > len(ports):
        raise refused(f"got {len(args)} positional arguments")
    values: dict[str, Any] = {p.name: a for p, a in zip(ports, args, strict=False)}
    for name, value in named.items():
        function.input(name)
        if name in values:
            raise refused(f'"{name[:60]}" is given twice')
        values[name] = value
    for port in ports:
        if port.name not in values:
            if port.default is None:
                raise refused(f"{port.label} is missing")
            values[port.name] = port.stand_in
    return [values[port.name] for port in ports]


def flat(port: Port, value: Any) -> list[Any]:
    """The scalars of a value for a port; an error if its shape is another."""
    array = boxed(value)
    if array.shape != port.shape:
        raise CompileError(f"{port.label} has shape {array.shape}, expected {port.shape}")
    return list(array.ravel())
