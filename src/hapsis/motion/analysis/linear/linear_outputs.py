"""Outputs of a linearization: whatever a Result has by name, differentiated along the states."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import check_known
from hapsis.mechanics.formalisms.deferred_verbs import frame_signal, reaction, signals
from hapsis.mechanics.formalisms.dynamics.carriers import carriers
from hapsis.mechanics.formalisms.dynamics.measurements import measurements
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import acceleration_name, drive_effort_name
from hapsis.mechanics.model.signals.frame_signals import frame_signal_of
from hapsis.mechanics.model.signals.vector_parts import part_names
from hapsis.motion.analysis.assembly.loop_numbers import Array
from hapsis.motion.analysis.linear.operating_point import OperatingPoint


class Outputs:
    """The outputs that are asked for, by name; vectors have a row for each part."""

    def __init__(self, model: Model, outputs: Sequence[str]) -> None:
        self.model, self.requested = model, [str(name) for name in outputs]
        self._functions: dict[str, Function] = {}
        self.names: tuple[str, ...] = ()
        self.direct: dict[str, tuple[str, int]] = {}  # output: its group of known rates, and its place there
        for k, name in enumerate(model.coordinates):
            self.direct[name] = "q", k
        for k, name in enumerate(model.speeds):
            self.direct[name] = "v", k
            self.direct[acceleration_name(name)] = "a", k
        for k, name in enumerate(model.drives):
            self.direct[drive_effort_name(name)] = "efforts", k
        self.reactions = {f"{name}.reaction": name for name in carriers(model)}
        self.sources = self._sources() if any(n not in self.direct for n in self.requested) else {}
        known = [*self.direct, *self.reactions, *self.sources]
        for name in self.requested:
            if name not in known and frame_signal_of(model, name) is not None:
                self._functions[name] = frame_signal(model, name)
                self.sources[name] = name
            else:
                check_known(name, known, "outputs name {}, which a result does not have")

    def _sources(self) -> dict[str, str]:
        """{output: the name of the Function that gives it}."""
        self._functions["signals"] = signals(self.model)
        homes = {p.name: "signals" for p in self._functions["signals"].outputs}
        homes["energy"] = "signals"
        if self.model.sensors:
            self._functions["measurements"] = measurements(self.model)
            homes |= {p.name: "measurements" for p in self._functions["measurements"].outputs}
        return homes

    @property
    def carried(self) -> bool:
        """Whether multipliers are needed."""
        tied = bool(self.model.cuts or self.model.constraints)
        return tied and any(
            n in self.reactions or self.sources.get(n) == "measurements" for n in self.requested
        )

    def slopes(
        self,
        here: OperatingPoint,
        rates: Mapping[str, Array],
        z: Array,
        by: Mapping[str, Array],
        d: Mapping[str, Array],
    ) -> Array:
        """A row for each number of each output, a column for each direction."""
        rows: list[Array] = []
        names: list[str] = []
        known: dict[str, dict[str, Array]] = {}
        count = len(d["q"])
        for name in self.requested:
            if name in self.direct:
                group, k = self.direct[name]
                rows.append(d[group][:, k])
                names.append(name)
                continue
            which = self.reactions.get(name) or self.sources[name]
            if which not in known:
                f = self._functions.get(which) or reaction(self.model, which)
                known[which] = _along(here, f, ("output", which), rates, z, by, d)
            table = known[which]
            if name == "energy":
                x = table["kinetic"] + table["potential"]
            else:
                x = table["wrench" if name in self.reactions else "value" if which == name else name]
            flat = np.reshape(x, (count, -1))
            rows += list(flat.T)
            names += _parts(name, flat.shape[1], name in self.reactions)
        self.names = tuple(names)
        return np.array(rows).reshape(len(rows), count)


def _along(
    here: OperatingPoint,
    f: Function,
    key: Any,
    rates: Mapping[str, Array],
    z: Array,
    by: Mapping[str, Array],
    d: Mapping[str, Array],
) -> dict[str, Array]:
    """How the outputs of f change, by the chain rule over q, v, a, lam, efforts, z and u."""
    changes = {name: d[name] for name in ("q", "v", "a", "lam", "efforts") if name in d}
    changes |= {name: by[name] for name in ("z", "u") if name in by}
    values = {**here.known(rates["q"], rates["v"], z)}
    values |= {name: rates[name] for name in ("a", "lam", "efforts") if name in rates}
    states, held = here.extras.of_forces
    ports = {port.name: len(port.refs) for port in f.inputs}
    if ports.get("z", len(z)) != len(z):  # friction of joints and drives have states of their own
        places = [list(here.extras.states).index(n) for n in states]
        values["z"] = z[places]
        if "z" in changes:
            changes["z"] = changes["z"][:, places]
    if ports.get("u", len(here.u)) != len(here.u):
        places = [here.extras.held.index(n) for n in held]
        values["u"] = here.u[places]
        if "u" in changes:
            changes["u"] = changes["u"][:, places]
    return here.others_along(f, key, values, changes)


def _parts(name: str, count: int, wrench: bool) -> list[str]:
    """The names of the parts of an output."""
    if count == 1:
        return [name]
    parts = part_names(count) if wrench or count != 6 else tuple(map(str, range(count)))
    return [f"{name}.{part}" for part in parts]
