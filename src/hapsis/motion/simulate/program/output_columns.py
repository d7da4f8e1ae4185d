"""The columns that a program prints, as one Function of t, y and u."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError, near
from hapsis.mechanics.formalisms.deferred_verbs import reaction
from hapsis.mechanics.formalisms.dynamics.carriers import carriers
from hapsis.mechanics.model.names import acceleration_name, drive_effort_name
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.signals.frame_signals import frame_signal_of
from hapsis.mechanics.model.signals.vector_parts import part_names
from hapsis.motion.simulate.equations.system import System

ENERGIES = ("energy", "kinetic", "potential", "work")


class OutputColumns:
    """Signals of a system by name, as in a Result, at a state that is closed already.

    more    {name: its value from the loads of the system}: signals that the model does not know of
    """

    def __init__(
        self, system: System, more: Mapping[str, Callable[[Mapping[str, Any]], Any]] | None = None
    ) -> None:
        self.system, self.model, self.more = system, system.model, more or {}
        self.x = system.symbols()

    def function(
        self, names: Sequence[str], constants: Mapping[str, float] | None = None
    ) -> tuple[tuple[str, ...], Function]:
        """The names of all numbers of a row, vectors as NAME.x, NAME.y, NAME.z, and the row as a Function.

        constants    further columns, behind the others
        """
        columns: dict[str, Any] = {}
        for name in names:
            columns |= self._parts(name, self._value(name))
        zero = self.x["y"][0] * 0.0
        columns |= {name: zero + x for name, x in (constants or {}).items()}
        return tuple(columns), self.system.function("columns", self.x, {"row": list(columns.values())})

    def _parts(self, name: str, value: Any) -> dict[str, Any]:
        numbers = _numbers(value)
        if numbers is None:
            return {name: value}
        unit = column_units(self.model, (name,)).get(name, "")
        return {f"{name}.{p}": x for p, x in zip(part_names(len(numbers), unit), numbers, strict=True)}

    def _value(self, name: str) -> Any:
        if name in self.more:
            return self.x["y"][0] * 0.0 + self.more[name](self._loads)
        if name in self._accelerations:
            return self._accelerations[name]
        if name in self._drive_efforts:
            return self._drive_efforts[name]
        owner = name.removesuffix(".reaction")
        if owner != name and owner in carriers(self.model):
            return self._reaction(owner)
        if name in tuple(self.view) or frame_signal_of(self.model, name) is not None:
            return self.view[name]
        head, _, last = name.rpartition(".")
        if head in tuple(self.view) or head.removesuffix(".reaction") in carriers(self.model):
            parts = self._parts(head, self._value(head))
            if name in parts:
                return parts[name]
            known = [part.rpartition(".")[2] for part in parts if part != head]
            if not known:  # of one number
                raise self._unknown(name)
            raise ModelError(f'outputs name "{name[:60]}"{near(last, known)}', expected=", ".join(known))
        raise self._unknown(name)

    def _unknown(self, name: str) -> ModelError:
        hint = near(name, self.known)
        return ModelError(f'outputs name "{name[:60]}", which the model does not have{hint}')

    @property
    def known(self) -> tuple[str, ...]:
        """The names of all signals, without those of frames."""
        wrenches = (f"{name}.reaction" for name in carriers(self.model))
        return (*self.view, *self._accelerations, *self._drive_efforts, *wrenches, *self.more)

    @cached_property
    def view(self) -> Any:
        """Coordinates, speeds, energies and signals of forces."""
        return self.system.view(self.x)

    @cached_property
    def _loads(self) -> Mapping[str, Any]:
        """a, and where there are constraints lam and efforts of drives, at these symbols."""
        return self.system.loads(self._called)

    def _called(self, function: Function) -> dict[str, Any]:
        known = {**self.x, "near": [1.0] * self.system.extras.near}
        values = blocks.call(function, *(known[port.name] for port in function.inputs))
        return {n: _array(v) for n, v in function.outputs_by_name(values).items()}

    @cached_property
    def _accelerations(self) -> Mapping[str, Any]:
        names = list(map(acceleration_name, self.model.speeds))
        return _Late(names, lambda: self._loads["a"])

    @cached_property
    def _drive_efforts(self) -> Mapping[str, Any]:
        names = [drive_effort_name(name) for name in self.model.drives]
        return _Late(names, lambda: self._loads["efforts"])

    def _reaction(self, owner: str) -> Any:
        function = reaction(self.model, owner)
        return self.system.outputs(function, {**self.x, **self._loads})


class _Late(Mapping[str, Any]):
    """Values by name that are written when one of them is read."""

    def __init__(self, names: Sequence[str], values: Callable[[], Any]) -> None:
        self._names, self._values = list(names), values

    def __getitem__(self, name: str) -> Any:
        return self._values()[self._names.index(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _array(value: Any) -> Any:
    return value if isinstance(value, Expr) else np.array(list(value), dtype=object)


def _numbers(value: Any) -> list[Any] | None:
    """The numbers of a vector or a matrix, row by row; None of one number."""
    if isinstance(value, Expr) or not hasattr(value, "__len__"):
        return None
    numbers: list[Any] = []
    for part in value:
        inner = _numbers(part)
        numbers += [part] if inner is None else inner
    return numbers
