"""Where a frame is and how it moves: pose, velocity, Jacobian, and a hand led along a line."""

from pathlib import Path

import numpy as np

import hapsis as hs

model = hs.load(Path(__file__).parent / "models" / "arm.yaml")
start = model.pose("start")
q = np.array([start[name] for name in model.coordinates])

where = hs.compile(hs.pose(model, "hand.palm"))
p, R = where(q)
print("palm at", p)
print("its x axis", R[:, 0])

# velocity is J v, angular part first; a column for each speed
J = hs.compile(hs.jacobian(model, "hand.palm"))
velocity = hs.compile(hs.velocity(model, "hand.palm"))
v = np.array([0.5, -1.0, 0.3])
assert np.allclose(velocity(q, v), J(q) @ v)

# acceleration is J a + dJ v
dJ = hs.compile(hs.jacobian_rate(model, "hand.palm"))
acceleration = hs.compile(hs.acceleration(model, "hand.palm"))
a = np.array([1.0, 0.2, -0.7])
assert np.allclose(acceleration(q, v, a), J(q) @ a + dJ(q, v) @ v)

# lead the palm 10 cm up, in small steps along the Jacobian of x and z
for _ in range(100):
    rows = J(q)[[3, 5]]
    q = q + np.linalg.lstsq(rows, np.array([0.0, 0.001]), rcond=None)[0]
print("palm led to", where(q).p)
assert np.allclose(where(q).p, p + np.array([0.0, 0.0, 0.1]), atol=2e-3)

# the same for a thousand postures at once
many = np.random.default_rng(1).uniform(-1, 1, (1000, 3))
print("highest of 1000:", where(many).p[:, 2].max())
