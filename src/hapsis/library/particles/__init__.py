"""Ready scenes of particles: each function gives an `hs.particles.Scene`."""

from hapsis.library.particles.jelly_cube import jelly_cube
from hapsis.library.particles.ligament_knee import ligament_knee
from hapsis.library.particles.panda_sponge import panda_sponge
from hapsis.library.particles.three_finger_hand import three_finger_hand

__all__ = ["jelly_cube", "ligament_knee", "panda_sponge", "three_finger_hand"]
