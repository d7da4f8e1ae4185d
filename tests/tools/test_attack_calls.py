"""A fixed sample of wrong calls: what comes back is a result or an error of one line."""

import sys
from pathlib import Path

import pytest

import hapsis as hs

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import attack_calls

ARM = attack_calls.MODEL


def test_a_sample_of_wrong_calls():
    rows = attack_calls.run(600.0, seed=13, most=600)
    offenders = [offender for row in rows for offender in row["offenders"] if offender[0] != "slow"]
    assert sum(row["tried"] for row in rows) == 600 and not offenders


MODEL_VERBS = [
    name
    for name in hs.__all__
    if "model" in getattr(getattr(hs, name), "__annotations__", {}) and name[0].islower()
]


@pytest.mark.parametrize("name", MODEL_VERBS)
def test_verbs_over_models_take_models_only(name):
    target = next(t for t in attack_calls.targets() if t.name == name)
    for wrong in (None, "arm.yaml", Path("arm.yaml"), 3, [], attack_calls.FUNCTION):
        with pytest.raises(hs.Error) as error:
            others = {n: x for n, x in target.sound.items() if n != "model"}
            target.function(wrong, **others)
        assert "\n" not in str(error.value) and "Model" in str(error.value)


def test_an_error_of_our_own_is_not_blamed_on_the_caller():
    from hapsis.compiler.ir.functions.verbs import verb

    @verb
    def broken(x: float) -> float:
        return {}["inner"]

    with pytest.raises(KeyError):
        broken(1.0)
    with pytest.raises(hs.Error, match=r"broken: x must be a finite number, not a list"):
        broken([])
    with pytest.raises(TypeError, match="broken"):
        broken()
