"""Engine in MuJoCo: the loop as an equality constraint, the shaft held at speed by a stiff servo."""

import mujoco
import numpy as np

XML = """
<mujoco>
  <option timestep="2e-6" gravity="0 0 -9.81"><flag contact="disable"/></option>
  <worldbody>
    <body name="crank">
      <joint name="crank" axis="0 1 0"/>
      <inertial pos="0.025 0 0" mass="1.0" diaginertia="1e-9 2.0833333e-4 2.0833333e-4"/>
      <body name="rod" pos="0.05 0 0">
        <joint name="big end" axis="0 1 0"/>
        <inertial pos="0.07 0 0" mass="0.4" diaginertia="1e-9 6.5333333e-4 6.5333333e-4"/>
      </body>
    </body>
    <body name="piston" pos="0.19 0 0">
      <joint name="piston" type="slide" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="0.5" diaginertia="1e-6 1e-6 1e-6"/>
    </body>
  </worldbody>
  <equality><connect body1="piston" body2="rod" anchor="0 0 0" solref="1e-5 1"/></equality>
  <actuator><velocity joint="crank" kv="1000"/></actuator>
</mujoco>
"""
SPEED, AREA, DEAD_VOLUME = 100 * np.pi, 5e-3, 5e-5


def gas(crank, travel):
    angle = crank % (4 * np.pi)
    if abs(angle - 2 * np.pi) >= np.pi:
        return 0.0
    cylinder = (1e5 if angle < 2 * np.pi else 4e5) * (DEAD_VOLUME + AREA * 0.1) ** 1.3
    return -AREA * (cylinder / (DEAD_VOLUME - AREA * travel) ** 1.3 - 1e5)


model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.qvel[:] = SPEED, -SPEED * (1 + 0.05 / 0.14), 0.0
data.ctrl[0] = SPEED
angles, torques = [], []
while data.qpos[0] < 4 * np.pi:
    data.qfrc_applied[2] = gas(data.qpos[0], data.qpos[2])
    mujoco.mj_step(model, data)
    angles.append(data.qpos[0])
    torques.append(data.actuator_force[0])
power = np.trapezoid(-np.array(torques), angles) * SPEED / (4 * np.pi)
print(power, min(torques))
