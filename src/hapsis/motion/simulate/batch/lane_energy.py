"""Whether runs in lanes keep their energy, as the watchdog of one run asks (see `energy_watchdog`)."""

from typing import Any

import numpy as np

from hapsis.mechanics.model.units import energy_unit
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.energy_watchdog import LEAST, NOTHING, PARTS, STOP, WARN, milestones, most_at
from hapsis.motion.simulate.run.integrator import least_work
from hapsis.motion.simulate.run.run_options import RunOptions

Array = np.ndarray[Any, np.dtype[np.float64]]


def energy_drifts(
    kernels: Kernels, t: Array, energies: dict[str, Array], work: Array, options: RunOptions
) -> Any:
    """(drift, sound): of each run the unexplained change of energy relative to the energy exchanged, and
    whether that is so little that one run would go on without a word.

    energies    kinetic and potential, rows of runs, the first of each at the start
    """
    kinetic, potential = energies["kinetic"], energies["potential"]
    with np.errstate(all="ignore"):
        gap = np.abs(kinetic + potential - work - (kinetic + potential - work)[:, :1])
        start = np.abs(kinetic[:, :1]) + np.abs(potential[:, :1])
        rest = LEAST * start + NOTHING * energy_unit(kernels.system.model)
        highest = np.maximum.accumulate
        scale = (
            highest(kinetic, axis=1)
            + highest(np.abs(potential - potential[:, :1]), axis=1)
            + highest(np.abs(work - work[:, :1]), axis=1)
            + rest
        )
        unexplained = highest(gap, axis=1)
        part = np.floor((t - t[0]) / (t[-1] - t[0]) * PARTS)
        allowed = STOP * most_at(part) * scale + least_work(kernels, options.tolerance)
        passed = (unexplained > allowed) & milestones(part, 0.0)
        stopped = passed.any(axis=1) if options.watchdog else False
        drift = unexplained[:, -1] / scale[:, -1]
    return drift, ~stopped & (drift <= WARN) & np.isfinite(drift)
