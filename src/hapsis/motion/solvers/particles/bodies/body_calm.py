"""How stiff and how damped contacts of particles make the bodies of a Model: what bounds calm steps.

The largest eigenvalues of P K and P D, with K = Σ λ g gᵀ and D = Σ μ g gᵀ over the pairs that press and g the
row of the velocity along the normal, by power iteration from the vectors of the last time.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.bodies.body_rows import add_row
from hapsis.motion.solvers.particles.bodies.model_memory import LAW, ModelMemory
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

TURNS = 12  # of the power iteration
OFTEN = 8  # steps from one look to the next
SPARE = 1.1  # what the iteration may lack


@native
def measure_bodies(scene: ParticleMemory) -> None:
    """The bounds with what presses now."""
    m = scene.model
    n, count = m.n_v, scene.count
    for j in range(n * n):
        m.contact_stiff[j], m.contact_damp[j] = 0.0, 0.0
    for k in range(m.piece_count):
        law = at(m.piece_law, LAW * k)
        for i in range(count):
            if m.push[k * count + i] <= 0.0:
                continue
            row, normal = m.rub, at(m.normals, 3 * (k * count + i))
            for j in range(n):
                row[j] = 0.0
            add_row(m, m.poses, m.jacobians, int(m.fixed_to[i]), at(scene.x, 3 * i), normal, 1.0, row)
            add_row(m, m.poses, m.jacobians, int(m.piece_body[k]), at(scene.x, 3 * i), normal, -1.0, row)
            for a in range(n):
                k_a, d_a = law[0] * row[a], law[1] * row[a]
                if row[a] != 0.0:
                    stiff, damp = at(m.contact_stiff, n * a), at(m.contact_damp, n * a)
                    for b in range(n):
                        stiff[b] += k_a * row[b]
                        damp[b] += d_a * row[b]
    m.body_stiff = SPARE * largest(m, m.contact_stiff, m.swing)
    m.body_damp = SPARE * largest(m, m.contact_damp, at(m.swing, n))


@native
def largest(m: ModelMemory, K: Array, w: Array) -> float:
    """The largest eigenvalue of P K; w is about its vector, before and after."""
    n, value = m.n_v, 0.0
    for j in range(n):
        w[j] += 1e-3 * (1.0 + 0.1 * j)  # never across it
    for _ in range(TURNS):
        size = 0.0
        for j in range(n):
            size += w[j] * w[j]
        scale = 1.0 / sqrt(size)
        for a in range(n):
            total = 0.0
            for b in range(n):
                total += K[a * n + b] * w[b]
            m.swung[a] = scale * total
        value = 0.0
        for a in range(n):
            total = 0.0
            for b in range(n):
                total += m.mobility[a * n + b] * m.swung[b]
            w[a] = total
            value += total * total
        value = sqrt(value)
        if value == 0.0:
            return 0.0
    return value
