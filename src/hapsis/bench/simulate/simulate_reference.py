"""The true motion, and SciPy: both on our own compiled equations of motion.

`Motion` is the reference of `hapsis bench simulate`: DOP853 at the tightest tolerances. SciPy as a
rival calls one compiled Function y -> dy, control included: what is left is SciPy's own cost.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.bench.dynamics.dynamics_ours import model_of, order
from hapsis.bench.simulate.simulate_cases import Case
from hapsis.bench.work_precision import Outcome, clock
from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import forward_dynamics
from hapsis.mechanics.formalisms.tree.energy import energy

TIGHTEST = 1e-13
TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)
METHODS = ("DOP853", "RK45")


def equations(case: Case) -> Function:
    """y -> dy with y = [q, v] in the robot's order, the control inside."""
    model, n = model_of(case.robot), case.robot.size
    place, speeds = order(case.robot, model)
    y = symbols("y", 2 * n)
    q, v, efforts = np.zeros((3, n), object)
    q[place], v[speeds] = y[:n], y[n:]
    if case.control is not None:
        c = case.control
        efforts[speeds] = c.feedforward - c.stiffness * (y[:n] - c.hold) - c.damping * y[n:]
    rates: Any = forward_dynamics(model)(q, v, efforts)
    return Function("motion", {"y": y}, {"dy": np.concatenate([y[n:], rates[speeds]])})


class Motion:
    """The reference motion of a case: where it ends, how sure that is, and its energy."""

    def __init__(self, case: Case):
        self.case, self.size = case, case.robot.size
        self.rates: Any = compile(equations(case), bake=True)
        model = model_of(case.robot)
        self.place, self.speeds = order(case.robot, model)
        self.energies: Any = compile(energy(model))
        self.start = np.concatenate([case.q, np.zeros(self.size)])
        fine, coarse = (self.solved("DOP853", x)[1].y[:, -1] for x in (TIGHTEST, 10 * TIGHTEST))
        self.end, self.doubt = fine, float(np.abs(fine - coarse)[: self.size].max())

    def solved(self, method: str, tolerance: float) -> tuple[float, Any]:
        """Seconds taken, and SciPy's answer."""
        from scipy.integrate import solve_ivp

        rates = self.rates
        begin = clock()
        solution = solve_ivp(
            lambda t, y: rates(y),
            (0.0, self.case.until),
            self.start,
            method,
            rtol=tolerance,
            atol=tolerance,
            t_eval=(self.case.until,),
        )
        return clock() - begin, solution

    def energy(self, q: Any, v: Any) -> float:
        """The energy of a state in the robot's order."""
        values, speeds = np.empty(self.size), np.empty(self.size)
        values[self.place], speeds[self.speeds] = q, v
        return float(sum(self.energies(values, speeds)))

    def error(self, outcome: Outcome) -> float:
        """The largest error of a coordinate at the end."""
        return float(np.abs(outcome.q - self.end[: self.size]).max())

    def energy_error(self, outcome: Outcome) -> float:
        """The error of the energy at the end, on the scale of what fell: the potential range."""
        n, (low, high) = self.size, self.scale()
        gap = self.energy(outcome.q, outcome.v) - self.energy(self.end[:n], self.end[n:])
        return abs(gap) / (high - low)

    def scale(self) -> tuple[float, float]:
        """Potential energies of the start and of the end, in order."""
        n, zero = self.size, np.zeros(self.size)
        two = self.energy(self.start[:n], zero), self.energy(self.end[:n], zero)
        return min(two), max(two)


class Scipy:
    """`solve_ivp` on our right-hand side."""

    name = "scipy"

    def __init__(self, motion: Motion):
        self.motion = motion

    def curves(self) -> dict[str, list[tuple[float, Callable[[], Outcome]]]]:
        """Per method: tolerances and runs."""

        def run(method: str, tolerance: float) -> Callable[[], Outcome]:
            return lambda: self._run(method, tolerance)

        return {m: [(x, run(m, x)) for x in TOLERANCES] for m in METHODS}

    def _run(self, method: str, tolerance: float) -> Outcome:
        took, solution = self.motion.solved(method, tolerance)
        stages = {"DOP853": 12, "RK45": 6}[method]
        n = self.motion.size
        end = solution.y[:, -1] if solution.success else np.full(2 * n, np.inf)
        return Outcome(took, solution.nfev // stages, end[:n], end[n:])

    def close(self) -> None:
        """Nothing to end."""
