"""Rotations as products of rotations about coordinate axes, over any scalar.

A rotation between two links is written with as few factors as possible, usually X(b) Z(q): a rotation
about a coordinate axis transforms a vector with 4 products and a symmetric tensor with 8, a full matrix
needs 9 and 45. `up` transforms components from the child's axes to the parent's, `down` back.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.vectors import Vector

Rows = tuple[Vector, ...]  # always three
Tensor = tuple[Any, ...]  # symmetric, always six: xx yy zz xy xz yz

SNAP = 1e-15  # cos(pi/2) is 6e-17; anything larger is the user's own number


class Turn(NamedTuple):
    """A rotation about coordinate axis 0, 1 or 2 by an angle of cosine c and sine s."""

    axis: int
    c: Any
    s: Any

    def up(self, v: Vector) -> Vector:
        """R v."""
        k, (c, s) = self.axis, self[1:]
        x, y, z = v[k - 2], v[k - 1], v[k]  # the axis comes last, cyclically
        x, y = c * x - s * y, s * x + c * y
        return ((z, x, y), (y, z, x), (x, y, z))[k]

    def down(self, v: Vector) -> Vector:
        """Rᵀ v."""
        k, (c, s) = self.axis, self[1:]
        x, y, z = v[k - 2], v[k - 1], v[k]
        x, y = c * x + s * y, c * y - s * x
        return ((z, x, y), (y, z, x), (x, y, z))[k]

    def tensor(self, t: Tensor) -> Tensor:
        """R T Rᵀ, by the double angle: xx' = xx - s u, yy' = yy + s u, xy' = c u - xy."""
        k, (c, s) = self.axis, self[1:]
        diagonal, mixed = t[:3], t[3:]  # mixed: xy xz yz, opposite z y x
        xx, yy, zz = diagonal[k - 2], diagonal[k - 1], diagonal[k]
        opposite = mixed[2], mixed[1], mixed[0]
        yz, xz, xy = opposite[k - 2], opposite[k - 1], opposite[k]
        u = s * (xx - yy) + c * (xy + xy)
        su = s * u
        xx, yy, xy = xx - su, yy + su, c * u - xy
        xz, yz = c * xz - s * yz, s * xz + c * yz
        d = ((zz, xx, yy), (yy, zz, xx), (xx, yy, zz))[k]
        o = ((xy, yz, xz), (xz, xy, yz), (yz, xz, xy))[k]
        return (*d, o[2], o[1], o[0])


class Matrix(NamedTuple):
    """A rotation by its nine numbers, row by row."""

    rows: Rows

    def up(self, v: Vector) -> Vector:
        """R v."""
        a, b, c = self.rows
        x, y, z = v
        return (
            a[0] * x + a[1] * y + a[2] * z,
            b[0] * x + b[1] * y + b[2] * z,
            c[0] * x + c[1] * y + c[2] * z,
        )

    def down(self, v: Vector) -> Vector:
        """Rᵀ v."""
        return Matrix(transposed(self.rows)).up(v)

    def tensor(self, t: Tensor) -> Tensor:
        """R T Rᵀ."""
        xx, yy, zz, xy, xz, yz = t
        # the rows of R T, then their products with the rows of R
        half = [Matrix(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))).up(row) for row in self.rows]

        def product(i: int, j: int) -> Any:
            a, b = half[i], self.rows[j]
            return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        a, b, c, d, e, f = (product(i, j) for i, j in pairs)
        return a, b, c, d, e, f


Rotation = tuple[Turn | Matrix, ...]  # factors from the left, parent's side first


def up(rotation: Rotation, v: Vector) -> Vector:
    """Components in the parent's axes of a vector given in the child's."""
    for factor in reversed(rotation):
        v = factor.up(v)
    return v


def down(rotation: Rotation, v: Vector) -> Vector:
    """Components in the child's axes of a vector given in the parent's."""
    for factor in rotation:
        v = factor.down(v)
    return v


def tensor_up(rotation: Rotation, t: Tensor) -> Tensor:
    """A symmetric tensor from the child's axes to the parent's."""
    for factor in reversed(rotation):
        t = factor.tensor(t)
    return t


def tensor_sum(*tensors: Tensor) -> Tensor:
    """The sum of symmetric tensors."""
    a, b, c, d, e, f = tensors[0]
    for t in tensors[1:]:
        a, b, c, d, e, f = a + t[0], b + t[1], c + t[2], d + t[3], e + t[4], f + t[5]
    return a, b, c, d, e, f


