"""The matrices of small motions about a state: x' = A x + B u, y = C x + D u.

x are the independent coordinates, their speeds and the states of laws. Each column is the exact
derivative of all rates along one direction that keeps the loops closed (see `reduced_response`).
Where a joint has a quaternion, a direction is a speed: x is how far it has moved along it.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError, SolveError, near
from hapsis.mechanics.formalisms.deferred_verbs import coordinate_rates
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name, effort_name
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.units import speed_units
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.reduce import best_partition, partition_of
from hapsis.motion.analysis.assembly.steady_partition import has_speed_rows, steady_partition
from hapsis.motion.analysis.drive_ways import drive_ways
from hapsis.motion.analysis.equilibrium.equilibrium_report import Equilibrium
from hapsis.motion.analysis.linear.given_state import given_state
from hapsis.motion.analysis.linear.linear_outputs import Outputs
from hapsis.motion.analysis.linear.operating_point import OperatingPoint, check_closed, efforts_of, input_of


class Linearization(NamedTuple):
    """x' = A x + B u, y = C x + D u, all of them changes from the state `at`.

    `states`, `inputs` and `outputs` are the names of x, u and y.

    `scipy.signal.StateSpace(*small[:4])` and the like take the four matrices. `moves` has a row
    for each of the model's speeds: how the mechanism moves along it for each x.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    at: State
    moves: Array

    @property
    def eigenvalues(self) -> np.ndarray[Any, Any]:
        """Of A, those that decay slowest first."""
        values = np.linalg.eigvals(self.A)
        return values[np.lexsort((values.imag, np.abs(values.imag), -values.real))]

    def __str__(self) -> str:
        names = ", ".join(self.states[:12]) + (", ..." if len(self.states) > 12 else "")
        return (
            f"{len(self.states)} states ({names}), inputs: {', '.join(self.inputs) or 'none'}; "
            f"outputs: {', '.join(self.outputs) or 'none'}"
        )


