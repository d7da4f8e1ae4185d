"""The same cart in Hapsis, and as formulas of SymPy."""

import hapsis as hs

model = hs.Model(
    hs.Body("cart", mass="M"),
    hs.Body("bob", mass="m", com=(0, 0, "-l")),
    hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
    hs.Revolute("angle", "cart", "bob", axis="y"),
    parameters={"M": 1.0, "m": 0.2, "l": 0.6},
)
f = hs.forward_dynamics(model)
print(f)  # the formulas as straight-line code
accelerations = hs.compile(f)([0.0, 0.5], [0.1, -0.3], [0, 0])
print(accelerations)
symbolic = hs.to_sympy(f)  # the same for SymPy
