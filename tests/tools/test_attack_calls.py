"""A fixed sample of wrong calls: what comes back is a result or an error of one line."""

import sys
from pathlib import Path

import pytest

import hapsis as hs

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import attack_calls
from attacks.call_samples import bad_values

from hapsis.compiler.ir.functions.argument_kinds import fits_any, is_plain

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
            target.function(**{**others, "model": wrong})
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


CONSTRUCTORS = [
    target
    for target in attack_calls.targets()
    if isinstance(target.function, type) and target.name not in attack_calls.RETURNED
]


def wrong_plain_values():
    """Every constructor with every wrong value for a text, a flag, a function or an object of ours."""
    for target in CONSTRUCTORS:
        try:
            target.function(**target.sound)
        except (hs.Error, TypeError):
            continue  # there is no sound call to begin with
        named = [p.name for p in target.parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        hints = {name: target.hints.get(name) for name in named}
        for name in (name for name, hint in hints.items() if hint is not None and is_plain(hint)):
            for bad in bad_values():
                if not fits_any(bad, hints[name]):
                    yield target, name, bad


def test_constructors_refuse_at_once_what_would_fail_later():
    calls = 0
    for target, name, bad in wrong_plain_values():
        calls += 1
        with pytest.raises(hs.Error) as error:
            target.function(**{**target.sound, name: bad})
        assert str(error.value).isprintable()
    assert calls > 2000


@pytest.mark.parametrize("bad", [1.0, 5, True, [1, 2], (1, 2, "?"), {"x": 1}, b"x", hs.WORLD])
def test_an_end_says_at_once_what_it_takes(bad):
    expected = r"the name of a frame, a Frame or its origin \(x, y, z\)"
    with pytest.raises(hs.ModelError, match=f"an end: frame.*; expected {expected}"):
        hs.End("body", bad)
    with pytest.raises(hs.ModelError, match="an end: body must be the name of a body, not"):
        hs.End(bad)
    with pytest.raises(hs.ModelError, match=r"a shape such as hs.Sphere"):
        hs.Surface("body", bad)


def test_an_end_takes_an_origin():
    assert hs.End("body", (0, 0, 1)) == hs.End("body", hs.Frame((0, 0, 1)))
