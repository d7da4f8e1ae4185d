"""Vectors of three numbers and poses, for native code."""

from hapsis.compiler.native import Array, native, sqrt


@native
def dot(a: Array, b: Array) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@native
def put(out: Array, x: float, y: float, z: float) -> None:
    """out = (x, y, z)."""
    out[0], out[1], out[2] = x, y, z


@native
def norm(a: Array) -> float:
    """|a|, also where the squares would overflow or vanish."""
    most = max(abs(a[0]), max(abs(a[1]), abs(a[2])))
    if most == 0.0:
        return 0.0
    x, y, z = a[0] / most, a[1] / most, a[2] / most
    return most * sqrt(x * x + y * y + z * z)


@native
def to_local(pose: Array, x: Array, out: Array) -> None:
    """out = Rᵀ x."""
    for k in range(3):
        out[k] = pose[k] * x[0] + pose[3 + k] * x[1] + pose[6 + k] * x[2]


@native
def to_world(pose: Array, x: Array, out: Array) -> None:
    """out = R x."""
    for k in range(3):
        out[k] = pose[3 * k] * x[0] + pose[3 * k + 1] * x[1] + pose[3 * k + 2] * x[2]


@native
def column(pose: Array, k: int, out: Array) -> None:
    """Axis k of the pose, in world axes."""
    put(out, pose[k], pose[3 + k], pose[6 + k])


@native
def cross(a: Array, b: Array, out: Array) -> None:
    """out = a × b."""
    put(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
