"""A force law from formula to native code: print, compile, batch, differentiate, export.

Felt of a piano hammer: the force grows with a power of the compression, and damping makes the
way back softer. Below zero compression there is no force.
"""

import tempfile
from pathlib import Path

import numpy as np

import hapsis as hs

u = hs.symbol("u", "length")  # compression, m
v = hs.symbol("v")  # its rate, m/s
stiffness = hs.parameter("stiffness", 4.5e9)  # N/m^2.5
damping = hs.parameter("damping", 0.2)  # s/m

law = hs.where(u > 0, stiffness * hs.abs(u) ** 2.5 * (1 + damping * v), 0.0)
felt = hs.Function("felt", {"u": u, "v": v}, {"force": law})
print(felt, "\n")

# native code in this process; parameters are run-time inputs
force = hs.compile(felt)
print(f"at 0.3 mm        {force(3e-4, 0.0):8.4f} N")
print(f"twice as stiff   {force(3e-4, 0.0, p={'stiffness': 9e9}):8.4f} N")

# the same callable for a batch: here a whole curve
depth = np.linspace(-1e-4, 4e-4, 10_001)
curve = force(depth, 0.0)
print(f"largest of {len(curve):6} {curve.max():8.4f} N")
assert (curve[depth <= 0] == 0).all() and (np.diff(curve) >= 0).all()

# the slope is another Function
slope = hs.compile(felt.jacobian("force", "u"))
h = 1e-9
difference = (force(3e-4 + h, 0.0) - force(3e-4 - h, 0.0)) / (2 * h)
print(f"slope            {slope(3e-4, 0.0):8.0f} N/m")
assert np.isclose(slope(3e-4, 0.0), difference, rtol=1e-6)
assert slope(-1e-4, 0.0) == 0

# C99 with a program that tests it on the machine it is meant for
with tempfile.TemporaryDirectory() as folder:
    for file in hs.export(Path(folder) / "felt", felt, language="c"):
        print(f"{file.name:16} {len(file.read_text().splitlines()):8} lines")
