"""Torques, mass matrix and Jacobian of an arm in Pinocchio."""

from pathlib import Path

import numpy as np
import pinocchio as pin

file = Path(__file__).parents[1] / "models" / "arm.urdf"
model = pin.buildModelFromUrdf(str(file))
data = model.createData()
angles = np.linspace(0.1, 0.6, model.nv)
q = pin.integrate(model, pin.neutral(model), angles)
v, a = 0.5 * np.ones((2, model.nv))
torques = pin.rnea(model, data, q, v, a)
mass = pin.crba(model, data, q)
mass = np.triu(mass) + np.triu(mass, 1).T
flange = model.getFrameId("flange")
jacobian = pin.computeFrameJacobian(model, data, q, flange, pin.LOCAL_WORLD_ALIGNED)
print(torques, mass[0, 0], jacobian[2])  # linear part first
