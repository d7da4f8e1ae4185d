"""A run that carries derivatives along: y' = f and S' = f_y S + f_θ, by one integrator.

Errors are controlled in y only, so the steps are those of the run itself. Where f may jump, a step
ends, and S jumps too (see `jumps`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.result import Happened
from hapsis.motion.simulate.events import Event
from hapsis.motion.simulate.jumps import Jumps
from hapsis.motion.simulate.opening import Opened, sensed
from hapsis.motion.simulate.progress import Bar
from hapsis.motion.simulate.running import LOOSE, Plan, Running
from hapsis.motion.simulate.wanted import Wanted
from hapsis.motion.solvers import run as solver

Array = np.ndarray[Any, np.dtype[np.float64]]


class Ready:
    """The kernels of such runs, made once for many starts and parameters."""

    def __init__(self, kernels: Opened, wanted: Wanted) -> None:
        self.kernels, self.wanted = kernels, wanted
        self.du = np.zeros((wanted.count, len(kernels.u)))
        function = sensed(kernels.motion, wanted.by_theta, wanted.moves_held)
        more = {"du": self.du} if wanted.moves_held else {}
        self.f = kernels.handle(function, "dy", **more)
        self._guards: dict[tuple[Event, ...], tuple[Any, Jumps | None, int]] = {}

    def guards(self, events: Sequence[Event]) -> tuple[Any, Jumps | None, int]:
        """The kernel of all guards, what they do, and how many there are before the kinks."""
        key = tuple(events)
        if key not in self._guards:
            kernels = self.kernels
            made, count = kernels.guards(kernels.packed.watched(events) if events else None)
            found: tuple[Any, Jumps | None, int] = None, None, 0
            if made is not None:
                found = kernels.handle(made, "g"), Jumps(kernels, kernels.motion, made), count
            self._guards[key] = found
        return self._guards[key]


class Sensing(Running):
    """A run with S; `slopes` has its rows at the times of `times`: (columns, y) each."""

    def __init__(
        self, ready: Ready, events: Sequence[Event], span: tuple[float, float], y: Array, plan: Plan
    ) -> None:
        self.ready, self.wanted, self.size = ready, ready.wanted, len(y)
        self.own = len(events)  # the events that the user has given
        self.slopes: list[Array] = []
        self.turned: list[tuple[int, Array]] = []  # rows, and how u moves in them
        self.fired: list[int] = []
        super().__init__(ready.kernels, events, span, y, plan)

    def _start(self, method: str, t: float, y: Array, samples: Array) -> None:
        more: dict[str, Any] = {}
        g, self.jumps, count = self.ready.guards(self.events)
        if g is not None and self.jumps is not None:
            given, every = [event.direction for event in self.events], self.jumps.count
            more["g"], more["directions"] = g, [*given, *[0] * (every - len(given))]
            # steps end at all of them; touching and leaving are only noted, since they are among
            # those of the motion too, and kinks change nothing
            noted = range(self.own, len(self.events))
            more["terminals"] = [k < count and k not in noted for k in range(every)]
        whole = np.concatenate([y, self.wanted.by_start(y).ravel()])
        atol = np.full(len(whole), np.inf)
        atol[: self.size] = self.plan.tolerance * 1e-3
        atol[self.size - 1] = LOOSE * self.plan.tolerance * max(self.watchdog.scale, 1e-3)
        self.run = solver.Run(
            method, self.ready.f, (t, self.end), whole, step=self.plan.step,
            rtol=self.plan.tolerance, atol=atol, samples=samples,
            prepare=self.kernels.broad_phase(), quaternions=self.packed.quaternions,
            limit=self.plan.limit, **more,
        )  # fmt: skip
        self.run.watch_stiffness = False
        self.method, self.taken, self.noted = method, 0, 0
        self.methods.append(method)

    def _hold(self, t: float, y: Array) -> None:
        super()._hold(t, y)
        self.ready.du[:] = self.wanted.by_held(t)

    def _piece(self, bar: Bar) -> bool:
        while not super()._piece(bar):
            stops = any(k < self.own and self.events[k].stop for k in self.fired)
            if self.status != "event" or stops:
                return False
            self.status = self.message = ""
            self._jump()
        return True

    def _jump(self) -> None:
        """What the guards that have just passed zero do to S."""
        terminal = self.ready.guards(self.events)[2]
        noted = range(self.own, len(self.events))
        fired = [k for k in self.fired if k < terminal and k not in noted]
        S = self.run.y[self.size :].reshape(self.wanted.count, self.size)
        assert self.jumps is not None
        by_theta, du = self.wanted.by_theta, self.ready.du
        change = np.zeros_like(S)
        for jump in self.jumps.at(self.run.t, self.run.y, fired):
            dt = S @ jump.by_y
            if jump.by_theta.size:
                dt = dt + by_theta @ jump.by_theta
            if jump.by_u.size:
                dt = dt + du @ jump.by_u
            change += np.outer(dt, jump.change)
        S += change

    def _state(self, y: Array) -> Array:
        return y[..., : self.size]

    def _take(self) -> None:
        rows = self.run.sampled
        new, times = rows[self.taken :].copy(), self.run.times[self.taken : len(rows)]
        events = self.run.events[self.noted :]
        self.taken, self.noted = len(rows), self.noted + len(events)
        if events:
            self.fired = [e.index for e in events if e.time == self.run.t]
        named = [e for e in events if e.index < len(self.events)]
        self.happened += [Happened(e.time, self.events[e.index].name) for e in named]
        if named:
            times = np.concatenate([times, [e.time for e in named]])
            new = np.concatenate([new, [e.state for e in named]])
            order = np.argsort(times, kind="stable")
            times, new = times[order], new[order]
        if len(times):
            self._keep(times, new)

    def _keep(self, times: Array, new: Array) -> None:
        y = np.ascontiguousarray(new[:, : self.size])
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
