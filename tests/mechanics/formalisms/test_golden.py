"""Operation counts of eight mechanisms: a change that moves them shows here what moved.

After a change that is meant to move them: `python tools/golden.py`.
"""

import json
from pathlib import Path

import golden_models
import pytest

import hapsis as hs

KEPT = json.loads((Path(__file__).parents[1] / "operations.json").read_text())


def test_all_models_are_kept() -> None:
    assert sorted(KEPT) == sorted(golden_models.GOLDEN)


@pytest.mark.parametrize("name", golden_models.GOLDEN)
def test_counts_have_not_moved(name: str) -> None:
    now = {
        quantity: golden_models.counts(f)
        for quantity, f in golden_models.functions(golden_models.GOLDEN[name]()).items()
    }
    moved = [
        f"{name} {quantity} {part}: {KEPT[name].get(quantity, {}).get(part)} -> {count}"
        for quantity, parts in now.items()
        for part, count in parts.items()
        if KEPT[name].get(quantity, {}).get(part) != count
    ]
    assert not moved, "operation counts moved (python tools/golden.py):\n" + "\n".join(moved)


def test_matrices_too_large_are_refused_at_once() -> None:
    rods = [hs.Rod(f"r{k}", 1.0, 1.0) for k in range(1200)]
    ends = ["world", *(f"r{k}.end" for k in range(1199))]
    joints = [hs.Revolute(f"j{k}", end, f"r{k}") for k, end in enumerate(ends)]
    model = hs.Model(*rods, *joints)
    for verb in (hs.mass_matrix, hs.derivatives, hs.regressor):
        with pytest.raises(hs.ModelError, match="of this model would have 1200 x"):
            verb(model)
