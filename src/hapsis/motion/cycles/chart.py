"""Charts of the states of a phase: numbers x near a base state, with the rows of the phase met.

x = (x_q, x_v, x_z) are steps along directions that the position rows allow, speeds along directions that all
rows allow, and states of laws; each in the units of the motion (see `Scale`). Directions of coordinates that
nothing depends on, as the distance that a walker has gone, are left out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.units import speed_units, turning
from hapsis.motion.analysis.assembly.loop_numbers import Loops

Array = np.ndarray[Any, np.dtype[np.float64]]
RANK = 1e-9  # of the largest singular value of the rows
CLOSED = 1e-14  # of its unit, of the largest row
STEPS = 20  # of Newton
SMALLEST = 1e-9  # of the model's own unit: the shortest way by which states are measured
SHORT = 1e-6  # a way that is so many times shorter than turns, or the other way round, is nothing


class Point(NamedTuple):
    """A state: coordinates, speeds, states of laws."""

    q: Array
    v: Array
    z: Array

    def words(self, model: Model) -> str:
        """The state in one line, for messages."""
        names, values = (*model.coordinates, *model.speeds), (*self.q, *self.v)
        shown = [f"{n} = {x:.6g}" for n, x in zip(names, values, strict=True)]
        return ", ".join(shown[:12]) + (", ..." if len(shown) > 12 else "")


class Scale(NamedTuple):
    """The size of a motion: the unit of the way along each speed, of time, and of each state of a law."""

    ways: Array
    time: float
    states: Array

    @staticmethod
    def of(model: Model, fastest: Array, time: float, states: Array) -> "Scale":
        """That of a stride which takes this time, with these largest speeds and states of laws.

        Lengths are measured by the longest way, angles by the largest turn, at most a radian; where one of
        them is next to nothing, by the other in the model's own units.
        """
        turns, units = np.array(turning(model), bool), np.array(speed_units(model))
        ways = fastest * time / units
        turn = float(min(ways[turns].max(initial=0.0), 1.0))
        way = float(ways[~turns].max(initial=0.0))
        turn, way = (turn if turn > SHORT * way else min(way, 1.0)), (way if way > SHORT * turn else turn)
        turn, way = max(turn, SMALLEST), max(way, SMALLEST)
        return Scale(units * np.where(turns, turn, way), time, states)


@final
class Chart:
    """The states of a model near a base state that meets its rows, measured in a scale."""

    def __init__(
        self,
        model: Model,
        base: Point,
        parameters: Mapping[str, float],
        scale: Scale,
        drifting: Sequence[str] = (),
    ) -> None:
        self.base, self.loops = base, Loops(model, parameters=parameters)
        self.units, self.time, self.states = scale
        n = len(self.units)
        self._N = self.loops.rates(np.tile(base.q, (n, 1)), np.eye(n)).T  # q̇ = N v
        J = self.jacobian(base.q)
        left = np.array([self.direction(model.coordinates.index(name)) for name in drifting]).reshape(-1, n)
        self.positions = _null_space(np.concatenate([J[: self.loops.positions], left]))
        self.speeds = _null_space(J)

    @property
    def size(self) -> int:
        """How many numbers x has."""
        return self.positions.shape[1] + self.speeds.shape[1] + len(self.base.z)

    def jacobian(self, q: Array) -> Array:
        """The rates of the rows, in their units, by the ways of the scale."""
        return self.loops.jacobian(q) * self.units / self.loops.row_units[:, None]

    def direction(self, k: int) -> Array:
        """The step along the speeds, in units, that moves one coordinate and no other."""
        step = np.linalg.lstsq(self._N, np.eye(len(self.base.q))[k], rcond=None)[0]
        return step / self.units

    def at(self, x: Array) -> Point:
        """The state at x."""
        a = self.positions.shape[1]
        b = a + self.speeds.shape[1]
        q = self._closed(self.loops.moved(self.base.q, self.units * (self.positions @ x[:a])))
        v = self._closed_speeds(q, self.base.v + self.units / self.time * (self.speeds @ x[a:b]))
        return Point(q, v, self.base.z + self.states * x[b:])

    def of(self, point: Point) -> Array:
        """x of a state; exact to first order."""
        q = point.q.copy()
        for places in self.loops.quaternions:  # q and -q are the same turn
            if self.base.q[places] @ q[places] < 0.0:
                q[places] = -q[places]
        moved = np.linalg.lstsq(self._N, q - self.base.q, rcond=None)[0]
        faster = point.v - self.base.v
        return np.concatenate(
            [
                self.positions.T @ (moved / self.units),
                self.speeds.T @ (faster * self.time / self.units),
                (point.z - self.base.z) / self.states,
            ]
        )

    def far(self, q: Array, p: Array) -> float:
        """How far two poses are from each other, to first order."""
        turned = p.copy()
        for places in self.loops.quaternions:
            if q[places] @ p[places] < 0.0:
                turned[places] = -p[places]
        moved = np.linalg.lstsq(self._N, turned - q, rcond=None)[0]
        return float(np.abs(moved / self.units).max(initial=0.0))

    def _closed(self, q: Array) -> Array:
        rows = self.loops.positions
        for _ in range(STEPS if rows else 0):
            gap = self.loops.relative_gap(q)[:rows]
            if np.abs(gap).max() < CLOSED:
                break
            J = self.jacobian(q)[:rows]
            q = self.loops.moved(q, -self.units * (np.linalg.pinv(J, rcond=RANK) @ gap))
        return q

    def _closed_speeds(self, q: Array, v: Array) -> Array:
        if not self.loops.names:
            return v
        J = self.jacobian(q)
        rate = J @ (v / self.units) + self.loops.drift(q) / self.loops.row_units
        return v - self.units * (np.linalg.pinv(J, rcond=RANK) @ rate)


def _null_space(J: Array) -> Array:
    """An orthonormal basis of the directions that rows allow, as columns."""
    if not len(J):
        return np.eye(J.shape[1])
    _, sizes, V = np.linalg.svd(J)
    rank = int((sizes > RANK * max(sizes[0], 1e-300)).sum())
    return V[rank:].T.copy()
