"""What of a device moves with the hand, and a step that makes up for it.

The hand feels the actuator by a lever, less what the moving parts need for themselves:

    felt = ratio force - (mass a + damping v + friction tanh(v / creep) + weight)

So the actuator must give more than the model wants wherever the parts move.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import tanh, where
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.low_pass import BUTTERWORTH, LowPass
from hapsis.touch.haptics.conditioning.stage import Array, array, positive
from hapsis.touch.realtime.packed_step import period_of

MOST_SHARE = 0.95  # of its own forces: with all of them nothing would be left to move


@verb
@dataclass(frozen=True)
class Handle:
    """The moving parts of a device, as seen from the hand; m and N, or rad and N m.

    mass       kg that the hand moves, those of the actuator by the square of the lever in it
    ratio      force at the hand over force of the actuator: the lever between them
    damping    N s/m
    friction   N, dry, smooth below the speed `creep`
    weight     N by which the parts pull at the hand towards smaller positions, at rest
    """

    mass: Any = 0.0
    ratio: Any = 1.0
    damping: Any = 0.0
    friction: Any = 0.0
    creep: Any = 1e-3
    weight: Any = 0.0

    def __post_init__(self) -> None:
        for name in ("mass", "damping", "friction"):
            value = positive(getattr(self, name), f"Handle: {name}", zero=True)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "creep", positive(self.creep, "Handle: creep"))
        for name in ("ratio", "weight"):
            object.__setattr__(self, name, real(getattr(self, name), f"Handle: {name}"))
        if self.ratio == 0.0:
            raise ModelError("Handle: ratio is zero")

    def felt(self, force: Any, velocity: Any, acceleration: Any) -> Array:
        """N that a hand feels of forces of the actuator during a motion, over a record."""
        f, v, a = _columns(force, velocity, acceleration)
        return self.ratio * f - own_force(self, v, a, np.tanh)

    def command(self, felt: Any, velocity: Any, acceleration: Any) -> Array:
        """N of the actuator by which a hand feels these forces during a motion, over a record."""
        f, v, a = _columns(felt, velocity, acceleration)
        return (f + own_force(self, v, a, np.tanh)) / self.ratio

    def least_damping(self, stiffness: Any, lag: Any, share: Any = 0.8) -> float:
        """N s/m at the hand, above which a device with a share of its mass made up for is stable.

        stiffness   N/m, of hand and model together
        lag         s, of first order, by which the estimated acceleration comes late: 1/(2π frequency)
                    from a velocity, √2 times that from a position; delays of the loop are to be added

        About share lag stiffness / (1 - share): a late acceleration pushes on after the motion has
        turned. It is Routh's condition of (m s² + c s + k)(1 + lag s) = share m s².
        """
        k, T = positive(stiffness, "the stiffness", zero=True), positive(lag, "the lag", zero=True)
        m, part = self.mass, _share(share)
        if T == 0.0 or m == 0.0:
            return 0.0
        b = m * (1.0 - part) + k * T * T
        return (np.sqrt(b * b + 4.0 * T * part * m * T * k) - b) / (2.0 * T)


def own_force(handle: Handle, velocity: Any, acceleration: Any, tanh: Any) -> Any:
    """N that the parts need for their own motion, over arrays or expressions."""
    dry = handle.friction * tanh(velocity / handle.creep)
    return handle.mass * acceleration + handle.damping * velocity + dry + handle.weight


@verb
def compensated(
    step: Function, handle: Handle, drive: str, *, frequency: Any = 100.0, share: Any = 0.8
) -> Function:
    """A step whose first force makes up for the moving parts of a device.

    step        of `hs.stepper`, with the input DRIVE.position and the output DRIVE.force
    handle      the moving parts
    drive       the name of the drive by which the hand moves the model
    frequency   Hz, of the low-pass behind which velocity and acceleration are estimated: of second
                order from the position; of first order from DRIVE.velocity where the step takes it
    share       of the parts' own forces that is made up for, at most 0.95. The estimate comes late, so
                the hand must have some damping: `handle.least_damping` says how much

    In place of DRIVE.force the step gives DRIVE.command = (DRIVE.force + share · own force) / ratio;
    DRIVE.force follows as its last output. The guard still comes behind. It counts what speeds the
    parts up as energy given to the hand: give it that much, guard={"reserve": mass · v² / 2}.
    """
    if not isinstance(handle, Handle):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError("compensated takes the Handle of a device")
    ports = {port.name: port for port in step.inputs}
    outputs = [port.name for port in step.outputs]
    place, wanted = f"{drive}.position", f"{drive}.force"
    check_known(place, ports, "the step has no input {}")
    check_known(wanted, outputs, "the step has no output {}")
    share = _share(share)
    fast = f"{drive}.velocity" in ports
    level = f"{drive}.velocity" if fast else place
    filter = LowPass(period_of(step), frequency, order=1 if fast else 2)
    w, n = 2.0 * np.pi * float(frequency), 1 if fast else 2

    graph, laws = Graph(), len(ports["z"].refs) if "z" in ports else 0
    given: dict[str, Any] = {}
    for name in _ordered(ports):
        if name == "z":
            given["z"] = symbols("z", laws + n + 2, kind="coordinate", graph=graph)
        elif ports[name].shape:
            given[name] = symbols(name, *ports[name].shape, kind="coordinate", graph=graph)
        else:
            given[name] = symbol(name, graph=graph)
    results = step.outputs_by_name(
        step(**{name: given["z"][:laws] if name == "z" else given[name] for name in ports})
    )
    x, memory = given[level], given["z"][laws:]
    new = filtered(filter, x, memory)
    if fast:
        velocity, acceleration = x, w * (x - new[0])
    else:
        velocity = w * new[1]
        bend = w * (w * (x - new[0]) - 2.0 * BUTTERWORTH * velocity)
        acceleration = bend / bend_of_parabola(filter, w)
    own = share * own_force(handle, velocity, acceleration, tanh)
    results["z"] = [*(results["z"] if laws else ()), 0.0 * x + 1.0, x, *new]
    out = _renamed(outputs, results, wanted, f"{drive}.command", (results[wanted] + own) / handle.ratio)
    defaults = {name: port.stand_in for name, port in ports.items()}
    defaults["z"] = np.array([*(ports["z"].stand_in if laws else ()), *np.zeros(n + 2)])
    return Function(f"{step.name}_compensated", given, out, defaults)


def bend_of_parabola(filter: LowPass, w: float) -> float:
    """What the filter of second order says of an acceleration of 1: less, for samples are joined by lines."""
    transition, before, now = filter.matrices
    period: Any = filter.period
    if w * period < 1e-3:  # then the first term of a series is enough
        return 1.0 - (w * period) ** 2 / 12.0
    count = 20 + int(60.0 / (w * period))
    x = 0.5 * ((np.arange(count) - count + 1) * period) ** 2  # a parabola that ends at its vertex
    s = np.array([x[0], 0.0])
    for last, sample in pairwise(x):
        s = transition @ s + before * last + now * sample
    return float(w * (w * (x[-1] - s[0]) - 2.0 * BUTTERWORTH * w * s[1]))


def filtered(filter: LowPass, x: Any, memory: Any) -> list[Any]:
    """The states of a filter after a sample, from (started, last sample, states); at rest at the first."""
    transition, before, now = filter.matrices
    started, last, s = memory[0], memory[1], memory[2:]
    new = []
    for i in range(len(s)):
        going = float(before[i]) * last + float(now[i]) * x
        for j in range(len(s)):
            going = going + float(transition[i, j]) * s[j]
        new.append(where(started > 0.5, going, x if i == 0 else 0.0 * x))
    return new


def _renamed(names: list[str], results: Any, old: str, new: str, value: Any) -> dict[str, Any]:
    """The results with another one in the place of the old, which follows as the last."""
    out = {}
    for name in _ordered(names):
        out |= {new: value} if name == old else {name: results[name]}
    return out | {old: results[old]}


def _share(x: Any) -> float:
    """The part of its own forces that a device is helped with."""
    share = positive(x, "share", zero=True)
    if share > MOST_SHARE:
        raise ModelError(f"share is {share:g}", expected=f"{MOST_SHARE:g} at most")
    return share


def _ordered(names: Any) -> list[str]:
    """The names with the states of laws among them, before the time."""
    listed = [name for name in names if name != "z"]
    listed.insert(listed.index("t"), "z")
    return listed


def _columns(*arrays: Any) -> tuple[Array, Array, Array]:
    """Force, velocity and acceleration of a record, of one shape."""
    names = ("the force", "the velocity", "the acceleration")
    f, v, a = (array(x, name) for x, name in zip(arrays, names, strict=True))
    try:
        f, v, a = np.broadcast_arrays(f, v, a)
    except ValueError:
        raise ModelError(
            f"force {f.shape}, velocity {v.shape} and acceleration {a.shape} do not fit"
        ) from None
    return f, v, a
