"""Studies of the piano action: their facts are within their ranges, and agree with routes of their own."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.library.piano.strokes import path as path_of_time
from hapsis.studies.catalogue import STUDIES, made
from hapsis.studies.piano import let_off, motions, replay, runs


@pytest.fixture(scope="module")
def shared():
    """Runs that all studies share, and the names of those that were begun."""
    begun = []
    return runs.Runs(begun.append), begun


@pytest.mark.parametrize("name", STUDIES)
def test_facts_are_within_their_ranges(shared, name):
    kept, begun = shared
    del begun[:]
    study = made(name, kept)
    assert [str(fact) for fact in study.facts if not fact.met] == []
    assert study.name == name and study.met and study.figures
    assert all((study.asked, study.reference, study.found, study.missing))
    assert len(begun) == STUDIES[name].runs  # what the command's bar counts
    assert study["∫F dx less stored and lost"] < 1.0  # %: every study moves the key
    assert all(np.isfinite(fact.value) for fact in study.facts)


def test_work_of_the_finger_is_that_of_the_drive(shared):
    run = shared[0].pressed()
    account = runs.work(run)
    assert np.isclose(account.given, run["key.work"][-1], rtol=1e-3)
    assert account.missing < 1e-4 and account.lost > 0.0


def test_forces_of_a_slow_key_are_those_of_an_independent_program(shared):
    """The same action written in C with absolute angles and small explicit steps."""
    felt = runs.stroke(shared[0].pressed())
    positions = np.array([2, 4, 5, 7, 8, 8.25, 9, 9.5])
    other = np.array([0.51, 0.48, 0.88, 0.86, 2.21, 2.38, 1.90, 1.80])
    assert np.abs([runs.at(felt, 1e-3 * x) for x in positions] - other).max() < 0.01
    force, place = runs.peak(felt)
    assert abs(force - 2.455) < 0.005 and abs(place - 8.145e-3) < 2e-5


def test_button_moves_the_let_off_by_its_levers(shared):
    kept = shared[0]
    usual = kept.action.parameters["button_height"]
    for by in (-1e-4, 1e-4):
        moved = runs.let_off(kept.pressed("", button_height=usual + by))[0] - runs.let_off(kept.pressed())[0]
        assert np.isclose(-moved / by, let_off.lever_ratio(kept.pressed()), rtol=0.1)


def test_paths_are_those_of_the_library():
    corners = ((0.1, 0.0), (0.3, 4e-3), (0.35, 4e-3), (0.6, 1e-3))
    motion = motions.path(*corners, smooth=0.04, until=0.8)
    other = path_of_time(*corners, smooth=0.04)
    assert np.allclose(motion.x, [other(t) for t in motion.t], atol=1e-12)
    assert np.allclose(np.gradient(motion.x, motion.t)[1:-1], motion.v[1:-1], atol=2e-4)
    assert motion.until == pytest.approx(0.8)


@pytest.mark.parametrize("low", [0.5e-3, 3e-3, 5e-3])
def test_a_swing_reaches_both_ends_without_a_jump(low):
    motion = motions.swing(low, 7.0, 3)
    assert np.isclose(motion.x.max(), motions.BOTTOM, rtol=1e-4) and motion.x[0] == 0.0
    assert np.isclose(motion.x[-1], low, atol=5e-5)
    assert np.allclose(np.gradient(motion.x, motion.t)[1:-1], motion.v[1:-1], atol=2e-3)


def test_a_recording_of_the_same_action_gives_its_force(tmp_path):
    """A motion without noise, of the model itself: nothing is left to differ but the velocity's cubic."""
    own = runs.Runs()
    motion = motions.path((0.1, 0.0), (0.35, 9e-3), smooth=0.08, until=0.5)
    force = own.moved("", motion)
    table = np.column_stack([motion.t, motion.x, np.interp(motion.t, force.t, force["pilot.force"])])
    np.savetxt(tmp_path / "key.csv", table, "%.12g", ",", header="t,position,pilot", comments="")
    study = hs.study("piano-replay", data=tmp_path / "key.csv")
    assert study["difference of forces, rms"] < 0.05 and study["correlation of forces"] > 0.99
    without = hs.study("piano-replay", data={"t": motion.t[:200], "position": motion.x[:200]})
    assert "difference" not in str(without)


@pytest.mark.parametrize(
    ("t", "message"), [([0.0, 1.0], "2 rows; expected 21 or more"), (range(100), "99 s; expected at most")]
)
def test_a_recording_too_short_or_too_long_is_refused(t, message):
    t = np.array(t, float)
    with pytest.raises(hs.ModelError, match=message):
        replay.motion_of(t, 0.0 * t)
