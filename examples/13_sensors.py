"""What sensors read, and what joints must bear: an imu on the hand, the wrench in the shoulder."""

from pathlib import Path

import numpy as np

import hapsis as hs

arm = hs.load(Path(__file__).parent / "models" / "arm.yaml")
model = arm + hs.Sensor("load_cell", "reaction", "shoulder")
read = hs.compile(hs.measurements(model))
start = model.pose("start")
q = np.array([start[name] for name in model.coordinates])
still = np.zeros(3)

# one output for each sensor, by name; at rest the imu feels gravity, upwards
names = [port.name for port in hs.measurements(model).outputs]
at_rest = dict(zip(names, read(q, still, still), strict=True))
for name, value in at_rest.items():
    print(f"{name:<14}", np.round(value, 4).tolist())
assert np.isclose(np.linalg.norm(at_rest["head_imu"][3:]), 9.81)

# at rest the shoulder carries the weight of everything above it
weight = 9.81 * sum(model.value(body.mass) for body in model.bodies.values())
assert np.allclose(at_rest["load_cell"][3:], [0, 0, weight])

# moving: the wrench in any joint, moment first, in the axes of its first end
wrench = hs.compile(hs.reaction(model, "elbow"))(q, [2.0, 0.0, 0.0], still)
print("elbow, turning at 2 rad/s: moment", wrench[:3].round(3), "force", wrench[3:].round(3))

# its component along the joint's axis is the effort, less what losses and armature take
tau = hs.compile(hs.inverse_dynamics(model, passive=False))(q, [2.0, 0.0, 0.0], still)
assert np.isclose(wrench[1], tau[1])
