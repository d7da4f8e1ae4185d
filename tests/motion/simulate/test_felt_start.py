"""Felt that has long been pressed: its memory starts where the law says, in runs, steps and files."""

import dataclasses
import pickle

import numpy as np
import pytest

import hapsis as hs

G = 9.81


def pressed(seed, count=1, **more):
    """Blocks that have sunk into felt under their weight, each with its own felt; and how deep."""
    random = np.random.default_rng(seed)
    facts, start, depths = [], {}, []
    for k in range(count):
        mass, stiffness = 10.0 ** random.uniform(-2, 1), 10.0 ** random.uniform(5, 8)
        power, part = random.uniform(1.5, 3.0), random.uniform(0.1, 0.9)
        depth = (mass * G / (stiffness * (1.0 - part))) ** (1.0 / power)
        felt = hs.Felt(stiffness, power, part, 1e-3, start=depth**power)
        facts += [hs.Body(f"b{k}", mass), hs.Prismatic(f"x{k}", hs.WORLD, f"b{k}", axis="z")]
        facts.append(hs.Contact(f"c{k}", f"b{k}", hs.WORLD.plane(normal="z"), felt, **more))
        start[f"x{k}"] = -depth
        depths.append(depth)
    return hs.Model(*facts, poses={"start": start}), depths


@pytest.mark.parametrize("seed", range(6))
def test_what_rests_on_felt_goes_on_resting(seed):
    model, (depth,) = pressed(seed)
    run = hs.simulate(model, until=0.02, every=1e-3)
    weight = model.bodies["b0"].mass * G
    assert np.allclose(run["c0.force"], weight, rtol=1e-7)
    assert np.allclose(run["x0"], -depth, rtol=1e-7)
    found = hs.equilibrium(model)  # by another way
    assert found.report.states["c0.memory"] == pytest.approx(run["c0.memory"][0], rel=1e-7)


@pytest.mark.parametrize("mapped", [False, True])
def test_each_of_several_starts_with_its_own(mapped):
    model, depths = pressed(7, 5, mapped=mapped)
    run = hs.simulate(model, until=5e-3, every=1e-3)
    for k, depth in enumerate(depths):
        assert np.allclose(run[f"x{k}"], -depth, rtol=1e-8)
    step = hs.compile(hs.stepper(model, dt=1e-4, outputs=[f"c{k}.force" for k in range(5)]))
    after = step()  # from the pose "start"
    weights = [model.bodies[f"b{k}"].mass * G for k in range(5)]
    assert np.allclose(np.ravel(after[-5:]), weights, rtol=1e-6)


def test_files_pickles_and_other_starts(tmp_path):
    model, _ = pressed(3)
    file = tmp_path / "pressed.yaml"
    hs.save(model, file)
    assert hs.load(file) == model and pickle.loads(pickle.dumps(model)) == model
    plain = model.replace("c0", law=dataclasses.replace(model.contacts["c0"].law, start=0.0))
    assert plain != model and hs.simulate(plain, until=1e-3, every=1e-3)["c0.memory"][0] == 0.0
    named = hs.simulate(model, until=1e-3, every=1e-3, start={"c0.memory": 0.0})
    assert named["c0.memory"][0] == 0.0 and named["c0.force"][0] > model.bodies["b0"].mass * G


@pytest.mark.parametrize(("start", "message"), [(-1e-9, "cannot be negative"), ("a", "expected a number")])
def test_a_start_that_is_no_number_is_refused(start, message):
    with pytest.raises(hs.ModelError, match=message):
        hs.Felt(1e6, start=start)


@pytest.mark.parametrize("key", ["motion", "position", 0.0])
def test_a_piano_key_at_rest_begins_at_rest(key):
    model = hs.library.grand_action(key)
    names = {"motion": ("key.position", "key.velocity"), "position": ("key.position",)}.get(key, ())
    inputs = dict.fromkeys(names, 0.0)
    rest = hs.equilibrium(model, inputs=inputs, stability=False)
    run = hs.simulate(model, until=0.05, every=1e-3, inputs=inputs)
    assert np.abs(run["key.effort"] - rest.report.efforts["key.effort"]).max() < 1e-3
    assert np.abs(run["hammer"] - rest["hammer"]).max() < 1e-6
