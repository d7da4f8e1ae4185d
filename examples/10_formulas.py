"""Sizes as formulas: one number changes, and with it every mass, length and inertia.

A tube of length L has mass rho L. The parameters L and rho stay inputs of the compiled code, so a
sweep over designs is one call.
"""

import numpy as np

import hapsis as hs

model = hs.Model(
    hs.Rod("upper", length="L", mass="rho * L"),
    hs.Rod("fore", length="ratio * L", mass="rho * ratio * L"),
    hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
    hs.Revolute("elbow", "upper.end", "fore", axis="y"),
    parameters={"L": 0.4, "ratio": 0.8, "rho": 1.5},
)
print(model, dict(model.parameters))

holding = hs.bias(model)  # the torques that hold the arm where it stands
print(holding)
torque = hs.compile(holding)
still = np.zeros(2)
print("as it is     ", torque(still, still))
print("twice as long", torque(still, still, p={"L": 0.8}))
assert np.allclose(torque(still, still, p={"L": 0.8}), 4 * torque(still, still))  # rho L · L/2 · g

# a hundred designs, nothing compiled again
lengths = np.linspace(0.2, 1.0, 100)
states = np.zeros((100, 2))
designs = torque(states, states, p={"L": lengths})
assert np.allclose(designs[:, 0] / lengths**2, designs[0, 0] / lengths[0] ** 2)

# how the shoulder's torque depends on each parameter
for name in model.parameters:
    slope = hs.compile(holding.jacobian("c", name))(still, still)
    print(f"d torque / d {name:<6} {slope[0]:8.3f}")

# another value in the model itself is another model
longer = model.replace(parameters={**model.parameters, "L": 0.8})
assert np.allclose(hs.compile(hs.bias(longer))(still, still), 4 * torque(still, still))
