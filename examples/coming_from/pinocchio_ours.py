"""The same numbers in Hapsis."""

from pathlib import Path

import numpy as np

import hapsis as hs

file = Path(__file__).parents[1] / "models" / "arm.urdf"
model = hs.load(file)
n = len(model.speeds)
q = np.linspace(0.1, 0.6, n)
v, a = 0.5 * np.ones((2, n))
rnea = hs.compile(hs.inverse_dynamics(model, passive=False))
torques = rnea(q, v, a)
mass = hs.compile(hs.mass_matrix(model))(q)
jacobian = hs.compile(hs.jacobian(model, "flange"))(q)
print(torques, mass[0, 0], jacobian[5])  # angular part first
