"""Pinocchio on mechanisms with loops: `constraintDynamics` inside the classic Runge-Kutta method.

Steps are taken in a C++ driver compiled from its wheel's headers; without g++ or headers in Python,
and the notes say so. Points are tied in three directions, also in planar loops: the proximal method
does not mind a row of zeros. Springs are written out, as it has none.
"""

from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import numpy as np

from hapsis.bench.dynamics.dynamics_pinocchio import described, driver
from hapsis.bench.loops.loops_motion import Motion, Path, Runs, driven, parts
from hapsis.bench.loops.loops_table import Place, Table
from hapsis.bench.rivals import Driver, Missing, rival
from hapsis.bench.work_precision import clock

METHODS = {"RK4": 0.0, "RK4 stabilised": 20.0}  # Baumgarte's rate, 1/s
ACCURACY, PROXIMAL, MOST = 1e-9, 1e-12, 1  # of its iteration: one step is exact to 1e-10 here


def modelled(table: Table) -> tuple[Any, list[int]]:
    """Pinocchio's model, joints depth first, and the joint of each row."""
    pin = rival("pinocchio")
    model, joints = pin.Model(), [0] * len(table.rows)
    model.gravity.linear = table.gravity
    below: dict[int, list[int]] = {}
    for k, row in enumerate(table.rows):
        below.setdefault(row.parent, []).append(k)
    left = below[-1][::-1]
    while left:
        k = left.pop()
        row = table.rows[k]
        parent = joints[row.parent] if row.parent >= 0 else 0
        joints[k] = model.addJoint(parent, _joint(row.kind, row.axis), _se3(row.place), f"row {k}")
        if row.central is not None:
            inertia = pin.Inertia(row.mass, np.array(row.centre), row.central)
            model.appendBodyToJoint(joints[k], inertia, pin.SE3.Identity())
        left += below.get(k, [])[::-1]
    return model, joints


def _joint(kind: str, axis: Any) -> Any:
    """The joint of its own kind where an axis is x, y or z."""
    pin = rival("pinocchio")
    if sorted(axis) == [0.0, 0.0, 1.0]:
        return getattr(pin, f"JointModel{kind}{'XYZ'[int(np.argmax(axis))]}")()
    kinds = {"R": pin.JointModelRevoluteUnaligned, "P": pin.JointModelPrismaticUnaligned}
    return kinds[kind](np.array(axis))


def _se3(matrix: Any) -> Any:
    return rival("pinocchio").SE3(matrix[:3, :3], matrix[:3, 3])


