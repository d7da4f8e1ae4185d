"""Boxes in MuJoCo: free bodies with geoms touch by themselves."""

import mujoco

BOX = """
<body name="{}" pos="{}">
  <freejoint/>
  <geom type="box" size="0.2 0.15 0.1" density="200" friction="0.5"/>
</body>"""
PLACES = {"low": "0 0 0.11", "middle": "0.05 0 0.35", "high": "0 0.05 0.60"}
XML = f"""
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1" friction="0.5"/>
    {"".join(BOX.format(*item) for item in PLACES.items())}
  </worldbody>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
while data.time < 3.0:
    mujoco.mj_step(model, data)
heights = [data.body(name).xpos[2] for name in PLACES]
print(heights)
