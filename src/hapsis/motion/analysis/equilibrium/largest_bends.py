"""How far the bristles of joints that stick can bend: those of contacts go back by themselves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.mechanics.model.forces.friction import STICK, Friction
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.formula import Formula
from hapsis.motion.analysis.assembly.loop_numbers import Array


def largest_bends(model: Model, states: Sequence[str], parameters: Mapping[str, float] | None) -> Array:
    """For each state of a law the largest deflection at rest, stick · static / coulomb; infinite for others.

    Bristles at rest do not go back from a larger one, which no slow motion reaches: they would hold any load.
    """
    given = dict(parameters or {})
    values = {**model.parameters, **given}

    def number(friction: Friction, field: str) -> float:
        x: Any = given.get(f"{friction.name}.{field}", getattr(friction, field))
        return float(x.value(values)) if isinstance(x, Formula) else float(x)

    most = {f"{speed.removesuffix('.v')}.bend": STICK for joint in model.moving for speed in joint.speeds}
    for force in model.forces.values():
        if isinstance(force, Friction) and force.smooth is None:
            coulomb, static, stick = (number(force, field) for field in ("coulomb", "static", "stick"))
            most[f"{force.name}.bend"] = stick * static / coulomb
    return np.array([most.get(name, np.inf) for name in states])
