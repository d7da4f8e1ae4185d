"""Writes a whole time step of a system as one Function."""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import maximum
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError
from hapsis.motion.analysis.drive_ways import drive_ways
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.step_inputs import StepInputs, evenly_held, remembered_inputs
from hapsis.motion.simulate.step_outputs import StepOutputs


class StepWriter:
    """Writes a step of a system as one Function.

        dt         s, of the whole step
        method     "rk4", "euler" or "split"
        substeps   how many steps of the method it is made of
        hold       "zero", or "linear": efforts go evenly from those of the step before to the new ones
        depths     {label of a contact: m} for which the substeps suffice; of others they suffice at any

    A part of the step is a number from 0, its start, to 1, its end.
    """

    def __init__(
        self,
        system: System,
        dt: float,
        method: str,
        substeps: int = 1,
        hold: str = "zero",
        depths: Mapping[str, float] | None = None,
    ) -> None:
        self.system, self.dt, self.method, self.substeps = system, dt, method, substeps
        self.depths = depths or {}
        self.graph = Graph()
        self.t = symbol("t", graph=self.graph)
        layout, last = system.layout, remembered_inputs(system.model)
        if hold == "linear":
            last += evenly_held(system.model, [n for n in system.held if n not in last])
        # motions tracked or sampled in the step before are states of the step, behind those of laws
        sizes = {"q": layout.n_q, "v": layout.n_v, "z": layout.n_z + len(last)}
        self.state = {
            n: symbols(n, size, kind="coordinate", graph=self.graph) for n, size in sizes.items() if size
        }
        self.given = {name: symbol(name, graph=self.graph) for name in system.held}
        before = list(self.state["z"])[layout.n_z :] if last else []
        self.inputs = StepInputs(system.model, self.given, dict(zip(last, before, strict=True)), dt)

    def function(self, input_names: Sequence[str], output_names: Sequence[str], y: Any) -> Function:
        """The whole step, with the start as defaults."""
        self.check_names(input_names, "inputs")
        self.check_names(output_names, "outputs")
        states = self._states()
        new = states[-1]
        outputs = self._split([*new, *(self.given[name] for name in self.inputs.before)])
        outputs["t"] = self.time(1.0)
        measured = StepOutputs(self, states).of(output_names)
        inputs = {**self.state, "t": self.t, **{n: self.given[self.held_name(n)] for n in input_names}}
        rest = resting_inputs(self.system, input_names, y)
        last = [rest.get(name, 0.0) for name in self.inputs.before]
        defaults = self._split([*y[:-1], *last]) | {"t": 0.0} | rest
        return Function("step", inputs, {**outputs, **measured}, defaults=defaults)

    def check_names(self, names: Sequence[str], what: str) -> None:
        """Refuses names that the states of the step have."""
        taken = (*self.state, "t")
        for name in names:
            if name in taken:
                raise ModelError(
                    f'{what} name "{name}", which is a state of every step: {", ".join(taken)}',
                    remedy="rename the joint",
                )

    def _split(self, values: Sequence[Any]) -> dict[str, Any]:
        """Values of all states by the names of the states: q, v, z."""
        parts: dict[str, Any] = {}
        at = 0
        for name, symbols_of in self.state.items():
            parts[name] = values[at : at + len(symbols_of)]
            at += len(symbols_of)
        return parts

    def held_name(self, name: str) -> str:
        """The name under which an input is held: that of an effort may be short."""
        return name if name in self.given else f"{name}.effort"

    def time(self, part: float) -> Any:
        """The time at that part of the step."""
        return self.t + part * self.dt if part else self.t

    def call(self, function: Function, part: float, y: Sequence[Any], u: Sequence[Any] | None = None) -> Any:
        """The outputs of one of the system's Functions at a state, with the inputs of that part of the step
        unless u are given; its code is kept once."""
        return blocks.call(function, *self._known(function, part, y, u))

    def _known(self, function: Function, part: float, y: Sequence[Any], u: Sequence[Any] | None) -> list[Any]:
        """What a Function of the system takes, in its order."""
        known: dict[str, Any] = {
            "t": self.time(part),
            "y": [*y, self.t * 0.0],
            "u": self.inputs.at(part) if u is None else u,
        }
        known["near"] = [1.0] * self.system.extras.near
        return [known[port.name] for port in function.inputs]

    def rates(self, part: float, y: Sequence[Any], u: Sequence[Any] | None = None) -> list[Any]:
        """The rates of all states at a state, with the inputs of that part of the step unless u are given."""
        return list(self.call(self.system.motion(), part, y, u))[:-1]

    def _start(self) -> list[Any]:
        """The state before the step."""
        states = [x for part in self.state.values() for x in part]
        return states[: self.system.layout.size - 1]

    def _states(self) -> list[list[Any]]:
        """The states at the start and after each substep, loops closed."""
        states = [self._start()]
        for k in range(self.substeps):
            states.append(self._substep(states[-1], k / self.substeps, (k + 1) / self.substeps))
        return states

    def _substep(self, y: list[Any], start: float, end: float) -> list[Any]:
        """The state after one step of the method, from a part of the whole step to another."""
        new = {"rk4": self._rk4, "euler": self._euler, "split": self._split_laws}[self.method](y, start, end)
        for first in self.system.quaternions:
            size = sum((x * x for x in new[first : first + 4]), self.t * 0.0) ** 0.5
            new[first : first + 4] = [x / size for x in new[first : first + 4]]
        closing = self.system.closing()
        return new if closing is None else list(self.call(closing, end, new))[:-1]

    def _rk4(self, y: list[Any], start: float, end: float) -> list[Any]:
        """The classical method of Runge and Kutta."""
        h, middle = self.dt / self.substeps, 0.5 * (start + end)
        k1 = self.rates(start, y)
        k2 = self.rates(middle, _moved(y, 0.5 * h, k1))
        k3 = self.rates(middle, _moved(y, 0.5 * h, k2))
        k4 = self.rates(end, _moved(y, h, k3))
        slopes = zip(k1, k2, k3, k4, strict=True)
        return _moved(y, h / 6.0, [a + 2.0 * (b + c) + d for a, b, c, d in slopes])

    def _split_laws(self, y: list[Any], start: float, end: float) -> list[Any]:
        """The states of laws first, then coordinates and speeds as by "rk4" while those of laws stay.

        Each state is implicit by itself, z⁺ = z + h ż / (1 - h ∂ż/∂z) where it decays: so dry friction
        slips at any speed, and stays what it is in steady sliding.
        """
        n, h = self.system.layout.n_q + self.system.layout.n_v, self.dt / self.substeps
        y = list(y)
        if len(y) > n:
            slopes = self.call(self.system.law_jacobian(), start, y)
            for k, rate in enumerate(self.rates(start, y)[n:]):
                y[n + k] = y[n + k] + h * rate / (1.0 + h * maximum(-slopes[k][k], 0.0))
        return [*self._rk4(y, start, end)[:n], *y[n:]]

    def _euler(self, y: list[Any], start: float, end: float) -> list[Any]:
        """Speeds and states of laws first, then the coordinates with the new speeds."""
        n, h = self.system.layout.n_q, self.dt / self.substeps
        k = self.rates(start, y, self.inputs.at(start, until=end))
        middle = [*y[:n], *_moved(y, h, k)[n:]]
        dq = list(self.call(self.system.kinematics(), start, middle))
        return [*_moved(y[:n], h, dq), *middle[n:]]


def resting_inputs(system: System, names: Sequence[str], y: Any) -> dict[str, float]:
    """The inputs that leave a state as it is: positions of drives, speeds of sampled ones, else 0."""
    q, v, _, _ = system.layout.split(y)
    ways = drive_ways(system.model, q, v)
    rates = {f"{d.name}.velocity" for d in system.model.drives.values() if not d.sampled}
    return {name: 0.0 if name in rates else ways.get(name, 0.0) for name in names}


def _moved(y: Sequence[Any], h: float, rates: Sequence[Any]) -> list[Any]:
    return [x + h * rate for x, rate in zip(y, rates, strict=True)]
