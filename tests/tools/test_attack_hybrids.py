"""Random hybrids by independent routes: event loops in closed form, dense impacts, exchanged poses."""

import attack_hybrids
import pytest
from attacks.seeds import attack
from samples import sample


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize("kind", attack_hybrids.KINDS)
def test_a_sample(kind, capsys):
    count = attack(attack_hybrids.KINDS, kind, range(sample(4, 40)))
    assert count == 0, capsys.readouterr().out
