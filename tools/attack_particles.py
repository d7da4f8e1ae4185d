"""Random scenes of particles and impossible calls: which law is broken?

    python tools/attack_particles.py                   some of each kind
    python tools/attack_particles.py falls 0 1000      seeds 0 to 999 of one kind
    python tools/attack_particles.py --replay falls:17

A line for each seed that breaks a law. The exit status is 1 if there is one. `particle_laws` says what the
laws are.
"""

import sys
import warnings

from attacks.seeds import Kinds, exit_status
from particle_laws import networks, solids

KINDS: Kinds = {"networks": networks.networks, "falls": solids.falls, "flights": solids.free_flight}
SIZE = 30  # seeds of each kind

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(exit_status(sys.argv[1:], KINDS, dict.fromkeys(KINDS, SIZE)))
