"""A step for loops: a probe on a body of NURBS faces that moves with a mechanism."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.forces.wrench import Wrench
from hapsis.mechanics.model.frames import Frame, composed
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import Start
from hapsis.motion.simulate.stepper import stepper
from hapsis.touch.haptics.conditioning.stage import positive
from hapsis.touch.haptics.surfaces import carried_tick as native
from hapsis.touch.haptics.surfaces import surface_tick as still
from hapsis.touch.haptics.surfaces.nurbs_body import NurbsBody, probe_position
from hapsis.touch.haptics.surfaces.surface_step import UNITS, probe_ports, surface_touch
from hapsis.touch.realtime.guard_settings import TOGETHER
from hapsis.touch.realtime.packed_step import pack_step

Array = np.ndarray[Any, np.dtype[np.float64]]
PARTS = ("fx", "fy", "fz", "mx", "my", "mz")


@final
@verb
class CarriedSurfaceStep:
    """One tick of a mechanism, and of a probe on surfaces that one of its bodies carries.

        body        what is touched, in the coordinates of `on`
        model       the mechanism; it may have loops, springs, contacts, drives
        on          the body of the mechanism, or a frame on it, with which the surfaces move
        dt          s of a tick, the period of the loop
        stiffness, friction, slip, name   as of a SurfaceStep
        inputs, outputs, start, method, substeps   as of `hs.stepper`, of the mechanism

        step(y, x, u)  (the next state, {output: value}), the probe at x, the mechanism's inputs at u

    Inputs and outputs are those of a SurfaceStep, all in the axes of the world, then those of the mechanism,
    which gets the force that the hand gets, with the opposite sign, one tick later.
    """

    passive = TOGETHER  # a surface passes energy from one axis of the probe to another

    def __init__(
        self,
        body: NurbsBody,
        model: Model,
        on: str,
        dt: float,
        *,
        stiffness: float,
        friction: float = 0.0,
        slip: float = 2.0,
        name: str = "probe",
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        start: Start | None = None,
        method: str = "rk4",
        substeps: int | str | None = None,
    ) -> None:
        self.body, self.name, self.dt = body, str(name), positive(dt, "CarriedSurfaceStep: dt")
        self.touch = surface_touch(body, self.dt, stiffness, friction, slip)
        self.model, points, wrench = touched(model, on, self.name)
        ahead = [f"{point}.{axis}" for point in points for axis in "xyz"]
        ahead += [f"{points[0]}.{letter}{axis}" for letter in "vw" for axis in "xyz"]
        options = {"start": start, "method": method, "substeps": substeps}
        step = stepper(self.model, self.dt, inputs=inputs, outputs=[*ahead, *outputs], **options)
        felt = [k for k, part in enumerate(wrench) if part in step.parameters]  # the others do no work
        self.packed = pack_step(step, live=[wrench[k] for k in felt])
        probe_inputs, probe_outputs = probe_ports(self.name)
        self.inputs, self.outputs = (*probe_inputs, *self.packed.inputs), (*probe_outputs, *outputs)
        states = len(self.packed.start)
        self.carried = native.Carried(
            touch=self.touch,
            step=self.packed.kernel,
            states=states,
            outputs=len(outputs),
            lives=len(felt),
            which=np.array([*felt, 0]),
        )
        self.start = np.concatenate([self.packed.start, np.zeros(native.WRENCH + still.STATE)])
        self.start[-1] = self.packed.start[-1]
        self.kernel = native.carried_tick.bound(vary=("y", "u", "live", "y_new", "out"), carried=self.carried)

    @property
    def rest(self) -> Array:
        """The inputs at the start: the probe at the origin."""
        return np.concatenate([np.zeros(3), self.packed.rest[: len(self.packed.inputs)]])

    @property
    def units(self) -> Mapping[str, str]:
        """The units of the inputs and outputs of the probe."""
        names = [*self.inputs[:3], *self.outputs[: still.OUTPUTS]]
        tails = {full: full.rpartition(".")[2] for full in names}
        return {full: UNITS[tail] for full, tail in tails.items() if tail in UNITS}

    @property
    def digest(self) -> str:
        """What tells the step from others."""
        touch = self.touch
        numbers = (self.dt, touch.stiffness, touch.friction, touch.slip, self.name, self.outputs)
        return hashlib.sha256(f"{self.body.digest} {self.packed.digest} {numbers!r}".encode()).hexdigest()

    def __call__(
        self, y: Array, x: Sequence[float], u: Sequence[float] = ()
    ) -> tuple[Array, dict[str, float]]:
        """The state after a tick from this one, and the outputs by name."""
        if len(u) != len(self.packed.inputs):
            raise ModelError(f"the mechanism has {len(self.packed.inputs)} inputs, not {len(u)}")
        y_new, out = np.zeros(len(self.start)), np.zeros(len(self.outputs))
        inputs = np.concatenate([probe_position(x), np.array([*u, 0.0], float)])
        self.kernel(np.array(y, float), inputs, np.zeros(1), y_new, out)
        return y_new, dict(zip(self.outputs, out.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"CarriedSurfaceStep({len(self.body.faces)} faces, {self.dt:g} s)"


def touched(model: Model, on: str, name: str) -> tuple[Model, list[str], list[str]]:
    """The model with a wrench on a frame, the names of three points that tell its pose, and of the parameters
    of the wrench."""
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError("a CarriedSurfaceStep needs the Model of the mechanism")
    carrier, frame = model.frame(on)
    if carrier == "world":
        raise ModelError(f'"{on[:60]}" does not move', remedy="take a SurfaceStep")
    places = {f"{name} origin": (0, 0, 0), f"{name} x": (1, 0, 0), f"{name} y": (0, 1, 0)}
    points = {label: composed(frame, Frame(at)) for label, at in places.items()}
    known = model.bodies[carrier].frames
    changed = model.replace(carrier, frames={**known, **points})
    parameters = {f"{name}_{part}": 0.0 for part in PARTS}
    if taken := [n for n in parameters if n in model.parameters]:
        raise ModelError(f'the model has a parameter "{taken[0]}"', remedy="give the probe another name")
    changed = changed.replace(parameters={**changed.parameters, **parameters})
    names = list(parameters)
    push = Wrench(
        f"{name} touch", f"{carrier}.{name} origin", force=tuple(names[:3]), moment=tuple(names[3:])
    )
    return changed + push, [f"{carrier}.{label}" for label in points], names
