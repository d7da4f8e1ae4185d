"""Why there is no equilibrium, in words: what is left over, on which coordinate, how much."""

import numpy as np

from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.equilibrium.balance_equations import BalanceEquations
from hapsis.motion.analysis.equilibrium.equilibrium_report import NoEquilibrium, unit_of
from hapsis.motion.analysis.linear.linearization import position_name
from hapsis.motion.solvers.linear.least_squares import Solution

NOTHING = 1e-9  # of the accelerations: a slope that is zero


def failure(equations: BalanceEquations, end: Solution, steps: int, exhausted: bool) -> NoEquilibrium:
    """The error of a search that ended here; `exhausted`: it has made as many steps as it may."""
    here, x, model = equations.here, end.x, equations.model
    goal = "steady motion" if equations.moving else "equilibrium"
    state = State(model.coordinates, model.speeds, x.q, x.rates["v"])
    slots, a = here.speeds, x.rates["a"]
    by = {"tau": np.eye(len(equations.v))[slots]}
    mobility = here.along(x.q, equations.v, x.z, by)["a"][:, slots]
    force = np.linalg.lstsq(mobility, a[slots], rcond=None)[0]
    worst = int(np.argmax(np.abs(force * a[slots]))) if len(slots) else 0
    speed = model.speeds[slots[worst]]
    name = position_name(model, slots[worst]).removesuffix(".moved")
    left = f"{abs(force[worst]):.4g} {unit_of(model, speed)}"
    for k in np.flatnonzero(end.blocked):
        if k < len(equations.unknown):
            stop = position_name(model, equations.unknown[k])
            return NoEquilibrium(
                f'no {goal}: "{stop[:60]}" is pushed against its limit, with {left} left '
                f'over on "{name[:60]}"',
                "limits do not act by themselves: add hs.Stop, or hold it with held=",
                state,
            )
    if exhausted:
        what = f'not converged after {steps} steps: {left} are left over on "{name[:60]}"'
        return NoEquilibrium(what, "start nearer, or allow more iterations", state)
    # where it makes no difference to move that coordinate
    J = np.abs(equations.slopes(x, [slots[worst]]))[:, :1]
    if J.max(initial=0.0) <= NOTHING * max(1.0, float(np.abs(a / equations.units).max())):
        what = f'no {goal}: nothing holds "{name[:60]}", on which {left} are left over'
        more = "" if equations.sticking or not len(x.z) else ", or let friction hold it with sticking=True"
        return NoEquilibrium(what, f"add what holds it, or hold it with held={more}", state)
    what = f'no {goal} near here: at best {left} are left over on "{name[:60]}"'
    return NoEquilibrium(what, "start elsewhere, or try more starts with tries=", state)
