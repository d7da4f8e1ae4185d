"""A loop by SciPy: `solve_ivp` with an event on our own right-hand side, our impact after each."""

from typing import Any

import numpy as np

import hapsis as hs
from hapsis.bench.hybrid.hybrid_walkers import Walker
from hapsis.bench.rivals import rival
from hapsis.mechanics.formalisms.constraints.impact import impact
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition

METHOD = "DOP853"


class ScipyLoop:
    """One walker in a loop in Python."""

    def __init__(self, walker: Walker) -> None:
        self.solve = rival("scipy.integrate").solve_ivp
        cycle = walker.cycle
        model = walker.hybrid.phases[cycle.phase]
        self.q, self.v = np.array(cycle.start.q), np.array(cycle.start.v)
        self.n, self.still = len(self.q), np.zeros(len(self.v))
        part = best_partition(Loops(model), self.q, preferred=model.independent)
        self.rates = hs.compile(hs.reduced_dynamics(model, model.independent))
        self.impact = hs.compile(impact(model, part))
        self.foot = hs.compile(hs.pose(model, "wheel.next" if "wheel" in model.bodies else "swing.foot"))
        self.other = hs.compile(hs.pose(model, "wheel.foot" if "wheel" in model.bodies else "stance.foot"))
        self.wheel = "wheel" in model.bodies
        names = list(model.coordinates)
        self.turn = 2 * np.pi / 8
        self.swap = list(range(self.n))
        if not self.wheel:
            a, b = names.index("stance"), names.index("swing")
            self.swap[a], self.swap[b] = b, a

    def run(self, strides: int, tolerance: float) -> float:
        """So many strides; the mean time of one in the model's own time."""
        q, v, time = self.q, self.v, 0.0
        strike: Any = self._strike
        strike.__func__.terminal, strike.__func__.direction = True, -1
        for _ in range(strides):
            run = self.solve(
                self._f,
                (0.0, 20.0),
                np.concatenate([q, v]),
                METHOD,
                events=strike,
                rtol=tolerance,
                atol=tolerance,
            )
            y, time = run.y_events[0][0], time + float(run.t_events[0][0])
            q, v = y[: self.n][self.swap], y[self.n :][self.swap]
            if self.wheel:
                q[2] -= self.turn
            v = self.impact(q, v).v
        return time / strides

    def _f(self, t: float, y: Any) -> Any:
        q, v = y[: self.n], y[self.n :]
        at = self.rates(q, v, self.still)
        return np.concatenate([at.v, at.a])

    def _strike(self, t: float, y: Any) -> float:
        q = y[: self.n]
        foot, other = self.foot(q)[0], self.other(q)[0]
        return float(foot[2]) if foot[0] - other[0] > 0.02 else 1.0
