"""The impulses of points and rows over a step, as functions of the velocity at its end, and their slopes.

    γ_n = h N(g + h u_n, u_n)                                        N the law of the contact
    γ_t = -h y / max(1, h |y| / r),   y = f + k (h + τ) u_t          r = μ γ_n

u is the velocity of the point on the first body relative to the second, f the force of its bristles at the
start of the step, k their stiffness and τ their damping. Impacts that steps resolve have means in place of N,
see `mean_forces`; in those that are over in a step nothing leaves slower than it rebounds, see `rebounds`.
N falls with u_n, so -γ_n is the gradient of a convex function; so is -γ_t for a given r. Newton's method
takes r of its last iterate (see `newton`).
"""

import math

from hapsis.compiler.native import at, native, power, sqrt
from hapsis.motion.solvers.contact.contact_memory import DRY, HEAD, LINEAR, PUSH, ContactScene
from hapsis.motion.solvers.contact.mean_forces import mean_impulse

TINY = 1e-300
# how limits of friction follow the forces across surfaces: not, where these fall, at once, or by secants
HELD, FALLING, NOW, SECANT, WIDE = 0, 1, 2, 3, 4
GRIP = 0.03  # of the firmness of an impact: that of its bristles; iterations with firmer ones swing
LEAST, MOST = 0.1, 1.0  # of the way that secants go
LEAST_WIDE, MOST_WIDE = 0.02, 10.0  # and where these did not suffice


@native
def normal_impulse(scene: ContactScene, p: int, pair: int, u: float, slope: bool) -> float:
    """γ_n of a point at the velocity u along its normal; its slope is written where asked."""
    h = scene.h
    if scene.rebound[p] > 0.0:
        # an impact that is over in the step: nothing leaves slower than it rebounds
        impulse = scene.firm[p] * (scene.rebound[p] - u)
        if slope:
            scene.slope[4 * p + 3] = scene.firm[p] if impulse > 0.0 else 0.0
        return max(impulse, 0.0)
    if scene.resolved[p] != 0:
        return mean_impulse(scene, p, pair, u, slope)
    depth = -(scene.gap[p] + h * u)
    if slope:
        scene.slope[4 * p + 3] = 0.0
    if depth <= 0.0:
        return 0.0
    numbers = at(scene.law_numbers, 3 * pair)
    stiffness = scene.share[p] * numbers[0]
    if scene.law[pair] == LINEAR:
        # what was apart is damped only as far as it goes in: the force does not jump where it touches
        damping = scene.share[p] * numbers[1]
        force = stiffness * depth + damping * min(-u, depth / h)
        if force <= 0.0:
            return 0.0
        if slope:
            scene.slope[4 * p + 3] = h * (h * stiffness + damping)
        return h * force
    exponent = numbers[1]
    elastic = stiffness
    if exponent == 1.5:
        elastic *= depth * sqrt(depth)
    elif exponent == 1.0:
        elastic *= depth
    else:
        elastic *= power(depth, exponent)
    damped = 1.0 - numbers[2] * u
    if damped <= 0.0:
        return 0.0
    if slope:
        scene.slope[4 * p + 3] = h * elastic * (h * exponent * damped / depth + numbers[2])
    return h * elastic * damped


@native
def tangent_impulse(scene: ContactScene, p: int, pair: int, one: float, two: float, slope: bool) -> None:
    """γ_t of a point at these velocities along its tangents, for the radius that it has."""
    radius = scene.radius[p]
    if slope:
        scene.slope[4 * p] = 0.0
        scene.slope[4 * p + 1] = 0.0
        scene.slope[4 * p + 2] = 0.0
        scene.stuck[p] = 0
    if radius <= 0.0:
        scene.gamma[3 * p] = 0.0
        scene.gamma[3 * p + 1] = 0.0
        return
    h = scene.h
    rate = h * scene.stiff[p] * (h + scene.friction[4 * pair + 3])
    if scene.rebound[p] > 0.0:
        rate = max(rate, GRIP * scene.firm[p])  # a whole impact within the step: bristles are bent at once
    x = h * scene.bent[2 * p] + rate * one
    y = h * scene.bent[2 * p + 1] + rate * two
    length = sqrt(x * x + y * y)
    if length <= radius:
        scene.gamma[3 * p] = -x
        scene.gamma[3 * p + 1] = -y
        if slope:
            scene.slope[4 * p] = rate
            scene.slope[4 * p + 2] = rate
            scene.stuck[p] = 1
        return
    x /= length
    y /= length
    scene.gamma[3 * p] = -radius * x
    scene.gamma[3 * p + 1] = -radius * y
    if slope:
        rate *= radius / length
        scene.slope[4 * p] = rate * (1.0 - x * x)
        scene.slope[4 * p + 1] = -rate * x * y
        scene.slope[4 * p + 2] = rate * (1.0 - y * y)


@native
def row_impulse(scene: ContactScene, k: int, u: float, slope: bool) -> float:
    """The impulse of a row at the rate u; its slope is written where asked."""
    h = scene.h
    numbers = at(scene.row_numbers, 4 * k)
    rate = h * (h * numbers[0] + numbers[1])
    if slope:
        scene.row_u[3 * k + 2] = rate
    if scene.row_law[k] == DRY:
        slide = h * scene.row_slide[k]
        most = max(h * numbers[3], slide) if scene.row_stuck[k] != 0 else slide
        wanted = -h * scene.row_bent[k] - rate * u
        if wanted > most or wanted < -most:
            if slope:
                scene.row_u[3 * k + 2] = 0.0
            return slide if wanted > 0.0 else -slide
        return wanted
    value = at(scene.row_values, k * (HEAD + scene.row_width))
    depth = -value[0] - h * (value[1] + u)
    if scene.row_law[k] == PUSH:
        force = numbers[0] * depth + numbers[1] * min(-value[1] - u, depth / h)
        if depth <= 0.0 or force <= 0.0:
            if slope:
                scene.row_u[3 * k + 2] = 0.0
            return 0.0
        return h * force
    return h * (scene.row_bent[k] + numbers[0] * depth - numbers[1] * (value[1] + u))


