"""Restitution of impacts that are shorter than a few steps: the speed after them, as the law has it.

An impact that steps resolve needs nothing: its law gives the speed back. One that is over within RESOLVED
steps would lose it, as implicit steps damp what is fast. There the point gets the speed e |u| of Newton's
hypothesis, with the restitution e that the law gives at this speed. Its damping alone decides: c u for Hunt
and Crossley [HuntCrossley], the damping ratio for a spring and damper.
"""

import math
from functools import cache

import numpy as np

from hapsis.compiler.native import Array, at, native, power, sqrt
from hapsis.motion.solvers.contact.contact_memory import LINEAR, TABLE, ContactScene

RESOLVED = 100.0  # steps: an impact that takes longer is left to its law
FIRM = 1e3  # kg by kg of what hits: 1e-3 of the speed is missing after an impact
DULL = 0.02  # a smaller restitution is none
BISECTIONS = 80


@native
def take_rebound(scene: ContactScene, p: int, pair: int, ease: float, rate: float) -> None:
    """Gives a point that comes into touch at the rate u < 0 the speed that it leaves with."""
    scene.rebound[p] = 0.0
    # what falls a little faster within the step touches in it too
    if rate > -scene.slow or scene.gap[p] + scene.h * (rate - scene.slow) > 0.0:
        return
    numbers = at(scene.law_numbers, 3 * pair)
    if scene.law[pair] == LINEAR:
        lasts = 3.2 / sqrt(numbers[0] * ease)
        damping = 0.5 * numbers[1] * sqrt(ease / numbers[0])
        table = scene.bounces
    else:
        above = numbers[1] + 1.0
        deepest = power(0.5 * above * rate * rate / (numbers[0] * ease), 1.0 / above)
        lasts = -3.0 * deepest / rate
        damping = -numbers[2] * rate
        table = at(scene.bounces, TABLE)
    if lasts > RESOLVED * scene.h:
        return
    place = damping / (1.0 + damping) * (TABLE - 1)
    k = min(int(place), TABLE - 2)
    e = table[k] + (place - k) * (table[k + 1] - table[k])
    if e > DULL:
        scene.rebound[p] = -e * rate
        scene.firm[p] = FIRM / ease
        scene.longest = max(scene.longest, lasts / scene.h)


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
