"""Resets of events as Functions: what the actions of an event do to a state, one after the other."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isnan
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import sqrt, where
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names, position_rows
from hapsis.mechanics.formalisms.constraints.row_units import row_units
from hapsis.mechanics.formalisms.deferred_verbs import constraint_loads, row_rates
from hapsis.mechanics.model.constraints.motion_constraints import Pinned
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.readings import SINCE
from hapsis.mechanics.model.values.user_functions import call_user
from hapsis.motion.hybrid.actions import Impact, Reset, Swap
from hapsis.motion.hybrid.exchange import misfit, relabelled
from hapsis.motion.hybrid.impacts import Jump
from hapsis.motion.hybrid.readings import PUSH
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.run.events import Event, SignalView, event_values

Jumps = Callable[[Impact, Sequence[Swap]], Jump]


class HybridSymbols(NamedTuple):
    """The inputs of a Function of a phase: those of its system, and the time at which the phase began."""

    x: Mapping[str, Any]
    begun: Any

    @staticmethod
    def of(system: System) -> "HybridSymbols":
        """Those of a system."""
        x = system.symbols()
        return HybridSymbols(x, symbol("begun", graph=x["t"].graph))

    def view(self, system: System, at: Mapping[str, Any]) -> SignalView:
        """What events read at these symbols."""
        view = system.view(at)
        view.know(SINCE, lambda: self.x["t"] - self.begun)
        names = constraint_names(system.model)
        if system.partition is not None and names:
            part = system.partition

            @cache
            def multipliers() -> Any:
                return system.outputs_by_name(constraint_loads(system.model, part), at)["lam"]

            for k, name in enumerate(names):
                view.know(name, lambda k=k: multipliers()[k])
            for fact in system.model.constraints.values():
                if isinstance(fact, Pinned) and f"{fact.name}.z" in names:
                    k = names.index(f"{fact.name}.z")
                    view.know(f"{fact.first}.{PUSH}", lambda k=k: multipliers()[k])
        return view

    def function(self, system: System, name: str, outputs: Any, **more: Any) -> Function:
        """A Function of t, y, begun and what is shared."""
        inputs = {**system.state_inputs(self.x), "begun": self.begun, **more}
        defaults = {"near": [1.0] * system.extras.near} if "near" in inputs else None
        return Function(name, inputs, outputs, defaults=defaults)


def watch_values(events: Sequence[Event], active: Sequence[bool], view: SignalView, zero: Any) -> list[Any]:
    """The values that pass zero at events; 1 for those that cannot happen in the phase."""
    mine = iter(event_values([e for e, on in zip(events, active, strict=True) if on], view, zero))
    return [next(mine) if on else zero + 1.0 for on in active]


def value_function(system: System, events: Sequence[Event], active: Sequence[bool]) -> Function:
    """(t, y, begun, ...) -> g: the values that pass zero, at a state that is closed already."""
    symbols = HybridSymbols.of(system)
    values = watch_values(events, active, symbols.view(system, symbols.x), symbols.x["y"][0] * 0.0)
    return symbols.function(system, "watched", {"g": values})


class State(NamedTuple):
    """A state on its way through actions."""

    q: list[Any]
    v: list[Any]
    z: list[Any]


class ResetWriter:
    """Writes the reset of an event in one phase."""

    def __init__(self, system: System, event: Event, actions: Sequence[Any]) -> None:
        self.system, self.event, self.actions = system, event, list(actions)
        self.symbols = HybridSymbols.of(system)
        self.x = self.symbols.x
        self.misfits: list[Any] = []  # squares of what joints could not follow in swaps so far

    def arrival(self) -> Function:
        """(t, y, ...) -> arrived: q, v, z after all actions but without jumps of impacts."""
        state = self._after(None, None)[0]
        return self.symbols.function(self.system, "arrival", {"arrived": [*state.q, *state.v, *state.z]})

    def reset(self, after: System, jumps: Jumps) -> Function:
        """(t, y, ...) -> result: mask, gap, change of energy, y, impulses."""
        state, impulses = self._after(after, jumps)
        energy = [self._energy(self.system, self._start()), self._energy(after, state)]
        change = energy[1] - energy[0]
        zero = self.x["y"][0] * 0.0
        W = self.x["y"][-1] + change
        gap = self._gap(after, state)
        result = [self._mask(), gap, change, *state.q, *state.v, *state.z, W, *impulses]
        return self.symbols.function(self.system, "reset", {"result": [zero + x for x in result]})

    def mask(self) -> Function:
        """(t, y, ...) -> mask: not zero where the conditions of the event hold."""
        zero = self.x["y"][0] * 0.0
        return self.symbols.function(self.system, "mask", {"mask": zero + self._mask()})

    # parts ---------------------------------------------------------------------------------------

    def _start(self) -> State:
        return State(list(self.x["q"]), list(self.x["v"]), list(self.x["z"]))

    def _at(self, state: State) -> dict[str, Any]:
        y = [*state.q, *state.v, *state.z, self.x["y"][-1]]
        return {**self.x, "q": state.q, "v": state.v, "z": state.z, "y": y}

    def _mask(self) -> Any:
        view = self.symbols.view(self.system, self.x)
        mask: Any = 1.0
        for only in self.event.only:
            value = call_user(only, f'event "{self.event.name[:60]}": only', view)
            nothing = isinstance(value, float) and isnan(value)
            if nothing or not isinstance(value, Expr | bool | int | float):
                raise ModelError(
                    f'event "{self.event.name[:60]}": only must give a comparison, not {described(value)}'
                )
            mask = where(value, mask, 0.0) if isinstance(value, Expr) else mask if value else 0.0
        return mask

    def _energy(self, system: System, state: State) -> Any:
        values = system.outputs_by_name(system.force_signals(), self._at(state))
        return values["kinetic"] + values["potential"]

    def _gap(self, after: System, state: State) -> Any:
        """How far the state is from the rows of the phase after, or joints from a swap: the largest."""
        names = constraint_names(after.model)
        worst: Any = 0.0
        for part in self.misfits:
            worst = where(part > worst, part, worst)
        if not names:
            return sqrt(worst) if self.misfits else 0.0
        rows = after.outputs_by_name(row_rates(after.model), self._at(state))
        units, places = row_units(after.model), set(position_rows(after.model))
        for name, h, rate in zip(names, rows["h"], rows["rate"], strict=True):
            for size in (h * h, rate * rate) if name in places else (rate * rate,):
                part = size * (1.0 / units[name] ** 2)
                worst = where(part > worst, part, worst)
        return sqrt(worst)

    def _after(self, after: System | None, jumps: Jumps | None) -> tuple[State, list[Any]]:
        """The state after all actions, and the impulses of the impacts among them."""
        state, impulses = self._start(), []
        for k, action in enumerate(self.actions):
            if isinstance(action, Swap):
                state = self._swapped(state, action)
            elif isinstance(action, Reset):
                state = self._with(state, action)
            elif isinstance(action, Impact) and jumps is not None:
                swaps = [each for each in self.actions[k + 1 :] if isinstance(each, Swap)]
                for swap in swaps:
                    state = self._swapped(state, swap)
                jump = jumps(action, swaps)
                if jump.function is not None:
                    values = self._outputs(after, jump.function, {**self._at(state), **jump.coefficients})
                    state = state._replace(v=list(values["v"]))
                    impulses += list(values["lam"]) if jump.rows else []
                if len(swaps) == len(self.actions) - k - 1:
                    break  # nothing is left but these swaps, and they are done
                for swap in reversed(swaps):
                    state = self._swapped(state, swap)
        return state, impulses

    def _outputs(self, system: System | None, f: Function, known: Mapping[str, Any]) -> dict[str, Any]:
        return (system or self.system).outputs_by_name(f, known)

    def _swapped(self, state: State, swap: Swap) -> State:
        q, v = relabelled(self.system.model, swap)(state.q, state.v)
        left = misfit(self.system.model, swap)
        if left is not None:
            self.misfits.append(left(state.q, state.v))
        names = list(self.system.extras.states)
        sources = [swap.renamed(n) if swap.renamed(n) in names else n for n in names]
        z = [state.z[names.index(n)] for n in sources]
        return State(list(q), list(v), z)

    def _with(self, state: State, action: Reset) -> State:
        model, view = self.system.model, self.symbols.view(self.system, self._at(state))
        lists = {n: (state.q, k) for k, n in enumerate(model.coordinates)}
        lists |= {n: (state.v, k) for k, n in enumerate(model.speeds)}
        lists |= {n: (state.z, k) for k, n in enumerate(self.system.extras.states)}
        new = State(list(state.q), list(state.v), list(state.z))
        for name, value in action.values.items():
            what = f'event "{self.event.name[:60]}": reset of'
            check_known(name, lists, what + " {}, which is no coordinate, speed or state")
            if callable(value):
                value = call_user(value, f'{what} "{name[:60]}"', view)
            if not isinstance(value, Expr | int | float):
                raise ModelError(f'{what} "{name[:60]}" must be one number, not {described(value)}')
            place, k = lists[name]
            (new.q if place is state.q else new.v if place is state.v else new.z)[k] = value
        return new
