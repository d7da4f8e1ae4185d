"""One note for each stroke, a check that holds, a key that regulates, and other ways to move it."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis.library import piano
from hapsis.library.piano import play, regulate, strokes
from hapsis.library.piano.regulation import touches

MOST_SWINGS = [(low, f) for low in (0.5e-3, 3e-3, 5e-3) for f in (4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 13.0)]
FEW_SWINGS = [(0.5e-3, 6.0), (3e-3, 13.0), (5e-3, 4.0)]


@pytest.fixture(scope="module")
def action():
    return hs.library.grand_action("motion")


@pytest.mark.parametrize(("low", "frequency"), sample(FEW_SWINGS, MOST_SWINGS))
def test_a_swing_of_the_key_is_one_note(action, low, frequency):
    notes = sample(4, 12)
    motion = strokes.sinusoid(low, frequency)
    run = play(action, motion, 0.3 + notes / frequency, period=1.0 / (32.0 * frequency))
    assert touches(run) == notes


@pytest.mark.parametrize("time", sample([0.04, 0.08, 0.2], list(np.arange(0.04, 0.201, 0.01))))
def test_a_free_stroke_is_one_note(action, time):
    run = play(action, strokes.minimum_jerk(time), time + 0.25, period=time / 40.0)
    assert touches(run) == 1


def test_the_check_holds_the_hammer(action):
    run = play(action, strokes.blow(0.045), 3.0, period=1e-3 if sample(False, True) else 2.5e-3)
    gap = run["string.gap"]
    caught = run.t > 0.5
    assert touches(run) == 1 and 9e-3 < gap[-1] < 16e-3
    assert np.ptp(gap[caught]) < 2e-5


def test_the_action_is_regulated_and_reaches_targets():
    report = regulate(hs.library.grand_action())
    assert report.unusual == [] and "let off" in str(report)
    targets = {"let_off": 1.5e-3, "drop": 1.4e-3}
    turned = regulate(hs.library.grand_action(), **targets)
    for name, value in targets.items():
        assert abs(getattr(turned, name) - value) < 3e-6
    assert turned.model.parameters["button_height"] < report.model.parameters["button_height"]
    with pytest.raises(hs.ModelError, match="only an action whose key is moved"):
        regulate(hs.library.grand_action("force"))


def test_a_force_and_a_finger_play():
    pushed = hs.simulate(hs.library.grand_action("force"), until=0.3, inputs={"finger": 5.0}, every=2e-4)
    assert touches(pushed) == 1 and 1.5 < 0.1386 * pushed["hammer.v"].max() < 3.5
    t = np.linspace(0.0, 0.3, 301)
    way = [float(strokes.minimum_jerk(0.06, 0.02)(s)) for s in t]
    played = hs.simulate(
        hs.library.grand_action("finger"), until=0.3, inputs={"hand.position": (t, way)}, every=2e-4
    )
    assert touches(played) == 1 and played["pad.force"].min() >= 0.0


@pytest.mark.parametrize("wrong", ["positon", None, [1.0]])
def test_what_cannot_move_a_key_is_refused(wrong):
    with pytest.raises(hs.Error, match="does not move a key"):
        hs.library.grand_action(wrong)


def felt(model, travel=8.8e-3):
    """Force at the finger over its travel, down and up again, 10 mm/s."""
    motion = strokes.path((0.1, 0.0), (0.98, travel), (1.2, travel), (2.08, 0.0), smooth=0.05)
    run = play(model, motion, 2.3, period=5e-3)
    x, force = -run["key.finger.y"], run["key.effort"]
    down, up = run.t < 1.1, run.t > 1.1
    return [lambda at, s=s: float(np.interp(at, *(_rising(x[s], force[s])))) for s in (down, up)], run


def _rising(x, y):
    order = np.argsort(x)
    return x[order], y[order]


def test_an_organ_key_speaks_where_its_force_falls():
    (down, up), _ = felt(piano.organ_key())
    assert down(0.2e-3) > down(1e-3) + 0.1 and down(8e-3) > down(2e-3)
    assert 0.02 < down(4e-3) - up(4e-3) < 0.2  # friction
    (electric, _), _ = felt(piano.organ_key(pluck=0.0))
    assert electric(0.5e-3) < electric(2e-3)


def test_a_harpsichord_plucks_once_and_lets_the_plectrum_back():
    (down, up), run = felt(piano.harpsichord_key())
    assert down(5.5e-3) > 0.5 and down(7.5e-3) < 0.15 and up(5.5e-3) < 0.2
    assert abs(run["tongue"][-1]) < 0.05


def test_the_finger_feels_a_quarter_of_a_kilogram(action):
    """q' M q' with the slopes q' of all coordinates over the way of the finger, on a slow press."""
    run = play(action, strokes.press(speed=0.02, to=8e-3), 0.5, period=0.01)
    x = -run["key.finger.y"]
    q = np.stack([run[name] for name in action.coordinates], axis=1)
    mass = hs.compile(hs.mass_matrix(action))
    for way in (2e-3, 4e-3, 6e-3):
        near = (np.abs(x - way) < 2.5e-4) & (run.t > 0.1)
        slopes = np.polyfit(x[near], q[near], 1)[0]
        slopes[[2, 3, 5]] = 0.0  # jack and lever ride on the whippen, the damper is counted apart
        felt_mass = slopes @ mass(q[near].mean(axis=0)) @ slopes
        assert 0.2 < felt_mass < 0.3, (way, felt_mass)
