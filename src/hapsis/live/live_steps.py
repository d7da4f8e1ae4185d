"""The steps of a page, one for each partition of its loops, as Functions that a module exports."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from hapsis.compiler.backends.wasm.wasm import Exported, Helper
from hapsis.compiler.backends.wasm.wasm_linker import WasmModule
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.parts import hoisted
from hapsis.live.live_signals import Ported
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduced_dynamics import dependent_pivots
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.partition import partition
from hapsis.motion.analysis.assembly.reduce import pivot_units
from hapsis.motion.analysis.assembly.several_partitions import partitions
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.simulate.stepper import stepper, steps


class LiveStep(NamedTuple):
    """A step with what it prepares from parameters, and the pivots that say how well its partition leads.

    units    of the pivots
    number   among the steps of the page, 0 for that of the start
    """

    step: Function
    before: Function | None
    kernel: Function
    pivots: Function | None
    units: list[float]
    number: int

    @property
    def functions(self) -> list[Function]:
        """The Functions that it computes with."""
        return [self.step] if self.pivots is None else [self.step, self.pivots]

    @property
    def helpers(self) -> dict[str, Helper]:
        """No native code."""
        return {}

    @property
    def called(self) -> list[Function]:
        """Nothing is called by native code."""
        return []

    @property
    def digest(self) -> str:
        """What tells the step from others."""
        return self.step.digest.hex()

    def exported(self, order: Mapping[str, int]) -> list[Exported]:
        """Its Functions by the names that a page calls."""
        own = range(len(self.kernel.parameters)) if self.before is not None else places_of(self.kernel, order)
        functions = [Exported(f"step{self.number}", self.kernel, own)]
        if self.before is not None:
            functions.append(Exported(f"prepare{self.number}", self.before, places_of(self.before, order)))
        if self.pivots is not None:
            functions.append(Exported(f"pivots{self.number}", self.pivots, places_of(self.pivots, order)))
        return functions

    def content(self, module: WasmModule, address: int, order: Mapping[str, int]) -> dict[str, Any]:
        """What a page needs to call them; they have no memory."""
        prepared = 0 if self.before is None else sum(len(port.refs) for port in self.before.outputs)
        return {
            "parameters": bool(self.kernel.parameters),
            "prepared": prepared,
            "pivots": None if self.pivots is None else call(self.pivots),
            "units": self.units,
            "native": None,
        }


class Lead(NamedTuple):
    """The coordinates that lead at the start, and how many rows of loops are redundant there."""

    coordinates: tuple[str, ...]
    redundant: int


def live_steps(model: Model, dt: float, options: Mapping[str, Any]) -> tuple[list[LiveStep], Lead]:
    """The steps of a model, one for each partition that a page needs, and what leads at the start.

    `options` are those of `stepper`.
    """
    chosen: list[tuple[Partition, list[float]]] = []
    lead = [Lead(tuple(map(coordinate_name, model.speeds)), 0)]

    def choose(loops: Loops, q: Any, first: Partition) -> list[Partition]:
        free = [k for k in range(len(model.speeds)) if k not in (*first.dependent, *loops.held)]
        names = tuple(coordinate_name(model.speeds[k]) for k in free)
        lead[0] = Lead(names, len(loops.names) - len(first.rows))
        parts = partitions(loops, q, first)
        chosen.extend((part, pivot_units(loops, part).tolist()) for part in parts)
        return parts

    written = steps(model, dt, choose, **options)
    moving: list[LiveStep] = []
    for number, step in enumerate(written):
        before, kernel = hoisted(step)
        pivots, units = None, []
        if len(written) > 1:
            part, units = chosen[number]
            pivots = dependent_pivots(model, part)
        moving.append(LiveStep(step, before, kernel, pivots, units, number))
    return moving, lead[0]


def hybrid_steps(hybrid: Hybrid, dt: float, options: Mapping[str, Any]) -> tuple[list[LiveStep], Lead]:
    """The one step of a hybrid, and what leads in the phase at the start."""
    step = stepper(hybrid, dt, **options)
    before, kernel = hoisted(step)
    names = tuple(map(coordinate_name, hybrid.speeds))
    lead = Lead(partition(hybrid.model).independent if hybrid.model.constraints else names, 0)
    return [LiveStep(step, before, kernel, None, [], 0)], lead


def facts(model: Model, lead: Lead) -> str:
    """One quiet line: what the model is."""
    counts = {
        "body": sum(name != "world" for name in model.bodies),
        "degree of freedom": len(lead.coordinates),
        "closed loop": len(model.joints) - len(model.tree),
        "constraint": len(model.constraints),
        "redundant row": lead.redundant,
    }
    plural = {"body": "bodies", "degree of freedom": "degrees of freedom"}
    named = [(n, word if n == 1 else plural.get(word, f"{word}s")) for word, n in counts.items()]
    return ", ".join(f"{n} {word}" for n, word in named if n)


def places_of(function: Function, order: Mapping[str, int]) -> list[int]:
    """Where the parameters of a Function are in p."""
    return [order[name] for name in function.parameters]


def call(function: Function) -> dict[str, Any]:
    """The numbers that a Function takes and gives, in order."""
    return {"parameters": bool(function.parameters), **ports(function)}


def ports(step: Ported) -> dict[str, Any]:
    """The names and sizes of what is taken and given, in order."""
    return {
        "inputs": [{"name": port.name, "size": len(port.refs)} for port in step.inputs],
        "outputs": [{"name": port.name, "size": len(port.refs)} for port in step.outputs],
    }
