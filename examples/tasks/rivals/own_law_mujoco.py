"""Own law in MuJoCo: a Python callback adds the force in every evaluation."""

import mujoco

XML = """
<mujoco>
  <option timestep="1e-7" integrator="RK4" gravity="0 0 0"/>
  <worldbody>
    <body name="hammer">
      <joint name="z" type="slide" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="2.97e-3" diaginertia="1e-9 1e-9 1e-9"/>
    </body>
  </worldbody>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.qpos[0], data.qvel[0] = 1e-6, -1.0
depth, force = 0.0, 0.0


def felt(model, data):
    data.qfrc_passive[0] += 4.5e9 * max(-data.qpos[0], 0.0) ** 2.5


mujoco.set_mjcb_passive(felt)
while data.time < 2e-3:
    mujoco.mj_step(model, data)
    depth, force = max(depth, -data.qpos[0]), max(force, data.qfrc_passive[0])
mujoco.set_mjcb_passive(None)
print(depth, force, data.qvel[0])
