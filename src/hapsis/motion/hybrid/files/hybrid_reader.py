"""Reader of the sections of Hapsis YAML that make a hybrid: its events, the feet it watches, its first phase.

events:
  heel strike:
    when: swing.foot.z
    falling: true
    only: swing.foot.x - stance.foot.x > 0.05 * length
    then: [{impact: swing.foot}, {swap: [stance, swing]}]
watch:
  stance.foot: {friction: 0.6}

What passes zero, what must hold and what is reset are formulas of signals and parameters.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, final

from hapsis.errors import ModelError, near
from hapsis.mechanics.formats.all_problems import all_of
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.yaml import yaml_fields as read
from hapsis.mechanics.formats.yaml.yaml_fields import Read, fields, made
from hapsis.mechanics.formats.yaml.yaml_phases import HybridSections
from hapsis.mechanics.formats.yaml.yaml_tree import Node
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.signal_formula import SignalCondition, SignalFormula
from hapsis.motion.hybrid.actions import Impact, Reset, Swap, impact, reset, swap
from hapsis.motion.hybrid.event_names import can_read, can_reset, readable_names, resettable_names
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.hybrid.readings import Foot, foot
from hapsis.motion.simulate.run.events import Action, Event


def hybrid_sections() -> HybridSections:
    """How files with phases are read."""
    reader = _Reader()
    sections: dict[str, Read] = {"events": reader.events, "watch": _feet, "start": read.word}
    return HybridSections(sections, reader.hybrid)


class _Name(NamedTuple):
    """A name that an event uses: where it stands, and whether it is read or reset."""

    node: Node
    event: str
    field: str
    name: str
    reset: bool = False


@final
class _Reader:
    """Reads events, and keeps the names that they use until the phases are known."""

    def __init__(self) -> None:
        self.names: list[_Name] = []

    def hybrid(self, phases: Mapping[str, Model], sections: Mapping[str, Any]) -> Hybrid:
        """The hybrid of all sections."""
        listed = sections.get("events", ())
        events = {event.name: event for event in listed}
        all_of(
            partial(_check, name, phases, events[name.event]) for name in self.names if name.event in events
        )
        return Hybrid(phases, listed, start=sections.get("start"), watch=sections.get("watch", ()))

    def events(self, node: Node, what: str) -> list[Event]:
        """{name: event}."""
        self.names = []
        return all_of(partial(self._event, key, item) for key, item in node.entries(what))

    def _event(self, key: Node, node: Node) -> Event:
        name = checked_name(key.value, "event", key.where)

        def formula(make: Callable[[str], Any], node: Node, what: str) -> Any:
            return self._formula(make, node, what, name)

        known: dict[str, Read] = {
            "when": partial(formula, SignalFormula),
            "rising": read.truth,
            "falling": read.truth,
            "stop": read.truth,
            "only": partial(_listed, partial(formula, SignalCondition)),
            "during": partial(_listed, read.word),
            "to": read.word,
            "then": lambda node, what: self._actions(node, what, name),
        }
        values = fields(node, f'event "{name}"', known, ("when",))
        return made(key, Event, name, **values)

    def _formula(self, make: Callable[[str], Any], node: Node, what: str, event: str) -> Any:
        """A formula or a condition; the names in it are checked later."""
        text = node.text(what, "a formula of signals").strip()
        try:
            made = make(text)
        except ModelError as error:
            raise node.wrong(f"{what}: {error.what}", **read.parts(error)) from None
        field = what.rpartition('": ')[2]
        self.names += [_Name(node, event, field, name) for name in made.names]
        return made

    def _actions(self, node: Node, what: str, event: str) -> list[Action]:
        """A list of actions, each {impact: ...}, {swap: ...} or {reset: ...}; or one of them."""
        known: dict[str, Read] = {
            "impact": _impact,
            "swap": _swap,
            "reset": lambda node, what: self._reset(node, what, event),
        }
        actions: list[Action] = []
        for item in node.value if isinstance(node.value, list) else [node]:
            if not isinstance(item.value, dict) or len(item.value) != 1:
                expected = "[{impact: foot}, {swap: [left, right]}, {reset: {angle: 0}}]"
                raise item.wrong(f"{what} has {item.shown}", expected=expected)
            actions += fields(item, what, known).values()
        return actions

    def _reset(self, node: Node, what: str, event: str) -> Reset:
        """{coordinate, speed or state: formula}."""
        values: dict[str, Any] = {}
        for key, item in node.entries(what):
            formula = self._formula(SignalFormula, item, f"{what}: {key.value[:60]}", event)
            values[key.value] = formula if formula.names else formula.formula.value({})
            self.names.append(_Name(key, event, "reset", key.value, reset=True))
        return made(node, reset, values)


def _check(use: _Name, phases: Mapping[str, Model], event: Event) -> None:
    """Refuses a name that is not there in a phase in which the event can happen."""
    what = f'event "{use.event[:60]}": {use.field}'
    for phase, model in phases.items():
        if event.during and phase not in event.during:
            continue
        try:
            there = (can_reset if use.reset else can_read)(model, use.name)
        except ModelError as error:
            raise use.node.wrong(f"{what}: {error.what}", **read.parts(error)) from None
        if not there:
            hint = near(use.name, (resettable_names if use.reset else readable_names)(model))
            does = "resets" if use.reset else "reads"
            where = f' in phase "{phase[:60]}"' if len(phases) > 1 else ""
            raise use.node.wrong(f'{what} {does} "{use.name[:60]}", which is not there{where}{hint}')


def _impact(node: Node, what: str) -> Impact:
    """A frame, a list of them, or {point: ..., restitution: ..., friction: ..., rest: ...}."""
    values = fields(node, what, _IMPACT) if isinstance(node.value, dict) else {"point": _points(node, what)}
    return made(node, impact, **values)


def _swap(node: Node, what: str) -> Swap:
    words = [item.text(what) for item in node.items(what)]
    if len(words) != 2:
        raise node.wrong(f"{what} has {node.shown}", expected="two words of names, [stance, swing]")
    return made(node, swap, *words)


def _feet(node: Node, what: str) -> list[Foot]:
    """{frame: {friction: ...}}."""

    def one(key: Node, item: Node) -> Foot:
        return made(key, foot, key.value, **fields(item, f'foot "{key.value[:60]}"', _FOOT))

    return all_of(partial(one, key, item) for key, item in node.entries(what))


def _listed(read_one: Read, node: Node, what: str) -> list[Any]:
    """What a list has, or a single entry that is no list."""
    return [read_one(item, what) for item in (node.value if isinstance(node.value, list) else [node])]


_points: Read = partial(_listed, read.word)
_IMPACT: Mapping[str, Read] = {
    "point": _points,
    "restitution": read.plain_number,
    "friction": read.plain_number,
    "rest": read.word,
}
_FOOT: Mapping[str, Read] = {"friction": read.plain_number}
