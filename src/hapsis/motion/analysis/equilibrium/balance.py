"""The search for a pose in which nothing accelerates."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hapsis.errors import ModelError, SolveError, near
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.reduce import best_partition, pivot_sizes
from hapsis.motion.analysis.equilibrium.equilibrium_failure import failure
from hapsis.motion.analysis.linear.linearization import position_name
from hapsis.motion.analysis.linear.operating_point import OperatingPoint
from hapsis.motion.solvers.linear.least_squares import Solution, least_squares
from hapsis.motion.solvers.linear.pseudo_transient import settled

LONGEST = 0.5  # rad or m, of one step
EPSILON = 2.0**-52
ROUNDING = 64 * EPSILON  # of coordinates; what it does to accelerations is no residual
WEAK = 1e-2  # a pivot over that of the best partition: below it that one is taken


class Balanced(NamedTuple):
    """Where it ended."""

    q: Array
    v: Array
    z: Array
    residual: float
    iterations: int
    efforts: dict[str, float]


class BalancePoint(NamedTuple):
    """A closed pose, states of laws, and the rates there."""

    q: Array
    z: Array
    rates: dict[str, Array]


class Balance:
    """A model whose drives stand still, and what must vanish.

    moving    {slot: speed} of what moves steadily
    """

    def __init__(
        self,
        model: Model,
        t: float,
        tau: Array,
        parameters: Mapping[str, float] | None,
        moving: Mapping[int, float],
        tolerance: float,
        iterations: int,
    ) -> None:
        self.model, self.t, self.tau = model, t, tau
        self.parameters, self.moving = parameters, dict(moving)
        self.tolerance, self.iterations, self.taken = tolerance, iterations, 0
        self.loops = Loops(model, t, {}, parameters)
        self.v = np.zeros(len(model.speeds))
        for slot, x in self.moving.items():
            self.v[slot] = x
        self.here: OperatingPoint

    @property
    def states(self) -> tuple[str, ...]:
        """The states of laws that take part."""
        return tuple(self.here.extras.states)

    def only(self, states: Mapping[str, float]) -> dict[str, float]:
        """Those of the states that take part."""
        return {n: states[n] for n in self.states}

    # the equations ----------------------------------------------------------------------------

    def _partition(self, q: Array) -> None:
        names = [self.model.speeds[slot].removesuffix(".v") for slot in self.moving]
        preferred = (*names, *(self.model.independent if not self.moving else ()))
        part = best_partition(self.loops, q, self.t, preferred=preferred)
        self.here = OperatingPoint(self.model, part, self.t, self.tau, None, self.parameters)
        for slot in self.moving:
            if slot in part.dependent:
                raise SolveError(
                    f'"{self.model.speeds[slot]}" cannot lead in this pose, so that '
                    "no speed can be given to it"
                )
        self.unknown = [k for k in self.here.positions if k not in self.moving]

    def _at(self, q: Array, z: Array) -> BalancePoint:
        rates = self.here.closed(q, self.v, z)
        return BalancePoint(rates["q"], z, rates)

    def residual(self, x: BalancePoint) -> Array:
        """Accelerations that must vanish, then rates of states of laws."""
        dz = x.rates["dz"] if len(x.z) else np.zeros(0)
        return np.concatenate([x.rates["a"][self.here.speeds], dz])

    def slopes(self, x: BalancePoint, slots: list[int]) -> Array:
        """How the residual changes along speeds, then with the states of laws."""
        N, p, n = self.here.tangent(x.q), len(slots), len(slots) + len(x.z)
        by = {"q": np.zeros((n, len(x.q))), "z": np.zeros((n, len(x.z)))}
        by["q"][:p] = N[:, slots].T
        by["z"][p:] = np.eye(len(x.z))
        d = self.here.along(x.q, self.v, x.z, by)
        dz = d["dz"] if len(x.z) else np.zeros((n, 0))
        return np.hstack([d["a"][:, self.here.speeds], dz]).T

    def _jacobian(self, x: BalancePoint) -> Array:
        J = self.slopes(x, self.unknown)
        if len(x.z):
            # a state whose rate never changes at rest, as of bristles that stick, stays
            rows = J[-len(x.z) :]
            idle = ~(np.abs(rows) > 0.0).any(axis=1)
            J[:, len(self.unknown) :][:, idle] = 0.0
        return J

    def _retract(self, x: BalancePoint, d: Array) -> BalancePoint:
        step = np.zeros(len(self.v))
        step[self.unknown] = d[: len(self.unknown)]
        return self._at(self.here.moved(x.q, step), x.z + d[len(self.unknown) :])

    def _room(self, x: BalancePoint) -> tuple[Array, Array]:
        """Up to the limits of the coordinates that lead."""
        n = len(self.unknown)
        low, high = np.full(n + len(x.z), -np.inf), np.full(n + len(x.z), np.inf)
        places = {name: k for k, name in enumerate(self.model.coordinates)}
        for k, slot in enumerate(self.unknown):
            place = places.get(position_name(self.model, slot))
            if place is not None:
                below, above = self.model.limits[place]
                low[k], high[k] = below - x.q[place], above - x.q[place]
        return low, high

    # the search -------------------------------------------------------------------------------

    def from_start(self, q: Array, laws: Mapping[str, float], away: Array, nearest: bool) -> Balanced:
        """The equilibrium from a start moved by `away` along the speeds, or why there is none.

        nearest    the way of Newton first, to one that need not be stable
        """
        self.taken = 0
        self._partition(q)
        known = (*self.model.coordinates, *self.model.speeds, *self.states)
        for name in laws:
            if name not in self.here.extras.states:
                raise ModelError(
                    f'the start names "{name[:60]}", which is no coordinate, speed or '
                    f"state{near(name, known)}"
                )
        z = np.array([laws.get(n, s) for n, s in self.here.extras.states.items()], float)
        moved = np.zeros(len(self.v))
        moved[self.unknown] = away[self.unknown]
        x = self._at(self.here.moved(q, moved) if moved.any() else q, z)
        if not np.isfinite(self.residual(x)).all():
            raise SolveError(
                "where the search starts forces are not finite, or loops are open", remedy="start elsewhere"
            )
        ends: list[Solution] = []
        for search in (self._solved, self._settled) if nearest else (self._settled, self._solved):
            end = search(x)
            rest = self._polished(self._strengthened(end.x))
            if self._rests(rest):
                return self._balanced(rest)
            ends.append(end._replace(x=rest))
        # what is left over is least where least squares ended
        raise failure(self, ends[0 if nearest else 1])

    def _solved(self, x: BalancePoint) -> Solution:
        longest = np.full(len(self.unknown) + len(x.z), np.inf)
        longest[: len(self.unknown)] = LONGEST
        if not len(longest):
            return Solution(x, self.residual(x), 0, False, np.zeros(0, bool))
        end = least_squares(
            self.residual,
            self._jacobian,
            x,
            retract=self._retract,
            room=self._room,
            goal=self.tolerance,
            slow=1e-10,
            longest=longest,
            iterations=self.iterations,
        )
        self.taken += end.iterations
        return end

    def _settled(self, x: BalancePoint) -> Solution:
        """Where it goes by itself, slowly: along stiff valleys, and down to what it meets."""
        slots = [k for k in self.unknown if k in self.here.speeds]
        every = self.unknown + [len(self.v) + k for k in range(len(x.z))]
        chosen = [every.index(k) for k in slots] + list(range(len(self.unknown), len(every)))
        rows = [self.here.speeds.index(k) for k in slots]
        rows += range(len(self.here.speeds), len(self.here.speeds) + len(x.z))
        if not rows:
            return Solution(x, self.residual(x), 0, False, np.zeros(0, bool))
        longest = np.full(len(rows), np.inf)
        longest[: len(slots)] = LONGEST

        def moved(x: BalancePoint, d: Array) -> BalancePoint:
            whole = np.zeros(len(every))
            whole[chosen] = d
            return self._retract(x, whole)

        end = settled(
            lambda x: self.residual(x)[rows],
            lambda x: self._jacobian(x)[np.ix_(rows, chosen)],
            x,
            retract=moved,
            goal=self.tolerance,
            longest=longest,
            iterations=self.iterations,
        )
        self.taken += end.iterations
        return Solution(end.x, self.residual(end.x), end.iterations, end.reached, np.zeros(len(every), bool))

    def _polished(self, x: BalancePoint) -> BalancePoint:
        """A few undamped steps, as long as they help."""
        size = float(np.linalg.norm(self.residual(x)))
        for _ in range(3):
            J = self._jacobian(x)
            if not size > 0.0 or not J.size:
                return x
            d: Array = -np.linalg.lstsq(J, self.residual(x), rcond=1e-12)[0]  # pyright: ignore
            if not np.abs(d).max() < LONGEST:
                return x
            tried = self._retract(x, d)
            new = float(np.linalg.norm(self.residual(tried)))
            if not new < 0.5 * size:
                return x
            x, size, self.taken = tried, new, self.taken + 1
        return x

    def _rests(self, x: BalancePoint) -> bool:
        """Whether what is left is less than the tolerance, or what rounding of q explains."""
        low, high = self._room(x)
        if (low > 0.0).any() or (high < 0.0).any():
            return False
        J = self.slopes(x, self.unknown)
        scale = np.ones(J.shape[1])
        scale[len(self.unknown) :] = np.abs(x.z)
        least = self.tolerance + ROUNDING * np.abs(J) @ scale
        return bool((np.abs(self.residual(x)) <= least).all())

    def _strengthened(self, x: BalancePoint) -> BalancePoint:
        """The same pose; solved again by another partition where this one has become weak."""
        part = best_partition(self.loops, x.q, self.t)
        if not part.rows or self.moving:
            return x
        now, then = (np.abs(pivot_sizes(self.loops, p, x.q, self.t)).min() for p in (self.here.part, part))
        if not now < WEAK * then:
            return x
        self.here = OperatingPoint(self.model, part, self.t, self.tau, None, self.parameters)
        self.unknown = [k for k in self.here.positions if k not in self.moving]
        return self._solved(self._at(x.q, x.z)).x

    # what comes of it -------------------------------------------------------------------------

    def _balanced(self, x: BalancePoint) -> Balanced:
        self._check_steady(x)
        size = float(np.abs(self.residual(x)).max(initial=0.0))
        told = x.rates.get("efforts", np.zeros(0))
        efforts = {f"{n}.effort": float(e) for n, e in zip(self.model.drives, told, strict=True)}
        v = np.array(x.rates["v"])
        return Balanced(x.q, v, x.z, size, self.taken, efforts)

    def _check_steady(self, x: BalancePoint) -> None:
        """What moves steadily must not matter by where it is."""
        if not self.moving:
            return
        J = self.slopes(x, list(self.moving))[:, : len(self.moving)]
        drift = np.abs(J @ np.array(list(self.moving.values()))).max(initial=0.0)
        every = np.abs(self.slopes(x, self.unknown)).max(initial=1.0)
        if drift > 1e-8 * every:
            names = ", ".join(f'"{self.model.speeds[k]}"' for k in self.moving)
            raise SolveError(
                f"no steady motion: forces depend on where {names} has got to",
                remedy="give speeds only of what can turn or slide unnoticed",
            )
