"""The pile by our own solvers: `hs.Box` shapes, a spring and damper at each corner that touches.

Stiffness, damping and the speed below which friction grows are those that Exudyn's feet have. All
66 pairs of boxes are one kernel, mapped over those that its broad phase leaves.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from hapsis.bench._simulate_ours import Equations
from hapsis.bench._simulate_pile import COUNT, FRICTION, MASS, SIDE, UNTIL, Landing, start
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contact_laws.linear import Linear
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.frames import WORLD
from hapsis.mechanics.model.free import Free
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes import Box
from hapsis.mechanics.model.surfaces import Surface

STIFFNESS, DAMPING = 2e4, 100.0  # N/m and N s/m of one corner
SLOW = 1e-2  # m/s, below which friction grows with the speed
RUNS = {"euler": (5e-4, 2e-4, 1e-4), "rk4": (5e-4, 2e-4), "order5": (1e-3,), "stiff": (1e-2,)}
ADAPTIVE = ("order5", "stiff")


def pile() -> Model:
    """Twelve boxes, any of which may touch any other and the floor."""
    inertia = MASS * SIDE**2 / 6
    names = [f"box{k}" for k in range(COUNT)]
    laws: dict[str, Any] = {
        "law": Linear(STIFFNESS, DAMPING),
        "friction": Coulomb(FRICTION, speed=SLOW),
    }
    bodies = [Body(x, mass=MASS, inertia=(inertia,) * 3, shapes=Box((SIDE,) * 3)) for x in names]
    floors = [Contact(f"{x}.floor", Surface(x), WORLD.plane(), **laws) for x in names]
    others = [
        Contact(f"{x}.{y}", Surface(x), Surface(y), **laws) for x, y in combinations(names, 2)
    ]
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
        q, v, _, _ = self.equations.layout.split(end)
        poses, speeds = q.reshape(COUNT, 7), v.reshape(COUNT, 6)
        return Landing(took, max(run.steps, 1), poses[:, :3], poses[:, 3:], speeds[:, 3:])

    def close(self) -> None:
        """Nothing to end."""
