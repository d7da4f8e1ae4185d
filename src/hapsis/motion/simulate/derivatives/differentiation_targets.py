"""The targets of a differentiation: parameters, starts and inputs, by name.

    "arm.mass"       a parameter of the model, as formulas and `parameters=` name it
    "hinge"          where a coordinate, a speed ("hinge.v") or a state of a law starts
    "elbow.effort"   an input that is held: a number, or all the values of a table

A name that is both a parameter and a start is written "parameter:NAME" or "start:NAME". Each name
has one column, a table one for each of its values. A column is a direction in which parameters
(theta), the start y, and what is held (u) move together.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hapsis.errors import ModelError, near
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.analysis.start_values import quaternions
from hapsis.motion.simulate.equations.inputs import Key
from hapsis.motion.simulate.equations.system import System

Array = np.ndarray[Any, np.dtype[np.float64]]
KINDS = ("parameter", "start")


class DifferentiationTargets:
    """The columns of all names, and what moves in each.

    starts            names of all states, in the order of y
    parameter_names   the parameters among the names, in the order of theta
    places            {name: its column, or a slice of them}
    count             how many columns there are
    """

    def __init__(self, system: System, to: Any, parameters: Mapping[str, float]) -> None:
        self.system = system
        self.names = _names(to)
        model = system.model
        self.starts = (*model.coordinates, *model.speeds, *system.extras.states)
        self.parameters = parameters
        self.parameter_names: list[str] = []
        self.places: dict[str, Any] = {}
        self._of_theta: list[tuple[int, int]] = []  # (column, place)
        self._of_start: list[tuple[int, int]] = []
        self._of_number: list[tuple[int, int]] = []
        self._of_table: list[tuple[int, Key]] = []  # (first column, slot)
        self.count = 0
        for name in self.names:
            self._add(name)

    def _add(self, name: str) -> None:
        kind, plain = self._kind(name)
        inputs = self.system.inputs
        at, width = self.count, 1
        if kind == "parameter":
            self._of_theta.append((at, len(self.parameter_names)))
            self.parameter_names.append(plain)
        elif kind == "start":
            self._of_start.append((at, self.starts.index(plain)))
        else:
            slot = next(s for s, effort in inputs.names.items() if effort == plain)
            if slot in inputs.tables:
                width = len(inputs.tables[slot][0])
                self._of_table.append((at, slot))
            elif slot in inputs.numbers:
                self._of_number.append((at, self.system.held.index(plain)))
            elif slot in inputs.motions:
                raise ModelError(
                    f'the input "{plain}" is given by samples of position and velocity: no values of its own',
                    remedy="differentiate by a parameter of a drive that is a function of t",
                )
            else:
                raise ModelError(
                    f'the input "{plain}" is a function of t: it has no values',
                    remedy="give a number or a table",
                )
        self.places[name] = at if width == 1 else slice(at, at + width)
        self.count += width

    def _kind(self, name: str) -> tuple[str, str]:
        before, colon, plain = name.partition(":")
        known = {
            "parameter": self.parameters,
            "start": self.starts,
            "input": self.system.inputs.names.values(),
        }
        if colon and before in KINDS and plain in known[before]:
            return before, plain
        kinds = [kind for kind, names in known.items() if name in names]
        if len(kinds) == 1:
            return kinds[0], name
        if kinds:
            remedy = f'say "parameter:{name[:60]}" or "start:{name[:60]}"'
            raise ModelError(f'"{name[:60]}" is a parameter and a start', remedy=remedy)
        every = [x for names in known.values() for x in names]
        raise ModelError(
            f'"{name[:60]}" is no parameter, start or held input{near(name, every)}',
            expected="a name with a number that is not exactly zero: zeros are left out of the equations",
        )

    @property
    def theta_slopes(self) -> Array:
        """(columns, thetas): how the parameters move."""
        slopes = np.zeros((self.count, len(self.parameter_names)))
        for column, place in self._of_theta:
            slopes[column, place] = 1.0
        return slopes

    @property
    def moves_held(self) -> bool:
        """Whether anything held is differentiated by."""
        return bool(self._of_number or self._of_table)

    def start_slopes(self, y: Array) -> Array:
        """(columns, y): how the start moves; quaternions stay at length 1."""
        slopes = self._unit_starts(len(y))
        for places in quaternions(self.system.model).values():
            q = y[places]
            slopes[:, places] -= np.outer(slopes[:, places] @ q, q)
        return slopes

    def _unit_starts(self, size: int) -> Array:
        slopes = np.zeros((self.count, size))
        for column, place in self._of_start:
            slopes[column, place] = 1.0
        return slopes

    def held_slopes(self, t: float) -> Array:
        """(columns, u): how what is held from the time t on moves; see `Inputs.values`."""
        system = self.system
        slopes = np.zeros((self.count, len(system.held)))
        for column, place in self._of_number:
            slopes[column, place] = 1.0
        for first, slot in self._of_table:
            name, times = system.inputs.names[slot], system.inputs.tables[slot][0]
            level, slope = (system.held.index(x) for x in (name, f"{name}.slope"))
            k = int(np.searchsorted(times, t, side="right")) - 1
            if not 0 <= k < len(times) - 1:
                slopes[first + max(k, 0), level] = 1.0
                continue
            width = times[k + 1] - times[k]
            slopes[first + k, (level, slope)] = times[k + 1] / width, -1.0 / width
            slopes[first + k + 1, (level, slope)] = -times[k] / width, 1.0 / width
        return slopes

    def by_name(self, columns: Array) -> dict[str, Any]:
        """{name: number, or array of a table} of one number for each column."""
        values = {name: columns[place] for name, place in self.places.items()}
        return {n: x if np.ndim(x) else float(x) for n, x in values.items()}

    def values(self, theta: Array, y: Array) -> Array:
        """The value of each column, of parameters and starts."""
        return self.theta_slopes @ theta + self._unit_starts(len(y)) @ y

    def with_values(self, x: Array, y: Array) -> tuple[Array, Array]:
        """theta and the start y with these values of the columns."""
        y = y.copy()
        for column, place in self._of_start:
            y[place] = x[column]
        return self.theta_slopes.T @ x, y


def _names(to: Any) -> tuple[str, ...]:
    names = tuple(to) if isinstance(to, Iterable) and not isinstance(to, str) else (to,)
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f"to must be names, not {described(name)}")
    if not names:
        raise ModelError("to names nothing to differentiate by")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ModelError(f'to names "{twice[:60]}" twice')
    return names
