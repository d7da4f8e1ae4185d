"""The memory of points from step to step: bristles that hold what sticks, and whether a point has pushed.

Bristles bend by what slips from the kick of a step to that of the next, h (u⁺ + u₀) / 2 by the rates after
one and before the other: a drift turns velocities, and what is carried in a circle slips though u⁺ = 0.
"""

from hapsis.compiler.native import at, native
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.contact.near_pairs import reach

SAME = 0.05  # of the smaller solid: a point that is nearer to one of the step before is that point
RESTS = 1e-9  # of the smaller solid in a step: a new point that slips by less sticks already
OTHER = -0.5  # cos of the angle that a normal tilts by within a step: a point of more is another one


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
def rests(scene: ContactScene, k: int, p: int, way: float) -> bool:
    """Whether a point of a touch slips by no more than that in the step, at the velocity of its start."""
    most = way / scene.h
    return abs(rate_at(scene, k, p, 0)) <= most and abs(rate_at(scene, k, p, 1)) <= most


@native
def mean_spin(scene: ContactScene, pair: int) -> None:
    """`spin`: the mean of the angular velocities of both bodies of a pair, which its bristles turn with."""
    for i in range(3):
        scene.spin[i] = 0.0
    for side in range(2):
        body = int(scene.solid_body[scene.first[pair] if side == 0 else scene.second[pair]])
        if body >= 0:
            for i in range(3):
                scene.spin[i] += 0.5 * scene.V[6 * body + i]


@native
def slip_in_turn(scene: ContactScene, k: int, o: int, p: int) -> None:
    """Bends the bristles of a point by the second half of what slips since the kick before.

    Halves are those of a trapezoid, in axes that turn by ω. Where one body flies straight and another goes
    round, at a relative acceleration Δu / h that turns too, -h³/12 ü is left: h²/6 ω × Δu, in the middle.
    """
    axes = at(scene.axes, 9 * p)
    rate = scene.rate
    w = scene.spin
    h = scene.h
    for i in range(3):
        rate[i] = rate_at(scene, k, p, i)
    for i in range(3):
        rate[3 + i] = axes[i] * rate[0] + axes[3 + i] * rate[1] + axes[6 + i] * rate[2]
        rate[3 + i] -= scene.old_rate[3 * o + i]
    x = h / 6.0 * (w[1] * rate[5] - w[2] * rate[4])
    y = h / 6.0 * (w[2] * rate[3] - w[0] * rate[5])
    z = h / 6.0 * (w[0] * rate[4] - w[1] * rate[3])
    rate[3] = x + 0.5 * h * (w[1] * z - w[2] * y)
    rate[4] = y + 0.5 * h * (w[2] * x - w[0] * z)
    rate[5] = z + 0.5 * h * (w[0] * y - w[1] * x)
    for i in range(2):
        more = axes[3 * i] * rate[3] + axes[3 * i + 1] * rate[4] + axes[3 * i + 2] * rate[5]
        scene.bent[2 * p + i] += scene.stiff[p] * h * (0.5 * rate[i] + more)


@native
def carry(scene: ContactScene, o: int, p: int) -> None:
    """`carried`: the force of an old point's bristles, turned as its normal tilts, and about it by ω."""
    n = at(scene.axes, 9 * p + 6)
    old = at(scene.old_normal, 3 * o)
    force = at(scene.old_force, 3 * o)
    f = scene.carried
    cosine = old[0] * n[0] + old[1] * n[1] + old[2] * n[2]
    along = force[0] * n[0] + force[1] * n[1] + force[2] * n[2]
    tilt = along / (1.0 + cosine) if cosine > OTHER else 0.0
    for i in range(3):
        f[i] = force[i] - tilt * (old[i] + n[i])
    # by tan(a / 2) = a / 2: a turn, which keeps the length, to the cube of a small angle
    t = 0.5 * scene.h * (scene.spin[0] * n[0] + scene.spin[1] * n[1] + scene.spin[2] * n[2])
    c = (1.0 - t * t) / (1.0 + t * t)
    s = 2.0 * t / (1.0 + t * t)
    x = n[1] * f[2] - n[2] * f[1]
    y = n[2] * f[0] - n[0] * f[2]
    z = n[0] * f[1] - n[1] * f[0]
    f[0] = c * f[0] + s * x
    f[1] = c * f[1] + s * y
    f[2] = c * f[2] + s * z


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
    mean_spin(scene, pair)
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
        scene.start_rate[p] = rate_at(scene, k, p, 2)
        scene.fresh[p] = 1
        scene.resolved[p] = 0
        if best >= 0:
            if scene.old_pushed[best] != 0:
                scene.fresh[p] = 0
                scene.resolved[p] = scene.old_resolved[best]
            scene.old_used[best] = 1
            axes = at(scene.axes, 9 * p)
            carry(scene, best, p)
            force = scene.carried
            for i in range(2):
                scene.bent[2 * p + i] = (
                    axes[3 * i] * force[0] + axes[3 * i + 1] * force[1] + axes[3 * i + 2] * force[2]
                )
            if scene.old_stuck[best] != 0:
                scene.limit[p] = friction[1]
                slip_in_turn(scene, k, best, p)
        elif rests(scene, k, p, RESTS * smaller):
            scene.limit[p] = friction[1]


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
                # sliding, bristles bend on to where they hold the force alone: f + τ ḟ = -γ / h
                part = scene.h / (scene.h + scene.friction[4 * pair + 3])
                one = scene.bent[2 * p] - part * (scene.bent[2 * p] + scene.gamma[3 * p] / scene.h)
                two = scene.bent[2 * p + 1] - part * (
                    scene.bent[2 * p + 1] + scene.gamma[3 * p + 1] / scene.h
                )
            for i in range(3):
                scene.old_place[3 * p + i] = scene.place[3 * p + i]
                scene.old_force[3 * p + i] = one * axes[i] + two * axes[3 + i]
                scene.old_normal[3 * p + i] = axes[6 + i]
                scene.old_rate[3 * p + i] = (
                    axes[i] * scene.u[3 * p]
                    + axes[3 + i] * scene.u[3 * p + 1]
                    + axes[6 + i] * scene.u[3 * p + 2]
                )
            scene.old_stuck[p] = scene.stuck[p]
            scene.old_pushed[p] = 1 if scene.gamma[3 * p + 2] > 0.0 else 0
            scene.old_resolved[p] = scene.resolved[p]
            scene.old_used[p] = 0
    scene.old_touches = scene.touch_count
