"""Cells where an object deforms: a table that is loaded in the middle."""

import numpy as np
import pytest

import hapsis as hs

P = hs.particles
TOP = hs.Box((1.0, 0.6, 0.06))


def load(x):
    """Held at both ends below, pushed in the middle above."""
    held = (np.abs(x[:, 0]) > 0.499) & (x[:, 2] < -0.029)
    push = np.zeros_like(x)
    middle = np.exp(-((x[:, 0] / 0.1) ** 2)) * (x[:, 2] > 0.029)
    push[:, 2] = -100.0 * middle / middle.sum()
    return held, push


def test_cells_gather_where_a_table_bends():
    table = P.refined("table", TOP, load, material="wood", cells=(12, 4, 2))
    width = np.diff(table.lines[0])
    assert width.min() < 0.75 * width.max()
    assert width[5:7].max() < width[1:3].min() and np.isclose(width.sum(), 1.0)
    assert np.allclose(width, width[::-1], rtol=1e-3)  # as symmetric as the load
    assert 0.0 < table.deflection < 1e-3 and table.inertia_error < 1e-3
    thing = table.object
    assert np.isclose(thing.mass, 600 * 0.036, rtol=1e-12)
    assert np.isclose(thing.inertia[0, 0], thing.mass * (0.6**2 + 0.06**2) / 12, rtol=1e-12)


def test_more_cells_where_the_inertia_needs_them():
    soft = P.Material(2e4, 0.3, 600.0)
    few = P.refined("table", TOP, load, material=soft, cells=(6, 2, 1), rounds=1, error=1.0)
    many = P.refined("table", TOP, load, material=soft, cells=(6, 2, 1), rounds=1, error=1e-9)
    assert len(many.object) > len(few.object)
    assert few.inertia_error > 1e-6


def test_bad_loads():
    none = lambda x: (np.ones(len(x), bool), np.zeros_like(x))  # noqa: E731
    free = lambda x: ([0], np.ones_like(x))  # noqa: E731
    for each, words in ((none, "pushes no particle"), (free, "1 particles are held")):
        with pytest.raises(hs.ModelError, match=words):
            P.refined("table", TOP, each, material="wood", cells=(2, 2, 1))
    with pytest.raises(hs.ModelError, match="no box is"):
        P.refined("table", hs.Sphere(1), none, material="wood", cells=(2, 2, 1))  # pyright: ignore
