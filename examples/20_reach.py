"""Inverse kinematics: a frame goes to a pose, by name, within the limits of the joints."""

import math

import numpy as np

import hapsis as hs

# an arm of six axes: a waist, a shoulder, an elbow and a wrist
arm = hs.Model(
    hs.Body("post"),
    hs.Rod("upper", length=0.45, mass=4.0),
    hs.Rod("lower", length=0.40, mass=3.0),
    hs.Body("wrist"),
    hs.Body("hand", mass=0.5, frames={"tip": (0.15, 0, 0)}),
    hs.Revolute("waist", hs.WORLD.at(0, 0, 0.4), "post", axis="z", limits=(-2.9, 2.9)),
    hs.Revolute("shoulder", "post", "upper", axis="y", limits=(-2.0, 1.0)),
    hs.Revolute("elbow", "upper.end", "lower", axis="y", limits=(0.0, 2.6)),
    hs.Universal(
        "bend", "lower.end", "wrist", axes=("x", "y"), limits={"Rx": (-3.1, 3.1), "Ry": (-2.0, 2.0)}
    ),
    hs.Revolute("roll", "wrist", "hand", axis="x", limits=(-6.2, 6.2)),
    poses={"start": {"shoulder": -0.8, "elbow": 1.2}},
)

# a place and the axes there: half a metre ahead, the hand pointing down
target = hs.Frame(at=(0.5, 0.1, 0.3), rpy=(0, math.pi / 2, 0))
state = hs.reach(arm, "hand.tip", target)
for name in arm.coordinates:
    print(f"{name:10} {state[name]:8.4f}")
print(state.report, "\n")
place = hs.compile(hs.pose(arm, "hand.tip"))
assert np.allclose(place(state.q).p, target.at, atol=1e-9)

# a line, each point from the last: the arm does not jump
path = [state]
for y in np.linspace(0.1, -0.3, 21)[1:]:
    path.append(hs.reach(arm, "hand.tip", hs.Frame((0.5, y, 0.3), target.rpy), start=path[-1]))
steps = np.abs(np.diff([point.q for point in path], axis=0))
print(f"largest step along the line {steps.max():8.4f} rad")
assert steps.max() < 0.2

# the position alone, with the waist held
held = hs.reach(arm, "hand.tip", (0.6, 0.0, 0.5), held=["waist"])
print(f"with the waist held at {held['waist']:.1f}, the elbow is at {held['elbow']:.4f}")

# out of reach is an error, and the nearest state comes with it
try:
    hs.reach(arm, "hand.tip", (0.9, 0.9, 0.4))
except hs.SolveError as error:
    print(error)
    print(f"nearest: {place(error.nearest.q).p.round(3)}")
