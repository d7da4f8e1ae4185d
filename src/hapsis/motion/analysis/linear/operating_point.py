"""The rates of a mechanism at one state, and how they change with small changes of the state."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError, SolveError, check_known, near
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.derivatives.reduced_response import reduced_response
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions
from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.model.checks.changed_values import parameter_values
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name, effort_name, speed_name, without_effort
from hapsis.mechanics.model.units import coordinate_units
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops, compiled_rates
from hapsis.motion.analysis.start_values import quaternions

LEADS = ("q", "v", "tau", "z", "u")  # the inputs along which there are derivatives
CLOSED = 1e-13  # of the units of coordinates
OPEN = 1e-6  # of the unit of a row; a pose that is further open is not closed
STEPS = 30  # of Newton, to close a pose


class OperatingPoint:
    """The rates of a model by one partition, at one time and with given inputs.

    tau          effort on each speed
    u            {name: value} of what drives take from outside
    parameters   {name: value} other than the model's own
    """

    def __init__(
        self,
        model: Model,
        part: Partition,
        t: float = 0.0,
        tau: Array | None = None,
        u: Mapping[str, float] | None = None,
        parameters: Mapping[str, float] | None = None,
        carried: bool = False,
    ) -> None:
        check_continuous(model)
        self.model, self.part, self.t = model, part, t
        self.tau = np.zeros(len(model.speeds)) if tau is None else tau
        self.key = ("response", part, carried)
        self.extras = derived(model, extras, lambda: extras(model))
        self.function = derived(model, self.key, lambda: with_slopes(reduced_response(model, part, carried)))
        self.u = np.array([(u or {}).get(name, 0.0) for name in self.extras.held])
        self.parameters = parameter_values(model, parameters)
        for name in self.parameters:
            check_known(name, self.function.parameters, "there is no parameter {}")
        self._rates: Any = compiled_rates(model)
        self.units = np.array(coordinate_units(model))
        self.positions, self.speeds = self._free()

    @property
    def start(self) -> Array:
        """Where the states of laws start."""
        return np.array(list(self.extras.states.values()), float)

    def _free(self) -> tuple[list[int], list[int]]:
        """The speeds along which positions are free to be chosen, and those free themselves."""
        drives = driven_motions(OptionalInputs(posed_tree(self.model))).values()
        tied = {d.slot for d in drives if d.position is not None}
        tied |= set(self.part.of_positions(self.model).dependent)
        fast = {d.slot for d in drives if d.velocity is not None} | set(self.part.dependent)
        slots = range(len(self.model.speeds))
        return [k for k in slots if k not in tied], [k for k in slots if k not in fast]

    def _call(self, f: Function, key: Any, known: Mapping[str, Any], many: int | None) -> Any:
        """The outputs of a Function by name, once or for many rows."""
        inputs: dict[str, Any] = {}
        for port in f.inputs:
            if port.name not in known:
                continue
            x = np.asarray(known[port.name], float)
            if many is not None and x.ndim == len(port.shape):
                x = np.broadcast_to(x, (many, *x.shape))
            inputs[port.name] = np.array(x, order="C")
        values = {n: x for n, x in self.parameters.items() if n in f.parameters}
        native = derived(self.model, ("native", key), lambda: compile(f))
        outputs = native(**inputs, **({"p": values} if values else {}))
        return f.outputs_by_name(outputs)

    def known(self, q: Array, v: Array, z: Array) -> dict[str, Any]:
        """The inputs of every Function here."""
        return {"q": q, "v": v, "tau": self.tau, "z": z, "u": self.u, "t": self.t}

    def rates(self, q: Array, v: Array, z: Array) -> dict[str, Array]:
        """q, v, dq, a, dz, efforts, lam."""
        known = self.known(q, v, z)
        still = {f"d_{name}": np.zeros_like(known[name]) for name in LEADS}
        outputs = self._call(self.function, self.key, {**known, **still}, None)
        return {name: x for name, x in outputs.items() if not name.startswith("d_")}

    def closed(self, q: Array, v: Array, z: Array) -> dict[str, Array]:
        """The same at the closed pose next to q; not finite where there is none."""
        for _ in range(STEPS):
            rates = self.rates(q, v, z)
            moved = float(np.abs((rates["q"] - q) / self.units).max(initial=0.0))
            q = rates["q"]
            if not moved > CLOSED * max(1.0, float(np.abs(q / self.units).max(initial=0.0))):
                return rates
        return {name: np.full_like(x, np.nan) for name, x in rates.items()}

    def along(self, q: Array, v: Array, z: Array, by: Mapping[str, Array]) -> dict[str, Array]:
        """How the rates change along directions: one row for each.

        by      {input: rows of its change}; inputs that are not named stay
        """
        count, known = len(next(iter(by.values()))), self.known(q, v, z)
        if not count:
            ports = [p for p in self.function.outputs if p.name.startswith("d_")]
            return {p.name[2:]: np.zeros((0, *p.shape)) for p in ports}
        for name in LEADS:
            known[f"d_{name}"] = by.get(name, np.zeros((count, len(known[name]))))
        outputs = self._call(self.function, self.key, known, count)
        return {name[2:]: x for name, x in outputs.items() if name.startswith("d_")}

    def others_along(
        self, f: Function, key: Any, known: Mapping[str, Any], by: Mapping[str, Array]
    ) -> dict[str, Array]:
        """The same of the outputs of another Function."""
        names = [p.name for p in f.inputs if p.name in by and len(p.refs)]
        count = len(next(iter(by.values())))
        if not names or not count:
            return {p.name: np.zeros((count, *p.shape)) for p in f.outputs}
        key = ("slope", key, *names)
        slope = derived(self.model, key, lambda: f.jvp(*names))
        outputs = self._call(slope, key, {**known, **{f"d_{n}": by[n] for n in names}}, count)
        return {name.removeprefix("d_"): x for name, x in outputs.items()}

    def tangent(self, q: Array) -> Array:
        """N: how coordinates change along each speed."""
        n = len(self.model.speeds)
        return self._rates(np.tile(q, (n, 1)), np.eye(n)).T

    def moved(self, q: Array, d: Array) -> Array:
        """q after a step along the speeds; quaternions of length one."""
        position = q + self._rates(q, d)
        for places in quaternions(self.model).values():
            position[places] /= np.linalg.norm(position[places])
        return position


def with_slopes(f: Function) -> Function:
    """f, and its outputs' rates d_x, for rates d_q, d_v, ... of its inputs: one Function."""
    names = [port.name for port in f.inputs if port.name in LEADS]
    slope = f.jvp(*names)
    inputs = slope.input_symbols()
    outputs = f.outputs_by_name(f(**{port.name: inputs[port.name] for port in f.inputs}))
    rates = slope.outputs_by_name(slope(**inputs))
    return Function(f.name, inputs, {**outputs, **rates}, defaults=dict(f.defaults))


