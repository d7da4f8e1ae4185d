"""The search for a pose in which nothing accelerates."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hapsis.errors import ModelError, SolveError, near
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.motion.analysis.assembly.loop_numbers import Array
from hapsis.motion.analysis.assembly.reduce import pivot_sizes
from hapsis.motion.analysis.equilibrium.balance_equations import BalanceEquations, BalancePoint
from hapsis.motion.analysis.equilibrium.equilibrium_failure import failure
from hapsis.motion.solvers.linear.least_squares import Solution, least_squares
from hapsis.motion.solvers.linear.pseudo_transient import settled

LONGEST = 0.5  # of the units of coordinates, of one step
EPSILON = 2.0**-52
ROUNDING = 64 * EPSILON  # of coordinates; what it does to accelerations is no residual
WEAK = 1e-2  # a pivot over that of the best partition: below it that one is taken
PARTITIONS = 3  # at most, after the first


class Balanced(NamedTuple):
    """The result of a search."""

    q: Array
    v: Array
    z: Array
    residual: float
    iterations: int
    efforts: dict[str, float]


class Balance:
    """The search for a solution of the equations of an equilibrium.

    tolerance    of the residual, besides rounding
    iterations   at most, of each method
    taken        steps so far
    """

    def __init__(self, equations: BalanceEquations, tolerance: float, iterations: int) -> None:
        self.equations, self.model = equations, equations.model
        self.tolerance, self.iterations, self.taken = tolerance, iterations, 0

    def from_start(self, q: Array, laws: Mapping[str, float], away: Array, nearest: bool) -> Balanced:
        """The equilibrium from a start moved by `away` units along the speeds, or why there is none.

        nearest    try Newton's method first, which may end at an unstable equilibrium
        """
        equations = self.equations
        self.taken = 0
        equations.choose_partition(q)
        known = (*self.model.coordinates, *self.model.speeds, *equations.states)
        for name in laws:
            if name not in equations.here.extras.states:
                raise ModelError(
                    f'the start names "{name[:60]}", which is no coordinate, speed or '
                    f"state{near(name, known)}"
                )
        z = np.array([laws.get(n, s) for n, s in equations.here.extras.states.items()], float)
        moved = np.zeros(len(equations.v))
        moved[equations.unknown] = (away * equations.units)[equations.unknown]
        x = equations.at(equations.here.moved(q, moved) if moved.any() else q, z)
        if not np.isfinite(equations.residual(x)).all():
            raise SolveError(
                "at the start of the search forces are not finite, or loops are open",
                remedy="start elsewhere",
            )
        ends: list[Solution] = []
        for search in (self._solved, self._settled) if nearest else (self._settled, self._solved):
            end = search(x)
            rest = self._strengthened(self._polished(end.x))
            if self._rests(rest) and self._stronger(rest) is None:
                return self._balanced(rest)
            ends.append(end._replace(x=rest))
        # what is left over is least where least squares ended
        end = ends[0 if nearest else 1]
        raise failure(equations, end, self.taken, end.iterations >= self.iterations)

    def _solved(self, x: BalancePoint) -> Solution:
        equations = self.equations
        longest = np.full(len(equations.unknown) + len(x.z), np.inf)
        longest[: len(equations.unknown)] = LONGEST
        if not len(longest):
            return Solution(x, equations.residual(x), 0, False, np.zeros(0, bool))
        end = least_squares(
            equations.residual,
            equations.jacobian,
            x,
            retract=equations.retract,
            room=equations.room,
            goal=self.tolerance,
            slow=1e-10,
            longest=longest,
            grows=True,
            iterations=self.iterations,
        )
        self.taken += end.iterations
        return end

    def _settled(self, x: BalancePoint) -> Solution:
        """Where the mechanism comes to rest if it moves slowly under its forces."""
        equations = self.equations
        slots = [k for k in equations.unknown if k in equations.here.speeds]
        every = equations.unknown + [len(equations.v) + k for k in range(len(x.z))]
        chosen = [every.index(k) for k in slots] + list(range(len(equations.unknown), len(every)))
        rows = [equations.here.speeds.index(k) for k in slots]
        rows += range(len(equations.here.speeds), len(equations.here.speeds) + len(x.z))
        if not rows:
            return Solution(x, equations.residual(x), 0, False, np.zeros(0, bool))
        longest = np.full(len(rows), np.inf)
        longest[: len(slots)] = LONGEST

        def moved(x: BalancePoint, d: Array) -> BalancePoint:
            whole = np.zeros(len(every))
            whole[chosen] = d
            return equations.retract(x, whole)

        end = settled(
            lambda x: equations.residual(x)[rows],
            lambda x: equations.jacobian(x)[np.ix_(rows, chosen)],
            x,
            retract=moved,
            goal=self.tolerance,
            longest=longest,
            grows=True,
            iterations=self.iterations,
        )
        self.taken += end.iterations
        return Solution(
            end.x, equations.residual(end.x), end.iterations, end.reached, np.zeros(len(every), bool)
        )

    def _polished(self, x: BalancePoint) -> BalancePoint:
        """A few undamped steps, as long as they help."""
        equations = self.equations
        size = float(np.linalg.norm(equations.residual(x)))
        for _ in range(3):
            J = equations.jacobian(x)
            if not size > 0.0 or not J.size:
                return x
            d: Array = -np.linalg.lstsq(J, equations.residual(x), rcond=1e-12)[0]  # pyright: ignore
            if not np.abs(d).max() < LONGEST:
                return x
            tried = equations.retract(x, d)
            new = float(np.linalg.norm(equations.residual(tried)))
            if not new < 0.5 * size:
                return x
            x, size, self.taken = tried, new, self.taken + 1
        return x

    def _rests(self, x: BalancePoint) -> bool:
        """Whether the residual is within the tolerance, or within what the rounding of q explains."""
        equations = self.equations
        low, high = equations.room(x)
        if (low > 0.0).any() or (high < 0.0).any():
            return False
        J = equations.slopes(x, equations.unknown)
        least = self.tolerance + ROUNDING * np.abs(J) @ equations.sizes(x)
        return bool((np.abs(equations.residual(x)) <= least).all())

    def _strengthened(self, x: BalancePoint) -> BalancePoint:
        """The same pose; solved again by another partition, where this one has become weak."""
        for _ in range(PARTITIONS):
            part = self._stronger(x)
            if part is None or not set(self.equations.moving).isdisjoint(part.dependent):
                break
            self.equations.use(part)
            x = self._polished(self._solved(self.equations.at(x.q, x.z)).x)
        return x

    def _stronger(self, x: BalancePoint) -> Partition | None:
        """Another partition where this one is weak: where it is singular, what leads rests anywhere."""
        equations = self.equations
        loops, t = equations.loops, equations.t
        part = equations.best_partition(x.q)
        if not part.rows:
            return None
        now, then = (np.abs(pivot_sizes(loops, p, x.q, t)).min() for p in (equations.here.part, part))
        return part if now < WEAK * then else None

    def _balanced(self, x: BalancePoint) -> Balanced:
        self.equations.check_steady(x)
        size = self.equations.largest_residual(x)
        drive_efforts = x.rates.get("efforts", np.zeros(0))
        efforts = {f"{n}.effort": float(e) for n, e in zip(self.model.drives, drive_efforts, strict=True)}
        v = np.array(x.rates["v"])
        return Balanced(x.q, v, x.z, size, self.taken, efforts)
