"""The impulses of impacts that steps resolve: means over the way of the step, which lose no energy.

A point goes in a step from the depth d₀ = h u₀ / 2 - g to d₁ = -g - h u / 2, g its gap in the middle. With

    γ_n = h (U(d₁) - U(d₀)) / (d₁ - d₀)        U the elastic energy at a depth, 0 outside

kinetic energy changes by γ_n (u₀ + u) / 2 = U(d₀) - U(d₁) in each step, also where a point touches or leaves.
U is convex, so γ_n falls with u as Newton's method asks; of a spring that stays bent this is the trapezoidal
rule, stable at any step. Damping is the mean of that of the law. An implicit force would take a tenth of the
energy of an impact of a hundred steps.
"""

from hapsis.compiler.native import native, power
from hapsis.motion.solvers.contact.contact_memory import LINEAR, ContactScene

SHORT = 1e-3  # of the depth: on so short a way differences lose more digits than a series


@native
def mean_impulse(scene: ContactScene, p: int, pair: int, u: float, slope: bool) -> float:
    """γ_n of a point at the velocity u along its normal; its slope is written where asked."""
    h = scene.h
    start = 0.5 * h * scene.start_rate[p] - scene.gap[p]
    end = -0.5 * h * u - scene.gap[p]
    before = max(start, 0.0)
    after = max(end, 0.0)
    if slope:
        scene.slope[4 * p + 3] = 0.0
    if before <= 0.0 and after <= 0.0:
        return 0.0
    linear = scene.law[pair] == LINEAR
    stiffness = scene.share[p] * scene.law_numbers[3 * pair]
    n = 1.0 if linear else scene.law_numbers[3 * pair + 1]
    way = end - start
    middle = 0.5 * (before + after)
    if before > 0.0 and after > 0.0 and abs(way) < SHORT * middle:
        x = way / middle
        there = stiffness * power(middle, n)
        elastic = there * (1.0 + n * (n - 1.0) / 24.0 * x * x)
        rise = there / middle * n * (0.5 + (n - 1.0) / 12.0 * x)
    else:
        at_end = stiffness * power(after, n) if after > 0.0 else 0.0
        at_start = stiffness * power(before, n) if before > 0.0 else 0.0
        elastic = (after * at_end - before * at_start) / ((n + 1.0) * way)
        rise = (at_end - elastic) / way
    if linear:
        damping = scene.share[p] * scene.law_numbers[3 * pair + 1]
        force = elastic + damping * (after - before) / h
        if force <= 0.0:
            return 0.0
        if slope:
            scene.slope[4 * p + 3] = 0.5 * h * (h * rise + (damping if after > 0.0 else 0.0))
        return h * force
    damping = scene.law_numbers[3 * pair + 2]
    damped = 1.0 - 0.5 * damping * (scene.start_rate[p] + u)
    if damped <= 0.0:
        return 0.0
    if slope:
        scene.slope[4 * p + 3] = 0.5 * h * (h * rise * damped + damping * elastic)
    return h * elastic * damped
