"""Warnings of a model are told once, by the first verb that computes with it, and are kept by its results."""

import warnings

import numpy as np
import pytest

import hapsis as hs


def odd() -> hs.Model:
    """A pendulum whose limits are in degrees by mistake."""
    arm = hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(1.0, 1.0, 1.0))
    model = hs.Model(arm, hs.Revolute("hinge", hs.WORLD, "arm", axis="y", limits=(-90.0, 90.0)))
    assert len(model.warnings) == 1
    return model


TURN = {"hinge": lambda t: 0.1 * t}
VERBS = {
    "simulate": lambda m: hs.simulate(m, 0.1),
    "many": lambda m: hs.simulate(m, 0.1, {"hinge": [0.1, 0.2]}),
    "many alone": lambda m: hs.simulate(m, 0.1, {"hinge": [0.1, 0.2]}, method="stiff"),
    "sweep": lambda m: hs.sweep(m, 0.1, {"hinge": [0.1, 0.2, 0.3]}, "hinge"),
    "stepper": lambda m: hs.stepper(m, 1e-3),
    "follow": lambda m: hs.follow(m, TURN, 0.1),
    "equilibrium": lambda m: hs.equilibrium(m),
    "linearize": lambda m: hs.linearize(m),
    "modes": lambda m: hs.modes(m),
    "sensitivities": lambda m: hs.sensitivities(m, 0.1, "arm.mass"),
    "gradient": lambda m: hs.gradient(m, lambda s: s["hinge"], "arm.mass", 0.1),
    "identify": lambda m: hs.identify(
        m, {"t": np.linspace(0, 0.1, 5), "hinge": np.linspace(0.3, 0.29, 5)}, {"arm.inertia.yy": 1.0}
    ),
}


@pytest.mark.parametrize("name", VERBS)
def test_each_verb_tells_the_warnings_of_a_model_once(name: str) -> None:
    model = odd()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        VERBS[name](model)
        VERBS[name](model)
    texts = [str(w.message) for w in caught]
    assert [text for text in texts if model.warnings[0] in text] == list(model.warnings)
    assert all(w.filename == __file__ for w in caught if str(w.message) in model.warnings)


def test_results_have_the_warnings_of_their_model() -> None:
    model = odd()
    with pytest.warns(hs.Notice):
        one = hs.simulate(model, 0.1)
    many = hs.simulate(model, 0.1, {"hinge": [0.1, 0.2]})
    alone = hs.simulate(model, 0.1, {"hinge": [0.1, 0.2]}, method="stiff")
    followed = hs.follow(model, TURN, 0.1)
    assert one.warnings == followed.warnings == model.warnings
    assert [many[k].warnings for k in (0, 1)] == [alone[k].warnings for k in (0, 1)] == [model.warnings] * 2
    assert hs.sweep(model, 0.1, {"hinge": [0.1, 0.2]}, "hinge").message[0] == one.message
