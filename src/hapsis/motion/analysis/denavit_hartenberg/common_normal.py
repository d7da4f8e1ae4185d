"""The row that leads from one Denavit-Hartenberg frame to the next axis, by their common normal.

An axis is a line: a point and a unit vector. In the frame before it, whose z is the axis before it,

    skew, intersecting   x along ±(z × axis); a is the signed distance, 0 where the lines meet
    parallel             x across to the axis; of all normals the one through the origin, so d = 0
    coincident           x as before, theta = a = d = 0

The sign of x is that which turns least: theta is in [-π/2, π/2], and a and alpha have signs. Published
tables whose rows have theta = 0 come back as they are printed. Reference: [Nahvi], after Sklar.
"""

import math
from typing import NamedTuple

import numpy as np

from hapsis.mechanics.drawing.placement import Array, Pose

COINCIDENT = 1e-9  # m between parallel lines that are one
TIE = 1e-9  # rad; theta this near to -π/2 is π/2


class Parameters(NamedTuple):
    """theta, d, a, alpha, and by how much the axis misses them."""

    theta: float
    d: float
    a: float
    alpha: float
    missed: float = 0.0

    @property
    def pose(self) -> Pose:
        """Rz(theta) Tz(d) Tx(a) Rx(alpha)."""
        c, s, ca, sa = *_cos_sin(self.theta), *_cos_sin(self.alpha)
        R = np.array([[c, -s * ca, s * sa], [s, c * ca, -c * sa], [0.0, sa, ca]])
        return Pose(np.array([self.a * c, self.a * s, self.d]), R)


def row_to_axis(frame: Pose, point: Array, axis: Array, tolerance: float) -> Parameters:
    """The row from a frame to a line; `tolerance` is the sine of the angle of lines that are parallel."""
    c, z = frame.R.T @ (point - frame.p), frame.R.T @ axis
    sine = math.hypot(z[0], z[1])
    if sine > tolerance:
        theta = _least_turn(math.atan2(z[0], -z[1]), c)  # z × axis = (-axis_y, axis_x, 0)
        x, y = np.array([math.cos(theta), math.sin(theta), 0.0]), (-math.sin(theta), math.cos(theta))
        along_y, across = z[0] * y[0] + z[1] * y[1], c[0] * y[0] + c[1] * y[1]
        # d z + a x + t axis = c, of which y gives t
        return Parameters(
            theta, float(c[2] - across / along_y * z[2]), float(x @ c), math.atan2(-along_y, z[2])
        )
    alpha = 0.0 if z[2] > 0 else math.pi
    distance = math.hypot(c[0], c[1])
    if distance > min(tolerance, COINCIDENT):
        theta = _least_turn(math.atan2(c[1], c[0]), c)
        return Parameters(theta, 0.0, float(c[0] * math.cos(theta) + c[1] * math.sin(theta)), alpha, sine)
    return Parameters(0.0, 0.0, 0.0, alpha, max(sine, distance))


def row_to_end(frame: Pose, end: Pose, tolerance: float) -> Parameters:
    """The row from the last joint's frame to the z axis of the end.

    Where the axes are parallel its origin is beside that of the end; where they coincide it is the end.
    """
    row = row_to_axis(frame, end.p, end.R[:, 2], tolerance)
    c, x = frame.R.T @ (end.p - frame.p), frame.R.T @ end.R[:, 0]
    if math.hypot(*(frame.R.T @ end.R[:, 2])[:2]) > tolerance:
        return row
    theta = row.theta if row.a else math.atan2(x[1], x[0])
    return row._replace(theta=math.pi if theta < TIE - math.pi else theta, d=float(c[2]))


def _least_turn(theta: float, c: Array) -> float:
    """theta or theta ± π, that in (-π/2, π/2]; or -π/2 where a, along x to c, would be negative at π/2."""
    if theta <= -math.pi / 2 + TIE:
        theta += math.pi
    elif theta > math.pi / 2 + TIE:
        theta -= math.pi
    backwards = c[0] * math.cos(theta) + c[1] * math.sin(theta) < -TIE
    return theta - math.pi if theta > math.pi / 2 - TIE and backwards else theta


def _cos_sin(x: float) -> tuple[float, float]:
    return math.cos(x), math.sin(x)
