"""Each of many runs is in every respect what it is alone: not only its rows, also what is said of it."""

import random
import warnings

import numpy as np
import pytest
from attacks.many_runs import Problem, differences, problem
from samples import sample

import hapsis as hs


def arm(*facts, **more):
    return hs.Model(hs.Rod("arm", 1.0, 1.0), hs.Revolute("j", hs.WORLD, "arm", axis="y", **more), *facts)


def pulse(force, **parameters):
    facts = (hs.Rod("arm", 1.0, 1.0), hs.Revolute("j", hs.WORLD, "arm", axis="y"))
    return hs.Model(*facts, hs.Wrench("push", "arm.end", force=(0, 0, force)), parameters=parameters)


two = np.array([0.1, 0.2])
CASES = {
    # the first run has no pulse within its time, the others have
    "pulse": Problem(
        pulse("1e4 * exp(-((t - t0) / 0.0001)^2)", t0=50.0), {}, {"t0": [50.0, 0.2, 0.3]}, {}, 3
    ),
    "kink": Problem(pulse("max(t - t0, 0)", t0=50.0), {}, {"t0": [50.0, 0.2, 0.3]}, {}, 3),
    # rows are few: the largest change of energy lies between them
    "few rows": Problem(arm(), {"j.v": [5.0, 20.0]}, {}, {"every": 0.4, "tolerance": 1e-2}, 2),
    "limits": Problem(arm(limits=(-0.1, 0.1)), {"j.v": [0.0, 9.0]}, {}, {}, 2),
    "drive": Problem(arm(hs.Drive("motor", "j", position=lambda t: hs.sin(t))), {}, {"arm.mass": two}, {}, 2),
    "event": Problem(
        arm(), {"j": two}, {}, {"events": [hs.Event("e", lambda s: s["j.v"] - 1, stop=True)]}, 2
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_known_cases(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        given = CASES[name]
        assert not differences(given._replace(options={"every": 0.01, **given.options}))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, sample(4, 120)))
def test_random_models(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        try:
            assert not differences(problem(random.Random(seed)))
        except hs.Error:
            pass  # options that do not go together


def test_warnings_of_runs_in_lanes_are_told_in_one_line():
    with pytest.warns(hs.Notice, match=r"1 of 2 runs have warnings; the first is run 1: .*leaves its limits"):
        many = hs.simulate(arm(limits=(-2, 2)), 0.4, {"j.v": [0.0, 9.0]})
    assert many.report["alone"] == 0 and list(many.warnings) == [1]


def test_a_run_in_lanes_can_go_on():
    model = arm()
    many = hs.simulate(model, 0.2, {"j": two})
    one = hs.simulate(model, 0.2, {"j": 0.2})
    assert many.report["alone"] == 0
    further, expected = (hs.simulate(model, 0.4, start=first) for first in (many[1], one))
    assert np.array_equal(further["j"], expected["j"]) and further.t[0] == 0.2
