"""The equations of a model as y' = f(t, y): one vector in, one out.

    y = q, v, z, W

coordinates, speeds, the states of laws, and the work W that all that is not conservative has done
so far: efforts given, damping, friction, laws. So E(y) - W stays what it was at the start, whatever
acts, and how far it does not is the error of the integration.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.formalisms.dynamics.canonical import canonical
from hapsis.mechanics.formalisms.dynamics.state_rates import (
    Extras,
    arrows,
    broad_phase,
    extras,
    motion,
    signals,
)
from hapsis.mechanics.formalisms.tree.coordinate_rates import coordinate_rates
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.start_values import quaternions
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.run.events import Event, Sight, watched


class Layout(NamedTuple):
    """Where what stands in y."""

    n_q: int
    n_v: int
    n_z: int

    @property
    def size(self) -> int:
        """Numbers in y."""
        return self.n_q + self.n_v + self.n_z + 1

    def split(self, y: Any) -> tuple[Any, Any, Any, Any]:
        """q, v, z and W of y, or of rows of them."""
        a, b, c = self.n_q, self.n_q + self.n_v, self.n_q + self.n_v + self.n_z
        return y[..., :a], y[..., a:b], y[..., b:c], y[..., c]


class Shared:
    """What simulations of one model by inputs of one kind have in common, made once."""

    def __init__(self, model: Model) -> None:
        self.extras: Extras = extras(model)
        self.functions: dict[Any, Any] = {}  # by key; None where there is none
        self.compiled: dict[tuple[int, int | None], tuple[Function, Any]] = {}

    @staticmethod
    def of(model: Model, inputs: Inputs) -> "Shared":
        """Kept with the model, which never changes; functions of time are traced anew."""
        if inputs.functions:
            return Shared(model)
        kept: dict[Any, Shared] = model.__dict__.setdefault("_simulated", {})
        kind = tuple(inputs.numbers), tuple(inputs.tables)
        if kind not in kept:
            kept[kind] = Shared(model)
        return kept[kind]


def once(write: Any) -> Any:
    """A method that writes a Function, called once for all simulations that share it."""

    def written(self: "Packed") -> Any:
        key = self.key(write.__name__)
        if key not in self.shared.functions:
            self.shared.functions[key] = write(self)
        return self.shared.functions[key]

    written.__name__, written.__doc__ = write.__name__, write.__doc__
    return written


class Packed:
    """The Functions of one model with its inputs, each of t, y and what is held in u.

    keep    keep them, and their native code, with the model for the next simulation
    """

    def __init__(self, model: Model, inputs: Inputs, keep: bool = False) -> None:
        self.model, self.inputs = model, inputs
        self.shared = Shared.of(model, inputs) if keep else Shared(model)
        self.extras = self.shared.extras
        self.layout = Layout(len(model.coordinates), len(model.speeds), len(self.extras.states))
        self.held = (*inputs.held, *(n for n in self.extras.held if n not in inputs.names))
        self.quaternions = [places[0] for places in quaternions(model).values()]

    def key(self, name: str) -> Any:
        """Under which a Function of that name is kept."""
        return name

    @once
    def _told(self) -> Function:
        """What every force says of itself."""
        return signals(self.model)

    def _arguments(self) -> dict[str, Any]:
        """t, y, u as inputs, and q, v, z, tau from them, in a graph of their own."""
        graph = Graph()
        t = symbol("t", graph=graph)
        y = symbols("y", self.layout.size, kind="coordinate", graph=graph)
        u = symbols("u", len(self.held), graph=graph)
        q, v, z, _ = self.layout.split(y)
        tau = self.inputs.efforts(self.model, t, dict(zip(self.held, u, strict=True)), y[0] * 0.0)
        near = symbols("near", self.extras.near, graph=graph)
        return {"t": t, "y": y, "u": u, "near": near, "q": q, "v": v, "z": z, "tau": tau}

    def _given(self, function: Function, arguments: Mapping[str, Any]) -> Any:
        """What a Function of q, v, ... gives for these arguments."""
        held = dict(zip(self.held, arguments["u"], strict=True))
        t, zero = arguments["t"], arguments["y"][0] * 0.0
        u = [
            self.inputs.value(name, t, held, zero) if name in self.inputs.names else held[name]
            for name in self.extras.held
        ]
        known = {**arguments, "u": u}
        return function(**{port.name: known[port.name] for port in function.inputs})

    def _function(self, name: str, arguments: Mapping[str, Any], outputs: Any) -> Function:
        names = [n for n in ("t", "y", "u", "near") if len_of(arguments[n])]
        defaults = {"near": [1.0] * self.extras.near} if "near" in names else None
        return Function(name, {n: arguments[n] for n in names}, outputs, defaults=defaults)

    @once
    def motion(self) -> Function:
        """(t, y, u) -> dy."""
        x = self._arguments()
        found = self._given(motion(self.model), x)
        power = sum((t * v for t, v in zip(x["tau"], x["v"], strict=True)), -found.loss)
        dz = list(found.dz) if self.layout.n_z else []
        return self._function("motion", x, {"dy": [*found.dq, *found.a, *dz, power]})

    @once
    def kinematics(self) -> Function:
        """(t, y, u) -> dy, of the coordinates only: q̇ at the speeds in y."""
        x = self._arguments()
        dq = coordinate_rates(self.model)(x["q"], x["v"])
        return self._function("kinematics", x, {"dy": list(dq)})

    @once
    def canonical(self) -> Function:
        """(t, y, u) -> dy with momenta in the place of speeds."""
        x = self._arguments()
        found = self._given(canonical(self.model), {**x, "momenta": x["v"]})
        power = sum((t * v for t, v in zip(x["tau"], found.v, strict=True)), -found.loss)
        dz = list(found.dz) if self.layout.n_z else []
        return self._function("canonical", x, {"dy": [*found.dq, *found.dp, *dz, power]})

    @once
    def broad_phase(self) -> Function | None:
        """(h, t, y) -> near, longest; None where there is nothing to rule out."""
        made = broad_phase(self.model)
        if made is None:
            return None
        x = self._arguments()
        h = symbol("h", graph=x["t"].graph)
        near, longest = made(q=x["q"], v=x["v"], h=h)
        outputs = {"near": near, "longest": longest}
        return Function("broad_phase", {"h": h, "t": x["t"], "y": x["y"]}, outputs)

    @once
    def energies(self) -> Function:
        """(t, y, u) -> kinetic, potential."""
        x = self._arguments()
        found = self._given(self._told(), x)
        outputs = {"kinetic": found[0], "potential": found[1]}
        return self._function("energies", x, outputs)

    @once
    def signals(self) -> Function:
        """(t, y, u) -> what every force says of itself; NAME.effort of efforts given."""
        x = self._arguments()
        outputs = self._signals(x)
        held = dict(zip(self.held, x["u"], strict=True))
        for slot, name in self.inputs.names.items():
            outputs[name] = self.inputs.value(slot, x["t"], held, x["y"][0] * 0.0)
        return self._function("signals", x, outputs)

    def _signals(self, x: Mapping[str, Any]) -> dict[str, Any]:
        names = [port.name for port in self._told().outputs]
        return dict(zip(names[2:], self._given(self._told(), x)[2:], strict=True))

    @once
    def arrows(self) -> Function | None:
        """(t, y, u) -> for each force that pushes at a point, where and how; None without any."""
        x = self._arguments()
        made = arrows(self.model)
        if made is None:
            return None
        names, found = [port.name for port in made.outputs], self._given(made, x)
        outputs = dict(zip(names, [found] if len(names) == 1 else found, strict=True))
        return self._function("arrows", x, outputs)

    @property
    def signal_names(self) -> tuple[str, ...]:
        """What `signals` gives."""
        forces = [port.name for port in self._told().outputs][2:]
        return (*forces, *self.inputs.names.values())

    def watched(self, events: Sequence[Event]) -> Function:
        """(t, y, u) -> values that pass zero at events."""
        x = self._arguments()
        known = dict(zip(self.model.coordinates, x["q"], strict=True))
        known |= dict(zip(self.model.speeds, x["v"], strict=True))
        sight = Sight({**known, **self._signals(x)}, x["t"])
        return self._function("watched", x, {"g": watched(events, sight, x["y"][0] * 0.0)})


def len_of(x: Any) -> int:
    """How many numbers; one for a scalar."""
    return len(x) if hasattr(x, "__len__") else 1
