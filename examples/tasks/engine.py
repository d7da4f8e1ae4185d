"""Engine: a four-stroke single cylinder turns at 3000 rpm; torque, pin force and indicated power."""

import numpy as np

import hapsis as hs

SPEED, AREA, DEAD_VOLUME = 100 * np.pi, 5e-3, 5e-5  # rad/s, m2, m3


def gas(s, top=0.19, compressed=1e5, burnt=4e5):
    """Gauge pressure by crank angle: 0 intake, π compression, 2π expansion, 3π exhaust."""
    angle = s["crank"] - 4 * np.pi * hs.floor(s["crank"] / (4 * np.pi))
    volume = DEAD_VOLUME + AREA * (top - s["piston"])
    cylinder = hs.where(angle < 2 * np.pi, compressed, burnt) * (DEAD_VOLUME + AREA * 0.1) ** 1.3
    pressure = hs.where(hs.abs(angle - 2 * np.pi) < np.pi, cylinder / volume**1.3 - 1e5, 0.0)
    return {"piston": -AREA * pressure}


engine = hs.Model(
    hs.Rod("crank", length=0.05, mass=1.0),
    hs.Rod("rod", length=0.14, mass=0.4),
    hs.Body("piston", mass=0.5),
    hs.Revolute("crank", hs.WORLD, "crank", axis="y"),
    hs.Revolute("big end", "crank.end", "rod", axis="y"),
    hs.Prismatic("piston", hs.WORLD, "piston", axis="x"),
    hs.Revolute("pin", "rod.end", "piston", axis="y"),  # closes the loop
    hs.Drive("shaft", "crank", velocity=SPEED),
    hs.Controller("gas", gas),
)
run = hs.simulate(engine, until=4 * np.pi / SPEED, start={"crank": 0.0}, near={"piston": 0.19})
power = np.trapezoid(-run["shaft.effort"], run["crank"]) * SPEED / (4 * np.pi)
print(power, run["shaft.effort"].min(), np.linalg.norm(run["pin.reaction"][:, 3:], axis=1).max())
