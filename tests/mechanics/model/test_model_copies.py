"""Models, results, states and what belongs to them: copied, pickled, sent to other processes."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from model_samples import models
from peer_models import random_tree
from shared_models import library

import hapsis as hs
from hapsis.mechanics.model.fact import Fact

FUNCTIONS = (hs.forward_dynamics, hs.inverse_dynamics, hs.energy, hs.measurements)


def round_trip(x):
    return pickle.loads(pickle.dumps(x))


def concrete(kind):
    for child in kind.__subclasses__():
        yield from concrete(child)
        if not getattr(child, "__abstractmethods__", None) and child.__module__.startswith(
            "hapsis.mechanics."
        ):
            yield child


def check_same(model, functions=FUNCTIONS):
    """The model that was pickled is equal and gives the same equations, in the same order."""
    other = round_trip(model)
    assert other == model and model == other and other.warnings == model.warnings
    assert other.facts == model.facts
    for function in functions:
        try:
            one = function(model)
        except hs.Error as error:
            with pytest.raises(type(error)) as caught:
                function(other)
            assert str(caught.value) == str(error)
            continue
        two = function(other)
        assert one.digest == two.digest and one.parameters == two.parameters
        assert round_trip(one).digest == one.digest and round_trip(one).outputs == one.outputs
    return other


@pytest.mark.parametrize("name", hs.library.MODELS)
def test_models_of_the_library(name):
    check_same(getattr(library, name)(), [hs.inverse_dynamics])


@pytest.mark.parametrize("seed", range(10))
def test_random_trees(seed):
    check_same(random_tree(seed), [hs.forward_dynamics])


def test_a_model_that_was_used_leaves_its_code_behind():
    model = models()["laws"]
    size = len(pickle.dumps(model))
    hs.simulate(model, until=0.01)
    assert len(pickle.dumps(model)) == size and round_trip(model) == model


def test_there_is_a_model_with_every_kind_of_fact():
    kinds = {type(fact) for model in models().values() for fact in model.facts}
    assert {kind for kind in concrete(Fact) if hasattr(kind, "noun")} <= kinds


@pytest.mark.parametrize("name", models())
def test_every_kind_of_fact(name):
    check_same(models()[name])


@pytest.mark.parametrize("name", ["functions of time", "laws", "controller", "contact"])
def test_runs_are_the_same_to_the_last_bit(name):
    model = models()[name]
    events = [hs.Event("zero", lambda s: s[model.coordinates[0]] - 0.01 * s.t)]
    before = hs.simulate(model, until=0.05, events=events)
    there = hs.simulate(round_trip(model), until=0.05, events=round_trip(events))
    for other in (there, round_trip(before)):
        assert other.names == before.names and other.events == before.events
        assert (other.status, other.message) == (before.status, before.message)
        for column in ("t", *before.names):
            assert np.array_equal(other[column], before[column], equal_nan=True)
            assert not other[column].flags.writeable
    assert round_trip(before).last == before.last


def test_a_result_can_be_continued_shown_and_read():
    before = hs.simulate(library.slider_crank(), until=0.05)
    other = round_trip(before)
    assert repr(other.player()) == repr(before.player())
    both = [hs.simulate(library.slider_crank(), until=0.1, start=r) for r in (before, other)]
    assert both[0].last == both[1].last


def test_what_never_changes_is_its_own_copy():
    model = models()["laws"]
    result = hs.simulate(model, until=0.01)
    for x in (model, result, result.last, hs.energy(model), hs.Formula("2 * a"), *model.facts):
        assert copy.copy(x) is x is copy.deepcopy(x)
    x = hs.symbol("x")
    assert copy.deepcopy([x, x])[1] is x
    assert copy.deepcopy({"model": model})["model"] is model


def test_a_traced_function_equals_the_function_it_comes_from():
    law = hs.law(lambda x, v, k=2.0: -k * x)
    assert round_trip(law) == law == round_trip(round_trip(law))
    assert hash(round_trip(law)) == hash(round_trip(round_trip(law)))
    assert round_trip(law) != hs.law(lambda x, v, k=2.0: -k * v)
    assert round_trip(law) != hs.law(lambda x, v, k=3.0: -k * x)
    assert round_trip(law)(0.5, 0.0) == law(0.5, 0.0) == -1.0
    assert round_trip(law).using(k=3.0)(0.5, 0.0) == -1.5


def swing(law=None, **more):
    law = law or hs.Controller("hand", **more)
    return hs.Model(hs.Rod("arm", 1.0, 1.0), hs.Revolute("hinge", hs.WORLD, "arm"), law)


def test_what_cannot_travel_is_refused_by_name():
    state = [0.0]

    def sampled(s):
        state[0] += 1.0
        return {"hinge": state[0]}

    with pytest.raises(hs.ModelError, match='controller "hand": law') as error:
        pickle.dumps(swing(law=hs.Controller("hand", sampled, rate=100, efforts=("hinge",))))
    assert "\n" not in str(error.value) and "module" in str(error.value)
    with pytest.raises(hs.ModelError, match=r'controller "hand": law .* asks which names'):
        pickle.dumps(swing(law=hs.Controller("hand", lambda s: {n: -s[n] for n in s})))
    with pytest.raises(hs.ModelError, match='drive "d": position'):
        pickle.dumps(swing(law=hs.Drive("d", "hinge", position=lambda t: float(t))))
    with pytest.raises(hs.ModelError, match='event "e": when'):
        pickle.dumps(hs.Event("e", lambda s: s["hinge"] if s["hinge"] > 0 else 0.0))


def of_module(s):
    return {"hinge": -1.0 if s["hinge"] > 0 else 1.0}


def test_a_sampled_controller_of_a_module_travels_by_name():
    model = swing(law=hs.Controller("hand", of_module, rate=100, efforts=("hinge",)))
    assert round_trip(model) == model


def work(mass, model, function):
    if mass < 0.0:
        hs.Model(hs.Body("a", mass=mass), hs.Revolute("j", hs.WORLD, "a"))
    result = hs.simulate(model.replace("arm", mass=mass), until=0.1)
    return result, hs.compile(function)([0.1], [0.2])


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_a_pool_of_processes(way):
    model = swing(law=hs.JointForce("f", "hinge", lambda x, v: -2.0 * x))
    jobs = [(1.0, model, hs.energy(model)), (2.0, model, hs.energy(model))]
    alone = [work(*job) for job in jobs]
    context = multiprocessing.get_context(way)
    with context.Pool(1) as pool:
        there = pool.starmap_async(work, jobs).get(600)
        with pytest.raises(hs.ModelError, match="mass") as error:
            pool.apply_async(work, (-1.0, model, None)).get(600)
    assert error.value.problems
    for (one, values), (two, others) in zip(alone, there, strict=True):
        assert np.array_equal(one["hinge"], two["hinge"]) and values == others
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        future = pool.submit(work, -1.0, model, None)
        with pytest.raises(hs.ModelError, match="mass"):
            future.result(600)
        assert pool.submit(work, *jobs[0]).result(600)[0].last == alone[0][0].last
