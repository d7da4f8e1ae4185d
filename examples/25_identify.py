"""Numbers of a model from recordings: from angles by simulation, from torques at once."""

from pathlib import Path

import numpy as np

import hapsis as hs

draw = np.random.default_rng(1)
bob = hs.Body("bob", mass=1.2, com=("L", 0, 0))
truth = hs.Model(bob, hs.Revolute("hinge", hs.WORLD, "bob", axis="y", damping=0.15), parameters={"L": 0.8})
guess = truth.replace("hinge", damping=0.4).replace(parameters={"L": 0.7})

# a swing, seen by a camera: noisy angles, an uncertain start
swing = hs.simulate(truth, until=5.0, start={"hinge": 0.3}, every=0.02)
seen = {"t": swing.t, "hinge": swing["hinge"] + draw.normal(scale=0.01, size=len(swing.t))}
found = hs.identify(guess, seen, ["hinge.damping", "L", "hinge"], start={"hinge": 0.2})
print(f"{found}\ncamera noise {found.noise['hinge']:.4f} rad, {found.iterations} steps\n")
print(hs.identify(found.model, seen, ["hinge.damping", "bob.mass"], start={"hinge": 0.3}), "\n")

# an arm whose torques were measured along a motion: linear in its masses
arm = hs.load(Path(__file__).parent / "models" / "arm.urdf")
q, v, a = draw.uniform(-2, 2, (3, 300, len(arm.speeds)))
efforts = hs.compile(hs.inverse_dynamics(arm))(q, v, a) + draw.normal(scale=0.01, size=q.shape)
data = {"t": 0.01 * np.arange(300)}
for end, columns in (("", q), (".v", v), (".a", a), (".effort", efforts)):
    data |= {name + end: x for name, x in zip(arm.coordinates, columns.T, strict=True)}
print(hs.identify(arm, data, {"flange.mass": 1.0}), " in the model", arm.bodies["flange"].mass)
