"""Steps of particles whose length follows the energy that they create [Joukhadar].

    V½ = V + τ/2 F/m,   P⁺ = P + τ V½,   V⁺ = V½ + τ/2 F⁺/m

Friction acts in both halves. A step creates

    ΔE = ΔK + ΔU + (what dampers and friction took) - (work of forces from outside)

It is made again with half of its length while |ΔE| > ε, and where the first try suffices the next one is
3/2 as long, but not longer than what is stable: else a scene at rest trembles with about ε. The other scheme
is that of equations (3) and (4), by the accelerations at the start of this step and of the one before.
"""

from hapsis.compiler.native import Array, at, isfinite, native
from hapsis.motion.solvers.particles.body_calm import OFTEN, measure_bodies
from hapsis.motion.solvers.particles.body_contacts import body_contact_forces
from hapsis.motion.solvers.particles.body_friction import friction_at_end, friction_at_start, friction_between
from hapsis.motion.solvers.particles.carried_particles import take_anchored
from hapsis.motion.solvers.particles.cell_flow import cell_flow
from hapsis.motion.solvers.particles.cell_forces import cell_forces
from hapsis.motion.solvers.particles.connector_forces import joint_forces, spring_forces, torsion_forces
from hapsis.motion.solvers.particles.cord_forces import cord_forces
from hapsis.motion.solvers.particles.hand_forces import (
    accept_hands,
    begin_hands,
    hand_forces,
    hand_friction,
    hand_step,
    hand_work,
    keep_hands,
)
from hapsis.motion.solvers.particles.model_ends import accept_model, begin_model, sample_model
from hapsis.motion.solvers.particles.model_motion import (
    begin_model_step,
    model_arrival,
    model_drift,
    model_end,
    model_energy,
    model_half,
)
from hapsis.motion.solvers.particles.particle_memory import (
    DONE,
    NOT_FINITE,
    PAUSED,
    SMALL_STEP,
    TOO_MANY,
    ParticleMemory,
)
from hapsis.motion.solvers.particles.planes import plane_forces, plane_friction
from hapsis.motion.solvers.particles.plastic_flow import flow
from hapsis.motion.solvers.particles.stable_step import measure, stable_step
from hapsis.motion.solvers.particles.touch.friction_rows import touch_friction
from hapsis.motion.solvers.particles.touch.touch_forces import touch_forces
from hapsis.motion.solvers.particles.touch.touch_step import accept_touch, let_go, sample_touch, seen_step

LEAST = 1e-13  # of the time: shorter steps are below its resolution


@native
def forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """All forces on all particles; their potential and the power of dampers in next_potential, next_power."""
    scene.next_potential, scene.next_power = 0.0, 0.0
    gx, gy, gz = scene.gravity[0], scene.gravity[1], scene.gravity[2]
    fall = 0.0
    for i in range(scene.count):
        m = scene.mass[i]
        force[3 * i] = m * gx + scene.push[3 * i]
        force[3 * i + 1] = m * gy + scene.push[3 * i + 1]
        force[3 * i + 2] = m * gz + scene.push[3 * i + 2]
        fall += m * (gx * x[3 * i] + gy * x[3 * i + 1] + gz * x[3 * i + 2])
    scene.next_potential -= fall
    spring_forces(scene, x, v, force)
    work = scene.turn_work
    torsion_forces(scene, x, v, force, work)
    joint_forces(scene, x, v, force, work)
    cell_forces(scene, x, v, force)
    plane_forces(scene, x, v, force)
    if scene.cord_count > 0:
        cord_forces(scene, x, v, force)
    if scene.hand_count > 0:
        hand_forces(scene, x, v, force)
    touch_forces(scene, x, v, force)
    if scene.modelled:
        body_contact_forces(scene, x, v, force)
        take_anchored(scene, x, force)  # the last: it hands all forces on fixed particles to their bodies


@native
def kinetic_energy(scene: ParticleMemory, v: Array) -> float:
    """The kinetic energy, J."""
    total = 0.0
    for i in range(scene.count):
        total += scene.mass[i] * (
            v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]
        )
    return 0.5 * total


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


@native
def begin(scene: ParticleMemory) -> None:
    """Forces, energies and bounds of the state that a run begins with."""
    begin_forces(scene)
    measure(scene)
    if scene.modelled:
        measure_bodies(scene)


