"""The damping that a device needs so that a grasp is passive in every hand.

Near its start a tick is linear: its state and the coordinates of the hand give its next state and the
efforts of the motors, F(z) = -H(z) x(z). A device with the damping b in all directions takes up what the
tick gives to any passive hand if for all frequencies up to half the rate

    b  >  the largest eigenvalue of the Hermitian part of  T/2 (1 - 1/z) H(z) / (1 - cos ωT)

which for one axis is the bound of [ColgateSchenkel]. Turns count by the length of the grasp, so that b
is N s/m for slides, and N m s/rad over the square of that length for gimbals.
"""

from collections.abc import Sequence
from math import pi
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.touch.haptics.passivity import FREQUENCIES, LOWEST
from hapsis.touch.haptics.virtual_mechanisms.tick_parts import TickParts

Array = np.ndarray[Any, np.dtype[np.float64]]
STATES = ("q", "v", "z")
SMALL = 1e-6  # of a coordinate, m or rad: the step of differences
SETTLED, TICKS = 1e-9, 5000  # change of the state in a tick that is none, and ticks to get there
ZOOMS = 3


class DeviceDamping(NamedTuple):
    """What a device needs for a grasp.

    damping     N s/m, of all slides; of gimbals that times the square of the length of the grasp
    frequency   rad/s, at which so much is needed
    direction   {coordinate of the device: part}, in which so much is needed
    """

    damping: float
    frequency: float
    direction: dict[str, float]


@verb
def device_damping(tick: Function) -> DeviceDamping:
    """The damping of a device from which on a grasp is passive in every hand, near its start.

    tick    what `hs.haptics.grasp` returns, of an impedance. It is linear there only within limits of
            joints and without friction that sticks, and its mechanism should be at rest: without
            gravity, or balanced

    With less damping there is a hand that swings up, `hs.haptics.passivity.worst_hand`; most hands do not.
    """
    options = tick.options or {}
    parts = options.get("parts")
    if not isinstance(parts, TickParts):
        raise ModelError("device_damping takes what hs.haptics.grasp returns, of an impedance")
    if len(parts.hands) != 1:
        raise ModelError("device_damping takes a grasp by one hand")
    ((held, arm),) = parts.hands
    dt = float(options["dt"])
    A, B, C, D = _linear(tick, arm.names)
    units = column_units(arm.model, arm.model.speeds)
    sizes = np.array([1.0 if units[name] == "m/s" else held.length for name in arm.model.speeds])

    def need(angle: float) -> tuple[float, Array]:
        """The damping that the frequency needs, and the direction."""
        z = np.exp(1j * angle)
        law = -(C @ np.linalg.solve(z * np.eye(len(A)) - A, B) + D) / np.outer(sizes, sizes)
        part = 0.5 * dt * (1.0 - 1.0 / z) * law / (1.0 - np.cos(angle))
        values, vectors = np.linalg.eigh(0.5 * (part + part.conj().T))
        return float(values[-1]), np.abs(vectors[:, -1])

    angle, around = pi, np.linspace(LOWEST * pi, pi, FREQUENCIES)
    for _ in range(ZOOMS):  # closer to the peak each time
        best = int(np.argmax([need(x)[0] for x in around]))
        angle = float(around[best])
        around = np.linspace(around[max(0, best - 1)], around[min(len(around) - 1, best + 1)], 51)
    damping, direction = need(angle)
    parted = {name: round(float(x), 6) for name, x in zip(arm.names, direction, strict=True)}
    return DeviceDamping(max(0.0, damping), angle / dt, parted)


def _linear(tick: Function, axes: Sequence[str]) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D of a tick at rest at its start: y_new = A y + B x, efforts = C y + D x."""
    call, ports = compile(tick), {port.name: np.atleast_1d(port.stand_in) for port in tick.inputs}
    states = [name for name in STATES if name in ports]
    cuts = np.cumsum([len(ports[name]) for name in states])[:-1]
    places = [f"{name}.position" for name in axes]

    def step(both: Array) -> Array:
        y, x = both[: -len(axes)], both[-len(axes) :]
        given = dict(zip(states, np.split(y, cuts), strict=True)) | dict(zip(places, x, strict=True))
        out = tick.outputs_by_name(call(**given))
        new = [np.atleast_1d(out[name]) for name in states]
        return np.concatenate([*new, [out[f"{name}.effort"] for name in axes]])

    at = np.concatenate([*(ports[name] for name in states), *(ports[name] for name in places)]).astype(float)
    n = len(at) - len(axes)
    for _ in range(TICKS):
        new = step(at)[:n]
        still, at[:n] = np.abs(new - at[:n]).max() <= SETTLED, new
        if still:
            break
    else:
        raise SolveError(
            "the mechanism does not come to rest near the start",
            remedy="hold it in balance, or without gravity",
        )
    slopes = [(step(at + d) - step(at - d)) / (2 * SMALL) for d in SMALL * np.eye(len(at))]
    J = np.array(slopes).T
    return J[:n, :n], J[:n, n:], J[n:, :n], J[n:, n:]
