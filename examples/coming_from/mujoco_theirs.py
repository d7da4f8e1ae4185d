"""A double pendulum in MuJoCo: one second, then where its tip is."""

import mujoco

XML = """
<mujoco>
  <option timestep="0.001" integrator="RK4"><flag contact="disable"/></option>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.02"/>
      <geom type="box" size="0.2 0.02 0.02" pos="0.2 0 0" mass="0.8"/>
      <body name="fore" pos="0.4 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.02"/>
        <geom type="box" size="0.15 0.02 0.02" pos="0.15 0 0" mass="0.5"/>
        <site name="tip" pos="0.3 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.joint("elbow").qpos[0] = 0.5
for _ in range(1000):
    mujoco.mj_step(model, data)
mujoco.mj_forward(model, data)
tip = data.site("tip").xpos
print(data.qpos, tip)
