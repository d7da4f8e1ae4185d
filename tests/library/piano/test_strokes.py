"""Motions of a finger: where they begin and end, how smooth they are, and what is refused."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.library.piano import strokes

MOTIONS = {
    "press": (strokes.press(0.02, 0.008, 0.05, 0.03), 0.008),
    "path": (strokes.path((0.1, 1e-3), (0.2, 5e-3), (0.25, 2e-3), smooth=0.04), 2e-3),
    "minimum_jerk": (strokes.minimum_jerk(0.06, begin=0.02), strokes.BOTTOM),
    "blow": (strokes.blow(0.03, begin=0.01), strokes.BOTTOM),
}


@pytest.mark.parametrize("name", MOTIONS)
def test_they_begin_at_rest_and_end_where_they_are_told(name):
    motion, to = MOTIONS[name]
    t, time = np.linspace(0.0, 1.0, 100_001), hs.symbol("t")
    x = hs.compile(hs.Function("motion", {"t": time}, {"x": motion(time)}))(t)
    assert np.allclose(x[::1000], [float(motion(now)) for now in t[::1000]], rtol=1e-12, atol=1e-15)
    speed = np.diff(x) / np.diff(t)
    assert speed[0] == 0.0 and abs(speed[-1]) < 1e-9 and x[-1] == pytest.approx(to, rel=1e-9)
    assert np.abs(np.diff(speed)).max() < 0.02 * np.abs(speed).max()  # no corner


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: strokes.press(speed=0.0), "press: speed is 0; expected a positive number"),
        (lambda: strokes.press(to=-1e-3), "press: to is -0.001"),
        (lambda: strokes.path(), "at least one"),
        (lambda: strokes.path((0.0, 0.0), 3.0), "pairs"),
        (lambda: strokes.path((1.0, 0.0), (0.5, 1.0)), "the times of corners must grow"),
        (lambda: strokes.path((0.0, 0.0), smooth=0.0), "path: smooth is 0"),
        (lambda: strokes.minimum_jerk(0.0), "minimum_jerk: time is 0"),
        (lambda: strokes.minimum_jerk(float("nan")), "minimum_jerk: time must be finite"),
        (lambda: strokes.sinusoid(1e-3, -5.0), "sinusoid: frequency is -5"),
        (lambda: strokes.blow(1e-3), "more than half of stop"),
        (lambda: hs.library.piano.organ_key("force", spring=-1.0), "organ_key: spring is -1"),
        (lambda: hs.library.piano.organ_key("force", pluck=float("nan")), "organ_key: pluck must be finite"),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises(hs.Error) as error:
        make()
    assert told in str(error.value) and "\n" not in str(error.value)
