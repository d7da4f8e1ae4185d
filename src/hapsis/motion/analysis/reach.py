"""Inverse kinematics: the coordinates that bring a frame to a pose, within the joints' limits.

The error of a pose is its distance in lengths of the arm and its angle in radians, six numbers;
steps count slides in the same length. Both together are made zero by damped least squares within
the limits, from the start and, where that ends short of the pose, from other places.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.errors import ModelError, SolveError, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.numbers import real
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.arms import Arm, Array, Column, arm
from hapsis.motion.analysis.targets import Target, slope_of_logarithm
from hapsis.motion.solvers.least_squares import Solution, least_squares

STEP = 1.0  # rad, or lengths of the arm: the most one step changes a coordinate
SLOW = 1e-3  # a try is given up where a step promises less than this part of |r|²
SPREAD = 0.1  # how far the second try starts from the first, of the whole range; then doubled


@dataclass(frozen=True)
class Reached:
    """What `reach` says about the state it found.

        position_error  metres from the pose
        rotation_error  radians from the pose; None where only a position was asked for
        iterations      steps computed, over all tries
        tries           starts tried
        at_limit        the coordinates of the arm that stand at a limit
    """

    position_error: float
    rotation_error: float | None
    iterations: int
    tries: int
    at_limit: tuple[str, ...]


class OutOfReach(SolveError):
    """No try reached the pose; `nearest` is the State that came nearest, with its report."""

    def __init__(self, what: str, remedy: str, nearest: State) -> None:
        super().__init__(what, remedy=remedy)
        self.nearest = nearest


def reach(
    model: Model,
    frame: str,
    pose: Any,
    *,
    start: Any = None,
    held: Any = (),
    position_only: bool = False,
    tolerance: float = 1e-9,
    tries: int = 20,
    seed: int = 0,
    length: float | None = None,
) -> State:
    """A State, at rest, with a frame of the model at a pose in the world; within all limits.

        frame          its name: `body` or `body.frame`
        pose           (x, y, z) for the position alone; a 4x4 matrix, a pair (p, R) as a
                       compiled `hs.pose` returns it, or an hs.Frame for position and axes
        start          where to search from: {coordinate: value}, a State, or all coordinates;
                       else, and for those not named, the model's pose "start", else zeros
        held           coordinates, or joints, that keep their value of the start
        position_only  leave the axes of the pose out
        tolerance      metres and radians that may remain
        tries          starts to try: the given one, then random ones, farther and farther away
        seed           of the random starts
        length         metres that count like one radian; the length of the arm if not given

    A redundant arm takes short steps from the start, so that it stays near. Coordinates that do
    not move the frame keep their value; what starts outside its limits is put on them. Loops are
    not closed; drives are not imposed. OutOfReach, a SolveError, if no try gets there.
    """
    _check(model, frame, tolerance, tries, length)
    target = Target.of(pose, model, position_only)
    q, fixed = _start(model, start), _held(model, held)
    limits = model.limits
    _check_held(model, q, fixed, limits)
    q = np.clip(q, limits[:, 0], limits[:, 1])
    task = _Task(arm(model, frame), target, q, fixed, limits, length)
    return _searched(model, frame, task, float(tolerance), int(tries), seed)


def _searched(
    model: Model, frame: str, task: "_Task", tolerance: float, tries: int, seed: int
) -> State:
    goal = tolerance * min(1.0, 1.0 / task.length)
    random = np.random.default_rng(seed)
    total, best = 0, None
    if task.is_within(task.start, tolerance):
        return _state(model, task, task.start, 0, 1)
    for k in range(tries if task.columns else 1):
        begin = task.start if k == 0 else task.scattered(random, min(1.0, SPREAD * 2 ** (k - 1)))
        found = task.solved(begin, goal, SLOW, 100)
        total += found.iterations
        if best is None or found.cost < best.cost:
            best = found
        if found.reached:
            break
    else:
        k = tries - 1
    assert best is not None
    if not best.reached:  # it was left early: now all the way
        best = task.solved(best.x, goal, 0.0, 300)
        total += best.iterations
    settled = task.unwound(best.x)
    q = settled if task.is_within(settled, tolerance) else best.x
    state = _state(model, task, q, total, k + 1)
    if task.is_within(q, tolerance):
        return state
    raise _out_of_reach(model, frame, task, best, state)


def _state(model: Model, task: "_Task", q: Array, iterations: int, tries: int) -> State:
    distance, angle = task.errors(q)
    report = Reached(distance, angle, iterations, tries, task.at_limit(q, model.coordinates))
    return State(model.coordinates, model.speeds, q, report=report)


def _out_of_reach(
    model: Model, frame: str, task: "_Task", found: Solution, state: State
) -> OutOfReach:
    report = state.report
    left = f"{report.position_error:.3g} m"
    if report.rotation_error is not None:
        left += f" and {report.rotation_error:.3g} rad"
    what = f'frame "{frame[:60]}" does not get there: {left} remain'
    if not task.columns:
        return OutOfReach(f"{what}, and nothing can move it", "hold less", state)
    plural = "try" if report.tries == 1 else f"{report.tries} tries"
    what += f" at the nearest pose found in {plural}"
    pushing = [c.q for c, stuck in zip(task.columns, found.blocked, strict=True) if stuck]
    if pushing:
        names = [model.coordinates[k] for k in pushing]
        what += f", at {'its limit' if len(names) == 1 else 'their limits'}: {', '.join(names)}"
    remedy = "move the pose" + (" or those limits" if pushing else "")
    return OutOfReach(what, f"{remedy}, hold less, or try more or another start", state)


class _Task:
    """One search: residual, Jacobian, steps and bounds of an arm and a target."""

    def __init__(
        self, carrier: Arm, target: Target, start: Array, fixed: set[int], limits: Array,
        length: float | None,
    ) -> None:  # fmt: skip
        self.place, self.target, self.start = carrier.place, target, start
        self.length = carrier.length if length is None else length
        self.all_columns = carrier.columns
        used = [k for k, column in enumerate(carrier.columns) if column.q not in fixed]
        self.used = np.array(used, dtype=int)
        self.columns = tuple(carrier.columns[k] for k in used)
        # one coordinate to one component, or three components to one quaternion
        plain = [k for k, column in enumerate(self.columns) if column.kind != "turn"]
        self.plain = np.array(plain, dtype=int)
        self.at = np.array([self.columns[k].q for k in plain], dtype=int)
        turns = [k for k, c in enumerate(self.columns) if c.kind == "turn" and c.part == 0]
        self.turns = [(self.columns[k].q, k) for k in turns]
        self.scale = np.array([self.length if c.kind == "P" else 1.0 for c in self.columns])
        self.limits = limits
        self.low, self.high = limits[self.at, 0], limits[self.at, 1]

    def solved(self, q: Array, goal: float, slow: float, iterations: int) -> Solution:
        """Where the iteration from q ends."""
        return least_squares(
            self.residual, self.jacobian, q, retract=self.retract, room=self.room,
            goal=goal, slow=slow, longest=STEP, iterations=iterations,
        )  # fmt: skip

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

    def scattered(self, random: np.random.Generator, spread: float) -> Array:
        """A random place within the limits, that part of the way from the start to anywhere."""
        p, _, _ = self.place(self.start)
        around = self.length + float(np.linalg.norm(p - self.target.p))
        spans = np.array([around if self.columns[k].kind == "P" else math.pi for k in self.plain])
        begin = self.start[self.at]
        low = np.where(np.isfinite(self.low), self.low, np.minimum(begin, self.high) - spans)
        high = np.where(np.isfinite(self.high), self.high, np.maximum(begin, self.low) + spans)
        q = self.start.copy()
        q[self.at] = begin + spread * (random.uniform(low, high) - begin)
        for at, _ in self.turns:
            axis = random.normal(size=3)
            angle = spread * random.uniform(0, math.pi) / np.linalg.norm(axis)
            q[at : at + 4] = _turned(q[at : at + 4], angle * axis)
        return q

    def unwound(self, q: Array) -> Array:
        """The same pose without whole turns that lead away from the start."""
        q = q.copy()
        for k, low, high in zip(self.plain, self.low, self.high, strict=True):
            at = self.columns[k].q
            if self.columns[k].kind == "R":
                turns = round((self.start[at] - q[at]) / math.tau)
                while turns and not low <= q[at] + turns * math.tau <= high:
                    turns -= int(math.copysign(1, turns))
                q[at] += turns * math.tau
        for at, _ in self.turns:
            if q[at : at + 4] @ self.start[at : at + 4] < 0:
                q[at : at + 4] *= -1  # the same turn
        return q

    def errors(self, q: Array) -> tuple[float, float | None]:
        """The distance in metres and the angle in radians from the target."""
        p, R, _ = self.place(q)
        off, turn = self.target.missed(p, R)
        return math.hypot(*off), None if turn is None else math.hypot(*turn)

    def is_within(self, q: Array, tolerance: float) -> bool:
        """Whether both errors are small enough."""
        distance, angle = self.errors(q)
        return distance <= tolerance and (angle is None or angle <= tolerance)

    def at_limit(self, q: Array, names: tuple[str, ...]) -> tuple[str, ...]:
        """The coordinates of the arm at a limit, rounding aside."""
        places = [column.q for column in self.all_columns if column.kind != "turn"]
        return tuple(names[k] for k in places
                     if np.isclose(self.limits[k], q[k], rtol=1e-12, atol=1e-12).any())  # fmt: skip


def _turned(quaternion: Array, turn: Array) -> Array:
    """A quaternion turned by axis times angle in its own axes; of length one."""
    angle = math.hypot(*turn)
    if angle == 0.0:
        return quaternion
    c, s = math.cos(angle / 2), math.sin(angle / 2) / angle
    (w, x, y, z), (a, b, d) = quaternion, s * turn
    made = np.array((
        w * c - x * a - y * b - z * d,
        x * c + w * a + y * d - z * b,
        y * c + w * b + z * a - x * d,
        z * c + w * d + x * b - y * a,
    ))  # fmt: skip
    return made / math.hypot(*made)
