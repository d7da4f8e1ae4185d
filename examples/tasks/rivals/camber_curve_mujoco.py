"""Camber curve in MuJoCo: loops as equality constraints, moved slowly by a servo until all is at rest."""

import mujoco
import numpy as np

XML = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.001" gravity="0 0 0" integrator="implicitfast"><flag contact="disable"/></option>
  <default><joint damping="1"/><geom size="0.01" mass="1"/><equality solref="0.005 1"/></default>
  <worldbody>
    <body name="lower" pos="0 0.35 0.20">
      <joint name="lower" axis="1 0 0"/>
      <geom type="capsule" fromto="0 0 0 0.01 0.39 -0.02"/>
      <body name="carrier" pos="0.01 0.39 -0.02">
        <joint type="ball"/>
        <geom type="sphere" size="0.1" pos="-0.01 0.0475 0.15"/>
        <site name="wheel" pos="-0.01 0.0475 0.15"/>
      </body>
    </body>
    <body name="upper" pos="-0.01 0.45 0.47">
      <joint name="upper" axis="1 0 0"/>
      <geom type="capsule" fromto="0 0 0 -0.01 0.25 -0.01"/>
    </body>
    <body name="rod" pos="0.13 0.37 0.24">
      <joint type="ball"/>
      <geom type="capsule" fromto="0 0 0 0.01 0.36 -0.01"/>
    </body>
  </worldbody>
  <equality>
    <connect body1="upper" body2="carrier" anchor="-0.01 0.25 -0.01"/>
    <connect body1="rod" body2="carrier" anchor="0.01 0.36 -0.01"/>
  </equality>
  <actuator><position joint="lower" kp="500" kv="50"/></actuator>
</mujoco>
"""
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
middle, bump, camber = data.site("wheel").xpos[2], [], []
for angle in 0.2 * np.linspace(0.0, 2.0, 41) - 0.2:
    data.ctrl[0] = angle
    for _ in range(1000):
        mujoco.mj_step(model, data)
    bump.append(data.site("wheel").xpos[2] - middle)
    camber.append(-np.degrees(np.arcsin(data.site("wheel").xmat[7])))
for height, angle in zip(bump[::5], camber[::5], strict=True):
    print(f"{1000 * height:7.1f} mm  {angle:7.3f} deg")
