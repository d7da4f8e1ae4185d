"""Which pairs touch in a step, where, and how the speeds move their points."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.contact.bristles import take_bristles
from hapsis.motion.solvers.contact.contact_memory import FULL, MOST_POINTS, SOLVED, WIDTH, ContactScene
from hapsis.motion.solvers.contact.geometry.manifold import manifold
from hapsis.motion.solvers.contact.near_pairs import (
    body_velocities,
    find_candidates,
    look_ahead,
    place_solids,
)
from hapsis.motion.solvers.contact.passing import far_apart, passes_by, points_of_hit
from hapsis.motion.solvers.contact.rebounds import take_rebounds
from hapsis.motion.solvers.contact.turned_points import find_turned, forget_uses, with_turned


@native
def find_touches(scene: ContactScene) -> int:
    """SOLVED, or FULL where more pairs touch than there is room for; all touches and points are written."""
    place_solids(scene)
    body_velocities(scene, scene.v0)
    find_candidates(scene)
    scene.touch_count = 0
    scene.point_count = 0
    scene.passing_count = 0
    scene.touch_first[0] = 0
    for c in range(scene.candidate_count):
        pair = int(scene.candidates[c])
        count = points_of(scene, c)
        if count == 0:
            continue
        if far_apart(scene, pair, scene.margins[c], count):
            if passes_by(scene, pair, scene.margins[c], count):
                scene.passing[scene.passing_count] = c
                scene.passing_gaps[scene.passing_count] = scene.passed_gap
                scene.passing_count += 1
                continue
            count = points_of_touch(scene, c)
        if scene.touch_count == scene.touch_room:
            return FULL
        add_touch(scene, pair, with_turned(scene, pair, count))
    take_rebounds(scene)
    return SOLVED


@native
def catch_turned(scene: ContactScene) -> int:
    """How many points that ellipsoids turn onto at the speeds v were missing; they are in the touches now.

    -1 where there is no room for them.
    """
    found = find_turned(scene)
    if found > 0:
        forget_uses(scene)
        if find_touches(scene) != SOLVED:
            return -1
    return found


@native
def points_of(scene: ContactScene, c: int) -> int:
    """How many points the pair of a candidate has; they go to `found`."""
    pair = scene.candidates[c]
    count = manifold(scene.solids, scene.first[pair], scene.second[pair], scene.margins[c], scene.found)
    return min(count, MOST_POINTS)


@native
def points_of_touch(scene: ContactScene, c: int) -> int:
    """As `points_of`, of a pair that hits at `hit_time`, with the points in `found`."""
    count = points_of_hit(scene, int(scene.candidates[c]))
    return count if count > 0 else points_of(scene, c)


@native
def add_touch(scene: ContactScene, pair: int, count: int) -> None:
    """One more touch, with the points in `found` and the bristles that it had."""
    k = scene.touch_count
    points = scene.point_count
    scene.touch_pair[k] = pair
    scene.touch_first[k] = points
    for p in range(count):
        take_point(scene, points + p, at(scene.found, WIDTH * p))
        scene.share[points + p] = scene.solids.shares[p]
    scene.point_count = points + count
    scene.touch_first[k + 1] = scene.point_count
    relate(scene, k)
    take_bristles(scene, k)
    scene.touch_count = k + 1


@native
def catch_passing(scene: ContactScene) -> int:
    """How many pairs that should pass each other by touch at the speeds v; they are touches now.

    -1 where there is no room for them.
    """
    body_velocities(scene, scene.v)
    caught = 0
    for m in range(scene.passing_count):
        c = int(scene.passing[m])
        pair = int(scene.candidates[c])
        margin = look_ahead(scene, int(scene.first[pair]), int(scene.second[pair]))
        if margin < scene.passing_gaps[m]:
            continue
        scene.margins[c] = margin
        count = points_of(scene, c)
        if count > 0 and not passes_by(scene, pair, scene.margins[c], count):
            scene.passing[m] = -1 - c
            caught += 1
    if scene.touch_count + caught > scene.touch_room:
        return -1
    if caught > 0:
        add_caught(scene)
    return caught


@native
def add_caught(scene: ContactScene) -> None:
    """Makes touches of the marked ones among the pairs that pass."""
    body_velocities(scene, scene.v0)
    left = 0
    for m in range(scene.passing_count):
        c = int(scene.passing[m])
        if c >= 0:
            scene.passing[left] = c
            scene.passing_gaps[left] = scene.passing_gaps[m]
            left += 1
        else:
            add_touch(scene, int(scene.candidates[-1 - c]), points_of(scene, -1 - c))
    scene.passing_count = left
    take_rebounds(scene)


@native
def take_point(scene: ContactScene, k: int, found: Array) -> None:
    """Keeps a point, with two tangents beside its normal."""
    place = at(scene.place, 3 * k)
    axes = at(scene.axes, 9 * k)
    for i in range(3):
        place[i] = found[i]
        axes[6 + i] = found[3 + i]
    scene.gap[k] = found[6]
    x = found[3]
    y = found[4]
    z = found[5]
    # a tangent from the axis that the normal is least along: [Duff]
    side = 1.0 if z >= 0.0 else -1.0
    a = -1.0 / (side + z)
    b = x * y * a
    axes[0] = 1.0 + side * x * x * a
    axes[1] = side * b
    axes[2] = -side * x
    axes[3] = b
    axes[4] = side + y * y * a
    axes[5] = -y


@native
def relate(scene: ContactScene, k: int) -> None:
    """The relative velocity of the bodies of a touch, at its first point, by the speeds that move them."""
    pair = int(scene.touch_pair[k])
    p = int(scene.touch_first[k])
    at_point = at(scene.touch_at, 3 * k)
    for i in range(3):
        at_point[i] = scene.place[3 * p + i]
    index = at(scene.touch_index, k * scene.widest)
    P = at(scene.touch_P, k * 6 * scene.widest)
    column = 0
    for side in range(2):
        solid = scene.first[pair] if side == 0 else scene.second[pair]
        sign = 1.0 if side == 0 else -1.0
        body = int(scene.solid_body[solid])
        scene.touch_size[2 * k + side] = 0
        scene.touch_block[2 * k + side] = -1
        if body < 0:
            continue
        first = int(scene.support_first[body])
        count = scene.support_first[body + 1] - first
        scene.touch_size[2 * k + side] = count
        scene.touch_block[2 * k + side] = scene.body_block[body] if count > 0 else -1
        J = at(scene.J, scene.body_J[body])
        X = at(scene.X, 12 * body)
        x = at_point[0] - X[9]
        y = at_point[1] - X[10]
        z = at_point[2] - X[11]
        for j in range(count):
            wx = J[j]
            wy = J[count + j]
            wz = J[2 * count + j]
            P[6 * column] = sign * wx
            P[6 * column + 1] = sign * wy
            P[6 * column + 2] = sign * wz
            P[6 * column + 3] = sign * (J[3 * count + j] + wy * z - wz * y)
            P[6 * column + 4] = sign * (J[4 * count + j] + wz * x - wx * z)
            P[6 * column + 5] = sign * (J[5 * count + j] + wx * y - wy * x)
            index[column] = int(scene.supports[first + j])
            column += 1
