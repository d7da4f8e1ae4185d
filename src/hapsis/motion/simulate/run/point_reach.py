"""Drives that lead a point to the end of its reach, where a run cannot go on.

A point on a hinge goes along an axis only as far as its circle does: x + A lies within ±√(A² + B²), see
`model.driven_points`. At the end its hinge would have to turn infinitely fast.
"""

from typing import TYPE_CHECKING

import numpy as np

from hapsis.mechanics.formalisms.forces.point_motion import point_reaches, points

if TYPE_CHECKING:
    from hapsis.motion.simulate.run.run import Run

NEAR = 1e-6  # of the radius: a way this close to the end of the reach is at the end


def beyond_reach(run: "Run") -> str:
    """A sentence on a drive whose point is at the end of its reach where a run stands; empty without one."""
    model = run.kernels.system.model
    led = points(model)
    if not led:
        return ""
    q, v = run.kernels.system.layout.split(run.state())[:2]
    ways, speeds, low, high = map(np.atleast_1d, run.kernels.call(point_reaches(model), q, v))
    for drive, x, speed, least, most in zip(led, ways, speeds, low, high, strict=True):
        if min(x - least, most - x) > NEAR * 0.5 * (most - least):
            continue
        return (
            f'{drive.label} leads the point "{str(drive.point)[:60]}" to {x:.6g} m and on at {speed:.3g} m/s'
            f", beyond its reach: its way is from {least:.6g} to {most:.6g} m"
        )
    return ""
