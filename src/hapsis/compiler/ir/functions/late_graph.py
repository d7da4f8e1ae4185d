"""A graph that is written late: a Function whose signature is known leaves it until somebody reads it."""

from collections.abc import Callable, Mapping
from typing import Any, Self

from hapsis.compiler.ir.functions.activity import Activity
from hapsis.compiler.ir.functions.ports import Port, UnwrittenRefs, size
from hapsis.compiler.ir.functions.signature import PortSignature, Signature, signature_of
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import CompileError

WRITTEN = ("graph", "live", "parameter_nodes")  # the attributes for which a graph is written


class LateGraph(Immutable):
    """The part of a Function that writes its graph when it is first read."""

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    model: Any
    options: Any
    digest: Any
    price: Any
    parameters: Any
    _parameters: Any
    _write: Callable[[], Self] | None = None  # writes the graph, where that has been left

    @classmethod
    def unwritten(
        cls,
        signature: Signature,
        parameters: Mapping[str, float],
        write: Callable[[], Self],
        known: tuple[bytes, float] | None = None,
    ) -> Self:
        """A Function whose graph is written when somebody reads it, by `write`.

        The Function that is written must have this signature and these parameters, in this order;
        `known` are its digest and its price, where they are known from when it was written before.
        """
        new = cls.__new__(cls)

        def port(k: int, kind: str, signed: PortSignature) -> Port:
            name, shape, default = signed
            refs = UnwrittenRefs(size(shape), lambda: _written(new, kind)[k].refs)
            return Port(name, shape, refs, default)

        new.name, new._write = signature.name, write
        new.model = new.options = None
        new.inputs = tuple(port(k, "inputs", each) for k, each in enumerate(signature.inputs))
        new.outputs = tuple(port(k, "outputs", each) for k, each in enumerate(signature.outputs))
        new._parameters = dict(parameters)
        if known is not None:
            new.digest, new.price = known
        return new

    @property
    def written(self) -> bool:
        """Whether its graph exists already."""
        return "graph" in self.__dict__

    def __getattr__(self, name: str) -> Any:
        """Writes the graph where it has been left, for the attributes that need it."""
        if name not in WRITTEN or self._write is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        with Activity(f"writing {self.name}"):
            function = self._write()
        if signature_of(function) != signature_of(self) or list(function.parameters.items()) != list(
            self.parameters.items()
        ):
            raise CompileError(f"{self.name!r:.60} is not what was kept of it on disk: hapsis cache clear")
        for each in ("inputs", "outputs", *WRITTEN):
            setattr(self, each, getattr(function, each))
        self._write = None
        return self.__dict__[name]


def _written(function: Any, ports: str) -> tuple[Port, ...]:
    """The inputs or outputs of a Function, with its graph written."""
    assert function.graph is not None
    return getattr(function, ports)
