"""The equations of an equilibrium: the accelerations and rates that must vanish, and their slopes."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.analysis.assembly.steady_partition import has_speed_rows, steady_partition
from hapsis.motion.analysis.equilibrium.largest_bends import largest_bends
from hapsis.motion.analysis.linear.linearization import position_name
from hapsis.motion.analysis.linear.operating_point import OperatingPoint

STEADY = 1e-8  # of slopes times speeds: less is rounding
SAME = 1e-9  # of a row: less does not tell it from others


class BalancePoint(NamedTuple):
    """A closed pose, states of laws, and the rates there."""

    q: Array
    z: Array
    rates: dict[str, Array]


class BalanceEquations:
    """A model whose drives stand still, and the accelerations and rates that must vanish.

    moving    {slot: speed} of what moves steadily
    sticking  whether friction that sticks bends with the motion from the start, and so holds
    here      the rates of the model by the current partition
    unknown   the slots along which positions are searched

    Coordinates and accelerations are measured in the model's own unit of length.
    """

    def __init__(
        self,
        model: Model,
        t: float,
        tau: Array,
        parameters: Mapping[str, float] | None,
        moving: Mapping[int, float],
        sticking: bool = False,
    ) -> None:
        self.model, self.t, self.tau, self.sticking = model, t, tau, sticking
        self.parameters, self.moving = parameters, dict(moving)
        self.loops = Loops(model, t, {}, parameters)
        self.units = self.loops.speed_units
        self.v = np.zeros(len(model.speeds))
        for slot, x in self.moving.items():
            self.v[slot] = x
        self.here: OperatingPoint
        self.unknown: list[int] = []

    def move(self, moving: Mapping[int, float]) -> None:
        """Gives other speeds to some of what moves steadily."""
        for slot, x in moving.items():
            self.moving[slot] = self.v[slot] = x

    @property
    def states(self) -> tuple[str, ...]:
        """The states of laws that take part."""
        return tuple(self.here.extras.states)

    def only(self, states: Mapping[str, float]) -> dict[str, float]:
        """Those of the states that take part."""
        return {n: states[n] for n in self.states}

    def choose_partition(self, q: Array) -> None:
        """Takes the best partition of a pose in which what moves steadily is independent."""
        part = self.best_partition(q, () if self.moving else self.model.independent)
        for slot in self.moving:
            if slot in part.dependent:
                raise SolveError(
                    f'"{self.model.speeds[slot]}" cannot lead in this pose, so that '
                    "no speed can be given to it"
                )
        self.use(part)

    def best_partition(self, q: Array, preferred: tuple[str, ...] = ()) -> Partition:
        """The best partition of a pose; what moves steadily is independent, if it can be there."""
        if self.moving and has_speed_rows(self.loops):
            return steady_partition(self.loops, q, list(self.moving))
        names = [self.model.speeds[slot].removesuffix(".v") for slot in self.moving]
        return best_partition(self.loops, q, self.t, preferred=(*names, *preferred))

    def use(self, part: Partition) -> None:
        """Takes a partition."""
        self.here = OperatingPoint(self.model, part, self.t, self.tau, None, self.parameters)
        self.unknown = [k for k in self.here.positions if k not in self.moving]

    def at(self, q: Array, z: Array) -> BalancePoint:
        """The closed pose next to q, with the rates there."""
        rates = self.here.closed(q, self.v, z)
        return BalancePoint(rates["q"], z, rates)

    def residual(self, x: BalancePoint) -> Array:
        """Accelerations that must vanish, in their units, then rates of states of laws."""
        dz = x.rates["dz"] if len(x.z) else np.zeros(0)
        return np.concatenate([(x.rates["a"] / self.units)[self.here.speeds], dz])

    def largest_residual(self, x: BalancePoint) -> float:
        """The largest acceleration in m/s² or rad/s², or rate of a state of a law."""
        slots = self.here.speeds
        left = np.concatenate([x.rates["a"][slots], self.residual(x)[len(slots) :]])
        return float(np.abs(left).max(initial=0.0))

    def slopes(self, x: BalancePoint, slots: list[int]) -> Array:
        """How the residual changes along speeds, then with the states of laws."""
        N, p, n = self.here.tangent(x.q), len(slots), len(slots) + len(x.z)
        by = {"q": np.zeros((n, len(x.q))), "z": np.zeros((n, len(x.z)))}
        by["q"][:p] = (N * self.units)[:, slots].T
        by["z"][p:] = np.eye(len(x.z))
        d = self.here.along(x.q, self.v, x.z, by)
        dz = d["dz"] if len(x.z) else np.zeros((n, 0))
        return np.hstack([(d["a"] / self.units)[:, self.here.speeds], dz]).T

    def jacobian(self, x: BalancePoint) -> Array:
        """The slopes by the unknowns, which do not move states of laws that stay at rest."""
        J = self.slopes(x, self.unknown)
        if len(x.z):
            n = len(self.unknown)
            by_z = J[:, n:].copy()
            idle = stuck(J[-len(x.z) :])
            J[:, n:] -= by_z @ idle
            if self.sticking:
                J[:, :n] += by_z @ idle @ self._bending(x)
        return J

    def _bending(self, x: BalancePoint) -> Array:
        """How states of laws change on a slow way along the unknowns, whose rates are linear in speeds."""
        by = {"v": np.eye(len(self.v))[self.unknown] * self.units[self.unknown][:, None]}
        return self.here.along(x.q, self.v, x.z, by)["dz"].T

    def retract(self, x: BalancePoint, d: Array) -> BalancePoint:
        """The point after a step d of the unknowns."""
        n = len(self.unknown)
        step = np.zeros(len(self.v))
        step[self.unknown] = d[:n] * self.units[self.unknown]
        z = x.z + d[n:]
        if self.sticking and len(x.z):
            z = z + stuck(self.slopes(x, self.unknown)[-len(x.z) :]) @ self._bending(x) @ d[:n]
            most = largest_bends(self.model, self.states, self.parameters)
            z = np.clip(z, -most, most)  # a long step slips
        return self.at(self.here.moved(x.q, step), z)

    def room(self, x: BalancePoint) -> tuple[Array, Array]:
        """How far a step may go: up to the limits of the independent coordinates."""
        n = len(self.unknown)
        low, high = np.full(n + len(x.z), -np.inf), np.full(n + len(x.z), np.inf)
        for k, slot, place in self._places():
            below, above = self.model.limits[place]
            low[k], high[k] = (np.array([below, above]) - x.q[place]) / self.units[slot]
        return low, high

    def sizes(self, x: BalancePoint) -> Array:
        """How large the unknowns are: positions at least as large as their units."""
        sizes = np.concatenate([np.ones(len(self.unknown)), np.abs(x.z)])
        for k, slot, place in self._places():
            sizes[k] = max(1.0, abs(x.q[place]) / self.units[slot])
        return sizes

    def _places(self) -> list[tuple[int, int, int]]:
        """(unknown, slot, coordinate) of the unknowns that are coordinates."""
        places = {name: k for k, name in enumerate(self.model.coordinates)}
        names = [position_name(self.model, slot) for slot in self.unknown]
        return [
            (k, slot, places[name])
            for k, (slot, name) in enumerate(zip(self.unknown, names, strict=True))
            if name in places
        ]

    def check_steady(self, x: BalancePoint) -> None:
        """Raises an error if forces depend on the position of what moves steadily."""
        if not self.moving:
            return
        slots = self.here.positions  # all that moves, also what follows by rows of speeds
        J = self.slopes(x, slots)[:, : len(slots)]
        speeds = np.array(x.rates["v"])[slots] / self.units[slots]
        drift = np.abs(J @ speeds).max(initial=0.0)
        every = np.abs(self.slopes(x, self.unknown)).max(initial=1.0)
        if drift > STEADY * every * np.abs(speeds).max(initial=0.0):
            names = ", ".join(f'"{self.model.speeds[k]}"' for k in self.moving)
            raise SolveError(
                f"no steady motion: forces depend on the position of {names}",
                remedy="give speeds only of coordinates whose position changes no force",
            )


def stuck(rows: Array) -> Array:
    """The projection of states of laws onto directions in which they stay at rest, as bristles that stick do.

    rows    how the rates of states change with positions and states; along such a direction they do not
    """
    size = np.linalg.norm(rows, axis=1)
    still = size == 0.0
    P = np.diag(still.astype(float))
    moving = np.flatnonzero(~still)
    if len(moving):
        # rows may depend on each other, as those of bristles in a plane that is askew
        left, values, _ = np.linalg.svd(rows[moving] / size[moving, None])
        rank = int((values > SAME * values[0]).sum())
        if rank < len(moving):
            along, _ = np.linalg.qr(left[:, rank:] / size[moving, None])
            P[np.ix_(moving, moving)] = along @ along.T
    return P
