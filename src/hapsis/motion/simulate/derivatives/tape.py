"""A run kept on a tape, and the way back along it: gradients by the discrete adjoint."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.native import bound
from hapsis.errors import SolveError
from hapsis.motion.simulate.derivatives.differentiation_targets import Wanted
from hapsis.motion.simulate.derivatives.jumps import Jump, Jumps
from hapsis.motion.simulate.equations.fixed_partition import by_start
from hapsis.motion.simulate.equations.kernels import port_symbols
from hapsis.motion.simulate.equations.parameter_inputs import Opened
from hapsis.motion.simulate.run.run import LOOSE, Plan
from hapsis.motion.solvers.run import integration as solver
from hapsis.motion.solvers.run.discrete_adjoint import Backwards
from hapsis.motion.solvers.run.switched_explicit import TAPE_FULL, Modal

Array = np.ndarray[Any, np.dtype[np.float64]]
CHUNK = 100_000  # steps between two looks
MOST_NUMBERS = 200_000_000  # on a tape, 1.6 GB


class Piece(NamedTuple):
    """Steps of the tape with the same inputs, and the jumps at their end."""

    first: int
    last: int
    t: float  # the time from which the inputs are held
    u: Array
    jumps: list[Jump]


class Taping:
    """A run of y' = f, with a running cost as one more state if there is one."""

    def __init__(self, kernels: Opened, wanted: Wanted, running: Function | None, plan: Plan) -> None:
        self.kernels, self.wanted, self.plan = kernels, wanted, plan
        self.motion = with_cost(kernels.motion, running) if running else kernels.motion
        self.more = int(running is not None)
        watched = kernels.watching(())
        self.g = kernels.handle(watched, "g") if watched is not None else None
        self.f = kernels.handle(self.motion, "dy")
        self.jumps = Jumps(kernels, self.motion) if kernels.count else None
        self.pieces: list[Piece] = []

    # forwards ------------------------------------------------------------------------------------

    def forwards(self, span: tuple[float, float], y: Array, scale: float) -> Array:
        """The state at the end; all steps on the tape."""
        kernels = self.kernels
        self.begin = span[0]
        self._hold(span[0], y)
        self.run = self._run(span, np.concatenate([y, np.zeros(self.more)]), scale)
        self.modal = Modal(self.run, kernels.modes, taped=True)
        knots = kernels.packed.inputs.knots
        ends = [*knots[(knots > span[0]) & (knots < span[1])], span[1]]
        start = span[0]
        for end in ends:
            self.run.until(float(end))
            self._piece(start)
            if end < span[1]:
                start = float(end)
                self._hold(start, self.run.y)
                self.run.restart()
        return self.run.y.copy()

    def _run(self, span: tuple[float, float], y: Array, scale: float) -> Any:
        kernels, plan, guards = self.kernels, self.plan, self.kernels.count
        atol = np.full(len(y), plan.tolerance * 1e-3)
        atol[kernels.packed.layout.size - 1] = LOOSE * plan.tolerance * max(scale, 1e-3)
        more: dict[str, Any] = {}
        if self.g is not None:
            more = {
                "g": self.g,
                "directions": [0] * guards,
                "terminals": [k < kernels.switched.jumps for k in range(guards)],
            }
        memory = np.zeros(solver.layout.REALS)
        longest = memory[solver.layout.MAX_STEP :][:1]
        run = solver.Run(
            plan.method,
            self.f,
            span,
            y,
            step=plan.step,
            rtol=plan.tolerance,
            atol=atol,
            memory=memory,
            prepare=kernels.broad_phase(longest),
            limit=plan.limit,
            quaternions=kernels.packed.quaternions,
            **more,
        )
        run.watch_stiffness = False
        return run

    def _hold(self, t: float, y: Array) -> None:
        self.kernels.hold(self.kernels.packed.inputs.values(t))
        self.kernels.settle(t, y)

    def _piece(self, start: float) -> None:
        """To the end of a piece of time with the same inputs."""
        modal, run, first = self.modal, self.run, self.modal.stored
        while True:
            answer = solver.advance(run, CHUNK)
            if answer == TAPE_FULL:
                self._grow()
            elif answer in (solver.EVENT, solver.DONE):
                jumps = self._jumped() if answer == solver.EVENT else []
                u = self.kernels.u.copy()
                self.pieces.append(Piece(first, modal.stored, start, u, jumps))
                first = modal.stored
                if answer == solver.DONE:
                    return
            elif answer != solver.PAUSED:
                raise SolveError(f"the simulation did not succeed: {run.trouble()}")

    def _grow(self) -> None:
        if 2 * len(self.modal.tape) > MOST_NUMBERS:
            raise SolveError(
                f"t = {self.run.t:.6g}: {self.modal.stored:,} steps are more than memory should "
                "hold on a tape",
                remedy="use a larger tolerance or step, or sensitivities",
            )
        self.modal.grow()

    def _jumped(self) -> list[Jump]:
        modes, count = self.kernels.modes, self.kernels.count
        old, new = modes[:count].copy(), self.modal.sides()
        modes[:] = new
        assert self.jumps is not None
        return self.jumps.at(self.run.t, self.run.y, old, new[:count])

    # backwards -----------------------------------------------------------------------------------

    def backwards(self, by_y: Array, by_theta: Array, by_u: Array, y: Array) -> Array:
        """The gradient by columns, from the slopes of a loss at the end; y is the start."""
        kernels, wanted = self.kernels, self.wanted
        function, n_theta, n_u = pulled(self.motion)
        pull = bound(
            kernels.compiled(function),
            vary=("t", "y", "w_dy", "w"),
            p=kernels.known(function),
            **kernels.shared(function),
        )
        way = Backwards(self.modal, pull, n_theta + n_u)
        n = self.run.size
        way.weights[: len(by_y)] = by_y
        way.weights[n - self.more : n] = 1.0
        way.weights[n : n + n_theta] = by_theta
        way.weights[n + n_theta :] = by_u
        found = np.zeros(wanted.count)
        for piece in reversed(self.pieces):
            kernels.u[:] = piece.u
            self._jump_back(way.weights, piece.jumps, n_theta)
            way.over(piece.first, piece.last)
            if n_u:
                found += wanted.by_held(piece.t) @ way.weights[n + n_theta :]
                way.weights[n + n_theta :] = 0.0
        found += wanted.by_theta @ way.weights[n : n + n_theta]
        return found + by_start(kernels, wanted, self.begin, y) @ way.weights[: len(y)]

    def _jump_back(self, weights: Array, jumps: Sequence[Jump], n_theta: int) -> None:
        n = self.run.size
        moments = [float(weights[:n] @ jump.change) for jump in jumps]
        for moment, jump in zip(moments, jumps, strict=True):
            weights[:n] += moment * jump.by_y
            if jump.by_theta.size:
                weights[n : n + n_theta] += moment * jump.by_theta
            if jump.by_u.size:
                weights[n + n_theta :] += moment * jump.by_u


def with_cost(motion: Function, running: Function) -> Function:
    """The motion with one more state, whose rate is the running cost."""
    given = {port.name: port_symbols(motion, port) for port in motion.inputs}
    rate = running(**{port.name: given[port.name] for port in running.inputs})
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
    made = Function.of("pull", back.graph, back.inputs, [Port("w", (len(refs),), refs)])
    return made, sizes.get("w_theta", 0), sizes.get("w_u", 0)
