"""The sensors of a haptic key: their laws, flaws and errors, over a record and in the loop."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.touch import haptics
from hapsis.touch.haptics.conditioning.stage import rows
from hapsis.touch.realtime.loop import Loop

RATE = 4000.0
STROKE = np.linspace(0.0, 0.010, 1001)
HALL = haptics.HallPair(
    k=1.1e-3, offset=5e-3, power=2, lag=5e-3, noise=1e-3, resolution=5 / 4096, range=(0, 5)
)


def swinging(frequency, seconds=2.0):
    """A key between 0 and 10 mm, by hand."""
    t = np.arange(round(seconds * RATE)) / RATE
    return t, 5e-3 - 5e-3 * np.cos(2 * np.pi * frequency * t)


# --- the Hall pair: nearly linear, and its error grows with the frequency ---


def test_a_hall_pair_is_linear_but_for_the_ends_of_its_stroke():
    hall = replace(HALL, lag=0.0, noise=0.0, resolution=0.0)
    best = hall.calibrate(hall.sense(STROKE), STROKE).sensor
    error = best.read(hall.sense(STROKE)) - STROKE
    inner = (STROKE >= 1e-3) & (STROKE <= 9e-3)
    assert np.abs(error[inner]).max() < 0.07e-3 < np.abs(error[~inner]).max() < 0.15e-3
    # the slope stays; a parabola through the last millimetre is all there is
    slope = np.gradient(error, STROKE)
    assert np.abs(slope[inner]).max() < 0.06
    last = STROKE >= 9e-3
    parabola = np.polyfit(STROKE[last], error[last], 2)
    assert parabola[0] > 0.0
    assert np.abs(np.polyval(parabola, STROKE[last]) - error[last]).max() < 2e-6
    assert error == pytest.approx(-error[::-1], abs=1e-9)  # both ends alike


@settings(max_examples=40, deadline=None)
@given(
    st.floats(1e-4, 1e-2) | st.floats(-1e-2, -1e-4),
    st.floats(-0.1, 0.1),
    st.floats(0.5, 5.0),
    st.floats(0.5, 4.0),
)
def test_the_deviation_is_that_of_the_series(k, offset, level, power):
    """x (1 + (p + 1)(2 p + 1)/3 (x/gap)²), whatever the magnet; the next term is of the fourth order."""
    hall = haptics.HallPair(k, offset, level, power)
    assert hall.gap == pytest.approx(4.0 * power * abs(k) * level**2)
    x = np.linspace(-0.02, 0.02, 21) * hall.gap
    read = hall.read(hall.sense(x + offset)) - offset
    expected = x * (1.0 + (power + 1.0) * (2.0 * power + 1.0) / 3.0 * (x / hall.gap) ** 2)
    assert read == pytest.approx(expected, abs=2e-6 * hall.gap + 1e-12)
    front, rear = hall.sense(x + offset).T
    near = np.sign(k) * x
    assert (np.diff(front[np.argsort(near)]) > 0).all() and (np.diff(rear[np.argsort(near)]) < 0).all()
    assert np.isnan(hall.sense([offset + 1.001 * hall.gap])).all()


def test_the_error_grows_with_the_frequency_as_measured():
    """Small below 1 Hz, at most a tenth of the stroke at 5 Hz [Docquier, figures 19 and 20]."""
    reader = replace(HALL, lag=0.0).calibrate(replace(HALL, lag=0.0).sense(STROKE, seed=3), STROKE).sensor
    worst = {}
    for frequency in (0.5, 1.0, 5.0):
        t, x = swinging(frequency)
        shown = HALL.sense(x, seed=1, period=1 / RATE)
        seen = haptics.LowPass(1 / RATE, 200.0).apply(t, reader.read(shown))
        worst[frequency] = np.abs(seen - x)[400:].max() / 10e-3
    assert worst[0.5] < worst[1.0] < 0.035 < 0.06 < worst[5.0] < 0.10


@settings(max_examples=30, deadline=None)
@given(st.floats(1e-4, 0.1), st.floats(0.1, 40.0), st.floats(2e-5, 2e-3))
def test_a_lag_is_that_of_first_order(lag, frequency, period):
    """Against the closed answer to a ramp, and to a sine whose samples are dense."""
    coil = haptics.Coil(3.0, offset=0.5, lag=lag)
    t = np.arange(400) * period
    ramp = coil.read(coil.sense(2.0 * t, period=period))
    assert ramp == pytest.approx(2.0 * (t - lag * -np.expm1(-t / lag)), abs=1e-11)
    w = 2.0 * np.pi * frequency
    if w * period < 0.05:
        gain = 1.0 / (1.0 + 1j * w * lag)
        settled = np.imag(gain * np.exp(1j * w * t)) - np.imag(gain) * np.exp(-t / lag)
        sine = coil.read(coil.sense(np.sin(w * t), period=period))
        assert sine == pytest.approx(settled, abs=(w * period) ** 2)
    stage = coil.simulated(period)
    assert stage.delay == pytest.approx(lag)


def test_k_and_offset_from_a_recorded_stroke():
    hall = haptics.HallPair(k=-1.1e-3, offset=5e-3, power=1, noise=2e-3, resolution=1e-3, range=(0, 5))
    stroke = 5e-3 + 1e-3 * np.sin(np.linspace(0, 20, 4000))  # near the middle, where the law holds
    found = haptics.HallPair(k=1.0).calibrate(hall.sense(stroke, seed=2), stroke)
    assert found["k"] == pytest.approx(-1.1e-3, rel=0.01)
    assert abs(found["offset"] - 5e-3) < 5 * found.errors["offset"] + 1e-6


# --- coil: spurious peaks ---


@settings(max_examples=20, deadline=None)
@given(st.floats(0.0, 1.0), st.floats(0.0, 10.0), st.integers(0, 1000))
def test_peaks_are_as_many_and_as_high_as_told(part, height, seed):
    plain = haptics.Coil(14.0, noise=0.05, dropout=0.1)
    coil = replace(plain, peaks=part, peak=height)
    v = np.random.default_rng(seed).normal(size=4000)
    error = coil.sense(v, seed=seed) - plain.sense(v, seed=seed)
    lost = np.isnan(error)
    assert (lost == np.isnan(plain.sense(v, seed=seed))).all()
    high = np.abs(error[~lost]) > 0.5 * height
    if height > 1e-6:
        assert high.mean() == pytest.approx(part, abs=0.05)
        assert np.abs(error[~lost][high]) == pytest.approx(height, abs=1e-9)
    assert error[~lost][~high] == pytest.approx(0.0, abs=1e-9)


# --- load cell ---


def test_the_load_cell_in_place_of_the_pilot():
    cell = haptics.StrainBridge(0.765e-3, 50.0, excitation=5.0, resolution=0.04 / 2**24)
    assert cell.gain == pytest.approx(76.5e-6) and cell.force_resolution < 1e-3
    force = np.linspace(0.0, 50.0, 5001)
    assert np.abs(cell.read(cell.sense(force)) - force).max() <= 0.5 * cell.force_resolution * (1 + 1e-6)
    assert cell.sense([50.0])[0] == pytest.approx(0.765e-3 * 5.0, abs=3e-9)
    assert cell.read(cell.sense([80.0, -80.0])) == pytest.approx([50.0, -50.0], abs=1e-3)


@settings(max_examples=30, deadline=None)
@given(
    st.floats(1e-4, 3e-3) | st.floats(-3e-3, -1e-4),
    st.floats(1.0, 500.0),
    st.floats(1.0, 12.0),
    st.integers(0, 99),
)
def test_a_bridge_is_found_from_known_weights(sensitivity, capacity, excitation, seed):
    bridge = haptics.StrainBridge(sensitivity, capacity, excitation, offset=1e-4, noise=1e-6)
    weights = np.random.default_rng(seed).uniform(0.0, 1.2, 300) * capacity  # some too heavy
    volts = bridge.sense(weights, seed=seed + 1)
    found = replace(bridge, sensitivity=1e-3, offset=0.0, range=None).calibrate(volts, weights)
    assert abs(found["sensitivity"] - sensitivity) < 6 * found.errors["sensitivity"]
    assert abs(found["offset"] - 1e-4) < 6 * found.errors["offset"]
    assert found.sensor.capacity == bridge.capacity
    good = weights < 0.9 * capacity
    noise = 1e-6 / abs(bridge.gain)
    assert np.abs(found.sensor.read(volts) - weights)[good].max() < 6 * noise


def test_the_range_of_a_bridge_is_its_own():
    """Other numbers have another range; that of a converter stays, also after a calibration."""
    cell = haptics.StrainBridge(1e-3, 50.0, excitation=5.0)
    for other in (
        replace(cell, excitation=10.0),
        replace(cell, sensitivity=2e-3),
        replace(cell, offset=1e-3),
    ):
        assert other.read(other.sense([49.0, -49.0, 80.0])) == pytest.approx([49.0, -49.0, 50.0])
    narrow = replace(cell, range=(-2e-3, 2e-3), noise=1e-9)
    force = np.linspace(-15.0, 15.0, 101)
    found = narrow.calibrate(narrow.sense(force), force).sensor
    assert found.range == narrow.range and abs(found.read(found.sense([40.0]))[0] - 20.0) < 0.01


# --- vibrometer, and all of them in the loop ---


def test_a_vibrometer_rounds_both_by_themselves():
    x, v = np.random.default_rng(0).uniform(-1, 1, (2, 5000)) * [[10e-3], [0.5]]
    seen = haptics.Vibrometer().sense(np.stack([x, v], axis=1))
    for k, (truth, step) in enumerate(((x, 175e-6), (v, 4.4e-3))):
        assert np.abs(seen[:, k] - truth).max() <= 0.5 * step * (1 + 1e-9)
        assert seen[:, k] / step == pytest.approx(np.rint(seen[:, k] / step), abs=1e-9)
    fine = haptics.Vibrometer(resolution=(0.0, 1e-6))
    assert (fine.sense(np.stack([x, v], axis=1))[:, 0] == x).all()


SENSORS = {
    "hall": HALL,
    "coil": haptics.Coil(14.0, noise=0.05, peaks=0.01, peak=3.0, lag=2e-3, dropout=0.02),
    "bridge": haptics.StrainBridge(0.765e-3, 50.0, noise=1e-8, lag=1e-4),
    "vibrometer": haptics.Vibrometer(noise=(1e-5, 1e-3), dropout=0.05, lag=1e-3),
    "cells": haptics.LoadCell(
        np.eye(2) + 0.1, lag=1e-3, peaks=0.1, peak=1.0, range=(-1, 1), resolution=(0.1, 0)
    ),
}


@pytest.mark.parametrize("name", SENSORS)
def test_the_loop_and_python_give_the_bits_of_a_record(name):
    sensor, n = SENSORS[name], 300
    width, out = len(sensor.quantities), len(sensor.channels)
    x = np.random.default_rng(7).uniform(0.0, 0.01, (n, width))
    x[40:43] = np.nan
    stage = sensor.simulated(1 / RATE, seed=3, samples=n)
    t, y, z = np.arange(n) / RATE, np.empty(n * out), np.empty(n * out)
    rows(stage.kernel(), n, width, out, t, x.ravel(), y)
    rows.python(stage.kernel(), n, width, out, t, x.ravel(), z)
    assert y.tobytes() == z.tobytes() == sensor.sense(x, seed=3, period=1 / RATE).tobytes()
    assert np.isnan(y.reshape(n, out)[40:43]).all()


@pytest.mark.parametrize("lag", [0.0, 3e-3])
def test_stated_noise_gains_are_those_of_the_impulse(lag):
    stage = haptics.Vibrometer(resolution=0.0, lag=lag).simulated(1 / RATE)
    h, n = stage.response(), 60
    for k in range(2):
        x = np.zeros((n + 1, 2))
        x[1, k] = 1.0
        assert stage.apply(np.arange(n + 1) / RATE, x)[1:] == pytest.approx(
            np.pad(h, ((0, max(0, n - len(h))), (0, 0), (0, 0)))[:n, :, k], abs=1e-12
        )


def test_a_key_sensed_by_hall_pair_and_coil_in_a_loop():
    """Two sensors before one device: the model gets what each of them shows of the hand."""
    model = hs.Model(
        hs.Body("key", mass=0.1, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Prismatic("dip", hs.WORLD, "key", axis="z"),
        hs.Drive("finger", "dip", position="input", velocity="input", acceleration="input"),
        hs.JointSpring("return", "dip", stiffness=200.0),
        gravity=(0, 0, 0),
    )
    inputs = ["finger.position", "finger.velocity", "finger.acceleration"]
    step = hs.stepper(model, 1 / RATE, inputs=inputs, outputs=["finger.force"])
    hand = haptics.SimulatedHand(speed=0.05, travel=9e-3, rise=0.02)
    coil = SENSORS["coil"]
    by_hall = haptics.Conditioned(hand, haptics.Filters(HALL.simulated(1 / RATE, seed=1), HALL))
    both = haptics.Conditioned(by_hall, haptics.Filters(coil.simulated(1 / RATE, seed=2), coil))
    loop = Loop(step, RATE, paced=False).connect(both)
    loop.run(0.3)
    report = loop.report()
    t = report["t"]
    truth = np.array([hand.trajectory.at(x)[0][0] for x in t])
    seen = haptics.Filters(HALL.simulated(1 / RATE, seed=1), HALL).apply(t, truth)
    assert np.array_equal(report["finger.position"], seen)
    speed = np.array([hand.trajectory.at(x)[1][0] for x in t])
    shown = haptics.Filters(coil.simulated(1 / RATE, seed=2), coil).apply(t, speed)
    assert np.array_equal(report["finger.velocity"], shown, equal_nan=True)
    assert 0.0 < np.abs(seen - truth).max() < 0.6e-3
    assert by_hall.delay == pytest.approx(5e-3) and both.delay == pytest.approx(2e-3)


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: HALL.sense(STROKE), "HallPair: a lag needs the period of the samples; give period="),
        (lambda: haptics.HallPair(1.0, power=0), "HallPair: the power must be positive"),
        (lambda: haptics.Coil(1.0, lag=-1.0), "Coil: the lag must be zero or more"),
        (lambda: haptics.Coil(1.0, peaks=2.0), "the peaks is 2; expected 0 to 1"),
        (lambda: haptics.Coil(1.0, range=(1, 0)), "a range from 1 to 0; expected the smaller end first"),
        (lambda: haptics.Coil(1.0, range=3.0), "expected a pair"),
        (lambda: haptics.Vibrometer(resolution=(1, 2, 3)), "the resolution has 3 numbers"),
        (lambda: haptics.StrainBridge(0.0, 50.0), "StrainBridge: sensitivity is zero"),
        (lambda: haptics.StrainBridge(1e-3, 0.0), "the capacity must be positive"),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises(ModelError) as error:
        make()
    assert told in str(error.value)
