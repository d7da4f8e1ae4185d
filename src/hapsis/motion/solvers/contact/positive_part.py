"""Stiffness that would make the matrix of a step indefinite: what springs under pressure have across them.

    A = M + S,   S = L T Lᵀ,   M = L Lᵀ           S = h D + h² K of the forces

Where an eigenvalue of T is below LEAST, a step would throw what moves that way to the other side. It is set
to LEAST there: that part of the force stays explicit. Eigenvalues by rotations, of those blocks only.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.block_factor import size_of
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.contact.dense_factor import factor_dense, substitute

LEAST = -0.5
SWEEPS = 30
SMALL = 1e-28  # of the squares of a matrix: those off its diagonal, when it counts as diagonal


@native
def keep_positive(scene: ContactScene) -> None:
    """Raises the blocks of A with an eigenvalue below LEAST, and changes b as their stiffness."""
    for k in range(scene.block_count):
        n = size_of(scene, k)
        A = at(scene.A, scene.block_start[k])
        M = at(scene.masses, scene.block_start[k])
        T = scene.eigen
        for i in range(n * n):
            T[i] = A[i] - (1.0 + LEAST) * M[i]
        if not factor_dense(n, T):
            raise_block(scene, k, n, A, M)


@native
def raise_block(scene: ContactScene, k: int, n: int, A: Array, M: Array) -> None:
    """Raises one block."""
    T = scene.eigen
    V = at(scene.eigen, n * n)
    w = at(scene.eigen, 2 * n * n)
    for i in range(n * n):
        T[i] = A[i] - M[i]
    if not factor_dense(n, M):
        return
    for _ in range(2):  # L⁻¹ S, then L⁻¹ (L⁻¹ S)ᵀ
        for j in range(n):
            substitute(n, M, at(T, j * n))
        for i in range(n):
            for j in range(i):
                x = T[i * n + j]
                T[i * n + j] = T[j * n + i]
                T[j * n + i] = x
    diagonalise(n, T, V)
    b = at(scene.b, scene.block_first[k])
    v = at(scene.v0, scene.block_first[k])
    for m in range(n):
        more = LEAST - T[m * n + m]
        if more > 0.0:
            along = 0.0
            for i in range(n):
                w[i] = V[m * n + i] / M[i * n + i]
                for j in range(i):
                    w[i] += M[j * n + i] * V[m * n + j]
                along += w[i] * v[i]
            for i in range(n):
                b[i] -= more * along * w[i]
                for j in range(n):
                    A[i * n + j] += more * w[i] * w[j]


@native
def diagonalise(n: int, T: Array, V: Array) -> None:
    """T becomes diagonal; V has its eigenvectors by columns."""
    for i in range(n * n):
        V[i] = 0.0
    for i in range(n):
        V[i * n + i] = 1.0
    for _ in range(SWEEPS):
        off = 0.0
        whole = 0.0
        for i in range(n):
            for j in range(n):
                square = T[i * n + j] * T[i * n + j]
                whole += square
                if i != j:
                    off += square
        if not off > SMALL * whole:
            return
        for p in range(n):
            for q in range(p + 1, n):
                if T[p * n + q] != 0.0:
                    rotate(n, T, V, p, q)


@native
def rotate(n: int, T: Array, V: Array, p: int, q: int) -> None:
    """Turns T in the plane of p and q so that T[p, q] is zero."""
    slope = 0.5 * (T[q * n + q] - T[p * n + p]) / T[p * n + q]
    t = 1.0 / (abs(slope) + sqrt(1.0 + slope * slope))
    if slope < 0.0:
        t = -t
    c = 1.0 / sqrt(1.0 + t * t)
    s = t * c
    for i in range(n):
        x = T[i * n + p]
        y = T[i * n + q]
        T[i * n + p] = c * x - s * y
        T[i * n + q] = s * x + c * y
    for i in range(n):
        x = T[p * n + i]
        y = T[q * n + i]
        T[p * n + i] = c * x - s * y
        T[q * n + i] = s * x + c * y
        x = V[p * n + i]
        y = V[q * n + i]
        V[p * n + i] = c * x - s * y
        V[q * n + i] = s * x + c * y
