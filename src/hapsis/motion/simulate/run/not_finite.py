"""What is not finite where a run cannot go on: an event, or the motion of a drive, by name."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hapsis.motion.simulate.run.run import Run


def not_finite(run: "Run") -> str:
    """A sentence on what is not finite where a run stands; empty where that is not known."""
    t, y = run.integrator.t, run.state()
    return _event(run, t, y) or _drive(run, t, y)


def _event(run: "Run", t: float, y: np.ndarray) -> str:
    if not run.events:
        return ""
    values = run.kernels.values(run.kernels.system.watched(run.events), t=t, y=y)["g"]
    for event, value in zip(run.events, np.atleast_1d(values), strict=True):
        if not np.isfinite(value):
            return f'event "{event.name[:60]}" is {value:g}: its function must give a finite number'
    return ""


def _drive(run: "Run", t: float, y: np.ndarray) -> str:
    loops = run.parts.loops
    if loops is None or not loops.driven:
        return ""
    rates = run.kernels.values(run.kernels.system.motion(), t=t, y=y)["dy"]
    for at, what in ((y, "velocity"), (rates, "acceleration")):
        speeds = run.kernels.system.layout.split(at)[1]
        for name, driven in loops.driven.items():
            value = speeds[loops.slots[name]]
            if not np.isfinite(value):
                return f"{driven.drive.label} has the {what} {value:g}: it must be finite"
    return ""
