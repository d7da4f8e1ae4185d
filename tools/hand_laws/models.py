"""Mechanisms behind a drive that a hand leads, with what a hand at them can be like."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import hapsis as hs
from hapsis.library.piano import grand_action
from hapsis.touch.realtime.packed_step import pack_step
from hapsis.touch.realtime.start_reserve import start_reserve

RATES = (1000.0, 4000.0, 10_000.0)
KINDS = ("tracked", "sampled")
TRACKING, QUICK = 400.0, 2000.0  # rad/s
NOTHING = (0.0, 0.0, 0.0)


class Case(NamedTuple):
    """A model, how far a hand moves it, and how much force a device for it has.

    model      of the arguments that say how its drive is led
    unit       of the motion
    start      where the drive is at the start
    low, high  where hands move it
    most       N or N m
    mass       that a hand feels at once, kg or kg m²
    tracking   rad/s, of its tracked drive
    substeps   of its steps
    """

    model: Callable[..., hs.Model]
    unit: str
    start: float
    low: float
    high: float
    most: float
    mass: float
    tracking: float = TRACKING
    substeps: Any = 1


def led(kind: str, **place: Any) -> hs.Drive:
    """The drive "hand": tracked, or by samples of position and velocity."""
    if kind == "tracked":
        return hs.Drive("hand", **place, position="input", tracking=TRACKING)
    return hs.Drive("hand", **place, position="input", velocity="input")


def free(kind: str) -> hs.Model:
    """A mass of 0.5 kg on a rail."""
    body = hs.Body("mass", mass=0.5, inertia=(1e-4, 1e-4, 1e-4))
    return hs.Model(
        body, hs.Prismatic("x", hs.WORLD, "mass", axis="x"), led(kind, joint="x"), gravity=NOTHING
    )


def sprung(kind: str) -> hs.Model:
    """A mass on a spring of 300 N/m and a damper that makes up for the delay of the drive."""
    return hs.Model(
        hs.Body("mass", mass=0.4, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Prismatic("x", hs.WORLD, "mass", axis="x", damping=2.5),
        hs.JointSpring("spring", "x", stiffness=300.0),
        led(kind, joint="x"),
        gravity=NOTHING,
    )


def pendulum(kind: str) -> hs.Model:
    """A rod that hangs, lifted by 0.6 rad at the start: its weight is in reserve."""
    return hs.Model(
        hs.Rod("rod", length=0.4, mass=0.5),
        hs.Revolute("hinge", hs.WORLD, "rod", axis="y", damping=0.01),
        led(kind, joint="hinge"),
        poses={"start": {"hinge": 1.5707963267948966 - 0.6}},
    )


def carried(kind: str) -> hs.Model:
    """A cart with a block on a spring that is stretched at the start: what is behind the drive moves."""
    return hs.Model(
        hs.Body("cart", mass=0.3, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Body("block", mass=0.4, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Prismatic("u", "cart", "block", axis="x", damping=0.5),
        hs.JointSpring("spring", "u", stiffness=200.0),
        led(kind, joint="x"),
        gravity=NOTHING,
        poses={"start": {"u": 0.02}},
    )


def key(kind: str) -> hs.Model:
    """A lever led at a point, m and N, under its weight; felt stops it 10 mm down."""
    felt = hs.HuntCrossley(4000.0, power=1.5, damping=1.0)  # N m, rad
    return hs.Model(
        hs.Rod("lever", length=0.25, mass=0.1, frames={"tip": (0.24, 0.0, 0.0)}),
        hs.Revolute("hinge", hs.WORLD, "lever", axis="y", damping=0.02),
        hs.JointSpring("return", "hinge", stiffness=2.0, rest=-0.08),
        hs.Stop("felt", "hinge", high=0.04, law=felt),
        led(kind, point="lever.tip", along="-z"),
    )


def action(kind: str) -> hs.Model:
    """The action of a grand piano, its key led at the front."""
    return grand_action("position" if kind == "tracked" else "motion")


CASES = {
    "free": Case(free, "m", 0.0, -0.03, 0.03, 200.0, 0.5),
    "sprung": Case(sprung, "m", 0.0, -0.03, 0.03, 200.0, 0.4),
    "pendulum": Case(pendulum, "rad", 1.5707963267948966 - 0.6, 0.3, 2.5, 50.0, 0.0267),
    "carried": Case(carried, "m", 0.0, -0.03, 0.03, 200.0, 0.3),
    "key": Case(key, "m", 0.0, -0.002, 0.0105, 200.0, 0.036),
    "action": Case(action, "m", 0.0, -0.0005, 0.0098, 200.0, 0.3, QUICK, "auto"),
}


@cache
def step(name: str, kind: str, rate: float) -> Any:
    """The step of a case: its first output is the force on the hand."""
    model = CASES[name].model(kind)
    (drive,) = model.drives.values()
    outputs = [f"{drive.name}.force", *(["x.a"] if name == "free" else [])]
    return hs.stepper(
        model, 1 / rate, inputs=list(drive.inputs), outputs=outputs, substeps=CASES[name].substeps
    )


@cache
def reserve(name: str) -> float:
    """J that a case has at its start."""
    return start_reserve(pack_step(step(name, KINDS[0], RATES[0])))
