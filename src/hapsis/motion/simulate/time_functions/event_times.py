"""What events take from the time, as a Function of t and of all that they read besides."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.model.signals.frame_signals import ENERGIES, readable
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.run.events import Event, SignalView, event_values


class _Readings(Mapping[str, Any]):
    """Coordinates, speeds and signals by name, each a symbol of its shape, made when it is read."""

    def __init__(self, system: System, graph: Graph) -> None:
        model = system.model
        names = (
            *model.parameters,
            *model.coordinates,
            *model.speeds,
            *system.inputs.names.values(),
            *ENERGIES,
        )
        self._shapes: dict[str, Any] = {**dict.fromkeys(names, ()), **system.signal_shapes}
        self._model, self._graph = model, graph
        self.read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return self._symbol(name, self._shapes[name])

    def frame(self, name: str) -> Any:
        """A symbol for a signal of a frame or a sensor; None where there is none of that name."""
        signal = readable(self._model, name)
        return None if signal is None else self._symbol(name, signal.quantity.shape)

    def _symbol(self, name: str, shape: tuple[int, ...]) -> Any:
        if name not in self.read:
            count = int(np.prod(shape))
            label = f"reading {len(self.read)}"
            self.read[name] = symbol(label, graph=self._graph)
            if shape:
                self.read[name] = symbols(label, count, graph=self._graph).reshape(shape)
        return self.read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shapes)

    def __len__(self) -> int:
        return len(self._shapes)


def event_times(system: System, events: Sequence[Event]) -> Function:
    """(t, readings) -> the values that pass zero at events."""
    graph = Graph()
    t = symbol("t", graph=graph)
    readings = _Readings(system, graph)
    values = event_values(events, SignalView(readings, t, frames=readings.frame), 0.0 * t)
    inputs = {"t": t, **{f"reading {k}": x for k, x in enumerate(readings.read.values())}}
    return Function("events", inputs, {"g": values})
