"""A run of an integrator: y' = f(t, y) from t0 to t_end, that can be stopped anywhere.

    run = Run("order8", f, (0.0, 10.0), y0, rtol=1e-9, atol=1e-9, samples=ts,
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
    quaternions  starts of groups of four numbers that are kept at length 1
    prepare      is called before each tried step; what it writes may change f
    limit        steps to try in the whole run
    memory       where `real` of `layout` is kept, if a kernel shall have a hand in it: `prepare`
                 may write the longest step to real[MAX_STEP]

After `advance`: run.t, run.y (views), run.sampled (samples written so far), run.events (a list of
Event(time, index, state)), run.steps, run.rejected, run.evaluations, run.jacobians. The same bits
come out however often a run is paused, in native code and in plain Python.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hapsis.errors import SolveError
from hapsis.motion.solvers.integrators.first_step import first_step
from hapsis.motion.solvers.integrators.methods import METHODS, method_named
from hapsis.motion.solvers.integrators.step_control import new_grid
from hapsis.motion.solvers.run import run_memory as layout
from hapsis.motion.solvers.run.run_memory import (
    DONE,
    EVENT,
    FULL,
    NOT_CONVERGED,
    NOT_FINITE,
    PAUSED,
    SMALL_STEP,
    STIFF,
    TOO_MANY,
)

__all__ = [
    "DONE",
    "EVENT",
    "METHODS",
    "NOT_CONVERGED",
    "NOT_FINITE",
    "PAUSED",
    "SMALL_STEP",
    "STIFF",
    "TOO_MANY",
    "Event",
    "Run",
    "advance",
]

Numbers = NDArray[np.float64]
Kernel = Callable[..., Any]

LEAST_PART = 1e-30  # of the whole time: no step is shorter
RECORDS = 16  # events that there is room for at first

TROUBLE = {
    SMALL_STEP: "the step that the accuracy asks for is below the resolution of time",
    NOT_FINITE: "the equations give a value that is not finite",
    STIFF: "the problem is stiff: an explicit method is held back by stability",
    NOT_CONVERGED: "the iteration of an implicit step does not converge",
    TOO_MANY: "the steps allowed are used up",
}


class Event(NamedTuple):
    """Something that happened: when, which, and the state just after the sign changed."""

    time: float
    index: int
    state: Numbers


class Run:
    """The memory of one integration; see the head of this file."""

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
        max_step: float = np.inf,
        samples: ArrayLike = (),
        g: Kernel | None = None,
        directions: Sequence[int] = (),
        terminals: Sequence[bool] = (),
        prepare: Kernel | None = None,
        jacobian: Kernel | None = None,
        rates: Kernel | None = None,
        split: tuple[int, int] | None = None,
        quaternions: Sequence[int] = (),
        limit: int = 2**62,
        plain: bool = False,
        memory: Numbers | None = None,
    ):
        self.family = family = method_named(method, step)
        self.f, self.g, self.prepare = f, g, prepare
        self.jacobian, self.rates, self.split, self.plain = jacobian, rates, split, plain
        self.y = np.array(y, float).ravel()
        self.size = n = len(self.y)
        self.answer = PAUSED
        self.real = np.zeros(layout.REALS) if memory is None else memory
        self.count = np.zeros(layout.COUNTS, np.int64)
        self.times = np.array(samples, float).ravel()
        self._sampled = np.full(len(self.times) * n, np.nan)
        self.quaternions = np.array(quaternions, np.int64).ravel()
        self.y_new, self.spot, self.clock = np.zeros(n), np.zeros(n), np.zeros(2)
        self.dense = np.zeros(family.dense_rows * n)
        self.atol = _each(atol, n)
        self._set_time(float(span[0]), float(span[1]), max_step)
        self._set_control(step, rtol, limit)
        self._set_events(directions, terminals)
        self.kernels, self.arrays = family.own(self)
        self._check_kernels()
        self._begin(step, first)

    # building ------------------------------------------------------------------------------------

    def _set_time(self, start: float, end: float, max_step: float) -> None:
        if not (np.isfinite(start) and np.isfinite(end)):
            raise SolveError(f"a run from t = {start} to {end}", expected="finite times")
        sign = -1.0 if end < start else 1.0
        real, times = self.real, self.times
        real[layout.T], real[layout.T_END], real[layout.SIGN] = start, end, sign
        if not max_step > 0:
            raise SolveError(f"the longest step is {max_step}", expected="a length above zero")
        real[layout.MAX_STEP] = max_step
        real[layout.LEAST_STEP] = LEAST_PART * abs(end - start)
        ordered = not len(times) or bool((sign * np.diff(times) >= 0).all())
        if not (ordered and np.isfinite(times).all()):
            raise SolveError("the sample times are not in the order of the run")
        if len(times) and not sign * (times[0] - start) >= 0:
            raise SolveError(f"a sample at t = {times[0]} is before the start, t = {start}")

    def _set_control(self, step: float | None, rtol: float, limit: int) -> None:
        real, count, family = self.real, self.count, self.family
        controlled = int(np.isfinite(self.atol).sum())
        if not (rtol >= 0 and (self.atol >= 0).all()):
            raise SolveError("a tolerance is negative or not a number")
        starts = self.quaternions
        if not ((starts >= 0) & (starts <= self.size - 4)).all():
            raise SolveError(f"quaternions at {starts.tolist()} of {self.size} numbers")
        if step is None and not (rtol + self.atol > 0).all():
            raise SolveError("rtol and atol are both zero", remedy="give one of them")
        real[layout.RTOL], real[layout.MEAN] = rtol, 1.0 / max(1, controlled)
        real[layout.STABLE] = family.stable
        count[layout.HALVINGS], count[layout.TIMES], count[layout.MEMORY] = family.exponents
        real[layout.SHRINK], real[layout.GROW] = family.limits
        count[layout.SIZE], count[layout.QUATERNIONS] = self.size, len(self.quaternions)
        count[layout.SAMPLES], count[layout.ROWS] = len(self.times), family.dense_rows
        count[layout.LIMIT], count[layout.ADAPTIVE] = limit, int(step is None)
        count[layout.PREPARED] = int(self.prepare is not None)
        count[layout.WATCH] = int(family.stable > 0)

    def _set_events(self, directions: Sequence[int], terminals: Sequence[bool]) -> None:
        ng = len(directions) if self.g is not None else 0
        if len(directions) != len(terminals) or ng != len(directions):
            raise SolveError(
                f"{len(directions)} directions and {len(terminals)} terminals of events",
                expected="g, and one of each for each value of g",
            )
        self.count[layout.SIGNALS], self.count[layout.ROOM] = ng, max(RECORDS, ng)
        self.signals = np.zeros((layout.SIGNAL_ROWS, ng))
        self.signals[layout.DIRECTION] = np.sign(directions)
        self.signals[layout.TERMINAL] = np.asarray(terminals, bool)
        self.signals = self.signals.ravel()
        self.marks = np.zeros(self.count[layout.ROOM], np.int64)
        self.records = np.zeros(int(self.count[layout.ROOM]) * (1 + self.size))

    def _check_kernels(self) -> None:
        """Native code trusts the sizes of kernels; a call from Python compares them."""
        if self.plain:
            return
        t, n = self.clock[:1], self.size
        self.clock[:] = self.t, 1.0
        self.f(t, self.y, np.zeros(n))
        if self.prepare is not None:
            self.prepare(self.clock[1:], t, self.y)
        if self.jacobian is not None:
            self.jacobian(t, self.y, np.zeros(n * n), np.zeros(n))
        if self.rates is not None:
            self.rates(t, self.y, np.zeros(n))

    def _begin(self, step: float | None, first: float | None) -> None:
        """The state at the start, and the first step."""
        self.real[layout.H] = 1.0 if step is None else step
        self.restart()
        if self.answer != PAUSED:
            return
        # samples at the start
        at_start = int((self.times == self.t).sum())
        self._sampled[: at_start * self.size] = np.tile(self.y, at_start)
        self.count[layout.SAMPLE] = at_start
        if step is None:
            if first is not None and not 0 < first:
                raise SolveError(f"the first step is {first}", expected="a length above zero")
            self.real[layout.H] = first_step(self) if first is None else first

    # going on ------------------------------------------------------------------------------------

    def restart(self, y: ArrayLike | None = None, *, step: float | None = None) -> None:
        """Go on from here with another state, or after f or g have changed.

        Events compare with the signs that g has now, or where it is zero with those that it takes
        on leaving. The step is kept unless another one is given.
        """
        if y is not None:
            self.y[:] = y
        if step is not None:
            self.real[layout.H] = step
        for fact in (layout.FRESH, layout.RETRY, layout.SLOPED, layout.HUMP):
            self.count[fact] = 0
        self.count[layout.STIFF_HITS] = self.count[layout.STIFF_MISSES] = 0
        self.real[layout.PAST] = 1.0
        self.answer = PAUSED
        ng = int(self.count[layout.SIGNALS])
        values = self.signals[layout.NOW * ng : (layout.NOW + 1) * ng]
        if self.g is not None and ng:
            self.clock[0] = self.t
            self.g(self.clock[:1], self.y, values)
            self.signals[layout.SIDE * ng : (layout.SIDE + 1) * ng] = np.sign(values)
        if not (np.isfinite(self.y).all() and np.isfinite(values).all()):
            self.answer = NOT_FINITE
        if not self.count[layout.ADAPTIVE]:
            self._call(new_grid, self.real, self.count)

    def until(self, end: float) -> None:
        """Let the run go on to another t_end, in the same direction."""
        if not (np.isfinite(end) and self.real[layout.SIGN] * (end - self.t) >= 0):
            raise SolveError(f"the new end, t = {end}, is before t = {self.t}")
        self.real[layout.T_END] = end
        if not self.count[layout.ADAPTIVE]:
            self._call(new_grid, self.real, self.count)

    def shared(self) -> tuple[Any, ...]:
        """The arrays that the native functions of all methods take, in their order."""
        return (
            self.y,
            self.y_new,
            self.atol,
            self.dense,
            self.spot,
            self.times,
            self._sampled,
            self.signals,
            self.marks,
            self.records,
            self.quaternions,
            self.clock,
        )

    def _call(self, function: Any, *arguments: Any) -> Any:
        return function.python(*arguments) if self.plain else function(*arguments)

    def _more_room(self) -> None:
        self.marks = np.concatenate([self.marks, np.zeros_like(self.marks)])
        self.records = np.concatenate([self.records, np.zeros_like(self.records)])
        self.count[layout.ROOM] = len(self.marks)

    # reading -------------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        """The time that has been reached."""
        return float(self.real[layout.T])

    @property
    def sampled(self) -> Numbers:
        """The states at the sample times that have been reached, one per row."""
        return self._sampled.reshape(-1, self.size)[: self.count[layout.SAMPLE]]

    @property
    def events(self) -> list[Event]:
        """What has happened, in order; events of one moment in the order of g."""
        rows = self.records.reshape(-1, 1 + self.size)[: self.count[layout.EVENTS]]
        return [Event(float(r[0]), int(i), r[1:].copy()) for i, r in zip(self.marks, rows, strict=False)]

    @property
    def steps(self) -> int:
        """Steps made."""
        return int(self.count[layout.STEPS])

    @property
    def rejected(self) -> int:
        """Steps tried and not made."""
        return int(self.count[layout.REJECTED])

    @property
    def evaluations(self) -> int:
        """Calls of f."""
        return int(self.count[layout.EVALUATIONS])

    @property
    def jacobians(self) -> int:
        """Calls of the Jacobian."""
        return int(self.count[layout.JACOBIANS])

    @property
    def watch_stiffness(self) -> bool:
        """Whether a run of an explicit method stops with STIFF; can be set."""
        return bool(self.count[layout.WATCH])

    @watch_stiffness.setter
    def watch_stiffness(self, watch: bool) -> None:
        self.count[layout.WATCH] = int(watch and self.family.stable > 0)

    def trouble(self) -> str:
        """In words and with the time, why the run stopped before its end; empty if it did not."""
        text = TROUBLE.get(self.answer)
        return f"t = {self.t:.12g}: {text}" if text else ""


def advance(run: Run, steps: int = 100_000) -> int:
    """Try at most so many steps; what comes back is one of the answers of `layout`."""
    steps = int(steps)
    if run.answer == NOT_FINITE:
        return NOT_FINITE
    g, prepare = run.g or run.f, run.prepare or run.f  # never called where they are absent
    while True:
        before = run.steps + run.rejected
        run.answer = int(
            run._call(
                run.family.function,
                *(run.f, g, prepare, *run.kernels),
                *(steps, run.real, run.count, *run.arrays, *run.shared()),
            )
        )
        if run.answer != FULL:
            return run.answer
        run._more_room()
        steps -= run.steps + run.rejected - before


def _each(atol: ArrayLike, n: int) -> Numbers:
    values = np.asarray(atol, float)
    if values.shape not in ((), (n,)):
        raise SolveError(f"atol has the shape {values.shape}", expected=f"a number, or {n} of them")
    return np.array(np.broadcast_to(values, n))
