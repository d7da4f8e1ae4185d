"""Identification: damping and centre of mass of a pendulum from a noisy record of its angle."""

import numpy as np

import hapsis as hs

model = hs.Model(
    hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
    hs.Revolute("hinge", hs.WORLD, "arm", axis="y", damping=0.05),
)
truth = hs.simulate(model, until=5.0, start={"hinge": 0.5}, every=0.01)
noise = np.random.default_rng(1).normal(scale=1e-3, size=len(truth.t))
record = {"t": truth.t, "hinge": truth["hinge"] + noise}
fit = hs.identify(model, record, {"arm.com.z": -0.4, "hinge.damping": 0.01}, start={"hinge": 0.5})
print(fit)
