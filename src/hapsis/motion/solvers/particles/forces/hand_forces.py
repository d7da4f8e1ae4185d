"""Forces of probes and grabs on particles, and what hands feel.

A probe is a ball. Its touch has the energy λ d² / 2 of its depth d = radius - distance to the nearest point
of an object, counted along the inward normal; its force goes to the facet's corners by their shares, which
keeps force and moment. A grab is a spring/damper between a particle and a place. Both move along a line in
each interval, so that the mean force that a hand feels, times its way, is the work that it does.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.forces.hand_memory import GRAB, LAW, PROBE, HandMemory
from hapsis.motion.solvers.particles.forces.nearest_point import dot, touch
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def hand_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds the forces of all hands at the time `moment`."""
    hands = scene.hands
    for n in range(hands.count):
        feels = at(hands.next_force, 3 * n)
        for m in range(3):
            feels[m] = 0.0
        if hands.on[n] == 0.0:
            for k in range(hands.objects):
                hands.next_press[n * hands.objects + k] = 0.0
            continue
        if hands.kind[n] == GRAB:
            grab_force(scene, n, x, v, force)
        else:
            probe_force(scene, n, x, v, force)


@native
def grab_force(scene: ParticleMemory, n: int, x: Array, v: Array, force: Array) -> None:
    """Adds the force of a grab, F = -(λ (x - p) + μ (v - dp/dt))."""
    hands = scene.hands
    stiffness, damping = hands.law[LAW * n], hands.law[LAW * n + 1]
    i = 3 * int(hands.particle[n])
    since = scene.moment - hands.t0
    for m in range(3):
        stretch = x[i + m] - hands.place[3 * n + m] - hands.pace[3 * n + m] * since
        rate = v[i + m] - hands.pace[3 * n + m]
        f = -(stiffness * stretch + damping * rate)
        force[i + m] += f
        hands.next_force[3 * n + m] -= f
        scene.next_potential += 0.5 * stiffness * stretch * stretch
        scene.next_power += damping * rate * rate


@native
def probe_force(scene: ParticleMemory, n: int, x: Array, v: Array, force: Array) -> None:
    """Adds the forces of a probe on all objects that it touches."""
    hands = scene.hands
    law = at(hands.law, LAW * n)
    pace = at(hands.pace, 3 * n)
    p = at(hands.next_axis, 3 * hands.count * hands.objects)  # room behind the axes
    since = scene.moment - hands.t0
    for k in range(hands.objects):
        row = n * hands.objects + k
        for m in range(3):
            p[m] = hands.place[3 * n + m] + pace[m] * since
        depth = touch(hands, x, n, k, p, law[2])
        hands.depth[row] = depth
        hands.next_press[row] = 0.0
        if depth <= 0.0:
            continue
        axis, share = at(hands.next_axis, 3 * row), at(hands.next_share, 3 * row)
        rate = dot(pace, axis)
        for e in range(3):
            i = 3 * int(hands.next_ends[3 * row + e])
            rate -= share[e] * dot(at(v, i), axis)
        f = law[0] * depth + law[1] * rate
        if f > 0.0:
            scene.next_power += law[1] * rate * rate
        else:
            # it does not pull: the damper takes what the spring gives
            f = 0.0
            scene.next_power -= law[0] * depth * rate
        scene.next_potential += 0.5 * law[0] * depth * depth
        hands.next_press[row] = f
        for m in range(3):
            hands.next_force[3 * n + m] -= f * axis[m]
            for e in range(3):
                force[3 * int(hands.next_ends[3 * row + e]) + m] += f * share[e] * axis[m]