def rows_up(rotation: Rotation, rows: Rows) -> Rows:
    """R B Rᵀ for any matrix B of three rows."""
    half = transposed([up(rotation, row) for row in rows])  # (B Rᵀ)ᵀ
    return transposed([up(rotation, column) for column in half])


def transposed(rows: Sequence[Vector]) -> Rows:
    """The columns as rows."""
    a, b, c = rows
    return (a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])


def product(a: Rows, b: Rows) -> Rows:
    """The matrix a b."""
    left = Matrix(a)
    return transposed([left.up(column) for column in transposed(b)])


def of_rpy(roll: Any, pitch: Any, yaw: Any, cos: Any = math.cos, sin: Any = math.sin) -> Rows:
    """Rz(yaw) Ry(pitch) Rx(roll): rotations about the fixed x, y, z axes in that order, as in URDF."""
    cr, sr, cp, sp, cy, sy = cos(roll), sin(roll), cos(pitch), sin(pitch), cos(yaw), sin(yaw)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def of_quaternion(w: Any, x: Any, y: Any, z: Any) -> Rows:
    """The rotation of a quaternion of any length but zero."""
    k = 2.0 / (w * w + x * x + y * y + z * z)
    kx, ky, kz = k * x, k * y, k * z
    wx, wy, wz, xx, xy, xz = w * kx, w * ky, w * kz, x * kx, x * ky, x * kz
    yy, yz, zz = y * ky, y * kz, z * kz
    return (
        (1.0 - (yy + zz), xy - wz, xz + wy),
        (xy + wz, 1.0 - (xx + zz), yz - wx),
        (xz - wy, yz + wx, 1.0 - (xx + yy)),
    )


def z_onto(axis: Vector) -> Rows:
    """A rotation of numbers that takes the z axis onto this unit vector; exact for ±x, ±y, ±z."""
    x, y, z = (float(component) for component in axis)
    if abs(x) <= SNAP and abs(y) <= SNAP:
        flip = math.copysign(1.0, z)
        return (1.0, 0.0, 0.0), (0.0, flip, 0.0), (0.0, 0.0, flip)
    # columns: two unit vectors across the axis, then the axis itself
    r = math.hypot(x, y)
    across, along = (-y / r, x / r, 0.0), (-z * x / r, -z * y / r, r)
    return transposed([across, along, (x, y, z)])


def snapped(rows: Rows) -> Rows:
    """The rows, with numbers that differ from 0, 1 or -1 by rounding only set to exactly that."""

    def snap(x: float) -> float:
        whole = round(x)
        return float(whole) if abs(x - whole) <= SNAP else x

    a, b, c = ((snap(r[0]), snap(r[1]), snap(r[2])) for r in rows)
    return a, b, c


def zxz(rows: Rows) -> tuple[float, float, float]:
    """Angles with R = Z(a) X(b) Z(c), 0 <= b <= pi; a = 0 where the two z axes are parallel."""
    (_, _, xz), (_, _, yz), (_, _, zz) = rows
    tilt = math.hypot(xz, yz)
    b = math.atan2(tilt, zz)
    a = math.atan2(xz, -yz) if tilt > 1e-14 else 0.0
    # the first column of (Z(a) X(b))ᵀ R = Z(c)
    ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
    x = rows[0][0], rows[1][0], rows[2][0]
    cosine = ca * x[0] + sa * x[1]
    sine = cb * (ca * x[1] - sa * x[0]) + sb * x[2]
    return a, b, math.atan2(sine, cosine)


def wrapped(angle: float) -> float:
    """The same angle between -pi and pi; exact where it differs from a quarter turn by rounding only."""
    turns = angle - 2.0 * math.pi * round(angle / (2.0 * math.pi))
    quarter = turns / (math.pi / 2)
    return round(quarter) * (math.pi / 2) if abs(quarter - round(quarter)) <= 4 * SNAP else turns


def cosine_sine(angle: float) -> tuple[float, float]:
    """The cosine and sine of a number, exact at multiples of a quarter turn."""
    quarter = angle / (math.pi / 2)
    if abs(quarter - round(quarter)) <= 4 * SNAP:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarter) % 4]
    return math.cos(angle), math.sin(angle)
