"""A device with its own kinematics: it has joints, the loop sees a frame.

    impedance     p = pose(q), v = J q'     there: tau = Jᵀ f + g(q), the weight carried
    admittance    f = J⁻ᵀ (tau + g(q))      there: q with pose(q) = p, by Newton's steps

The model of the device gives both, compiled as Functions; the kernels of the device and these run
one after the other, in native code.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.native import Array, Ints, Kernel, at, bound, isfinite, native
from hapsis.errors import DeviceError
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import bias
from hapsis.mechanics.formalisms.tree.kinematics import jacobian, pose
from hapsis.mechanics.model.model import Model
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.realtime.device import Capabilities, Device, checked

DIRECTIONS = ("x", "y", "z")
JOINTS, AXES, NEWTON, CUT = range(4)  # sizes; the last counts forces made smaller
SIZES = 4
STEPS = 4  # of Newton


@native
def moved(
    t: Array, sample: Array, inner: Kernel, forward: Kernel, sizes: Ints, own: Array, out: Array
) -> None:
    """The device's sample, as that of its frame; `own` is kept for the command."""
    inner(t, own)
    m, n = sizes[JOINTS], sizes[AXES]
    # places, speeds, forces of the frame from angles, rates, efforts
    forward(own, at(own, m), at(own, 2 * m), out)
    for k in range(3 * n):
        sample[k] = out[k]
    sample[3 * n], sample[3 * n + 1] = own[3 * m], own[3 * m + 1]


@native
def pushed(
    t: Array,
    command: Array,
    inner: Kernel,
    back: Kernel,
    sizes: Ints,
    own: Array,
    out: Array,
    torque: Array,
    most: Array,
) -> None:
    """A force at the frame, as efforts of the joints; as much of it as they can, weight first."""
    m = sizes[JOINTS]
    back(own, command, out)  # weight, then what the force asks
    part = 1.0
    for k in range(m):
        room = most[k] - out[k] if out[m + k] > 0.0 else most[k] + out[k]
        if abs(out[m + k]) > max(0.0, room):
            part = min(part, max(0.0, room) / abs(out[m + k]))
    if part < 1.0:
        sizes[CUT] += 1
    for k in range(m):
        effort = out[k] + part * out[m + k]
        torque[k] = max(-most[k], min(most[k], effort)) if isfinite(effort) else 0.0
    inner(t, torque)


@native
def placed(
    t: Array, command: Array, inner: Kernel, step: Kernel, sizes: Ints, own: Array, q: Array, dq: Array
) -> None:
    """A place of the frame, as angles of the joints: Newton's steps from the last ones."""
    m = sizes[JOINTS]
    if sizes[NEWTON] == 0:
        sizes[NEWTON] = 1
        for k in range(m):
            q[k] = own[k]
    for _ in range(STEPS):
        step(q, command, dq)
        for k in range(m):
            q[k] += dq[k] if isfinite(dq[k]) else 0.0
    inner(t, q)


class Mapped(DeviceBase):
    """A device as the motion of one frame of its model.

    device       with one axis for each coordinate of the model, in its order
    model        its kinematics and masses: joints of one degree, no loops
    frame        what is held, such as "stylus.tip"
    axes         which of x, y, z of the frame's origin in the world
    gravity      whether the joints shall carry the device's own weight
    max_force    N per axis at the frame
    damping      m, that keeps forces and angles finite near singular poses (admittance)
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
        damping: float = 1e-4,
        name: str | None = None,
    ) -> None:
        self.device: Device = checked(device)
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
        forward, back, step = functions(
            model, frame, rows, gravity, forces, number(damping, "damping", above=0.0)
        )
        self._sizes, self._own = np.zeros(SIZES, np.int64), np.zeros(3 * m + 2)
        self._sizes[[JOINTS, AXES]] = m, n
        shared = {"sizes": self._sizes, "own": self._own}
        self.read = moved.bound(
            vary=("t", "sample"),
            inner=device.read,
            out=np.zeros(3 * n),
            **shared,
            forward=bound(compile(forward), vary=("q", "v", "tau", "out")),
        )
        if admits:
            self.write = placed.bound(
                vary=("t", "command"),
                inner=device.write,
                q=np.zeros(m),
                dq=np.zeros(m),
                **shared,
                step=bound(compile(step), vary=("q", "wanted", "dq")),
            )
        else:
            self.write = pushed.bound(
                vary=("t", "command"),
                inner=device.write,
                out=np.zeros(2 * m),
                torque=np.zeros(m),
                most=np.array(can.max_force),
                **shared,
                back=bound(compile(back), vary=("q", "f", "out")),
            )

    def open(self) -> None:
        """Opens the device."""
        self._sizes[NEWTON] = 0
        self.device.open()

    def close(self) -> None:
        """Closes it."""
        self.device.close()

    @property
    def cut(self) -> int:
        """How many commands were more than the joints can."""
        return int(self._sizes[CUT])


def functions(
    model: Model, frame: str, rows: list[int], gravity: bool, forces: bool, damping: float
) -> tuple[Function, Function, Function]:
    """(q, v, tau) -> out of the frame; (q, f) -> out of the joints; (q, wanted) -> dq."""
    m, n = len(model.coordinates), len(rows)
    q, v, tau = symbols("q", m), symbols("v", m), symbols("tau", m)
    f, wanted = symbols("f", n), symbols("wanted", n)
    p: Any = pose(model, frame)(q=q).p  # pyright: ignore[reportAttributeAccessIssue]
    whole: Any = jacobian(model, frame)(q=q)
    J = [[whole[3 + r][k] for k in range(m)] for r in rows]
    place = [p[r] for r in rows]
    zero = q[0] * 0.0
    weight: Any = bias(model)(q=q, v=[0.0] * m) if gravity else [zero] * m
    # damped least squares: S = J Jᵀ + d²
    S = [
        [sum(J[i][k] * J[j][k] for k in range(m)) + (damping**2 if i == j else 0.0) for j in range(n)]
        for i in range(n)
    ]
    speed = [sum(J[i][k] * v[k] for k in range(m)) for i in range(n)]
    hand = [tau[k] + weight[k] for k in range(m)] if forces else [tau[k] for k in range(m)]
    felt = solved(S, [sum(J[i][k] * hand[k] for k in range(m)) for i in range(n)])
    forward = Function("frame", {"q": q, "v": v, "tau": tau}, {"out": [*place, *speed, *felt]})
    efforts = [sum(J[i][k] * f[i] for i in range(n)) for k in range(m)]
    back = Function("joints", {"q": q, "f": f}, {"out": [*weight, *efforts]})
    y = solved(S, [wanted[i] - place[i] for i in range(n)])
    dq = [sum(J[i][k] * y[i] for i in range(n)) for k in range(m)]
    return forward, back, Function("newton", {"q": q, "wanted": wanted}, {"dq": dq})


def solved(S: list[list[Any]], b: list[Any]) -> list[Any]:
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
