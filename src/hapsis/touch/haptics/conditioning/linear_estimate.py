"""The estimate x̂ of a linear model: its memory, its prediction and its outputs, for any gain."""

from hapsis.compiler.native import Array, isfinite, native, record, sized


@record
class KalmanMemory:
    """The linear model, the estimate x̂ and the inputs u of the period before."""

    n: int  # states
    nz: int  # measurements
    nu: int  # inputs
    no: int  # outputs
    A: Array = sized("n * n")
    B: Array = sized("n * nu")
    H: Array = sized("nz * n")
    C: Array = sized("no * n")
    D: Array = sized("no * nu")
    started: bool = False
    x: Array = sized("n")
    new: Array = sized("n")
    u: Array = sized("nu")


@native
def measured(count: int, z: Array) -> int:
    """How many measurements there are."""
    present = 0
    for k in range(count):
        if isfinite(z[k]):
            present += 1
    return present


@native
def predict(u: Array, own: KalmanMemory) -> None:
    """x̂ = A x̂ + B (u_before + u) / 2."""
    n, nu, x, new, before = own.n, own.nu, own.x, own.new, own.u
    A, B = own.A, own.B
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += A[i * n + j] * x[j]
        for k in range(nu):
            now = u[k] if isfinite(u[k]) else before[k]
            total += B[i * nu + k] * (0.5 * (before[k] + now))
        new[i] = total
    for i in range(n):
        x[i] = new[i]


@native
def show(u: Array, y: Array, own: KalmanMemory) -> None:
    """Keeps u for the next step; y = C x̂ + D u."""
    n, nu, x, before, C, D = own.n, own.nu, own.x, own.u, own.C, own.D
    for k in range(nu):
        if isfinite(u[k]):
            before[k] = u[k]
    for i in range(own.no):
        total = 0.0
        for j in range(n):
            total += C[i * n + j] * x[j]
        for k in range(nu):
            total += D[i * nu + k] * before[k]
        y[i] = total
