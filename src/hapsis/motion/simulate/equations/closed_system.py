"""The equations of a model with loops or drives as y' = f(t, y), by the partition of the moment.

y has all coordinates and speeds. The dependent ones in it only say where Newton's steps begin:
every Function here closes the pose first, so that no error of the integrator ever opens a loop.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, minimum
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.formalisms.constraints.reduced_dynamics import (
    carrying,
    closed_motion,
    closing,
    conditioning,
)
from hapsis.mechanics.formalisms.constraints.reduction import Partition
from hapsis.mechanics.model.model import Model
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.system import Packed, len_of, once
from hapsis.motion.simulate.run.events import Event, Internal, Sight, watched

BY_PARTITION = ("motion", "closing", "carrying", "conditioned", "jacobian", "kinematics")


def is_tied(model: Model) -> bool:
    """Whether a model has loops, constraints or drives."""
    return bool(model.cuts or model.constraints or model.drives)


class Looped(Packed):
    """Functions of t, y and u that close the loops by the partition `part`, which may change."""

    def __init__(self, model: Model, inputs: Inputs, part: Partition, keep: bool = False) -> None:
        super().__init__(model, inputs, keep)
        self.part = part

    def key(self, name: str) -> Any:
        """Functions that depend on the partition are kept once for each."""
        return (name, self.part) if name in BY_PARTITION else name

    @once
    def motion(self) -> Function:
        """(t, y, u) -> dy, at the closed pose."""
        x = self._arguments()
        found = self._given(closed_motion(self.model, self.part), x)
        given = zip(x["tau"], found.v, strict=True)
        power = sum((t * v for t, v in given), found.power - found.loss)
        dz = list(found.dz) if self.layout.n_z else []
        return self._function("motion", x, {"dy": [*found.dq, *found.a, *dz, power]})

    @once
    def closing(self) -> Function:
        """(t, y, u) -> y, closed."""
        x = self._arguments()
        return self._function("closing", x, {"y": self._closed(x)["y"]})

    @once
    def carrying(self) -> Function:
        """(t, y, u) -> a, tau, efforts: accelerations, all efforts, and those of drives."""
        x = self._arguments()
        f = carrying(self.model, self.part)
        found = dict(zip([p.name for p in f.outputs], self._given(f, x), strict=True))
        return self._function("carrying", x, {n: found[n] for n in found if n not in "qv"})

    def _closed(self, x: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with the pose closed."""
        q, v = self._given(closing(self.model, self.part), x)
        return {**x, "q": q, "v": v, "y": [*q, *v, *x["y"][self.layout.n_q + self.layout.n_v :]]}

    def watched(self, events: Sequence[Event]) -> Function:
        """(t, y, u, reference, limits) -> values that pass zero at events.

        The last two tell how much the pivots have shrunk, over `reference`, against `limits`.
        """
        own = [event for event in events if not isinstance(event, Internal)]
        if not own:
            return self.conditioned()
        x = self._arguments()
        closed = self._closed(x)
        known = dict(zip(self.model.coordinates, closed["q"], strict=True))
        known |= dict(zip(self.model.speeds, closed["v"], strict=True))
        sight = Sight({**known, **self._signals(closed)}, x["t"])
        values = watched(own, sight, x["y"][0] * 0.0)
        if len(own) == len(events):
            return self._function("watched", x, {"g": values})
        return self._watched(x, values)

    @once
    def conditioned(self) -> Function:
        """The last two of `watched` alone."""
        return self._watched(self._arguments(), [])

    def _watched(self, x: Mapping[str, Any], values: list[Any]) -> Function:
        """These values, and how much the pivots have shrunk."""
        graph = x["t"].graph
        reference = symbols("reference", len(self.part.rows), graph=graph)
        limits = symbols("limits", 2, graph=graph)
        found = self._given(conditioning(self.model, self.part), x)
        sizes = [abs(pivot) * scale for pivot, scale in zip(found, reference, strict=True)]
        least = sizes[0]
        for size in sizes[1:]:
            least = minimum(least, size)
        names = [n for n in ("t", "y", "u", "near") if len_of(x[n])]
        inputs = {n: x[n] for n in names} | {"reference": reference, "limits": limits}
        return Function("watched", inputs, {"g": [*values, *(least - limit for limit in limits)]})
