"""Surfaces that deform, in the player and in pictures that move."""

import base64
import json
import re

import numpy as np
import pytest

import hapsis.view as view
from hapsis.errors import Error
from hapsis.view.film.frame_interpolation import resampled
from hapsis.view.film.scene_data import packed
from hapsis.view.scene import checked_scene
from hapsis.view.skins import MOST, Skin, thinned

TIMES = np.linspace(0.0, 2.0, 41)
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def moving():
    points = CORNERS * (1.0 + 0.2 * np.sin(3 * TIMES))[:, None, None]
    return view.Scene("Skin", TIMES, [], np.zeros((41, 0, 7)), skins=[Skin("jelly", points, FACES)])


def test_a_page_has_the_corners_by_time():
    scene = checked_scene(moving())
    texts = packed(scene, scene)
    table = json.loads(texts["scene"])
    place = table["skins"]["places"]
    raw = base64.b64decode(texts["arrays"])
    numbers = np.frombuffer(raw, "<f4", place["count"], place["at"]).reshape(-1, 4, 3)
    np.testing.assert_allclose(numbers, scene.skins[0].points, atol=1e-6)
    (body,) = table["drawing"]["bodies"]
    (shape,) = body["shapes"]
    assert shape["kind"] == "skin" and len(shape["triangles"]) == 12 and max(shape["vertices"]) == 3
    assert [each["name"] for each in table["bodies"]] == ["jelly"] and table["bodies"][0]["still"]


def test_fewer_frames_lie_on_lines_between_those_that_there_are():
    scene = checked_scene(moving())
    few = resampled(scene, 5)
    assert few.skins[0].points.shape == (5, 4, 3)
    np.testing.assert_allclose(few.skins[0].points, scene.skins[0].points[::10])
    large = Skin("large", np.zeros((41, MOST // 30, 3)), np.zeros((0, 3), int))
    frames, places = thinned([large], TIMES)
    assert frames == 10 and places.shape == (10, MOST // 30, 3)


def test_a_picture_that_moves_shows_it():
    text = view.player(moving()).svg
    outlines = re.findall(r'values="([^"]*)"', text)
    assert len(outlines) == 1 and len({*outlines[0].split(";")}) > 10


@pytest.mark.parametrize(
    ("skin", "words"),
    [
        (Skin("a", np.zeros((3, 4, 3)), FACES), "shape \\(3, 4, 3\\)"),
        (Skin("a", np.full((41, 4, 3), np.nan), FACES), "must be finite"),
        (Skin("a", np.zeros((41, 3, 3)), FACES), "a corner that is not there"),
        ("no", "str is no skin"),
    ],
)
def test_errors(skin, words):
    with pytest.raises(Error, match=words):
        view.player(view.Scene("x", TIMES, [], np.zeros((41, 0, 7)), skins=[skin]))