@native
def hand_friction(scene: ParticleMemory, start: bool, v0: Array, v: Array, h: float) -> float:
    """Friction between probes and what they touch over a time h; the energy that it takes, J.

    The slip of the point that touches stops where the impulse s N h suffices for it, else c N h acts on it;
    its work as that of `plane_friction`.
    """
    hands = scene.hands
    taken = 0.0
    for row in range(hands.count * hands.objects):
        n = row // hands.objects
        static, kinetic = hands.law[LAW * n + 3], hands.law[LAW * n + 4]
        press = hands.press[row] if start else hands.next_press[row]
        if hands.kind[n] != PROBE or static == 0.0 or press <= 0.0:
            continue
        axis = at(hands.axis, 3 * row) if start else at(hands.next_axis, 3 * row)
        share = at(hands.share, 3 * row) if start else at(hands.next_share, 3 * row)
        slip = hands.best
        weight, first = 0.0, hands.other
        for m in range(3):
            slip[m] = -hands.pace[3 * n + m]
            first[m] = slip[m]
        for e in range(3):
            i = int(hands.ends[3 * row + e]) if start else int(hands.next_ends[3 * row + e])
            weight += share[e] * share[e] * scene.ease[i]
            for m in range(3):
                slip[m] += share[e] * v[3 * i + m]
                first[m] += share[e] * v0[3 * i + m]
        along = dot(slip, axis)
        for m in range(3):
            slip[m] -= along * axis[m]
        speed = sqrt(dot(slip, slip))
        if weight <= 0.0 or speed <= 0.0:
            continue
        most = speed / weight
        size = most if most <= static * press * h else kinetic * press * h
        taken += 0.5 * size * (dot(first, slip) / speed + speed - size * weight)
        for m in range(3):
            push = -size * slip[m] / speed
            hands.rub[3 * n + m] -= push
            hands.work += push * hands.pace[3 * n + m]
            for e in range(3):
                i = int(hands.ends[3 * row + e]) if start else int(hands.next_ends[3 * row + e])
                v[3 * i + m] += push * share[e] * scene.ease[i]
    return taken


@native
def begin_hands(hands: HandMemory) -> None:
    """No friction yet in the step that is tried."""
    hands.work = 0.0
    for m in range(3 * hands.count):
        hands.rub[m] = 0.0


@native
def hand_work(hands: HandMemory, h: float) -> float:
    """What hands do in the step that is tried, J."""
    total = hands.work
    for m in range(3 * hands.count):
        total -= 0.5 * h * (hands.force[m] + hands.next_force[m]) * hands.pace[m]
    return total


@native
def accept_hands(hands: HandMemory, h: float) -> None:
    """Goes on from the end of a step of length h."""
    for m in range(3 * hands.count):
        hands.impulse[m] += 0.5 * h * (hands.force[m] + hands.next_force[m]) + hands.rub[m]
    keep_hands(hands)


@native
def keep_hands(hands: HandMemory) -> None:
    """The forces and touches that were found last are those of the state."""
    for m in range(3 * hands.count):
        hands.force[m] = hands.next_force[m]
    for row in range(hands.count * hands.objects):
        hands.press[row] = hands.next_press[row]
        for m in range(3 * row, 3 * row + 3):
            hands.ends[m] = hands.next_ends[m]
            hands.share[m] = hands.next_share[m]
            hands.axis[m] = hands.next_axis[m]


@native
def hand_step(scene: ParticleMemory, longest: float) -> float:
    """The longest calm step, s, of particles that hands touch or hold, if it is less than `longest`."""
    hands = scene.hands
    for n in range(hands.count):
        stiffness, damping = hands.law[LAW * n], hands.law[LAW * n + 1]
        if hands.kind[n] == GRAB and hands.on[n] != 0.0:
            longest = min(longest, calm(scene, int(hands.particle[n]), stiffness, damping))
        for row in range(n * hands.objects, (n + 1) * hands.objects):
            if hands.kind[n] == PROBE and hands.press[row] > 0.0:
                for e in range(3):
                    part = hands.share[3 * row + e]
                    i = int(hands.ends[3 * row + e])
                    longest = min(longest, calm(scene, i, part * stiffness, part * damping))
    return longest


@native
def calm(scene: ParticleMemory, i: int, stiffness: float, damping: float) -> float:
    """The longest calm step of a particle with one more spring/damper."""
    k = scene.stiff[i] + stiffness * scene.ease[i]
    d = scene.damp[i] + damping * scene.ease[i]
    return 1.0 / (0.5 * d + sqrt(0.25 * d * d + 0.3 * k)) if k > 0.0 or d > 0.0 else 1e300
