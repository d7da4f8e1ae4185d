"""A motion kept: as a page that plays it, as arrays, as a table; and read back."""

from pathlib import Path

import numpy as np

import hapsis as hs

model = hs.load(Path(__file__).parent / "models" / "double_pendulum.yaml")
result = hs.simulate(model, until=5.0, every=0.005)

page = result.save("motion.html")  # the player, one file; result.show() opens it in the browser
table = result.save("motion.csv")  # every column, for other programs
arrays = result.save("motion.npz")  # all of it, for hs.load
curves = result.plot("shoulder", "elbow", "bumper.effort").save("curves.html")
for path in (page, table, arrays, curves):
    print(f"{path}  {path.stat().st_size // 1000} kB")

back = hs.load("motion.npz")
assert all(np.array_equal(back[name], result[name]) for name in result.names)
assert back.events == result.events and back.status == "done"
print(back)
print(back.player())  # what was saved can be shown

columns = np.genfromtxt("motion.csv", delimiter=",", names=True)
assert np.array_equal(columns["elbow"], result["elbow"])
