"""Events: moments at which something passes zero."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.values.numbers import described


@dataclass(frozen=True)
class Event:
    """Something that happens when `when(s)` passes zero; s["elbow"], s["tip.force"], s.t.

        rising, falling  only in that direction; in both if neither is said
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

    @property
    def direction(self) -> int:
        """1 rising, -1 falling, 0 both."""
        return int(self.rising) - int(self.falling)


class Internal(Event):
    """An event of the run's own, of which nobody is told; whoever runs writes what passes zero."""

    def __init__(self, name: str, rising: bool) -> None:
        super().__init__(name, lambda s: None, rising=rising, falling=not rising, stop=True)


class Sight(Mapping[str, Any]):
    """What an event sees: coordinates, speeds and signals by name, the time as `t`."""

    def __init__(self, known: Mapping[str, Any], t: Any) -> None:
        self._known, self.t = known, t

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            raise ModelError(f'there is no "{str(name)[:60]}" to watch{near(str(name), self._known)}')
        return self._known[name]

    def __iter__(self) -> Any:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def events_of(given: Any) -> list[Event]:
    """Events, or {name: when} as events in both directions that do not stop."""
    if isinstance(given, Event):
        return [given]
    if isinstance(given, Mapping):
        return [Event(name, when) for name, when in given.items()]
    if not isinstance(given, Iterable):
        raise ModelError(f"events must be hs.Event's or {{name: when}}, not {described(given)}")
    found = list(given)
    for event in found:
        if not isinstance(event, Event):
            raise ModelError(f"events must be hs.Event's, not {described(event)}")
    return found


def watched(events: Iterable[Event], sight: Sight, zero: Any) -> list[Any]:
    """The expressions that pass zero."""
    values: list[Any] = []
    for event in events:
        value = event.when(sight)
        if not isinstance(value, Expr | int | float):
            raise ModelError(f'event "{event.name[:60]}": when must give one number, not {described(value)}')
        values.append(zero + value)
    return values


def contact_events(names: Iterable[str]) -> list[Event]:
    """NAME.touch and NAME.leave of contacts: there a law has a kink, and steps should end."""
    found: list[Event] = []
    for name in names:
        gap = f"{name}.gap"
        found.append(Event(f"{name}.touch", lambda s, gap=gap: s[gap], falling=True))
        found.append(Event(f"{name}.leave", lambda s, gap=gap: s[gap], rising=True))
    return found
