"""Numbers of an arm from a URDF file: one state or many, derivatives, C code."""

# the data: a robot file in a folder of its own, states at random
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

import hapsis as hs

here = tempfile.TemporaryDirectory()
shutil.copy(Path(__file__).parent / "models" / "arm.urdf", here.name)
os.chdir(here.name)
draw = np.random.default_rng(2)
q, v, a = draw.uniform(-1, 1, (3, 6))
Q, V, A = draw.uniform(-1, 1, (3, 1000, 6))

# the program
model = hs.load("arm.urdf")
f = hs.inverse_dynamics(model)  # Function(q, v, a) -> tau
tau = hs.compile(f)
tau(q, v, a)  # (n,) -> (n,)
tau(Q, V, A)  # (N, n) -> (N, n): SIMD lanes, all cores
print(model.coordinates, f.cost(), hs.compile(f.jacobian("tau", "q"))(q, v, a))
hs.export("build/arm", [f, hs.forward_dynamics(model)], language="c")  # arm.c arm.h arm_test.c

# what it gave
assert tau(q, v, a).shape == (6,) and tau(Q, V, A).shape == (1000, 6)
assert np.allclose(tau(Q, V, A)[7], tau(Q[7], V[7], A[7]))
back = hs.compile(hs.forward_dynamics(model))(q, v, tau(q, v, a))
assert np.allclose(back, a)
print(sorted(path.name for path in Path("build").iterdir()))
os.chdir(Path(__file__).parent)
here.cleanup()
