"""Sensitivities carried along a run: y' = f and S' = f_y S + f_θ, by one integrator.

Errors are controlled in y only, so the steps are those of the run itself. Where f may jump, a step
ends, and S jumps too (see `jumps`).
"""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.errors import SolveError
from hapsis.motion.simulate.derivatives.derivative_problem import DerivativeProblem
from hapsis.motion.simulate.derivatives.jumps import Jumps
from hapsis.motion.simulate.derivatives.sensitivity_equations import sensitivity_equations
from hapsis.motion.simulate.equations.switched_motion import SwitchedMotion
from hapsis.motion.simulate.run.events import Event, with_contacts
from hapsis.motion.simulate.run.integrator import Integrator, Watch
from hapsis.motion.simulate.run.result_builder import final_rows
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.simulate.run.run_parts import RunParts, closed_states, massless_in_tree

Array = np.ndarray[Any, np.dtype[np.float64]]


@final
class SensitivityKernels:
    """The kernels of runs that carry sensitivities, made once for many starts and parameters."""

    def __init__(self, problem: DerivativeProblem, options: RunOptions, events: Sequence[Event]) -> None:
        self.problem, self.options = problem, options
        kernels, targets = problem.kernels, problem.targets
        self.waves = bool(events)
        self.events = with_contacts(events, tuple(problem.system.model.contacts), options.method)
        self.motion = SwitchedMotion(kernels, self.events)
        self.du = np.zeros((targets.count, len(kernels.u)))
        watched = self.motion.watched
        self.g = kernels.handle(watched, "g") if watched is not None else None
        self.jumps = Jumps(self.motion, self.motion.function) if self.motion.count else None
        equations = sensitivity_equations(self.motion.function, targets.theta_slopes, targets.moves_held)
        more = {"du": self.du} if targets.moves_held else {}
        self.f = kernels.handle(equations, "dy", **more)

    def run(self, span: tuple[float, float], y: Array, samples: Array, bar: Bar) -> "SensitivityRun":
        """A run that has been made; an error unless it got to its end."""
        carried = CarriedSensitivities(self, y)
        self.problem.refuse_jumps(span)
        parts = RunParts(
            carried, carried, record=carried, loops=self.problem.loops, waves=self.waves, knots=False
        )
        run = Run(self.problem.kernels, self.options, span, y, samples, self.events, parts)
        run.go(bar)
        if run.status not in ("done", "event"):
            raise SolveError(f"the simulation did not succeed: {run.status}; {run.message}")
        if self.problem.partition is not None:
            self.problem.partition.check(
                *(np.concatenate(x) for x in list(zip(*run.rows.kept, strict=True))[:2])
            )
        return SensitivityRun(run, carried)


@final
class CarriedSensitivities:
    """The part of a run that carries S behind y: (columns, y) for each row."""

    def __init__(self, kernels: SensitivityKernels, y: Array) -> None:
        self.ready, self.problem, self.motion = kernels, kernels.problem, kernels.motion
        self.size, self.count = len(y), kernels.problem.targets.count
        self.S_rows: list[Array] = []
        self.du_rows: list[Array] = []  # how u moves, for the same rows

    # the vector y, S -----------------------------------------------------------------------------

    def of_method(self, method: str) -> dict[str, Any]:
        """The method and its kernel; errors are controlled in y only."""
        chosen = {"method": method, "f": self.ready.f, "controlled": self.size}
        kernels = self.problem.kernels
        return chosen | kernels.approach(kernels.system.approach())

    def vector(self, t: float, y: Array) -> Array:
        """y, then S at the start."""
        return np.concatenate([y, self.problem.start_slopes(t, y).ravel()])

    def states(self, t: Any, vectors: Array) -> Array:
        """y of vectors, with loops closed."""
        y = np.ascontiguousarray(vectors[..., : self.size])
        return closed_states(self.problem.kernels, t, y)

    def keep(self, vectors: Array) -> None:
        """Takes more rows."""
        self.S_rows.append(self.slopes_of(vectors))
        self.du_rows.append(np.tile(self.ready.du, (len(vectors), 1, 1)))

    def slopes_of(self, vectors: Array) -> Array:
        """S of a vector, or of rows of them, as a view."""
        return vectors[..., self.size :].reshape(*vectors.shape[:-1], self.count, self.size)

    # guards --------------------------------------------------------------------------------------

    @property
    def first(self) -> int:
        """The guards come before the user's events."""
        return self.motion.count

    def watch(self, events: Sequence[Event]) -> Watch | None:
        """The guards, then these events."""
        if self.ready.g is None:
            return None
        guards, jumps = self.motion.count, self.motion.jumps
        directions = [0] * guards + [event.direction for event in events]
        terminals = [k < jumps for k in range(guards)] + [event.stop for event in events]
        return Watch(self.ready.g, directions, terminals)

    def held(self, t: float, y: Array) -> None:
        """What is held has changed: other slopes of it, and perhaps other modes."""
        self.ready.du[:] = self.problem.targets.held_slopes(t)
        self.motion.settle(t, y)

    def started(self, integrator: Integrator) -> None:
        """Gives the integration its modes."""
        integrator.use_modes(self.motion.modes)

    def respond(self, run: Run) -> str:
        """S jumps with the guards that have just passed zero; the modes are new after it."""
        assert self.ready.jumps is not None
        before, after = self.motion.change_modes(run.integrator.new_modes())
        t, vector = run.integrator.t, run.integrator.y
        S, targets = self.slopes_of(vector), self.problem.targets
        change = np.zeros_like(S)
        for jump in self.ready.jumps.at(t, vector, before, after):
            dt = S @ jump.by_y
            if jump.by_theta.size:
                dt = dt + targets.theta_slopes @ jump.by_theta
            if jump.by_u.size:
                dt = dt + self.ready.du @ jump.by_u
            change += np.outer(dt, jump.change)
        S += change
        return ""

    def explain(self, run: Run) -> str:
        """What can move without moving any mass."""
        return massless_in_tree(run)


@final
class SensitivityRun:
    """A run that was made, with S and the slopes of u for each row of its result."""

    def __init__(self, run: Run, carried: CarriedSensitivities) -> None:
        self.run, self.rows = run, final_rows(run)[0]
        self.S, self.du = np.concatenate(carried.S_rows), np.concatenate(carried.du_rows)
        self.problem = carried.problem
        self.theta = carried.problem.kernels.theta.copy()
