"""A run kept on a tape, differentiated backwards by the discrete adjoint."""

from collections.abc import Sequence
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.errors import SolveError
from hapsis.motion.simulate.derivatives.derivative_problem import DerivativeProblem
from hapsis.motion.simulate.derivatives.jumps import Jump, Jumps
from hapsis.motion.simulate.equations.switched_motion import SwitchedMotion
from hapsis.motion.simulate.run.energy_watchdog import EnergyWatchdog
from hapsis.motion.simulate.run.held_inputs import HeldInputs
from hapsis.motion.simulate.run.integrator import (
    DONE,
    EVENT,
    PAUSED,
    TAPE_FULL,
    Integrator,
    Watch,
    integration,
)
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.simulate.time_functions.step_limits import step_limits

Array = np.ndarray[Any, np.dtype[np.float64]]
CHUNK = 100_000  # steps between two checks
MOST_NUMBERS = 200_000_000  # on a tape, 1.6 GB


class Piece(NamedTuple):
    """Steps of the tape with the same inputs, and the jumps at their end."""

    first: int
    last: int
    t: float  # the time from which the inputs are held
    u: Array
    jumps: list[Jump]


@final
class Tape:
    """A run of y' = f, with a running cost as one more state if there is one, and its way back."""

    def __init__(self, problem: DerivativeProblem, cost: Function | None, options: RunOptions) -> None:
        self.problem, self.options = problem, options
        self.kernels, self.targets = problem.kernels, problem.targets
        self.motion = SwitchedMotion(self.kernels)
        self.function = with_cost(self.motion.function, cost) if cost else self.motion.function
        self.more = int(cost is not None)
        self.jumps = Jumps(self.motion, self.function) if self.motion.count else None
        self.pieces: list[Piece] = []

    # forwards ------------------------------------------------------------------------------------

    def forwards(self, span: tuple[float, float], y: Array) -> Array:
        """The state at the end; all steps on the tape."""
        held = HeldInputs(self.kernels, span[0])
        self.problem.refuse_jumps(span)
        self.begin = start = span[0]
        held.hold(start, y)
        self.motion.settle(start, y)
        self.integrator = self._integrator(span, y)
        self.integrator.use_modes(self.motion.modes, taped=True)
        for stop in held.stops(*span, np.empty(0)):
            self.integrator.until(stop.before)
            self._piece(start)
            if stop.after < span[1]:
                start = stop.after
                held.hold(start, self.integrator.y)
                self.motion.settle(start, self.integrator.y)
                self.integrator.restart()
        return self.integrator.y.copy()

    def _integrator(self, span: tuple[float, float], y: Array) -> Integrator:
        guards, watch = self.motion.count, None
        if self.motion.watched is not None:
            g = self.kernels.handle(self.motion.watched, "g")
            watch = Watch(g, [0] * guards, [k < self.motion.jumps for k in range(guards)])
        return integration(
            self.kernels,
            self.options,
            span,
            np.concatenate([y, np.zeros(self.more)]),
            EnergyWatchdog(self.kernels, span, y).scale,
            {
                "method": self.options.method,
                "f": self.kernels.handle(self.function, "dy"),
                **self.kernels.approach(self.kernels.system.approach()),
            },
            watch,
            pace=step_limits(self.kernels, span, self.options.longest, stops=False).pace,
            limit=self.options.limit,
        )

    def _piece(self, start: float) -> None:
        """To the end of a piece of time with the same inputs."""
        integrator, first = self.integrator, self.integrator.taped_steps
        while True:
            answer = integrator.advance(CHUNK)
            if answer == TAPE_FULL:
                self._grow()
            elif answer in (EVENT, DONE):
                jumps = self._jumped() if answer == EVENT else []
                u = self.kernels.u.copy()
                self.pieces.append(Piece(first, integrator.taped_steps, start, u, jumps))
                first = integrator.taped_steps
                if answer == DONE:
                    return
            elif answer != PAUSED:
                raise SolveError(f"the simulation did not succeed: {integrator.trouble()}")

    def _grow(self) -> None:
        if not self.integrator.grow_tape(MOST_NUMBERS):
            raise SolveError(
                f"t = {self.integrator.t:.6g}: {self.integrator.taped_steps:,} steps are more than "
                "memory should hold on a tape",
                remedy="use a larger tolerance or step, or sensitivities",
            )

    def _jumped(self) -> list[Jump]:
        assert self.jumps is not None
        before, after = self.motion.change_modes(self.integrator.new_modes())
        return self.jumps.at(self.integrator.t, self.integrator.y, before, after)

    # backwards -----------------------------------------------------------------------------------

    def backwards(self, by_y: Array, by_theta: Array, by_u: Array, y: Array) -> Array:
        """The gradient by columns, from the slopes of a loss at the end; y is the start."""
        kernels, targets = self.kernels, self.targets
        function, n_theta, n_u = pulled(self.function)
        pull = kernels.handle(function, "w_dy", "w")
        way = self.integrator.backwards(pull, n_theta + n_u)
        n = self.integrator.size
        way.weights[: len(by_y)] = by_y
        way.weights[n - self.more : n] = 1.0
        way.weights[n : n + n_theta] = by_theta
        way.weights[n + n_theta :] = by_u
        gradient = np.zeros(targets.count)
        for piece in reversed(self.pieces):
            kernels.u[:] = piece.u
            self._jump_back(way.weights, piece.jumps, n_theta)
            way.over(piece.first, piece.last)
            if n_u:
                gradient += targets.held_slopes(piece.t) @ way.weights[n + n_theta :]
                way.weights[n + n_theta :] = 0.0
        gradient += targets.theta_slopes @ way.weights[n : n + n_theta]
        return gradient + self.problem.start_slopes(self.begin, y) @ way.weights[: len(y)]

    def _jump_back(self, weights: Array, jumps: Sequence[Jump], n_theta: int) -> None:
        n = self.integrator.size
        moments = [float(weights[:n] @ jump.change) for jump in jumps]
        for moment, jump in zip(moments, jumps, strict=True):
            weights[:n] += moment * jump.by_y
            if jump.by_theta.size:
                weights[n : n + n_theta] += moment * jump.by_theta
            if jump.by_u.size:
                weights[n + n_theta :] += moment * jump.by_u


def with_cost(motion: Function, cost_rate: Function) -> Function:
    """The motion with one more state, whose rate is the running cost."""
    known = motion.input_symbols()
    rate = cost_rate(**{port.name: known[port.name] for port in cost_rate.inputs})
    cost = motion.graph.symbol("cost")
    inputs = [
        p if p.name != "y" else p._replace(shape=(len(p.refs) + 1,), refs=(*p.refs, cost))
        for p in motion.inputs
    ]
    refs = (*motion.output("dy").refs, rate.ref)
    return Function.of("costly motion", motion.graph, inputs, [Port("dy", (len(refs),), refs)])


def pulled(motion: Function) -> tuple[Function, int, int]:
    """(t, y, ..., w_dy) -> w of y, theta and u in one vector; and how long the last two are."""
    names = {port.name for port in motion.inputs}
    by = [name for name in ("y", "theta", "u") if name in names]
    back = motion.vjp(*by)
    refs = tuple(ref for port in back.outputs for ref in port.refs)
    sizes = {port.name: len(port.refs) for port in back.outputs}
    pull = Function.of("pull", back.graph, back.inputs, [Port("w", (len(refs),), refs)])
    return pull, sizes.get("w_theta", 0), sizes.get("w_u", 0)
