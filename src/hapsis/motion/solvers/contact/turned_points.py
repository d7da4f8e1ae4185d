"""Points that ellipsoids turn onto within a step.

An ellipsoid touches at one point, and as it turns that point runs along its surface: on a thin disc from one
side of the rim to the other within a hundredth of a rad. A step that holds the point of now alone turns the
disc about it, and the next one back. So after the solution pairs are looked at where the speeds lead them;
what is deeper there than the points say is one more point of the step, at its place on the ellipsoid now.
"""

from hapsis.compiler.native import at, native, sqrt
from hapsis.motion.solvers.contact.contact_memory import MOST_POINTS, WIDTH, ContactScene
from hapsis.motion.solvers.contact.geometry.manifold import manifold
from hapsis.motion.solvers.contact.geometry.solids import ELLIPSOID
from hapsis.motion.solvers.contact.near_pairs import body_velocities
from hapsis.motion.solvers.contact.passing import keep_pose, moved_pose, nearest_point

DEEPER = 0.1  # of the smallest semi-axis: what is deeper than the points say by more is a point, too


@native
def find_turned(scene: ContactScene) -> int:
    """How many points that touches turn onto at the speeds v were missing; they are kept."""
    found = 0
    body_velocities(scene, scene.v)
    for k in range(scene.touch_count):
        pair = int(scene.touch_pair[k])
        for side in range(2):
            solid = int(scene.first[pair] if side == 0 else scene.second[pair])
            if scene.solids.kinds[solid] != ELLIPSOID or scene.solid_body[solid] < 0:
                continue
            if scene.turned_count < scene.touch_room and turns_onto(scene, k, solid, side):
                found += 1
    body_velocities(scene, scene.v0)
    return found


@native
def turns_onto(scene: ContactScene, k: int, solid: int, side: int) -> bool:
    """Whether the ellipsoid of a touch turns onto a point that is missing; it is kept."""
    pair = int(scene.touch_pair[k])
    first = int(scene.first[pair])
    second = int(scene.second[pair])
    size = at(scene.solids.sizes, 3 * solid)
    enough = DEEPER * min(size[0], min(size[1], size[2]))
    V = at(scene.V, 6 * scene.solid_body[solid])
    turn = scene.h * sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2])
    count = scene.touch_first[k + 1] - scene.touch_first[k]
    if turn * scene.solids.bounds[solid] < enough or count >= MOST_POINTS:
        return False
    told = 0.0
    for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
        told = min(told, scene.gap[p] + scene.h * scene.u[3 * p + 2])
    keep_pose(scene, first, 0, False)
    keep_pose(scene, second, 1, False)
    moved_pose(scene, first, 0, scene.h)
    moved_pose(scene, second, 1, scene.h)
    there = manifold(scene.solids, first, second, 0.0, scene.found)
    missing = False
    if there > 0:
        point = at(scene.found, WIDTH * nearest_point(scene.found, there))
        missing = point[6] < told - enough
        if missing:
            keep_turned(scene, pair, solid, side, WIDTH * nearest_point(scene.found, there))
    keep_pose(scene, first, 0, True)
    keep_pose(scene, second, 1, True)
    return missing


@native
def keep_turned(scene: ContactScene, pair: int, solid: int, side: int, where: int) -> None:
    """Keeps a point of then: its place on the ellipsoid now, and the gap from which the speeds lead to it."""
    point = at(scene.found, where)
    there = at(scene.solids.poses, 12 * solid)
    now = at(scene.start_poses, 12 * side)
    kept = at(scene.turned_points, WIDTH * scene.turned_count)
    outward = 0.5 * point[6] if side == 0 else -0.5 * point[6]
    for i in range(3):
        kept[i] = now[9 + i]
        kept[3 + i] = point[3 + i]
    for j in range(3):
        local = 0.0
        for i in range(3):
            local += there[3 * i + j] * (point[i] + outward * point[3 + i] - there[9 + i])
        for i in range(3):
            kept[i] += now[3 * i + j] * local
    kept[6] = point[6]
    for other in range(2):
        body = int(scene.solid_body[scene.first[pair] if other == 0 else scene.second[pair]])
        if body < 0:
            continue
        V = at(scene.V, 6 * body)
        X = at(scene.X, 12 * body)
        x = kept[0] - X[9]
        y = kept[1] - X[10]
        z = kept[2] - X[11]
        rate = kept[3] * (V[3] + V[1] * z - V[2] * y)
        rate += kept[4] * (V[4] + V[2] * x - V[0] * z) + kept[5] * (V[5] + V[0] * y - V[1] * x)
        kept[6] -= scene.h * (rate if other == 0 else -rate)
    scene.turned_pair[scene.turned_count] = pair
    scene.turned_count += 1


@native
def with_turned(scene: ContactScene, pair: int, count: int) -> int:
    """How many points a pair has with those that it turns onto; all are in `found`."""
    for m in range(scene.turned_count):
        if scene.turned_pair[m] == pair and count < MOST_POINTS:
            for i in range(WIDTH):
                scene.found[WIDTH * count + i] = scene.turned_points[WIDTH * m + i]
            scene.solids.shares[count] = 1.0
            count += 1
    return count


@native
def forget_uses(scene: ContactScene) -> None:
    """Points of the step before are nobody's again: touches are found anew."""
    for k in range(scene.old_touches):
        pair = int(scene.old_pair[k])
        for o in range(scene.old_first[pair], scene.old_first[pair] + scene.old_count[pair]):
            scene.old_used[o] = 0
