"""The matrix of Newton's method, H = A + Σ Jᵀ G J, over touches and rows.

The velocity of a touch has six numbers: that of its bodies against each other, at its first point. The slopes
of all its points together are one matrix Φ for it.
"""

from hapsis.compiler.native import at, native
from hapsis.motion.solvers.contact.block_factor import size_of
from hapsis.motion.solvers.contact.contact_memory import HEAD, ContactScene


@native
def fill_matrix(scene: ContactScene) -> None:
    """H = A + Σ Jᵀ G J."""
    n = scene.block_count
    for i in range(scene.factor_size):
        scene.H[i] = 0.0
    for k in range(n):
        size = size_of(scene, k)
        D = at(scene.H, scene.slot[k * n + k])
        A = at(scene.A, scene.block_start[k])
        for i in range(size * size):
            D[i] = A[i]
    for k in range(scene.touch_count):
        if touch_slope(scene, k):
            add_touch(scene, k)
    for k in range(scene.row_count):
        slope = scene.row_u[3 * k + 2]
        if slope > 0.0:
            add_row(scene, k, slope)


@native
def touch_slope(scene: ContactScene, k: int) -> bool:
    """Φ = Σ Sᵀ G S over the points of a touch, S the velocity of a point by that of the touch."""
    phi = scene.phi
    for i in range(36):
        phi[i] = 0.0
    some = False
    for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
        slope = at(scene.slope, 4 * p)
        if slope[3] <= 0.0 and slope[0] <= 0.0 and slope[2] <= 0.0:
            continue
        some = True
        axes = at(scene.axes, 9 * p)
        rx = scene.place[3 * p] - scene.touch_at[3 * k]
        ry = scene.place[3 * p + 1] - scene.touch_at[3 * k + 1]
        rz = scene.place[3 * p + 2] - scene.touch_at[3 * k + 2]
        s = at(scene.small, 0)  # 3 rows of S, then 3 of G S
        for i in range(3):
            x = axes[3 * i]
            y = axes[3 * i + 1]
            z = axes[3 * i + 2]
            s[6 * i] = ry * z - rz * y
            s[6 * i + 1] = rz * x - rx * z
            s[6 * i + 2] = rx * y - ry * x
            s[6 * i + 3] = x
            s[6 * i + 4] = y
            s[6 * i + 5] = z
        for j in range(6):
            one = slope[0] * s[j] + slope[1] * s[6 + j]
            two = slope[1] * s[j] + slope[2] * s[6 + j]
            three = slope[3] * s[12 + j]
            for i in range(6):
                phi[6 * j + i] += one * s[i] + two * s[6 + i] + three * s[12 + i]
    return some


@native
def add_touch(scene: ContactScene, k: int) -> None:
    """H += Pᵀ Φ P of one touch, column by column."""
    n = scene.block_count
    first = int(scene.touch_size[2 * k])
    count = first + int(scene.touch_size[2 * k + 1])
    a = int(scene.touch_block[2 * k])
    b = int(scene.touch_block[2 * k + 1])
    index = at(scene.touch_index, k * scene.widest)
    P = at(scene.touch_P, k * 6 * scene.widest)
    PT = scene.small
    column = scene.column
    for j in range(count):
        for m in range(6):
            PT[m * count + j] = P[6 * j + m]
    for side in range(2):
        block = a if side == 0 else b
        if block < 0:
            continue
        other = b if side == 0 else a
        # of the two blocks between different bodies one is kept: its rows are eliminated later
        both = other == block or (other >= 0 and scene.position[other] > scene.position[block])
        start = int(scene.block_first[block])
        size = size_of(scene, block)
        mine = at(scene.H, int(scene.slot[block * n + block]))
        low = 0 if side == 0 or both else first
        high = count if side == 1 or both else first
        for j in range(0 if side == 0 else first, first if side == 0 else count):
            x = at(P, 6 * j)
            for i in range(low, high):
                column[i] = 0.0
            for m in range(6):
                phi = at(scene.phi, 6 * m)
                w = (
                    phi[0] * x[0]
                    + phi[1] * x[1]
                    + phi[2] * x[2]
                    + phi[3] * x[3]
                    + phi[4] * x[4]
                    + phi[5] * x[5]
                )
                row = at(PT, m * count)
                for i in range(low, high):
                    column[i] += row[i] * w
            target = at(mine, (index[j] - start) * size)
            for i in range(0 if side == 0 else first, first if side == 0 else count):
                target[index[i] - start] += column[i]
            if both:
                width = size_of(scene, other)
                begin = int(scene.block_first[other])
                beside = at(scene.H, int(scene.slot[other * n + block]) + (index[j] - start) * width)
                for i in range(first if side == 0 else 0, count if side == 0 else first):
                    beside[index[i] - begin] += column[i]


@native
def add_row(scene: ContactScene, k: int, slope: float) -> None:
    """H += slope rᵀ r of one row, whose speeds are of one block."""
    n = scene.block_count
    index = at(scene.row_index, k * scene.row_width)
    row = at(scene.row_values, k * (HEAD + scene.row_width) + HEAD)
    for j in range(scene.row_size[k]):
        block = scene.block_of[index[j]]
        first = int(scene.block_first[block])
        size = size_of(scene, block)
        D = at(scene.H, scene.slot[block * n + block] + (index[j] - first) * size)
        for i in range(scene.row_size[k]):
            D[index[i] - first] += slope * row[i] * row[j]
