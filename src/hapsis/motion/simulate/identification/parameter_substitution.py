"""A model with other values of its parameters, by the names that its equations give them."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.values import Table

MOMENTS = ("xx", "yy", "zz", "xy", "xz", "yz")


def with_values(model: Model, values: Mapping[str, float]) -> Model | None:
    """The model with these numbers in it; None where a name is not that of exactly one number, or
    where the model refuses them."""
    try:
        return _with_values(model, values)
    except ModelError:
        return None


def check_values(model: Model, values: Mapping[str, float]) -> None:
    """Raises the error of the model with these numbers in it, as of a negative mass. What is
    not the name of exactly one number is not checked."""
    _with_values(model, values, skip=True)


def _with_values(model: Model, values: Mapping[str, float], skip: bool = False) -> Model | None:
    """The model with these numbers in it, or its error; None where a name is not that of exactly one
    number, unless those are skipped."""
    facts, parameters = list(model.facts), dict(model.parameters)
    gravity = list(model.gravity)
    for name, value in values.items():
        if name in parameters:
            parameters[name] = value
        elif name in ("gravity.x", "gravity.y", "gravity.z"):
            gravity["xyz".index(name[-1])] = value
        elif not _put(facts, name, value) and not skip:
            return None
    settings = {n: getattr(model, n) for n in ("poses", "independent", "physical", "notes")}
    return Model(*facts, gravity=gravity, parameters=parameters, **settings)


def _put(facts: list[Fact], name: str, value: float) -> bool:
    """Changes the fact whose number has that name; False where there is none."""
    for k, fact in enumerate(facts):
        if name.startswith(f"{fact.name}."):
            changed = _changed(fact, name[len(fact.name) + 1 :], value)
            if changed is not None:
                facts[k] = dataclasses.replace(fact, **changed)
                return True
    return False


def _changed(fact: Fact, path: str, value: float) -> dict[str, Any] | None:
    """The field of a fact that has a number of that name, with the number in it."""
    field, _, part = path.partition(".")
    fields = {f.name for f in dataclasses.fields(fact)}
    if path in fields and isinstance(getattr(fact, path), float):
        return {path: value}
    if isinstance(fact, Body):
        if field == "com" and part in ("x", "y", "z"):
            return {"com": _replaced(fact.com, "xyz".index(part), value)}
        if field == "inertia" and part in MOMENTS:
            return {"inertia": _replaced(fact.inertia, MOMENTS.index(part), value)}
        if field in fact.frames and part in ("x", "y", "z"):
            frame = fact.frames[field]
            moved = Frame(_replaced(frame.at, "xyz".index(part), value), frame.rpy)
            return {"frames": Table({**fact.frames, field: moved})}
    for each in ("law", "friction"):
        law = getattr(fact, each, None)
        if isinstance(law, Law | ContactLaw) and isinstance(law.fields.get(path), float):
            named = law.using(**{path: value}) if isinstance(law, Law) else None
            if named is None and path not in {f.name for f in dataclasses.fields(law)}:
                return None
            return {each: named or dataclasses.replace(law, **{path: value})}
    return None


def _replaced(values: Any, k: int, value: float) -> Any:
    return (*values[:k], value, *values[k + 1 :])
