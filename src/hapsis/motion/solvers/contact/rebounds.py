"""Restitution of impacts that are shorter than some steps: the speed after them, as the law has it.

An impact of RESOLVED steps or more is left to its law, by means over each step (see `mean_forces`). A shorter
one would lose its speed. There the point gets the speed e |u| of Newton's hypothesis, with the restitution e
that the law gives at this speed. Its damping alone decides: c u for Hunt and Crossley [HuntCrossley]; the
damping ratio for a spring and damper, with the mass that each point carries while all that hit push together,
in proportion to their stiffnesses k:

    k_i / m_i = n_i · J_i A⁻¹ Σ J_jᵀ n_j k_j
"""

import math
from functools import cache

import numpy as np

from hapsis.compiler.native import Array, at, native, power, sqrt
from hapsis.motion.solvers.contact.block_factor import size_of
from hapsis.motion.solvers.contact.bristles import eased
from hapsis.motion.solvers.contact.contact_memory import LINEAR, TABLE, ContactScene
from hapsis.motion.solvers.contact.dense_factor import factor_dense, substitute, substitute_back
from hapsis.motion.solvers.contact.momentum_balance import velocities_of_points

RESOLVED = 6.0  # steps: an impact that takes longer is left to its law
FIRM = 1e3  # kg by kg of what hits: 1e-3 of the speed is missing after an impact
DULL = 0.02  # a smaller restitution is none
BISECTIONS = 80
LEAST = 0.1  # of k_i / m_i with the mass of the bodies: points that turn each other away have no less


@native
def hits(scene: ContactScene, p: int) -> bool:
    """Whether a point that did not push comes into touch in the step, also if it falls a little faster."""
    rate = scene.start_rate[p]
    return scene.fresh[p] != 0 and rate < -scene.slow and scene.gap[p] + scene.h * (rate - scene.slow) <= 0.0


@native
def take_rebounds(scene: ContactScene) -> None:
    """Gives all points that come into touch the speed that they leave with, or leaves them to their law."""
    if together(scene):
        velocities_of_points(scene, True)
    for k in range(scene.touch_count):
        pair = int(scene.touch_pair[k])
        ease = eased(scene, pair)
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            scene.rebound[p] = 0.0
            if scene.fresh[p] != 0:
                scene.resolved[p] = 0
                if hits(scene, p):
                    take_rebound(scene, p, pair, ease)


@native
def together(scene: ContactScene) -> bool:
    """Whether points of linear laws hit; dv is what impulses in proportion to their stiffness change then."""
    some = False
    for i in range(scene.n_v):
        scene.dv[i] = 0.0
    for k in range(scene.touch_count):
        pair = int(scene.touch_pair[k])
        if scene.law[pair] != LINEAR:
            continue
        index = at(scene.touch_index, k * scene.widest)
        P = at(scene.touch_P, k * 6 * scene.widest)
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            if not hits(scene, p):
                continue
            some = True
            n = at(scene.axes, 9 * p + 6)
            x = scene.place[3 * p] - scene.touch_at[3 * k]
            y = scene.place[3 * p + 1] - scene.touch_at[3 * k + 1]
            z = scene.place[3 * p + 2] - scene.touch_at[3 * k + 2]
            stiffness = scene.share[p] * scene.law_numbers[3 * pair]
            for j in range(scene.touch_size[2 * k] + scene.touch_size[2 * k + 1]):
                V = at(P, 6 * j)
                rate = n[0] * (V[3] + V[1] * z - V[2] * y)
                rate += n[1] * (V[4] + V[2] * x - V[0] * z) + n[2] * (V[5] + V[0] * y - V[1] * x)
                scene.dv[index[j]] += stiffness * rate
    if some:
        scene.factored = False  # its room is used
        for k in range(scene.block_count):
            ease_block(scene, k)
    return some


@native
def ease_block(scene: ContactScene, k: int) -> None:
    """dv := A⁻¹ dv in a block."""
    n = size_of(scene, k)
    x = at(scene.dv, scene.block_first[k])
    moved = False
    for i in range(n):
        moved = moved or x[i] != 0.0
    if not moved or n * n > scene.factor_room:
        return
    A = at(scene.A, scene.block_start[k])
    for i in range(n * n):
        scene.H[i] = A[i]
    if factor_dense(n, scene.H):
        substitute(n, scene.H, x)
        substitute_back(n, scene.H, x)


@native
def take_rebound(scene: ContactScene, p: int, pair: int, ease: float) -> None:
    """Gives a point that hits the speed that it leaves with; a long impact is left to its law."""
    rate = scene.start_rate[p]
    numbers = at(scene.law_numbers, 3 * pair)
    if scene.law[pair] == LINEAR:
        square = max(scene.du[3 * p + 2], LEAST * scene.share[p] * numbers[0] * ease)
        lasts = 3.2 / sqrt(square)
        damping = 0.5 * numbers[1] / numbers[0] * sqrt(square)
        table = scene.bounces
    else:
        above = numbers[1] + 1.0
        deepest = power(0.5 * above * rate * rate / (numbers[0] * ease), 1.0 / above)
        lasts = -3.0 * deepest / rate
        damping = -numbers[2] * rate
        table = at(scene.bounces, TABLE)
    if lasts > RESOLVED * scene.length:
        scene.resolved[p] = 1
        return
    place = damping / (1.0 + damping) * (TABLE - 1)
    k = min(int(place), TABLE - 2)
    e = table[k] + (place - k) * (table[k + 1] - table[k])
    if e > DULL:
        scene.rebound[p] = -e * rate
        scene.firm[p] = FIRM / ease


@cache
def bounce_tables() -> Array:
    """Restitution over x = d / (1 + d), by the damping ratio d, then by d = c u of Hunt and Crossley."""
    x = np.arange(TABLE - 1) / (TABLE - 1.0)
    dampings = (x / (1.0 - x)).tolist()
    by_ratio = [spring_restitution(d) for d in dampings]
    by_rate = [hunt_crossley_restitution(d) for d in dampings]
    return np.array([*by_ratio, 0.0, *by_rate, 0.0])


def spring_restitution(ratio: float) -> float:
    """That of a spring and damper whose force ends where it would pull, by the damping ratio."""
    if ratio < 1e-12:
        return 1.0
    if abs(ratio - 1.0) < 1e-9:
        return math.exp(-2.0)
    if ratio < 1.0:
        root = math.sqrt(1.0 - ratio * ratio)
        angle = math.atan2(2.0 * ratio * root, 1.0 - 2.0 * ratio * ratio)
        return math.exp(-ratio / root * (math.pi - angle))
    root = math.sqrt(ratio * ratio - 1.0)
    return math.exp(-ratio / root * math.log((ratio + root) / (ratio - root)))


def hunt_crossley_restitution(u: float) -> float:
    """The e with u - ln(1 + u) = -e u - ln(1 - e u), by bisection."""
    if u < 1e-4:
        return 1.0 - 2.0 / 3.0 * u
    left = u - math.log1p(u)
    low, high = 0.0, min(1.0, (1.0 - 1e-15) / u)
    for _ in range(BISECTIONS):
        e = 0.5 * (low + high)
        low, high = (e, high) if -e * u - math.log1p(-e * u) < left else (low, e)
    return 0.5 * (low + high)
