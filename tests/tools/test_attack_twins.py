"""Random programs and mechanisms with twins: the same numbers with packs as without."""

import attack_twins
import pytest
from attacks.seeds import attack
from samples import sample

SIZES = {"programs": 40, "blocks": 20, "limbs": 2, "loops": 2, "exports": 1, "large": 1}


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize("kind", attack_twins.KINDS)
def test_a_sample(kind, capsys):
    count = attack(attack_twins.KINDS, kind, range(sample(SIZES[kind], 5 * SIZES[kind])))
    assert count == 0, capsys.readouterr().out
