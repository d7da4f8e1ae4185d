"""Which pairs of solids may touch in a step: where solids are, how far they move, and which are near."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.contact.geometry.broad_phase import candidates

NEAR = 0.01  # of the smaller solid: points that are nearer are looked at, also at rest
ENDLESS = 1e200  # m: the bound of planes and grounds


@native
def place_solids(scene: ContactScene) -> None:
    """Puts all solids where their bodies are."""
    for s in range(scene.solids_count):
        body = int(scene.solid_body[s])
        if body < 0:
            continue  # it was placed once
        X = at(scene.X, 12 * body)
        local = at(scene.local, 12 * s)
        pose = at(scene.solids.poses, 12 * s)
        for i in range(3):
            for j in range(3):
                pose[3 * i + j] = (
                    X[3 * i] * local[j] + X[3 * i + 1] * local[3 + j] + X[3 * i + 2] * local[6 + j]
                )
            pose[9 + i] = X[9 + i] + X[3 * i] * local[9] + X[3 * i + 1] * local[10] + X[3 * i + 2] * local[11]


@native
def body_velocities(scene: ContactScene, v: Array) -> None:
    """V = J v of every body."""
    for k in range(scene.body_count):
        first = int(scene.support_first[k])
        count = scene.support_first[k + 1] - first
        J = at(scene.J, scene.body_J[k])
        V = at(scene.V, 6 * k)
        for i in range(6):
            total = 0.0
            for j in range(count):
                total += J[i * count + j] * v[scene.supports[first + j]]
            V[i] = total


@native
def reach(scene: ContactScene, solid: int) -> float:
    """How far any point of a solid can move within the step."""
    body = int(scene.solid_body[solid])
    if body < 0:
        return 0.0
    V = at(scene.V, 6 * body)
    pose = at(scene.solids.poses, 12 * solid)
    X = at(scene.X, 12 * body)
    bound = scene.solids.bounds[solid]
    arm = 0.0
    for i in range(3):
        away = pose[9 + i] - X[9 + i]
        arm += away * away
    turning = sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2])
    if bound > ENDLESS:
        bound = 0.0
    speed = sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5]) + turning * (sqrt(arm) + bound)
    return scene.h * speed


@native
def look_ahead(scene: ContactScene, first: int, second: int) -> float:
    """The distance up to which two solids are looked at in this step."""
    smaller = min(scene.solids.bounds[first], scene.solids.bounds[second])
    return NEAR * smaller + reach(scene, first) + reach(scene, second)


@native
def find_candidates(scene: ContactScene) -> None:
    """The pairs that may touch in this step, and how far each is looked at."""
    if not scene.swept:
        find_all_candidates(scene)
        return
    for s in range(scene.solids_count):
        bound = scene.solids.bounds[s]
        scene.reaches[s] = reach(scene, s) + (0.0 if bound > ENDLESS else NEAR * bound)
    scene.candidate_count = candidates(
        scene.solids, scene.reaches, scene.sweep, scene.pair_table, scene.candidates
    )
    for c in range(scene.candidate_count):
        pair = int(scene.candidates[c])
        scene.margins[c] = look_ahead(scene, int(scene.first[pair]), int(scene.second[pair]))


@native
def find_all_candidates(scene: ContactScene) -> None:
    """The pairs whose bounding balls come near, of all pairs: for few of them, or too many solids."""
    poses = scene.solids.poses
    bounds = scene.solids.bounds
    count = 0
    for k in range(scene.pair_count):
        first = int(scene.first[k])
        second = int(scene.second[k])
        margin = look_ahead(scene, first, second)
        far = bounds[first] + bounds[second] + margin
        square = 0.0
        for i in range(3):
            away = poses[12 * first + 9 + i] - poses[12 * second + 9 + i]
            square += away * away
        if far > ENDLESS or square < far * far:
            scene.candidates[count] = k
            scene.margins[count] = margin
            count += 1
    scene.candidate_count = count
