"""Writer of a hybrid as Hapsis YAML: its model, then the constraints of its phases, its events and its feet.

Functions of events are traced and written as formulas, which give the same expressions when they are read.
"""

from collections.abc import Callable, Iterator
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.formats.yaml.yaml_phases import CONSTRAINTS, PHASES
from hapsis.mechanics.formats.yaml.yaml_writer import (
    fact_texts,
    key_text,
    list_text,
    map_text,
    plain_text,
    section,
    yaml_lines,
)
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.model import COMPARED, Model
from hapsis.mechanics.model.structure.families import FAMILIES
from hapsis.mechanics.model.values.formula_text import condition_texts, formula_text
from hapsis.motion.hybrid.actions import Impact, Reset, Swap
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.simulate.run.events import Action, Event

COMMON = (*(family for family in FAMILIES if family != CONSTRAINTS), *COMPARED)


def hybrid_text(hybrid: Hybrid) -> str:
    """A hybrid as the text of a YAML file; an error names what is Python code."""
    for name, phase in hybrid.phases.items():
        _check_common(hybrid, name, phase)
    lines = yaml_lines(hybrid.model, without=(CONSTRAINTS,))
    lines += section(PHASES, {name: _phase(model) for name, model in hybrid.phases.items()})
    if hybrid.events:
        lines.append("events:")
    for event in hybrid.events:
        lines.append(f"  {key_text(event.name, 'events')}:")
        lines += (f"    {field}: {text}" for field, text in _fields(event))
    feet = {
        foot.frame: map_text({} if foot.friction is None else {"friction": repr(foot.friction)})
        for foot in hybrid.watch
    }
    lines += section("watch", feet)
    if hybrid.start != next(iter(hybrid.phases)):
        lines.append(f"start: {plain_text(hybrid.start or '')}")
    return "\n".join(lines) + "\n"


def _check_common(hybrid: Hybrid, name: str, model: Model) -> None:
    """Refuses phases that differ in more than constraints, or have code."""
    if any(isinstance(force, Controller) for force in model.forces.values()):
        raise ModelError("a file cannot hold the controllers of a hybrid: their laws are Python code")
    first = str(hybrid.start)[:60]
    for what in COMMON:
        if getattr(model, what) != getattr(hybrid.model, what):
            raise ModelError(
                f'phases "{first}" and "{name[:60]}" differ in {what}, which a file cannot hold',
                expected="phases that differ in constraints only",
            )


def _phase(model: Model) -> str:
    if not model.constraints:
        return "{}"
    facts = {key_text(n, PHASES): text for n, text in fact_texts(CONSTRAINTS, model.constraints).items()}
    return map_text({CONSTRAINTS: map_text(facts)})


def _fields(event: Event) -> Iterator[tuple[str, str]]:
    """The fields of an event that differ from their default, as texts."""
    yield "when", plain_text(_written(event, "when", formula_text, event.when))
    for field in ("rising", "falling", "stop"):
        if getattr(event, field):
            yield field, "true"
    only = [text for each in event.only for text in _written(event, "only", condition_texts, each)]
    if only:
        yield "only", plain_text(only[0]) if len(only) == 1 else list_text(map(plain_text, only))
    if event.during is not None:
        yield "during", list_text(map(plain_text, event.during))
    if event.to is not None:
        yield "to", plain_text(event.to)
    if event.then:
        yield "then", list_text(_action(event, action) for action in event.then)


def _action(event: Event, action: Action) -> str:
    if isinstance(action, Impact):
        return map_text({"impact": _impact(action)})
    if isinstance(action, Swap):
        return map_text({"swap": list_text(map(plain_text, (action.first, action.second)))})
    assert isinstance(action, Reset)
    values = {
        key_text(name, "reset"): plain_text(_written(event, f'reset of "{name[:60]}"', formula_text, value))
        if callable(value)
        else repr(value)
        for name, value in action.values.items()
    }
    return map_text({"reset": map_text(values)})


def _impact(action: Impact) -> str:
    points = list_text(map(plain_text, action.points))
    if len(action.points) == 1:
        points = plain_text(action.points[0])
    fields = {"point": points} if action.points else {}
    if action.restitution:
        fields["restitution"] = repr(action.restitution)
    if action.friction is not None:
        fields["friction"] = repr(action.friction)
    if action.rest is not None:
        fields["rest"] = plain_text(action.rest)
    return points if fields.keys() == {"point"} else map_text(fields)


def _written(event: Event, what: str, write: Callable[[Any], Any], function: Any) -> Any:
    """The text of a function of an event; an error names the event where there is none."""
    try:
        return write(function)
    except ModelError as error:
        raise ModelError(
            f'event "{event.name[:60]}": {what} cannot be written into a file: {error.what}',
            expected="arithmetic of signals",
        ) from None
