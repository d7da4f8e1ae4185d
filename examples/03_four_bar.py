"""A loop is a joint that closes a cycle: a driven four-bar, its motor's effort, its reactions."""

import hapsis as hs

model = hs.Model(
    hs.Rod("crank", length=0.2, mass=0.2),
    hs.Rod("coupler", length=0.5, mass=0.5),
    hs.Rod("rocker", length=0.4, mass=0.4),
    hs.Revolute("A", hs.WORLD, "crank", axis="y"),
    hs.Revolute("B", "crank.end", "coupler", axis="y"),
    hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
    hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),  # closes the loop
    hs.Drive("motor", "A", position=lambda t: 0.3 + 6.28 * t),
)
start = hs.assemble(model, {"A": 0.3})
print(start.report)
result = hs.simulate(model, until=5.0, start=start)
print(result, result.energy_drift)

effort, reaction = result["motor.effort"], result["C.reaction"]
print(f"the motor gives {effort.min():.3f} to {effort.max():.3f} N m")
print(f"pin C carries at most {abs(reaction[:, 3:]).max():.3f} N along an axis")
print(f"the loop is open by {result.constraint_error:.1e} m at most")
assert result.success and result.constraint_error < 1e-12
