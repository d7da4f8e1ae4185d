"""Events: moments at which something passes zero."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.traced_function import READINGS, TracedFunction, arguments_of, portable
from hapsis.mechanics.model.values.user_functions import call_user

FIXED = ("rk4", "euler", "symplectic")  # methods whose steps have one length
PARTS = ("x", "y", "z")  # of a vector, by name
MOST_WATCHED = 32  # contacts whose touching ends a step


class Gap(NamedTuple):
    """The value of events at which a contact touches or leaves: its gap."""

    contact: str

    def __call__(self, s: "SignalView") -> Any:
        """How far the contact is from touching."""
        return s.gap(self.contact)


@verb
@dataclass(frozen=True)
class Event(Immutable):
    """Something that happens when `when(s)` passes zero; s["elbow"], s["hand.tip.z"], s["tip.force"], s.t.

        name             of the event, in `result.events`
        rising, falling  only in that direction; in both if neither is given
        stop             end the simulation there

    `when` is traced like any law, so it is located in native code, to 1e-9 s and better.
    """

    name: str
    when: Callable[[Any], Any]
    rising: bool = False
    falling: bool = False
    stop: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore
            raise ModelError(f"the name of an event must be a text, not {described(self.name)}")
        if not callable(self.when):
            raise ModelError(f'event "{self.name[:60]}": when must be a function, not {described(self.when)}')

    def __getstate__(self) -> dict[str, Any]:
        """The fields as they are pickled: `when` as a graph."""
        arguments = arguments_of(self.when, (READINGS,))
        return self.__dict__ | {"when": portable(self.when, arguments, f'event "{self.name[:60]}": when')}

    @property
    def key(self) -> str | None:
        """What tells its values from those of others; None where its function has no graph."""
        if isinstance(self.when, Gap):
            return repr(self.when)
        try:
            return TracedFunction("when", arguments_of(self.when, (READINGS,)), self.when).key
        except Exception:  # of the user's own function, called with expressions
            return None

    @property
    def direction(self) -> int:
        """1 rising, -1 falling, 0 both."""
        return int(self.rising) - int(self.falling)


class SignalView(Mapping[str, Any]):
    """Coordinates, speeds and signals by name, and the time as `t`: what an event or a loss reads.

    gap      a function of a contact's name that gives how far it is from touching
    frames   a function of a name that gives the signal of a frame or a sensor, or None
    """

    def __init__(
        self,
        known: Mapping[str, Any],
        t: Any,
        gap: Callable[[str], Any] | None = None,
        frames: Callable[[str], Any] | None = None,
    ) -> None:
        self._known, self.t, self._gap, self._frames = known, t, gap, frames

    def gap(self, contact: str) -> Any:
        """How far a contact is from touching; far away it may be less than NAME.gap."""
        return self[f"{contact}.gap"] if self._gap is None else self._gap(contact)

    def __getitem__(self, name: str) -> Any:
        if name in self._known:
            return self._known[name]
        if name == "t":
            return self.t
        head, _, last = str(name).rpartition(".")
        if last in PARTS and head in self._known and np.shape(self._known[head]) == (3,):
            return self._known[head][PARTS.index(last)]
        value = self._frames(str(name)) if self._frames is not None else None
        if value is None:
            check_known(name, self._known, "there is no {} to watch")
        return value

    def __iter__(self) -> Any:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


# what verbs take as events: one, several, or {name: when}
Events = Event | Iterable[Event] | Mapping[str, Callable[[Any], Any]]


def events_of(entries: Any) -> list[Event]:
    """Events, or {name: when} as events in both directions that do not stop."""
    if isinstance(entries, Event):
        return [entries]
    if isinstance(entries, Mapping):
        return [Event(name, when) for name, when in entries.items()]
    if not isinstance(entries, Iterable):
        raise ModelError(f"events must be hs.Event's or {{name: when}}, not {described(entries)}")
    events = list(entries)
    for event in events:
        if not isinstance(event, Event):
            raise ModelError(f"events must be hs.Event's, not {described(event)}")
    return events


def event_values(events: Iterable[Event], view: SignalView, zero: Any) -> list[Any]:
    """The expressions that pass zero at events."""
    values: list[Any] = []
    for event in events:
        value = call_user(event.when, f'event "{event.name[:60]}": when', view)
        if not isinstance(value, Expr | int | float):
            raise ModelError(f'event "{event.name[:60]}": when must give one number, not {described(value)}')
        values.append(zero + value)
    return values


def with_contacts(user_events: Sequence[Event], contacts: Sequence[str], method: str) -> list[Event]:
    """These events, and NAME.touch and NAME.leave of contacts: there a law has a kink.

    Adaptive steps end there; fixed steps do not, and very many contacts are not watched.
    """
    events = list(user_events)
    if method in FIXED or len(contacts) > MOST_WATCHED:
        return events
    for name in contacts:
        events.append(Event(f"{name}.touch", Gap(name), falling=True))
        events.append(Event(f"{name}.leave", Gap(name), rising=True))
    return events
