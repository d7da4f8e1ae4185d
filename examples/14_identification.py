"""Masses from motion: the regressor, the parameters that can be told apart, least squares."""

from pathlib import Path

import numpy as np

import hapsis as hs

model = hs.load(Path(__file__).parent / "models" / "arm.urdf")
Y = hs.compile(hs.regressor(model))
truth = hs.inertial_parameters(model)
base = hs.base_parameters(model)
print(f"{len(truth)} inertial parameters, of which {len(base.names)} combinations show in motion")

# a recorded motion: states, and the efforts that made them (losses known and taken off)
draw = np.random.default_rng(3)
q, v, a = draw.uniform(-2, 2, (3, 500, len(model.speeds)))
efforts = hs.compile(hs.inverse_dynamics(model, passive=False))(q, v, a)
measured = efforts + draw.normal(scale=0.01, size=efforts.shape)

# least squares for the base parameters
rows = Y(q, v, a)[:, :, list(base.columns)].reshape(-1, len(base.names))
found = np.linalg.lstsq(rows, measured.ravel(), rcond=None)[0]
expected = base.grouping @ np.array(list(truth.values()))
for name, value, right in list(zip(base.names, found, expected, strict=True))[:6]:
    print(f"{name:<16} {value:9.4f}   model {right:9.4f}")
print("largest error", np.abs(found - expected).max())
assert np.allclose(found, expected, atol=0.02)

# what was found foretells the efforts of another motion
q, v, a = draw.uniform(-2, 2, (3, 100, len(model.speeds)))
foretold = Y(q, v, a)[:, :, list(base.columns)] @ found
right = hs.compile(hs.inverse_dynamics(model, passive=False))(q, v, a)
assert np.abs(foretold - right).max() < 0.1
