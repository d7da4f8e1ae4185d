"""The memory of points from step to step: bristles that hold what sticks, and whether a point has pushed.

Bristles bend by what slips from the kick of a step to that of the next, h (u⁺ + u₀) / 2 by the rates after
one and before the other: a drift turns velocities, and what is carried in a circle slips though u⁺ = 0.
"""

from hapsis.compiler.native import at, native
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.contact.near_pairs import reach
from hapsis.motion.solvers.contact.rebounds import take_rebound

SAME = 0.05  # of the smaller solid: a point that is nearer to one of the step before is that point


@native
def eased(scene: ContactScene, pair: int) -> float:
    """1/kg: how easily the bodies of a pair are moved against each other, about."""
    total = 0.0
    first = scene.solid_body[scene.first[pair]]
    second = scene.solid_body[scene.second[pair]]
    if first >= 0:
        total += float(scene.ease[first])
    if second >= 0:
        total += float(scene.ease[second])
    return max(total, 1e-300)


@native
def start_velocity(scene: ContactScene, k: int) -> None:
    """The velocity of a touch at the start of the step."""
    V = at(scene.touch_V, 6 * k)
    for i in range(6):
        V[i] = 0.0
    index = at(scene.touch_index, k * scene.widest)
    P = at(scene.touch_P, k * 6 * scene.widest)
    for j in range(scene.touch_size[2 * k] + scene.touch_size[2 * k + 1]):
        for i in range(6):
            V[i] += P[6 * j + i] * scene.v0[index[j]]


@native
def rate_at(scene: ContactScene, k: int, p: int, axis: int) -> float:
    """The velocity of a point of a touch along one of its axes at the start of the step."""
    V = at(scene.touch_V, 6 * k)
    x = scene.place[3 * p] - scene.touch_at[3 * k]
    y = scene.place[3 * p + 1] - scene.touch_at[3 * k + 1]
    z = scene.place[3 * p + 2] - scene.touch_at[3 * k + 2]
    n = at(scene.axes, 9 * p + 3 * axis)
    return (
        n[0] * (V[3] + V[1] * z - V[2] * y)
        + n[1] * (V[4] + V[2] * x - V[0] * z)
        + n[2] * (V[5] + V[0] * y - V[1] * x)
    )


@native
def take_bristles(scene: ContactScene, k: int) -> None:
    """Gives the points of a touch the bristles of the nearest points of the step before."""
    pair = int(scene.touch_pair[k])
    friction = at(scene.friction, 4 * pair)
    stiffness = friction[2]
    ease = eased(scene, pair)
    if stiffness <= 0.0:
        stiffness = 1.0 / (scene.h * scene.h * ease)
    smaller = min(scene.solids.bounds[scene.first[pair]], scene.solids.bounds[scene.second[pair]])
    near = SAME * smaller + reach(scene, scene.first[pair]) + reach(scene, scene.second[pair])
    start = int(scene.old_first[pair])
    start_velocity(scene, k)
    for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
        scene.stiff[p] = scene.share[p] * stiffness if friction[2] > 0.0 else stiffness
        scene.limit[p] = friction[0]
        scene.bent[2 * p] = 0.0
        scene.bent[2 * p + 1] = 0.0
        best = -1
        least = near * near
        for o in range(start, start + scene.old_count[pair]):
            if scene.old_used[o] == 0:
                square = 0.0
                for i in range(3):
                    away = scene.old_place[3 * o + i] - scene.place[3 * p + i]
                    square += away * away
                if square < least:
                    least = square
                    best = o
        if best < 0 or scene.old_pushed[best] == 0:
            take_rebound(scene, p, pair, ease, rate_at(scene, k, p, 2))
        else:
            scene.rebound[p] = 0.0
        if best >= 0:
            scene.old_used[best] = 1
            axes = at(scene.axes, 9 * p)
            force = at(scene.old_force, 3 * best)
            for i in range(2):
                scene.bent[2 * p + i] = (
                    axes[3 * i] * force[0] + axes[3 * i + 1] * force[1] + axes[3 * i + 2] * force[2]
                )
            if scene.old_stuck[best] != 0:
                scene.limit[p] = friction[1]
                for i in range(2):
                    scene.bent[2 * p + i] += 0.5 * scene.stiff[p] * scene.h * rate_at(scene, k, p, i)


@native
def keep_points(scene: ContactScene) -> None:
    """Keeps points and the forces of their bristles for the next step."""
    for k in range(scene.old_touches):
        scene.old_count[scene.old_pair[k]] = 0
    for k in range(scene.touch_count):
        pair = int(scene.touch_pair[k])
        first = int(scene.touch_first[k])
        scene.old_pair[k] = pair
        scene.old_first[pair] = first
        scene.old_count[pair] = scene.touch_first[k + 1] - first
        for p in range(first, scene.touch_first[k + 1]):
            axes = at(scene.axes, 9 * p)
            one = 0.0
            two = 0.0
            if scene.stuck[p] != 0:
                one = scene.bent[2 * p] + 0.5 * scene.stiff[p] * scene.h * scene.u[3 * p]
                two = scene.bent[2 * p + 1] + 0.5 * scene.stiff[p] * scene.h * scene.u[3 * p + 1]
            elif scene.radius[p] > 0.0:
                # sliding, the bristles are bent as far as they can be, against the impulse
                one = -scene.gamma[3 * p] / scene.h
                two = -scene.gamma[3 * p + 1] / scene.h
            for i in range(3):
                scene.old_place[3 * p + i] = scene.place[3 * p + i]
                scene.old_force[3 * p + i] = one * axes[i] + two * axes[3 + i]
            scene.old_stuck[p] = scene.stuck[p]
            scene.old_pushed[p] = 1 if scene.gamma[3 * p + 2] > 0.0 else 0
            scene.old_used[p] = 0
    scene.old_touches = scene.touch_count
