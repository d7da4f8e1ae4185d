"""Reactions of joints and constraints along a motion, computed when they are asked for."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, final

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.formalisms.dynamics.reactions import carriers, reaction
from hapsis.mechanics.model.names import drive_effort_name
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows

Array = np.ndarray[Any, np.dtype[np.float64]]


@final
class RunReactions:
    """Reactions, and efforts of drives, for the rows of a motion.

    loads    gives accelerations a, and where there are constraints tau and efforts, for these rows
    """

    def __init__(self, kernels: Kernels, rows: Rows, loads: Callable[[], dict[str, Array]]) -> None:
        self.kernels, self.rows, self._compute_loads = kernels, rows, loads
        self.model = kernels.system.model

    @cached_property
    def _loads(self) -> dict[str, Array]:
        return self._compute_loads()

    def drive_efforts(self) -> list[Any]:
        """The columns NAME.effort of drives, for a Result."""
        if not self.model.drives:
            return []
        names = [drive_effort_name(name) for name in self.model.drives]
        return [(names, lambda: dict(zip(names, self._loads["efforts"].T, strict=True)))]

    def reactions(self) -> list[Any]:
        """The columns NAME.reaction of joints and constraints, for a Result."""
        columns = {name: f"{name}.reaction" for name in carriers(self.model)}
        return [([c], lambda n=name, c=c: {c: self._reaction(n)}) for name, c in columns.items()]

    def _reaction(self, name: str) -> Array:
        """The wrench of the first end on the second for every row."""
        system, (t, y, u) = self.kernels.system, self.rows
        f = reaction(self.model, name)
        q, v, z, _ = system.layout.split(y)
        states, held = system.extras.of_forces
        every = list(system.extras.states)
        known = {
            **self._loads,
            "q": q,
            "v": v,
            "t": t,
            "z": z[:, [every.index(n) for n in states]],
            "u": u[:, [system.held.index(n) for n in held]],
        }
        given = {p.name: np.ascontiguousarray(known[p.name]) for p in f.inputs if p.name in known}
        return compile(f)(**given, **self.kernels.given(f))
