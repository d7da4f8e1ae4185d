"""A thousand runs in one call: a first axis among the start, SIMD lanes, all cores."""

import numpy as np

import hapsis as hs

model = hs.Model(
    hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
    hs.Revolute("hinge", hs.WORLD, "arm", axis="y"),
)
many = hs.simulate(model, until=10.0, start={"hinge": np.linspace(0.1, 3.0, 1000)})
print(many["hinge"].shape)  # (1000, rows)

# the wider a pendulum swings, the longer a swing takes: how often each passes its lowest point
passes = (np.diff(np.sign(many["hinge"]), axis=1) != 0).sum(axis=1)
print(f"in 10 s {passes[0]} times from 0.1 rad, {passes[-1]} times from 3 rad")
