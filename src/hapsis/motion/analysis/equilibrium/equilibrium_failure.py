"""Why there is no equilibrium, in words: what is left over, on which coordinate, how much."""

from typing import Any

import numpy as np

from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.equilibrium.equilibrium_report import NoEquilibrium, unit_of
from hapsis.motion.analysis.linear.linearization import position_name
from hapsis.motion.solvers.linear.least_squares import Solution

NOTHING = 1e-9  # of the accelerations: a slope that is zero


def failure(balance: Any, end: Solution) -> NoEquilibrium:
    """The error of a search (`balance.Balance`) that ended here."""
    here, x = balance.here, end.x
    wanted = "steady motion" if balance.moving else "equilibrium"
    state = State(balance.model.coordinates, balance.model.speeds, x.q, x.rates["v"])
    slots, a = here.speeds, x.rates["a"]
    by = {"tau": np.eye(len(balance.v))[slots]}
    mobility = here.along(x.q, balance.v, x.z, by)["a"][:, slots]
    force = np.linalg.lstsq(mobility, a[slots], rcond=None)[0]
    worst = int(np.argmax(np.abs(force * a[slots]))) if len(slots) else 0
    speed = balance.model.speeds[slots[worst]]
    name = position_name(balance.model, slots[worst]).removesuffix(".moved")
    left = f"{abs(force[worst]):.4g} {unit_of(balance.model, speed)}"
    for k in np.flatnonzero(end.blocked):
        if k < len(balance.unknown):
            stop = position_name(balance.model, balance.unknown[k])
            return NoEquilibrium(
                f'no {wanted}: "{stop[:60]}" is pushed against its limit, with {left} left '
                f'over on "{name[:60]}"',
                "limits do not act by themselves: add hs.Stop, or hold it with held=",
                state,
            )
    if end.iterations >= balance.iterations:
        what = f'not converged after {balance.taken} steps: {left} are left over on "{name[:60]}"'
        return NoEquilibrium(what, "start nearer, or allow more iterations", state)
    # where it makes no difference to move that coordinate
    J = np.abs(balance.slopes(x, [slots[worst]]))[:, :1]
    if J.max(initial=0.0) <= NOTHING * max(1.0, float(np.abs(a).max())):
        what = f'no {wanted}: nothing holds "{name[:60]}", on which {left} are left over'
        return NoEquilibrium(what, "add what holds it, or hold it with held=", state)
    what = f'no {wanted} near here: at best {left} are left over on "{name[:60]}"'
    return NoEquilibrium(what, "start elsewhere, or try more starts with tries=", state)
