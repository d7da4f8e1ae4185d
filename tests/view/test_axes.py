"""Axes and thinning: laws for any data."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.errors import Error
from hapsis.view import axes
from hapsis.view import decimation as thinning

FINITE = st.floats(allow_nan=False, allow_infinity=False)
MODEST = st.floats(-1e9, 1e9)


def read(label: str) -> float:
    """The number a label shows."""
    raised = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    text = label.replace("−", "-").replace(" ", "")
    if power := re.fullmatch(r"(?:(.+)×)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text):
        return float(f"{power[1] or 1}e{power[2].translate(raised)}")
    return float(text)


def shown(axis: axes.Axis) -> list[float]:
    """The values the labels stand for, with what they have in common put back."""
    parts = axis.header.split(" ")
    scale, base = 1.0, 0.0
    if parts[0] == "×":
        scale = read("1 × " + parts[1])
        parts = parts[2:]
    if parts and parts[0]:
        base = read("".join(parts).replace("+", ""))
    return [base + scale * read(label) for _, label in axis.ticks]


@given(st.lists(FINITE, min_size=1, max_size=8), st.integers(2, 10))
def test_every_value_has_a_place_and_there_are_ticks(values, count):
    axis = axes.axis([np.array(values)], count=count, margin=0.05)
    places = axis.places(np.array(values))
    assert np.all((places >= -1e-6) & (places <= 1 + 1e-6))
    assert np.isfinite([axis.low, axis.high]).all() and axis.low < axis.high
    assert 1 <= len(axis.ticks) <= 2 * count + 1
    at = [place for place, _ in axis.ticks]
    assert all(-1e-6 <= place <= 1 + 1e-6 for place in at) and at == sorted(at)
    assert len({label for _, label in axis.ticks}) == len(axis.ticks)


@given(MODEST, st.floats(1e-6, 1e9), st.integers(3, 10))
def test_labels_tell_where_the_tick_is(low, width, count):
    axis = axes.axis([np.array([low, low + width])], count=count)
    values = np.array(shown(axis))
    error = np.abs(axis.places(values) - [place for place, _ in axis.ticks])
    tolerance = 1e-6 + 1e-9 * max(abs(axis.low), abs(axis.high)) / (axis.high - axis.low)
    assert error.max() < tolerance


@given(st.floats(1e-200, 1e200))
def test_the_step_is_the_least_of_one_two_five(least):
    multiple, power = axes.step(least)
    assert multiple in (1, 2, 5)
    value = multiple * 10.0**power
    assert least * (1 - 1e-8) <= value <= 2.5 * least * (1 + 1e-8)


@given(st.lists(st.floats(1e-200, 1e200), min_size=1, max_size=6))
def test_logarithmic_axes_hold_every_positive_value(values):
    axis = axes.axis([np.array([*values, -1.0, 0.0, np.nan])], logarithmic=True, margin=0.05)
    places = axis.places(np.array(values))
    assert np.all((places >= -1e-6) & (places <= 1 + 1e-6)) and axis.ticks
    for place, label in axis.ticks:
        low, high = math.log10(axis.low), math.log10(axis.high)
        at = low + place * (high - low)
        assert math.isclose(10**at, read(label), rel_tol=1e-3)


@pytest.mark.parametrize(
    ("values", "labels", "header"),
    [
        ([0, 1], ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"], ""),
        ([-2, 2], ["−2", "−1", "0", "1", "2"], ""),
        ([0, 5e6], ["0", "1", "2", "3", "4", "5"], "× 10⁶"),
        ([0, 4e-4], ["0", "100", "200", "300", "400"], "× 10⁻⁶"),
        ([1.0, 1.0 + 4e-7], ["0", "100", "200", "300", "400"], "× 10⁻⁹ + 1"),
        ([0, 0], ["−1.0", "−0.5", "0.0", "0.5", "1.0"], ""),
        ([7, 7], ["6.5", "7.0", "7.5"], ""),
    ],
)
def test_axes_a_reader_expects(values, labels, header):
    axis = axes.axis([np.array(values, float)])
    assert [label for _, label in axis.ticks] == labels and axis.header == header


def test_a_logarithmic_axis_without_positive_values_is_refused():
    with pytest.raises(Error, match="no positive value"):
        axes.axis([np.array([-1.0, 0.0])], logarithmic=True)


@given(st.integers(1, 20_000), st.integers(3, 200), st.integers(0, 2**32 - 1), st.sampled_from([0, 3]))
def test_thinning_keeps_ends_extremes_and_gaps(count, columns, seed, gaps):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.normal(size=count))
    y = rng.normal(size=count) ** 3
    for start in rng.integers(0, count, gaps):
        y[start : start + 1 + count // 50] = np.nan
    kept = thinning.along(x, y, columns)
    finite = np.flatnonzero(np.isfinite(y))
    assert np.all(np.diff(kept) > 0) and np.isfinite(y[kept]).all()
    assert len(kept) <= 4 * (columns + gaps + 1)
    if not len(finite):
        return
    assert kept[0] == finite[0] and kept[-1] == finite[-1]
    assert y[kept].min() == np.nanmin(y) and y[kept].max() == np.nanmax(y)
    # each column keeps its own lowest and highest value
    span = x[finite[-1]] - x[finite[0]]
    if span and len(finite) > 4 * columns:
        column = lambda k: np.minimum((x[k] - x[finite[0]]) / span * columns, columns - 1) // 1  # noqa: E731
        for c in np.unique(column(finite)):
            inside, left = finite[column(finite) == c], kept[column(kept) == c]
            assert y[left].min() == y[inside].min() and y[left].max() == y[inside].max()
    # two neighbours in one run have nothing missing between them
    for run in thinning.runs(kept, y):
        assert np.isfinite(y[run[0] : run[-1] + 1]).all()


def test_more_gaps_than_pixels_do_not_make_the_picture_longer():
    y = np.where(np.arange(100_000) % 2, np.nan, 1.0)
    assert len(thinning.along(np.arange(100_000.0), y, 100)) <= 400


@given(st.integers(0, 2**32 - 1))
def test_thinning_a_curve_that_turns_back_stays_near_it(seed):
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 20, 5000)
    x, y = np.cos(angle) + rng.normal(), 2 * np.sin(1.3 * angle)
    cells = 60
    kept = thinning.anywhere(x, y, cells)
    assert len(kept) < len(x) and kept[0] == 0 and kept[-1] == len(x) - 1
    for values in (x, y):
        assert values[kept].min() == values.min() and values[kept].max() == values.max()
        last = kept[np.searchsorted(kept, np.arange(len(x)), side="right") - 1]
        assert np.abs(values - values[last]).max() <= 1.01 * np.ptp(values) / cells
