"""The names that events of a phase can read and reset; equations are written only for signals of laws."""

from collections.abc import Iterator

from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.deferred_verbs import signals
from hapsis.mechanics.model.constraints.motion_constraints import Pinned
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.signals.frame_signals import ENERGIES, OF_FRAMES, frame_names, readable
from hapsis.mechanics.model.values.formula import TIME
from hapsis.mechanics.model.values.readings import SINCE
from hapsis.motion.hybrid.readings import PUSH
from hapsis.motion.simulate.equations.function_store import FunctionStore
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.run.events import PARTS


def can_read(model: Model, name: str) -> bool:
    """Whether an event can read this number in a phase; an error where only a result has it."""
    if name in set(_plain(model)) or name in constraint_names(model):
        return True
    if _has_law(model, name) and name in _law_signals(model):
        return True
    signal = readable(model, name)
    return signal is not None and not signal.quantity.shape


def can_reset(model: Model, name: str) -> bool:
    """Whether an event can give it another value."""
    if name in (*model.coordinates, *model.speeds):
        return True
    return _has_law(model, name) and name in _states(model)


def readable_names(model: Model) -> list[str]:
    """All names that events can read, for hints."""
    frames = [f"{frame}.{last}" for frame in frame_names(model) for last in OF_FRAMES]
    return [*_plain(model), *constraint_names(model), *frames]


def resettable_names(model: Model) -> list[str]:
    """All names that events can reset, for hints."""
    return [*model.coordinates, *model.speeds, *_states(model)]


def _plain(model: Model) -> Iterator[str]:
    """Names that need no equations."""
    yield from (TIME, SINCE, *ENERGIES, *model.parameters, *model.coordinates, *model.speeds)
    for fact in model.constraints.values():
        if isinstance(fact, Pinned) and str(fact.second) == "world":
            yield f"{fact.first}.{PUSH}"


def _has_law(model: Model, name: str) -> bool:
    """Whether the name begins with that of a force or a contact."""
    return any(name.startswith(f"{fact}.") for fact in (*model.forces, *model.contacts))


def _law_signals(model: Model) -> set[str]:
    """The signals of forces and contacts, with the parts of vectors, and the states of laws."""
    names = {*_states(model)}
    for port in signals(model).outputs:
        names |= {port.name} if not port.shape else {f"{port.name}.{part}" for part in PARTS}
    return names


def _states(model: Model) -> tuple[str, ...]:
    return tuple(FunctionStore.of(model, Inputs(model, None)).extras.states)
