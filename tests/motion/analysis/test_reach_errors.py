"""What reach cannot do is said, with the nearest state; what is asked wrongly is named."""

import math
import warnings

import numpy as np
import pytest
from reach_arms import ARMS, anywhere, floating, placed, planar

import hapsis as hs


def failure(*args, **more):
    with pytest.raises(hs.SolveError) as caught:
        hs.reach(*args, **more)
    assert "\n" not in str(caught.value)
    return caught.value


def test_out_of_reach_says_how_far():
    error = failure(planar(), "lower.end", (2.0, 0, 0))
    assert str(error).startswith('frame "lower.end" does not get there: 1.2 m remain')
    assert math.isclose(error.nearest.report.position_error, 1.2, rel_tol=1e-9)
    assert np.allclose(error.nearest.q, 0, atol=1e-4) and error.nearest.report.tries == 20
    assert "limit" not in str(error)


def test_out_of_reach_names_the_limits():
    model = planar((0.5, 2.5))
    error = failure(model, "lower.end", (0, 0.79, 0))
    assert "at its limit: elbow; move the pose or those limits" in str(error)
    assert error.nearest.report.at_limit == ("elbow",)
    assert error.nearest["elbow"] == 0.5
    reachable = math.sqrt(0.34 + 0.3 * math.cos(0.5))
    assert math.isclose(error.nearest.report.position_error, 0.79 - reachable, rel_tol=1e-6)
    free = failure(floating(), "base", (0, 0, 9.0))
    assert "6 m remain" in str(free) and "at its limit: base.z" in str(free)


def test_out_of_the_plane_the_angle_is_told():
    model = planar()
    p = placed(model, "lower.end")([0.5, 0.7]).p
    tilted = hs.Frame(tuple(p), (0.3, 0, 1.2))
    error = failure(model, "lower.end", tilted)
    assert " m and 0.3 rad remain" in str(error)
    assert np.allclose(error.nearest.q, [0.5, 0.7], atol=1e-5)
    state = hs.reach(model, "lower.end", tilted, position_only=True)
    assert state.report.position_error <= 1e-9


def test_nothing_can_move_it():
    model = planar()
    for frame, held in (("world", ()), ("lower.end", ("elbow", "shoulder"))):
        error = failure(model, frame, (0.1, 0.2, 0.3), held=held)
        assert "nothing can move it" in str(error)
        there = placed(model, frame)(model.zero)
        assert hs.reach(model, frame, there, held=held).report.tries == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frame": "lower.edn"}, 'did you mean "end"'),
        ({"frame": 3}, "a frame is given by its name, not a int"),
        ({"pose": (1, 2)}, "shape"),
        ({"pose": (1, 2, math.nan)}, "must be finite"),
        ({"pose": (1e300, 0, 0)}, "1e.300 m from the start: are both in metres"),
        ({"pose": "here"}, "must be numbers"),
        ({"pose": ((0, 0, 0), [[1, 0], [0, 1]])}, "shape"),
        ({"pose": ((0, 0, 0), [[1, 2], [0]])}, "rows of different lengths"),
        ({"pose": ((0, 0, 0), 2 * np.eye(3))}, "no rotation: its columns miss"),
        ({"pose": ((0, 0, 0), np.diag([1, 1, -1]))}, "reflection"),
        ({"pose": ((0, 0, 0), np.full((3, 3), np.inf))}, "must be finite"),
        ({"pose": np.eye(4).T + np.eye(4)[::-1] * 0.1}, "last row must be 0 0 0 1"),
        ({"pose": None}, "must be numbers"),
        ({"pose": (0.1, 0.2, 1 + 2j)}, "must be numbers"),
        ({"held": ("elbw",)}, 'held names "elbw".*did you mean "elbow"'),
        ({"held": 3}, "held must be names"),
        ({"start": {"elbw": 1}}, 'the start names "elbw".*did you mean "elbow"'),
        ({"start": {"elbow": math.nan}}, 'the start of "elbow" must be finite'),
        ({"start": [1.0, math.inf]}, 'the start of "elbow" must be finite'),
        ({"start": [1.0]}, "the start has shape"),
        ({"start": "zero"}, "the start must be numbers"),
        ({"start": hs.State(("a",), ("a.v",), [0])}, "another model"),
        ({"start": {"elbow": 4}, "held": ("elbow",)}, '"elbow" is held at 4, outside its limits'),
        ({"tolerance": 0}, "tolerance must be above zero"),
        ({"tolerance": math.nan}, "tolerance must be finite"),
        ({"tries": 0}, "tries must be a whole number"),
        ({"length": -1}, "length must be above zero"),
    ],
)
def test_mistakes_are_named(change, message):
    given = {"frame": "lower.end", "pose": (0.1, 0.2, 0), **change}
    with pytest.raises(hs.ModelError, match=message):
        hs.reach(planar((-3, 3)), given.pop("frame"), given.pop("pose"), **given)


def test_mistakes_with_quaternions_and_loops():
    with pytest.raises(hs.ModelError, match='part of the quaternion of "base"'):
        hs.reach(floating(), "base", (0, 0, 0), held=["base.qw"])
    with pytest.raises(hs.ModelError, match="quaternion of length zero"):
        hs.reach(floating(), "base", (0, 0, 0), start={"base.qw": 0})
    loop = planar() + hs.Revolute("close", "lower.end", hs.WORLD.at(0.4, 0, 0), axis="z")
    with pytest.raises(hs.ModelError, match='"close" closes a loop'):
        hs.reach(loop, "lower", (0, 0, 0))


def test_no_warnings_of_numpy():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model, frame in ARMS.values():
            q = anywhere(model, np.random.default_rng(11))
            hs.reach(model, frame, placed(model, frame)(q))
            failure(model, frame, (50.0, 60.0, 70.0), tries=3)
