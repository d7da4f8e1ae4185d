"""Cart-pole in MuJoCo: the model as XML, discrete LQR from finite differences, a loop of steps."""

import mujoco
import numpy as np
from scipy.linalg import solve_discrete_are

XML = """
<mujoco>
  <option timestep="0.001"><flag contact="disable"/></option>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.2 0.1 0.05" mass="1.0"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="cylinder" size="0.02 0.3" pos="0 0 0.3" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide"/></actuator>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
A, B = np.zeros((4, 4)), np.zeros((4, 1))
mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
Q, R = 0.001 * np.diag([1.0, 10.0, 0.1, 0.1]), np.array([[0.001 * 0.1]])
riccati = solve_discrete_are(A, B, Q, R)
gains = np.linalg.solve(R + B.T @ riccati @ B, B.T @ riccati @ A)[0]
data.qpos[1] = 0.3
angles, efforts = [data.qpos[1]], []
for _ in range(8000):
    data.ctrl[0] = -gains @ np.concatenate([data.qpos, data.qvel])
    efforts.append(data.ctrl[0])
    mujoco.mj_step(model, data)
    angles.append(data.qpos[1])
print(gains, data.qpos, max(map(abs, efforts)))
