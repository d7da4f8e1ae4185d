"""The equations of a model as y' = f(t, y): one vector in, one out.

    y = q, v, z, W

coordinates, speeds, the states of laws, and the work W done so far by everything that is not
conservative: given efforts, damping, friction, laws. So E(y) - W is constant, and any change of it is
an error of the integration.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph.elementary_functions import minimum
from hapsis.compiler.ir.graph.expr import parameter, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.deferred_verbs import (
    approach,
    arrows,
    broad_phase,
    coordinate_rates,
    frame_signal,
    signals,
    stored_energies,
)
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name
from hapsis.mechanics.model.signals.frame_signals import readable
from hapsis.mechanics.model.store.kept import kept_data
from hapsis.motion.simulate.equations.function_store import FunctionStore, kept_for, once, once_per_partition
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.run.events import Event, SignalView, event_values

STATE_INPUTS = ("t", "y", "u", "near")
ACCOUNTED = (".loss", ".work")  # how the names of powers of the energy account end


class System(ABC):
    """The Functions of one model with its inputs, each of t, y and what is held in u.

    partition   which speeds follow from which constraint rows; None for a tree
    store       where the Functions are kept, for other systems of the same model
    units       of the numbers of y: that of the model's lengths for those, else 1;
                `momentum_units` where momenta stand in the place of speeds
    """

    def __init__(
        self, model: Model, inputs: Inputs, store: FunctionStore, partition: Partition | None = None
    ) -> None:
        self.model, self.inputs, self.store, self.partition = model, inputs, store, partition
        self.extras, self.layout = store.extras, store.layout
        self.units, self.momentum_units = store.units, store.momentum_units
        self.held = (*inputs.held, *(n for n in self.extras.held if n not in inputs.names))
        self.quaternions = [places[0] for places in store.quaternions.values()]

    # what trees and closed systems write differently ---------------------------------------------

    @abstractmethod
    def motion(self) -> Function:
        """(t, y, u) -> dy."""

    @abstractmethod
    def closing(self) -> Function | None:
        """(t, y, u) -> y with its loops closed; None where there are none."""

    @abstractmethod
    def constraint_loads(self) -> Function | None:
        """(t, y, u) -> a, tau, efforts: accelerations, all efforts, those of drives; None for a tree."""

    @abstractmethod
    def closed(self, x: Mapping[str, Any]) -> Mapping[str, Any]:
        """These symbols with q, v and y at the closed pose."""

    @abstractmethod
    def account_rates(self) -> Function:
        """(q, v, tau, ...) -> all rates, and the powers of the energy account by name."""

    @abstractmethod
    def account(self) -> Function:
        """(t, y, u) -> dy, where the energies of `account_names` stand behind those of y."""

    # writing -------------------------------------------------------------------------------------

    def symbols(self) -> dict[str, Any]:
        """t, y, u as inputs, and q, v, z, tau from them, in a graph of their own."""
        graph = Graph()
        t = symbol("t", graph=graph)
        y = symbols("y", self.layout.size, kind="coordinate", graph=graph)
        u = symbols("u", len(self.held), graph=graph)
        q, v, z, _ = self.layout.split(y)
        tau = self.inputs.efforts(self.model, t, dict(zip(self.held, u, strict=True)), y[0] * 0.0)
        near = symbols("near", self.extras.near, graph=graph)
        return {"t": t, "y": y, "u": u, "near": near, "q": q, "v": v, "z": z, "tau": tau}

    def evaluate(self, formalism: Callable[..., Function], x: Mapping[str, Any], *more: Any) -> Any:
        """The outputs of the Function of q, v, ... that a formalism writes, for these symbols."""
        return self.outputs(formalism(self.model, *more), x)

    def outputs(self, function: Function, x: Mapping[str, Any]) -> Any:
        """The outputs of a Function of q, v, ... for these symbols."""
        held = dict(zip(self.held, x["u"], strict=True))
        t, zero = x["t"], x["y"][0] * 0.0
        u = [
            self.inputs.value(name, t, held, zero) if name in self.inputs.names else held[name]
            for name in self.extras.held
        ]
        known = {**x, "u": u}
        return function(**{port.name: known[port.name] for port in function.inputs})

    def outputs_by_name(self, function: Function, x: Mapping[str, Any]) -> dict[str, Any]:
        """The same by the names of the outputs."""
        return function.outputs_by_name(self.outputs(function, x))

    def rate_function(
        self, name: str, x: Mapping[str, Any], rates: Any, dv: Any, v: Any, power: Any
    ) -> Function:
        """(t, y, u) -> dy from rates dq and dz, those of the speeds or momenta, and a power.

        Ẇ = τ·v + power, where power is that of drives minus losses.
        """
        work_rate = sum((t * speed for t, speed in zip(x["tau"], v, strict=True)), power)
        dz = list(rates.dz) if self.layout.n_z else []
        return self.function(name, x, {"dy": [*rates.dq, *dv, *dz, work_rate]})

    def accounted(
        self, name: str, x: Mapping[str, Any], rates: Mapping[str, Any], dv: Any, v: Any, power: Any
    ) -> Function:
        """The same with the energies of `account_names` behind y, from rates by name."""
        works = [t * speed for t, speed in zip(x["tau"], v, strict=True)]
        given = [works[slot] for slot in self.inputs.names if isinstance(slot, int)]
        powers = [*(rates[n] for n in rates if n.endswith(ACCOUNTED)), *given]
        energies = symbols("energy", len(powers), graph=x["t"].graph)
        dz = list(rates["dz"]) if self.layout.n_z else []
        dy = [*rates["dq"], *dv, *dz, sum(works, power), *powers]
        return self.function(name, {**x, "y": [*x["y"], *energies]}, {"dy": dy})

    @property
    def account_names(self) -> tuple[str, ...]:
        """NAME.loss and NAME.work of all that dissipates or gives energy, given efforts last."""
        rates = self.account_rates().outputs
        speeds = [self.model.speeds[slot] for slot in self.inputs.names if isinstance(slot, int)]
        given = (f"{coordinate_name(speed)}.work" for speed in speeds)
        return (*(port.name for port in rates if port.name.endswith(ACCOUNTED)), *given)

    def function(self, name: str, x: Mapping[str, Any], outputs: Any) -> Function:
        """A Function of those of t, y, u and near that the system has."""
        inputs = self.state_inputs(x)
        defaults = {"near": [1.0] * self.extras.near} if "near" in inputs else None
        return Function(name, inputs, outputs, defaults=defaults)

    def state_inputs(self, x: Mapping[str, Any]) -> dict[str, Any]:
        """Those of t, y, u and near that are not empty."""
        return {n: x[n] for n in STATE_INPUTS if n == "t" or len(x[n])}

    # Functions -----------------------------------------------------------------------------------

    @once_per_partition
    def jacobian(self) -> Function:
        """(t, y, u) -> J, ft: df/dy and df/dt of the motion."""
        from hapsis.motion.simulate.equations.jacobian import jacobian

        return jacobian(self.motion())

    @once_per_partition
    def law_jacobian(self) -> Function:
        """(t, y, u) -> J: the slopes of the rates of the states of laws by these states."""
        motion, first, count = self.motion(), self.layout.n_q + self.layout.n_v, self.layout.n_z
        dz = Port("dz", (count,), motion.output("dy").refs[first : first + count])
        rates = Function.of("law_rates", motion.graph, motion.inputs, [dz])
        inputs = rates.input_symbols()
        J = rates.jacobian("dz", "y")(**inputs)
        laws = [[J[i, j] for j in range(first, first + count)] for i in range(count)]
        return Function("law_jacobian", inputs, {"J": laws})

    @once_per_partition
    def account_jacobian(self) -> Function:
        """(t, y, u) -> J, ft of the motion with its energy account."""
        from hapsis.motion.simulate.equations.jacobian import jacobian

        return jacobian(self.account())

    @once
    def stored_energies(self) -> Function | None:
        """(t, y, u) -> NAME.stored of what the potential energy does not contain; None without any."""
        f = stored_energies(self.model)
        x = self.symbols()
        return None if f is None else self.function("stored", x, self.outputs_by_name(f, x))

    @once
    def kinematics(self) -> Function:
        """(t, y, u) -> dy, of the coordinates only: q̇ at the speeds in y."""
        x = self.symbols()
        dq = coordinate_rates(self.model)(x["q"], x["v"])
        return self.function("kinematics", x, {"dy": list(dq)})

    @once_per_partition
    def approach(self) -> Function | None:
        """(t, y, u) -> gap, speed, size of each zone, at the closed pose; None without any."""
        x = self.symbols()
        return self.approach_of(self.closed(x), x)

    def approach_of(self, at: Mapping[str, Any], x: Mapping[str, Any]) -> Function | None:
        """The same as a Function of the symbols x, for a motion given by other symbols."""
        f = approach(self.model) if self.extras.zones else None
        return None if f is None else self.function("approach", x, self.outputs_by_name(f, at))

    @once
    def broad_phase(self) -> Function | None:
        """(h, t, y) -> near, longest; None where there is nothing to rule out."""
        f = broad_phase(self.model)
        if f is None:
            return None
        x = self.symbols()
        h = symbol("h", graph=x["t"].graph)
        near, longest = f(q=x["q"], v=x["v"], h=h)
        outputs = {"near": near, "longest": longest}
        return Function("broad_phase", {"h": h, "t": x["t"], "y": x["y"]}, outputs)

    @once
    def force_signals(self) -> Function:
        """(q, v, ...) -> kinetic, potential, and the signals of every force."""
        return signals(self.model)

    @once
    def energies(self) -> Function:
        """(t, y, u) -> kinetic, potential."""
        x = self.symbols()
        values = self.outputs_by_name(self.force_signals(), x)
        return self.function("energies", x, {name: values[name] for name in ("kinetic", "potential")})

    @once
    def signals(self) -> Function:
        """(t, y, u) -> the signals of every force; NAME.effort of efforts given."""
        x = self.symbols()
        return self.function("signals", x, self._signal_values(x) | self.input_values(x))

    def input_values(self, x: Mapping[str, Any]) -> dict[str, Any]:
        """The inputs given to the run, by the names of their signals: NAME.effort, ..."""
        held, zero = dict(zip(self.held, x["u"], strict=True)), x["y"][0] * 0.0
        names = self.inputs.names.items()
        return {name: self.inputs.value(slot, x["t"], held, zero) for slot, name in names}

    def _signal_values(self, x: Mapping[str, Any]) -> dict[str, Any]:
        values = self.outputs_by_name(self.force_signals(), x)
        return {name: values[name] for name in values if name not in ("kinetic", "potential")}

    @property
    def signal_names(self) -> tuple[str, ...]:
        """The outputs of `signals`."""
        return (*self.signal_shapes, *self.inputs.names.values())

    @property
    def signal_shapes(self) -> dict[str, tuple[int, ...]]:
        """{name: shape} of the signals of every force."""

        def shapes() -> list[Any]:
            return [(port.name, port.shape) for port in self.force_signals().outputs[2:]]

        kept = derived(self.model, "signals", lambda: kept_data(self.model, "signals", shapes))
        return {name: tuple(shape) for name, shape in kept}

    @once
    def arrows(self) -> Function | None:
        """(t, y, u) -> point and force of each force that acts at a point; None without any."""
        x = self.symbols()
        f = arrows(self.model)
        return None if f is None else self.function("arrows", x, self.outputs_by_name(f, x))

    def watched(self, events: Sequence[Event]) -> Function:
        """(t, y, u) -> values that pass zero at events."""

        def write() -> Function:
            x = self.symbols()
            return self.function("watched", x, {"g": self.event_values(events, x)})

        return self.kept_for_events("watched", events, write)

    def kept_for_events(self, name: str, events: Sequence[Event], write: Callable[[], Function]) -> Function:
        """The Function that `write` writes for these events, kept on disk."""
        keys = [event.key for event in events]
        known = None if None in keys else repr(keys)
        return kept_for(self, (type(self).__name__, name), write, known, repr(self.partition))

    def event_values(self, events: Sequence[Event], x: Mapping[str, Any]) -> list[Any]:
        """The expressions that pass zero at events, at the closed pose."""
        return event_values(events, self.view(self.closed(x)), x["y"][0] * 0.0)

    def view(self, at: Mapping[str, Any]) -> SignalView:
        """What events and sampled controllers read at these symbols: signals and parameters by name."""
        known = dict(zip(self.model.coordinates, at["q"], strict=True))
        known |= dict(zip(self.model.speeds, at["v"], strict=True))
        known |= self.input_values(at)
        # of every pair: what is skipped says nothing of itself
        all_near = {**at, "near": [1.0] * self.extras.near}
        known |= self.outputs_by_name(self.force_signals(), all_near)
        known |= {"energy": known["kinetic"] + known["potential"], "work": at["y"][-1]}
        view = SignalView(known, at["t"], self._gaps(at), lambda name: self.frame_value(name, at))
        for name, value in self.model.parameters.items():
            view.know(name, partial(parameter, name, value, graph=at["t"].graph))
        return view

    def frame_value(self, name: str, at: Mapping[str, Any]) -> Any:
        """The signal of a frame or a sensor at these symbols; None where there is none of that name."""
        if readable(self.model, name) is None:
            return None
        f = frame_signal(self.model, name)
        return f(**{port.name: at[port.name] for port in f.inputs})

    def reading(self, name: str) -> Function:
        """(t, y, u) -> value: one signal by its name."""

        def write() -> Function:
            x = self.symbols()
            return self.function("reading", x, {"value": self.view(x)[name]})

        key = ("reading", name)
        function = self.store.function(key, lambda: kept_for(self, key, write))
        assert function is not None
        return function

    def _gaps(self, at: Mapping[str, Any]) -> Callable[[str], Any]:
        """A function of a contact's name that gives the least gap of its zones as an expression."""
        computed: list[Any] = []

        def gap(name: str) -> Any:
            if not computed:
                zones = approach(self.model)
                assert zones is not None
                computed.extend(self.outputs_by_name(zones, at)["gap"])
            mine = [x for whose, x in zip(self.extras.zones, computed, strict=True) if whose == name]
            return reduce(minimum, mine)

        return gap

    def parameters(self) -> dict[str, float]:
        """All parameters of the signals, the motion and the energies, with their stored values."""
        known = dict(self.signals().parameters) if self.signal_names else {}
        return known | self.motion().parameters | self.energies().parameters

    def loads(self, evaluate: Callable[[Function], dict[str, Any]]) -> dict[str, Any]:
        """Accelerations a; where there are constraints their multipliers and efforts of drives too.

        evaluate    gives the outputs of a Function of (t, y, u) by name
        """
        function = self.constraint_loads()
        if function is not None:
            return evaluate(function)
        return {"a": self.layout.split(evaluate(self.motion())["dy"])[1]}
