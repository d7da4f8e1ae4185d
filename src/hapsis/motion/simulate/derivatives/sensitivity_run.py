"""A run that carries derivatives along: y' = f and S' = f_y S + f_θ, by one integrator.

Errors are controlled in y only, so the steps are those of the run itself. Where f may jump, a step
ends, and S jumps too (see `jumps`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.result import Happened
from hapsis.motion.simulate.derivatives.differentiation_targets import Wanted
from hapsis.motion.simulate.derivatives.jumps import Jumps
from hapsis.motion.simulate.equations.fixed_partition import Led, by_start, closed_rows
from hapsis.motion.simulate.equations.parameter_inputs import Opened, sensed
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.simulate.run.progress import Bar
from hapsis.motion.simulate.run.run import LOOSE, Plan, Running
from hapsis.motion.solvers.run import integration as solver
from hapsis.motion.solvers.run.switched_explicit import Modal

Array = np.ndarray[Any, np.dtype[np.float64]]


class Ready:
    """The kernels of such runs, made once for many starts and parameters."""

    def __init__(self, kernels: Opened, wanted: Wanted, events: Sequence[Event]) -> None:
        self.kernels, self.wanted, self.events = kernels, wanted, list(events)
        self.du = np.zeros((wanted.count, len(kernels.u)))
        watched = kernels.watching(self.events)
        self.g = kernels.handle(watched, "g") if watched is not None else None
        self.jumps = Jumps(kernels, kernels.motion) if kernels.count else None
        function = sensed(kernels.motion, wanted.by_theta, wanted.moves_held)
        more = {"du": self.du} if wanted.moves_held else {}
        self.f = kernels.handle(function, "dy", **more)


class Sensing(Running):
    """A run with S; `slopes` has its rows at the times of `times`: (columns, y) each."""

    def __init__(self, ready: Ready, span: tuple[float, float], y: Array, plan: Plan, own: int = 0) -> None:
        self.ready, self.wanted, self.size = ready, ready.wanted, len(y)
        self.slopes: list[Array] = []
        self.turned: list[tuple[int, Array]] = []  # rows, and how u moves in them
        self.fired: list[int] = []
        super().__init__(ready.kernels, ready.events[:own], span, y, plan)

    def _start(self, method: str, t: float, y: Array, samples: Array) -> None:
        kernels, more, guards = self.ready.kernels, dict[str, Any](), self.ready.kernels.count
        jumps = kernels.switched.jumps
        if self.ready.g is not None:
            more["g"] = self.ready.g
            more["directions"] = [0] * guards + [event.direction for event in self.events]
            more["terminals"] = [k < jumps for k in range(guards)]
            more["terminals"] += [event.stop for event in self.events]
        kernels.settle(t, y)
        whole = np.concatenate([y, by_start(kernels, self.wanted, t, y).ravel()])
        atol = np.full(len(whole), np.inf)
        atol[: self.size] = self.plan.tolerance * 1e-3
        atol[self.size - 1] = LOOSE * self.plan.tolerance * max(self.watchdog.scale, 1e-3)
        memory = np.zeros(solver.layout.REALS)
        longest = memory[solver.layout.MAX_STEP :][:1]
        self.run = solver.Run(
            method,
            self.ready.f,
            (t, self.end),
            whole,
            step=self.plan.step,
            rtol=self.plan.tolerance,
            atol=atol,
            samples=samples,
            memory=memory,
            prepare=kernels.broad_phase(longest),
            quaternions=self.packed.quaternions,
            limit=self.plan.limit,
            **more,
        )
        self.run.watch_stiffness = False
        self.modal = Modal(self.run, kernels.modes)
        self.method, self.taken, self.noted = method, 0, 0
        self.methods.append(method)

    def _hold(self, t: float, y: Array) -> None:
        super()._hold(t, y)
        self.ready.du[:] = self.wanted.by_held(t)
        self.ready.kernels.settle(t, y)

    def _piece(self, bar: Bar) -> bool:
        while not super()._piece(bar):
            guards = self.ready.kernels.count
            stops = any(k >= guards and self.events[k - guards].stop for k in self.fired)
            if self.status != "event" or stops:
                return False
            self.status = self.message = ""
            self._jump()
        return True

    def _jump(self) -> None:
        """What the guards that have just passed zero do to S; the modes are new after it."""
        kernels, modes = self.ready.kernels, self.ready.kernels.modes
        old, new = modes[: kernels.count].copy(), self.modal.sides()
        modes[:] = new
        S = self.run.y[self.size :].reshape(self.wanted.count, self.size)
        by_theta, du = self.wanted.by_theta, self.ready.du
        change = np.zeros_like(S)
        assert self.ready.jumps is not None
        for jump in self.ready.jumps.at(self.run.t, self.run.y, old, new[: kernels.count]):
            dt = S @ jump.by_y
            if jump.by_theta.size:
                dt = dt + by_theta @ jump.by_theta
            if jump.by_u.size:
                dt = dt + du @ jump.by_u
            change += np.outer(dt, jump.change)
        S += change

    def _state(self, t: Any, y: Array) -> Array:
        y = np.ascontiguousarray(y[..., : self.size])
        return closed_rows(self.ready.kernels, t, y)

    def _take(self) -> None:
        rows = self.run.sampled
        new, times = rows[self.taken :].copy(), self.run.times[self.taken : len(rows)]
        events = self.run.events[self.noted :]
        self.taken, self.noted = len(rows), self.noted + len(events)
        if events:
            self.fired = [e.index for e in events if e.time == self.run.t]
        guards = self.ready.kernels.count
        named = [e for e in events if e.index >= guards]
        self.happened += [Happened(e.time, self.events[e.index - guards].name) for e in named]
        if named:
            times = np.concatenate([times, [e.time for e in named]])
            new = np.concatenate([new, [e.state for e in named]])
            order = np.argsort(times, kind="stable")
            times, new = times[order], new[order]
        if len(times):
            self._keep(times, new)

    def _keep(self, times: Array, new: Array) -> None:
        y = self._state(times, new)
        held = np.tile(self.kernels.u, (len(times), 1))
        self.times.append(times)
        self.states.append(y)
        self.held.append(held)
        self.slopes.append(new[:, self.size :].reshape(len(new), self.wanted.count, self.size))
        self.turned.append((len(times), self.ready.du.copy()))
        found = self._energy_rows(times, y, held)
        self.watchdog.look(times, found["kinetic"], found["potential"], y[:, -1])

    def checked(self) -> None:
        """An error unless the run got to its end."""
        if self.status not in ("done", "event"):
            raise SolveError(f"the simulation did not succeed: {self.status}; {self.message}")
        if isinstance(self.packed, Led):
            self.packed.check(np.concatenate(self.times), np.concatenate(self.states))
