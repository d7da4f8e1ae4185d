"""Sweep in MuJoCo: the rollout module steps a thousand states on all cores."""

import mujoco
import numpy as np
from mujoco import rollout

XML = """
<mujoco>
  <option timestep="0.001" integrator="RK4"><flag contact="disable"/></option>
  <worldbody>
    <body name="bob">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="sphere" size="0.02" mass="1.0" pos="0 0 -0.5"/>
    </body>
  </worldbody>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
angles = np.linspace(0.05, 3.0, 1000)
start = np.zeros((1000, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
start[:, 1] = angles  # after the time
with rollout.Rollout(nthread=2) as pool:
    states, _ = pool.rollout(model, [mujoco.MjData(model) for _ in range(2)], start, nstep=1500)
t, angle, row = np.append(0.0, states[0, :, 0]), np.column_stack([angles, states[:, :, 1]]), np.arange(1000)
k = (angle < 0).argmax(axis=1)
part = angle[row, k - 1] / (angle[row, k - 1] - angle[row, k])
period = 4 * (t[k - 1] + 0.001 * part)
print(period[[0, 499, 999]])
