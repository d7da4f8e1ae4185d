"""One run: an integrator led through pieces of time, watched, and stopped where it must."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.model.forces.controller import Controller, Readings
from hapsis.mechanics.model.result import Happened
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.energy_watchdog import Watchdog
from hapsis.motion.simulate.run.events import Event, Internal, contact_events
from hapsis.motion.simulate.run.massless_directions import weightless
from hapsis.motion.simulate.run.progress import Bar
from hapsis.motion.solvers.run import integration as solver

Array = np.ndarray[Any, np.dtype[np.float64]]
FIRST_CHUNK = 2_000  # steps before Python looks again
MOMENT = 0.1  # s between two looks
EARLY = 1e-6  # of the time between two samples of a controller: it may be asked so much earlier
STATUS = {
    solver.DONE: "done",
    solver.EVENT: "event",
    solver.SMALL_STEP: "step too small",
    solver.NOT_FINITE: "not finite",
    solver.NOT_CONVERGED: "not converged",
    solver.TOO_MANY: "too many steps",
    solver.STIFF: "stiff",
}
LOOSE = 100.0  # times the tolerance: of the energy turned over, for the work
MOST_WATCHED = 32  # contacts whose touching ends a step
FIXED = ("rk4", "euler", "symplectic")
FAILED = ("not finite", "step too small", "not converged", "singular")


@dataclass(frozen=True)
class Plan:
    """How to integrate."""

    method: str
    step: float | None
    tolerance: float
    samples: Array
    limit: int
    watchdog: bool
    stiffness: bool  # whether to change to the stiff method where it is


class Memory(NamedTuple):
    """What going on from a result needs."""

    names: tuple[str, ...]
    y: Array
    held: dict[str, float]


class Running:
    """The state of a run between native calls; `states`, `held` are rows at the times `t`."""

    def __init__(
        self, kernels: Kernels, events: Sequence[Event], span: tuple[float, float], y: Array, plan: Plan
    ) -> None:
        self.kernels, self.events, self.plan, self.end = kernels, list(events), plan, span[1]
        self.packed = kernels.packed
        if plan.method not in FIXED and len(self.packed.extras.alone) <= MOST_WATCHED:
            self.events += contact_events(self.packed.extras.alone)
        self.times: list[Array] = []
        self.states: list[Array] = []
        self.held: list[Array] = []
        self.happened: list[Happened] = []
        self.methods: list[str] = []
        self.counted = dict.fromkeys(("steps", "rejected", "evaluations", "jacobians"), 0)
        self.chunk = FIRST_CHUNK
        self.seconds = 0.0
        self.controllers = [
            f for f in self.packed.model.forces.values() if isinstance(f, Controller) and f.rate
        ]
        # the number of the sample that each takes next
        self.due = {c.name: math.ceil(span[0] * c.rate - EARLY) for c in self.controllers}
        self.first: float | None = None  # the first step to try; found if not given
        self.piece = span[1]  # the time until which nothing that is held changes
        self.taken = 0  # samples taken over from the solver
        self.noted = 0  # events taken over
        self.status, self.message = "", ""
        self._hold(span[0], y)
        self._energies = kernels.functions["energies"]
        self.watchdog = self._watchdog(span, y)
        self._start(plan.method, span[0], y, plan.samples)

    def _watchdog(self, span: tuple[float, float], y: Array) -> Watchdog:
        found = self._energy_rows(np.array([span[0]]), y[None], self.kernels.u[None])
        energies = float(found["kinetic"][0]), float(found["potential"][0])
        return Watchdog(span, *energies, float(y[-1]))

    def evaluated(self, write: str, t: Array, y: Array, u: Array) -> dict[str, Array]:
        """The outputs of one of the Functions of `Packed` for all rows."""
        return self.kernels.rows(getattr(self.packed, write)(), t, y, u)

    def _energy_rows(self, t: Array, y: Array, u: Array) -> dict[str, Array]:
        return self.kernels.rows(self._energies, t, y, u)

    def _start(self, method: str, t: float, y: Array, samples: Array) -> None:
        """A solver of that method from here on."""
        kernels, layout = self.kernels, self.packed.layout
        more: dict[str, Any] = {}
        function = kernels.functions["motion"]
        if method == "euler":
            more["rates"] = kernels.handle(self.packed.kinematics(), "dy")
            more["split"] = (layout.n_q, layout.n_v)
        elif method == "stiff":
            more["jacobian"] = kernels.jacobian()
        elif method == "symplectic":
            function, y = self.packed.canonical(), kernels.momenta(y)
        if self.events:
            more["g"] = self._watched()
            more["directions"] = [event.direction for event in self.events]
            more["terminals"] = [event.stop for event in self.events]
        # an iteration to rounding must not ask for more digits than sums of larger numbers have
        small = 1.0 if method == "symplectic" else self.plan.tolerance * 1e-3
        atol = np.full(layout.size, small)
        # the work must be known as well as it takes to tell whether energy is kept
        if method != "symplectic":
            atol[-1] = LOOSE * self.plan.tolerance * max(self.watchdog.scale, 1e-3)
        memory = np.zeros(solver.layout.REALS)
        if method == "symplectic":
            self.kernels.near[:] = 1.0  # momenta do not tell how fast pairs come nearer
        else:
            most = solver.layout.MAX_STEP
            more["prepare"] = kernels.broad_phase(memory[most : most + 1])
        self.run = solver.Run(
            method,
            kernels.handle(function, "dy"),
            (t, self.end),
            y,
            memory=memory,
            step=self.plan.step,
            rtol=self.plan.tolerance,
            atol=atol,
            samples=samples,
            quaternions=self.packed.quaternions,
            first=self.first,
            limit=self.plan.limit - self.counted["steps"] - self.counted["rejected"],
            **more,
        )
        if not self.plan.stiffness:
            self.run.watch_stiffness = False
        self.method, self.taken, self.noted = method, 0, 0
        if self.methods[-1:] != [method]:
            self.methods.append(method)

    def _watched(self) -> Any:
        """The kernel of the values that pass zero at events."""
        return self.kernels.handle(self.packed.watched(self.events), "g")

    # what is held from outside ------------------------------------------------------------------

    def _hold(self, t: float, y: Array) -> None:
        """Inputs and sampled controllers, as they are from the time t on."""
        values = self.packed.inputs.values(t)
        for controller in self.controllers:
            # knots of other things may lie within rounding of a sample: it is still one
            if t * controller.rate > self.due[controller.name] - EARLY:
                self.due[controller.name] = round(t * controller.rate) + 1
                values |= self._controlled(controller, t, y)
        self.kernels.hold(values)

    def _controlled(self, controller: Controller, t: float, y: Array) -> dict[str, float]:
        model = self.packed.model
        q, v, _, _ = self.packed.layout.split(y)
        known = dict(zip((*model.coordinates, *model.speeds), (*q, *v), strict=True))
        given = controller.checked(
            controller.law(Readings(known, lambda name: _read(known, name), lambda: t))
        )
        return {
            f"{controller.name}.{name}": real(x, f'{controller.label}: effort on "{name}"')
            for name, x in given.items()
        }

    def _pieces(self, t: float) -> Array:
        """The times at which what is held changes, and the end."""
        knots = [self.packed.inputs.knots]
        for controller in self.controllers:
            first, last = np.floor(t * controller.rate) + 1, np.ceil(self.end * controller.rate)
            knots.append(np.arange(first, last) / controller.rate)
        times = np.unique(np.concatenate([*knots, [self.end]]))
        return times[(times > t) & (times <= self.end)]

    # the loop -----------------------------------------------------------------------------------

    def go(self, bar: Bar) -> None:
        """Runs to the end, or to where it must stop."""
        began = time.perf_counter()
        try:
            for end in self._pieces(self.run.t):
                self.piece = float(end)
                if len(self.kernels.u):
                    self.run.until(self.piece)
                if not self._piece(bar):
                    break
                if end < self.end:
                    self._take()
                    self._hold(self.piece, self._state(self.run.t, self.run.y))
                    self.run.restart()
        except KeyboardInterrupt:
            self.status, self.message = "stopped", f"stopped by the user at t = {self.run.t:.6g} s"
        self._explain()
        self.seconds = time.perf_counter() - began
        self._take()
        self._count()

    def _piece(self, bar: Bar) -> bool:
        """To the end of a piece; False where the run is over."""
        while True:
            began = time.perf_counter()
            answer = solver.advance(self.run, self.chunk)
            spent = time.perf_counter() - began
            if answer == solver.PAUSED:
                self.chunk = max(10, int(self.chunk * min(4.0, MOMENT / max(spent, 1e-6))))
            bar.reached(self.run.t)
            if answer == solver.STIFF:
                self._stiffen()
                continue
            if not self._watch():
                return False
            if answer == solver.PAUSED:
                continue
            if answer == solver.DONE:
                if self.run.t >= self.end:
                    self.status, self.message = "done", f"reached t = {self.run.t:.6g} s"
                return True
            self.status, self.message = STATUS[answer], self.run.trouble()
            if answer == solver.EVENT:
                self.message = f"event at t = {self.run.t:.9g} s"
            return False

    def _explain(self) -> None:
        """A run that cannot go on because something moves without any mass says what."""
        if self.status in FAILED:
            y = self._state(self.run.t, self.run.y.copy())
            q = self.packed.layout.split(y)[0]
            found = weightless(self.kernels, q, self._free(q))
            if found:
                self.status = "singular"
                self.message = f"t = {self.run.t:.9g}: {found}"

    def _free(self, q: Array) -> Array:
        """Ways to move, as columns over the speeds."""
        return np.eye(self.packed.layout.n_v)

    def _stiffen(self) -> None:
        """Goes on with the implicit method."""
        t, y = self.run.t, self.run.y.copy()
        self._take()
        self._count()
        left = self.plan.samples[self.plan.samples > t]
        self._start("stiff", t, y, left)
        self.run.until(self.piece)

    def _watch(self) -> bool:
        """Looks at the energy; False where it stops the run."""
        self._take()
        if not self.plan.watchdog or self.watchdog.passed is None:
            return True
        self.status = "energy"
        drift = self.watchdog.drift
        much = f"{100 * drift:.3g} % of what is turned over" if drift < math.inf else "more than any number"
        self.message = f"t = {self.watchdog.passed:.6g}: energy changes by {much}, and no force explains it"
        return False

    def _state(self, t: Any, y: Array) -> Array:
        """y, or rows of it, as it is told: with speeds, and loops closed."""
        return self.kernels.momenta(y, inverse=True) if self.method == "symplectic" else y

    def _take(self) -> None:
        """Takes over new samples and events from the solver."""
        rows = self.run.sampled
        times = self.run.times[self.taken : len(rows)]
        new = self._state(times, rows[self.taken :].copy())
        events = self.run.events[self.noted :]
        self.taken, self.noted = len(rows), self.noted + len(events)
        events = [e for e in events if not isinstance(self.events[e.index], Internal)]
        self.happened += [Happened(e.time, self.events[e.index].name) for e in events]
        if events:
            # what happens between samples is worth a row of its own
            at = np.array([e.time for e in events])
            some = self._state(at, np.array([e.state for e in events]))
            times, new = np.concatenate([times, at]), np.concatenate([new, some])
            order = np.argsort(times, kind="stable")
            times, new = times[order], new[order]
        if len(times):
            self._keep(times, new)

    def _keep(self, times: Array, new: Array) -> None:
        """More rows, and a look at their energy."""
        held = np.tile(self.kernels.u, (len(times), 1))
        self.times.append(times)
        self.states.append(new)
        self.held.append(held)
        found = self._energy_rows(times, new, held)
        self.watchdog.look(times, found["kinetic"], found["potential"], new[:, -1])

    def _count(self) -> None:
        for name in self.counted:
            self.counted[name] += getattr(self.run, name)


def _read(known: dict[str, float], name: str) -> float:
    from hapsis.errors import ModelError, near

    if name not in known:
        raise ModelError(f'there is no coordinate or speed "{str(name)[:60]}"{near(str(name), known)}')
    return float(known[name])
