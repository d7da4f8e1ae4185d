"""The pile by our own solvers: `hs.Box` shapes, a spring and damper at each corner that touches.

Stiffness and the speed below which friction grows are those of Exudyn's feet; the damping is a
quarter of theirs, with which steps of 1 ms are stable here (there it allows none longer). All 66
pairs of boxes are one kernel, mapped over those that the broad phase leaves. SciPy gets the same
equations, broad phase included: explicit, since its implicit methods take minutes.

Here as for the rivals the boxes must come to rest, and nobody asks where their energy went. In
`hs.simulate` the watchdog does: it takes stiff and order5 at 1e-3, and stops the others.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from hapsis.bench.simulate.simulate_ours import ABSOLUTE, Equations
from hapsis.bench.simulate.simulate_pile import COUNT, FRICTION, MASS, SIDE, UNTIL, Landing, start
from hapsis.bench.work_precision import clock
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contact_laws.linear import Linear
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.frames import WORLD
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.shapes import Box
from hapsis.mechanics.model.shapes.surfaces import Surface

STIFFNESS, DAMPING = 2e4, 25.0  # N/m and N s/m of one corner
SLOW = 1e-2  # m/s, below which friction grows with the speed
LOOSE = 1e-1  # the tolerance of methods that adapt their steps: contacts ask for more than it does
FINE = 1e-3  # and one at which the energy is kept as well
RUNS = {"euler": (1e-3, 5e-4, 2e-4), "rk4": (1e-3, 5e-4), "order5": (LOOSE, FINE), "stiff": (LOOSE,)}
ADAPTIVE = ("order5", "stiff")
AHEAD = 1e-3  # s for which SciPy's broad phase looks ahead


def pile() -> Model:
    """Twelve boxes, any of which may touch any other and the floor."""
    inertia = MASS * SIDE**2 / 6
    names = [f"box{k}" for k in range(COUNT)]
    cube = Box((SIDE,) * 3)
    laws: dict[str, Any] = {"law": Linear(STIFFNESS, DAMPING), "friction": Coulomb(FRICTION, speed=SLOW)}
    bodies = [Body(x, mass=MASS, inertia=(inertia,) * 3, shapes=(cube,)) for x in names]
    floors = [Contact(f"{x}.floor", Surface(x), WORLD.plane(), **laws) for x in names]
    others = [Contact(f"{x}.{y}", Surface(x), Surface(y), **laws) for x, y in combinations(names, 2)]
    return Model(bodies, [Free(f"{x}.free", WORLD, x) for x in names], floors, others)


class OursPile:
    """The pile by our solvers; the setting is a step, or the tolerance of order5 and stiff."""

    name = "ours"

    def __init__(self) -> None:
        model = pile()
        self.equations = Equations(model)
        self.y = np.zeros(self.equations.layout.size)
        self.y[: 7 * COUNT] = np.hstack(start()).ravel()

    def runs(self) -> dict[tuple[str, float], Callable[[], Landing]]:
        """Per method and step or tolerance: a run."""

        def run(method: str, setting: float) -> Callable[[], Landing]:
            return lambda: self.ran(method, setting)

        return {(m, x): run(m, x) for m, settings in RUNS.items() for x in settings}

    def ran(self, method: str, setting: float, until: float = UNTIL) -> Landing:
        """One run."""
        adaptive = method in ADAPTIVE
        took, run, end = self.equations.timed(method, until, self.y, setting, adaptive)
        return self.landing(took, run.steps, end)

    def landing(self, took: float, steps: int, end: Any) -> Landing:
        """How a run ended."""
        q, v, _, _ = self.equations.layout.split(end)
        poses, speeds = q.reshape(COUNT, 7), v.reshape(COUNT, 6)
        return Landing(took, max(steps, 1), poses[:, :3], poses[:, 3:], speeds[:, 3:])

    def close(self) -> None:
        """Nothing to end."""


class ScipyPile:
    """`solve_ivp` on our equations."""

    name = "scipy"

    def __init__(self) -> None:
        self.ours = OursPile()

    def runs(self) -> dict[tuple[str, float], Callable[[], Landing]]:
        """One run."""
        return {("RK45", LOOSE): self.ran}

    def rates(self, t: float, y: Any) -> Any:
        """dy, of the pairs that are near."""
        handles, time, dy = self.ours.equations.handles("rk4"), np.array([t]), np.empty(len(y))
        handles["prepare"](np.array([AHEAD]), time, y)
        handles["f"](time, y, dy)
        return dy

    def ran(self, until: float = UNTIL) -> Landing:
        """From the start until then."""
        from scipy.integrate import solve_ivp

        begin, y = clock(), self.ours.y
        solution = solve_ivp(
            self.rates, (0.0, until), y, "RK45", rtol=LOOSE, atol=ABSOLUTE * LOOSE, t_eval=(until,)
        )
        took = clock() - begin
        end = solution.y[:, -1] if solution.success else np.full(len(y), np.nan)
        for k in self.ours.equations.system.quaternions:  # it does not know what they are
            end[k : k + 4] /= np.linalg.norm(end[k : k + 4])
        return self.ours.landing(took, solution.nfev // 6, end)

    def close(self) -> None:
        """Nothing to end."""
