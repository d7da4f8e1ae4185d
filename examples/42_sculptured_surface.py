"""A fingertip strokes a sculptured surface with friction, at 10000 ticks per second on the exact NURBS."""

import warnings

import numpy as np

import hapsis as hs

# a machine that is busy, or grants no priority, says so; here the report does
warnings.simplefilter("ignore", hs.Notice)

# a bicubic surface over 10 cm by 10 cm, by 6 x 6 control points
x, y = np.meshgrid(np.linspace(0.0, 0.1, 6), np.linspace(0.0, 0.1, 6), indexing="ij")
net = np.stack([x, y, 0.016 * np.sin(31.4 * x) * np.sin(31.4 * y)], axis=2)
body = hs.haptics.NurbsBody(hs.haptics.NurbsSurface(net, degrees=(3, 3)))
print(body.nearest((0.05, 0.05, 0.03)))

step = hs.haptics.SurfaceStep(body, dt=1 / 10_000, stiffness=1500.0, friction=0.3)
t = np.linspace(0.0, 1.0, 400)
height = 0.012 - 0.006 * np.sin(np.pi * t) ** 0.5
way = np.column_stack([0.05 - 0.04 * np.cos(np.pi * t), 0.05 + 0.03 * np.sin(4 * np.pi * t), height])
hand = hs.haptics.SimulatedHand(motion=(t, way), axes=("x", "y", "z"))
loop = hs.realtime.Loop(step, rate=10_000).connect(hand).run(seconds=0.95)
report = loop.report()
print(report)  # rate held, lateness, computing time
force = np.linalg.norm([report[f"probe.{axis}.force"] for axis in "xyz"], axis=0)
print(f"in contact {report['probe.contact'].mean():.0%} of the time, up to {force.max():.1f} N")
