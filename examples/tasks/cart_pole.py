"""Cart-pole: keep a pole upright by moving the cart under it, with an LQR controller."""

import numpy as np
from scipy.linalg import solve_continuous_are

import hapsis as hs

model = hs.Model(
    hs.Body.box("cart", size=(0.4, 0.2, 0.1), mass=1.0),
    hs.Body.cylinder("pole", radius=0.02, length=0.6, mass=0.2, at=(0, 0, 0.3)),
    hs.Prismatic("slide", hs.WORLD, "cart", axis="x"),
    hs.Revolute("hinge", "cart", "pole", axis="y"),
)
small = hs.linearize(model, {"hinge": 0.0}, inputs=("slide",))  # states: slide, hinge, slide.v, hinge.v
riccati = solve_continuous_are(small.A, small.B, np.diag([1.0, 10.0, 0.1, 0.1]), [[0.1]])
gains = (small.B.T @ riccati / 0.1)[0]


def balance(s):
    return {"slide": -sum(gain * s[name] for gain, name in zip(gains, small.states, strict=True))}


result = hs.simulate(model + hs.Controller("lqr", balance), until=8.0, start={"hinge": 0.3})
print(gains, result["slide"][-1], result["hinge"][-1], abs(result["lqr.slide"]).max())
