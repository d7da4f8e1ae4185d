"""The step with contacts on a page: native code, its memory, and the Kernels that it calls.

step0(y, u, live, y_new, out, memory)      one tick; the memory holds what contacts remember
prepare0_k(p, prepared)                    what the k-th Kernel reads in place of parameters
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.wasm.wasm import Exported, Helper
from hapsis.compiler.backends.wasm.wasm_linker import WasmModule
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.ports import Port
from hapsis.compiler.native import Bound
from hapsis.compiler.native.wasm_memory import LINE, Image, helper, kernels_of
from hapsis.compiler.passes.parts import hoisted
from hapsis.errors import ModelError
from hapsis.live.live_steps import Lead, places_of
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name
from hapsis.motion.analysis.assembly.partition import partition
from hapsis.motion.simulate.contact.contact_step import ContactStep
from hapsis.motion.simulate.equations.closed_system import has_constraints
from hapsis.motion.simulate.stepper import stepper
from hapsis.motion.solvers.contact.contact_tick import contact_tick

# iterations of a step, and after how many limits of friction lag: a page may be late once, a device may not
MOST, LAGGING = 100, 30


class Ends(NamedTuple):
    """What a step takes and gives: states first, then inputs or outputs."""

    inputs: Sequence[Port]
    outputs: Sequence[Port]


class LiveContact(NamedTuple):
    """A step with contacts as a page runs it."""

    contact: ContactStep
    step: Ends
    kernels: list[Bound]

    @property
    def functions(self) -> list[Function]:
        """The Functions that it computes with."""
        return [kernel.function for kernel in self.kernels]

    @property
    def helpers(self) -> dict[str, Helper]:
        """Its native code by the name that a page calls."""
        return {"step0": helper(contact_tick)}

    @property
    def called(self) -> list[Function]:
        """What its native code calls."""
        return [hoisted(function)[1] for function in self.functions]

    @property
    def digest(self) -> str:
        """What tells the step from others."""
        step = self.contact
        facts = repr((step.inputs, step.outputs, step.dt, step.model.facts, step.model.parameters))
        return hashlib.sha256(facts.encode()).hexdigest()

    def exported(self, order: Mapping[str, int]) -> list[Exported]:
        """Its Functions by the names that a page calls."""
        preparations = [(k, hoisted(function)[0]) for k, function in enumerate(self.functions)]
        return [Exported(f"prepare0_{k}", f, places_of(f, order)) for k, f in preparations if f is not None]

    def content(self, module: WasmModule, address: int, order: Mapping[str, int]) -> dict[str, Any]:
        """What a page needs to call it, with its memory at this address."""
        image = Image(self.contact.tick, address, dict(zip(self.kernels, module.pointers, strict=True)))
        kernels = [
            {
                # a Kernel without a preparation reads parameters as they are
                "prepare": "" if hoisted(kernel.function)[0] is None else f"prepare0_{k}",
                "places": places_of(kernel.function, order),
                "address": image.address(kernel.prepared),
            }
            for k, kernel in enumerate(self.kernels)
            if kernel.prepared is not None
        ]
        memory = {"address": address, "size": len(image.content), "parts": parts(image.content)}
        own = {**memory, "kernels": kernels}
        return {"parameters": False, "prepared": 0, "pivots": None, "units": [], "native": own}

    def check(self, chosen: Any) -> None:
        """An error for a slider of a number that only Python can put into the tables of contacts."""
        for name in [chosen] if isinstance(chosen, str) else chosen or ():
            if name in self.contact.tabled:
                raise ModelError(
                    f'"{str(name)[:60]}" gives the shape, the place or the law of a contact, '
                    'a stop or friction, which a page by the method "contact" cannot change',
                    remedy='leave out its slider, or share by the method "rk4"',
                )


def contact_steps(model: Model, dt: float, options: Mapping[str, Any]) -> tuple[list[LiveContact], Lead]:
    """The one step of a model with contacts, and what leads at the start."""
    for drive in model.drives.values():
        if drive.inputs:
            raise drive.wrong(
                'it takes its motion from outside, and a page by the method "contact" has no slider for that',
                remedy='give it a function of time, or share by the method "rk4"',
            )
    step: ContactStep = stepper(model, dt, **options)
    scene = step.tick.run.scene
    scene.most, scene.lagging = MOST, LAGGING
    names = tuple(map(coordinate_name, model.speeds))
    lead = Lead(partition(model).independent if has_constraints(model) else names, 0)
    return [LiveContact(step, _ends(step), kernels_of(step.tick))], lead


def _ends(step: ContactStep) -> Ends:
    sizes = dict(zip(("q", "v", "z", "t"), (*step.sizes, 1), strict=True))
    starts = np.split(step.start, np.cumsum([*sizes.values()])[:-1])
    states = [
        Port(name, () if name == "t" else (count,), range(count), tuple(start.tolist()))
        for (name, count), start in zip(sizes.items(), starts, strict=True)
        if count
    ]
    tick = step.tick
    rest = [0.0 if place >= 0 else float(tick.driven[-1 - place]) for place in tick.input_place]
    inputs = [Port(name, (), range(1), (value,)) for name, value in zip(step.inputs, rest, strict=True)]
    outputs = [Port(name, (), range(1)) for name in step.outputs]
    return Ends([*states, *inputs], [*states, *outputs])


def parts(data: bytes) -> list[tuple[int, str]]:
    """The lines of a memory that are not zero, neighbours together: where they begin, and their text."""
    lines = [any(data[at : at + LINE]) for at in range(0, len(data), LINE)]
    bounds = [k for k in range(len(lines) + 1) if (k and lines[k - 1]) != (k < len(lines) and lines[k])]
    return [
        (LINE * first, base64.b64encode(data[LINE * first : LINE * last]).decode())
        for first, last in zip(bounds[::2], bounds[1::2], strict=True)
    ]
