"""Models that several programs share."""

from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs

MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"


def state_of(model: hs.Model, seed: int = 1) -> tuple[Any, Any, Any]:
    """Random q, v, a, always the same."""
    draw = np.random.default_rng(seed)
    n = len(model.speeds)
    return 0.5 * draw.normal(size=len(model.coordinates)), draw.normal(size=n), draw.normal(size=n)


def pendulum(*facts: Any) -> hs.Model:
    """One body on one hinge, with damping."""
    return hs.Model(
        hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y", damping=0.05),
        *facts,
    )


def double_pendulum(*facts: Any) -> hs.Model:
    """Two rods."""
    return hs.Model(
        hs.Rod("upper", length=0.5, mass=0.4),
        hs.Rod("lower", length=0.5, mass=0.4),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y", damping=0.02),
        hs.Revolute("elbow", "upper.end", "lower", axis="y"),
        *facts,
    )


def four_bar(*facts: Any, **settings: Any) -> hs.Model:
    """A crank, a coupler and a rocker; C closes the loop."""
    return hs.Model(
        hs.Rod("crank", length=0.2, mass=0.2),
        hs.Rod("coupler", length=0.5, mass=0.5),
        hs.Rod("rocker", length=0.4, mass=0.4),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        *facts,
        **settings,
    )


def cart(*facts: Any) -> hs.Model:
    """A block of 1 kg on a line, without gravity."""
    return hs.Model(
        hs.Body("block", mass=1.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "block", axis="x"),
        *facts,
        gravity=(0, 0, 0),
    )


def many_joints() -> hs.Model:
    """A tree with a joint of every kind, one of them met backwards, and sensors."""
    solid = {"mass": 0.7, "com": (0.1, 0.02, -0.03), "inertia": (0.02, 0.03, 0.04, 0.001, 0.002, 0)}
    names = ("free", "ball", "turn", "slide", "screw", "tube", "cross", "sheet", "chain", "cuff")
    bodies = [hs.Body(name, **solid, frames={"tip": (0.2, 0.1, 0)}) for name in names]
    return hs.Model(
        bodies,
        hs.Free("J free", hs.WORLD, "free"),
        hs.Ball("J ball", "free.tip", "ball"),
        hs.Revolute("J turn", "ball.tip", "turn", axis=(1, 2, 0.5), armature=0.01, damping=0.1),
        hs.Prismatic("J slide", "slide", "turn.tip", axis="y", friction=0.2),
        hs.Helical("J screw", "slide.tip", "screw", axis="z", pitch=0.03),
        hs.Cylindrical("J tube", "free.tip", "tube", axis="x"),
        hs.Universal("J cross", "tube.tip", "cross", axes=("x", "y")),
        hs.Planar("J sheet", "cross.tip", "sheet", normal="y"),
        hs.Chain("J chain", "sheet.tip", "chain", "Tx Ry Tz"),
        hs.Weld("J weld", "chain.tip", "cuff"),
        hs.Sensor("place", "pose", "cuff.tip"),
        hs.Sensor("head", "imu", "turn.tip"),
        hs.Sensor("motor", "effort", "J turn"),
        hs.Sensor("bearing", "reaction", "J screw"),
    )


def knob(**settings: Any) -> hs.Model:
    """A crank on a spring that a hand turns."""
    return hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("A", hs.WORLD, "crank", axis="y", damping=0.01),
        hs.JointSpring("return", "A", stiffness=0.8),
        hs.Drive("knob", "A", position="input", tracking=400.0),
        **{"gravity": (0, 0, 0), **settings},
    )
