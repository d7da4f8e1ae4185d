"""The verb `stepper`: a whole time step as one Function, for loops that run at a fixed rate.

Loops are closed, forces and drives act, the dynamics are reduced and integrated, and what is asked
for is measured, all without a branch outside: every backend takes it, C included.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError, SolveError, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.simulate.equations.closed_system import Looped, is_tied
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.system import Packed
from hapsis.motion.simulate.run.initial_state import initial

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
             energy, and energy.before the step: other than the last one by what parameters that
             changed meanwhile have given
    start    as for `simulate`; the state at the start is the default of q, v, z, and of what
             drives take
    method   "rk4", or "euler": first the speeds, then with the new ones the coordinates

    z are the states of laws, if there are any. Of a model with loops the partition is that of the
    start: good as long as the independent coordinates lead.
    """
    dt = real(dt, "dt")
    if not 1e-9 <= dt <= 1e3:
        raise SolveError(f"dt is {dt:g} s", expected="from 1e-9 to 1000 s")
    if method not in METHODS:
        raise SolveError(
            f'there is no stepper by "{str(method)[:60]}"{near(str(method), METHODS)}',
            expected=" or ".join(METHODS),
        )
    names, wanted = _names(inputs, "inputs"), _names(outputs, "outputs")
    given = _given(model, names)
    packed: Packed = Packed(model, given)
    if packed.extras.held and set(packed.extras.held) - set(given.names.values()):
        raise ModelError(
            "a sampled controller is Python code, which no Function holds",
            remedy="leave out its rate, so that it is traced",
        )
    loops = Loops(model) if is_tied(model) else None
    y = initial(model, packed.extras.states, start, loops)[1]
    if loops is not None:
        q = packed.layout.split(y)[0]
        packed = Looped(model, given, best_partition(loops, q, preferred=model.independent))
    return Steps(packed, dt, method).function(names, wanted, y)


