"""One step of particles that is tried: all forces, the state at its end, and the energy that it creates."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.particles.bodies.body_contacts import body_contact_forces
from hapsis.motion.solvers.particles.bodies.body_friction import (
    friction_at_end,
    friction_at_start,
    friction_between,
)
from hapsis.motion.solvers.particles.bodies.carried_particles import take_anchored
from hapsis.motion.solvers.particles.bodies.model_motion import (
    begin_model_step,
    model_arrival,
    model_drift,
    model_end,
    model_energy,
    model_half,
)
from hapsis.motion.solvers.particles.forces.cell_forces import cell_forces
from hapsis.motion.solvers.particles.forces.connector_forces import (
    joint_forces,
    spring_forces,
    torsion_forces,
)
from hapsis.motion.solvers.particles.forces.cord_forces import cord_forces
from hapsis.motion.solvers.particles.forces.hand_forces import (
    begin_hands,
    hand_forces,
    hand_friction,
    hand_work,
)
from hapsis.motion.solvers.particles.forces.planes import plane_forces, plane_friction
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory
from hapsis.motion.solvers.particles.touch.friction_rows import count_carried, touch_friction
from hapsis.motion.solvers.particles.touch.touch_forces import touch_forces


@native
def forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """All forces on all particles; their potential and the power of dampers in next_potential, next_power."""
    scene.next_potential, scene.next_power = 0.0, 0.0
    for c in range(3 * scene.count):
        force[c] = 0.0
    spring_forces(scene, x, v, force)
    work = scene.turn_work
    torsion_forces(scene, x, v, force, work)
    joint_forces(scene, x, v, force, work)
    cell_forces(scene, x, v, force)
    plane_forces(scene, x, v, force)
    if scene.cord_count > 0:
        cord_forces(scene, x, v, force)
    touch_forces(scene, x, v, force)
    if scene.inner_count > 0:
        for c in range(scene.inner_count):
            scene.next_inner[c] = force[c]
        scene.next_inner_potential, scene.next_inner_power = scene.next_potential, scene.next_power
    outer_forces(scene, x, v, force)
    if scene.modelled:
        body_contact_forces(scene, x, v, force)
        take_anchored(scene, x, force)  # the last: it hands all forces on fixed particles to their bodies


@native
def outer_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds gravity, what pushes, and hands: what a caller changes between the ticks of a loop."""
    gx, gy, gz = scene.gravity[0], scene.gravity[1], scene.gravity[2]
    fall = 0.0
    for i in range(scene.count):
        m = scene.mass[i]
        force[3 * i] += m * gx + scene.push[3 * i]
        force[3 * i + 1] += m * gy + scene.push[3 * i + 1]
        force[3 * i + 2] += m * gz + scene.push[3 * i + 2]
        fall += m * (gx * x[3 * i] + gy * x[3 * i + 1] + gz * x[3 * i + 2])
    scene.next_potential -= fall
    if scene.hand_count > 0:
        hand_forces(scene, x, v, force)


@native
def keep_inner(scene: ParticleMemory) -> None:
    """Keeps what is inside of the forces that were computed last: they are those of the state."""
    if scene.inner_count == 0:
        return
    for c in range(scene.inner_count):
        scene.inner[c] = scene.next_inner[c]
    scene.inner_potential, scene.inner_power = scene.next_inner_potential, scene.next_inner_power
    for g in range(scene.group_count + 1):
        scene.inner_gain[g] = scene.gain[g]


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
def trial(scene: ParticleMemory, h: float) -> None:
    """One step of length h to next_x, next_v, next_force: positions and velocities by both ends."""
    half, out = scene.half, scene.next_v
    for i in range(scene.count):
        w = 0.5 * h * scene.ease[i]
        for c in range(3 * i, 3 * i + 3):
            half[c] = scene.v[c] + w * scene.force[c]
    scene.lost = plane_friction(scene, scene.normal, scene.v, half, 0.5 * h)
    scene.lost += hand_friction(scene, True, scene.v, half, 0.5 * h)
    m = scene.model
    if scene.modelled:
        model_half(scene, h)
    scene.lost += touch_friction(scene, scene.touch.now, scene.v, half, at(m.y, m.n_q), m.half, 0.5 * h, True)
    if scene.modelled:
        count_carried(scene, scene.touch.now, m.poses, scene.x, m.lift, m.rows, m.half)
        friction_at_start(scene, scene.v, half, 0.5 * h)
    for i in range(scene.count):
        w = 0.5 * h * scene.ease[i]
        for c in range(3 * i, 3 * i + 3):
            scene.next_x[c] = scene.x[c] + h * half[c]
            out[c] = half[c] + w * scene.force[c]
    if scene.modelled:
        model_drift(scene, h)
        friction_between(scene, half, out, 0.5 * h)
    # the velocity that dampers see: what sticks stays
    scene.worked = plane_friction(scene, scene.normal, half, out, 0.5 * h)
    carried, u = scene.touch.carried, at(m.next_y, m.n_q)
    scene.worked = touch_friction(scene, scene.touch.now, half, out, m.half, u, 0.5 * h, False)
    scene.touch.carried = carried
    if scene.modelled:
        model_arrival(scene, h, scene.next_x, out)
    forces(scene, scene.next_x, out, scene.next_force)
    for i in range(scene.count):
        w = 0.5 * h * scene.ease[i]
        for c in range(3 * i, 3 * i + 3):
            out[c] = half[c] + w * scene.next_force[c]
    scene.lost += plane_friction(scene, scene.next_normal, half, out, 0.5 * h)
    scene.lost += hand_friction(scene, False, half, out, 0.5 * h)
    if scene.modelled:
        model_end(scene, h)
    scene.lost += touch_friction(scene, 1 - scene.touch.now, half, out, m.half, u, 0.5 * h, False)
    if scene.modelled:
        count_carried(scene, 1 - scene.touch.now, m.next_poses, scene.next_x, m.next_lift, m.next_rows, u)
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
    u = scene.model.half  # of no Model
    scene.lost += touch_friction(scene, scene.touch.now, scene.v, out, u, u, h, False)
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
