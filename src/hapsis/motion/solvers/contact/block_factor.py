"""The Cholesky factor of a symmetric matrix of blocks: an order of elimination, its fill, the factor.

Block (i, j) is kept where i is eliminated after j, or i = j, by columns; `slot` says where. The order is that
of least degree. It is planned anew only where a link is missing that the last plan has not.
"""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.contact.contact_memory import FULL, SINGULAR, SOLVED, ContactScene
from hapsis.motion.solvers.contact.dense_factor import factor_dense, substitute, substitute_back


@native
def size_of(scene: ContactScene, block: int) -> int:
    """Speeds of a block."""
    return scene.block_first[block + 1] - scene.block_first[block]


@native
def linked(scene: ContactScene) -> bool:
    """Whether the plan has all links of this step."""
    n = scene.block_count
    if not scene.planned:
        return False
    for k in range(scene.touch_count):
        a = int(scene.touch_block[2 * k])
        b = int(scene.touch_block[2 * k + 1])
        if a >= 0 and b >= 0 and a != b and scene.slot[a * n + b] < 0 and scene.slot[b * n + a] < 0:
            return False
    return True


@native
def plan(scene: ContactScene) -> int:
    """SOLVED, or FULL: the order of elimination and the places of all blocks of the factor."""
    n = scene.block_count
    for k in range(n * n):
        scene.link[k] = 0
        scene.slot[k] = -1
    for k in range(scene.touch_count):
        a = int(scene.touch_block[2 * k])
        b = int(scene.touch_block[2 * k + 1])
        if a >= 0 and b >= 0 and a != b:
            scene.link[a * n + b] = 1
            scene.link[b * n + a] = 1
    for i in range(n):
        scene.picked[i] = 0
        count = 0
        for j in range(n):
            count += scene.link[i * n + j]
        scene.degree[i] = count
    used = 0
    filled = 0
    for step in range(n):
        best = -1
        for i in range(n):
            if scene.picked[i] == 0 and (best < 0 or scene.degree[i] < scene.degree[best]):
                best = i
        scene.picked[best] = 1
        scene.sequence[step] = best
        scene.position[best] = step
        scene.row_first[step] = used
        scene.slot[best * n + best] = filled
        filled += size_of(scene, best) * size_of(scene, best)
        for i in range(n):
            if scene.picked[i] == 0 and scene.link[best * n + i] != 0:
                scene.rows[used] = i
                used += 1
                scene.slot[i * n + best] = filled
                filled += size_of(scene, i) * size_of(scene, best)
        # what it was linked to is linked among itself
        for x in range(scene.row_first[step], used):
            i = int(scene.rows[x])
            scene.degree[i] -= 1
            for z in range(scene.row_first[step], used):
                j = int(scene.rows[z])
                if i != j and scene.link[i * n + j] == 0:
                    scene.link[i * n + j] = 1
                    scene.degree[i] += 1
    scene.row_first[n] = used
    if filled > scene.factor_room:
        return FULL
    scene.factor_size = filled
    scene.planned = True
    return SOLVED


@native
def factor(scene: ContactScene) -> int:
    """SOLVED, with the factor in the place of H; SINGULAR where H is not positive definite."""
    n = scene.block_count
    for step in range(n):
        k = int(scene.sequence[step])
        size = size_of(scene, k)
        D = at(scene.H, scene.slot[k * n + k])
        if not factor_dense(size, D):
            return SINGULAR
        first = int(scene.row_first[step])
        last = int(scene.row_first[step + 1])
        for x in range(first, last):
            i = int(scene.rows[x])
            below = at(scene.H, scene.slot[i * n + k])
            divided(size_of(scene, i), size, D, below)
        for x in range(first, last):
            i = int(scene.rows[x])
            left = at(scene.H, scene.slot[i * n + k])
            for z in range(first, last):
                j = int(scene.rows[z])
                if scene.position[i] >= scene.position[j]:
                    right = at(scene.H, scene.slot[j * n + k])
                    reduce(
                        size_of(scene, i),
                        size_of(scene, j),
                        size,
                        left,
                        right,
                        at(scene.H, scene.slot[i * n + j]),
                    )
    return SOLVED


@native
def divided(rows: int, n: int, D: Array, B: Array) -> None:
    """B := B L⁻ᵀ."""
    for c in range(n):
        column = at(B, c * rows)
        over = D[c * n + c]
        for r in range(rows):
            column[r] *= over
        for d in range(c + 1, n):
            other = at(B, d * rows)
            w = D[c * n + d]
            for r in range(rows):
                other[r] -= w * column[r]


@native
def reduce(rows: int, columns: int, n: int, left: Array, right: Array, C: Array) -> None:
    """C := C - left rightᵀ."""
    for j in range(columns):
        column = at(C, j * rows)
        for c in range(n):
            w = right[c * columns + j]
            other = at(left, c * rows)
            for r in range(rows):
                column[r] -= w * other[r]


@native
def solve(scene: ContactScene, x: Array) -> None:
    """x := H⁻¹ x by the factor."""
    n = scene.block_count
    for step in range(n):
        k = int(scene.sequence[step])
        size = size_of(scene, k)
        D = at(scene.H, scene.slot[k * n + k])
        mine = at(x, scene.block_first[k])
        substitute(size, D, mine)
        for z in range(scene.row_first[step], scene.row_first[step + 1]):
            i = int(scene.rows[z])
            rows = size_of(scene, i)
            below = at(scene.H, scene.slot[i * n + k])
            other = at(x, scene.block_first[i])
            for c in range(size):
                for r in range(rows):
                    other[r] -= below[c * rows + r] * mine[c]
    for back in range(n):
        step = n - 1 - back
        k = int(scene.sequence[step])
        size = size_of(scene, k)
        D = at(scene.H, scene.slot[k * n + k])
        mine = at(x, scene.block_first[k])
        for z in range(scene.row_first[step], scene.row_first[step + 1]):
            i = int(scene.rows[z])
            rows = size_of(scene, i)
            below = at(scene.H, scene.slot[i * n + k])
            other = at(x, scene.block_first[i])
            for c in range(size):
                total = 0.0
                for r in range(rows):
                    total += below[c * rows + r] * other[r]
                mine[c] -= total
        substitute_back(size, D, mine)
