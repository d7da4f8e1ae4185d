"""What joints, loops and drives carry along a run, computed when it is asked for."""

from functools import cached_property
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.formalisms.dynamics.reactions import carrying, reaction
from hapsis.motion.simulate.equations.closed_system import Looped
from hapsis.motion.simulate.run.run import Running

Array = np.ndarray[Any, np.dtype[np.float64]]


class Carried:
    """Reactions and efforts of drives for the rows of a run."""

    def __init__(self, running: Running, t: Array, y: Array, u: Array) -> None:
        self.running, self.model, self.rows = running, running.packed.model, (t, y, u)

    def groups(self) -> list[Any]:
        """Columns for a Result: NAME.reaction of joints and constraints, NAME.effort of drives."""
        found: list[Any] = []
        if self.model.drives:
            names = [f"{name}.effort" for name in self.model.drives]
            found.append((names, lambda: dict(zip(names, self._known["efforts"].T, strict=True))))
        for name in carrying(self.model):
            column = f"{name}.reaction"
            found.append(([column], lambda n=name, c=column: {c: self._reaction(n)}))
        return found

    @cached_property
    def _known(self) -> dict[str, Array]:
        """Accelerations; multipliers and efforts of drives where there are such things."""
        if isinstance(self.running.packed, Looped):
            return self.running.evaluated("carrying", *self.rows)
        dy = self.running.evaluated("motion", *self.rows)["dy"]
        return {"a": self.running.packed.layout.split(dy)[1]}

    def _reaction(self, name: str) -> Array:
        """The wrench of the first end on the second for every row."""
        packed, (t, y, u) = self.running.packed, self.rows
        f = reaction(self.model, name)
        q, v, z, _ = packed.layout.split(y)
        states, held = packed.extras.of_forces
        every = list(packed.extras.states)
        known = {
            **self._known,
            "q": q,
            "v": v,
            "t": t,
            "z": z[:, [every.index(n) for n in states]],
            "u": u[:, [packed.held.index(n) for n in held]],
        }
        given = {p.name: np.ascontiguousarray(known[p.name]) for p in f.inputs if p.name in known}
        values = self.running.kernels.known(f)
        return compile(f)(**given, **({"p": values} if values else {}))
