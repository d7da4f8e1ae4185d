"""The equations of a model with loops or drives as y' = f(t, y), by one partition.

y has all coordinates and speeds. The dependent ones in it only say where Newton's steps begin:
every Function here closes the pose first, so that no error of the integrator ever opens a loop.
"""

from collections.abc import Mapping, Sequence
from typing import Any, final

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, minimum
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.deferred_verbs import (
    closed_state,
    closed_state_rates,
    constraint_loads,
    dependent_pivots,
)
from hapsis.mechanics.model.model import Model
from hapsis.motion.simulate.equations.function_store import once_per_partition
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.run.events import Event


def has_constraints(model: Model) -> bool:
    """Whether a model has loops, constraints or drives."""
    return bool(model.cuts or model.constraints or model.drives)


@final
class ClosedSystem(System):
    """Functions of t, y and u that close the loops by a partition."""

    partition: Partition  # pyright: ignore[reportIncompatibleVariableOverride]

    def by(self, partition: Partition) -> "ClosedSystem":
        """The same system by another partition."""
        return ClosedSystem(self.model, self.inputs, self.store, partition)

    @once_per_partition
    def motion(self) -> Function:
        """(t, y, u) -> dy, at the closed pose."""
        x = self.symbols()
        rates = self.evaluate(closed_state_rates, x, self.partition)
        return self.rate_function("motion", x, rates, rates.a, rates.v, rates.power - rates.loss)

    def account_rates(self) -> Function:
        """(q, v, tau, ...) -> all rates, and the powers of the energy account by name."""
        return closed_state_rates(self.model, self.partition, True)

    @once_per_partition
    def account(self) -> Function:
        """(t, y, u) -> dy, where the energies of `account_names` stand behind those of y."""
        x = self.symbols()
        rates = self.outputs_by_name(self.account_rates(), x)
        return self.accounted("motion", x, rates, rates["a"], rates["v"], rates["power"] - rates["loss"])

    @once_per_partition
    def closing(self) -> Function:
        """(t, y, u) -> y, closed."""
        x = self.symbols()
        return self.function("closing", x, {"y": self.closed(x)["y"]})

    @once_per_partition
    def constraint_loads(self) -> Function:
        """(t, y, u) -> a, tau, efforts: accelerations, all efforts, and those of drives."""
        x = self.symbols()
        values = self.outputs_by_name(constraint_loads(self.model, self.partition), x)
        outputs = {n: values[n] for n in values if n not in ("q", "v")}
        return self.function("constraint_loads", x, outputs)

    def closed(self, x: Mapping[str, Any]) -> Mapping[str, Any]:
        """These symbols with q, v and y at the closed pose."""
        q, v = self.evaluate(closed_state, x, self.partition)
        return {**x, "q": q, "v": v, "y": [*q, *v, *x["y"][self.layout.n_q + self.layout.n_v :]]}

    def watched_with_pivots(self, events: Sequence[Event]) -> Function:
        """(t, y, u, reference, limits) -> values that pass zero at events, and two of the pivots.

        The last two are the smallest pivot, over its `reference`, minus each of the `limits`.
        """
        if not events:
            return self._pivots()
        return self.kept_for_events("watched_with_pivots", events, lambda: self._watched_with_pivots(events))

    @once_per_partition
    def _pivots(self) -> Function:
        """The last two values of `watched_with_pivots` alone."""
        return self._watched_with_pivots(())

    def _watched_with_pivots(self, events: Sequence[Event]) -> Function:
        x = self.symbols()
        values = self.event_values(events, x) if events else []
        pivots, more = pivot_values(self, self.partition, x)
        return Function("watched", {**self.state_inputs(x), **more}, {"g": [*values, *pivots]})


def pivot_values(
    system: System, partition: Partition, x: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The smallest pivot of a partition, over its `reference`, minus each of two `limits`, and these two."""
    graph = x["t"].graph
    reference = symbols("reference", len(partition.rows), graph=graph)
    limits = symbols("limits", 2, graph=graph)
    pivots = system.evaluate(dependent_pivots, x, partition)
    sizes = [abs(pivot) * scale for pivot, scale in zip(pivots, reference, strict=True)]
    least = sizes[0]
    for size in sizes[1:]:
        least = minimum(least, size)
    return [least - limit for limit in limits], {"reference": reference, "limits": limits}
