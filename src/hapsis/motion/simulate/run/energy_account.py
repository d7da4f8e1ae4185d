"""The energy account of a run: losses and works integrated behind the state, by the same steps.

    vector = y, E        Ė = the powers of `System.account_names`

Errors are controlled in y, which has the work of all of them together: the steps are those of the run
without an account. Where a step is known as a path, as over a singular position, the powers at Gauss's points
are integrated. An impulse of a drive does its work at once.
"""

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np
from numpy.polynomial import legendre

from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.equations.tree_system import TreeSystem
from hapsis.motion.simulate.run.integrator import motion_kernels
from hapsis.motion.simulate.run.run_parts import StateForm
from hapsis.motion.solvers.integrators.gauss import stage_times

Array = np.ndarray[Any, np.dtype[np.float64]]
STORED, LOSS = ".stored", ".loss"


@final
class EnergyAccount:
    """How a run with an account carries its states, and the rows of its energies.

    form      how the state itself is carried
    momenta   whether it has momenta in the place of speeds
    names     of the energies, in their order behind y
    """

    def __init__(self, kernels: Kernels, form: StateForm, momenta: bool = False) -> None:
        self.kernels, self.form, self.momenta = kernels, form, momenta
        self.names = kernels.system.account_names
        self.size = kernels.system.layout.size
        self.kept: list[Array] = []
        self.start = np.zeros(len(self.names))  # the energies where the integration begins

    # the vector y, E -----------------------------------------------------------------------------

    def of_method(self, method: str) -> dict[str, Any]:
        """The method and its kernels; errors are controlled in y only."""
        chosen = {"controlled": self.size}
        if not self.momenta:
            return motion_kernels(self.kernels, method, account=True) | chosen
        system = self.kernels.system
        assert isinstance(system, TreeSystem)
        chosen |= {"method": method, "f": self.kernels.handle(system.canonical_account(), "dy")}
        return chosen | self.kernels.approach(system.canonical_approach())

    def vector(self, t: float, y: Array) -> Array:
        """The state, then the energies at the start."""
        return np.concatenate([self.form.vector(t, y), self.start])

    def states(self, t: Any, vectors: Array) -> Array:
        """The states of vectors."""
        return self.form.states(t, np.ascontiguousarray(vectors[..., : self.size]))

    def keep(self, vectors: Array) -> None:
        """Takes more rows."""
        self.kept.append(vectors[:, self.size :].copy())

    # what is not integrated ----------------------------------------------------------------------

    def give(self, vector: Array, works: Mapping[str, float]) -> None:
        """Adds works that are done at once to those in the vector."""
        for k, name in enumerate(self.names):
            vector[self.size + k] += works.get(name.removesuffix(".work"), 0.0)

    def along(self, before: Array, t: float, path: Callable[[Array], Array], times: Array) -> Array:
        """Vectors at times of a step whose states are known: `before` at t, then along the path."""
        step = float(times[-1] - t)
        stages = stage_times(t, step)
        states = path(stages)
        filled = np.hstack([states, np.zeros((len(states), len(self.names)))])
        powers = self.kernels.rows_now(self.kernels.system.account(), stages, filled)["dy"][:, self.size :]
        # the polynomial through the powers at the stages, which are not near a singular position
        series = legendre.legfit(2.0 * (stages - t) / step - 1.0, powers, len(stages) - 1)
        energies = (
            0.5 * step * legendre.legval(2.0 * (times - t) / step - 1.0, legendre.legint(series, lbnd=-1))
        )
        return np.hstack([path(times), before[self.size :] + energies.T])

    def begin(self, t: float, path: Callable[[Array], Array], times: Array, end: float) -> None:
        """Takes rows at these times of a path from t, after which the integration begins."""
        before = np.zeros(self.size + len(self.names))
        energies = self.along(before, t, path, np.append(times, end))[:, self.size :]
        self.kept.append(energies[:-1])
        self.start = energies[-1]

    # the result ----------------------------------------------------------------------------------

    def columns(self, rows: Rows, last: Array) -> dict[str, Array]:
        """The energies by name at the rows of a result; `last` is the vector where the run stands.

        What a fact holds besides the potential energy is not lost: it is a column too, NAME.stored.
        """
        energies = np.vstack([*self.kept, last[None, self.size :]])[: len(rows.t)]
        columns = dict(zip(self.names, energies.T.copy(), strict=True))
        function = self.kernels.system.stored_energies()
        stored = {} if function is None else self.kernels.rows(function, *rows)
        for name, energy in stored.items():
            columns[name.removesuffix(STORED) + LOSS] -= energy - energy[0]
        return columns | stored

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of all columns."""
        function = self.kernels.system.stored_energies()
        return (*self.names, *(() if function is None else (port.name for port in function.outputs)))
