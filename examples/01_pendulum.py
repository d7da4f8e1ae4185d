"""A pendulum: its equations, its motion, a plot of it."""

import hapsis as hs

model = hs.Model(
    hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
    hs.Revolute("hinge", hs.WORLD, "arm", axis="y"),
)
print(hs.forward_dynamics(model))  # readable straight-line code
result = hs.simulate(model, until=10.0, start={"hinge": 0.5})
print(result["hinge"][-1], result.energy_drift)
result.plot("hinge", "energy").save("pendulum.html")
