"""Models of sensors: what they show, noise, bias, quantisation, dropouts, and the way back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.touch import haptics
from hapsis.touch.haptics.conditioning.stage import rows

SENSORS = {
    "hall": haptics.HallPair(k=1.2e-3, offset=5e-3, level=2.5),
    "coil": haptics.Coil(14.0, offset=0.02),
    "cell": haptics.LoadCell(0.05, offset=0.3),
    "three": haptics.LoadCell(np.diag([0.1, 0.2, 0.3]) + 0.01, offset=(0.1, 0.2, 0.3)),
    "four": haptics.LoadCell([[1, 0.1, 0], [0, 1, 0.1], [0.1, 0, 1], [1, 1, 1]]),
    "imu": haptics.Imu(np.eye(6) + 0.01, offset=(0.1, 0, 0, 0, 0, 0.2)),
}


def changed(sensor, **more):
    from dataclasses import replace

    return replace(sensor, **more)


def quantities(sensor, count, seed=0):
    """Rows of what the sensor measures; a vector where it is one."""
    random = np.random.default_rng(seed)
    if sensor.quantities == ("position",):
        return random.uniform(0.0, 0.01, count)
    found = random.normal(size=(count, len(sensor.quantities)))
    return found[:, 0] if found.shape[1] == 1 else found


def shaped(x):
    return x[:, None] if x.ndim == 1 else x


@pytest.mark.parametrize("name", SENSORS)
def test_reading_undoes_showing(name):
    sensor = SENSORS[name]
    x = quantities(sensor, 200)
    assert sensor.read(sensor.sense(x)) == pytest.approx(x, rel=1e-12, abs=1e-14)


def test_the_laws_of_the_seed():
    hall, coil = SENSORS["hall"], SENSORS["coil"]
    front, rear = hall.sense([0.002, 0.005, 0.009]).T
    assert 1.2e-3 * (front**2 - rear**2) + 5e-3 == pytest.approx(
        [0.002, 0.005, 0.009]
    )  # [Docquier, equation 17]
    assert front[1] == rear[1] == 2.5
    assert coil.sense([0.0, 0.5]) == pytest.approx([0.02, 14.0 * 0.5 + 0.02])  # [Docquier, equation 18]


def test_beyond_the_range_of_a_hall_pair_is_nothing():
    hall = SENSORS["hall"]
    edge = 5e-3 + 2 * 1.2e-3 * 2.5**2
    assert np.isfinite(hall.read(hall.sense([edge * 0.999]))).all()
    assert np.isnan(hall.read(hall.sense([edge * 1.001]))).all()


@pytest.mark.parametrize("name", SENSORS)
def test_noise_and_bias_are_as_large_as_told(name):
    count = len(SENSORS[name].channels)
    noise, bias = np.linspace(1e-4, 2e-4, count), np.linspace(-1e-3, 1e-3, count)
    sensor = changed(SENSORS[name], noise=tuple(noise), bias=list(bias))
    x = quantities(sensor, 20_000)
    error = shaped(sensor.sense(x, seed=4)) - shaped(SENSORS[name].sense(x))
    assert error.std(axis=0) == pytest.approx(noise, rel=0.03)
    assert error.mean(axis=0) == pytest.approx(bias, abs=5 * noise.max() / np.sqrt(len(x)))


@pytest.mark.parametrize("name", SENSORS)
def test_noise_of_a_reading_is_as_its_gain_says(name):
    sensor = changed(SENSORS[name], noise=1e-4)
    x = quantities(sensor, 20_000)
    x = np.zeros_like(x) + (5e-3 if name == "hall" else 0.0)  # the middle of its range
    gain = np.sqrt(np.sum(np.atleast_2d(sensor.reading.noise_gain) ** 2, axis=1))
    error = shaped(sensor.read(sensor.sense(x, seed=2))) - shaped(x)
    assert error.std(axis=0) == pytest.approx(1e-4 * gain, rel=0.05)


@pytest.mark.parametrize("name", SENSORS)
def test_dropouts_are_as_many_as_told_and_the_rest_is_untouched(name):
    plain = changed(SENSORS[name], noise=1e-4)
    x = quantities(plain, 5000)
    shown = shaped(changed(plain, dropout=0.2).sense(x, seed=3))
    lost = np.isnan(shown).any(axis=1)
    assert (np.isnan(shown).all(axis=1) == lost).all()
    assert lost.mean() == pytest.approx(0.2, abs=0.03)
    assert (shown[~lost] == shaped(plain.sense(x, seed=3))[~lost]).all()
    assert np.isnan(changed(plain, dropout=1.0).sense(x)).all()


@pytest.mark.parametrize("name", SENSORS)
def test_seeds_and_the_loop_give_the_same_bits(name):
    sensor = changed(SENSORS[name], noise=1e-3, dropout=0.1, resolution=1e-5)
    x = quantities(sensor, 50)
    shown = sensor.sense(x, seed=5)
    assert shown.tobytes() == sensor.sense(x, seed=5).tobytes()
    assert shown.tobytes() != sensor.sense(x, seed=6).tobytes()
    t, widths = np.arange(50) * 1e-3, (len(sensor.quantities), len(sensor.channels))
    stage = haptics.Filters(sensor.simulated(1e-3, seed=5, samples=50), sensor)
    y, z = np.empty(50 * widths[0]), np.empty(50 * widths[0])
    flat = np.ascontiguousarray(shaped(x)).ravel()
    rows(stage.kernel(), 50, widths[0], widths[0], t, flat, y)
    rows.python(stage.kernel(), 50, widths[0], widths[0], t, flat, z)
    assert y.tobytes() == z.tobytes() == sensor.read(shown).tobytes()


@pytest.mark.parametrize("name", SENSORS)
def test_a_simulated_sensor_and_its_reading_pass_small_changes(name):
    sensor = changed(SENSORS[name], resolution=1e-9)
    whole = haptics.Filters(sensor.simulated(1e-3), sensor)
    assert whole.noise_gain == pytest.approx(np.eye(len(sensor.quantities)).squeeze(), abs=1e-12)
    assert whole.delay == 0.0


def test_noise_in_the_loop_comes_again_after_its_table():
    stage = haptics.Coil(1.0, noise=1.0).simulated(1e-3, samples=7)
    shown = stage.apply(np.arange(21) * 1e-3, np.zeros(21))
    assert (shown[:7] == shown[7:14]).all() and len(set(shown[:7])) == 7


def test_a_lost_channel_takes_nothing_else_with_it():
    imu = haptics.Imu(offset=0.1)
    shown = imu.sense(np.ones((1, 6)))
    shown[0, 2] = np.nan
    read = imu.read(shown)[0]
    assert np.isnan(read).tolist() == [False, False, True, False, False, False]


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-6, 1.0), st.floats(-1.0, 1.0), st.integers(0, 2**20))
def test_an_encoder_is_never_off_by_more_than_half_a_step(step, offset, seed):
    encoder = haptics.Encoder(step, offset=offset)
    x = np.random.default_rng(seed).uniform(-5, 5, 100)
    counts = encoder.sense(x)
    assert (counts == np.floor(counts)).all()
    assert np.abs(encoder.read(counts) - x).max() <= 0.5 * step * (1 + 1e-9) + 1e-14


def test_quantisation_noise_is_white_and_a_twelfth():
    encoder, random = haptics.Encoder(1e-3), np.random.default_rng(1)
    x = random.uniform(0, 1, 50_000)
    error = encoder.read(encoder.sense(x)) - x
    assert error.std() == pytest.approx(encoder.quantisation, rel=0.02)
    assert encoder.quantisation == pytest.approx(1e-3 / np.sqrt(12))
    assert abs(np.corrcoef(error[1:], error[:-1])[0, 1]) < 0.02
    assert abs(np.corrcoef(error, x)[0, 1]) < 0.02


def test_noise_before_rounding_shows_what_lies_between_two_counts():
    """Dither: without noise an encoder at rest tells its count, with noise its mean the place."""
    x = np.full(40_000, 0.3e-3)
    still, dithered = haptics.Encoder(1e-3), haptics.Encoder(1e-3, noise=0.5)
    assert set(still.sense(x)) == {0.0}
    assert dithered.read(dithered.sense(x)).mean() == pytest.approx(0.3e-3, abs=2e-5)


def test_a_converter_rounds_to_its_resolution():
    coil = haptics.Coil(1.0, resolution=0.01)
    assert coil.sense([0.0149, 0.0151, -0.004]) == pytest.approx([0.01, 0.02, 0.0])


def test_an_imu_shows_what_a_model_measures():
    model = hs.Model(
        hs.Body("arm", mass=1.0, inertia=(1, 1, 1)),
        hs.Revolute("turn", hs.WORLD, "arm", axis="x"),
        hs.Sensor("imu", "imu", "arm"),
    )
    truth = np.ravel(hs.compile(hs.measurements(model))(q=[0.3], v=[2.0], a=[0.0]))
    imu = haptics.Imu()
    assert imu.sense(truth[None])[0] == pytest.approx(truth)
    assert truth[0] == pytest.approx(2.0)
    lean = haptics.Inclination().apply([0.0], [[truth[4], truth[5]]])
    assert lean == pytest.approx(0.3)


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: haptics.HallPair(0.0), "HallPair: k is zero"),
        (lambda: haptics.HallPair("x"), "HallPair: k must be a number"),
        (lambda: haptics.HallPair(1.0, level=0.0), "HallPair: the level must be positive"),
        (lambda: haptics.HallPair(1.0, noise=-1.0), "HallPair: the noise must be zero or more"),
        (lambda: haptics.HallPair(1.0, noise=(1, 2, 3)), "expected 1, or front, rear"),
        (lambda: haptics.HallPair(1.0, bias=np.nan), "HallPair: the bias must be finite"),
        (lambda: haptics.HallPair(1.0, dropout=1.5), "expected 0 to 1"),
        (lambda: haptics.HallPair(1.0, resolution=-1), "the resolution must be zero or more"),
        (lambda: haptics.Coil(0.0), "Coil: kappa is zero"),
        (lambda: haptics.Coil(1.0, offset=np.inf), "Coil: offset must be finite"),
        (lambda: haptics.Encoder(0.0), "Encoder: step is zero"),
        (lambda: haptics.Encoder(1.0, resolution=0.1), "its resolution is one count"),
        (lambda: haptics.LoadCell([[1, 2, 3]]), "1 channels do not show 3 forces"),
        (lambda: haptics.LoadCell(np.ones((2, 2))), "does not tell its quantities apart"),
        (lambda: haptics.LoadCell([1.0, 2.0]), "expected finite numbers, [channel, quantity]"),
        (lambda: haptics.LoadCell(np.eye(2), offset=(1, 2, 3)), "1, or U1, U2"),
        (lambda: haptics.Imu(np.eye(3)), "expected (6, 6)"),
        (lambda: SENSORS["coil"].sense("abc"), "the quantities must be numbers"),
        (lambda: SENSORS["imu"].sense(np.zeros((4, 3))), "6 columns"),
        (lambda: SENSORS["coil"].simulated(1e-3, seed=-1), "the seed must be a whole number"),
        (lambda: SENSORS["coil"].simulated(1e-3, samples=0), "samples must be a whole number"),
        (lambda: SENSORS["coil"].simulated(0.0), "the period must be positive"),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises(ModelError) as error:
        make()
    assert told in str(error.value)
