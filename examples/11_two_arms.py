"""Two copies of one arm on one torso: parts with a prefix, put together with +."""

from pathlib import Path

import numpy as np

import hapsis as hs

arm = hs.load(Path(__file__).parent / "models" / "arm.yaml")
shoulders = {
    "left": hs.Frame((0, 0.2, 0.5), rpy=(0, 0, 0.3)),
    "right": hs.Frame((0, -0.2, 0.5), rpy=(0, 0, -0.3)),
}
torso = hs.Model(
    hs.Body("torso", mass=12.0, com=(0, 0, 0.3), inertia=(0.5, 0.4, 0.2), frames=shoulders),
    hs.Revolute("waist", hs.WORLD, "torso", axis="z"),
)
model = torso + arm.prefixed("left", on="torso.left") + arm.prefixed("right", on="torso.right")
print(model)
print(model.coordinates)

# every parameter of the arm is there twice: the left arm may be longer
pose = hs.compile(hs.pose(model, "left.hand.palm"))
q = model.zero
print("left palm ", pose(q).p)
print("longer    ", pose(q, p={"left.L": 0.5}).p)

# the two sides mirror each other: the same effort about the waist, with opposite signs
jacobian = {side: hs.compile(hs.jacobian(model, f"{side}.hand.palm"))(q) for side in ("left", "right")}
waist = model.speeds.index("waist.v")
assert np.isclose(jacobian["left"][3, waist], -jacobian["right"][3, waist])

# one mass matrix for all: the arms feel each other through the torso only
M = hs.compile(hs.mass_matrix(model))(q)
left = [k for k, name in enumerate(model.speeds) if name.startswith("left.")]
right = [k for k, name in enumerate(model.speeds) if name.startswith("right.")]
assert not M[np.ix_(left, right)].any() and np.allclose(M, M.T)
print("cost of forward dynamics:", hs.forward_dynamics(model).cost())