@native
def trial(scene: ParticleMemory, h: float) -> None:
    """One step of length h to next_x, next_v, next_force: positions and velocities by both ends."""
    half, out = scene.half, scene.next_v
    for i in range(scene.count):
        w = 0.5 * h * scene.ease[i]
        for c in range(3 * i, 3 * i + 3):
            half[c] = scene.v[c] + w * scene.force[c]
    scene.lost = plane_friction(scene, scene.normal, scene.v, half, 0.5 * h)
    scene.lost += hand_friction(scene, True, scene.v, half, 0.5 * h)
    scene.lost += touch_friction(scene, scene.touch.now, scene.v, half, 0.5 * h)
    if scene.modelled:
        model_half(scene, h)
        friction_at_start(scene, scene.v, half, 0.5 * h)
    for i in range(scene.count):
        w = 0.5 * h * scene.ease[i]
        for c in range(3 * i, 3 * i + 3):
            scene.next_x[c] = scene.x[c] + h * half[c]
            out[c] = half[c] + w * scene.force[c]
    if scene.modelled:
        model_drift(scene, h)
        friction_between(scene, half, out, 0.5 * h)
        model_arrival(scene, h, scene.next_x, out)
    # the velocity that dampers see: what sticks stays
    scene.worked = plane_friction(scene, scene.normal, half, out, 0.5 * h)
    carried = scene.touch.carried
    scene.worked = touch_friction(scene, scene.touch.now, half, out, 0.5 * h)
    scene.touch.carried = carried
    forces(scene, scene.next_x, out, scene.next_force)
    for i in range(scene.count):
        w = 0.5 * h * scene.ease[i]
        for c in range(3 * i, 3 * i + 3):
            out[c] = half[c] + w * scene.next_force[c]
    scene.lost += plane_friction(scene, scene.next_normal, half, out, 0.5 * h)
    scene.lost += hand_friction(scene, False, half, out, 0.5 * h)
    scene.lost += touch_friction(scene, 1 - scene.touch.now, half, out, 0.5 * h)
    if scene.modelled:
        model_end(scene, h)
        friction_at_end(scene, half, out, 0.5 * h)


@native
def trial_by_start(scene: ParticleMemory, h: float) -> None:
    """One step of length h by equations (3) and (4); where steps differ in length, by their ratio."""
    out = scene.next_v
    ratio = h / scene.before_h if scene.before_h > 0.0 else 0.0
    for i in range(scene.count):
        for c in range(3 * i, 3 * i + 3):
            a = scene.force[c] * scene.ease[i]
            change = ratio * (a - scene.before[c])
            scene.next_x[c] = scene.x[c] + h * scene.v[c] + 0.5 * h * h * (a + scene.beta * change)
            out[c] = scene.v[c] + h * (a + scene.alpha * change)
    scene.lost = plane_friction(scene, scene.normal, scene.v, out, h)
    scene.lost += hand_friction(scene, True, scene.v, out, h)
    scene.lost += touch_friction(scene, scene.touch.now, scene.v, out, h)
    forces(scene, scene.next_x, out, scene.next_force)


@native
def try_step(scene: ParticleMemory, h: float) -> None:
    """One step of length h, and the energy that it creates."""
    begin_hands(scene.hands)
    scene.touch.carried = 0.0
    scene.moment = scene.t + h
    begin_model_step(scene)
    if scene.scheme == 0:
        trial(scene, h)
    else:
        trial_by_start(scene, h)
    scene.lost += 0.5 * h * (scene.power + scene.next_power)
    worked = hand_work(scene.hands, h) + scene.touch.carried
    for i in range(scene.count):
        for c in range(3 * i, 3 * i + 3):
            if scene.ease[i] > 0.0:
                worked += scene.push[c] * (scene.next_x[c] - scene.x[c])
            else:
                # what holds a particle that moves
                worked += (scene.push[c] - 0.5 * (scene.force[c] + scene.next_force[c])) * (
                    scene.next_x[c] - scene.x[c]
                )
    scene.worked = worked + scene.held_work
    of_model = model_energy(scene, h, scene.next_v) if scene.modelled else 0.0
    gained = of_model + kinetic_energy(scene, scene.next_v) - kinetic_energy(scene, scene.v)
    scene.created = gained + scene.next_potential - scene.potential + scene.lost - scene.worked


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


@native
def allowed(scene: ParticleMemory) -> bool:
    """Whether the step that was tried creates no more than it may, and nothing moved too far to be seen."""
    if not isfinite(scene.created):
        return False
    if not isfinite(scene.allowed):
        return True
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
    return DONE
