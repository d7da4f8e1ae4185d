"""Random cycles, feet, blows and programs by independent routes."""

import shutil

import attack_cycles
import pytest
from samples import sample


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize("kind", attack_cycles.KINDS)
def test_a_sample(kind, capsys):
    if kind == "programs" and shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    count = attack_cycles.attack(kind, range(sample(2, 20)))
    assert count == 0, capsys.readouterr().out
