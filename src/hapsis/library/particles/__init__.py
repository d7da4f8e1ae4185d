"""Ready scenes of particles: each function gives an `hs.particles.Scene`."""

from hapsis.library.particles.ligament_knee import ligament_knee
from hapsis.library.particles.three_finger_hand import three_finger_hand

__all__ = ["ligament_knee", "three_finger_hand"]
