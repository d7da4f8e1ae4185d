"""The store of a system's Functions: each is written once, and kept with the model or for one run."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.activity import Activity
from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.dynamics.extras import Extras, extras
from hapsis.mechanics.formalisms.kept_verbs import kept_function
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.model_key import model_key
from hapsis.mechanics.model.units import coordinate_units, energy_unit, speed_units
from hapsis.motion.analysis.start_values import quaternions
from hapsis.motion.simulate.equations.inputs import Inputs


class StateLayout(NamedTuple):
    """Where q, v, z and W stand in y."""

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


class FunctionStore:
    """The Functions that systems of one model with inputs of one kind have in common."""

    def __init__(self, model: Model) -> None:
        self.extras: Extras = extras(model)
        self.quaternions = quaternions(model)
        self.layout = StateLayout(len(model.coordinates), len(model.speeds), len(self.extras.states))
        ones = [1.0] * (self.layout.n_z + 1)
        speeds, moment = np.array(speed_units(model)), energy_unit(model)
        self.units = np.array([*coordinate_units(model), *speeds, *ones])
        self.momentum_units = np.array([*coordinate_units(model), *(moment / speeds), *ones])
        self._functions: dict[Any, Function | None] = {}
        self._compiled: dict[tuple[int, int | None], tuple[Function, Any]] = {}
        self._latest: dict[int, tuple[Function, Any, Any]] = {}

    @staticmethod
    def of(model: Model, inputs: Inputs) -> "FunctionStore":
        """The store kept with the model; a new one where inputs are functions of time, traced anew."""
        model_key(model)  # says so where a function of the model computes something else than before
        if inputs.functions:
            return FunctionStore(model)
        kind = tuple(inputs.numbers), tuple(inputs.tables), tuple(inputs.motions)
        return derived(model, (FunctionStore, *kind), lambda: FunctionStore(model))

    def function(self, key: Any, write: Callable[[], Function | None]) -> Function | None:
        """The Function kept under this key, written on first use."""
        if key not in self._functions:
            with Activity("writing equations"):
                self._functions[key] = write()
        return self._functions[key]

    def compiled(self, function: Function, threads: int | None, make: Callable[[], Any]) -> Any:
        """The native code of one of the store's Functions, made once; None for other Functions."""
        if not any(function is each for each in self._functions.values()):
            return None
        key = id(function), threads
        if key not in self._compiled:
            self._compiled[key] = function, make()
        return self._compiled[key][1]

    def latest(self, function: Function, key: Any, make: Callable[[], Any]) -> Any:
        """What was last made from one of the store's Functions, made again where the key differs."""
        if not any(function is each for each in self._functions.values()):
            return make()
        before = self._latest.get(id(function))
        if before is None or before[1] != key:
            before = self._latest[id(function)] = function, key, make()
        return before[2]


def once(write: Any) -> Any:
    """A method of a System that writes a Function, called once for each store."""

    def written(self: Any) -> Any:
        return self.store.function(write.__name__, lambda: _kept(self, write))

    written.__name__, written.__doc__ = write.__name__, write.__doc__
    return written


def once_per_partition(write: Any) -> Any:
    """A method of a System that writes a Function, called once for each store and partition."""

    def written(self: Any) -> Any:
        return self.store.function(
            (write.__name__, self.partition), lambda: _kept(self, write, repr(self.partition))
        )

    written.__name__, written.__doc__ = write.__name__, write.__doc__
    return written


def _kept(system: Any, write: Any, *more: Any) -> Function | None:
    """The Function that a method of a System writes."""
    return kept_for(system, (write.__module__, write.__qualname__), lambda: write(system), *more)


def kept_for(system: Any, name: tuple[str, str], write: Callable[[], Any], *more: Any) -> Any:
    """The Function that `write` writes for a System, kept on disk.

    more    what it depends on besides the model and the inputs; a None in it: that cannot be told
    """
    if system.inputs.key is None or None in more:
        return write()
    return kept_function(system.model, (*name, system.inputs.key, *more), write)
