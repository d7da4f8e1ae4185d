"""Sweep: the period of a pendulum over its amplitude, a thousand runs as one table."""

import numpy as np

import hapsis as hs

model = hs.Model(
    hs.Body.sphere("bob", radius=0.02, mass=1.0, at=(0, 0, -0.5)),
    hs.Revolute("hinge", hs.WORLD, "bob", axis="y"),
)


def period(run):
    """Four times the time to the first passage through zero."""
    k = (run["hinge"] < 0).argmax()
    return 4 * np.interp(0.0, run["hinge"][[k, k - 1]], run.t[[k, k - 1]])


angles = np.linspace(0.05, 3.0, 1000)
table = hs.sweep(model, 1.5, over={"hinge": angles}, measure={"period": period}, every=0.001)
print(table, table["period"][[0, 499, 999]])
table.plot("period").save("period.html")
