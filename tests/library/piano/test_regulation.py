"""Let-off is read where the jack raises the hammer last, whatever the screws; what cannot be regulated."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis.library import piano
from hapsis.library.piano import dimensions as d
from hapsis.library.piano.regulation import turned
from hapsis.library.piano.slow_press import slow_press, turning
from hapsis.library.piano.strokes import press


@pytest.fixture(scope="module")
def pair():
    """The action with samples of a motion, and with the motion as a function of time."""
    return piano.grand_action("motion"), piano.grand_action(press())


def depths(run):
    """How deep the jack's top is in the knuckle, m, from the angles of a run, places as x + iy."""
    place = {name: complex(*part.pivot) for name, part in d.PARTS.items()}
    whippen, jack = run["whippen"], run["whippen"] + run["jack"]
    pivot = place["whippen"] + (place["jack"] - place["whippen"]) * np.exp(1j * whippen)
    a, b = (pivot + (complex(*end) - place["jack"]) * np.exp(1j * jack) for end in d.JACK_TOP)
    (centre, radius), way = d.KNUCKLE, b - a
    knuckle = place["hammer"] + (complex(*centre) - place["hammer"]) * np.exp(1j * run["hammer"])
    part = np.clip(((knuckle - a) / way).real, 0.0, 1.0)
    return np.maximum(radius - np.abs(knuckle - a - part * way), 0.0) * 1e-3


def pressed(run):
    """The force of the knuckle's felt, N, from how deep it is pressed, by its law and steps of one row."""
    felt, fade = d.FELTS["jack_knuckle"], 1.0 - np.exp(-(run.t[1] - run.t[0]) / d.FELTS["jack_knuckle"].time)
    powers, memory, force = depths(run) ** felt.power, felt.start, []
    for power in powers:
        memory += fade * (power - memory)
        force.append(felt.stiffness * max(power - felt.hysteresis * memory, 0.0))
    return np.array(force)


def raised(action, screws):
    """Gap and finger where the jack at its button raises the hammer last, and the gap to which it falls.

    By the speed of the hammer, which falls from there, and by the force of the felt from angles alone.
    """
    run = hs.simulate(action, 1.5, every=1e-4, parameters=screws, progress=False)
    speed = 0.1386 * np.convolve(run["hammer.v"], np.ones(21) / 21.0, mode="same")  # up is positive
    after = run.t > run.t[run["let_off.gap"] < 0.0][0]
    down = after & (speed < -0.4e-3)  # m/s: it falls, and does not just tremble
    first = int(np.argmax(down)) or len(speed)
    turned = int(np.flatnonzero(speed[:first] > 0.0)[-1])
    last = min(turned, int(np.flatnonzero(pressed(run) > 0.01)[-1]))
    rises = np.append(np.flatnonzero(speed[first:] > 0.4e-3) + first, len(speed))
    return run["string.gap"][last], -run["key.finger.y"][last], run["string.gap"][turned : rises[0]].max()


CASES = [
    np.random.default_rng(k).uniform((low, -0.2e-3, -0.2e-3), (high, 0.2e-3, 0.2e-3))
    for k in range(20)
    for low, high in ((-0.25e-3, 0.1e-3), (-1.6e-3, -0.5e-3))
]


@pytest.mark.parametrize("number", range(sample(3, 40)))
def test_let_off_is_where_the_jack_raises_the_hammer_last(pair, number):
    sampled, driven = pair
    names = ("button_height", "drop_height", "pilot_height")
    screws = {n: sampled.parameters[n] + x for n, x in zip(names, CASES[number], strict=True)}
    measures = slow_press(sampled, screws)
    gap, finger, lowest = raised(driven, screws)
    assert abs(measures["let_off"] - gap) < 0.03e-3
    assert abs(measures["let_off_at"] - finger) < 0.12e-3
    assert abs(measures["drop"] - (lowest - gap)) < 0.06e-3


def test_a_button_far_too_low_lets_off_early(pair):
    """The lever raises the hammer later, nearer to the string than it was let off: that is no let-off."""
    sampled, _ = pair
    usual = sampled.parameters["button_height"]
    heights = np.array([0.0, -0.3e-3, -0.5e-3, -1.6e-3])
    at = [slow_press(sampled, {"button_height": usual + x}) for x in heights]
    slopes = np.diff([measures["let_off"] for measures in at]) / np.diff(heights)
    assert np.all(slopes < -5.0)  # 0.1 mm of the button are 0.5 mm of the hammer, and more
    assert np.all(np.diff([measures["let_off_at"] for measures in at]) < 0.0)
    assert np.all(np.diff([measures["drop"] for measures in at]) < 0.0)
    assert at[0]["drop"] > 1e-3 and at[-1]["drop"] < 0.0 and at[-1]["let_off"] > 0.01


@pytest.mark.parametrize(
    "off", sample([-1.6e-3, 1.6e-3], [-1.6e-3, -0.8e-3, -0.4e-3, 0.3e-3, 0.8e-3, 1.6e-3])
)
def test_a_button_far_off_is_turned_to_where_it_belongs(pair, off):
    action = pair[0]
    usual = action.parameters["button_height"]
    wrong = action.replace(parameters={**action.parameters, "button_height": usual + off})
    right = turned(wrong, {"let_off": 1.25e-3})
    assert abs(right.parameters["button_height"] - usual) < 5e-6
    assert abs(slow_press(right)["let_off"] - 1.25e-3) < 2e-6


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
    # at the two corners of the motion the slope is that of either side
    assert np.sum(~np.isclose(table.v, [float(slope(s)) for s in table.t], atol=1e-10)) <= 2
    assert np.allclose(table.x, [float(motion(s)) for s in table.t], atol=1e-16) and table.until == 0.5
    constant = piano.sampled(lambda t: 2e-3, 0.1)
    assert np.all(constant.x == 2e-3) and not constant.v.any()


def test_play_needs_an_end_and_a_key_that_is_moved():
    with pytest.raises(hs.ModelError, match="play: a stroke has no end"):
        piano.play(piano.organ_key(), press())
    with pytest.raises(hs.SolveError, match="only an action whose key is moved"):
        piano.play(piano.organ_key("force"), press(), 0.2)
