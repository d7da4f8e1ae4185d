"""Let-off and drop are read where the hammer first turns, whatever the screws; what cannot be regulated."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis.library import piano
from hapsis.library.piano.slow_press import slow_press, turning
from hapsis.library.piano.strokes import press


@pytest.fixture(scope="module")
def pair():
    """The action with samples of a motion, and with the motion as a function of time."""
    return piano.grand_action("motion"), piano.grand_action(press())


def turns(action, screws):
    """Gap and finger where the hammer head first stands still after the toe met the button: by its speed."""
    run = hs.simulate(action, 1.5, every=1e-4, parameters=screws, progress=False)
    speed = 0.1386 * np.convolve(run["hammer.v"], np.ones(21) / 21.0, mode="same")  # up is positive
    after = run.t > run.t[run["let_off.gap"] < 0.0][0]
    down = after & (speed < -0.4e-3)  # m/s: it falls, and does not just tremble
    first = int(np.argmax(down))
    last = int(np.flatnonzero(speed[:first] > 0.0)[-1])
    return run["string.gap"][last], -run["key.finger.y"][last]


CASES = [
    np.random.default_rng(k).uniform((-0.25e-3, -0.2e-3, -0.2e-3), (0.1e-3, 0.2e-3, 0.2e-3))
    for k in range(40)
]


@pytest.mark.parametrize("number", range(sample(2, 40)))
def test_let_off_is_where_the_hammer_turns(pair, number):
    sampled, driven = pair
    names = ("button_height", "drop_height", "pilot_height")
    screws = {n: sampled.parameters[n] + x for n, x in zip(names, CASES[number], strict=True)}
    measures = slow_press(sampled, screws)
    gap, finger = turns(driven, screws)
    assert abs(measures["let_off"] - gap) < 0.03e-3
    assert abs(measures["let_off_at"] - finger) < 0.12e-3
    assert measures["drop"] > 0.0


def test_a_button_far_too_low_lets_off_early(pair):
    """The lever raises the hammer later, nearer to the string than it was let off: that is no let-off."""
    sampled, _ = pair
    usual = sampled.parameters["button_height"]
    heights = np.array([0.0, -0.15e-3, -0.3e-3])
    at = [slow_press(sampled, {"button_height": usual + x}) for x in heights]
    distances = [measures["let_off"] for measures in at]
    assert np.all(np.diff(distances) > 0.5e-3)  # 0.1 mm of the button are 0.6 mm of the hammer
    assert np.all(np.diff([measures["let_off_at"] for measures in at]) < 0.0)
    assert distances[-1] > 2.9e-3 and at[-1]["drop"] > 0.0


def test_the_first_turn_of_a_curve():
    x = np.linspace(0.0, 10.0, 2001)
    for seed in range(20):
        random = np.random.default_rng(seed)
        first, depth = random.uniform(2.0, 4.0), random.uniform(0.5, 2.0)
        y = np.where(
            x < first, (x - first) ** 2, np.minimum(x - first, depth) - 3.0 * np.maximum(x - 8.0, 0.0)
        )
        assert x[turning(y, 0, 0.1)] == pytest.approx(first, abs=0.006)
        assert y.argmin() == len(x) - 1  # the least is elsewhere
        assert y[turning(-y, turning(y, 0, 0.1), 0.1)] == pytest.approx(depth, abs=0.02)
    assert turning(np.arange(5.0)[::-1], 1, 0.1) == 4


def test_a_button_out_of_reach_is_said(pair):
    with pytest.raises(hs.SolveError, match="does not meet the let-off button"):
        slow_press(pair[0], {"button_height": 0.08})


@pytest.mark.parametrize(
    "other",
    [piano.organ_key(), piano.harpsichord_key(), 3, None],
    ids=["organ", "harpsichord", "number", "nothing"],
)
def test_what_is_no_action_is_not_regulated(other):
    with pytest.raises(hs.ModelError, match="regulate: "):
        piano.regulate(other)


@pytest.mark.parametrize("damper", ["no", 1, None])
def test_a_damper_is_there_or_not(damper):
    with pytest.raises(hs.ModelError, match=r"grand_action: damper is .* expected True or False"):
        piano.grand_action(damper=damper)


def test_samples_are_the_motion_and_its_slope():
    motion = press(speed=0.02, to=8e-3)
    table = piano.sampled(motion, 0.5, 2e-3)
    exact = hs.Function("x", {"t": (t := hs.symbol("t"))}, {"x": motion(t)})
    slope = hs.compile(exact.jacobian("x", "t"))
    assert np.allclose(table.v, [float(slope(s)) for s in table.t], atol=1e-10)
    assert np.allclose(table.x, [float(motion(s)) for s in table.t], atol=1e-16) and table.until == 0.5
    constant = piano.sampled(lambda t: 2e-3, 0.1)
    assert np.all(constant.x == 2e-3) and not constant.v.any()


def test_play_needs_an_end_and_a_key_that_is_moved():
    with pytest.raises(hs.ModelError, match="play: a stroke has no end"):
        piano.play(piano.organ_key(), press())
    with pytest.raises(hs.SolveError, match="only an action whose key is moved"):
        piano.play(piano.organ_key("force"), press(), 0.2)
