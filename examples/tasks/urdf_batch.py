"""URDF batch: joint torques of a robot arm for ten thousand states in one call."""

from pathlib import Path

import numpy as np

import hapsis as hs

arm = hs.load(Path(__file__).parents[1] / "models" / "arm.urdf")
q, v, a = np.random.default_rng(1).uniform(-1, 1, (3, 10_000, len(arm.speeds)))
torques = hs.compile(hs.inverse_dynamics(arm, passive=False))(q, v, a)
print(arm.coordinates, abs(torques).max(axis=0))