class LinearizationPoint:
    """A state of a model, and the directions in which it may be left."""

    def __init__(
        self,
        model: Model,
        at: Any,
        inputs: Sequence[str] | Mapping[str, float] = (),
        parameters: Mapping[str, float] | None = None,
        t: float = 0.0,
        independent: Sequence[str] | None = None,
        outputs: Sequence[str] = (),
    ) -> None:
        self.model = model
        self.inputs = [(str(name), input_of(model, str(name))) for name in inputs]
        before = at.report if isinstance(at, State) else None
        before = before if isinstance(before, Equilibrium) else None
        values = dict(before.inputs) if before else {}
        values |= dict(inputs) if isinstance(inputs, Mapping) else {}
        tau, drive_inputs = efforts_of(model, values)
        loops = Loops(model, t, drive_inputs, parameters)
        q, v, laws = given_state(loops, at)
        check_closed(loops, q)
        if independent is not None:
            part = partition_of(loops, q, independent)
        elif has_speed_rows(loops):
            part = steady_partition(loops, q, _leaders(model, before), v)
        else:
            part = best_partition(loops, q, t, preferred=model.independent)
        self.outputs = Outputs(model, outputs)
        drive_inputs = {**given_by_drives(model, q, v, parameters), **drive_inputs}
        self.here = OperatingPoint(model, part, t, tau, drive_inputs, parameters, self.outputs.carried)
        tracked = {n: x for n, x in drive_inputs.items() if n in self.here.extras.states}
        self.z = self._laws({**tracked, **(before.states if before else {}), **laws})
        rates = self.here.closed(q, v, self.z)
        if not all(np.isfinite(x).all() for x in rates.values()):
            raise SolveError("the rates are not finite at this state")
        self.rates, self.q, self.v = rates, rates["q"], rates["v"]

    def _laws(self, given: Mapping[str, float]) -> Array:
        states = self.here.extras.states
        known = (*self.model.coordinates, *self.model.speeds, *states)
        for name in given:
            if name not in states:
                raise ModelError(
                    f'the state names "{str(name)[:60]}", which is no coordinate, '
                    f"speed or state{near(str(name), known)}"
                )
        return np.array([given.get(name, start) for name, start in states.items()], float)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The states: positions, speeds, states of laws."""
        model = self.model
        return (
            *(position_name(model, k) for k in self.here.positions),
            *(model.speeds[k] for k in self.here.speeds),
            *self.here.extras.states,
        )

    @property
    def units(self) -> Array:
        """The units of the states: that of the model's lengths for those, else 1."""
        of_speeds, here = np.array(speed_units(self.model)), self.here
        return np.concatenate([of_speeds[here.positions], of_speeds[here.speeds], np.ones(len(self.z))])

    def directions(self) -> dict[str, Array]:
        """{input: one row of changes for each state, then for each input}."""
        here, N = self.here, self.here.tangent(self.q)
        n, p, s = len(self.names), len(here.positions), len(here.speeds)
        by = {
            name: np.zeros((n + len(self.inputs), len(x)))
            for name, x in (("q", self.q), ("v", self.v), ("tau", here.tau), ("z", self.z), ("u", here.u))
        }
        for row, slot in enumerate(here.positions):
            by["q"][row] = N[:, slot]
        for row, slot in enumerate(here.speeds):
            by["v"][p + row, slot] = 1.0
        by["z"][p + s : n] = np.eye(len(self.z))
        for row, (_, where) in enumerate(self.inputs, n):
            if isinstance(where, int):
                by["tau"][row, where] = 1.0
            else:
                by["u"][row, here.extras.held.index(where)] = 1.0
        return by

    def _turning(self, x: Array) -> Array:
        """How N x changes with time, for rows of x that do not."""
        along = np.tile(self.rates["dq"], (len(x), 1))
        if not along.any():
            return along
        f = derived(self.model, coordinate_rates, lambda: coordinate_rates(self.model))
        return self.here.others_along(f, "rates", {"q": self.q, "v": x}, {"q": along})["dq"]

    def linearization(self) -> Linearization:
        """All matrices."""
        here, by = self.here, self.directions()
        d = here.along(self.q, self.v, self.z, by)
        # along the speeds: q = q0 moved by x, and q̇ = N v at both ends
        pinv = np.linalg.pinv(here.tangent(self.q))
        x = d["q"] @ pinv.T
        xdot = (d["dq"] - self._turning(x)) @ pinv.T
        rates = [xdot[:, here.positions], d["a"][:, here.speeds]]
        rates += [d["dz"]] if "dz" in d else []
        slopes = np.hstack(rates).T
        output_slopes = self.outputs.slopes(here, self.rates, self.z, by, d)
        n = len(self.names)
        state = State(self.model.coordinates, self.model.speeds, self.q, self.v)
        named = tuple(
            effort_name(self.model.speeds[where]) if isinstance(where, int) else where
            for _, where in self.inputs
        )
        return Linearization(
            slopes[:, :n],
            slopes[:, n:],
            output_slopes[:, :n],
            output_slopes[:, n:],
            self.names,
            named,
            self.outputs.names,
            state,
            x[:n].T,
        )


def _leaders(model: Model, before: Equilibrium | None) -> list[int]:
    """The speeds that were given to a steady motion."""
    return [model.speeds.index(name) for name in before.moving] if before else []


def given_by_drives(
    model: Model, q: Array, v: Array, parameters: Mapping[str, float] | None = None
) -> dict[str, float]:
    """The inputs and filter states of drives with which they are at rest at this state."""
    values: dict[str, float] = {}
    ways = drive_ways(model, q, v, parameters)
    for name, drive in model.drives.items():
        if not drive.inputs and drive.tracking is None:
            continue
        x, w = ways[f"{name}.position"], ways[f"{name}.velocity"]
        values |= {f"{name}.position": x, f"{name}.velocity": w, f"{name}.acceleration": 0.0}
        values |= {f"{name}.tracked": x, f"{name}.tracked.v": w}
    return values


def position_name(model: Model, slot: int) -> str:
    """The coordinate of a speed; along a speed that has none `base.wx.moved`."""
    speed = model.speeds[slot]
    plain = coordinate_name(speed)
    return plain if plain in model.coordinates and plain != speed else f"{speed}.moved"
