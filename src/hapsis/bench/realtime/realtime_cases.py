"""What a hand feels in the benchmark of the loop: a crank, loops of rods, an arm with six joints.

Each case is there twice, as in figure 4 of the paper on haptic devices by Robotran and ROS:

    inverse    all that moves is moved by the hand: positions in, efforts out
    direct     the hand pushes, the motion is integrated: an effort in, a position out
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from hapsis.bench.loops.loops_cases import four_bar
from hapsis.compiler.native import Array, Ints, native
from hapsis.library.slider_crank import slider_crank
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.values import value_of
from hapsis.touch.realtime.device import Capabilities
from hapsis.touch.realtime.loop import Loop

TRACKING = 300.0  # rad/s: hands are slower
WAYS = ("inverse", "direct")


class Case(NamedTuple):
    """A model, its joints that a hand moves, and its goals: s per step, ticks per s.

    `rate_1998` is what the paper on virtual mechanisms from CAD reached with it.
    """

    name: str
    model: Callable[[], hs.Model]
    joints: tuple[str, ...]
    asked: float | None = None
    rate_1998: float | None = None


def crank() -> hs.Model:
    """A rod on a hinge."""
    return hs.Model(
        hs.Rod("crank", length=0.2, mass=0.2),
        hs.Revolute("crank", hs.WORLD, "crank", axis="y"),
        poses={"start": {"crank": 0.3}},
    )


def assembled_four_bar() -> hs.Model:
    """A crank, a coupler and a rocker, with a closed pose to start from."""
    model = four_bar()
    start = hs.assemble(model, {"A": 0.3})
    return model.replace(poses={"start": {name: float(start[name]) for name in model.coordinates}})


def arm() -> hs.Model:
    """Six hinges and six links, of the size of a small industrial robot."""
    axes = ("z", "y", "y", "x", "y", "x")
    lengths = (0.12, 0.42, 0.38, 0.08, 0.08, 0.06)
    facts: list[Any] = []
    place: Any = hs.WORLD
    for k, (axis, length) in enumerate(zip(axes, lengths, strict=True), 1):
        mass = 8.0 * length + 0.3
        across = mass * (0.04**2 / 4.0 + length**2 / 12.0)
        inertia = (mass * 0.04**2 / 2.0, across, across)
        name = f"link{k}"
        facts.append(
            hs.Body(
                name,
                mass=mass,
                com=(length / 2.0, 0.0, 0.0),
                inertia=inertia,
                frames={"end": hs.Frame((length, 0.0, 0.0))},
            )
        )
        damping = 2.0 if k < 4 else 0.05
        facts.append(hs.Revolute(f"joint{k}", place, name, axis=axis, damping=damping))
        place = f"{name}.end"
    names = [f"joint{k}" for k in range(1, 7)]
    angles = (0.0, 0.5, -0.9, 0.2, 0.6, 0.1)
    return hs.Model(*facts, poses={"start": dict(zip(names, angles, strict=True))})


CASES = (
    Case("crank", crank, ("crank",), 2e-6, 1e4),
    Case("slider-crank", slider_crank, ("crank",), 5e-6, 1e3),
    Case("four-bar", assembled_four_bar, ("A",)),
    Case("arm", arm, tuple(f"joint{k}" for k in range(1, 7))),
)
NAMES = tuple(case.name for case in CASES)


@native
def swing(t: Array, sample: Array, memory: Array, sizes: Ints) -> None:
    """Positions, or forces, that swing; the next point of a circle is a turn of the last one."""
    n = sizes[0]
    for k in range(n):
        x = memory[4 + 3 * k]
        y = memory[5 + 3 * k]
        memory[4 + 3 * k] = memory[0] * x - memory[1] * y
        memory[5 + 3 * k] = memory[1] * x + memory[0] * y
        value = memory[6 + 3 * k] + memory[4 + 3 * k]
        sample[k] = value
        sample[n + k] = 0.0 - memory[2] * memory[5 + 3 * k]
        sample[2 * n + k] = memory[3] * memory[4 + 3 * k]
    sample[3 * n] = 0.0
    sample[3 * n + 1] += 1.0


@native
def taken(t: Array, command: Array, last: Array, sizes: Ints) -> None:
    """Keeps the last command."""
    for k in range(sizes[0]):
        last[k] = command[k]


class Swing:
    """A hand that swings gently about a pose: a simulated device of any number of axes."""

    name = "hand"

    def __init__(self, start: Any, rate: float, way: str, turns: float = 2.0) -> None:
        n = len(start)
        self.axes = tuple(f"x{k + 1}" for k in range(n))
        measures = ("position", "velocity") if way == "inverse" else ("force", "position")
        causality = "impedance" if way == "inverse" else "admittance"
        self.capabilities = Capabilities(causality, measures, (200.0,) * n, ("rad",) * n, False)
        speed = 2.0 * math.pi * turns
        memory = [math.cos(speed / rate), math.sin(speed / rate), speed, 0.1]
        for x in start:
            memory += [0.05, 0.0, float(x) - 0.05]
        sizes, self.last = np.array([n]), np.zeros(n)
        self.read = swing.bound(vary=("t", "sample"), memory=np.array(memory), sizes=sizes)
        self.write = taken.bound(vary=("t", "command"), last=self.last, sizes=sizes)

    def open(self) -> None:
        """It is always ready."""

    def close(self) -> None:
        """Nothing to give back."""


def looped(case: Case, way: str, method: str = "euler", rate: float = 1000.0, paced: bool = False) -> Loop:
    """A loop about the case, with its device connected."""
    model = case.model()
    pose: Any = model.poses["start"]
    numbers = [value_of(pose[joint], joint) for joint in case.joints]
    numbers = [x.value(model.parameters) if isinstance(x, Formula) else x for x in numbers]
    if way == "inverse":
        drives = [
            hs.Drive(f"{joint} drive", joint, position="input", tracking=TRACKING) for joint in case.joints
        ]
        model = hs.Model(
            model,
            *drives,
            poses=model.poses,
            gravity=model.gravity,
            parameters=model.parameters,
            independent=model.independent,
        )
        inputs = [f"{drive.name}.position" for drive in drives]
        outputs = [f"{drive.name}.effort" for drive in drives]
    else:
        inputs, outputs = list(case.joints), list(case.joints)
    step = hs.stepper(model, 1.0 / rate, inputs=inputs, outputs=outputs, method=method)
    return Loop(step, rate, paced=paced).connect(Swing(numbers, rate, way))
