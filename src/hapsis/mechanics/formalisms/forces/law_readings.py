"""What a law reads by name while the equations are written."""

from typing import TYPE_CHECKING, Any

from hapsis.errors import near
from hapsis.mechanics.formalisms.forces.reading_error import ReadingError
from hapsis.mechanics.formalisms.tree.frame_quantities import quantity_at
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.signals.frame_signals import (
    COMBINATION,
    OF_FRAMES,
    frame_names,
    frame_signal_of,
    refusal,
)

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces


def law_reading(applied: "AppliedForces", fact: Fact, name: Any) -> Any:
    """A signal that the state determines: of a coordinate, a speed, another force, a sensor or a frame.

    Names are those of a result; an error says why a signal of a result cannot be read.
    """
    name = str(name)
    if name in applied.places:
        return applied.tree.q[applied.places[name]]
    if name in applied.slots:
        return applied.v[applied.slots[name]]
    if name == "t":
        return applied.time
    value = applied.order.signal(fact, name)
    if value is not None:
        return value
    signal = frame_signal_of(applied.model, name)
    if signal is not None and signal.quantity.kind == COMBINATION:
        from hapsis.mechanics.formalisms.kane.speed_basis import combination_value

        return combination_value(applied.tree, name, applied.v, lambda: applied.time)
    if signal is not None:
        spot = applied.spot(applied.tree.placed(signal.on, signal.label))
        return quantity_at(signal.quantity, spot.R, spot.p, spot.w, spot.u)
    why = refusal(applied.model, name)
    if why is not None:
        raise ReadingError.of(fact, f'"{name[:60]}" {why[0]}', why[1])
    last = name.rpartition(".")[2]
    known = [*applied.places, *applied.slots, *applied.signals]
    known += [f"{frame}.{last if last in OF_FRAMES else 'x'}" for frame in frame_names(applied.model)]
    raise ReadingError.of(fact, f'there is no signal "{name[:60]}" that a law can read{near(name, known)}')
