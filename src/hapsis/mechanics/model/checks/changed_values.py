"""Other values of a model's numbers, by the names that its equations give them: checked, or put into it.

    "arm.mass"  "arm.inertia.xx"  "arm.tip.x"  "spring.stiffness"  "touch.first.radius"  "gravity.z"

and the parameters of the model. A run with other values is refused as the Model with them would be.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks import inertias
from hapsis.mechanics.model.checks.massless import check_masses
from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.checks.ranges import check_limits, check_ranges, sound
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.fact import Fact, formulas
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.model import SETTINGS, Model
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.surfaces import Surface, pieces
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.values import Table

GRAVITY = ("gravity.x", "gravity.y", "gravity.z")
PARTS = {3: ("x", "y", "z"), 6: ("rx", "ry", "rz", "x", "y", "z")}  # names of the numbers of a field
MOMENTS = ("xx", "yy", "zz", "xy", "xz", "yz")


def parameter_values(model: Model, parameters: Any) -> dict[str, float]:
    """{name: number} of values other than the model's own, checked as the Model checks its own."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        raise ModelError(f"parameters must be {{name: value}}, not {described(parameters)}")
    values = {str(n): real(x, f'parameter "{n}"') for n, x in parameters.items()}
    if values:
        check_values(model, values)
    return values


def check_values(model: Model, values: Mapping[str, float]) -> None:
    """Raises the error of the model with these numbers in it, as of a negative mass.

    Only facts are checked that have one of the numbers, or a formula with one of the parameters. A name
    that is not that of a number of the model is left to the equations.
    """
    problems = Problems(model.physical)
    parameters = {n: values.get(n, x) for n, x in model.parameters.items()}
    changed = {n for n in model.parameters if n in values}
    numbers: Any = SimpleNamespace(parameters=parameters, value=lambda x: _number(x, parameters))
    massless = False
    for fact in model.facts:
        own = {n[len(fact.name) + 1 :]: x for n, x in values.items() if n.startswith(f"{fact.name}.")}
        new = fact
        for path, value in own.items():
            new = dataclasses.replace(new, **(_changed(new, path, value) or {}))
            if isinstance(fact, Contact):
                _check_shape(fact, path, value, model, numbers, problems)
        if new is fact and not any(changed & formula.names for formula in formulas(fact)):
            continue
        if sound(new, numbers, problems):
            check_ranges(new, new.label, numbers, problems)
            check_limits(new, numbers, problems)
            if isinstance(new, Body):
                row = inertias.rows([new], numbers)
                inertias.check([new], row, problems)
                massless = massless or 0.0 in row[0, [0, 4, 5, 6]]
    problems.tell()
    other = _with_values(model, values) if massless else None
    if other is not None:
        check_masses(other)


def _number(x: Any, parameters: Mapping[str, float]) -> float:
    return float(x.value(parameters)) if isinstance(x, Formula) else x


def _check_shape(
    contact: Contact, path: str, value: float, model: Model, numbers: Any, problems: Problems
) -> None:
    """Checks a number of a shape that a contact takes from a body."""
    for name, side in (("first", contact.first), ("second", contact.second)):
        for piece in pieces(model, side, name) if path.startswith(f"{name}.") else ():
            if piece.shape is not None and path.startswith(f"{piece.name}."):
                shape = _with_number(piece.shape, path[len(piece.name) + 1 :], value)
                if shape is not None:
                    check_ranges(shape, f"{contact.label}: {shape.label}", numbers, problems)


def with_values(model: Model, values: Mapping[str, float]) -> Model | None:
    """The model with these numbers in it; None where a name is not that of exactly one number, or
    where the model refuses them."""
    try:
        return _with_values(model, values)
    except ModelError:
        return None


def _with_values(model: Model, values: Mapping[str, float]) -> Model | None:
    """The model with these numbers in it, or its error; None where a name is not that of exactly one."""
    facts, parameters = list(model.facts), dict(model.parameters)
    gravity = list(model.gravity)
    for name, value in values.items():
        if name in parameters:
            parameters[name] = value
        elif name in GRAVITY:
            gravity[GRAVITY.index(name)] = value
        elif not _put(facts, name, value):
            return None
    settings = {n: getattr(model, n) for n in SETTINGS}
    return Model(*facts, **settings | {"gravity": gravity, "parameters": parameters})


def has_number(model: Model, name: str) -> bool:
    """Whether a model has a number of that name, be it in its equations or only in what is seen of it."""
    return name in model.parameters or name in GRAVITY or _put(list(model.facts), name, 1.0)


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
    if (own := _field(fact, path, value)) is not None:
        return own
    if isinstance(fact, Body) and field in fact.frames and part in ("x", "y", "z"):
        frame = fact.frames[field]
        at = _replaced(frame.at, "xyz".index(part), value)
        return None if at is None else {"frames": Table({**fact.frames, field: Frame(at, frame.rpy)})}
    side = getattr(fact, field, None)
    if isinstance(side, Surface) and side.shape is not None:
        shape = _with_number(side.shape, part, value)
        return None if shape is None else {field: Surface(side.on, shape)}
    for name, law in _laws(fact):
        if isinstance(law, Law) and isinstance(law.fields.get(path), float):
            return {name: law.using(**{path: value})}
        if isinstance(law, ContactLaw) and (numbers := _field(law, path, value)) is not None:
            return {name: dataclasses.replace(law, **numbers)}
    return None


def _field(entry: Any, path: str, value: float) -> dict[str, Any] | None:
    """The field of an entry with a number, by its name: `mass`, `com.x`, `inertia.xx`, `arms.elbow`."""
    name, _, part = path.partition(".")
    if name not in {f.name for f in dataclasses.fields(entry)}:
        return None
    old = getattr(entry, name)
    if not part:
        return {name: value} if isinstance(old, float) else None
    if isinstance(old, tuple):
        parts = MOMENTS if name == "inertia" else PARTS.get(len(old), ())
        new = _replaced(old, parts.index(part), value) if part in parts else None
        return None if new is None else {name: new}
    if isinstance(old, Mapping) and isinstance(old.get(part), float):
        return {name: Table({**old, part: value})}
    return None


def _with_number(shape: Shape, path: str, value: float) -> Shape | None:
    field = _field(shape, path, value)
    return None if field is None else dataclasses.replace(shape, **field)


def _laws(fact: Fact) -> Iterator[tuple[str, Any]]:
    """The laws of a fact by their fields; of a contact that says none, the default one."""
    for name in ("law", "friction"):
        yield name, getattr(fact, name, None)
    if isinstance(fact, Contact) and fact.law is None:
        yield "law", fact.normal_law


def _replaced(values: Any, k: int, value: float) -> Any:
    """The values with another number in one place; None where no number is in it, as a formula."""
    if not isinstance(values[k], float):
        return None
    return (*values[:k], value, *values[k + 1 :])