class Steps:
    """The parts of a step over one model."""

    def __init__(self, packed: Packed, dt: float, method: str) -> None:
        self.packed, self.dt, self.method = packed, dt, method
        self.graph = Graph()
        self.t = symbol("t", graph=self.graph)
        layout = packed.layout
        sizes = {"q": layout.n_q, "v": layout.n_v, "z": layout.n_z}
        self.state = {
            n: symbols(n, size, kind="coordinate", graph=self.graph) for n, size in sizes.items() if size
        }
        self.given = {name: symbol(name, graph=self.graph) for name in packed.held}

    def function(self, names: Sequence[str], wanted: Sequence[str], y: Any) -> Function:
        """The whole step, with the start as defaults."""
        whole = self._stepped()
        layout, at = self.packed.layout, 0
        told: dict[str, Any] = {}
        for name in self.state:
            size = len(self.state[name])
            told[name] = whole[at : at + size]
            at += size
        t = self.t + self.dt
        told["t"] = t
        measured = self._measured(t, whole, wanted)
        inputs = {**self.state, "t": self.t, **{n: self.given[_full(self, n)] for n in names}}
        starts: dict[str, Any] = dict(zip("qvz", layout.split(y)[:3], strict=True))
        defaults: dict[str, Any] = {n: starts[n] for n in self.state}
        at_rest = {
            f"{d.name}.position": y[self.packed.model.coordinates.index(d.joint)]
            for d in self.packed.model.drives.values()
        }
        defaults |= {"t": 0.0} | {n: float(at_rest.get(n, 0.0)) for n in names}
        return Function("step", inputs, {**told, **measured}, defaults=defaults)

    def _call(self, function: Function, t: Any, y: Sequence[Any]) -> Any:
        """One of the packed Functions at a state, its code kept once."""
        known = {"t": t, "y": [*y, self.t * 0.0], "u": list(self.given.values())}
        known["near"] = [1.0] * self.packed.extras.near
        ordered = [known[port.name] for port in function.inputs]
        return blocks.call(function, *ordered)

    def _rates(self, t: Any, y: Sequence[Any]) -> list[Any]:
        return list(self._call(self.packed.motion(), t, y))[:-1]

    def _start(self) -> list[Any]:
        """The state before the step."""
        return [x for part in self.state.values() for x in part]

    def _stepped(self) -> list[Any]:
        """The state after the step, loops closed."""
        y, h = self._start(), self.dt
        if self.method == "rk4":
            k1 = self._rates(self.t, y)
            k2 = self._rates(self.t + 0.5 * h, _moved(y, 0.5 * h, k1))
            k3 = self._rates(self.t + 0.5 * h, _moved(y, 0.5 * h, k2))
            k4 = self._rates(self.t + h, _moved(y, h, k3))
            slopes = zip(k1, k2, k3, k4, strict=True)
            made = _moved(y, h / 6.0, [a + 2.0 * (b + c) + d for a, b, c, d in slopes])
        else:
            made = self._euler(y)
        for first in self.packed.quaternions:
            size = sum((x * x for x in made[first : first + 4]), self.t * 0.0) ** 0.5
            made[first : first + 4] = [x / size for x in made[first : first + 4]]
        if isinstance(self.packed, Looped):
            return list(self._call(self.packed.closing(), self.t + h, made))[:-1]
        return made

    def _euler(self, y: list[Any]) -> list[Any]:
        """Speeds and states of laws first, then the coordinates with the new speeds."""
        n = self.packed.layout.n_q
        k = self._rates(self.t, y)
        middle = [*y[:n], *_moved(y, self.dt, k)[n:]]
        dq = list(self._call(self.packed.kinematics(), self.t, middle))
        return [*_moved(y[:n], self.dt, dq), *middle[n:]]

    def _measured(self, t: Any, y: Sequence[Any], wanted: Sequence[str]) -> dict[str, Any]:
        """What is asked for, at the new state."""
        model, layout = self.packed.model, self.packed.layout
        known: dict[str, Any] = dict(zip((*model.coordinates, *model.speeds), y, strict=False))
        found = dict(known)
        left = [name for name in wanted if name not in known]
        rates = [f"{name.removesuffix('.v')}.a" for name in model.speeds]
        if any(name in rates for name in left):
            a = self._rates(t, y)[layout.n_q : layout.n_q + layout.n_v]
            found |= dict(zip(rates, a, strict=True))
        efforts = [f"{name}.effort" for name in model.drives]
        felt = [f"{name}.force" for name in model.drives]
        if any(name in (*efforts, *felt) for name in left) and isinstance(self.packed, Looped):
            f = self.packed.carrying()
            made = dict(zip([p.name for p in f.outputs], self._call(f, t, y), strict=True))
            found |= dict(zip(felt, (-x for x in made["efforts"]), strict=True))
            found |= dict(zip(efforts, made["efforts"], strict=True))
        signals = self.packed.signal_names
        if any(name in signals for name in left):
            f = self.packed.signals()
            made = self._call(f, t, y)
            many = [made] if len(f.outputs) == 1 else made
            found |= dict(zip([p.name for p in f.outputs], many, strict=True))
        for name, at, state in (("energy", t, y), ("energy.before", self.t, self._start())):
            if name in left:
                found[name] = sum(self._call(self.packed.energies(), at, state), self.t * 0.0)
        for name in wanted:
            if name not in found:
                every = (*known, *rates, *efforts, *felt, *signals, "energy", "energy.before")
                raise ModelError(f'outputs name "{name[:60]}", which nothing tells{near(name, every)}')
        return {name: found[name] for name in wanted}


def _full(steps: Steps, name: str) -> str:
    """The name under which an input is held: that of an effort may be short."""
    return name if name in steps.given else f"{name}.effort"


def _moved(y: Sequence[Any], h: float, rates: Sequence[Any]) -> list[Any]:
    return [x + h * rate for x, rate in zip(y, rates, strict=True)]


def _names(given: Any, what: str) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ModelError(f"{what} must be names, not {described(given)}")
    names = tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f"{what} must be names, not {described(name)}")
    if len(set(names)) < len(names):
        raise ModelError(f"{what} name something twice")
    return names


def _given(model: Model, names: Sequence[str]) -> Inputs:
    """What is held in a step."""
    for drive in model.drives.values():
        for name in drive.inputs:
            if name not in names:
                raise drive.wrong(
                    f'it takes "{name[:60]}" from outside', remedy=f'give inputs=["{name[:60]}", ...]'
                )
    return Inputs(model, dict.fromkeys(names, 0.0))
