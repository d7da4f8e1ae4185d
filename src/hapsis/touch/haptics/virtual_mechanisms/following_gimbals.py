"""Gimbals Rx Ry Rz that are put to a frame tick by tick, without a jump.

Every axes R = R_x(a) R_y(b) R_z(c) have two triples (a, b, c), and each angle any number of turns. Here the
triple is the one that goes on from that of the tick before. Where the outer and the inner axis are in line
(cos b = 0) only a + c or a - c is told by R: a stays, c takes the turn. Near there a frame may ask the outer
gimbal for any speed; it gets a bounded one, the others do their best with it, and the rest is the lag.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.graph.elementary_functions import abs, asin, atan2, clip, cos, maximum, sin, where

LEAST = 0.05  # |cos b| from which on the outer gimbal may be as fast as R asks for
CATCHING = 1.0  # rad/s, of the outer gimbal behind a frame that rests
NOISE = 1e-6  # |cos b| below which R does not tell a


class FollowingGimbals:
    """Follows a frame that is `turn` in the hand's axes, in ticks of dt."""

    def __init__(self, turn: Any, dt: float) -> None:
        self.turn, self.dt = turn, dt

    def following(self, angles: Sequence[Any], before: Any, axes: Any) -> tuple[list[Any], Any]:
        """The angles after those of the tick before, whose frame had the axes `before`; and the lag, rad."""
        a, b, c = angles
        R = np.array(axes, dtype=object) @ self.turn.T
        # in the gimbals before, R_x(-a) R z = (sin b, -sin d cos b, cos d cos b): d is what a lacks, mod π
        ahead, aside = cos(a) * R[2, 2] - sin(a) * R[1, 2], 0.0 - cos(a) * R[1, 2] - sin(a) * R[2, 2]
        side = where(ahead < 0.0, -1.0, 1.0)
        lacking = atan2(side * aside, maximum(abs(ahead), NOISE))
        most = _turned(before, axes) / LEAST + CATCHING * self.dt
        new = a + clip(lacking, 0.0 - most, most)
        # R_x(-a) R = R_y(b) R_z(c), but for the lag
        s, k = sin(new), cos(new)
        middle = [k * R[1, j] + s * R[2, j] for j in range(3)]
        low = k * R[2, 2] - s * R[1, 2]
        return [new, _next(b, R[0, 2], low), _next(c, middle[0], middle[1])], asin(
            clip(abs(middle[2]), 0.0, 1.0)
        )

    def moment(self, angles: Sequence[Any], measured: Sequence[Any]) -> list[Any]:
        """The moment m in the axes of the world of which the gimbals feel these about their axes.

        m · x = t1, m · R_x y = t2, m · R_x R_y z = t3 with R_x R_y z = sin b x + cos b R_x z. What t3 says of
        m · R_x z ends where the outer and the inner axis are in line.
        """
        a, b, _ = angles
        t1, t2, t3 = measured
        third = (t3 - sin(b) * t1) * cos(b) / maximum(cos(b) * cos(b), LEAST * LEAST)
        return [t1, cos(a) * t2 - sin(a) * third, sin(a) * t2 + cos(a) * third]


def _next(angle: Any, sine: Any, cosine: Any) -> Any:
    """The angle of that sine and cosine, up to a common factor, that is nearest to another one."""
    s, k = sin(angle), cos(angle)
    return angle + atan2(k * sine - s * cosine, k * cosine + s * sine)


def _turned(before: Any, axes: Any) -> Any:
    """rad, about: the largest change of the axes."""
    changes = np.array(axes, dtype=object) - np.array(before, dtype=object)
    largest = abs(changes.flat[0])
    for x in changes.flat[1:]:
        largest = maximum(largest, abs(x))
    return largest
