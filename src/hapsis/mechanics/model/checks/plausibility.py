"""Plausibility: warnings about numbers that are possible but look like a wrong unit (millimetres, grams)."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.frames import IDENTITY

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

DENSITY = (1e-3, 1e7)  # kg/m³; air is 1.2, gold 2e4
FAR = 100.0  # m


def warn(model: "Model", inertias: Any, problems: Problems) -> None:
    """Adds a warning for each body or joint whose numbers look like a wrong unit.

    A body is compared with a cube about its radius of gyration k: density m / (2k)³.
    `inertias` has a row per body: mass, com, xx, yy, zz, xy, xz, yz.
    """
    bodies = list(model.bodies.values())
    mass, trace = inertias[:, 0], inertias[:, 4:7].sum(axis=1)
    with np.errstate(all="ignore"):
        density = mass / (2.0 * np.sqrt(trace / (2.0 * mass))) ** 3
        strange = (mass > 0) & (trace > 0) & ~((density >= DENSITY[0]) & (density <= DENSITY[1]))
    for k in np.flatnonzero(strange):
        problems.warn(
            f"{bodies[k].label}: mass {mass[k]:.3g} kg and inertia {trace[k] / 2:.3g} kg m² are "
            f"those of a density of {density[k]:.2g} kg/m³; check the units",
            bodies[k].where,
        )
    for k in np.flatnonzero((abs(inertias[:, 1:4]) > FAR).any(axis=1)):
        distance = math.hypot(*inertias[k, 1:4])
        problems.warn(
            f"{bodies[k].label}: its centre of mass is {distance:.3g} m from its origin; check the units",
            bodies[k].where,
        )
    _warn_of_offsets(model, problems)


def _warn_of_offsets(model: "Model", problems: Problems) -> None:
    ends = [(t.joint, t.parent, t.parent_frame) for t in model.tree]
    ends += [(t.joint, t.child, t.child_frame) for t in model.tree]
    ends += [(cut, *model.frame(end)) for cut in model.cuts for end in cut.ends.values()]
    for joint, body, frame in ends:
        if frame is IDENTITY:
            continue
        distance = max([abs(model.value(x)) for x in frame.at])
        if distance > FAR:
            problems.warn(
                f'{joint.label}: its end is {distance:.3g} m from the origin of "{body[:60]}"; '
                "check the units",
                joint.where,
            )
