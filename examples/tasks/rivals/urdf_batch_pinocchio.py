"""URDF batch in Pinocchio: recursive Newton-Euler for one state after the other."""

from pathlib import Path

import numpy as np
import pinocchio

arm = pinocchio.buildModelFromUrdf(str(Path(__file__).parents[2] / "models" / "arm.urdf"))
data = arm.createData()
q, v, a = np.random.default_rng(1).uniform(-1, 1, (3, 10_000, arm.nv))
neutral = pinocchio.neutral(arm)  # joints without limits have two numbers in q: cosine and sine
turned = [pinocchio.integrate(arm, neutral, angles) for angles in q]
torques = np.array([pinocchio.rnea(arm, data, *state) for state in zip(turned, v, a, strict=True)])
print(list(arm.names)[1:], abs(torques).max(axis=0))
