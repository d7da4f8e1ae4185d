"""The compiled kernels of one simulation, made when they are needed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.native import bound
from hapsis.errors import ModelError, near
from hapsis.mechanics.formalisms.dynamics.mass_matrix import mass_matrix
from hapsis.motion.simulate.equations.system import Packed

Array = np.ndarray[Any, np.dtype[np.float64]]


LONG = 3_000  # price of f; above it its Jacobian is mapped instead of written out


class Kernels:
    """Kernels of (t, y) that share what is held in u, and the parameters."""

    def __init__(self, packed: Packed, parameters: Mapping[str, float], threads: int | None) -> None:
        self.packed, self.parameters, self.threads = packed, dict(parameters), threads
        self.u = np.zeros(len(packed.held))
        self.near = np.ones(packed.extras.near)
        self._compiled: dict[tuple[int, int | None], tuple[Function, Any]] = {}
        self._check()

    def _check(self) -> None:
        known = self.functions["motion"].parameters.keys() | self.functions["energies"].parameters
        for name in self.parameters:
            if name not in known:
                raise ModelError(f'there is no parameter "{str(name)[:60]}"{near(str(name), known)}')

    @property
    def functions(self) -> dict[str, Function]:
        """The Functions every simulation has."""
        return {"motion": self.packed.motion(), "energies": self.packed.energies()}

    def compiled(self, function: Function) -> Any:
        """Native code of a Function of (t, y, u), compiled once."""
        shared, key = self.packed.shared, (id(function), self.threads)
        common = any(function is each for each in shared.functions.values())
        kept = shared.compiled if common else self._compiled
        if key not in kept:
            kept[key] = function, compile(function, threads=self.threads)
        return kept[key][1]

    def known(self, function: Function) -> dict[str, float] | None:
        """The parameters given that a Function has."""
        given = {n: x for n, x in self.parameters.items() if n in function.parameters}
        return given or None

    def handle(self, function: Function, *outputs: str, **more: Array) -> Any:
        """A kernel for native loops, called with t, y and its outputs; it reads `more`."""
        fixed = {"u": self.u, **more} if len(self.u) else dict(more)
        if len(self.near):
            fixed["near"] = self.near
        return bound(self.compiled(function), vary=("t", "y", *outputs), p=self.known(function), **fixed)

    def hold(self, values: Mapping[str, float]) -> None:
        """Changes what is held: all kernels read it from one place."""
        for k, name in enumerate(self.packed.held):
            if name in values:
                self.u[k] = values[name]

    def rows(self, function: Function, t: Array, y: Array, u: Array) -> dict[str, Array]:
        """The outputs of a Function for rows of times, states and what was held."""
        known = self.known(function)
        arguments = [t, y, u] if len(self.u) else [t, y]
        found = self.compiled(function)(*arguments, **({"p": known} if known else {}))
        names = [port.name for port in function.outputs]
        return dict(zip(names, [found] if len(names) == 1 else found, strict=True))

    def broad_phase(self, longest: Array | None = None) -> Any:
        """The kernel that says which pairs of contacts to look at; None without any.

        longest    where it writes the longest step that misses no meeting
        """
        function = self.packed.broad_phase()
        if function is None:
            return None
        fixed = {"near": self.near, "longest": np.zeros(1) if longest is None else longest}
        return bound(self.compiled(function), vary=("h", "t", "y"), p=self.known(function), **fixed)

    def jacobian(self) -> Any:
        """The kernel of df/dy and df/dt."""
        kept, key = self.packed.shared.functions, self.packed.key("jacobian")
        if key not in kept:
            kept[key] = jacobian(self.functions["motion"])
        return self.handle(kept[key], "J", "ft")

    def momenta(self, y: Array, inverse: bool = False) -> Array:
        """Rows of y with momenta in the place of speeds, or back."""
        f = mass_matrix(self.packed.model)
        q, v, _, _ = self.packed.layout.split(y)
        known = self.known(f)
        M = compile(f)(q, **({"p": known} if known else {}))
        made = np.array(y)
        place = self.packed.layout.split(made)[1]
        if inverse:
            place[...] = np.linalg.solve(M, v[..., None])[..., 0]
        else:
            place[...] = np.einsum("...ij,...j->...i", M, v)
        return made


def port_symbols(f: Function, port: Port) -> Any:
    """The symbols of an input, in its shape."""
    flat = np.empty(len(port.refs), dtype=object)
    flat[:] = [Expr(f.graph, ref) for ref in port.refs]
    return flat.reshape(port.shape) if port.shape else flat[0]


def jacobian(f: Function) -> Function:
    """(t, y, u) -> J, ft: df/dy and df/dt of f.

    A long f is differentiated along one direction, and that is mapped over all of y: a fraction of
    the code, to be compiled in a fraction of the time.
    """
    inputs = {port.name: port_symbols(f, port) for port in f.inputs}
    slope = f.jvp("t")(**inputs, d_t=1.0)
    if f.cost().price < LONG:
        J = f.jacobian("dy", "y")(**inputs)
    else:
        along, unit = f.jvp("y"), np.eye(len(inputs["y"]))
        J = blocks.map(along, *(inputs.get(port.name, unit) for port in along.inputs)).T
    return Function("jacobian", inputs, {"J": J, "ft": slope})
