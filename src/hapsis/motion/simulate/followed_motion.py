"""A motion that is given, followed row by row: loops closed, then what carries it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.formalisms.constraints.reduction import Partition
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.assemble import assembled
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.simulate.equations.closed_system import Looped
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.prescribed_motion import Prescribed
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

CLOSED = 1e-9  # m or rad
JUMP = 0.2  # m or rad, from where speeds say: more may be another branch
HALVES = 16  # of the time between two rows
WEAK = 1e-7  # of singular values: below it an actuator has no hold
TOLERANCE = 1e-9  # of states of laws


class Following:
    """A model all of whose freedoms are driven; `rows` are times, states and what was held.

    drives    the names of the drives that take the motion, in its order
    """

    def __init__(
        self,
        model: Model,
        prescribed: Prescribed,
        drives: Sequence[str],
        inputs: Inputs,
        parameters: Mapping[str, float],
    ) -> None:
        self.model, self.prescribed, self.drives = model, prescribed, list(drives)
        self.inputs = inputs
        names = [name for drive in self.drives for name in prescribed.inputs(drive)]
        told = {**inputs.told(0.0), **dict(zip(names, prescribed.at(0.0)[0], strict=True))}
        self.loops = Loops(model, 0.0, told, parameters)
        self.state = assembled(self.loops, None)
        part = self._checked(self.state.q)
        self.packed = Looped(model, inputs, part)
        self.kernels = Kernels(self.packed, parameters, None)
        self.places = [self.packed.held.index(name) for name in names]
        self.turns: list[tuple[Partition, int]] = [(part, 0)]
        self.report: dict[str, Any] = {"partitions": 1}
        self.rows: tuple[Array, Array, Array]
        self.carried: dict[str, Array]

    def _checked(self, q: Array) -> Partition:
        """The partition at the start, if what is given says all, and nothing twice."""
        J, model = self.loops.jacobian(q), self.model
        part, held = best_partition(self.loops, q), self.loops.held
        free = [n for k, n in enumerate(model.speeds) if k not in (*part.dependent, *held)]
        if free:
            raise ModelError(
                f'the motion leaves "{free[0].removesuffix(".v")[:60]}" free'
                + (f", and {len(free) - 1} more" if len(free) > 1 else ""),
                expected=f"motions of {len(self.drives) + len(free)} coordinates",
            )
        own = [self.loops.slots[model.drives[d].joint] for d in self.drives]
        rank = pivots(J, held).rank
        for slot in own:
            if pivots(J, [k for k in held if k != slot]).rank > rank:
                name = model.speeds[slot].removesuffix(".v")
                raise ModelError(
                    f'the motion of "{name[:60]}" follows from the others, or from drives',
                    remedy="leave it out",
                )
        return part

    # poses --------------------------------------------------------------------------------------

    def _held(self, t: float) -> Array:
        """What is held at a time."""
        known = self.inputs.values(t)
        u = np.array([known.get(name, 0.0) for name in self.packed.held])
        u[self.places] = self.prescribed.at(t)[0]
        return u

    def _closed(self, t: float, y: Array) -> Array:
        f = self.packed.closing()
        known = self.kernels.known(f)
        return self.kernels.compiled(f)(t, y, self._held(t), **({"p": known} if known else {}))

    def go(self, t: Array) -> None:
        """Closes the loops at all times, and computes what carries the motion."""
        layout = self.packed.layout
        laws = self._laws()
        y = np.concatenate([self.state.q, self.state.v, laws, [0.0]])
        y = self._closed(0.0, y)
        rows, held = [y], [self._held(0.0)]
        for k in range(1, len(t)):
            y = self._stepped(t[k - 1], y, t[k], k)
            if layout.n_z:
                y = self._flowed(t[k - 1], rows[-1], t[k], y)
            rows.append(y)
            held.append(self._held(t[k]))
        self.rows = t, np.array(rows), np.array(held)
        self.report["partitions"] = len(self.turns)
        self.carried = self.evaluated("carrying", *self.rows)

    def _laws(self) -> Array:
        """Where states of laws start; those of drives that track, where their coordinate is."""
        states = dict(self.packed.extras.states)
        for name, drive in self.model.drives.items():
            if drive.tracking is not None:
                at = self.state[drive.joint], self.state[f"{drive.joint}.v"]
                states |= dict(zip((f"{name}.tracked", f"{name}.tracked.v"), at, strict=True))
        return np.array(list(states.values()), float)

    def _stepped(self, t: float, y: Array, end: float, row: int, halves: int = 0) -> Array:
        """From one time to another, in smaller steps where one is too long."""
        layout = self.packed.layout
        q, v, _, _ = layout.split(y)
        guess = y.copy()
        guess[: layout.n_q] = self.loops.moved(q, (end - t) * v)
        made = self._closed(end, guess)
        found = layout.split(made)[0]
        gap = self._gap(found, end)
        far = float(np.abs(found - guess[: layout.n_q]).max(initial=0.0))
        if gap < CLOSED and far < JUMP:
            return made
        if halves == HALVES:
            raise self._stuck(t, q)
        if halves == 4:  # other rows may say more here
            part = best_partition(self.loops, q, t)
            if part != self.packed.part and len(part.rows) == len(self.packed.part.rows):
                self.packed.part = part
                self.turns.append((part, row))
        middle = 0.5 * (t + end)
        y = self._stepped(t, y, middle, row, halves + 1)
        return self._stepped(middle, y, end, row, halves + 1)

    def _gap(self, q: Array, t: float) -> float:
        found, _ = self.loops.errors(np.array([t]), q[None], np.zeros((1, len(self.loops.rest))))
        return float(found[0])

    def _stuck(self, t: float, q: Array) -> SolveError:
        names = ", ".join(f'"{n}"' for n in self.prescribed.names)[:200]
        return SolveError(
            f"t = {t:.6g}: the loops cannot follow {names} further",
            expected="a motion that the mechanism can make",
            remedy="stay away from dead points, or give the motion of other coordinates",
        )

    def _flowed(self, t: float, before: Array, end: float, y: Array) -> Array:
        """The states of laws at the end of a step."""
        layout = self.packed.layout
        first, last = layout.n_q + layout.n_v, layout.n_q + layout.n_v + layout.n_z
        f = self.packed.motion()
        known = self.kernels.known(f)
        native, more = self.kernels.compiled(f), ({"p": known} if known else {})

        def rate(time: float, z: Array) -> Array:
            part = (time - t) / (end - t)
            state = (1.0 - part) * before + part * y
            state[first:last] = z
            return native(time, state, self._held(time), **more)[first:last]

        found = solve_ivp(
            rate, (t, end), before[first:last], method="LSODA", rtol=TOLERANCE, atol=1e-3 * TOLERANCE
        )
        if not found.success:
            raise SolveError(f"t = {t:.6g}: the states of laws cannot be followed: {found.message}")
        y = y.copy()
        y[first:last] = found.y[:, -1]
        return y

    # efforts ------------------------------------------------------------------------------------

    def actuate(self, efforts: Sequence[str]) -> None:
        """Gives the motion to these efforts instead of the drives."""
        t, y, u = self.rows
        numbers = {name: k for k, name in enumerate(self.model.drives)}
        needed = self.carried["efforts"][:, [numbers[name] for name in self.drives]]
        speeds = [name.removesuffix(".effort") for name in efforts]
        slots = [self.model.speeds.index(n if n in self.model.speeds else f"{n}.v") for n in speeds]
        held = u.copy()
        places = [self.packed.held.index(name) for name in efforts]
        for k, S in enumerate(self._ways(t, y)):
            held[k, places] = self._shared(S[slots].T, needed[k], float(t[k]))
        self.rows = t, y, held
        self.carried = self.evaluated("carrying", t, y, held)
        left = self.carried["efforts"][:, [numbers[name] for name in self.drives]]
        self.report["effort left over"] = float(np.abs(left).max(initial=0.0))

    def _ways(self, t: Array, y: Array) -> Any:
        """S at each time: how all speeds follow those that are given."""
        q = self.packed.layout.split(y)[0]
        own = [self.loops.slots[self.model.drives[name].joint] for name in self.drives]
        ends = [start for _, start in self.turns[1:]] + [len(t)]
        for (part, start), end in zip(self.turns, ends, strict=True):
            rows = [self.loops.names.index(name) for name in part.rows]
            for k in range(start, end):
                S = np.zeros((len(self.loops.rest), len(own)))
                S[own, range(len(own))] = 1.0
                if rows:
                    J = self.loops.jacobian(q[k], float(t[k]))[rows]
                    S[list(part.dependent)] = -np.linalg.solve(J[:, list(part.dependent)], J[:, own])
                yield S

    def _shared(self, A: Array, needed: Array, t: float) -> Array:
        """The least efforts that do what is needed."""
        U, s, V = np.linalg.svd(A)
        if len(s) < len(needed) or s[-1] < WEAK * max(float(s[0]), 1e-300):
            alone = int(np.argmax(np.abs(U[:, -1])))
            raise SolveError(
                f't = {t:.6g}: nothing that is actuated drives "{self.prescribed.names[alone]}"',
                expected=f"at least {len(needed)} actuated coordinates that move all freedoms",
            )
        return V[: len(s)].T @ ((U.T @ needed) / s)

    def evaluated(self, write: str, t: Array, y: Array, u: Array) -> dict[str, Array]:
        """The outputs of one of the Functions of `Looped` for all rows, each by its partition."""
        pieces: list[dict[str, Array]] = []
        ends = [start for _, start in self.turns[1:]] + [len(t)]
        for (part, start), end in zip(self.turns, ends, strict=True):
            if end > start:
                self.packed.part, some = part, slice(start, end)
                f = getattr(self.packed, write)()
                pieces.append(self.kernels.rows(f, t[some], y[some], u[some]))
        return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
