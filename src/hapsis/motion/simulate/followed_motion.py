"""A prescribed motion followed row by row: loops closed, then loads computed."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.model.driven_points import driven_coordinate
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name, speed_name, without_effort
from hapsis.motion.analysis.assembly.loop_numbers import Array
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.simulate.equations.closed_system import ClosedSystem
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows, SystemHistory
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.prescribed_motion import PrescribedMotion
from hapsis.motion.simulate.run.singular_positions import check_regular
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

CLOSED = 1e-9  # of the units of rows
JUMP = 0.2  # units from the place predicted by the speeds: farther away may be another branch
HALVES = 16  # of the time between two rows
WEAK = 1e-7  # of singular values: below it no actuator acts in this direction
TOLERANCE = 1e-9  # of states of laws


class FollowedMotion:
    """The motion of a model all of whose freedoms are driven.

    drives    the names of the drives that take the motion, in its order
    rows      times, states and what was held, after `compute`
    loads     accelerations a, multipliers, and efforts of drives, of all rows
    """

    def __init__(
        self,
        model: Model,
        prescribed: PrescribedMotion,
        drives: Sequence[str],
        inputs: Inputs,
        parameters: Mapping[str, float],
        near: Mapping[str, float] | None = None,
    ) -> None:
        self.model, self.prescribed, self.drives = model, prescribed, list(drives)
        self.inputs = inputs
        names = [name for drive in self.drives for name in prescribed.inputs(drive)]
        at_start = {**inputs.drive_values(0.0), **dict(zip(names, prescribed.at(0.0)[0], strict=True))}
        problem = initial_value_problem(model, inputs, None, parameters, drive_values=at_start, near=near)
        check_regular(problem.singular)
        assert isinstance(problem.system, ClosedSystem) and problem.loops is not None
        self.system, self.loops, self.y = problem.system, problem.loops, problem.y
        self.layout = self.system.layout
        self._check(self.layout.split(self.y)[0], self.system.partition)
        self.kernels = Kernels(self.system, parameters)
        self.places = [self.system.held.index(name) for name in names]
        self.history = SystemHistory(self.system)
        self.report: dict[str, Any] = {"partitions": 1}
        self.rows: Rows
        self.loads: dict[str, Array]

    def _check(self, q: Array, partition: Partition) -> None:
        """Raises an error for a motion that leaves coordinates free, or prescribes something twice."""
        J, model, held = self.loops.relative_jacobian(q), self.model, self.loops.held
        free = [n for k, n in enumerate(model.speeds) if k not in (*partition.dependent, *held)]
        if free:
            raise ModelError(
                f'the motion leaves "{coordinate_name(free[0])[:60]}" free'
                + (f", and {len(free) - 1} more" if len(free) > 1 else ""),
                expected=f"motions of {len(self.drives) + len(free)} coordinates",
            )
        own = [self.loops.slots[driven_coordinate(model, model.drives[d])] for d in self.drives]
        rank = pivots(J, held).rank
        for slot in own:
            if pivots(J, [k for k in held if k != slot]).rank > rank:
                name = coordinate_name(model.speeds[slot])
                raise ModelError(
                    f'the motion of "{name[:60]}" follows from the others, or from drives',
                    remedy="leave it out",
                )

    # poses --------------------------------------------------------------------------------------

    def _held(self, t: float) -> Array:
        """What is held at a time."""
        known = self.inputs.values(t)
        u = np.array([known.get(name, 0.0) for name in self.system.held])
        u[self.places] = self.prescribed.at(t)[0]
        return u

    def _closed(self, t: float, y: Array) -> Array:
        return self.kernels.call(self.system.closing(), t, y, *self._inputs(t))

    def _inputs(self, t: float) -> list[Array]:
        """What is held at a time, as an argument of Functions; none where nothing is held."""
        return [self._held(t)] if self.system.held else []

    def compute(self, t: Array) -> None:
        """Closes the loops at all times, and computes the loads."""
        y = self._closed(0.0, self.y)
        rows, held = [y], [self._held(0.0)]
        for k in range(1, len(t)):
            y = self._stepped(t[k - 1], y, t[k], k)
            if self.layout.n_z:
                y = self._with_law_states(t[k - 1], rows[-1], t[k], y)
            rows.append(y)
            held.append(self._held(t[k]))
        self.rows = Rows(t, np.array(rows), np.array(held))
        self.report["partitions"] = len(self.history)
        self._compute_loads()

    def _compute_loads(self) -> None:
        self.loads = self.history.evaluate(
            lambda system, rows: system.loads(lambda f: self.kernels.rows(f, *rows)), self.rows
        )

    def _stepped(self, t: float, y: Array, end: float, row: int, halves: int = 0) -> Array:
        """From one time to another, in smaller steps where one is too long."""
        q, v, _, _ = self.layout.split(y)
        guess = y.copy()
        guess[: self.layout.n_q] = self.loops.moved(q, (end - t) * v)
        new = self._closed(end, guess)
        closed = self.layout.split(new)[0]
        far = float(np.abs((closed - guess[: self.layout.n_q]) / self.loops.units).max(initial=0.0))
        if self._gap(closed, end) < CLOSED and far < JUMP:
            return new
        if halves == HALVES:
            raise self._stuck(t, q)
        if halves == 4:  # other rows may say more here
            old, new_partition = self.system.partition, best_partition(self.loops, q, t)
            if new_partition != old and len(new_partition.rows) == len(old.rows):
                self.system = self.system.by(new_partition)
                self.kernels.use(self.system)
                self.history.add(self.system, row)
        middle = 0.5 * (t + end)
        y = self._stepped(t, y, middle, row, halves + 1)
        return self._stepped(middle, y, end, row, halves + 1)

    def _gap(self, q: Array, t: float) -> float:
        gaps = self.loops.relative_gaps(np.array([t]), q[None], np.zeros((1, len(self.loops.rest))))
        return float(gaps[0, : self.loops.positions].max(initial=0.0))

    def _stuck(self, t: float, q: Array) -> SolveError:
        names = ", ".join(f'"{n}"' for n in self.prescribed.names)[:200]
        return SolveError(
            f"t = {t:.6g}: the loops cannot follow {names} further",
            expected="a motion that the mechanism can make",
            remedy="stay away from dead points, or give the motion of other coordinates",
        )

    def _with_law_states(self, t: float, before: Array, end: float, y: Array) -> Array:
        """y with the states of laws at the end of a step."""
        from scipy.integrate import solve_ivp

        first = self.layout.n_q + self.layout.n_v
        last = first + self.layout.n_z
        motion = self.system.motion()
        native, more = self.kernels.compiled(motion), self.kernels.given(motion)

        def rate(time: float, z: Array) -> Array:
            part = (time - t) / (end - t)
            state = (1.0 - part) * before + part * y
            state[first:last] = z
            return native(time, state, *self._inputs(time), **more)[first:last]

        solution = solve_ivp(
            rate, (t, end), before[first:last], method="LSODA", rtol=TOLERANCE, atol=1e-3 * TOLERANCE
        )
        if not solution.success:
            raise SolveError(f"t = {t:.6g}: the states of laws cannot be followed: {solution.message}")
        y = y.copy()
        y[first:last] = solution.y[:, -1]
        return y

    # efforts ------------------------------------------------------------------------------------

    def actuate(self, efforts: Sequence[str]) -> None:
        """Computes these efforts in place of those of the drives."""
        t, y, u = self.rows
        numbers = {name: k for k, name in enumerate(self.model.drives)}
        needed = self.loads["efforts"][:, [numbers[name] for name in self.drives]]
        speeds = self.model.speeds
        named = map(without_effort, efforts)
        slots = [speeds.index(n if n in speeds else speed_name(n)) for n in named]
        held = u.copy()
        places = [self.system.held.index(name) for name in efforts]
        for k, S in enumerate(self._speed_ratios(t, y)):
            held[k, places] = self._least_efforts(S[slots].T, needed[k], float(t[k]))
        self.rows = Rows(t, y, held)
        self._compute_loads()
        left = self.loads["efforts"][:, [numbers[name] for name in self.drives]]
        self.report["effort left over"] = float(np.abs(left).max(initial=0.0))

    def _speed_ratios(self, t: Array, y: Array) -> Any:
        """S at each time: how all speeds follow those that are given."""
        q = self.layout.split(y)[0]
        led = [driven_coordinate(self.model, self.model.drives[name]) for name in self.drives]
        own = [self.loops.slots[name] for name in led]
        for system, some in self.history.parts(len(t)):
            assert system.partition is not None
            dependent = list(system.partition.dependent)
            rows = [self.loops.names.index(name) for name in system.partition.rows]
            for k in range(some.start, some.stop):
                S = np.zeros((len(self.loops.rest), len(own)))
                S[own, range(len(own))] = 1.0
                if rows:
                    J = self.loops.jacobian(q[k], float(t[k]))[rows]
                    S[dependent] = -np.linalg.solve(J[:, dependent], J[:, own])
                yield S

    def _least_efforts(self, A: Array, needed: Array, t: float) -> Array:
        """The least efforts with the same virtual work as those that are needed."""
        U, s, V = np.linalg.svd(A)
        if len(s) < len(needed) or s[-1] < WEAK * max(float(s[0]), 1e-300):
            alone = int(np.argmax(np.abs(U[:, -1])))
            raise SolveError(
                f't = {t:.6g}: nothing that is actuated drives "{self.prescribed.names[alone]}"',
                expected=f"at least {len(needed)} actuated coordinates that move all freedoms",
            )
        return V[: len(s)].T @ ((U.T @ needed) / s)
