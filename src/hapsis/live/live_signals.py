"""The numbers of a step by their names: its states, and the signals that a page shows and records."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from hapsis.compiler.ir.functions.ports import Port
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.signals.column_units import column_units, part_units
from hapsis.mechanics.model.signals.frame_signals import frame_signal_of
from hapsis.mechanics.model.signals.vector_parts import part_names

SHOWN = 3  # curves at the start


class Ported(Protocol):
    """What takes and gives numbers by name: a Function, or a step that is none."""

    @property
    def inputs(self) -> Sequence[Port]:
        """What it takes."""
        ...

    @property
    def outputs(self) -> Sequence[Port]:
        """What it gives."""
        ...


class _Place(NamedTuple):
    """Where a signal is: a number of an output of the step, or of one of its states."""

    output: bool
    port: int
    place: int


def states(step: Ported) -> list[str]:
    """The inputs of a step that it gives again: q, v, z and t, which come first on both sides.

    An effort on "crank" and the coordinate "crank" have one name, as input and as output; what comes behind t
    is therefore no state, whatever its name is.
    """
    names = [port.name for port in step.inputs]
    return names[: names.index("t") + 1]


def live_signals(
    model: Model, step: Ported, leading: Sequence[str], quiet: Collection[str] = ()
) -> dict[str, Any]:
    """The outputs, then the coordinates and speeds, each name once; and which are shown at the start.

    These are outputs but those that are quiet, then coordinates that lead.
    """
    units: dict[str, str] = {}
    places: dict[str, _Place] = {}
    count = len(states(step))
    for k, port in enumerate(step.outputs[count:], count):
        for place, (name, unit) in enumerate(_numbers(model, port)):
            units[name], places[name] = unit, _Place(True, k, place)
    own = {"q": model.coordinates, "v": model.speeds}
    units = column_units(model, [*own["q"], *own["v"]]) | units
    for k, port in enumerate(step.inputs[:count]):
        for place, name in enumerate(own.get(port.name, ())):
            places.setdefault(name, _Place(False, k, place))
    signals = [{"name": name, "unit": units.get(name, ""), **at._asdict()} for name, at in places.items()]
    outputs = [name for name, at in places.items() if at.output and name not in quiet]
    order = dict.fromkeys([*outputs, *(name for name in leading if name in places), *places])
    number = {name: k for k, name in enumerate(places)}
    return {"signals": signals, "shown": [number[name] for name in order][:SHOWN]}


def _numbers(model: Model, port: Port) -> Iterator[tuple[str, str]]:
    """The name and the unit of each number of an output: `floor.push.x`, `.y`, `.z` of a vector."""
    unit, count = _unit(model, port.name), len(port.refs)
    if not port.shape:
        yield port.name, unit
        return
    for part, own in zip(part_names(count, unit), part_units(unit, count), strict=True):
        yield f"{port.name}.{part}", own


def _unit(model: Model, name: str) -> str:
    known = column_units(model, [name]) | {"energy.before": "J"}
    signal = None if name in known else frame_signal_of(model, name)
    return signal.quantity.unit if signal is not None else known.get(name, "")
