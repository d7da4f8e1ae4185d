"""The terms of a Model at a state: rates, its mobility with what loops and drives hold, and its energies."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.particles.bodies.model_memory import ModelMemory

SLIGHT = 1e-12  # of the easiest row: what holds a row that others hold already


@native
def copy(count: int, source: Array, goal: Array) -> None:
    """goal = source."""
    for k in range(count):
        goal[k] = source[k]


@native
def invert(n: int, a: Array) -> None:
    """Inverts a symmetric positive matrix in its place."""
    for k in range(n):
        pivot = 1.0 / a[k * n + k]
        a[k * n + k] = 1.0
        for j in range(n):
            a[k * n + j] *= pivot
        for i in range(n):
            f = a[i * n + k]
            if i != k and f != 0.0:
                a[i * n + k] = 0.0
                for j in range(n):
                    a[i * n + j] -= f * a[k * n + j]


@native
def brace_rows(m: ModelMemory) -> None:
    """Adds s CᵀC to M in next_mobility: what rows hold may have no mass. P is the same, for P Cᵀ = 0."""
    n = m.n_v
    mass, square = 0.0, 0.0
    for j in range(n):
        here = m.next_mobility[j * n + j]
        mass = here if here > mass else mass
        total = 0.0
        for r in range(m.row_count):
            total += m.next_rows[r * n + j] * m.next_rows[r * n + j]
        square = total if total > square else square
    scale = mass / square if square > 0.0 else 0.0
    for r in range(m.row_count):
        row = at(m.next_rows, r * n)
        for i in range(n):
            if row[i] != 0.0:
                for j in range(n):
                    m.next_mobility[i * n + j] += scale * row[i] * row[j]


@native
def hold_rows(m: ModelMemory) -> None:
    """Takes what loops and drives hold from the mobility: P = M⁻¹ - BᵀS B, B = C M⁻¹, S = (C Bᵀ)⁻¹."""
    n, rows = m.n_v, m.row_count
    largest = 0.0
    for r in range(rows):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += m.next_rows[r * n + k] * m.next_mobility[k * n + j]
            m.eased[r * n + j] = total
    for r in range(rows):
        for s in range(rows):
            total = 0.0
            for k in range(n):
                total += m.eased[r * n + k] * m.next_rows[s * n + k]
            m.small[r * rows + s] = total
            if r == s and total > largest:
                largest = total
    for r in range(rows):
        m.small[r * rows + r] += SLIGHT * largest
    invert(rows, m.small)
    for r in range(rows):
        for j in range(n):
            total = 0.0
            for s in range(rows):
                total += m.small[r * rows + s] * m.eased[s * n + j]
            m.next_lift[r * n + j] = total
    for i in range(n):
        for j in range(n):
            total = 0.0
            for r in range(rows):
                total += m.eased[r * n + i] * m.next_lift[r * n + j]
            m.next_mobility[i * n + j] -= total


@native
def model_terms(m: ModelMemory, t: float) -> None:
    """Rates, mobility, poses and energies of next_y; nothing where only the world is touched."""
    if m.n_v == 0:
        return
    m.clock[0] = t
    if m.closed:
        m.closing(m.clock, m.next_y, m.spare)
        for k in range(m.n_q + m.n_v):
            m.next_y[k] = m.spare[k]
    m.terms(
        m.clock, m.next_y, m.next_dy, m.next_mass, m.next_rows, m.next_poses, m.next_jacobians, m.next_watched
    )
    if not m.closed:
        m.free(m.next_y, m.spare)
        for k in range(m.n_q, m.n_q + m.n_v):
            m.next_dy[k] -= m.spare[k]
    for k in range(m.n_v * m.n_v):
        m.next_mobility[k] = m.next_mass[k]
    if m.row_count > 0:
        brace_rows(m)
    invert(m.n_v, m.next_mobility)
    if m.row_count > 0:
        hold_rows(m)


@native
def model_kinetic(m: ModelMemory, mass: Array, v: Array) -> float:
    """½ vᵀ M v."""
    total = 0.0
    for i in range(m.n_v):
        row = 0.0
        for j in range(m.n_v):
            row += mass[i * m.n_v + j] * v[j]
        total += v[i] * row
    return 0.5 * total
