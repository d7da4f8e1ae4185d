"""Broken models in MuJoCo: the compiler reports the first mistake of a file."""

import mujoco

XML = """
<mujoco>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" range="2 -2" limited="true"/>
      <inertial pos="0 0 0" mass="-1.0" diaginertia="1 1 1"/>
      <body name="fore">
        <joint name="elbow" axis="0 1 0"/>
        <inertial pos="0 0 0" mass="1.0" diaginertia="1 1 5"/>
      </body>
    </body>
  </worldbody>
  <equality><connect body1="uper" body2="fore" anchor="0 0 0"/></equality>
</mujoco>
"""
problems = []
try:
    mujoco.MjModel.from_xml_string(XML)
except ValueError as error:
    problems = str(error).splitlines()
    print(*problems, sep="\n")
