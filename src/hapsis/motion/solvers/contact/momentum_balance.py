"""The balance of momentum in a step: velocities of points and rows by the speeds, and what impulses leave."""

from hapsis.compiler.native import at, native, sqrt
from hapsis.motion.solvers.contact.block_factor import size_of
from hapsis.motion.solvers.contact.contact_memory import HEAD, ContactScene
from hapsis.motion.solvers.contact.dense_factor import add_product


@native
def velocities_of_points(scene: ContactScene, along: bool) -> None:
    """u of all points and rows at the speeds v; with `along` du at dv."""
    for k in range(scene.touch_count):
        count = scene.touch_size[2 * k] + scene.touch_size[2 * k + 1]
        index = at(scene.touch_index, k * scene.widest)
        P = at(scene.touch_P, k * 6 * scene.widest)
        V = at(scene.touch_dV, 6 * k) if along else at(scene.touch_V, 6 * k)
        for i in range(6):
            V[i] = 0.0
        for j in range(count):
            x = scene.dv[index[j]] if along else scene.v[index[j]]
            for i in range(6):
                V[i] += P[6 * j + i] * x
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            rx = scene.place[3 * p] - scene.touch_at[3 * k]
            ry = scene.place[3 * p + 1] - scene.touch_at[3 * k + 1]
            rz = scene.place[3 * p + 2] - scene.touch_at[3 * k + 2]
            ux = V[3] + V[1] * rz - V[2] * ry
            uy = V[4] + V[2] * rx - V[0] * rz
            uz = V[5] + V[0] * ry - V[1] * rx
            axes = at(scene.axes, 9 * p)
            out = at(scene.du, 3 * p) if along else at(scene.u, 3 * p)
            for i in range(3):
                out[i] = axes[3 * i] * ux + axes[3 * i + 1] * uy + axes[3 * i + 2] * uz
    for k in range(scene.row_count):
        index = at(scene.row_index, k * scene.row_width)
        row = at(scene.row_values, k * (HEAD + scene.row_width) + HEAD)
        total = 0.0
        for j in range(scene.row_size[k]):
            total += row[j] * (scene.dv[index[j]] if along else scene.v[index[j]])
        scene.row_u[3 * k + (1 if along else 0)] = total


@native
def apply_matrix(scene: ContactScene) -> None:
    """Adv = A dv, block by block."""
    for k in range(scene.block_count):
        n = size_of(scene, k)
        A = at(scene.A, scene.block_start[k])
        x = at(scene.dv, scene.block_first[k])
        y = at(scene.Adv, scene.block_first[k])
        for i in range(n):
            y[i] = 0.0
        add_product(n, A, x, y)  # A is symmetric


@native
def gather_gradient(scene: ContactScene) -> float:
    """The relative residual; the gradient A (v - v0) - b - Jᵀ γ is written."""
    for i in range(scene.n_v):
        scene.gradient[i] = 0.0
    for k in range(scene.touch_count):
        wrench = at(scene.small, 0)
        for i in range(6):
            wrench[i] = 0.0
        pushes = False
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            axes = at(scene.axes, 9 * p)
            gamma = at(scene.gamma, 3 * p)
            if gamma[2] == 0.0 and gamma[0] == 0.0 and gamma[1] == 0.0:
                continue
            pushes = True
            fx = axes[0] * gamma[0] + axes[3] * gamma[1] + axes[6] * gamma[2]
            fy = axes[1] * gamma[0] + axes[4] * gamma[1] + axes[7] * gamma[2]
            fz = axes[2] * gamma[0] + axes[5] * gamma[1] + axes[8] * gamma[2]
            rx = scene.place[3 * p] - scene.touch_at[3 * k]
            ry = scene.place[3 * p + 1] - scene.touch_at[3 * k + 1]
            rz = scene.place[3 * p + 2] - scene.touch_at[3 * k + 2]
            wrench[0] += ry * fz - rz * fy
            wrench[1] += rz * fx - rx * fz
            wrench[2] += rx * fy - ry * fx
            wrench[3] += fx
            wrench[4] += fy
            wrench[5] += fz
        if not pushes:
            continue
        index = at(scene.touch_index, k * scene.widest)
        P = at(scene.touch_P, k * 6 * scene.widest)
        for j in range(scene.touch_size[2 * k] + scene.touch_size[2 * k + 1]):
            total = 0.0
            for i in range(6):
                total += P[6 * j + i] * wrench[i]
            scene.gradient[index[j]] -= total
    for k in range(scene.row_count):
        index = at(scene.row_index, k * scene.row_width)
        row = at(scene.row_values, k * (HEAD + scene.row_width) + HEAD)
        for j in range(scene.row_size[k]):
            scene.gradient[index[j]] -= row[j] * scene.row_force[k]
    pushed = 0.0
    given = 0.0
    left = 0.0
    for i in range(scene.n_v):
        s = scene.scale[i]
        pushed += s * scene.gradient[i] * scene.gradient[i]
        given += s * scene.b[i] * scene.b[i]
        scene.gradient[i] += scene.rest[i]
        left += s * scene.gradient[i] * scene.gradient[i]
    most = max(pushed, given)
    return 0.0 if left == 0.0 else sqrt(left / max(most, 1e-300))
