"""The quantities of an initialisation file: values, units and meanings, from a model and its start."""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.backends.c.program_facts import Quantity
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.signals.parameter_units import parameter_units
from hapsis.motion.simulate.equations.system import System

WORDS = {  # of the last parts of names of parameters, where the field alone says little
    "com": "centre of mass",
    "inertia": "inertia about the centre of mass",
    "first": "place of the first end",
    "second": "place of the second end",
    "rest": "value without force",
}
FAMILIES = ("bodies", "joints", "constraints", "forces", "contacts", "drives", "sensors")


def parameter_quantities(model: Model, values: Mapping[str, float]) -> dict[str, Quantity]:
    """{name: Quantity} of parameters with these values."""
    units = parameter_units(model, list(values))
    return {
        name: Quantity(name, x, units.get(name, ""), meaning(model, name), _least(name))
        for name, x in values.items()
    }


def meaning(model: Model, name: str) -> str:
    """What a parameter is, in words: `mass of body "arm"`."""
    if name.partition(".")[0] == "gravity":
        return f"gravity along {name.rpartition('.')[2]}"
    for family in FAMILIES:
        for fact_name, fact in getattr(model, family).items():
            if name.startswith(f"{fact_name}."):
                field, _, part = name[len(fact_name) + 1 :].partition(".")
                of = f"{WORDS.get(field, field)} of {fact.label}"
                return f"{of}, {part}" if part else of
    return ""


def _least(name: str) -> float:
    return 0.0 if name.endswith(".mass") else Quantity("", 0.0).least


def state_quantities(system: System, y: Any) -> tuple[Quantity, ...]:
    """The coordinates, speeds and states of laws at the start; of dependent ones it says so."""
    model = system.model
    names = (*model.coordinates, *model.speeds, *system.extras.states)
    units = column_units(model, (*model.coordinates, *model.speeds))
    following = _dependent(system)
    kinds = ["coordinate"] * len(model.coordinates) + ["speed"] * len(model.speeds)
    kinds += ["state of a law"] * len(system.extras.states)
    rows: list[Quantity] = []
    for name, kind, x in zip(names, kinds, y[:-1], strict=True):
        if name not in following:
            words = kind
        elif kind == "speed":
            words = "dependent speed: computed from the others"
        else:
            words = "dependent coordinate: where the search for the closed pose begins"
        rows.append(Quantity(name, float(x), units.get(name, ""), words))
    return tuple(rows)


def _dependent(system: System) -> set[str]:
    """The coordinates and speeds that follow from others."""
    if system.partition is None:
        return set()
    model = system.model
    speeds = {model.speeds[k] for k in system.partition.dependent}
    closed = {model.speeds[k] for k in system.partition.of_positions(model).dependent}
    return speeds | {coordinate_name(name) for name in closed}


def input_quantities(model: Model, names: Sequence[str], values: Sequence[float]) -> tuple[Quantity, ...]:
    """What is held during the motion."""
    units = column_units(model, tuple(names))
    return tuple(
        Quantity(name, float(x), units.get(name, ""), "held during the motion")
        for name, x in zip(names, values, strict=True)
    )
