"""Drawings from files: a damaged one is an error in one line, never a broken page."""

import copy
import json
import random

import numpy as np
import pytest

import hapsis as hs
from hapsis.errors import Error
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.view import Drawn, Scene, player
from hapsis.view.film.drawing_check import SHAPES, checked_drawing

JUNK = (None, "x", "</script>", -1, 1e400, float("nan"), [], {}, [[]], {"a": 1}, True, 10**30)


def places(table, path=()):
    """The paths of everything in a table."""
    items = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


@pytest.mark.parametrize("name", ["slider_crank", "double_wishbone", "governor"])
def test_damage_is_told_in_one_line_or_does_not_matter(name):
    model = getattr(hs.library, name)()
    table = json.loads(json.dumps(drawing(model)))
    paths, draw = list(places(table)), random.Random(name)
    bodies = [Drawn("world"), *(Drawn(body) for body in model.bodies)]
    poses = np.tile([0.0, 0, 0, 1, 0, 0, 0], (1, len(bodies), 1))
    refused = 0
    for _ in range(250):
        damaged = copy.deepcopy(table)
        *way, last = draw.choice(paths)
        parent = damaged
        for key in way:
            parent = parent[key]
        if draw.random() < 0.3 and isinstance(parent, dict):
            del parent[last]
        else:
            parent[last] = draw.choice(JUNK)
        try:
            page = player(Scene("x", [0.0], bodies, poses, drawing=damaged))
            page.html, page.svg  # noqa: B018
        except Error as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 100


def test_every_shape_of_the_library_is_known():
    for name in hs.library.MODELS:
        model = getattr(hs.library, name)()
        table = drawing(model)
        assert checked_drawing(table, list(model.bodies)) is table
        assert all(shape["kind"] in SHAPES for body in table["bodies"] for shape in body["shapes"])
