"""A run of an integrator: y' = f(t, y) from t0 to t_end, that can be stopped anywhere.

    run = Integration("order8", f, (0.0, 10.0), y0, rtol=1e-9, atol=1e-9, samples=ts,
                      g=g, directions=(-1,), terminals=(True,))
    while (answer := advance(run, 100_000)) == PAUSED:
        ...                                   # look at run.t, show progress, stop
    if answer == EVENT:
        y = run.y.copy(); y[1] *= -0.5        # what the event does
        run.restart(y)                        # and go on: advance(run)
    elif answer != DONE:
        raise SolveError(run.trouble())

Kernels are called as f(t, y, dy), g(t, y, values), prepare(h, t, y), rates(t, y, dy) and
jacobian(t, y, J, ft): handles of `hapsis.compiler.native.bound`, or with plain=True anything that
Python can call. t and h are arrays of one; J is row by row.

    method       steps               order  kernels besides f
    rk4          fixed               4
    order5       adaptive or fixed   5
    order8       adaptive or fixed   8
    euler        fixed               1      rates, split=(nq, nv): v += h a(q, v), then
                                            q += h rates(q, v new); the rest explicitly
    stiff        adaptive or fixed   5      jacobian: Rosenbrock
    symplectic   fixed               2      implicit midpoint

    step         length of fixed steps; None where steps adapt
    rtol, atol   error allowed per step, atol + rtol |y|, in the mean square over the components;
                 atol may be a vector, inf: this component is not looked at. With `symplectic` it is
                 the size below which a component does not matter to the iteration
    samples      times in the order of the run; run.samples[i] is the state at the i-th of them
    directions   of events: +1 rising, -1 falling, 0 both. terminals: whether they stop the run
    waves        whether events that pass zero several times in a step are looked for, see `event_waves`
    quaternions  starts of groups of four numbers that are kept at length 1
    prepare      is called before each tried step; what it writes may change f
    limit        steps to try in the whole run
    max_step     the longest step: a number, or an array of one if `prepare` shall write it
    pace         starts of stretches of time, and the longest step on each: (starts, limits)
    approach     approach(t, y, gap, speed): how near zones are, see `zones`; sizes: of each of them

After `advance`: run.t, run.y (a view), run.sampled (samples written so far), run.events (a list of
Event(time, index, state)), run.steps, run.rejected, run.evaluations, run.jacobians; everything else
is in run.memory (see `run_memory`). The same bits come out however often a run is paused, in native
code and in plain Python.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hapsis.errors import SolveError
from hapsis.motion.solvers.events.event_waves import ROOM
from hapsis.motion.solvers.events.zone_memory import RESOLVED, zones_of
from hapsis.motion.solvers.integrators.first_step import first_step
from hapsis.motion.solvers.integrators.methods import check_options, method_named
from hapsis.motion.solvers.integrators.step_control import new_grid
from hapsis.motion.solvers.run.integration_arguments import (
    event_count,
    pace_fields,
    set_control,
    set_time,
    tolerances,
)
from hapsis.motion.solvers.run.integration_readings import IntegrationReadings
from hapsis.motion.solvers.run.run_memory import FULL, NOT_FINITE, PAUSED, RunMemory

Numbers = NDArray[np.float64]
Kernel = Callable[..., Any]

EVENTS = 16  # events that there is room for at first


class Integration(IntegrationReadings):
    """A run of an integrator; `memory` is what native code works on. See the head of this file."""

    def __init__(
        self,
        method: str,
        f: Kernel,
        span: tuple[float, float],
        y: ArrayLike,
        *,
        step: float | None = None,
        rtol: float = 1e-6,
        atol: ArrayLike = 1e-9,
        first: float | None = None,
        max_step: float | Numbers = np.inf,
        pace: tuple[Numbers, Numbers] | None = None,
        samples: ArrayLike = (),
        g: Kernel | None = None,
        directions: Sequence[int] = (),
        terminals: Sequence[bool] = (),
        waves: bool = False,
        prepare: Kernel | None = None,
        approach: Kernel | None = None,
        sizes: ArrayLike = (),
        quaternions: Sequence[int] = (),
        limit: int = 2**62,
        plain: bool = False,
        **options: Any,
    ):
        self.method = method_named(method, step)
        check_options(options)
        self.f, self.plain, self.answer = f, plain, PAUSED
        self.g = g or f  # never called where there are no events
        start, times = np.array(y, float).ravel(), np.array(samples, float).ravel()
        self.size = n = len(start)
        room = max(EVENTS, len(directions))
        self.memory: RunMemory = self.method.memory(
            **self.method.fields(options, n),
            zones=zones_of(approach, sizes),
            size=n,
            event_count=event_count(g, directions, terminals),
            quaternion_count=len(quaternions),
            wave_room=ROOM if waves and directions else 0,
            sample_count=len(times),
            dense_rows=self.method.dense_rows,
            adaptive=step is None,
            prepared=prepare is not None,
            prepare=cast(Kernel, prepare),
            max_step=max_step if isinstance(max_step, np.ndarray) else np.array([max_step], float),
            **pace_fields(pace),
            y=start,
            atol=tolerances(atol, n),
            quaternions=np.array(quaternions, np.int64),
            sample_times=times,
            direction=np.sign(np.array(directions, float)),
            terminal=np.array(terminals, bool),
            limit=limit,
            room=room,
            marks=np.zeros(room, np.int64),
            records=np.zeros(room * (1 + n)),
        )
        self.memory.samples[:] = np.nan
        self.y, self.times = self.memory.y, self.memory.sample_times
        self._advance, self._passed = self.method.advance, self.memory
        set_time(self.memory, float(span[0]), float(span[1]))
        set_control(self.memory, self.method, step, rtol)
        if not plain:
            self._check_kernels()
        self._begin(step, first)

    # building ------------------------------------------------------------------------------------

    def _check_kernels(self) -> None:
        """Native code trusts the sizes of kernels; a call from Python compares them."""
        memory, t = self.memory, self.memory.clock[:1]
        memory.clock[:] = self.t, 1.0
        self.f(t, self.y, np.zeros(self.size))
        if memory.prepared:
            memory.prepare(memory.clock[1:], t, self.y)
        self.method.trial(memory)

    def _begin(self, step: float | None, first: float | None) -> None:
        """The state at the start, and the first step."""
        memory = self.memory
        memory.h = 1.0 if step is None else step
        # samples at the start, also of a run that cannot go on from there
        at_start = int((self.times == self.t).sum())
        memory.samples[: at_start * self.size] = np.tile(self.y, at_start)
        memory.sample = at_start
        self.restart()
        memory.zones.steps[:] = RESOLVED  # nothing is known of the steps before
        if self.answer != PAUSED:
            return
        if step is None:
            if first is not None and not 0 < first:
                raise SolveError(f"the first step is {first}", expected="a length above zero")
            memory.h = first_step(self) if first is None else first

    # going on ------------------------------------------------------------------------------------

    def restart(self, y: ArrayLike | None = None, *, step: float | None = None, sides: bool = True) -> None:
        """Go on from here with another state, or after f or g have changed.

        Events compare with the signs that g has now, or where it is zero with those that it takes
        on leaving; with sides=False with those that it had, so that what the change has brought to
        the other side is an event. The step is kept unless another one is given.
        """
        memory = self.memory
        if y is not None:
            self.y[:] = y
        if step is not None:
            memory.h = step
        memory.fresh = memory.retry = memory.sloped = memory.hump = memory.waves = False
        memory.stiff_hits = memory.stiff_misses = 0
        memory.past = 1.0
        self.answer = PAUSED
        if memory.event_count:
            memory.clock[0] = self.t
            self.g(memory.clock[:1], self.y, memory.g_now)
            if sides:
                memory.side[:] = np.sign(memory.g_now)
        zones = memory.zones
        if zones.count:
            memory.clock[0] = self.t
            zones.approach(memory.clock[:1], self.y, zones.gap, zones.speed)
        if not (np.isfinite(self.y).all() and np.isfinite(memory.g_now).all()):
            self.answer = NOT_FINITE
        self._new_grid()

    def skip(self, t: float) -> None:
        """Moves the time on without a step; samples up to there have the state as it is."""
        memory = self.memory
        if not memory.sign * (t - self.t) >= 0:
            raise SolveError(f"t = {t} is before t = {self.t}")
        memory.t = t
        reached = int(np.searchsorted(memory.sign * self.times, memory.sign * t, side="right"))
        for k in range(memory.sample, reached):
            memory.samples[k * self.size : (k + 1) * self.size] = self.y
        memory.sample = max(memory.sample, reached)

    def until(self, end: float) -> None:
        """Let the run go on to another t_end, in the same direction."""
        if not (np.isfinite(end) and self.memory.sign * (end - self.t) >= 0):
            raise SolveError(f"the new end, t = {end}, is before t = {self.t}")
        self.memory.t_end = end
        self._new_grid()

    def _new_grid(self) -> None:
        if not self.memory.adaptive:
            self._call(new_grid, self.memory)

    def lead(self, function: Any, memory: Any) -> None:
        """Make the steps by another native function (f, g, memory) with a record of its own."""
        self._advance, self._passed = function, memory

    def advance(self, steps: int) -> int:
        """Try at most so many steps; what comes back is one of the answers of `run_memory`."""
        memory = self.memory
        while self.answer != NOT_FINITE:
            before, memory.budget = self.steps + self.rejected, steps
            self.answer = int(self._call(self._advance, self.f, self.g, self._passed))
            if self.answer != FULL:
                break
            self._more_room()
            steps -= self.steps + self.rejected - before
        return self.answer

    def _call(self, function: Any, *arguments: Any) -> Any:
        return function.python(*arguments) if self.plain else function(*arguments)

    def _more_room(self) -> None:
        memory = self.memory
        memory.marks = np.concatenate([memory.marks, np.zeros_like(memory.marks)])
        memory.records = np.concatenate([memory.records, np.zeros_like(memory.records)])
        memory.room = len(memory.marks)


def advance(run: Integration, steps: int = 100_000) -> int:
    """Try at most so many steps; what comes back is one of the answers of `run_memory`."""
    return run.advance(int(steps))
