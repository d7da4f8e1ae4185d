"""A hand turns a crank against a spring, at 4000 ticks per second; what it feels is drawn."""

import warnings

import hapsis as hs

# a machine that is busy, or grants no priority, says so; here the report does
warnings.simplefilter("ignore", hs.Notice)

model = hs.Model(
    hs.Rod("crank", length=0.1, mass=0.2),
    hs.Revolute("A", hs.WORLD, "crank", axis="y", damping=0.01),
    hs.JointSpring("return", "A", stiffness=0.8),
    hs.Drive("knob", "A", position="input", tracking=400.0),
    gravity=(0, 0, 0),
)
step = hs.stepper(model, dt=1 / 4000, inputs=["knob.position"], outputs=["knob.force"])
with hs.haptics.SimulatedHand(speed=0.5, travel=0.6, unit="rad") as hand:
    loop = hs.realtime.Loop(step, rate=4000, live=["return.stiffness"]).connect(hand)
    loop.run(seconds=1)
    loop.set("return.stiffness", 1.6)  # while it runs, without a jump
    loop.run(seconds=0.5)
report = loop.report()
print(report)  # rate held, lateness, misses
print("largest force felt:", abs(report["knob.force"]).max(), "N m")
