"""Events: moments at which something passes zero."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.compiler.ir.graph.ops import COMPARISONS
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.readings import PhaseReadings
from hapsis.mechanics.model.values.traced_function import READINGS, TracedFunction, arguments_of, portable
from hapsis.mechanics.model.values.user_functions import call_user

FIXED = ("rk4", "euler", "symplectic", "contact")  # methods whose steps have one length
PARTS = ("x", "y", "z")  # of a vector, by name
MOST_WATCHED = 32  # contacts whose touching ends a step


class Gap(NamedTuple):
    """The value of events at which a contact touches or leaves: its gap."""

    contact: str

    def __call__(self, s: "SignalView") -> Any:
        """How far the contact is from touching."""
        return s.gap(self.contact)


class Action(ABC):
    """What an event of a hybrid does to the state; the actions themselves are in `motion.hybrid`."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The action in a few words, for pictures and messages."""


@verb
@dataclass(frozen=True)
class Event(Immutable):
    """Something that happens when `when(s)` passes zero; s["elbow"], s["hand.tip.z"], s["tip.force"], s.t.

        name             of the event, in `result.events`
        rising, falling  only in that direction; in both if neither is given
        stop             end the simulation there

    Of a hybrid (`hs.Hybrid`) also:

        only     a condition, or several, that must hold at that moment: only(s) is a comparison
        during   the phase, or phases, in which it can happen; all if None
        to       the phase after it; it stays the same if None
        then     actions in the order of time: `hs.impact`, `hs.swap`, `hs.reset`

    `when` is traced like any law, so it is located in native code, to 1e-9 s and better.
    """

    name: str
    when: Callable[[Any], Any]
    rising: bool = False
    falling: bool = False
    stop: bool = False
    only: Any = ()
    during: Any = None
    to: str | None = None
    then: Any = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore
            raise ModelError(f"the name of an event must be a text, not {described(self.name)}")
        if not callable(self.when):
            raise ModelError(f'event "{self.name[:60]}": when must be a function, not {described(self.when)}')
        only = (self.only,) if callable(self.only) else _listed(self, "only", self.only)
        during = (self.during,) if isinstance(self.during, str) else self.during
        then = (self.then,) if isinstance(self.then, Action) else _listed(self, "then", self.then)
        during = None if during is None else _listed(self, "during", during)
        for what, wrong, expected in (
            ("only", [x for x in only if not callable(x)], "functions"),
            ("during", [x for x in during or () if not isinstance(x, str)], "names of phases"),
            ("then", [x for x in then if not isinstance(x, Action)], "hs.impact, hs.swap or hs.reset"),
        ):
            if wrong:
                text = f'event "{self.name[:60]}": {what} has {described(wrong[0])}'
                raise ModelError(text, expected=expected)
        if not (self.to is None or isinstance(self.to, str)):  # pyright: ignore
            raise ModelError(
                f'event "{self.name[:60]}": to must be the name of a phase, not {described(self.to)}'
            )
        self.__dict__.update(only=only, during=during, then=then)

    def __getstate__(self) -> dict[str, Any]:
        """The fields as they are pickled: functions as graphs."""
        return self.__dict__ | {
            "when": self._portable(self.when, "when"),
            "only": tuple(self._portable(each, "only") for each in self.only),
        }

    def _portable(self, function: Any, what: str) -> Any:
        arguments = arguments_of(function, (READINGS,))
        return portable(function, arguments, f'event "{self.name[:60]}": {what}')

    @property
    def of_hybrids(self) -> tuple[str, ...]:
        """The names of those of its fields that only a hybrid has a use for."""
        fields = {"only": self.only, "during": self.during, "to": self.to, "then": self.then}
        return tuple(name for name, value in fields.items() if value not in ((), None))

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


def _listed(event: Event, what: str, entries: Any) -> tuple[Any, ...]:
    if isinstance(entries, str) or not isinstance(entries, Iterable):
        raise ModelError(f'event "{event.name[:60]}": {what} must be a list, not {described(entries)}')
    return tuple(entries)


class SignalView(PhaseReadings, Mapping[str, Any]):
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
        self._more: dict[str, Callable[[], Any]] = {}

    def know(self, name: str, value: Callable[[], Any]) -> None:
        """One more name that can be read; its value is computed when it is."""
        self._more[name] = value

    def gap(self, contact: str) -> Any:
        """How far a contact is from touching; far away it may be less than NAME.gap."""
        return self[f"{contact}.gap"] if self._gap is None else self._gap(contact)

    def __getitem__(self, name: str) -> Any:
        if name in self._known:
            return self._known[name]
        if name in self._more:
            return self._more[name]()
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
        entries = [entries]
    if isinstance(entries, Mapping):
        return [Event(name, when) for name, when in entries.items()]
    if not isinstance(entries, Iterable):
        raise ModelError(f"events must be hs.Event's or {{name: when}}, not {described(entries)}")
    events = list(entries)
    for event in events:
        if not isinstance(event, Event):
            raise ModelError(f"events must be hs.Event's, not {described(event)}")
        if event.of_hybrids:
            raise ModelError(
                f'event "{event.name[:60]}" has {", ".join(event.of_hybrids)}, and a model has no phases',
                remedy="put the model and the event into an hs.Hybrid",
            )
    return events


def event_values(events: Iterable[Event], view: SignalView, zero: Any) -> list[Any]:
    """The expressions that pass zero at events."""
    values: list[Any] = []
    for event in events:
        value = call_user(event.when, f'event "{event.name[:60]}": when', view)
        if not isinstance(value, Expr | int | float):
            raise ModelError(f'event "{event.name[:60]}": when must give one number, not {described(value)}')
        if isinstance(value, bool) or (
            isinstance(value, Expr) and value.graph.ops([value.ref >> 2])[0] in COMPARISONS
        ):
            raise ModelError(
                f'event "{event.name[:60]}": when is a condition',
                expected="a value that passes zero, as the difference of its two sides",
                remedy="a condition that must hold besides belongs to only=",
            )
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
