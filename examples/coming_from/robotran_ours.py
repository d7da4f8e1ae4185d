"""A mechanism from a Robotran file: partition, motion, a plot."""

from pathlib import Path

import hapsis as hs

file = Path(__file__).parents[1] / "models" / "three_bar.mbs"
model = hs.load(file)
print(hs.partition(model))
result = hs.simulate(model, until=2.0)
print(result, result.constraint_error)
result.plot().save("three_bar.html")
