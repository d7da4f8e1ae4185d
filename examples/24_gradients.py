"""How a motion changes with its numbers: forwards for a few of them, backwards for many."""

import numpy as np

import hapsis as hs

ball = hs.Model(
    hs.Body("ball", mass=0.5),
    hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
    hs.Contact("floor", "ball", hs.WORLD.plane(normal="z"), law=hs.Linear(8e3, damping=6.0)),
)
names = ("ball.mass", "floor.stiffness", "floor.damping", "z")
slopes = hs.sensitivities(ball, until=1.0, to=names, start={"z": 0.3}, every=0.01)
print(f"z = {slopes.result['z'][-1]:.6f} m after {len(slopes.result.events) // 2} bounces")
print("\n".join(f"  d z / d {n:<16}{slopes['z', n][-1]:12.6f}" for n in names))

# a swing-up: the slope of a loss by all 101 values of a table of torques, at the price of one
arm = hs.Rod("arm", length=1.0, mass=1.0)
model = hs.Model(arm, hs.Revolute("hinge", hs.WORLD, "arm", axis="y", damping=0.05))
times, torque = np.linspace(0.0, 2.0, 101), np.zeros(101)
down = {"hinge": np.pi / 2}
for step in range(41):
    found = hs.gradient(
        model,
        lambda s: (s["hinge"] + np.pi / 2) ** 2 + 0.1 * s["hinge.v"] ** 2,
        "hinge.effort",
        until=2.0,
        start=down,
        tolerance=1e-6,
        inputs={"hinge": (times, torque)},
    )
    torque = torque - 5.0 * found["hinge.effort"]
    if step % 10 == 0:
        print(f"step {step:2}: loss {found.value:8.2e}, torque below {abs(torque).max():.2f} N m")
