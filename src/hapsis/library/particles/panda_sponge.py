"""A Panda arm that grips a sponge between pads on its fingers, lifts it and turns it."""

from typing import Any

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

HALF = 0.5 * np.pi
# a, d, α of each joint, m and rad, as the maker gives them; m of its link [Gaz]; a capsule that stands for it
ARM = (
    ((0.0, 0.333, 0.0), 4.97, ((0, 0, -0.19), (0, 0, 0), 0.055)),
    ((0.0, 0.0, -HALF), 0.647, ((0, 0, 0), (0, -0.14, 0), 0.055)),
    ((0.0, 0.316, HALF), 3.229, ((0, 0, -0.14), (0.04, 0, 0), 0.055)),
    ((0.0825, 0.0, HALF), 3.588, ((0, 0, 0), (-0.04, 0.1, 0), 0.055)),
    ((-0.0825, 0.384, -HALF), 1.226, ((0, 0.07, -0.22), (0, 0.03, 0), 0.04)),
    ((0.0, 0.0, HALF), 1.667, ((0, 0, 0), (0.088, 0, 0), 0.045)),
    ((0.088, 0.0, HALF), 0.736, ((0, 0, 0), (0, 0, 0.107), 0.04)),
)
FLANGE, FINGERS, GRIP = 0.107, 0.0584, 0.1034  # m along the last axis: flange; of the hand: fingers, tips
PAD = (0.018, 0.016, 0.019)  # m
READY = (0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785)  # rad
PLACE, HEIGHT = (0.45, 0.0), (0.022, 0.122)  # m: where the sponge stands, the tips before and after
BEGIN, END, TURN = 0.3, 0.9, 0.6  # s, s, rad of the last joint
SIZE = (0.06, 0.04, 0.04)  # m


@verb
def panda_sponge(
    *, grip: float = 2.0, friction: float = 0.8, cells: tuple[int, int, int] = (4, 2, 3)
) -> "hs.particles.Scene":
    """A sponge on a table that a Panda grips, lifts by 0.1 m and turns by 0.6 rad in 0.9 s.

    grip        the force of each finger where it is closed on the sponge, about, N
    friction    between pads and sponge
    cells       of the sponge along its length, width and height

    Joints are `joint1` ... `joint7`, driven by `motor1` ..., `left slide` and `right slide`. The sponge is
    the object `sponge`, of foam with 20 kPa. Each finger carries a pad of particles, `left pad` and `right
    pad`, whose facets press on those of the sponge; friction holds its weight.
    """
    bare = hs.Model(_arm(grip))
    ways = _ways(bare)
    drives = [
        hs.Drive(f"motor{k}", joint=f"joint{k}", position=_way(*ends)) for k, ends in enumerate(ways, 1)
    ]
    pose = {f"joint{k}": first for k, (first, _) in enumerate(ways, 1)}
    pose |= {"left slide": 0.026, "right slide": 0.026}
    model = hs.Model(_arm(grip), drives, poses={"start": pose})
    foam = hs.particles.Material(E=20e3, poisson=0.1, density=60.0, damping=4e-5)
    sponge = hs.particles.solid("sponge", hs.Box(SIZE), material=foam, cells=cells).at(*PLACE, 0.5 * SIZE[2])
    law: dict[str, Any] = {"bedding": 8e6, "damping": 400.0, "friction": friction}
    facts: list[Any] = [model, sponge, hs.particles.Floor(bedding=4e6, damping=400.0, friction=0.5)]
    for name, side in (("left", 1.0), ("right", -1.0)):
        pad = hs.particles.solid(f"{name} pad", hs.Box(PAD), mass=4e-3, stiffness=1e3, cells=(2, 1, 2))
        # the hand points down, and its y axis to -y
        at = (*PLACE, HEIGHT[0])
        place = (at[0], at[1] - side * (0.026 + 0.5 * PAD[1]), at[2])
        facts += [pad.at(*place), hs.particles.Anchor(f"{name} pad", range(len(pad)), to=f"{name} finger")]
        facts.append(hs.particles.Touch(**law, between=("sponge", f"{name} pad"), name=f"{name} touch"))
    return hs.particles.Scene(*facts, step=hs.particles.EnergyStep(relative=1e-6))


def _ways(model: Any) -> list[tuple[float, float]]:
    """Where each joint of the arm begins and ends: the hand points down, and the last joint turns."""
    down = np.diag([1.0, -1.0, -1.0])
    held = ("left slide", "right slide")
    start = {f"joint{k}": value for k, value in enumerate(READY, 1)}
    ends = []
    for height in HEIGHT:
        found = hs.reach(model, "hand.grip", ((*PLACE, height), down), start=start, held=held)
        start = {name: found[name] for name in start}
        ends.append(list(start.values()))
    ends[1][6] += TURN
    return list(zip(*ends, strict=True))


def _way(first: float, last: float) -> Any:
    """A smooth function of time from one value to another, between BEGIN and END."""

    def position(t: Any) -> Any:
        s = hs.minimum(hs.maximum((t - BEGIN) / (END - BEGIN), 0.0), 1.0)
        return first + (last - first) * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)

    return position


def _arm(grip: float) -> list[Any]:
    """Links, hand and fingers with their joints."""
    facts: list[Any] = []
    for k, ((a, d, alpha), mass, line) in enumerate(ARM, 1):
        place = hs.Frame((a, -d * np.sin(alpha), d * np.cos(alpha)), (alpha, 0.0, 0.0))
        before = "world" if k == 1 else f"link{k - 1}"
        facts.append(hs.Body(f"link{k}", shapes=(_capsule(*line),), mass=mass))
        facts.append(hs.Revolute(f"joint{k}", hs.End(before, place), f"link{k}", "z"))
    hand = hs.Body.box("hand", (0.04, 0.2, 0.06), mass=0.73, at=(0, 0, 0.03), frames={"grip": (0, 0, GRIP)})
    flange = hs.Frame((0, 0, FLANGE), (0, 0, -0.5 * HALF))
    facts += [hand, hs.Weld("flange", hs.End("link7", flange), "hand")]
    for name, side in (("left", 1.0), ("right", -1.0)):
        # behind the pad, whose face is at the middle of the hand where the finger is closed
        shape = hs.Box((0.02, 0.008, 0.05), at=(0, side * (PAD[1] + 0.004), 0.027))
        facts.append(hs.Body(f"{name} finger", shapes=(shape,), mass=0.015))
        rail = hs.End("hand", hs.Frame((0, 0, FINGERS)))
        facts.append(hs.Prismatic(f"{name} slide", rail, f"{name} finger", (0, side, 0), damping=0.3))
        # a soft spring, compressed by 0.1 m
        press: dict[str, Any] = {"rest": -0.1 + 0.5 * SIZE[1], "damping": 2.0}
        facts.append(hs.JointSpring(f"{name} press", f"{name} slide", 10.0 * grip, **press))
    return facts


def _capsule(a: Any, b: Any, radius: float) -> Any:
    """A capsule from one point to another."""
    way = np.subtract(b, a)
    pitch, yaw = np.arctan2(np.hypot(way[0], way[1]), way[2]), np.arctan2(way[1], way[0])
    middle = tuple(0.5 * np.add(a, b))
    return hs.Capsule(
        radius, float(np.linalg.norm(way)), at=hs.Frame(middle, (0.0, float(pitch), float(yaw)))
    )
