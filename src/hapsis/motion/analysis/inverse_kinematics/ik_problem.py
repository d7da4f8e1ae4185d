"""The problem of inverse kinematics: residual, Jacobian, steps and bounds of a chain of joints; other starts.

The residual is the distance in lengths and the angle in radians; a step counts slides in the same
length. So nothing depends on the units of the model.
"""

import math
from functools import cached_property

import numpy as np

from hapsis.motion.analysis.inverse_kinematics.ik_chain import Array, IkChain
from hapsis.motion.analysis.inverse_kinematics.ik_target import Target, slope_of_logarithm
from hapsis.motion.solvers.linear.least_squares import Solution, least_squares

STEP = 1.0  # rad: the most one step turns a joint
MANY = 1024  # places looked at for each new start
NUMBERS = 1_000_000  # the most numbers in them, together


class IkProblem:
    """An arm, a target, where to start, and which coordinates may change."""

    def __init__(
        self,
        chain: IkChain,
        target: Target,
        start: Array,
        fixed: set[int],
        limits: Array,
        length: float | None,
    ) -> None:
        self.place, self.target, self.start = chain.place, target, start
        self.length = chain.length if length is None else length
        self.all_columns = chain.columns
        used = [k for k, column in enumerate(chain.columns) if column.q not in fixed]
        self.used = np.array(used, dtype=int)
        self.columns = tuple(chain.columns[k] for k in used)
        # one coordinate to one component, or three components to one quaternion
        plain = [k for k, column in enumerate(self.columns) if column.kind != "turn"]
        self.plain = np.array(plain, dtype=int)
        self.at = np.array([self.columns[k].q for k in plain], dtype=int)
        turns = [k for k, c in enumerate(self.columns) if c.kind == "turn" and c.part == 0]
        self.turns = [(self.columns[k].q, k) for k in turns]
        self.revolute = {c.q for c in self.columns if c.kind == "R"}
        self.scale = np.array([self.length if c.kind == "P" else 1.0 for c in self.columns])
        self.longest = np.array([np.inf if c.kind == "P" else STEP for c in self.columns])
        self.limits = limits
        self.low, self.high = limits[self.at, 0], limits[self.at, 1]

    def solved(self, q: Array, goal: float, slow: float, iterations: int) -> Solution:
        """Where the iteration from q ends."""
        return least_squares(
            self.residual,
            self.jacobian,
            q,
            retract=self.retract,
            room=self.room,
            goal=goal,
            slow=slow,
            longest=self.longest,
            iterations=iterations,
        )

    def residual(self, q: Array) -> Array:
        """What is missing, in lengths and radians."""
        p, R, _ = self.place(q)
        off, turn = self.target.missed(p, R)
        off = off / self.length
        return off if turn is None else np.concatenate((off, turn))

    def jacobian(self, q: Array) -> Array:
        """How the residual changes with a step."""
        p, R, J = self.place(q)
        _, turn = self.target.missed(p, R)
        J = J[:, self.used] * self.scale
        off = J[3:] / self.length
        return off if turn is None else np.concatenate((off, slope_of_logarithm(turn) @ J[:3]))

    def retract(self, q: Array, step: Array) -> Array:
        """q moved by a step: coordinates by addition, quaternions by a turn."""
        step = step * self.scale
        q = q.copy()
        q[self.at] = np.clip(q[self.at] + step[self.plain], self.low, self.high)
        for at, k in self.turns:
            q[at : at + 4] = _turned(q[at : at + 4], step[k : k + 3])
        return q

    def room(self, q: Array) -> tuple[Array, Array]:
        """How far steps may go from q."""
        low, high = np.full(len(self.columns), -np.inf), np.full(len(self.columns), np.inf)
        low[self.plain] = self.low - q[self.at]
        high[self.plain] = self.high - q[self.at]
        return low / self.scale, high / self.scale

    def scattered(self, random: "np.random.Generator", spread: float) -> Array:
        """The best of many random places, that part of the way from the start to anywhere."""
        begin = self.start[self.at]
        low = np.where(np.isfinite(self.low), self.low, np.minimum(begin, self.high) - self._spans)
        high = np.where(np.isfinite(self.high), self.high, np.maximum(begin, self.low) + self._spans)
        count = max(1, min(MANY, NUMBERS // len(self.start)))
        many = np.tile(self.start, (count, 1))
        many[:, self.at] = begin + spread * (random.uniform(low, high, (count, len(begin))) - begin)
        for at, _ in self.turns:
            axes = random.normal(size=(count, 3))
            angles = spread * random.uniform(0, math.pi, (count, 1))
            turns = angles * axes / np.linalg.norm(axes, axis=1, keepdims=True)
            many[:, at : at + 4] = _turned(many[:, at : at + 4], turns)
        p, R, _ = self.place(many)
        off = np.sum((p - self.target.p) ** 2, axis=1) / self.length**2
        if self.target.R is not None:
            cosines = (np.einsum("kij,ij->k", R, self.target.R) - 1) / 2
            off += np.arccos(np.clip(cosines, -1, 1)) ** 2
        return many[int(np.argmin(off))]

    @cached_property
    def _spans(self) -> Array:
        """How far from the start a coordinate without limits may be tried."""
        p, _, _ = self.place(self.start)
        far = self.length + float(np.linalg.norm(p - self.target.p))
        return np.array([far if self.columns[k].kind == "P" else math.pi for k in self.plain])

    def unwound(self, q: Array) -> Array:
        """The same pose without whole turns that lead away from the start."""
        q = q.copy()
        for k in self.revolute:
            low, high = self.limits[k]
            turns = round(float(self.start[k] - q[k]) / math.tau)
            while turns and not low <= q[k] + turns * math.tau <= high:
                turns -= int(math.copysign(1, turns))
            q[k] += turns * math.tau
        for at, _ in self.turns:
            if q[at : at + 4] @ self.start[at : at + 4] < 0:
                q[at : at + 4] *= -1  # the same turn
        return q

    def errors(self, q: Array) -> tuple[float, float | None]:
        """The distance in metres and the angle in radians from the target."""
        p, R, _ = self.place(q)
        off, turn = self.target.missed(p, R)
        return math.hypot(*off), None if turn is None else math.hypot(*turn)

    def is_within(self, q: Array, tolerance: tuple[float, float]) -> bool:
        """Whether both errors are small enough: the distance in metres and the angle in radians."""
        distance, angle = self.errors(q)
        return distance <= tolerance[0] and (angle is None or angle <= tolerance[1])

    def at_limit(self, q: Array, names: tuple[str, ...]) -> tuple[str, ...]:
        """The coordinates of the arm at a limit, rounding aside."""
        places = [column.q for column in self.all_columns if column.kind != "turn"]
        return tuple(
            names[k] for k in places if np.isclose(self.limits[k], q[k], rtol=1e-12, atol=1e-12).any()
        )


def _turned(quaternion: Array, turn: Array) -> Array:
    """A quaternion turned by axis times angle in its own axes, or many; of length one."""
    angle = np.linalg.norm(turn, axis=-1, keepdims=True)
    c, (w, x, y, z) = np.cos(angle[..., 0] / 2), quaternion.T
    a, b, d = (np.sinc(angle / math.tau) / 2 * turn).T  # sin(angle / 2) / angle
    product = np.stack(
        (
            w * c - x * a - y * b - z * d,
            x * c + w * a + y * d - z * b,
            y * c + w * b + z * a - x * d,
            z * c + w * d + x * b - y * a,
        ),
        axis=-1,
    )
    return product / np.linalg.norm(product, axis=-1, keepdims=True)
