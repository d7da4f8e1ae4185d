"""The speeds at the end of a step: the solution of its contacts, with impacts that gain no energy.

A given restitution together with friction can give more energy than there was [Kane]: friction turns what
hits, and its point then leaves faster than the impact alone would let it. Such rebounds are made slower.
"""

from hapsis.compiler.native import native
from hapsis.motion.solvers.contact.contact_memory import SOLVED, ContactScene
from hapsis.motion.solvers.contact.newton import solve_velocities, velocities_of_points

CALMINGS = 6  # times that rebounds are made slower in a step
GAIN = 1e-12  # of the energy of rebounds that they may gain
OVER = 1.1  # times what would do
LEAST = 0.1  # of a rebound: what would be left of less is nothing


@native
def solve_step(scene: ContactScene) -> int:
    """As `solve_velocities`, with impacts that rebound no further than they may without a gain of energy."""
    status = solve_velocities(scene)
    for _ in range(CALMINGS):
        if status != SOLVED or not calm_rebounds(scene):
            return status
        status = solve_velocities(scene)
    return status


@native
def calm_rebounds(scene: ContactScene) -> bool:
    """Whether impacts that rebound did work together; they are made slower then.

    W = Σ γ · (u₀ + u) / 2 falls by at least γ_n / 2 with the speed of the rebound.
    """
    bounced = False
    for p in range(scene.point_count):
        bounced = bounced or (scene.rebound[p] > 0.0 and scene.gamma[3 * p + 2] > 0.0)
    if not bounced:
        return False
    for i in range(scene.n_v):
        scene.dv[i] = scene.v[i] - scene.v0[i]
    velocities_of_points(scene, True)
    work = 0.0
    given = 0.0
    for p in range(scene.point_count):
        if scene.rebound[p] > 0.0:
            for i in range(3):
                work += scene.gamma[3 * p + i] * (scene.u[3 * p + i] - 0.5 * scene.du[3 * p + i])
            given += 0.5 * scene.gamma[3 * p + 2] * scene.rebound[p]
    if work <= GAIN * given:
        return False
    part = 1.0 - OVER * work / given
    for p in range(scene.point_count):
        scene.rebound[p] *= part if part > LEAST else 0.0
    return True
