"""A fixed sample of wrong calls: what comes back is a result or an error of one line."""

import sys
from pathlib import Path

import pytest

import hapsis as hs

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import attack_calls

ARM = attack_calls.MODEL


def test_a_sample_of_wrong_calls():
    rows = attack_calls.run(600.0, seed=13, most=2500)
    offenders = [offender for row in rows for offender in row["offenders"] if offender[0] != "slow"]
    assert sum(row["tried"] for row in rows) == 2500 and not offenders


def test_the_campaign_reaches_the_options_of_simulate_and_of_verbs_with_listed_options():
    simulate, gradient = (
        next(t for t in attack_calls.targets() if t.name == n) for n in ("simulate", "gradient")
    )
    for target in (simulate, gradient):
        assert {"tolerance", "most_steps", "longest_step"} <= {p.name for p in target.parameters}
        call = attack_calls.call_of(target, attack_calls.Form("tolerance", 0, 0))
        kind, why = attack_calls.outcome(call._replace(named={**call.named, "tolerance": -1.0}))
        assert kind == "refused" and "tolerance" in why  # not because of anything else


def test_the_campaign_sees_what_it_looks_for():
    def text_for_a_number(x: float = 1.0) -> None: ...

    def inside(x: float = 1.0) -> None:
        raise ValueError("inside")

    for function, kind in ((text_for_a_number, "impossible"), (inside, "tracebacks")):
        target = attack_calls.Target(function.__name__, function, {})
        calls = [attack_calls.call_of(target, form) for form in attack_calls.forms(target)]
        assert attack_calls.outcome(next(call for call in calls if call.bad == "text"))[0] == kind


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
