"""A device with its own kinematics: it has joints, the loop sees a frame.

    causality     to the loop               to the device
    impedance     p = pose(q), v = J q'     tau = Jᵀ f + g(q), the weight carried
    admittance    f = J⁻ᵀ (tau + g(q))      q with pose(q) = p, by Newton's steps

The model of the device gives both, compiled as Functions; the kernels of the device and these run
one after the other, in native code.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.native import bound
from hapsis.errors import DeviceError
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import bias
from hapsis.mechanics.formalisms.tree.kinematics import jacobian, pose
from hapsis.mechanics.model.model import Model
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.haptics.mapped_efforts import (
    PERIOD,
    RAMP,
    MappedMemory,
    let_go,
    mapped_read,
    write_force,
    write_position,
)
from hapsis.touch.realtime.device import Capabilities, Device, checked

DIRECTIONS = ("x", "y", "z")


@verb
class Mapped(DeviceBase):
    """A device as the motion of one frame of its model.

    device       with one axis for each coordinate of the model, in its order
    model        its kinematics and masses: joints of one degree, no loops
    frame        what is held, such as "stylus.tip"
    axes         which of x, y, z of the frame's origin in the world
    gravity      whether the joints shall carry the device's own weight
    max_force    N per axis at the frame
    slew         N·m/s per joint, the fastest change of its effort (impedance): by default what takes the
                 largest one away in 20 ms; not less
    damping      m, that keeps forces and angles finite near singular poses (admittance)
        name         of the device, in reports
    """

    def __init__(
        self,
        device: Any,
        model: Model,
        frame: str,
        *,
        axes: Sequence[str] = DIRECTIONS,
        gravity: bool = True,
        max_force: Any,
        slew: Any = None,
        damping: float = 1e-4,
        name: str | None = None,
    ) -> None:
        self.device: Device = checked(device)
        self.inner = self.device
        self.name, self.axes = name or device.name, names(axes)
        self.model, self.frame = model, frame
        rows = _rows(self.axes)
        m, n, can = len(device.axes), len(rows), device.capabilities
        if not len(model.coordinates) == len(model.speeds) == m:
            raise DeviceError(
                f'"{device.name}" has {m} axes and its model {len(model.coordinates)} coordinates '
                f"and {len(model.speeds)} speeds"
            )
        admits = can.causality == "admittance"
        if admits and m < n:
            raise DeviceError(f"{m} joints cannot follow {n} directions")
        forces = "force" in can.measures
        measures = ("position", *(x for x in ("velocity", "force") if x in can.measures))
        self.capabilities = Capabilities(
            can.causality,
            measures,
            each(max_force, n, "max_force"),
            ("m",) * n,
            can.hardware,
            {**can.facts, "frame": frame},
        )
        damping = number(damping, "damping", above=0.0)
        forward, back, step = functions(model, frame, rows, gravity, forces, damping)
        inverse = bound(compile(step if admits else back), vary=("q", "goal", "out"))
        self.memory = MappedMemory(
            joints=m,
            axes=n,
            read=device.read,
            write=device.write,
            forward=bound(compile(forward), vary=("q", "v", "tau", "out")),
            back=inverse,
            most=np.array(can.max_force),
            slew=_slews(slew, can.max_force),
        )
        self.read = mapped_read.bound(vary=("t", "sample"), own=self.memory)
        write = write_position if admits else write_force
        self.write = write.bound(vary=("t", "command"), own=self.memory)

    def open(self) -> None:
        """Opens the device; the joints have no efforts by then."""
        own = self.memory
        own.started = own.known = own.fresh = False
        own.part, own.command[:] = 0.0, 0.0
        own.time, own.shortest, own.commands, own.period = math.nan, math.inf, 0, PERIOD
        self.device.open()

    def close(self) -> None:
        """Takes the efforts of the joints away, at their slew, and closes the device."""
        if self.capabilities.causality == "impedance":
            let_go(self.memory)
        self.device.close()

    @property
    def cut(self) -> int:
        """How many commands exceeded the limits of the joints."""
        return int(self.memory.cut)

    @property
    def slowed(self) -> int:
        """How many commands would have changed an effort faster than its slew."""
        return int(self.memory.slowed)


def functions(
    model: Model, frame: str, rows: list[int], gravity: bool, forces: bool, damping: float
) -> tuple[Function, Function, Function]:
    """Three Functions: (q, v, tau) -> motion and force of the frame; (q, force) -> weight and efforts
    of the joints; (q, position) -> a Newton step of the joints."""
    m, n = len(model.coordinates), len(rows)
    q, v, tau = symbols("q", m), symbols("v", m), symbols("tau", m)
    goal = symbols("goal", n)  # a force, or a position
    p: Any = pose(model, frame)(q=q).p  # pyright: ignore[reportAttributeAccessIssue]
    whole: Any = jacobian(model, frame)(q=q)
    J = [[whole[3 + r][k] for k in range(m)] for r in rows]
    position = [p[r] for r in rows]
    zero = q[0] * 0.0
    weight: Any = bias(model)(q=q, v=[0.0] * m) if gravity else [zero] * m
    # damped least squares: S = J Jᵀ + d²
    S = [
        [sum(J[i][k] * J[j][k] for k in range(m)) + (damping**2 if i == j else 0.0) for j in range(n)]
        for i in range(n)
    ]
    speed = [sum(J[i][k] * v[k] for k in range(m)) for i in range(n)]
    hand = [tau[k] + weight[k] for k in range(m)] if forces else [tau[k] for k in range(m)]
    felt = solve(S, [sum(J[i][k] * hand[k] for k in range(m)) for i in range(n)])
    forward = Function("frame", {"q": q, "v": v, "tau": tau}, {"out": [*position, *speed, *felt]})
    efforts = [sum(J[i][k] * goal[i] for i in range(n)) for k in range(m)]
    back = Function("joints", {"q": q, "goal": goal}, {"out": [*weight, *efforts]})
    y = solve(S, [goal[i] - position[i] for i in range(n)])
    dq = [sum(J[i][k] * y[i] for i in range(n)) for k in range(m)]
    return forward, back, Function("newton", {"q": q, "goal": goal}, {"out": dq})


def solve(S: list[list[Any]], b: list[Any]) -> list[Any]:
    """x with S x = b, by elimination; S is positive definite."""
    S, b, n = [list(row) for row in S], list(b), len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = S[i][k] / S[k][k]
            S[i] = [S[i][j] - factor * S[k][j] if j > k else S[i][j] for j in range(n)]
            b[i] = b[i] - factor * b[k]
    x: list[Any] = [None] * n
    for k in reversed(range(n)):
        x[k] = (b[k] - sum((S[k][j] * x[j] for j in range(k + 1, n)), 0.0)) / S[k][k]
    return x


def _rows(axes: tuple[str, ...]) -> list[int]:
    unknown = [a for a in axes if a not in DIRECTIONS]
    if unknown:
        raise DeviceError(f'a frame has no axis "{unknown[0][:40]}"', expected="x, y, z")
    return [DIRECTIONS.index(a) for a in axes]


def _slews(given: Any, limit: Sequence[float]) -> Any:
    """The fastest change of each joint's effort, per second."""
    least = np.array(limit) / RAMP
    slews = least if given is None else np.array(each(given, len(least), "slew"))
    if (slews < least * (1.0 - 1e-9)).any():
        raise DeviceError(f"slew is {given!r:.40}", expected=f"{least.max():.6g} or more")
    return slews
