"""Arms for the tests of reach, and how far two poses are apart."""

import math

import numpy as np

import hapsis as hs

PI = math.pi


def panda():
    """The frames and limits of a Franka arm, from its published table."""
    rows = [
        (0, 0.333, 0, -2.8973, 2.8973),
        (0, 0, -PI / 2, -1.7628, 1.7628),
        (0, 0.316, PI / 2, -2.8973, 2.8973),
        (0.0825, 0, PI / 2, -3.0718, -0.0698),
        (-0.0825, 0.384, -PI / 2, -2.8973, 2.8973),
        (0, 0, PI / 2, -0.0175, 3.7525),
        (0.088, 0, PI / 2, -2.8973, 2.8973),
    ]
    facts, below = [], "world"
    for k, (a, d, twist, low, high) in enumerate(rows, 1):
        at = hs.Frame((a, -d * math.sin(twist), d * math.cos(twist)), (twist, 0, 0))
        facts += [
            hs.Body(f"link{k}", mass=1.0),
            hs.Revolute(f"j{k}", (below, at), f"link{k}", limits=(low, high)),
        ]
        below = f"link{k}"
    hand = hs.Body("hand", frames={"tool": (0, 0, 0.1)})
    return hs.Model(*facts, hand, hs.Weld("flange", ("link7", (0, 0, 0.107)), "hand"))


def general(seed, limits=None):
    """Six axes in any directions."""
    rng = np.random.default_rng(seed)
    facts, below = [], "world"
    for k in range(6):
        at = hs.Frame(tuple(rng.uniform(-0.4, 0.4, 3)), tuple(rng.uniform(-3, 3, 3)))
        facts += [
            hs.Body(f"b{k}", mass=1.0, frames={"tip": (0.1, 0.2, 0.1)}),
            hs.Revolute(f"j{k}", (below, at), f"b{k}", axis="xyz"[k % 3], limits=limits),
        ]
        below = f"b{k}"
    return hs.Model(facts)


def balls():
    """Two ball joints, one of them from the outside in, and a slide between them."""
    return hs.Model(
        hs.Rod("upper", 0.4, 1.0),
        hs.Rod("lower", 0.3, 1.0),
        hs.Body("slide"),
        hs.Ball("shoulder", hs.WORLD.at(0, 0, 1), "upper"),
        hs.Prismatic("reach", "upper.end", "slide", axis="x", limits=(0, 0.5)),
        hs.Ball("wrist", "lower.end", "slide"),
    )


def floating():
    base = hs.Body("base", mass=3.0, frames={"camera": hs.Frame((0.1, 0, 0.2), (0.3, 0.2, 0.1))})
    limits = {"z": (-0.5, 3.0)}
    return hs.Model(base, hs.Free("base", hs.WORLD.at(0, 1, 0), "base", limits=limits))


def gantry():
    """Three slides, a screw and a wrist: axes of every kind."""
    return hs.Model(
        hs.Body("beam"),
        hs.Body("cart"),
        hs.Body("nut"),
        hs.Body("tool", frames={"tip": (0, 0, 1)}),
        hs.Chain("table", hs.WORLD, "beam", "Tx Ty", limits={"Tx": (0, 5), "Ty": (-2, 2)}),
        hs.Prismatic("z", "beam", "cart", axis="z", limits=(-1, 0)),
        hs.Universal("wrist", "cart", "nut", limits={"Rx": (-1.2, 1.2), "Ry": (-1.2, 1.2)}),
        hs.Helical("screw", "nut", "tool", axis="z", pitch=0.01),
    )


def planar(limits=None):
    return hs.Model(
        hs.Rod("upper", 0.5, 1.0),
        hs.Rod("lower", 0.3, 1.0),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="z"),
        hs.Revolute("elbow", "upper.end", "lower", axis="z", limits=limits),
    )


ARMS = {
    "panda": (panda(), "hand.tool"),
    "general 1": (general(1), "b5.tip"),
    "general 2": (general(2), "b5.tip"),
    "limited 3": (general(3, (-2.0, 2.0)), "b5.tip"),
    "limited 4": (general(4, (-2.5, 1.5)), "b5.tip"),
    "balls": (balls(), "lower"),
    "floating": (floating(), "base.camera"),
    "gantry": (gantry(), "tool.tip"),
    "planar": (planar((-2.5, 2.5)), "lower.end"),
}


def anywhere(model, rng):
    """Coordinates within the limits."""
    low, high = model.limits.T
    low, high = np.where(np.isfinite(low), low, -PI), np.where(np.isfinite(high), high, PI)
    return rng.uniform(low, high)


def inside(model, q):
    low, high = model.limits.T
    return ((low <= q) & (q <= high)).all()


def placed(model, frame):
    return hs.compile(hs.pose(model, frame))


def off(found, wanted):
    """Metres and radians between two poses; the chord of the angle."""
    return np.linalg.norm(found.p - wanted.p), np.linalg.norm(found.R - wanted.R) / math.sqrt(2)
