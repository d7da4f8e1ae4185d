"""The signature of a Function: what is known of it without its graph, besides its parameters."""

from typing import NamedTuple, Protocol

from hapsis.compiler.ir.functions.ports import Port

PortSignature = tuple[str, tuple[int, ...], tuple[float, ...] | None]  # name, shape, default


class Signed(Protocol):
    """What has a signature: a name, inputs and outputs."""

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]


class Signature(NamedTuple):
    """What is known of a Function without its graph, besides its parameters."""

    name: str
    inputs: tuple[PortSignature, ...]
    outputs: tuple[PortSignature, ...]


def signature_of(function: Signed) -> Signature:
    """The signature of a Function."""
    inputs, outputs = (
        tuple((p.name, p.shape, p.default) for p in ports) for ports in (function.inputs, function.outputs)
    )
    return Signature(function.name, inputs, outputs)
