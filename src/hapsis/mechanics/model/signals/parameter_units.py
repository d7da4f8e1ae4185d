"""The units of parameters by name, SI: what sweeps and batches write on their axes."""

from collections.abc import Sequence

from hapsis.mechanics.model.forces.joint_spring import JointSpring
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name
from hapsis.mechanics.model.signals.column_units import column_units

BODY = {"mass": "kg", "com": "m", "inertia": "kg m²"}
ALONG = {"stiffness": "N/m", "damping": "N s/m", "armature": "kg", "friction": "N"}
ALONG |= dict.fromkeys(("length", "rest", "low", "high"), "m")
ABOUT = {"stiffness": "N m/rad", "damping": "N m s/rad", "armature": "kg m²", "friction": "N m"}
ABOUT |= dict.fromkeys(("rest", "low", "high"), "rad")


def parameter_units(model: Model, names: Sequence[str]) -> dict[str, str]:
    """{name: unit} of parameters of bodies, joints, springs, stops and gravity; others are left out."""
    units = {name: _unit(model, name) for name in names}
    return {name: unit for name, unit in units.items() if unit}


def _unit(model: Model, name: str) -> str:
    owner, _, field = name.partition(".")
    if owner == "gravity":
        return "m/s²"
    if owner in model.bodies:
        return BODY.get(field.partition(".")[0], "")
    if owner in model.joints:
        speeds = model.joints[owner].speeds
        return _along_or_about(model, [coordinate_name(x) for x in speeds]).get(field, "")
    force = model.forces.get(owner)
    if isinstance(force, Spring):
        return ALONG.get(field, "")
    if isinstance(force, JointSpring | Stop):
        return _along_or_about(model, list(force.joints.values())).get(field, "")
    return ""


def _along_or_about(model: Model, coordinates: Sequence[str]) -> dict[str, str]:
    """The units of fields along coordinates that are all lengths, or about those that are all angles."""
    units = column_units(model, tuple(coordinates))
    kinds = {units.get(name, "") for name in coordinates}
    return ALONG if kinds == {"m"} else ABOUT if kinds == {"rad"} else {}
