"""A step for loops: a probe on a body of NURBS faces."""

import copy
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.touch.haptics.conditioning.stage import positive
from hapsis.touch.haptics.surfaces import surface_tick as native
from hapsis.touch.haptics.surfaces.nurbs_body import NurbsBody, probe_position
from hapsis.touch.realtime.guard_settings import TOGETHER

Array = np.ndarray[Any, np.dtype[np.float64]]
PORTS = ("y", "u", "live", "y_new", "out")
SCAN = 1024  # leaves of a body that a tick looks at
QUANTITIES = ("gap", "contact", "face", "u", "v", "sliding", "energy")
UNITS = {"position": "m", "force": "N", "proxy": "m", "gap": "m", "energy": "J"}
UNITS |= {"contact": "1", "face": "1", "sliding": "1"}


@final
@verb
class SurfaceStep:
    """One tick of a probe on a body; `hs.realtime.Loop` takes it, or call it.

        body        what is touched
        dt          s of a tick, the period of the loop
        stiffness   N/m of the spring between the probe and the proxy on the surface
        friction    coefficient of dry friction
        slip        m/s, how fast the spring follows a proxy that slips off an edge
        name        of the probe, in the names of inputs and outputs

        step(y, x)  (the next state, {output: value}) with the probe at x

    Inputs are `NAME.x.position` and so on. Outputs are the force on the hand, `NAME.x.force`, N; the proxy
    `NAME.x.proxy`, m; `NAME.gap` to the surface, m, negative in contact; `NAME.contact` (0 or 1);
    `NAME.face`, `NAME.u`, `NAME.v`; `NAME.sliding`, 1 where the proxy has moved on the surface; and
    `NAME.energy` of the spring, J. A body without rims is felt from outside, any other from both sides.
    """

    model = None  # there is no multibody model behind it
    passive = TOGETHER  # a surface passes energy from one axis of the probe to another

    def __init__(
        self,
        body: NurbsBody,
        dt: float,
        *,
        stiffness: float,
        friction: float = 0.0,
        slip: float = 2.0,
        name: str = "probe",
    ) -> None:
        self.body, self.name = body, str(name)
        self.dt = positive(dt, "SurfaceStep: dt")
        self.touch = surface_touch(body, self.dt, stiffness, friction, slip)
        self.inputs, self.outputs = probe_ports(self.name)
        self.start = np.zeros(native.STATE)
        self.kernel = native.surface_tick.bound(vary=PORTS, touch=self.touch)

    @property
    def units(self) -> dict[str, str]:
        """The units of inputs and outputs; parameters of faces have none."""
        tails = {full: full.rpartition(".")[2] for full in (*self.inputs, *self.outputs)}
        return {full: UNITS[tail] for full, tail in tails.items() if tail in UNITS}

    @property
    def digest(self) -> str:
        """What tells the step from others."""
        touch = self.touch
        numbers = (self.dt, touch.stiffness, touch.friction, touch.slip, self.name)
        return hashlib.sha256(f"{self.body.digest} {numbers!r}".encode()).hexdigest()

    def __call__(self, y: Array, x: Sequence[float]) -> tuple[Array, dict[str, float]]:
        """The state after a tick from this one, and the outputs by name."""
        y_new, out = np.zeros(native.STATE), np.zeros(native.OUTPUTS)
        self.kernel(np.array(y, float), probe_position(x), np.zeros(1), y_new, out)
        return y_new, dict(zip(self.outputs, out.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"SurfaceStep({len(self.body.faces)} faces, {self.dt:g} s)"


def surface_touch(
    body: NurbsBody, dt: float, stiffness: float, friction: float, slip: float
) -> native.SurfaceTouch:
    """What a tick on a body needs; an error for a number that is out of range."""
    if not isinstance(body, NurbsBody):  # pyright: ignore[reportUnnecessaryIsInstance]
        several = isinstance(body, Mapping)
        raise ModelError(
            f"a SurfaceStep touches a NurbsBody, not a {type(body).__name__}",
            remedy='load_surfaces returns {label: NurbsBody}: take one, as in surfaces["lid"]'
            if several
            else None,
        )
    return native.SurfaceTouch(
        body=copy.deepcopy(body.memory),  # a loop computes in it while Python uses the body
        leaves=body.leaves,
        dt=dt,
        stiffness=positive(stiffness, "SurfaceStep: stiffness"),
        friction=positive(friction, "SurfaceStep: friction", zero=True),
        slip=positive(slip, "SurfaceStep: slip"),
        solid=int(body.solid),
        scan=min(SCAN, int(body.leaves.count)),
    )


def probe_ports(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the inputs and outputs of a probe."""
    outputs = tuple(f"{name}.{axis}.{quantity}" for quantity in ("force", "proxy") for axis in "xyz")
    return (
        tuple(f"{name}.{axis}.position" for axis in "xyz"),
        outputs + tuple(f"{name}.{quantity}" for quantity in QUANTITIES),
    )
