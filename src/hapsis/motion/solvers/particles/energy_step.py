"""Steps of particles whose length follows the energy that they create [Joukhadar].

    V½ = V + τ/2 F/m,   P⁺ = P + τ V½,   V⁺ = V½ + τ/2 F⁺/m

Friction acts in both halves. A step creates

    ΔE = ΔK + ΔU + (what dampers and friction took) - (work of forces from outside)

It is made again with half of its length while |ΔE| > ε, and where the first try suffices the next one is
3/2 as long, but not longer than what is stable: else a scene at rest trembles with about ε. The other scheme
is that of equations (3) and (4), by the accelerations at the start of this step and of the one before.
"""

from hapsis.compiler.native import at, isfinite, native
from hapsis.motion.solvers.particles.bodies.body_calm import OFTEN, measure_bodies
from hapsis.motion.solvers.particles.bodies.body_passage import find_passage, skips_body
from hapsis.motion.solvers.particles.bodies.body_rows import keep_bias
from hapsis.motion.solvers.particles.bodies.model_ends import accept_model, begin_model, sample_model
from hapsis.motion.solvers.particles.bodies.model_motion import begin_model_step
from hapsis.motion.solvers.particles.forces.cell_flow import cell_flow
from hapsis.motion.solvers.particles.forces.hand_forces import accept_hands, hand_step, keep_hands
from hapsis.motion.solvers.particles.forces.plastic_flow import flow
from hapsis.motion.solvers.particles.overshoot import oversteps
from hapsis.motion.solvers.particles.particle_memory import (
    DONE,
    NOT_FINITE,
    PAUSED,
    SMALL_STEP,
    TOO_MANY,
    ParticleMemory,
)
from hapsis.motion.solvers.particles.stable_step import measure, stable_step
from hapsis.motion.solvers.particles.touch.touch_step import accept_touch, let_go, sample_touch, seen_step
from hapsis.motion.solvers.particles.trial_step import forces, keep_inner, kinetic_energy, try_step

LEAST = 1e-13  # of the time: shorter steps are below its resolution


@native
def begin_forces(scene: ParticleMemory) -> None:
    """Forces and energies of the state that a run begins with."""
    scene.moment = scene.t
    if scene.modelled:
        begin_model(scene)
    forces(scene, scene.x, scene.v, scene.force)
    keep_hands(scene.hands)
    if scene.modelled:
        accept_model(scene.model)
    scene.potential, scene.power = scene.next_potential, scene.next_power
    for k in range(scene.count * scene.plane_count):
        scene.normal[k] = scene.next_normal[k]
    for i in range(scene.count):
        for c in range(3 * i, 3 * i + 3):
            scene.before[c] = scene.force[c] * scene.ease[i]
    scene.before_h = 0.0
    accept_touch(scene, 0.0)
    keep_inner(scene)


@native
def begin(scene: ParticleMemory) -> None:
    """Forces, energies and bounds of the state that a run begins with."""
    begin_forces(scene)
    measure(scene)
    if scene.modelled:
        measure_bodies(scene)


@native
def sample(scene: ParticleMemory, h: float) -> None:
    """The rows of this step: positions by the cubic of both ends, the rest in proportion."""
    kinetic = kinetic_energy(scene, scene.v)
    next_kinetic = kinetic_energy(scene, scene.next_v)
    size = 3 * scene.count
    while scene.sampled < scene.sample_count:
        s = (scene.sample_times[scene.sampled] - scene.t) / h
        if s > 1.0:
            return
        x = at(scene.sample_x, size * scene.sampled)
        v = at(scene.sample_v, size * scene.sampled)
        # the cubic with these positions and velocities at both ends
        p, m = s * s * (3.0 - 2.0 * s), s * (1.0 - s)
        for c in range(size):
            bend = (1.0 - s) * scene.v[c] - s * scene.next_v[c]
            x[c] = scene.x[c] + p * (scene.next_x[c] - scene.x[c]) + h * m * bend
            v[c] = scene.v[c] + s * (scene.next_v[c] - scene.v[c])
        numbers = at(scene.sample_numbers, 5 * scene.sampled)
        numbers[0] = kinetic + s * (next_kinetic - kinetic)
        numbers[1] = scene.potential + s * (scene.next_potential - scene.potential)
        numbers[2] = scene.dissipated + s * scene.lost
        numbers[3] = scene.work + s * scene.worked
        numbers[4] = h
        sample_touch(scene, scene.sampled, s)
        if scene.modelled:
            numbers[0] += scene.model.kinetic + s * (scene.model.next_kinetic - scene.model.kinetic)
            numbers[1] += scene.model.watched[0] + s * (scene.model.next_watched[0] - scene.model.watched[0])
            sample_model(scene, h, s)
        for c in range(scene.cord_count):
            scene.sample_tensions[scene.cord_count * scene.sampled + c] = scene.cord_tension[c]
        scene.sampled += 1


