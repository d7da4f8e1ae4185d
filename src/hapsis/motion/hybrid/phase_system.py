"""One phase of a hybrid as equations: its system, its partition at a pose, and its Kernels."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.model.checks.changed_values import has_number, parameter_values
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.lasting_partition import lasting_partition
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition, pivot_sizes, pivot_units
from hapsis.motion.hybrid.transitions import HybridSymbols, watch_values
from hapsis.motion.simulate.equations.closed_system import ClosedSystem, has_constraints, pivot_values
from hapsis.motion.simulate.equations.function_store import FunctionStore
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels, known_parameters
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.equations.tree_system import TreeSystem
from hapsis.motion.simulate.run.events import Event

Array = np.ndarray[Any, np.dtype[np.float64]]
WEAK = 0.1  # of a pivot where the partition was made: below it a better one is looked for
FAR = 1e300


@final
class PhaseSystem:
    """A phase: its model, the system by the partition of the moment, and the Kernels of a run.

    loops      its constraint rows in numbers, made if not given; None where it has none
    system     None until a pose is known at which it begins
    """

    def __init__(
        self,
        name: str,
        model: Model,
        inputs: Inputs,
        parameters: Mapping[str, float],
        threads: int | None,
        loops: Loops | None = None,
    ) -> None:
        self.name, self.model, self.inputs = name, model, inputs
        self.parameters, self.threads = dict(parameters), threads
        self.store = FunctionStore.of(model, inputs)
        self.loops: Loops | None = None
        self.system: System | None = None
        self.turns: list[tuple[float, System]] = []  # its systems, and from when on
        self.kernels: Kernels | None = None
        self.values: dict[str, float] = {}  # what is held
        self.limits = np.array([WEAK, FAR])
        self.reference = np.zeros(0)
        if has_constraints(model):
            self.loops = loops or Loops(
                model, inputs=inputs.drive_values(0.0), parameters=self._known(parameters)
            )
        else:
            self._use(TreeSystem(model, inputs, self.store))

    def _known(self, parameters: Mapping[str, float]) -> dict[str, float]:
        """Those parameters that this phase has: others have rows of their own."""
        known: dict[str, float] = {}
        for name, value in parameters.items():
            try:
                known |= parameter_values(self.model, {name: value})
            except ModelError:  # of a constraint of another phase
                continue
        return known

    def _use(self, system: System) -> None:
        self.system = system
        if self.kernels is None:
            known = known_parameters(system)
            values = {
                n: x for n, x in self.parameters.items() if n in known or has_number(self.model, n)
            }  # others belong to other phases
            self.kernels = Kernels(system, values, self.threads)
            self.kernels.hold(self.values)
        else:
            self.kernels.use(system)

    def hold(self, values: Mapping[str, float]) -> None:
        """Changes what is held; also before the Kernels are there."""
        self.values |= values
        if self.kernels is not None:
            self.kernels.hold(values)

    # the partition -------------------------------------------------------------------------------

    @property
    def constrained(self) -> bool:
        """Whether there is something to close."""
        return self.loops is not None

    @property
    def timed(self) -> bool:
        """Whether its motion may take something from the time besides inputs."""
        controlled = any(isinstance(force, Controller) for force in self.model.forces.values())
        return bool(self.model.drives) or controlled or (self.loops is not None and self.loops.timed)

    def start(self, system: System, q: Array, t: float) -> None:
        """Takes the system that the start was found with."""
        self._use(system)
        self.turns.append((t, system))
        self._measure(q, t)

    def choose(self, q: Array, t: float) -> bool:
        """Takes the best partition at a pose; False where that is the one there is."""
        assert self.loops is not None
        partition = best_partition(self.loops, q, t, preferred=self.model.independent)
        same = self.system is not None and partition == self.system.partition
        if not same:
            self._turn(partition, t)
        self._measure(q, t)
        return not same

    def _turn(self, partition: Partition, t: float) -> None:
        system = ClosedSystem(self.model, self.inputs, self.store, partition)
        self._use(system)
        self.turns.append((t, system))

    def parts(self, t: Array) -> Iterator[Any]:
        """Which of these rows each of its systems has written; meanwhile that one is the present one."""
        last, begins = self.system, [-np.inf, *(begin for begin, _ in self.turns[1:]), np.inf]
        for (_, system), begin, end in zip(self.turns, begins, begins[1:], strict=False):
            mine = (t >= begin) & (t < end)
            if mine.any():
                self._use(system)
                yield mine
        if not self.turns:
            yield np.ones(len(t), bool)
        if last is not None:
            self._use(last)

    def settle(self, q: Array, t: float) -> None:
        """Takes a partition that stays good, for motions that keep it."""
        if self.loops is None:
            return
        partition = lasting_partition(self.loops, q, t)
        if self.system is None or partition != self.system.partition:
            self._use(ClosedSystem(self.model, self.inputs, self.store, partition))
        self._measure(q, t)

    def improve(self, q: Array, t: float, times: float) -> bool:
        """Takes the best partition at a pose where its smallest pivot is so many times larger."""
        assert self.loops is not None and self.system is not None and self.system.partition is not None
        old, new = self.system.partition, best_partition(self.loops, q, t)
        now, then = (np.abs(pivot_sizes(self.loops, each, q, t)).min() for each in (old, new))
        if len(new.rows) != len(old.rows) or not then > times * now:
            return False
        self._turn(new, t)
        self._measure(q, t)
        return True

    def _measure(self, q: Array, t: float) -> None:
        """Makes the current pivots the reference."""
        self.limits[:] = WEAK, FAR
        partition = None if self.system is None else self.system.partition
        if self.loops is None or partition is None or not partition.rows:
            return
        sizes = np.maximum(np.abs(pivot_sizes(self.loops, partition, q, t)), 1e-300)
        self.reference = 1.0 / sizes / pivot_units(self.loops, partition)

    # Functions and Kernels -----------------------------------------------------------------------

    def watch(self, events: Sequence[Event], active: Sequence[bool], kept: Any) -> Any:
        """The Kernel (t, y, begun, g) of what the phase watches; `kept` keeps its Function."""
        system = self.system
        assert system is not None and self.kernels is not None
        function = kept(
            self, ("watch", *active, system.partition), lambda: watch_function(system, events, active)
        )
        more = {"reference": self.reference, "limits": self.limits} if _has_pivots(system) else {}
        shared = self.kernels.shared(function)
        return self.kernels.bind(function, ("t", "y", "begun", "g"), **shared, **more)

    def motion(self) -> Any:
        """The Kernel (t, y, dy) of the motion."""
        assert self.system is not None and self.kernels is not None
        return self.kernels.handle(self.system.motion(), "dy")

    def closing(self) -> Any:
        """The Kernel (t, y, closed) that meets the constraints."""
        assert self.system is not None and self.kernels is not None
        return self.kernels.handle(closing_function(self.system), "closed")


def _has_pivots(system: System) -> bool:
    return system.partition is not None and bool(system.partition.rows)


def watch_function(system: System, events: Sequence[Event], active: Sequence[bool]) -> Function:
    """(t, y, u, near, begun, reference, limits) -> g."""

    def write() -> Function:
        symbols_of = HybridSymbols.of(system)
        x = symbols_of.x
        view = symbols_of.view(system, system.closed(x)) if any(active) else None
        zero = x["y"][0] * 0.0
        values = watch_values(events, active, view, zero) if view is not None else [zero + 1.0] * len(events)
        if not _has_pivots(system):
            return symbols_of.function(system, "watch", {"g": [*values, zero + 1.0, zero - 1.0]})
        assert system.partition is not None
        pivots, more = pivot_values(system, system.partition, x)
        return symbols_of.function(system, "watch", {"g": [*values, *pivots]}, **more)

    key = f"hybrid watch {[int(x) for x in active]}"
    return system.kept_for_events(key, events, write)


def closing_function(system: System) -> Function:
    """(t, y, u) -> closed: the state with its constraints met."""

    def write() -> Function:
        x = system.symbols()
        return system.function("closing", x, {"closed": system.closed(x)["y"]})

    function = system.store.function(("hybrid closing", system.partition), write)
    assert function is not None
    return function
