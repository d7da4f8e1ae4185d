"""Identification in MuJoCo with SciPy: simulate, compare, repeat with other numbers."""

import mujoco
import numpy as np
from scipy.optimize import least_squares

XML = """
<mujoco>
  <option timestep="0.001" integrator="RK4"/>
  <worldbody>
    <body name="arm">
      <joint name="hinge" axis="0 1 0" damping="0.05"/>
      <inertial pos="0 0 -0.5" mass="1.0" diaginertia="0.083 0.083 0.001"/>
    </body>
  </worldbody>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)


def swing(numbers):
    model.body_ipos[1, 2], model.dof_damping[0] = numbers
    mujoco.mj_setConst(model, data)
    mujoco.mj_resetData(model, data)
    data.qpos[0] = 0.5
    angles = [0.5]
    for k in range(1, 5001):
        mujoco.mj_step(model, data)
        if k % 10 == 0:
            angles.append(data.qpos[0])
    return np.array(angles)


truth = swing((-0.5, 0.05))
record = truth + np.random.default_rng(1).normal(scale=1e-3, size=len(truth))
fit = least_squares(lambda numbers: swing(numbers) - record, (-0.4, 0.01), x_scale=(0.1, 0.01))
variance = 2 * fit.cost / (len(record) - 2)
errors = np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)) * variance)
print(fit.x, errors)
