"""A model in parts, for steps with contacts: what moves smoothly, and what impulses hold.

The *smooth* model has all bodies, tree joints and forces, but nothing that is a constraint of the step: no
contacts, stops, dry friction, loops, drives. The *free* model has no forces at all: it drifts.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from hapsis.errors import SolveError, check_known
from hapsis.mechanics.model.checks.changed_values import has_number
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contact_laws.hunt_crossley import HuntCrossley
from hapsis.mechanics.model.contact_laws.linear import Linear
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.force import Force
from hapsis.mechanics.model.forces.friction import Friction
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.formula import Formula

METHOD = "contact"
MOST_TREES = 3000  # that move apart from each other: tables of their links grow with the square


class ContactModel(NamedTuple):
    """The parts of a model."""

    whole: Model
    closed: Model  # with loops, constraints and drives, for starts and rows
    smooth: Model
    free: Model
    contacts: tuple[Contact, ...]


def contact_model(model: Model) -> ContactModel:
    """The parts of a model, made once."""
    trees = sum(branch.parent == "world" for branch in model.tree)
    if trees > MOST_TREES:
        raise SolveError(
            f'{trees} bodies move apart from each other, more than the method "{METHOD}" has room for',
            expected=f"at most {MOST_TREES}",
            remedy="leave bodies away, or use hs.particles",
        )
    return derived(model, contact_model, lambda: _parts(model))


def _parts(model: Model) -> ContactModel:
    settings: dict[str, Any] = {
        "parameters": model.parameters,
        "poses": model.poses,
        "physical": model.physical,
    }
    closed: list[Fact] = []
    smooth: list[Fact] = []
    free: list[Fact] = []
    rows = {id(fact) for fact in (*model.cuts, *model.constraints.values(), *model.drives.values())}
    for fact in model.facts:
        if isinstance(fact, Contact | Stop) or (isinstance(fact, Friction) and fact.smooth is None):
            continue
        row = id(fact) in rows
        if isinstance(fact, Joint) and fact.friction != 0.0:
            fact = dataclasses.replace(fact, friction=0.0)
        closed.append(fact)
        if row:
            continue
        smooth.append(fact)
        if isinstance(fact, Joint):
            free.append(dataclasses.replace(fact, damping=0.0) if fact.damping != 0.0 else fact)
        elif not isinstance(fact, Force):
            free.append(fact)
    return ContactModel(
        model,
        Model(*closed, gravity=model.gravity, independent=model.independent, **settings),
        Model(*smooth, gravity=model.gravity, **settings),
        Model(*free, gravity=(0.0, 0.0, 0.0), **settings),
        tuple(model.contacts.values()),
    )


def steps_with_contacts(model: Model) -> bool:
    """Whether a model has contacts, and all that it has is known to steps with contacts."""
    laws = all(
        isinstance(contact.normal_law, Linear | HuntCrossley)
        and isinstance(contact.friction_law, Coulomb | None)
        for contact in model.contacts.values()
    )
    drives = all(
        drive.joint is not None
        and drive.tracking is None
        and not drive.inputs
        and drive.given[0] != "acceleration"
        for drive in model.drives.values()
    )
    stops = all(force.law is None for force in model.forces.values() if isinstance(force, Stop))
    return bool(model.contacts) and laws and drives and stops


def chosen_method(model: Model, method: str, step: float | None) -> str:
    """The method of a run; with a step "auto" is this one, for models that it knows."""
    return METHOD if method == "auto" and step is not None and steps_with_contacts(model) else method


def step_parameters(model: Model) -> frozenset[str]:
    """The names of the numbers that steps read themselves, and smooth equations do not have."""
    names = {f"{joint.name}.friction" for joint in model.moving}
    for contact in model.contacts.values():
        laws = (contact.normal_law, contact.friction_law)
        names |= {f"{contact.name}.{name}" for law in laws for name in getattr(law, "fields", ())}
    for force in model.forces.values():
        if isinstance(force, Stop):
            names |= {f"{force.name}.{name}" for name in ("stiffness", "damping", "low", "high")}
        elif isinstance(force, Friction) and force.smooth is None:
            names |= {
                f"{force.name}.{name}" for name in ("coulomb", "static", "viscous", "stribeck", "stick")
            }
    return frozenset(names)


def smooth_parameters(parts: ContactModel, parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    """Those of the parameters of a run that are for the smooth model; steps read the others."""
    own = derived(parts.whole, step_parameters, lambda: step_parameters(parts.whole))
    rest = {name: value for name, value in (parameters or {}).items() if name not in own}
    contacts = tuple(f"{contact.name}." for contact in parts.contacts)
    for name in rest:
        if name.startswith(contacts) and not has_number(parts.smooth, name):
            check_known(name, own, "there is no parameter {} in steps with contacts")
    return rest


class Numbers:
    """The numbers of a model's facts with the parameters of a run.

    read     parameters of the model that formulas have read
    """

    def __init__(self, model: Model, parameters: Mapping[str, float] | None) -> None:
        self.model, self.given = model, dict(parameters or {})
        self.read = set[str]()
        self._values = {**model.parameters, **self.given}

    def value(self, x: Any, name: str = "") -> float:
        """The number of a value; `name` is that of its own parameter, which a run may give."""
        if name in self.given:
            return float(self.given[name])
        if isinstance(x, Formula):
            self.read |= x.names
            return float(x.value(self._values))
        return self.model.value(x)


class NormalNumbers(NamedTuple):
    """The law across the surfaces: whether it is linear, and its three numbers."""

    linear: bool
    numbers: tuple[float, float, float]


def normal_numbers(contact: Contact, numbers: Numbers) -> NormalNumbers:
    """The law of a contact across its surfaces."""
    law = contact.normal_law
    if isinstance(law, Linear | HuntCrossley):
        values = {n: numbers.value(x, f"{contact.name}.{n}") for n, x in law.fields.items()}
        if isinstance(law, Linear):
            return NormalNumbers(True, (values["stiffness"], values["damping"], 0.0))
        return NormalNumbers(False, (values["stiffness"], values["power"], values["damping"]))
    raise SolveError(
        f'{contact.label}: the method "{METHOD}" does not know {law.label}',
        expected="hs.Linear or hs.HuntCrossley",
        remedy="use another method",
    )


def friction_numbers(contact: Contact, numbers: Numbers) -> tuple[float, float, float, float]:
    """mu, static mu, stiffness of bristles (0: as stiff as the step), their damping in s."""
    law = contact.friction_law
    if law is None:
        return 0.0, 0.0, 0.0, 0.0
    if not isinstance(law, Coulomb):
        raise SolveError(
            f'{contact.label}: the method "{METHOD}" does not know {law.label} as friction',
            expected="hs.Coulomb, or a number",
            remedy="use another method",
        )
    values = {n: numbers.value(x, f"{contact.name}.{n}") for n, x in law.fields.items()}
    mu = values["mu"]
    from hapsis.mechanics.model.contact_laws.contact_bristles import SETTLING

    bristle = values.get("bristle", 0.0)
    return mu, values.get("static", mu), bristle, SETTLING if bristle else 0.0
