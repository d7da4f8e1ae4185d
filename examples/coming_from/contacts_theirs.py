"""A block in MuJoCo, thrown down a slope: how far it slides, and how fast it creeps afterwards."""

import math

import mujoco

SLOPE, STEP = 0.3, 0.002
XML = f"""
<mujoco>
  <option timestep="{STEP}" cone="elliptic" impratio="10"
          gravity="{9.81 * math.sin(SLOPE)} 0 {-9.81 * math.cos(SLOPE)}"/>
  <default><geom friction="0.6 0 0"/></default>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.02"><freejoint/><geom type="box" size="0.05 0.05 0.02" mass="1"/></body>
  </worldbody>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.qvel[0] = 1.0
x = []
for _ in range(1500):
    mujoco.mj_step(model, data)
    x.append(data.qpos[0])
way, creep = x[499], (x[-1] - x[499]) / 2.0
print(f"{way:.4f} m, then {1e3 * creep:.3f} mm/s; {1e3 * (0.02 - data.qpos[2]):.4f} mm deep")
