"""The picture of the grand action: faces lie where they touch, and screws where they stand."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.library.piano import dimensions as d
from hapsis.library.piano.looks import PARTS, shapes

MM = 1e-3
NEAR = 0.4  # mm
HEIGHTS = {"pilot_height": d.PILOT_HEIGHT, "button_height": d.BUTTON_HEIGHT, "drop_height": d.DROP_HEIGHT}
PARAMETERS = {**HEIGHTS, "dip": d.DIP, "damper_lift": d.DAMPER_LIFT}


def model(part, **changed):
    """A part alone, with the parameters that its picture uses."""
    parameters = {name: MM * changed.get(name, value) for name, value in PARAMETERS.items()}
    body = hs.Body(part, *(() if part == "world" else (1.0,)), shapes=shapes(part))
    other = hs.Body("ball", mass=1.0, inertia=(1, 1, 1))
    facts = [body, other, hs.Free("ball", hs.WORLD, "ball")]
    if part != "world":
        facts.append(hs.Prismatic(part, hs.WORLD, part, axis="y"))
    return hs.Model(*facts, parameters=parameters)


def lines(part, **changed):
    """(material, line in mm of the drawn pose) of every shape of a part."""
    made = model(part, **changed)
    x, y = d.PARTS[part].pivot if part in d.PARTS else (0.0, 0.0)
    owner = made.world if part == "world" else made.bodies[part]
    for shape in owner.shapes:
        at = np.array([made.value(v) for v in shape.at.at])[:2] / MM + (x, y)
        if isinstance(shape, hs.Outline):
            ring = np.array(shape.ring) / MM
        else:
            turn = np.linspace(0.0, 2 * np.pi, 181)
            ring = made.value(shape.radius) / MM * np.stack([np.cos(turn), np.sin(turn)], 1)
        yield shape.material, ring + at


def distance(ring, point):
    """From a point to a closed line, mm."""
    a, b = ring, np.roll(ring, -1, axis=0)
    way = b - a
    share = np.clip(np.sum((point - a) * way, 1) / np.maximum(np.sum(way * way, 1), 1e-12), 0, 1)
    return float(np.min(np.linalg.norm(a + share[:, None] * way - point, axis=1)))


def between(face):
    return [np.array(face[0]) + s * (np.array(face[1]) - np.array(face[0])) for s in (0.1, 0.5, 0.9)]


def around(circle, *degrees):
    centre, radius = circle
    return [np.array(centre) + radius * np.array([np.cos(a), np.sin(a)]) for a in np.radians(degrees)]


FACES = {
    "heel": ("whippen", between(d.HEEL)),
    "jack": ("jack", between(d.JACK_TOP)),
    "toe": ("jack", around(d.JACK_TOE, 90, 120)),
    "lever": ("lever", between(d.LEVER_TOP)),
    "knuckle": ("hammer", around(d.KNUCKLE, 230, 270, 300)),
    "strike": ("hammer", [np.array(d.STRIKE_POINT)]),
    "shank": ("hammer", between(d.REST_FACE)),
    "check": ("key", between(d.CHECK_FACE)),
    "rest rail": ("world", around(d.REST_RAIL, 60, 90, 120)),
    "string": ("world", [np.array((d.STRIKE_POINT[0], d.STRING_HEIGHT))]),
    "drop": ("world", [np.array((d.DROP_SCREW[0][0], d.DROP_HEIGHT))]),
    "button": ("world", [np.array((d.JACK_TOE[0][0], d.BUTTON_HEIGHT))]),
    "pilot": ("key", [np.array((d.PILOT[0][0], d.PILOT_HEIGHT))]),
}


@pytest.mark.parametrize("name", sorted(FACES))
def test_faces_that_touch_are_drawn_where_they_touch(name):
    part, points = FACES[name]
    rings = [ring for _, ring in lines(part)]
    for point in points:
        assert min(distance(ring, point) for ring in rings) < NEAR


@pytest.mark.parametrize("name, part, place", [
    ("button_height", "world", d.JACK_TOE[0][0]),
    ("drop_height", "world", d.DROP_SCREW[0][0]),
    ("pilot_height", "key", d.PILOT[0][0]),
])  # fmt: skip
def test_screws_are_drawn_where_parameters_put_them(name, part, place):
    for turned in (-3.0, 0.5, 2.0):
        height = HEIGHTS[name] + turned
        point = np.array((place, height))
        rings = [ring for _, ring in lines(part, **{name: height})]
        assert min(distance(ring, point) for ring in rings) < 0.05


def test_the_hammer_is_above_what_it_strikes_with_and_nothing_reaches_beyond():
    """The farthest point of the head from the pivot's level is the strike point, along its own axis."""
    turn = np.radians(d.SHANK_TURN)
    axis = np.array([-np.sin(turn), np.cos(turn)])
    heights = np.concatenate([ring for _, ring in lines("hammer")]) @ axis
    assert heights.max() == pytest.approx(np.array(d.STRIKE_POINT) @ axis, abs=0.05)


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_part_has_shapes_that_enclose_something_and_are_held_by_files(part, tmp_path):
    made = model(part)
    hs.save(made, tmp_path / "part.yaml")
    assert hs.load(tmp_path / "part.yaml") == made
    for shape in (made.world if part == "world" else made.bodies[part]).shapes:
        if isinstance(shape, hs.Outline):
            ring = np.array(shape.ring)
            after = np.roll(ring, -1, axis=0)
            assert np.sum(ring[:, 0] * after[:, 1] - ring[:, 1] * after[:, 0]) > 0
