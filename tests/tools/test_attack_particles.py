"""The attack on particles: a few seeds of each kind break no law, and a broken law is seen."""

import attack_particles
import numpy as np
import pytest
from attacks.seeds import attack
from particle_laws import networks, solids


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize("kind", attack_particles.KINDS)
def test_a_few_seeds(kind, monkeypatch, capsys):
    monkeypatch.setattr(networks, "STEPS", 100)
    assert attack(attack_particles.KINDS, kind, range(1, 2)) == 0, capsys.readouterr().out


def test_a_broken_law_is_seen(monkeypatch):
    monkeypatch.setattr(networks, "STEPS", 100)
    own = networks.Network.acceleration
    monkeypatch.setattr(networks.Network, "acceleration", lambda self, x, v: 1.01 * own(self, x, v))
    assert any("positions differ" in line for line in attack_particles.KINDS["networks"](0))
    monkeypatch.setattr(solids, "account", lambda result: (np.inf, 0.0))
    assert any("unexplained" in line for line in attack_particles.KINDS["flights"](0))