@native
def sample_start(scene: ParticleMemory) -> None:
    """The row of the start, of a run that made no step."""
    for c in range(3 * scene.count):
        scene.next_x[c], scene.next_v[c] = scene.x[c], scene.v[c]
    forces(scene, scene.x, scene.v, scene.next_force)
    scene.lost, scene.worked = 0.0, 0.0
    begin_model_step(scene)
    sample(scene, LEAST * LEAST)


@native
def sample_end(scene: ParticleMemory) -> None:
    """The energies of the last row, at the end of a run: what flowed in the last step has flowed."""
    if scene.sampled < scene.sample_count or scene.sample_times[scene.sampled - 1] != scene.t:
        return
    numbers = at(scene.sample_numbers, 5 * (scene.sampled - 1))
    numbers[0], numbers[1] = kinetic_energy(scene, scene.v), scene.potential
    numbers[2], numbers[3] = scene.dissipated, scene.work
    if scene.modelled:
        numbers[0] += scene.model.kinetic
        numbers[1] += scene.model.watched[0]


@native
def accept(scene: ParticleMemory, h: float) -> None:
    """Goes on from the end of the step."""
    sample(scene, h)
    for i in range(scene.count):
        for c in range(3 * i, 3 * i + 3):
            scene.before[c] = scene.force[c] * scene.ease[i]
    for c in range(3 * scene.count):
        scene.x[c] = scene.next_x[c]
        scene.v[c] = scene.next_v[c]
        scene.force[c] = scene.next_force[c]
    for k in range(scene.count * scene.plane_count):
        scene.normal[k] = scene.next_normal[k]
    accept_hands(scene.hands, h)
    scene.before_h = h
    scene.potential, scene.power = scene.next_potential, scene.next_power
    scene.dissipated += scene.lost
    scene.work += scene.worked
    accept_touch(scene, h)
    scene.error += scene.created
    size = scene.error if scene.error > 0.0 else -scene.error
    if size > scene.largest_error:
        scene.largest_error = size
    scene.steps += 1
    if scene.modelled:
        find_passage(scene)
        keep_bias(scene.model, h)
        accept_model(scene.model)
    if scene.shortest == 0.0 or h < scene.shortest:
        scene.shortest = h
    flowed = flow(scene)
    if cell_flow(scene) or flowed:
        forces(scene, scene.x, scene.v, scene.force)
        scene.potential, scene.power = scene.next_potential, scene.next_power
        if scene.modelled:
            accept_model(scene.model)
    if let_go(scene):
        forces(scene, scene.x, scene.v, scene.force)
        scene.potential, scene.power = scene.next_potential, scene.next_power
        accept_touch(scene, 0.0)
        if scene.modelled:
            accept_model(scene.model)
    keep_inner(scene)


@native
def allowed(scene: ParticleMemory) -> bool:
    """Whether the step creates no more than it may, and nothing moved too far to be seen, or to be borne."""
    if not isfinite(scene.created):
        return False
    if not isfinite(scene.allowed):
        if scene.modelled and skips_body(scene):
            scene.model.skipped += 1
        return True
    if scene.modelled and skips_body(scene):
        return False
    if scene.limited and oversteps(scene):
        return False
    return scene.created <= scene.allowed and -scene.created <= scene.allowed and not scene.touch.far


@native
def advance(scene: ParticleMemory) -> int:
    """Steps until t_end, or until the budget of this call is used up; PAUSED, DONE or what went wrong."""
    while scene.t < scene.t_end:
        if scene.budget <= 0:
            return PAUSED
        if scene.steps + scene.rejected >= scene.limit:
            return TOO_MANY
        h = scene.h
        if h > scene.longest:
            h = scene.longest
        if scene.scheme == 0 and isfinite(scene.allowed):
            calm = hand_step(scene, stable_step(scene))
            if h > calm:
                h = calm
            seen = seen_step(scene)
            if h > seen:
                h = seen
        last = scene.t + h * (1.0 + 1e-9) >= scene.t_end
        if last:
            h = scene.t_end - scene.t
        elif h <= LEAST * scene.scale or scene.t + h == scene.t:
            scene.h, scene.created = h, 0.0
            return SMALL_STEP
        try_step(scene, h)
        scene.budget -= 1
        if scene.touch.lack > 0:
            return PAUSED
        if not allowed(scene):
            if not isfinite(scene.allowed):
                return NOT_FINITE
            scene.halved = 1
            scene.rejected += 1
            scene.h = 0.5 * h
            if scene.h <= LEAST * (1.0 + scene.t) * scene.scale:
                return SMALL_STEP if isfinite(scene.created) else NOT_FINITE
            continue
        accept(scene, h)
        scene.t = scene.t_end if last else scene.t + h
        if isfinite(scene.allowed):
            if scene.halved != 0:
                scene.h = h
            elif not last or scene.h <= h:
                scene.h = 1.5 * h
            scene.halved = 0
            if scene.steps % 64 == 0:
                measure(scene)
            if scene.modelled and scene.steps % OFTEN == 0:
                measure_bodies(scene)
    sample_end(scene)
    return DONE
