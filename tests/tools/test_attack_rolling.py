"""What rolls, steady rides, Kane's equations and impossible calls, by routes of their own."""

import attack_rolling
import pytest
from attacks.seeds import attack
from samples import sample

SIZES = {"rolls": 3, "boards": 3, "bicycles": 2, "discs": 3, "kane": 6, "calls": 2}


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize("kind", attack_rolling.KINDS)
def test_a_sample(kind, capsys):
    count = attack(attack_rolling.KINDS, kind, range(sample(SIZES[kind], 40)))
    assert count == 0, capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize(("kind", "seed"), [("rolls", 16), ("rolls", 63), ("discs", 139)])
def test_what_was_broken_once(kind, seed):
    """A normal straight down; a partition that gets weak where another one is good; a fast small disc."""
    assert attack_rolling.KINDS[kind](seed) == []
