"""Pairs that come near in a step and pass each other by: their points must not push.

A touch holds to the tangent planes of its points. Of a pair that is far from each other by the way of a step
that says too much: a ball that flies past an edge crosses the plane in front of it. Such a pair is followed
through the step along its free motion, by steps as long as its gap cannot close in [Ericson].
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.contact_memory import WIDTH, ContactScene
from hapsis.motion.solvers.contact.geometry.manifold import manifold
from hapsis.motion.solvers.contact.geometry.solids import HEIGHTFIELD
from hapsis.motion.solvers.contact.near_pairs import ENDLESS, NEAR

LOOKS = 40  # at a pair within a step; what is not known after that may touch
CLOSE = 0.1  # of NEAR: gaps below are touches
AHEAD = 1e-6  # of the step: the least way to the next look


@native
def closing_speed(scene: ContactScene, first: int, second: int, n: Array) -> float:
    """How fast two solids can come nearer along n within the step, n from the second to the first."""
    ground = scene.solids.kinds[first] == HEIGHTFIELD or scene.solids.kinds[second] == HEIGHTFIELD
    total = 0.0
    for side in range(2):
        solid = first if side == 0 else second
        body = int(scene.solid_body[solid])
        if body < 0:
            continue
        V = at(scene.V, 6 * body)
        spin = sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2])
        along = V[3] * n[0] + V[4] * n[1] + V[5] * n[2]
        if side == 0:
            along = -along
        if ground:
            along = sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])  # its normal is another one elsewhere
        total += along + spin * furthest(scene, solid, side)
    return total


@native
def furthest(scene: ContactScene, solid: int, side: int) -> float:
    """The distance of a solid's furthest point from the origin of its body; of grounds, of its own origin."""
    X = at(scene.X, 12 * scene.solid_body[solid])
    arm = 0.0
    for i in range(3):
        away = scene.start_poses[12 * side + 9 + i] - X[9 + i]
        arm += away * away
    bound = scene.solids.bounds[solid]
    return sqrt(arm) + (0.0 if bound > ENDLESS else bound)


@native
def keep_pose(scene: ContactScene, solid: int, side: int, back: bool) -> None:
    """Keeps where a solid is before it is moved, or puts it back."""
    pose = at(scene.solids.poses, 12 * solid)
    kept = at(scene.start_poses, 12 * side)
    for i in range(12):
        if back:
            pose[i] = kept[i]
        else:
            kept[i] = pose[i]


@native
def moved_pose(scene: ContactScene, solid: int, side: int, t: float) -> None:
    """Puts a solid where its body is after a time t of free motion."""
    body = int(scene.solid_body[solid])
    if body < 0:
        return
    V = at(scene.V, 6 * body)
    X = at(scene.X, 12 * body)
    kept = at(scene.start_poses, 12 * side)
    pose = at(scene.solids.poses, 12 * solid)
    # a turn by the vector 2 tan(a / 2) = a: off by its cube, as the drift of a step is
    x = 0.5 * t * V[0]
    y = 0.5 * t * V[1]
    z = 0.5 * t * V[2]
    over = 2.0 / (1.0 + x * x + y * y + z * z)
    for j in range(4):
        # the columns of R, then the way from the middle of the body to p
        k = j if j < 3 else 9
        by = 3 if j < 3 else 1
        a = kept[k] - (X[9] if j == 3 else 0.0)
        b = kept[k + by] - (X[10] if j == 3 else 0.0)
        c = kept[k + 2 * by] - (X[11] if j == 3 else 0.0)
        u = y * c - z * b
        v = z * a - x * c
        w = x * b - y * a
        pose[k] = a + over * (u + y * w - z * v)
        pose[k + by] = b + over * (v + z * u - x * w)
        pose[k + 2 * by] = c + over * (w + x * v - y * u)
    for i in range(3):
        pose[9 + i] += X[9 + i] + t * V[3 + i]


@native
def passes_by(scene: ContactScene, pair: int, margin: float, count: int) -> bool:
    """Whether two solids that are apart, with their points in `found`, do not touch in the step.

    Where it is false, `hit_time` is when, and `found` has the points of then.
    """
    points = scene.found
    first = int(scene.first[pair])
    second = int(scene.second[pair])
    smaller = min(scene.solids.bounds[first], scene.solids.bounds[second])
    close = CLOSE * NEAR * smaller
    keep_pose(scene, first, 0, False)
    keep_pose(scene, second, 1, False)
    t = 0.0
    misses = False
    scene.passed_gap = float(points[WIDTH * nearest_point(points, count) + 6])
    for _ in range(LOOKS):
        nearest = at(points, WIDTH * nearest_point(points, count))
        gap = nearest[6]
        if gap <= close:
            break
        fast = closing_speed(scene, first, second, at(nearest, 3))
        misses = fast * (scene.h - t) <= gap - close
        if misses:
            break
        t += max((gap - 0.5 * close) / fast, AHEAD * scene.h)
        misses = t >= scene.h
        if misses:
            break
        moved_pose(scene, first, 0, t)
        moved_pose(scene, second, 1, t)
        count = manifold(scene.solids, first, second, margin, points)
        misses = count == 0  # further apart than the ways of the whole step
        if misses:
            break
    keep_pose(scene, first, 0, True)
    keep_pose(scene, second, 1, True)
    scene.hit_time = t
    scene.hit_count = count
    return misses


@native
def points_of_hit(scene: ContactScene, pair: int) -> int:
    """How many points two solids have where they hit, if one of them is fixed: they go to `found`; else 0.

    They are where the other solid has them now, with the normals of the hit: those of now may be of a corner
    that is passed meanwhile. Of two that both move, the normals of now are on the line of their middles,
    as impulses must be that do not turn balls.
    """
    first = int(scene.solid_body[scene.first[pair]])
    second = int(scene.solid_body[scene.second[pair]])
    if first >= 0 and second >= 0:
        return 0
    body = max(first, second)
    sign = 1.0 if first >= 0 else -1.0
    V = at(scene.V, 6 * body)
    X = at(scene.X, 12 * body)
    t = scene.hit_time
    for p in range(scene.hit_count):
        point = at(scene.found, WIDTH * p)
        x = point[0] - X[9] - t * V[3]
        y = point[1] - X[10] - t * V[4]
        z = point[2] - X[11] - t * V[5]
        ux = V[3] + V[1] * z - V[2] * y
        uy = V[4] + V[2] * x - V[0] * z
        uz = V[5] + V[0] * y - V[1] * x
        point[6] -= t * sign * (ux * point[3] + uy * point[4] + uz * point[5])
        point[0] -= t * ux
        point[1] -= t * uy
        point[2] -= t * uz
    return scene.hit_count


@native
def far_apart(scene: ContactScene, pair: int, margin: float, count: int) -> bool:
    """Whether the points in `found` are new, and further apart than what rests or moves less in the step."""
    first = int(scene.first[pair])
    second = int(scene.second[pair])
    near = NEAR * min(scene.solids.bounds[first], scene.solids.bounds[second])
    gap = scene.found[WIDTH * nearest_point(scene.found, count) + 6]
    if gap <= CLOSE * near or (gap <= near and margin - near <= gap):
        return False
    start = int(scene.old_first[pair])
    for o in range(start, start + scene.old_count[pair]):
        if scene.old_pushed[o] != 0:
            return False
    return True


@native
def nearest_point(points: Array, count: int) -> int:
    """The number of the point with the least gap."""
    best = 0
    for p in range(1, count):
        if points[WIDTH * p + 6] < points[WIDTH * best + 6]:
            best = p
    return best
