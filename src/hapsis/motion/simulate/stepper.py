"""The verb `stepper`: a whole time step as one Function, for loops that run at a fixed rate.

The Function closes the loops, applies forces and drives, reduces and integrates the dynamics, and
computes the outputs. It has no branches outside, so every backend can compile it, C included.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError, SolveError, check_known, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import acceleration_name, drive_effort_name, effort_name
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.initial_value_problem import initial_value_problem

METHODS = ("rk4", "euler")


def stepper(
    model: Model,
    dt: float,
    *,
    inputs: Iterable[str] = (),
    outputs: Iterable[str] = (),
    start: Any = None,
    method: str = "rk4",
) -> Function:
    """(q, v, z, t, inputs) -> q, v, z, t, outputs: one step of dt seconds.

    inputs   names of efforts ("elbow") and of what drives take ("key.position"), held in the step
    outputs  names of coordinates, speeds, accelerations, forces, efforts of drives, as in a Result;
             NAME.force of a drive is what whoever moves it feels, the other way round;
             energy, and energy.before the step: its difference to the energy after the previous
             step is the energy added by parameter changes
    start    as for `simulate`; the state at the start is the default of q, v, z, and of what
             drives take
    method   "rk4", or "euler": first the speeds, then with the new ones the coordinates

    z are the states of laws, if there are any. Of a model with loops the partition is that of the
    start: good as long as the independent coordinates lead.
    """
    dt = real(dt, "dt")
    if not 1e-9 <= dt <= 1e3:
        raise SolveError(f"dt is {dt:g} s", expected="from 1e-9 to 1000 s")
    check_known(method, METHODS, "there is no stepper by {}", SolveError, expected=" or ".join(METHODS))
    input_names, output_names = _names(inputs, "inputs"), _names(outputs, "outputs")
    held_inputs = _held_inputs(model, input_names)
    problem = initial_value_problem(model, held_inputs, start, drive_values={})
    system = problem.system
    if set(system.extras.held) - set(held_inputs.names.values()):
        raise ModelError(
            "a sampled controller is Python code and cannot be part of a Function",
            remedy="leave out its rate, so that it is traced",
        )
    return StepWriter(system, dt, method).function(input_names, output_names, problem.y)


class StepWriter:
    """Writes a step of a system as one Function."""

    def __init__(self, system: System, dt: float, method: str) -> None:
        self.system, self.dt, self.method = system, dt, method
        self.graph = Graph()
        self.t = symbol("t", graph=self.graph)
        layout = system.layout
        sizes = {"q": layout.n_q, "v": layout.n_v, "z": layout.n_z}
        self.state = {
            n: symbols(n, size, kind="coordinate", graph=self.graph) for n, size in sizes.items() if size
        }
        self.given = {name: symbol(name, graph=self.graph) for name in system.held}

    def function(self, input_names: Sequence[str], output_names: Sequence[str], y: Any) -> Function:
        """The whole step, with the start as defaults."""
        new, t = self._state_after(), self.t + self.dt
        outputs: dict[str, Any] = {}
        at = 0
        for name, before in self.state.items():
            outputs[name] = new[at : at + len(before)]
            at += len(before)
        outputs["t"] = t
        measured = self._measured(t, new, output_names)
        inputs = {**self.state, "t": self.t, **{n: self.given[self._held_name(n)] for n in input_names}}
        starts: dict[str, Any] = dict(zip("qvz", self.system.layout.split(y)[:3], strict=True))
        defaults: dict[str, Any] = {n: starts[n] for n in self.state}
        model = self.system.model
        at_rest = {f"{d.name}.position": y[model.coordinates.index(d.joint)] for d in model.drives.values()}
        defaults |= {"t": 0.0} | {n: float(at_rest.get(n, 0.0)) for n in input_names}
        return Function("step", inputs, {**outputs, **measured}, defaults=defaults)

    def _held_name(self, name: str) -> str:
        """The name under which an input is held: that of an effort may be short."""
        return name if name in self.given else effort_name(name)

    def _call(self, function: Function, t: Any, y: Sequence[Any]) -> Any:
        """The outputs of one of the system's Functions at a state; its code is kept once."""
        known = {"t": t, "y": [*y, self.t * 0.0], "u": list(self.given.values())}
        known["near"] = [1.0] * self.system.extras.near
        ordered = [known[port.name] for port in function.inputs]
        return blocks.call(function, *ordered)

    def _rates(self, t: Any, y: Sequence[Any]) -> list[Any]:
        return list(self._call(self.system.motion(), t, y))[:-1]

    def _start(self) -> list[Any]:
        """The state before the step."""
        return [x for part in self.state.values() for x in part]

    def _state_after(self) -> list[Any]:
        """The state after the step, loops closed."""
        y, h = self._start(), self.dt
        if self.method == "rk4":
            k1 = self._rates(self.t, y)
            k2 = self._rates(self.t + 0.5 * h, _moved(y, 0.5 * h, k1))
            k3 = self._rates(self.t + 0.5 * h, _moved(y, 0.5 * h, k2))
            k4 = self._rates(self.t + h, _moved(y, h, k3))
            slopes = zip(k1, k2, k3, k4, strict=True)
            new = _moved(y, h / 6.0, [a + 2.0 * (b + c) + d for a, b, c, d in slopes])
        else:
            new = self._euler(y)
        for first in self.system.quaternions:
            size = sum((x * x for x in new[first : first + 4]), self.t * 0.0) ** 0.5
            new[first : first + 4] = [x / size for x in new[first : first + 4]]
        closing = self.system.closing()
        return new if closing is None else list(self._call(closing, self.t + h, new))[:-1]

    def _euler(self, y: list[Any]) -> list[Any]:
        """Speeds and states of laws first, then the coordinates with the new speeds."""
        n = self.system.layout.n_q
        k = self._rates(self.t, y)
        middle = [*y[:n], *_moved(y, self.dt, k)[n:]]
        dq = list(self._call(self.system.kinematics(), self.t, middle))
        return [*_moved(y[:n], self.dt, dq), *middle[n:]]

    def _measured(self, t: Any, y: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
        """The outputs of these names, at the new state."""
        model, layout, system = self.system.model, self.system.layout, self.system
        state: dict[str, Any] = dict(zip((*model.coordinates, *model.speeds), y, strict=False))
        values, left = dict(state), [name for name in names if name not in state]
        accelerations = [acceleration_name(name) for name in model.speeds]
        if any(name in accelerations for name in left):
            a = self._rates(t, y)[layout.n_q : layout.n_q + layout.n_v]
            values |= dict(zip(accelerations, a, strict=True))
        efforts = [drive_effort_name(name) for name in model.drives]
        felt = [f"{name}.force" for name in model.drives]
        loads = system.constraint_loads() if any(name in (*efforts, *felt) for name in left) else None
        if loads is not None:
            of_drives = loads.outputs_by_name(self._call(loads, t, y))["efforts"]
            values |= dict(zip(felt, (-x for x in of_drives), strict=True))
            values |= dict(zip(efforts, of_drives, strict=True))
        if any(name in system.signal_names for name in left):
            values |= system.signals().outputs_by_name(self._call(system.signals(), t, y))
        for name, at, at_state in (("energy", t, y), ("energy.before", self.t, self._start())):
            if name in left:
                values[name] = sum(self._call(system.energies(), at, at_state), self.t * 0.0)
        for name in names:
            if name not in values:
                known = (*state, *accelerations, *efforts, *felt, *system.signal_names)
                every = (*known, "energy", "energy.before")
                raise ModelError(
                    f'outputs name "{name[:60]}", which the model does not have{near(name, every)}'
                )
        return {name: values[name] for name in names}


def _moved(y: Sequence[Any], h: float, rates: Sequence[Any]) -> list[Any]:
    return [x + h * rate for x, rate in zip(y, rates, strict=True)]


def _names(entries: Any, what: str) -> tuple[str, ...]:
    if isinstance(entries, str) or not isinstance(entries, Iterable):
        raise ModelError(f"{what} must be names, not {described(entries)}")
    names = tuple(entries)
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f"{what} must be names, not {described(name)}")
    if len(set(names)) < len(names):
        raise ModelError(f"{what} name something twice")
    return names


def _held_inputs(model: Model, names: Sequence[str]) -> Inputs:
    """The inputs of these names, held in a step; or which input of a drive is missing."""
    for drive in model.drives.values():
        for name in drive.inputs:
            if name not in names:
                raise drive.wrong(
                    f'it takes "{name[:60]}" from outside', remedy=f'give inputs=["{name[:60]}", ...]'
                )
    return Inputs(model, dict.fromkeys(names, 0.0))
