"""Values kept with a model."""

import copy
import pickle

import hapsis as hs
from hapsis.mechanics.model.derived import derived


def arm():
    return hs.Model(hs.Rod("arm", 1.0, 1.0), hs.Revolute("hinge", hs.WORLD, "arm"))


def test_a_value_is_made_once():
    model, calls = arm(), []
    for _ in range(3):
        assert derived(model, "answer", lambda: calls.append(1) or 42) == 42
    assert calls == [1]
    assert derived(model, ("answer", 2), lambda: 43) == 43


def test_other_models_have_their_own():
    model = arm()
    derived(model, "answer", lambda: 42)
    for other in (arm(), model.replace("arm", mass=2.0), pickle.loads(pickle.dumps(model))):
        assert derived(other, "answer", lambda: 0) == 0
    assert derived(model, "answer", lambda: 0) == 42


def test_a_copy_is_the_model_itself():
    model = arm()
    assert copy.copy(model) is model is copy.deepcopy(model)


def test_a_model_with_derived_values_can_be_pickled_and_compared():
    model = arm()
    derived(model, "code", lambda: lambda: None)
    assert pickle.loads(pickle.dumps(model)) == model == arm()
