"""The compiled Functions of one system, which read inputs and parameters from common arrays."""

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.native import bound
from hapsis.errors import SolveError, check_known
from hapsis.mechanics.formalisms.deferred_verbs import completed_speeds, mass_matrix
from hapsis.mechanics.model.checks.changed_values import has_number
from hapsis.motion.simulate.equations.system import System

Array = np.ndarray[Any, np.dtype[np.float64]]


def known_parameters(system: System) -> set[str]:
    """The names of the parameters of the equations."""
    known = {*system.motion().parameters, *system.energies().parameters}
    if system.model.generalized_speeds:
        known |= {*completed_speeds(system.model, ()).parameters}
    return known


@final
class Kernels:
    """Native code of Functions of (t, y), made when it is needed.

    parameters        {name: value} other than the model's own
    parameter_inputs  names of parameters that `opened` Functions take as an input: `theta`
    u, near, theta    what is held, which pairs of contacts are near, and these parameters
    """

    def __init__(
        self,
        system: System,
        parameters: Mapping[str, float],
        threads: int | None = None,
        parameter_inputs: Sequence[str] = (),
    ) -> None:
        self.system, self.parameters, self.threads = system, dict(parameters), threads
        self.parameter_inputs = tuple(parameter_inputs)
        self._check()
        self.u = np.zeros(len(system.held))
        self.near = np.ones(system.extras.near)
        self.theta = np.zeros(len(self.parameter_inputs))
        self._shared = {"u": self.u, "near": self.near, "theta": self.theta}
        self._compiled: dict[int, tuple[Function, Any]] = {}
        if self.parameter_inputs:
            stored = {**system.parameters(), **self.parameters}
            self.set_theta([stored[name] for name in self.parameter_inputs])

    def _check(self) -> None:
        known = known_parameters(self.system) if self.parameters else set[str]()
        for name in self.parameters:
            if not has_number(self.system.model, name):  # it may be one that only events or columns read
                check_known(name, known, "there is no parameter {}")

    def use(self, system: System) -> None:
        """Goes on with the same system by another partition."""
        self.system = system

    # what kernels read ---------------------------------------------------------------------------

    def hold(self, values: Mapping[str, float]) -> None:
        """Changes what is held: all kernels read it from one place."""
        for k, name in enumerate(self.system.held):
            if name in values:
                self.u[k] = values[name]

    def set_theta(self, values: Any) -> None:
        """Other values of the parameters that are inputs."""
        self.theta[:] = values
        self.parameters |= dict(zip(self.parameter_inputs, self.theta.tolist(), strict=True))

    def opened(self, function: Function) -> Function:
        """The Function with `theta` as one more input."""
        from hapsis.motion.simulate.equations.parameter_inputs import with_parameter_inputs

        return with_parameter_inputs(function, self.parameter_inputs)

    def share(self, name: str, array: Array) -> None:
        """One more array that Functions with an input of that name read."""
        self._shared[name] = array

    def shared(self, function: Function) -> dict[str, Array]:
        """The arrays of those inputs of a Function that all kernels share."""
        names = {port.name for port in function.inputs}
        return {name: array for name, array in self._shared.items() if name in names}

    def given(self, function: Function) -> dict[str, dict[str, float]]:
        """The parameters given that a Function has, as its argument p; empty without any."""
        if not self.parameters:
            return {}
        values = {n: x for n, x in self.parameters.items() if n in function.parameters}
        return {"p": values} if values else {}

    # calling -------------------------------------------------------------------------------------

    def compiled(self, function: Function) -> Any:
        """Native code of a Function, compiled once."""

        def make() -> Any:
            return compile(function, threads=self.threads)

        native = self.system.store.compiled(function, self.threads, make)
        if native is not None:
            return native
        if id(function) not in self._compiled:
            self._compiled[id(function)] = function, make()
        return self._compiled[id(function)][1]

    def call(self, function: Function, *arguments: Any, **named: Any) -> Any:
        """The result of the native code of a Function, with the given parameters."""
        return self.compiled(function)(*arguments, **named, **self.given(function))

    def values(self, function: Function, **arguments: Any) -> dict[str, Any]:
        """The outputs of a Function by name, with the current values of the shared arrays."""
        return function.outputs_by_name(self.call(function, **{**self.shared(function), **arguments}))

    def rows(self, function: Function, t: Array, y: Array, u: Array) -> dict[str, Array]:
        """The outputs of a Function by name, for rows of times, states and what was held."""
        arguments = [t, y, u] if len(self.u) else [t, y]
        return function.outputs_by_name(self.call(function, *arguments))

    def rows_now(self, function: Function, t: Array, y: Array) -> dict[str, Array]:
        """The same with what is held now."""
        return self.rows(function, t, y, np.tile(self.u, (len(t), 1)))

    # kernels for native loops --------------------------------------------------------------------

    def handle(self, function: Function, *outputs: str, **more: Array) -> Any:
        """A kernel called with t, y and these outputs; it reads what is shared, and `more`."""
        return self.bind(function, ("t", "y", *outputs), **self.shared(function), **more)

    def bind(self, function: Function, vary: tuple[str, ...], **fixed: Array) -> Any:
        """A kernel called with the arguments `vary`; it reads and writes the `fixed` arrays."""
        parameters = self.given(function).get("p")
        return bound(self.compiled(function), vary=vary, p=parameters, **fixed)

    def approach(self, function: Function | None) -> dict[str, Any]:
        """The kernel that says how near zones are, and their sizes; nothing without any.

        function    (t, y, u) -> gap, speed, size
        """
        if function is None:
            return {}
        count = len(self.system.extras.zones)
        sizes, gap, speed = np.ones(count), np.zeros(count), np.zeros(count)
        kernel = self.handle(function, "gap", "speed", size=sizes)
        kernel(np.zeros(1), np.zeros(self.system.layout.size), gap, speed)  # sizes are those of any pose
        return {"approach": kernel, "sizes": sizes}

    def broad_phase(self) -> Any:
        """The kernel that says which pairs of contacts to look at; None without any."""
        function = self.system.broad_phase()
        if function is None:
            return None
        return self.bind(function, ("h", "t", "y"), near=self.near, longest=np.zeros(1))

    # momenta -------------------------------------------------------------------------------------

    def momenta(self, y: Array, inverse: bool = False) -> Array:
        """Rows of y with momenta M v in the place of speeds, or back."""
        f = mass_matrix(self.system.model)
        q, v, _, _ = self.system.layout.split(y)
        M = compile(f)(q, **self.given(f))
        changed = np.array(y)
        place = self.system.layout.split(changed)[1]
        if inverse:
            try:
                place[...] = np.linalg.solve(M, v[..., None])[..., 0]
            except np.linalg.LinAlgError:
                raise SolveError(
                    "the mass matrix is singular: some joints together can move without moving any mass",
                    remedy='give all bodies an inertia, or use another method than "symplectic"',
                ) from None
        else:
            place[...] = np.einsum("...ij,...j->...i", M, v)
        return changed
