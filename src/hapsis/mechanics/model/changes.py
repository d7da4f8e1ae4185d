"""Changed copies of a model: with other fields, or with a prefix before all names."""

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hapsis.errors import ModelError, near
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.fact import Fact, formulas
from hapsis.mechanics.model.frames import IDENTITY, End, Frame, composed, end_at
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.surfaces import Surface
from hapsis.mechanics.model.structure.flattening import Part
from hapsis.mechanics.model.structure.names_read import reads
from hapsis.mechanics.model.values.formula import NAME, Formula
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import Table

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

SETTINGS = ("gravity", "parameters", "poses", "independent", "page", "physical", "notes")


def replaced(model: "Model", name: str | None, changed: dict[str, Any]) -> "Model":
    """The model with changed fields of the fact of that name, or with changed settings."""
    settings = {field: getattr(model, field) for field in SETTINGS}
    if name is None:
        _check_fields(changed, SETTINGS, "a model")
        _check_parameters(model, changed.get("parameters", model.parameters))
        return type(model)(*model.facts, **{**settings, **changed})
    if "name" in changed:
        raise ModelError(f'"{name[:60]}" cannot be renamed, other facts may use its name')
    index = _index(model, name, changed)
    facts = list(model.facts)
    facts[index] = dataclasses.replace(facts[index], **changed)
    return type(model)(*facts, **settings)


def _check_parameters(model: "Model", parameters: Any) -> None:
    """Whether parameters in place of the model's own have all that its facts are made of."""
    if not isinstance(parameters, Mapping):
        return  # the model says what it expects
    used = {name for fact in model.facts for formula in formulas(fact) for name in formula.names}
    missing = [name for name in model.parameters if name in used and name not in parameters]
    if missing:
        raise ModelError(
            f'replace: parameters stand for all of the model\'s, and "{missing[0][:60]}" is missing',
            remedy="give {**model.parameters, ...}",
        )


def _index(model: "Model", name: str, changed: dict[str, Any]) -> int:
    """The index of the fact of that name; where a body and a joint share it, the one with these fields."""
    candidates = [i for i, fact in enumerate(model.facts) if fact.name == name]
    if not candidates:
        names = [fact.name for fact in model.facts]
        raise ModelError(f'there is no fact "{str(name)[:60]}"{near(str(name), names)}')
    for index in candidates:
        if set(changed) <= set(_fields(model.facts[index])):
            return index
    fact = model.facts[candidates[0]]
    _check_fields(changed, _fields(fact), fact.label)
    return candidates[0]


def _fields(fact: Fact) -> list[str]:
    return [field.name for field in dataclasses.fields(fact)]


def _check_fields(changed: dict[str, Any], fields: Any, what: str) -> None:
    for name in changed:
        if name not in fields:
            raise ModelError(f'{what} has no "{name}"{near(name, fields)}', expected=", ".join(fields))


def prefixed(model: "Model", prefix: str, on: Any) -> Part:
    """The facts with `prefix.` before every name; with `on`, ends on the world move to that end."""
    if not isinstance(prefix, str) or not prefix:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"a prefix must be a text, not {described(prefix)}")
    if model.parameters and not NAME.fullmatch(f"{prefix}.x"):
        raise ModelError(
            f'the prefix "{prefix[:60]}" cannot stand before the names of parameters',
            expected="letters, digits, _ and ., a letter first",
        )
    carrier = None if on is None else End.of(on, "the place of the part")
    worlds = {id(fact) for fact in model.facts if isinstance(fact, Body) and fact.name == "world"}
    facts = [_fact(model, f, prefix, carrier) for f in model.facts if id(f) not in worlds]
    return Part(
        (*facts, *_world(model, prefix, carrier)),
        Table({f"{prefix}.{name}": value for name, value in model.parameters.items()}),
        Table(
            {
                pose: Table({f"{prefix}.{n}": _renamed(v, prefix) for n, v in values.items()})
                for pose, values in model.poses.items()
            }
        ),
        tuple(f"{prefix}.{name}" for name in model.independent),
        model.page and model.page.prefixed(prefix),
    )


def prefixed_gravity(model: "Model", prefix: str) -> Any:
    """Gravity with the prefix before the parameters of its formulas."""
    return tuple(_renamed(x, prefix) for x in model.gravity)


def _fact(model: "Model", fact: Fact, prefix: str, carrier: End | None) -> Fact:
    """One fact with its new names."""
    changed: dict[str, Any] = {"name": f"{prefix}.{fact.name}"}
    if next(formulas(fact), None) is not None:
        fields = (field for field in _fields(fact) if field not in fact.ends)
        changed |= {f: _renamed(getattr(fact, f), prefix) for f in fields if f != "name"}
    if reads(fact):
        raise fact.wrong(
            "its law names signals in Python, so that it cannot get a prefix",
            remedy="add it to the whole model",
        )
    changed |= fact.with_prefix(prefix, changed)
    for field, end in fact.ends.items():
        body, frame = model.frame(end)
        if body == "world":
            place = _moved(_renamed(frame, prefix), carrier)
        else:
            place = End(f"{prefix}.{end.body}", _renamed(end.frame, prefix))
        old = getattr(fact, field)
        if isinstance(old, Surface):
            if old.shape is None and body == "world" and carrier is not None:
                place = End(f"{prefix}.world")  # the body that has the world's shapes now
            place = Surface(place, _renamed(old.shape, prefix))
        changed[field] = place
    return dataclasses.replace(fact, **changed)


def _moved(frame: Frame, carrier: End | None) -> End:
    """The end at a frame of the world, when the world's origin is placed at the carrier."""
    if carrier is None:
        return end_at("world", frame)
    if frame == IDENTITY:
        return carrier
    if isinstance(carrier.frame, Frame):
        return End(carrier.body, composed(carrier.frame, frame))
    return End(str(carrier), frame)


def _world(model: "Model", prefix: str, carrier: End | None) -> list[Fact]:
    """The world's own frames and shapes; on a carrier they become a body welded to it."""
    world = model.world
    if not world.frames and not world.shapes:
        return []
    frames, shapes = _renamed(world.frames, prefix), _renamed(world.shapes, prefix)
    if carrier is None:
        named = {f"{prefix}.{name}": frame for name, frame in frames.items()}
        return [Body("world", frames=named, shapes=shapes, where=world.where)]
    name = f"{prefix}.world"
    body = Body(name, frames=frames, shapes=shapes, where=world.where)
    return [body, Weld(name, carrier, name, where=world.where)]


def _renamed(x: Any, prefix: str) -> Any:
    """`x` with the prefix before the parameters of every formula in it."""
    if isinstance(x, Formula):
        return x.prefixed(prefix)
    if isinstance(x, Frame):
        return Frame(_renamed(x.at, prefix), _renamed(x.rpy, prefix))
    if isinstance(x, Shape | ContactLaw | Law):
        fields = [field.name for field in dataclasses.fields(x) if field.init]
        return dataclasses.replace(x, **{f: _renamed(getattr(x, f), prefix) for f in fields})
    if isinstance(x, tuple):
        return tuple(_renamed(v, prefix) for v in x)
    if isinstance(x, Table):
        return Table({name: _renamed(v, prefix) for name, v in x.items()})
    return x
