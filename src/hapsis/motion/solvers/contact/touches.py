"""Which pairs touch in a step, where, and how the speeds move their points."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.contact.bristles import take_bristles
from hapsis.motion.solvers.contact.contact_memory import FULL, MOST_POINTS, SOLVED, WIDTH, ContactScene
from hapsis.motion.solvers.contact.geometry.manifold import manifold
from hapsis.motion.solvers.contact.near_pairs import body_velocities, find_candidates, place_solids


@native
def find_touches(scene: ContactScene) -> int:
    """SOLVED, or FULL where more pairs touch than there is room for; all touches and points are written."""
    place_solids(scene)
    body_velocities(scene)
    find_candidates(scene)
    touches = 0
    points = 0
    for c in range(scene.candidate_count):
        pair = int(scene.candidates[c])
        count = manifold(scene.solids, scene.first[pair], scene.second[pair], scene.margins[c], scene.found)
        if count == 0:
            continue
        if touches == scene.touch_room:
            return FULL
        scene.touch_pair[touches] = pair
        scene.touch_first[touches] = points
        for p in range(min(count, MOST_POINTS)):
            take_point(scene, points, at(scene.found, WIDTH * p))
            scene.share[points] = scene.solids.shares[p]
            points += 1
        relate(scene, touches)
        touches += 1
    scene.touch_count = touches
    scene.touch_first[touches] = points
    scene.point_count = points
    for k in range(touches):
        take_bristles(scene, k)
    return SOLVED


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
