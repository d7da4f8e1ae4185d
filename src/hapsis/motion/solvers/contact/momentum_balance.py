"""The balance of momentum in a step: velocities of points and rows by the speeds, and what impulses leave."""

from hapsis.compiler.native import at, native, sqrt
from hapsis.motion.solvers.contact.block_factor import size_of
from hapsis.motion.solvers.contact.contact_memory import HEAD, ContactScene
from hapsis.motion.solvers.contact.dense_factor import add_product

ONE_BLOCK = 0.1  # of the residual of one block counts
ROUNDED = 1e-10  # squared, of impulses that balance each other: the rounding of their sum, by the tolerance
TINY, HUGE = 1e-300, 1e300


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
    """The relative residual; the gradient A (v - v0) - b - Jᵀ γ is written.

    It is that of all speeds, by the impulses on all, or a part of that of one block, by the impulses on it:
    what is light is not left unsolved beside what is heavy. Where impulses balance each other and nothing
    else moves, what is left is compared with a part of each of them, too.
    """
    balanced = 0.0
    for i in range(scene.n_v):
        scene.gradient[i] = 0.0
    for k in range(scene.block_count):
        scene.pushes[k] = 0.0
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
            square = scene.scale[index[j]] * total * total
            scene.pushes[scene.block_of[index[j]]] += square
            balanced += square
    for k in range(scene.row_count):
        index = at(scene.row_index, k * scene.row_width)
        row = at(scene.row_values, k * (HEAD + scene.row_width) + HEAD)
        for j in range(scene.row_size[k]):
            impulse = row[j] * scene.row_force[k]
            scene.gradient[index[j]] -= impulse
            square = scene.scale[index[j]] * impulse * impulse
            scene.pushes[scene.block_of[index[j]]] += square
            balanced += square
            if scene.row_rigid[k] != 0:
                # a damper, whose rate is a difference
                own = abs(scene.row_values[k * (HEAD + scene.row_width) + 1])
                firm = row[j] * scene.row_u[3 * k + 2] * (abs(scene.row_u[3 * k]) + own)
                balanced += scene.scale[index[j]] * firm * firm
                scene.pushes[scene.block_of[index[j]]] = HUGE  # its rounding is more, and speeds are given
    pushed = 0.0
    given = 0.0
    left = 0.0
    worst = 0.0
    for k in range(scene.block_count):
        given_here = 0.0
        left_here = 0.0
        for i in range(scene.block_first[k], scene.block_first[k + 1]):
            s = scene.scale[i]
            pushed += s * scene.gradient[i] * scene.gradient[i]
            balanced += scene.v[i] * scene.v[i] / s
            given_here += s * scene.b[i] * scene.b[i]
            scene.gradient[i] += scene.rest[i]
            left_here += s * scene.gradient[i] * scene.gradient[i]
        given += given_here
        left += left_here
        if left_here > 0.0:
            worst = max(worst, left_here / max(max(scene.pushes[k], given_here), TINY))
    if left == 0.0:
        return 0.0
    return max(sqrt(left / max(max(pushed, given), max(ROUNDED * balanced, TINY))), ONE_BLOCK * sqrt(worst))


@native
def keep_left(scene: ContactScene) -> None:
    """Keeps the gradient for the next step, except where rigid rows give the speeds that they ask for."""
    for i in range(scene.n_v):
        scene.left[i] = scene.gradient[i]
    for k in range(scene.row_count):
        if scene.row_rigid[k] != 0:
            index = at(scene.row_index, k * scene.row_width)
            for j in range(scene.row_size[k]):
                scene.left[index[j]] = 0.0


@native
def take_left(scene: ContactScene) -> None:
    """Gives this step what the one before left, so that it does not add up."""
    for i in range(scene.n_v):
        scene.b[i] -= scene.left[i]


@native
def work_of_impulses(scene: ContactScene) -> float:
    """The work of contacts and rows in the step; rows of loops do none."""
    work = 0.0
    for i in range(scene.n_v):
        work += 0.5 * (scene.rest[i] - scene.gradient[i]) * (scene.v0[i] + scene.v[i])
    for k in range(scene.row_count):
        if scene.row_works[k] == 0:
            row = at(scene.row_values, k * (HEAD + scene.row_width) + HEAD)
            index = at(scene.row_index, k * scene.row_width)
            rate = 0.0
            for j in range(scene.row_size[k]):
                rate += row[j] * (scene.v0[index[j]] + scene.v[index[j]])
            work -= 0.5 * scene.row_force[k] * rate
    return work
