"""Sweep: the period of a pendulum over its amplitude, a thousand runs at once."""

import numpy as np

import hapsis as hs

model = hs.Model(
    hs.Body.sphere("bob", radius=0.02, mass=1.0, at=(0, 0, -0.5)),
    hs.Revolute("hinge", hs.WORLD, "bob", axis="y"),
)
angles = np.linspace(0.05, 3.0, 1000)
runs = hs.simulate(model, until=1.5, start={"hinge": angles}, every=0.001)
angle, row = runs["hinge"], np.arange(len(angles))
k = (angle < 0).argmax(axis=1)  # the first time below zero ends a quarter of the period
part = angle[row, k - 1] / (angle[row, k - 1] - angle[row, k])
period = 4 * (runs.t[k - 1] + 0.001 * part)
print(runs, period[[0, 499, 999]])
runs.plot("hinge").save("pendulums.html")
