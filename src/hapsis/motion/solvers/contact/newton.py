"""The velocities at the end of a step: Newton's method on a convex problem.

    A (v - v₀) - b = Σ Jᵀ γ(J v)

is the gradient of ½ (v - v₀)ᵀ A (v - v₀) - bᵀ v + Σ ℓ(J v), which is convex where the limits of friction are
given. Iterations take them from the ones before, then by secants; where that has converged they are those of
the solution: friction obeys Coulomb's law, and nothing is lifted by sliding. Where it has not, limits are
held, only fall, and the step counts as lagged. A step along the direction of Newton is as long as it takes to
bring the slope of the function along it near zero.
Reference: [Castro], whose convex cone lifts what slides by μ h u_t; limits of the last iterate do not.
"""

from hapsis.compiler.native import native
from hapsis.motion.solvers.contact.block_factor import factor, linked, plan, size_of, solve
from hapsis.motion.solvers.contact.contact_matrix import fill_matrix
from hapsis.motion.solvers.contact.contact_memory import SLOW, SOLVED, ContactScene
from hapsis.motion.solvers.contact.impulse_laws import FALLING, HELD, NOW, SECANT, WIDE, impulses, power_along
from hapsis.motion.solvers.contact.momentum_balance import apply_matrix, gather_gradient, velocities_of_points

FLAT = 0.1  # of the slope at its start: a line search ends there
SEARCHES = 60
AT_ONCE = 6  # iterations in which limits of friction are those of the last iterate
NARROW = 40  # and until which secants go at most as far as they
HIGH = 1e300
MISSED = 1e-8  # of the largest impulse: limits of friction that miss by less are met
CHANGED = 1.0  # of the slopes of all contacts
KEEP = 0.3  # of the residual before: where an iteration leaves more, the matrix is factored anew
LOOSE = 1e-6  # of a residual: a step that has no more left is made, and counted
# what is left after so many iterations that each leave more than a part is rounding, if it is less than LOOSE
IDLE, LITTLE = 8, 0.9
NEAR = 1e-5  # a residual from which on contacts stay as they are: an old factor must do with two iterations


@native
def length_of_step(scene: ContactScene) -> float:
    """How far to go along dv: the slope of the function there is near zero."""
    fall = 0.0
    linear = 0.0
    square = 0.0
    for i in range(scene.n_v):
        fall += scene.gradient[i] * scene.dv[i]
        linear += scene.rest[i] * scene.dv[i]
        square += scene.Adv[i] * scene.dv[i]
    if not fall < 0.0:
        return 1.0
    enough = -FLAT * fall
    high = 1.0
    at_high = linear + square - power_along(scene, 1.0)
    if at_high <= enough:
        return 1.0  # also where the function still falls: it is nearly flat or the step is short
    low = 0.0
    at_low = fall
    for search in range(SEARCHES):
        # the chord and halves by turns: the slope may rise steeply where contacts begin
        middle = 0.5 * (low + high)
        if search % 2 == 0:
            middle = high - at_high * (high - low) / (at_high - at_low)
        value = linear + middle * square - power_along(scene, middle)
        if abs(value) <= enough:
            return middle
        if value > 0.0:
            high = middle
            at_high = value
        else:
            low = middle
            at_low = value
    return low if low > 0.0 else high


@native
def rows_changed(scene: ContactScene) -> bool:
    """Whether rows have begun or ceased to act since the factor was made; they are stiff."""
    for k in range(scene.row_count):
        if (scene.row_u[3 * k + 2] > 0.0) != (scene.row_factored[k] != 0):
            return True
    return False


@native
def solve_velocities(scene: ContactScene) -> int:
    """SOLVED with the speeds in v, SLOW where the iteration does not converge, or why not."""
    n = scene.n_v
    if scene.touch_count != scene.old_touches or scene.point_count != scene.old_points:
        scene.factored = False
    scene.old_points = scene.point_count
    if not linked(scene):
        scene.factored = False
        answer = plan(scene)
        if answer != SOLVED:
            return answer
    for i in range(n):
        scene.v[i] = scene.v0[i]
        scene.rest[i] = -scene.b[i]
    for k in range(scene.block_count):
        size = size_of(scene, k)
        for i in range(size):
            scene.scale[scene.block_first[k] + i] = 1.0 / max(
                scene.A[scene.block_start[k] + i * size + i], 1e-300
            )
    velocities_of_points(scene, False)
    before = 1e300
    idle = 0
    for iteration in range(scene.most + 1):
        held = iteration >= scene.lagging
        follow = NOW if iteration < AT_ONCE else SECANT if iteration < NARROW else WIDE
        impulses(scene, HELD if held else follow)
        scene.residual = gather_gradient(scene)
        if held and scene.residual <= scene.tolerance and scene.above > MISSED:
            # there is no friction without a force across the surfaces
            impulses(scene, FALLING)
            scene.residual = gather_gradient(scene)
        if scene.residual <= scene.tolerance and scene.missed <= (HIGH if held else MISSED):
            if scene.missed > MISSED:
                scene.lagged += 1
            scene.worst = max(scene.worst, scene.residual)
            scene.worst_iterations = max(scene.worst_iterations, iteration)
            return SOLVED
        # rows of drives are so stiff that the rounding of speeds may be more than the tolerance
        idle = idle + 1 if scene.residual > LITTLE * before and scene.missed <= MISSED else 0
        if iteration == scene.most or (idle >= IDLE and scene.residual <= LOOSE):
            break
        scene.iterations += 1
        # the factor of the step before serves while contacts are as stiff and each iteration leaves little
        changed = abs(scene.stiffest - scene.factored_for) > CHANGED * scene.factored_for
        part = scene.residual / before
        slow = part > KEEP or (scene.residual < NEAR and scene.residual * part * part > scene.tolerance)
        if not scene.factored or changed or slow or rows_changed(scene):
            scene.factored = False
            for k in range(scene.row_count):
                scene.row_factored[k] = 1 if scene.row_u[3 * k + 2] > 0.0 else 0
            scene.factored_for = scene.stiffest
            fill_matrix(scene)
            answer = factor(scene)
            if answer != SOLVED:
                return answer
            scene.factored = True
            scene.factors += 1
        before = scene.residual
        for i in range(n):
            scene.dv[i] = -scene.gradient[i]
        solve(scene, scene.dv)
        apply_matrix(scene)
        velocities_of_points(scene, True)
        a = length_of_step(scene)
        for i in range(n):
            scene.v[i] += a * scene.dv[i]
            scene.rest[i] += a * scene.Adv[i]
        for i in range(3 * scene.point_count):
            scene.u[i] += a * scene.du[i]
        for k in range(scene.row_count):
            scene.row_u[3 * k] += a * scene.row_u[3 * k + 1]
    scene.worst = max(scene.worst, scene.residual)
    return SLOW
