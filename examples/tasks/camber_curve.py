"""Camber curve: how a wheel between two wishbones leans as it moves up and down."""

import numpy as np

import hapsis as hs

balls = {"lower": (0.01, -0.0475, -0.15), "upper": (-0.02, -0.0875, 0.13), "rod": (0.14, -0.0575, -0.10)}
corner = hs.Model(
    hs.Body("lower", mass=3.0, frames={"end": (0.01, 0.39, -0.02)}),  # x forward, y left, z up, in m
    hs.Body("upper", mass=2.0, frames={"end": (-0.01, 0.25, -0.01)}),
    hs.Body("carrier", mass=20.0, inertia=(0.5, 0.9, 0.5), frames=balls),  # its origin is the wheel's centre
    hs.Revolute("lower", hs.WORLD.at(0.0, 0.35, 0.20), "lower", axis="x"),
    hs.Revolute("upper", hs.WORLD.at(-0.01, 0.45, 0.47), "upper", axis="x"),
    hs.Ball("lower ball", "lower.end", "carrier.lower"),
    hs.Ball("upper ball", "upper.end", "carrier.upper"),  # closes a loop
    hs.Distance("track rod", hs.WORLD.at(0.13, 0.37, 0.24), "carrier.rod", length="sqrt(0.1298)"),
)
travel = hs.follow(corner, {"lower": lambda t: 0.2 * t - 0.2}, until=2.0, every=0.05)
p, R = hs.compile(hs.pose(corner, "carrier"))(np.stack([travel[x] for x in corner.coordinates], axis=1))
camber = -np.degrees(np.arcsin(R[:, 2, 1]))  # of the axle, along y; positive: the top leans outwards
bump = p[:, 2] - 0.33
for height, angle in zip(bump[::5], camber[::5], strict=True):
    print(f"{1000 * height:7.1f} mm  {angle:7.3f} deg")
