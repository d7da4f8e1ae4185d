"""The outputs of a time step: at its end, the extremes over its substeps, and the first touches of contacts.

NAME                       the value at the end of the step
NAME.max, NAME.min         the largest and the smallest at the ends of its substeps
CONTACT.touch.time         the time t of the first touch in the step, s; -1 where there is none
CONTACT.touch.speed        the speed of approach there, m/s; 0 where there is none
NAME.reaction              the wrench of a joint or a constraint, or one of its numbers, .mx to .fz
deepest                    the largest depth of a contact at the ends of its substeps over that for which the
                           substeps suffice, by its stiffness there; 0 where none is pressed
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.graph.elementary_functions import maximum, minimum
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError, near
from hapsis.mechanics.formalisms.deferred_verbs import reaction
from hapsis.mechanics.formalisms.dynamics.carriers import carriers
from hapsis.mechanics.model.names import acceleration_name, drive_effort_name
from hapsis.mechanics.model.signals.frame_signals import frame_signal_of
from hapsis.motion.simulate.step_touches import Touch, gap_function

if TYPE_CHECKING:
    from hapsis.motion.simulate.step_writer import StepWriter

NOT_IN_STEPS = ("kinetic", "potential", "work")  # columns of a Result that need more than a step
EXTREMES = {".max": maximum, ".min": minimum}
TOUCHES = (".touch.time", ".touch.speed")
BEFORE = "energy.before"
DEEPEST = "deepest"
REACTION = ".reaction"
SIX = ("mx", "my", "mz", "fx", "fy", "fz")


class StepOutputs:
    """The outputs of a step that is written.

    writer   of the step
    states   the states at the start and at the ends of all substeps
    """

    def __init__(self, writer: "StepWriter", states: Sequence[Sequence[Any]]) -> None:
        self.writer, self.system, self.states = writer, writer.system, states

    def of(self, names: Sequence[str]) -> dict[str, Any]:
        """The outputs of these names."""
        plain = [n for n in names if not self._extreme(n) and not self._touched(n) and n != DEEPEST]
        extremes = [n for n in names if self._extreme(n)]
        values = self._at_end(plain, extremes)
        values |= self._extremes(extremes)
        contacts = dict.fromkeys(self._touched(n) for n in names if self._touched(n))
        for contact in contacts:
            touch = self._touch(contact)
            values |= dict(zip((f"{contact}{e}" for e in TOUCHES), (touch.time, touch.speed), strict=True))
        if DEEPEST in names:
            values[DEEPEST] = self._deepest()
        return {name: values[name] for name in names}

    def _deepest(self) -> Any:
        """The largest depth of all contacts over that for which the substeps suffice."""
        largest: Any = self.writer.t * 0.0
        for name, contact in self.system.model.contacts.items():
            own = self.writer.depths.get(contact.label)
            if own is None:
                continue
            function = gap_function(self.system, name)
            for k, y in enumerate(self.states[1:], 1):
                gap = function.outputs_by_name(self.writer.call(function, k / (len(self.states) - 1), y))
                largest = maximum(largest, gap["gap"] / (0.0 - own))
        return largest

    def _extreme(self, name: str) -> str:
        """Of what a name is an extreme; empty where it is none."""
        base, dot, last = name.rpartition(".")
        own = name in self.system.signal_names or name in self.system.model.coordinates
        return base if f"{dot}{last}" in EXTREMES and not own else ""

    def _touched(self, name: str) -> str:
        """The contact of whose touch a name tells; empty where it tells of none."""
        for ending in TOUCHES:
            contact = name.removesuffix(ending)
            if contact != name:
                if contact not in self.system.model.contacts:
                    known = [f"{c}{ending}" for c in self.system.model.contacts]
                    raise ModelError(
                        f'outputs name "{name[:60]}", and "{contact[:60]}" is no contact{near(name, known)}'
                    )
                return contact
        return ""

    # values --------------------------------------------------------------------------------------

    def _at_end(self, names: Sequence[str], extremes: Sequence[str]) -> dict[str, Any]:
        values = self._values(names, len(self.states) - 1, whole=True)
        for name in names:
            if name not in values:
                raise self._unknown(name)
        for name in extremes:
            if self._extreme(name) == BEFORE:
                raise ModelError(f'outputs name "{name}": there is one energy before a step')
        return values

    def _extremes(self, names: Sequence[str]) -> dict[str, Any]:
        """The extremes over the ends of all substeps."""
        bases = tuple(dict.fromkeys(self._extreme(name) for name in names))
        if not bases:
            return {}
        count = len(self.states) - 1
        rows = [self._values(bases, k, whole=k == count) for k in range(1, count + 1)]
        for base in bases:
            if base not in rows[0]:
                raise self._unknown(base)
            if not isinstance(rows[0][base], Expr | float):
                raise ModelError(
                    f'outputs name an extreme of "{base[:60]}", which is a vector', expected="a number"
                )
        values: dict[str, Any] = {}
        for name in names:
            base = self._extreme(name)
            extreme, values[name] = EXTREMES[name[len(base) :]], rows[0][base]
            for row in rows[1:]:
                values[name] = extreme(values[name], row[base])
        return values

    def _values(self, names: Sequence[str], k: int, whole: bool) -> dict[str, Any]:
        """Values at the end of the substep k, counted from 1, at least those of these names that there are.

        whole   means of accelerations are those over the whole step, not those over the substep
        """
        writer, system, y = self.writer, self.system, self.states[k]
        model, layout, count = system.model, system.layout, len(self.states) - 1
        part, start = k / count, 0.0 if whole else (k - 1) / count
        told = writer.inputs.told(start, part)
        state: dict[str, Any] = dict(zip((*model.coordinates, *model.speeds), y, strict=False))
        values, left = dict(state), [name for name in names if name not in state]
        accelerations = [acceleration_name(name) for name in model.speeds]
        if any(name in accelerations for name in left):
            a = writer.rates(part, y, told)[layout.n_q : layout.n_q + layout.n_v]
            values |= dict(zip(accelerations, a, strict=True))
        efforts = [drive_effort_name(name) for name in model.drives]
        felt = [f"{name}.force" for name in model.drives]
        carried = {n.partition(REACTION)[0] for n in left if n not in values and self._carrier(n)}
        asked = carried or any(name in (*efforts, *felt) for name in left)
        loads = self._loads(part, y, told) if asked else {}
        if "efforts" in loads:
            values |= dict(zip(felt, (-x for x in loads["efforts"]), strict=True))
            values |= dict(zip(efforts, loads["efforts"], strict=True))
        for name in carried:
            wrench = self._reaction(name, part, y, told, loads)
            values[f"{name}{REACTION}"] = wrench
            values |= {f"{name}{REACTION}.{axis}": x for axis, x in zip(SIX, wrench, strict=True)}
        if any(name in system.signal_names for name in left):
            values |= system.signals().outputs_by_name(writer.call(system.signals(), part, y, told))
        for name, at, at_state in (("energy", part, y), (BEFORE, 0.0, self.states[0])):
            if name in left:
                values[name] = sum(writer.call(system.energies(), at, at_state), writer.t * 0.0)
        for name in left:
            if name not in values and frame_signal_of(model, name) is not None:
                reading = system.reading(name)
                values[name] = reading.outputs_by_name(writer.call(reading, part, y, told))["value"]
        return values

    def _carrier(self, name: str) -> bool:
        """Whether it names the wrench of a joint or a constraint, or one of its six numbers."""
        carrier, reaction, number = name.partition(REACTION)
        known = ("", *(f".{axis}" for axis in SIX))
        return bool(reaction) and number in known and carrier in carriers(self.system.model)

    def _loads(self, part: float, y: Sequence[Any], told: Sequence[Any]) -> dict[str, Any]:
        """Accelerations, multipliers and efforts of drives; of a tree the accelerations alone."""
        layout, loads = self.system.layout, self.system.constraint_loads()
        if loads is not None:
            return loads.outputs_by_name(self.writer.call(loads, part, y, told))
        rates = self.writer.rates(part, y, told)
        return {"a": rates[layout.n_q : layout.n_q + layout.n_v]}

    def _reaction(
        self, name: str, part: float, y: Sequence[Any], told: Sequence[Any], loads: dict[str, Any]
    ) -> list[Any]:
        """The wrench of the first end on the second, as in a Result."""
        system = self.system
        n_q, n_v = system.layout.n_q, system.layout.n_v
        q, v, z = y[:n_q], y[n_q : n_q + n_v], y[n_q + n_v :]
        states, held = system.extras.of_forces
        every = list(system.extras.states)
        known = {
            **loads, "q": q, "v": v, "t": self.writer.time(part),
            "z": [z[every.index(n)] for n in states],
            "u": [told[system.held.index(n)] for n in held],
        }  # fmt: skip
        function = reaction(system.model, name)
        return list(blocks.call(function, *(known[port.name] for port in function.inputs)))

    def _touch(self, contact: str) -> Touch:
        """The first touch of a contact in the step."""
        writer, count = self.writer, len(self.states) - 1
        function = gap_function(self.system, contact)
        rows = [
            function.outputs_by_name(writer.call(function, k / count, y)) for k, y in enumerate(self.states)
        ]
        gaps, rates = ([row[name] for row in rows] for name in ("gap", "rate"))
        return Touch(gaps, rates, writer.t, writer.dt / count)

    # errors --------------------------------------------------------------------------------------

    def _unknown(self, name: str) -> ModelError:
        """The error for an output that a step does not compute: of a Result, or of nothing."""
        system, model = self.system, self.system.model
        label = f'outputs name "{name[:60]}"'
        joint, told, _ = name.partition(REACTION)
        if told and joint in carriers(model):
            numbers = [f"{joint}{REACTION}{end}" for end in ("", *(f".{axis}" for axis in SIX))]
            return ModelError(f"{label}: a wrench has no such number{near(name, numbers)}")
        if name in NOT_IN_STEPS:
            return ModelError(f'{label}: a step does not compute it; of energies it has "energy"')
        head = name.rpartition(".")[0]
        if head in system.signal_names:
            return ModelError(f"{label}: of vectors a step gives all numbers", remedy=f'name "{head[:60]}"')
        known = (*model.coordinates, *model.speeds, *map(acceleration_name, model.speeds))
        known += (*map(drive_effort_name, model.drives), *(f"{n}.force" for n in model.drives))
        known += (*system.signal_names, "energy", BEFORE, DEEPEST)
        known += tuple(f"{name}{REACTION}" for name in carriers(model))
        return ModelError(f"{label}, which the model does not have{near(name, known)}")
