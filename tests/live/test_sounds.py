"""Touches that sound: counted and timed by the worker's own file in Node, against the bounces of a ball."""

import math

import numpy as np
import pytest
from page_worker import needs_node, node

import hapsis as hs

G = 9.81


def ball(height, stiffness, mass=0.2):
    """A ball that falls on an elastic floor and comes back without loss, beside one that lies on it."""
    floor = (hs.WORLD, hs.Plane("y"))
    return hs.Model(
        hs.Body("ball", mass=mass, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Body("damper", mass=mass, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Prismatic("ball", hs.WORLD, "ball", axis="y"),
        hs.Prismatic("damper", hs.WORLD.at(0.1, 0, 0), "damper", axis="y"),
        hs.Contact("string", ("ball", hs.Sphere(0.01)), floor, law=hs.Linear(stiffness)),
        hs.Contact(
            "felt", ("damper", hs.Sphere(0.01)), floor, law=hs.Linear(stiffness, math.sqrt(stiffness * mass))
        ),
        poses={"start": {"ball": 0.01 + height, "damper": 0.02}},
        gravity=(0, -G, 0),
    )


RUN = """
const s = await Simulation.create(content);
const touches = [];
for (let k = 0; k < {ticks}; k++) {{ s.tick(); touches.push(...s.touches.taken()); }}
show({{ touches, trouble: s.trouble }});
"""


@needs_node
@pytest.mark.parametrize("seed", range(6))
def test_every_bounce_is_heard_once_with_the_speed_of_the_fall(seed, tmp_path):
    """v = sqrt(2 g h), and from touch to touch 2 v / g and the time on the floor, about π sqrt(m / k)."""
    rng = np.random.default_rng(seed)
    height, mass = 10.0 ** rng.uniform(-2.5, -0.5), 0.2
    contact = 10.0 ** rng.uniform(-3.3, -2.3)  # s on the floor
    stiffness = mass * (math.pi / contact) ** 2
    rate, substeps = 1000.0, int(rng.integers(4, 9)) * 2
    step = 1.0 / (rate * substeps)
    assert contact < 5e-3  # and often shorter than a tick
    model = ball(height, stiffness, mass)
    page = hs.share(
        model, rate=rate, substeps=substeps, sounds={"string": hs.Sound("A4", damped_by="felt")}, title="Ball"
    )
    content = page.content
    until = 1.2
    ran = node(tmp_path, content, RUN.format(ticks=round(until * rate)))
    assert ran["trouble"] == ""
    struck = [touch for touch in ran["touches"] if touch["kind"] == "struck"]
    v = math.sqrt(2 * G * height)
    assert struck[0]["speed"] == pytest.approx(v, rel=2e-3)
    assert struck[0]["time"] == pytest.approx(v / G, abs=0.01 * step)
    # rk4 loses a little where the force sets in, in every bounce
    np.testing.assert_allclose([touch["speed"] for touch in struck], v, rtol=0.03)
    spring = math.sqrt(mass / stiffness)
    on_floor = 2 * spring * (math.pi - math.atan2(v / spring, G))  # with the weight on the spring
    times = v / G + np.arange(200) * (2 * v / G + on_floor)
    times = times[times < until - step]
    assert len(struck) == len(times)
    np.testing.assert_allclose([touch["time"] for touch in struck], times, atol=0.03 * until)
    assert all(touch["damped"] for touch in struck if touch["time"] > 0.6)  # the other ball has come to rest
    assert [touch["kind"] for touch in ran["touches"]].count("damped") >= 1


@pytest.mark.parametrize(
    "note, frequency",
    [("A4", 440.0), ("A0", 27.5), ("C4", 261.6255653), ("C8", 4186.009045), ("C#5", 554.365262),
     ("Bb3", 233.0818808), ("B#3", 261.6255653), (442, 442.0)],
)  # fmt: skip
def test_notes_are_those_of_equal_temperament(note, frequency):
    assert hs.Sound(note).frequency == pytest.approx(frequency, rel=1e-8)


def test_a_semitone_is_the_twelfth_root_of_two():
    letters = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
    notes = [hs.Sound(f"{letter}{octave}").frequency for octave in range(1, 8) for letter in letters]
    np.testing.assert_allclose(np.diff(np.log2(notes)), 1 / 12, rtol=1e-12)


WRONG = {
    "is no note": lambda: hs.Sound("H4"),
    "has 2 Hz": lambda: hs.Sound(2),
    "damped_by must be the name": lambda: hs.Sound("A4", damped_by=3),
    'no contact "strong" that could sound \\(did you mean "string"': lambda: shared({"strong": hs.Sound()}),
    'no contact "fell"': lambda: shared({"string": hs.Sound(damped_by="fell")}),
    "must be an hs.Sound, not": lambda: shared({"string": "A4"}),
    "sounds must be": lambda: shared(["string"]),
}


def shared(sounds, **options):
    return hs.share(ball(0.1, 1e4), sounds=sounds, **options)


@pytest.mark.parametrize("text", sorted(WRONG))
def test_what_is_wrong_is_one_line(text):
    with pytest.raises(hs.ModelError, match=text) as caught:
        WRONG[text]()
    assert "\n" not in str(caught.value)


def test_a_page_without_sounds_and_press_has_the_step_it_had():
    model = ball(0.1, 1e4)
    plain, sounding = hs.share(model, title="Ball"), shared({"string": hs.Sound()}, title="Ball")
    assert plain.content["sounds"] == [] and plain.content["press"] is None
    assert plain.content["signals"][0]["name"] == "energy"
    names = [signal["name"] for signal in sounding.content["signals"]]
    assert [names[k] for k in sounding.content["shown"]] == ["energy", "ball", "damper"]  # touches are quiet
    (sound,) = sounding.content["sounds"]
    assert names[sound["time"]] == "string.touch.time" and names[sound["speed"]] == "string.touch.speed"
    assert sound["damper"] == -1
