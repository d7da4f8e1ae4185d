"""Steps of Kalman filters: x̂ = A x̂ + B ū, then corrected by each measurement z = H x + noise.

Samples are the measurements, then the inputs u; ū is the mean of u now and before. A measurement
that is not finite is left out; an input that is not finite stays what it was. Outputs are
C x̂ + D u, NaN before the first measurement.

Constants: n, count of z, of u, of outputs, then A, B, H, C, D; after them Q, R, P₀ of a filter
whose gain follows its covariance, or L, S of one with a fixed gain. Memory: started, x̂, new x̂,
u before, P, a matrix to work in.
"""

from hapsis.compiler.native import Array, at, isfinite, native


@native
def measured(count: int, x: Array) -> int:
    """How many measurements are there."""
    found = 0
    for k in range(count):
        if isfinite(x[k]):
            found += 1
    return found


@native
def predict(n: int, nz: int, nu: int, x: Array, m: Array, c: Array) -> None:
    """x̂ = A x̂ + B (u_before + u) / 2."""
    A, B, state, new, before = at(c, 4), at(c, 4 + n * n), at(m, 1), at(m, 1 + n), at(m, 1 + 2 * n)
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += A[i * n + j] * state[j]
        for k in range(nu):
            now = x[nz + k] if isfinite(x[nz + k]) else before[k]
            total += B[i * nu + k] * (0.5 * (before[k] + now))
        new[i] = total
    for i in range(n):
        state[i] = new[i]


@native
def keep_inputs(n: int, nz: int, nu: int, x: Array, m: Array) -> None:
    """Notes u for the next step."""
    before = at(m, 1 + 2 * n)
    for k in range(nu):
        if isfinite(x[nz + k]):
            before[k] = x[nz + k]


@native
def told(n: int, nz: int, nu: int, no: int, y: Array, m: Array, c: Array) -> None:
    """y = C x̂ + D u."""
    C = at(c, 4 + n * n + n * nu + nz * n)
    D = at(c, 4 + n * n + n * nu + nz * n + no * n)
    for i in range(no):
        total = 0.0
        for j in range(n):
            total += C[i * n + j] * m[1 + j]
        for k in range(nu):
            total += D[i * nu + k] * m[1 + 2 * n + k]
        y[i] = total


@native
def spread(n: int, A: Array, Q: Array, P: Array, W: Array) -> None:
    """P = A P Aᵀ + Q."""
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += A[i * n + k] * P[k * n + j]
            W[i * n + j] = total
    for i in range(n):
        for j in range(i + 1):
            total = Q[i * n + j]
            for k in range(n):
                total += W[i * n + k] * A[j * n + k]
            P[i * n + j] = total
            P[j * n + i] = total


@native
def correct(n: int, z: float, h: Array, variance: float, state: Array, P: Array, W: Array) -> None:
    """One measurement z = h x̂ + noise, in Joseph's form: P stays positive whatever the rounding."""
    gain, along = at(W, 0), at(W, n)
    expected, total = 0.0, variance
    for i in range(n):
        along[i] = 0.0
        for j in range(n):
            along[i] += P[i * n + j] * h[j]
        expected += h[i] * state[i]
    for i in range(n):
        total += h[i] * along[i]
    for i in range(n):
        gain[i] = along[i] / total
        state[i] += gain[i] * (z - expected)
    # (1 - g hᵀ) P (1 - h gᵀ) + g r gᵀ, by rows and then by columns
    for i in range(n):
        for j in range(n):
            P[i * n + j] -= gain[i] * along[j]
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += P[i * n + j] * h[j]
        for j in range(n):
            P[i * n + j] += (variance * gain[i] - total) * gain[j]
    for i in range(n):
        for j in range(i):
            P[i * n + j] = 0.5 * (P[i * n + j] + P[j * n + i])
            P[j * n + i] = P[i * n + j]


@native
def kalman(x: Array, y: Array, m: Array, c: Array) -> None:
    """A step whose gain follows the covariance."""
    n, nz, nu, no = int(c[0]), int(c[1]), int(c[2]), int(c[3])
    H, base = at(c, 4 + n * n + n * nu), 4 + n * n + n * nu + nz * n + no * n + no * nu
    Q, R, P0 = at(c, base), at(c, base + n * n), at(c, base + n * n + nz)
    P, W = at(m, 1 + 2 * n + nu), at(m, 1 + 2 * n + nu + n * n)
    if m[0] == 0.0:
        if measured(nz, x) == 0:
            for k in range(no):
                y[k] = x[0] - x[0]
            return
        for k in range(n * n):
            P[k] = P0[k]
        for k in range(n):
            m[1 + k] = 0.0
        m[0] = 1.0
    else:
        predict(n, nz, nu, x, m, c)
        spread(n, at(c, 4), Q, P, W)
    for k in range(nz):
        if isfinite(x[k]):
            correct(n, x[k], at(H, k * n), R[k], at(m, 1), P, W)
    keep_inputs(n, nz, nu, x, m)
    told(n, nz, nu, no, y, m, c)


@native
def steady(x: Array, y: Array, m: Array, c: Array) -> None:
    """A step with the gain L for good; it starts with all measurements, at x̂ = S z.

    A measurement that is missing counts as the one expected.
    """
    n, nz, nu, no = int(c[0]), int(c[1]), int(c[2]), int(c[3])
    H, base = at(c, 4 + n * n + n * nu), 4 + n * n + n * nu + nz * n + no * n + no * nu
    L, S, state, new = at(c, base), at(c, base + n * nz), at(m, 1), at(m, 1 + n)
    if m[0] == 0.0:
        if measured(nz, x) < nz:
            nothing = 0.0
            for k in range(nz):
                nothing += x[k] - x[k]
            for k in range(no):
                y[k] = nothing
            return
        for i in range(n):
            state[i] = 0.0
            for k in range(nz):
                state[i] += S[i * nz + k] * x[k]
        m[0] = 1.0
    else:
        predict(n, nz, nu, x, m, c)
        for i in range(n):
            new[i] = state[i]
        for k in range(nz):
            expected = 0.0
            for j in range(n):
                expected += H[k * n + j] * state[j]
            if isfinite(x[k]):
                for i in range(n):
                    new[i] += L[i * nz + k] * (x[k] - expected)
        for i in range(n):
            state[i] = new[i]
    keep_inputs(n, nz, nu, x, m)
    told(n, nz, nu, no, y, m, c)