@native
def bend_rows(scene: ContactScene) -> None:
    """Bends the bristles of dry friction by the second half of what slips since the kick before.

    What slides has the limit g(v) = F_c + (F_s - F_c) exp(-(v / v_s)²) of its speed before the kick.
    """
    for k in range(scene.row_count):
        if scene.row_law[k] != DRY:
            continue
        index = at(scene.row_index, k * scene.row_width)
        row = at(scene.row_values, k * (HEAD + scene.row_width) + HEAD)
        numbers = at(scene.row_numbers, 4 * k)
        rate = 0.0
        for j in range(scene.row_size[k]):
            rate += row[j] * scene.v0[index[j]]
        part = rate / scene.row_stribeck[k]
        scene.row_slide[k] = numbers[2] + (numbers[3] - numbers[2]) * power(math.e, -part * part)
        if scene.row_stuck[k] != 0:
            scene.row_bent[k] += 0.5 * scene.h * numbers[0] * rate


@native
def keep_rows(scene: ContactScene) -> None:
    """Keeps the force of the bristles of dry friction for the next step."""
    for k in range(scene.row_count):
        if scene.row_law[k] == DRY:
            numbers = at(scene.row_numbers, 4 * k)
            if scene.row_u[3 * k + 2] > 0.0:
                scene.row_bent[k] += 0.5 * scene.h * numbers[0] * scene.row_u[3 * k]
                scene.row_stuck[k] = 1
            else:
                # sliding, they bend on to where they hold the force alone: f + τ ḟ = -γ / h
                part = scene.h * numbers[0] / (scene.h * numbers[0] + numbers[1])
                scene.row_bent[k] -= part * (scene.row_bent[k] + scene.row_force[k] / scene.h)
                scene.row_stuck[k] = 0


@native
def move_limit(scene: ContactScene, p: int, limit: float, follow: int) -> None:
    """Takes the limit of friction of a point towards that of the force across the surfaces now.

    Where friction changes this force by more than the force changes friction, iterations that take each from
    the other swing about the solution ever further; where it changes it by nearly as much in the same sense,
    they creep. Two of them show how far to go: the secant of the limit.
    """
    radius = scene.radius[p]
    part = 1.0
    if follow >= SECANT:
        moved = radius - scene.last_radius[p]
        left = moved - (limit - scene.last_limit[p])
        if moved * left > 0.0:
            part = min(max(moved / left, LEAST), MOST)
            if follow == WIDE:
                part = min(max(moved / left, LEAST_WIDE), MOST_WIDE)
    scene.last_radius[p] = radius
    scene.last_limit[p] = limit
    if part == 1.0:
        scene.radius[p] = limit
    else:
        scene.radius[p] = max(radius + part * (limit - radius), 0.0)


@native
def impulses(scene: ContactScene, follow: int) -> None:
    """All impulses and slopes at the velocities u; limits of friction are HELD, FALLING, of NOW, or secants'.

    `missed` is how far the limits are from those of now at most, by the largest impulse across surfaces;
    `above` how far above them.
    """
    missed = 0.0
    above = 0.0
    strongest = 0.0
    slopes = 0.0
    for k in range(scene.touch_count):
        pair = int(scene.touch_pair[k])
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            normal = normal_impulse(scene, p, pair, scene.u[3 * p + 2], True)
            scene.gamma[3 * p + 2] = normal
            limit = scene.limit[p] * normal
            if follow == FALLING:
                scene.radius[p] = min(scene.radius[p], limit)
            elif follow != HELD:
                move_limit(scene, p, limit, follow)
            strongest = max(strongest, normal)
            missed = max(missed, abs(limit - scene.radius[p]))
            above = max(above, scene.radius[p] - limit)
            tangent_impulse(scene, p, pair, scene.u[3 * p], scene.u[3 * p + 1], True)
            slopes += scene.slope[4 * p] + scene.slope[4 * p + 2] + scene.slope[4 * p + 3]
    for k in range(scene.row_count):
        scene.row_force[k] = row_impulse(scene, k, scene.row_u[3 * k], True)
    scene.stiffest = slopes
    # where nothing pushes, what is left of friction is all wrong, however small it is
    largest = max(max(strongest, missed), TINY)
    scene.missed = missed / largest
    scene.above = above / largest


@native
def power_along(scene: ContactScene, a: float) -> float:
    """Σ γ(u + a du) · du, the limits of friction held."""
    total = 0.0
    for k in range(scene.touch_count):
        pair = int(scene.touch_pair[k])
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            du = at(scene.du, 3 * p)
            u = at(scene.u, 3 * p)
            total += du[2] * normal_impulse(scene, p, pair, u[2] + a * du[2], False)
            tangent_impulse(scene, p, pair, u[0] + a * du[0], u[1] + a * du[1], False)
            total += du[0] * scene.gamma[3 * p] + du[1] * scene.gamma[3 * p + 1]
    for k in range(scene.row_count):
        du_row = scene.row_u[3 * k + 1]
        total += du_row * row_impulse(scene, k, scene.row_u[3 * k] + a * du_row, False)
    return total
