"""Random hybrids by independent routes: event loops in closed form, dense impacts, exchanged poses."""

import attack_hybrids
import pytest
from attacks.seeds import attack
from samples import sample

FEW = {"machines": range(13, 14)}  # one with two events of one value, and a long leg that turns over its foot


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize("kind", attack_hybrids.KINDS)
def test_a_sample(kind, capsys):
    seeds = sample(FEW.get(kind, range(4)), range(40))
    count = attack(attack_hybrids.KINDS, kind, seeds)
    assert count == 0, capsys.readouterr().out
