"""The same block in Hapsis, and the way that Coulomb's law gives."""

import math

import hapsis as hs

SLOPE, STEP = 0.3, 0.002
model = hs.Model(
    hs.Body.box("block", (0.1, 0.1, 0.04), mass=1.0),
    hs.Free("block", hs.WORLD, "block"),
    hs.Contact(
        "ground",
        hs.Surface("block"),
        hs.WORLD.plane("z"),
        law=hs.HuntCrossley(stiffness=1e5, power=1.0, damping=2.0),
        friction=0.6,
    ),
    gravity=(9.81 * math.sin(SLOPE), 0, -9.81 * math.cos(SLOPE)),
)
start = {"block.z": 0.02, "block.vx": 1.0}
result = hs.simulate(model, until=3.0, start=start, method="contact", step=STEP, every=STEP)
x = result["block.x"]
way, creep = x[500], (x[-1] - x[500]) / 2.0
print(f"{way:.4f} m, then {1e3 * creep:.3f} mm/s; {-1e3 * result['ground.gap'][-1]:.4f} mm deep")
exact = 1.0 / (2 * 9.81 * (0.6 * math.cos(SLOPE) - math.sin(SLOPE)))
assert abs(way - exact) < 0.01 * exact and abs(creep) < 1e-12
