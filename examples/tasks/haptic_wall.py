"""Haptic wall: a hand presses 5 mm into a wall of 2000 N/m, at 4000 ticks per second."""

import hapsis as hs

model = hs.Model(
    hs.Body("tool", mass=0.05, inertia=(1e-5, 1e-5, 1e-5)),
    hs.Prismatic("x", hs.WORLD, "tool", axis="x"),
    hs.Stop("wall", "x", stiffness=2000.0, high=0.01),
    hs.Drive("hand", "x", position="input", tracking=2000.0),
    gravity=(0, 0, 0),
)
step = hs.stepper(model, dt=1 / 4000, inputs=["hand.position"], outputs=["hand.force", "x"])
with hs.haptics.SimulatedHand(speed=0.03, travel=0.015, hold=0.5, rise=0.05) as hand:
    loop = hs.realtime.Loop(step, rate=4000, paced=False).connect(hand)
    loop.run(seconds=1.0)
report = loop.report()
print(report, report["hand.force"][-1], report["hand.x.command"][-1])
report.plot("hand.force", x="x").save("wall.html")
