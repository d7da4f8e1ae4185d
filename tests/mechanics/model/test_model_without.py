"""Models without some of their facts: what refers to them is named, and nothing else changes."""

import itertools

import numpy as np
import pytest
from model_samples import models
from shared_models import four_bar

import hapsis as hs


def arm(*facts, **more):
    rods = hs.Rod("upper", 0.4, 1.0), hs.Rod("fore", 0.3, 0.5)
    joints = hs.Revolute("shoulder", hs.WORLD, "upper", "y"), hs.Revolute("elbow", "upper.end", "fore", "y")
    return hs.Model(*rods, *joints, *facts, **more)


FACTS = {
    "drive": hs.Drive("x", "elbow", 0.3),
    "stop": hs.Stop("x", "elbow", 5.0, high=1.0),
    "spring": hs.Spring("x", hs.WORLD, "fore.end", 3.0),
    "gear": hs.Gear("x", "shoulder", "elbow", 2.0),
    "tendon": hs.Tendon("x", {"shoulder": 0.1, "elbow": 0.2}, 4.0),
    "sensor": hs.Sensor("x", "effort", "elbow"),
    "imu": hs.Sensor("x", "imu", "fore.end"),
    "contact": hs.Contact("x", "fore.end", hs.WORLD.plane()),
    "controller": hs.Controller("x", lambda s: {"shoulder": -s["elbow.v"]}),
    "controller that acts": hs.Controller("x", lambda s: {"elbow": -s["shoulder"]}),
    "sampled controller": hs.Controller("x", lambda s: {"elbow": 1.0}, rate=100.0, efforts=("elbow",)),
    "constraint": hs.Constraint("x", lambda s: s["elbow"] - s["shoulder"]),
}


@pytest.mark.parametrize("fact", FACTS.values(), ids=FACTS)
def test_a_fact_leaves_nothing_behind_and_holds_what_it_refers_to(fact):
    model = arm(fact, poses={"start": {"elbow": 0.3, "shoulder": 0.1}}, independent=["elbow"])
    assert model.without("x") == arm(poses={"start": {"elbow": 0.3, "shoulder": 0.1}}, independent=["elbow"])
    target = "fore" if fact.ends else "elbow"
    with pytest.raises(hs.ModelError, match="cannot be left out") as error:
        model.without(target)
    text = str(error.value)
    assert fact.label in text and 'model.without("' in text and '"x"' in text
    rest = model.without("fore", "elbow", "x")
    assert rest.coordinates == ("shoulder",) and rest.independent == ()
    assert rest.poses == {"start": {"shoulder": 0.1}}


def test_every_model_without_each_of_its_facts():
    """Whatever is left out, the rest is a model, or the error says what to leave out too, and that works."""
    removed = refused = 0
    for model in models().values():
        for name in dict.fromkeys(fact.name for fact in model.facts):
            names = [name]
            for _ in range(len(model.facts)):
                try:
                    rest = model.without(*names)
                except hs.ModelError as error:
                    refused += 1
                    if "model.without(" not in str(error):
                        break  # a body that nothing holds any more, or a pose
                    names = str(error).split("model.without(")[1].split(chr(34))[1::2]
                else:
                    removed += 1
                    left = [f for f in model.facts if f.name not in names]
                    assert list(rest.facts) == left and rest.parameters == model.parameters
                    break
    assert removed > 40 and refused > 20


def test_equations_are_those_of_a_model_that_never_had_it():
    spring = hs.JointSpring("s", "elbow", 4.0)
    plain, less = arm(), arm(spring).without("s")
    q, v = np.array([0.3, 0.5]), np.array([1.0, 2.0])
    assert (hs.compile(hs.bias(plain))(q, v) == hs.compile(hs.bias(less))(q, v)).all()


def test_a_loop_is_opened_by_leaving_out_the_joint_that_closes_it():
    loop = four_bar()
    opened = loop.without(loop.cuts[0].name)
    assert opened.cuts == () and opened.coordinates == loop.coordinates
    for pair in itertools.permutations(("upper", "shoulder")):
        with pytest.raises(hs.ModelError, match='body "upper" cannot be left out: joint "elbow" refers'):
            arm().without(*pair)


def test_names_that_are_not_there():
    with pytest.raises(hs.ModelError, match='there is no fact "elbw"'):
        arm().without("elbw")
    assert arm().without() == arm()
    ship = hs.Model(hs.Body("hull", 1.0, inertia=(1, 1, 1)), hs.Free("hull", hs.WORLD, "hull"))
    assert ship.without("hull").facts == ()
    with pytest.raises(hs.ModelError):
        arm().without("elbow")  # nothing holds the forearm
