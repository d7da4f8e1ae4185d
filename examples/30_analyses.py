"""A sprung four-bar linkage: where it rests, how it swings, and what it takes to move it."""

import numpy as np

import hapsis as hs

model = hs.Model(
    hs.Rod("crank", length=0.2, mass=0.2),
    hs.Rod("coupler", length=0.5, mass=0.5),
    hs.Rod("rocker", length=0.4, mass=0.4),
    hs.Revolute("A", hs.WORLD, "crank", axis="y"),
    hs.Revolute("B", "crank.end", "coupler", axis="y"),
    hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
    hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
    hs.Spring("spring", "coupler.mid", hs.WORLD.at(0.2, 0, 0.6), 120.0, 1.5, 0.25),
    poses={"start": {"A": -0.6, "B": 0.2, "D": -1.8}},
    independent=["A"],
)
print(hs.partition(model), end="\n\n")

rest = hs.equilibrium(model)
print(rest, rest.report, sep="\n", end="\n\n")

modes = hs.modes(model, rest)
print(modes, end="\n\n")

# a push on the crank, and how the rocker answers
small = hs.linearize(model, rest, inputs=("A",), outputs=("D", "C.reaction"))
print(f"one newton metre more on A turns D by {(-small.C @ np.linalg.solve(small.A, small.B))[0]}")

# let go a little away from rest it swings as the mode says
start = hs.assemble(model, {"A": rest["A"] + 1e-3, "A.v": 0.0})
result = hs.simulate(model, until=1.0, start=start, tolerance=1e-11, every=0.001)
turned = result["A"] - rest["A"]
value = modes.eigenvalues[0]
wave = np.exp(value.real * result.t) * (
    np.cos(value.imag * result.t) - value.real / value.imag * np.sin(value.imag * result.t)
)
print(f"simulated and by the mode: {turned[-1]:.3e}, {1e-3 * wave[-1]:.3e} rad")
assert rest.report.stable and np.abs(turned - 1e-3 * wave).max() < 2e-6

# what a motor must do for a given motion: on the crank, or on the rocker
for motor in ("A", "D"):
    moved = hs.follow(model, {"A": lambda t: -1.7 + 0.4 * hs.sin(5 * t)}, 1.2, actuated=(motor,))
    print(f"motor on {motor}: at most {np.abs(moved[f'{motor}.effort']).max():.3f} N m")
    assert moved.constraint_error < 1e-12