def check_continuous(model: Model) -> None:
    """Raises an error if the model has a sampled controller, which is no function of the state."""
    for force in model.forces.values():
        if isinstance(force, Controller) and force.rate is not None:
            raise ModelError(
                f"{force.label} is sampled: Python code has no derivative",
                remedy="leave out its rate, so that it is traced",
            )


def efforts_of(model: Model, inputs: Mapping[str, Any] | None) -> tuple[Array, dict[str, float]]:
    """tau, and the inputs of drives, from {name: number}; `elbow` and `elbow.effort` mean the same."""
    tau, drive_inputs = np.zeros(len(model.speeds)), dict[str, float]()
    for name, value in (inputs or {}).items():
        where = input_of(model, str(name))
        if isinstance(where, int):
            tau[where] = real(value, f'the input on "{name}"')
        else:
            drive_inputs[where] = real(value, f'the input on "{name}"')
    return tau, drive_inputs


def input_of(model: Model, name: str) -> int | str:
    """The place of an effort in tau, or the name of the input of a drive."""
    drive_inputs = [each for drive in model.drives.values() for each in drive.held]
    slots = {speed: k for k, speed in enumerate(model.speeds)}
    plain = without_effort(name)
    if name in drive_inputs:
        return name
    for speed in (speed_name(plain), plain):
        if speed in slots:
            _check_effort(model, speed)
            return slots[speed]
    known = [*(effort_name(speed) for speed in slots), *drive_inputs]
    raise ModelError(
        f'inputs name "{name[:60]}", which is no coordinate with an effort{near(effort_name(plain), known)}'
    )


def _check_effort(model: Model, speed: str) -> None:
    """Refuses an effort whose name is that of what a drive of the same name gives."""
    drive = model.drives.get(coordinate_name(speed))
    if drive is not None:
        raise drive.wrong(
            f'"{effort_name(speed)[:60]}" is what the drive gives, and no input: it would take up any effort',
            remedy="leave the effort out, or rename the drive",
        )


def check_closed(loops: Loops, q: Array) -> None:
    """Raises an error if a loop is open in this pose."""
    loops.check_finite(q)
    torn = np.abs(loops.relative_gap(q))
    if torn.max(initial=0.0) > OPEN:
        worst = int(np.argmax(torn))
        loop, gap = loops.names[worst].rpartition(".")[0], torn[worst] * loops.row_units[worst]
        raise SolveError(
            f'the pose leaves loop "{loop[:60]}" open by {gap:.3g}', remedy="use hs.assemble first"
        )