class Pinocchio:
    """One case in Pinocchio."""

    name = "pinocchio"

    def __init__(self, motion: Motion, folder: File):
        pin, table = rival("pinocchio"), motion.table
        self.pin, self.motion, self.table, self.folder = pin, motion, table, folder
        self.model, self.joints = modelled(table)
        self.data = self.model.createData()
        at = np.array([self.model.joints[k].idx_v for k in self.joints])
        self.at, self.order = at, at[table.order]  # where rows and the model's coordinates are
        self.stiffness, self.rest, self.efforts = np.zeros((3, self.model.nv))
        self.stiffness[at], self.rest[at], self.efforts[at] = (table.stiffness, table.rest, table.efforts)
        self.ties = pin.StdVec_RigidConstraintModel()
        kind, axes = pin.ContactType.CONTACT_3D, pin.ReferenceFrame.LOCAL
        for tie in table.ties:
            ends = (*self._end(tie.first), *self._end(tie.second))
            self.ties.append(pin.RigidConstraintModel(kind, self.model, *ends, axes))
        self.tied = pin.StdVec_RigidConstraintData()
        for tie in self.ties:
            self.tied.append(tie.createData())
        pin.initConstraintDynamics(self.model, self.data, self.ties, self.tied)
        self.settings = pin.ProximalSettings(ACCURACY, PROXIMAL, MOST)
        self.driver: Driver | None = None

    def _end(self, place: Place) -> tuple[int, Any]:
        return self.joints[place[0]] if place[0] >= 0 else 0, _se3(place[1])

    def acceleration(self, q: Any, v: Any) -> Any:
        """At q and v in Pinocchio's own order."""
        pin, tau = self.pin, self.efforts - self.stiffness * (q - self.rest)
        if self.table.pulls:
            pin.computeJointJacobians(self.model, self.data, q)
            for pull in self.table.pulls:
                (p, J), (r, K) = (self._point(x) for x in (pull.first, pull.second))
                length = np.linalg.norm(r - p)
                line = (r - p) / length
                tau = tau - pull.stiffness * (length - pull.length) * (line @ (K - J))
        return pin.constraintDynamics(self.model, self.data, q, v, tau, self.ties, self.tied, self.settings)

    def _point(self, place: Place) -> tuple[Any, Any]:
        """Where a point is and its Jacobian."""
        joint, there = self._end(place)
        X = self.data.oMi[joint] * there
        if not joint:
            return X.translation, np.zeros((3, self.model.nv))
        axes = self.pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J = self.pin.getJointJacobian(self.model, self.data, joint, axes)
        arm = X.translation - self.data.oMi[joint].translation
        return X.translation, J[:3] - self.pin.skew(arm) @ J[3:]

    def accelerations(self, probes: list[tuple[Any, Any]]) -> Any:
        """What it accelerates to at each q and v."""
        rows = []
        for state in probes:
            q, v = np.zeros((2, self.model.nv))
            q[self.order], v[self.order] = state
            rows.append(np.array(self.acceleration(q, v))[self.order])
        return np.array(rows)

    def runs(self, notes: list[str]) -> Runs:
        """Per method: steps and runs; the driver is compiled here."""
        try:
            state, path = np.zeros(2 * self.model.nv), self.folder / "loops.pinocchio"
            state[self.order], state[self.model.nv + self.order] = self._start()
            path.write_text(self._described())
            self.driver = Driver(driver("pinocchio_loops.cpp"), path, state[None], self.folder)
        except Missing as problem:
            notes.append(f"Pinocchio takes its steps in Python: {problem}")
        go = self._python if self.driver is None else self._native

        def run(rate: float, step: float) -> Callable[[], Path]:
            return lambda: go(rate, step)

        return {m: [(h, run(rate, h)) for h in self.motion.case.steps] for m, rate in METHODS.items()}

    def _start(self) -> tuple[Any, Any]:
        return self.motion.start.q, self.motion.start.v

    def _described(self) -> str:
        """The mechanism as the driver reads it."""
        ties = [x for tie in self.table.ties for x in (tie.first, tie.second)]
        lines = [described(self.model), _text(self.table.gravity)]
        lines += [_text(x) for x in (self.stiffness, self.rest, self.efforts)]
        lines += [str(len(self.table.ties)), *(self._place(x) for x in ties)]
        lines.append(str(len(self.table.pulls)))
        for pull in self.table.pulls:
            lines += [self._place(pull.first), self._place(pull.second)]
            lines.append(_text((pull.stiffness, pull.length)))
        return "\n".join([*lines, f"{ACCURACY!r} {PROXIMAL!r} {MOST}", ""])

    def _place(self, place: Place) -> str:
        matrix = place[1]
        return f"{self._end(place)[0]} {_text((*matrix[:3, :3].ravel(), *matrix[:3, 3]))}"

    def _native(self, rate: float, step: float) -> Path:
        steps = round(self.motion.case.until / step)
        assert self.driver is not None
        command = f"{step!r}:{steps}:{parts(steps)[0]}:{rate!r}"
        return driven(self.driver, command, steps, self.order)

    def _python(self, rate: float, step: float) -> Path:
        """The same, every acceleration asked for from Python."""
        for tie in self.ties:
            tie.m_baumgarte_parameters.Kp, tie.m_baumgarte_parameters.Kd = rate**2, 2 * rate
        (q, v), f, h = np.zeros((2, self.model.nv)), self.acceleration, step
        q[self.order], v[self.order] = self._start()
        steps, took, samples = round(self.motion.case.until / step), 0.0, []
        for part in parts(steps):
            begin = clock()
            for _ in range(part):
                a = np.array(f(q, v))
                v2 = v + h / 2 * a
                a2 = np.array(f(q + h / 2 * v, v2))
                v3 = v + h / 2 * a2
                a3 = np.array(f(q + h / 2 * v2, v3))
                v4 = v + h * a3
                a4 = np.array(f(q + h * v3, v4))
                q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
                v = v + h / 6 * (a + 2 * a2 + 2 * a3 + a4)
            took += clock() - begin
            samples.append((q[self.order], v[self.order]))
        q, v = (np.array(x) for x in zip(*samples, strict=True))
        return Path(took, steps, q, v)

    def close(self) -> None:
        """Ends the driver."""
        if self.driver is not None:
            self.driver.close()


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)
