"""A mechanism at one state in numbers: its rates there, and how they change with small changes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.backends.compiling import compile
from hapsis.compiler.ir.function import Function
from hapsis.errors import ModelError, SolveError, near
from hapsis.mechanics.formalisms import choice
from hapsis.mechanics.formalisms.constraints import rows_of
from hapsis.mechanics.formalisms.coordinate_rates import coordinate_rates
from hapsis.mechanics.formalisms.drives import imposed
from hapsis.mechanics.formalisms.motion import extras
from hapsis.mechanics.formalisms.needs import Needs
from hapsis.mechanics.formalisms.reduction import Partition
from hapsis.mechanics.formalisms.response import response
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.loops import Array, Loops

CLOSED = 1e-13  # m or rad
STEPS = 30  # of Newton, to close a pose


class Operating:
    """The rates of a model by one partition, at a time, with what is given from outside.

    tau          effort on each speed
    u            {name: value} of what drives take from outside
    parameters   {name: value} other than the model's own
    """

    def __init__(
        self, model: Model, part: Partition, t: float = 0.0, tau: Array | None = None,
        u: Mapping[str, float] | None = None, parameters: Mapping[str, float] | None = None,
        carried: bool = False,
    ) -> None:  # fmt: skip
        check_continuous(model)
        self.model, self.part, self.t = model, part, t
        self.tau = np.zeros(len(model.speeds)) if tau is None else tau
        kept: dict[Any, Any] = model.__dict__.setdefault("_operating", {})
        if "extras" not in kept:
            kept["extras"] = extras(model)
        if (part, carried) not in kept:
            kept[part, carried] = response(model, part, carried)
        self.extras, self.function = kept["extras"], kept[part, carried]
        self.u = np.array([(u or {}).get(name, 0.0) for name in self.extras.held])
        self.parameters = dict(parameters or {})
        self._rates: Any = compiled(model, coordinate_rates(model), "rates")
        self.positions, self.speeds = self._free()

    @property
    def start(self) -> Array:
        """Where the states of laws start."""
        return np.array(list(self.extras.states.values()), float)

    def _free(self) -> tuple[list[int], list[int]]:
        """The speeds along which positions are free to be chosen, and those free themselves."""
        tree = choice.tree(self.model)
        drives = imposed(Needs(tree)).values()
        tied = {d.slot for d in drives if d.position is not None}
        tied |= set(self.part.of_positions(rows_of(tree)).dependent)
        fast = {d.slot for d in drives if d.velocity is not None} | set(self.part.dependent)
        slots = range(len(self.model.speeds))
        return [k for k in slots if k not in tied], [k for k in slots if k not in fast]

    def _call(self, f: Function, key: Any, known: Mapping[str, Any], many: int | None) -> Any:
        """The outputs of a Function by name, once or for many rows."""
        given: dict[str, Any] = {}
        for port in f.inputs:
            x = np.asarray(known[port.name], float) if port.name in known else None
            if x is not None and many is not None and not port.name.startswith("d_"):
                x = np.tile(x, (many, *(1,) * x.ndim)) if x.ndim else np.full(many, float(x))
            if x is not None:
                given[port.name] = np.ascontiguousarray(x)
        values = {n: x for n, x in self.parameters.items() if n in f.parameters}
        found = compiled(self.model, f, key)(**given, **({"p": values} if values else {}))
        names = [port.name for port in f.outputs]
        return dict(zip(names, [found] if len(names) == 1 else found, strict=True))

    def known(self, q: Array, v: Array, z: Array) -> dict[str, Any]:
        """The inputs of every Function here."""
        return {"q": q, "v": v, "tau": self.tau, "z": z, "u": self.u, "t": self.t}

    def rates(self, q: Array, v: Array, z: Array) -> dict[str, Array]:
        """q, v, dq, a, dz, efforts, lam."""
        return self._call(self.function, ("response", self.part), self.known(q, v, z), None)

    def closed(self, q: Array, v: Array, z: Array) -> dict[str, Array]:
        """The same at the closed pose next to q; not finite where there is none."""
        for _ in range(STEPS):
            found = self.rates(q, v, z)
            moved = float(np.abs(found["q"] - q).max(initial=0.0))
            q = found["q"]
            if not moved > CLOSED * max(1.0, float(np.abs(q).max(initial=0.0))):
                return found
        return {name: np.full_like(x, np.nan) for name, x in found.items()}

    def along(
        self, q: Array, v: Array, z: Array, by: Mapping[str, Array], f: Function | None = None,
        key: Any = None, more: Mapping[str, Any] | None = None,
    ) -> dict[str, Array]:  # fmt: skip
        """How the rates, or the outputs of f, change along directions: one row for each.

        by      {input: rows of its change}; inputs that are not named stay
        more    other inputs of f
        """
        f = self.function if f is None else f
        key = ("response", self.part) if key is None else key
        names = [p.name for p in f.inputs if p.name in by and len(p.refs)]
        count = len(next(iter(by.values())))
        if not names:
            return {p.name: np.zeros((count, *p.shape)) for p in f.outputs}
        slope = jvp(self.model, f, (key, *names), names)
        known = {**self.known(q, v, z), **(more or {}), **{f"d_{n}": by[n] for n in names}}
        found = self._call(slope, (key, "jvp", *names), known, count)
        return {name.removeprefix("d_"): x for name, x in found.items()}

    def tangent(self, q: Array) -> Array:
        """N: how coordinates change along each speed."""
        n = len(self.model.speeds)
        return self._rates(np.tile(q, (n, 1)), np.eye(n)).T

    def moved(self, q: Array, d: Array) -> Array:
        """q after a step along the speeds; quaternions of length one."""
        made = q + self._rates(q, d)
        for places in quaternion_places(self.model):
            made[places] /= np.linalg.norm(made[places])
        return made


def compiled(model: Model, f: Function, key: Any) -> Any:
    """Native code of a Function, kept with the model."""
    kept: dict[Any, Any] = model.__dict__.setdefault("_analysed", {})
    if key not in kept or kept[key][0] is not f:
        kept[key] = f, compile(f)
    return kept[key][1]


def jvp(model: Model, f: Function, key: Any, names: Sequence[str]) -> Function:
    """The derivative of a Function along some of its inputs, kept with the model."""
    kept: dict[Any, Any] = model.__dict__.setdefault("_slopes", {})
    if key not in kept or kept[key][0] is not f:
        kept[key] = f, f.jvp(*names)
    return kept[key][1]


def quaternion_places(model: Model) -> list[list[int]]:
    """The places in q of each quaternion."""
    from hapsis.motion.analysis.starts import quaternions

    return list(quaternions(model).values())


def check_continuous(model: Model) -> None:
    """Refuses what is not a function of the state: controllers that sample."""
    for force in model.forces.values():
        if isinstance(force, Controller) and force.rate is not None:
            raise ModelError(f"{force.label} is sampled: Python code has no derivative",
                             remedy="leave out its rate, so that it is traced")  # fmt: skip


def efforts_of(model: Model, given: Mapping[str, Any] | None) -> tuple[Array, dict[str, float]]:
    """tau, and what drives are given, from {name: number}; `elbow` and `elbow.effort` are one."""
    from hapsis.mechanics.model.numbers import real

    tau, told = np.zeros(len(model.speeds)), dict[str, float]()
    for name, value in (given or {}).items():
        where = input_of(model, str(name))
        if isinstance(where, int):
            tau[where] = real(value, f'the input on "{name}"')
        else:
            told[where] = real(value, f'the input on "{name}"')
    return tau, told


def input_of(model: Model, name: str) -> int | str:
    """The slot of an effort, or the name of what a drive takes from outside."""
    wanted = [each for drive in model.drives.values() for each in drive.inputs]
    slots = {speed: k for k, speed in enumerate(model.speeds)}
    plain = name.removesuffix(".effort")
    if name in wanted:
        return name
    for speed in (f"{plain}.v", plain):
        if speed in slots:
            return slots[speed]
    known = [*(f"{s.removesuffix('.v')}.effort" for s in slots), *wanted]
    raise ModelError(f'inputs name "{name[:60]}", which is no coordinate with an effort'
                     f"{near(f'{plain}.effort', known)}")  # fmt: skip


def check_closed(loops: Loops, q: Array) -> None:
    """Refuses a pose whose loops are open."""
    torn = np.abs(loops.gap(q))
    if torn.max(initial=0.0) > 1e-6:
        loop = loops.names[int(np.argmax(torn))].rpartition(".")[0]
        raise SolveError(f'the pose leaves loop "{loop[:60]}" open by {torn.max():.3g}',
                         remedy="use hs.assemble first")  # fmt: skip
