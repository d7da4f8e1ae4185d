"""Calibration: known constants come back within their errors, and a poor record says so."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from hapsis.errors import ModelError, SolveError
from hapsis.touch import haptics

RECORD = Path(__file__).parents[1] / "data" / "key_motion_synthetic.csv"
SEEDS = 100
MATRIX = np.diag([0.1, 0.2, 0.3]) + 0.01
CASES = {
    "hall": (haptics.HallPair(1.2e-3, offset=5e-3, noise=0.01), {"k": 1.2e-3, "offset": 5e-3}),
    "coil": (haptics.Coil(14.0, offset=0.02, noise=0.05), {"kappa": 14.0, "offset": 0.02}),
    "encoder": (haptics.Encoder(1e-4, offset=1e-3, noise=0.4), {"step": 1e-4, "offset": 1e-3}),
    "coarse": (haptics.Encoder(1e-3, offset=1e-3), {"step": 1e-3, "offset": 1e-3}),
    "cell": (haptics.LoadCell(0.05, offset=0.3, noise=0.01), {"U.force": 0.05, "U.offset": 0.3}),
    "three": (
        haptics.LoadCell(MATRIX, offset=(0.1, 0.2, 0.3), noise=(0.001, 0.002, 0.003)),
        {f"U{i + 1}.F{j + 1}": MATRIX[i, j] for i in range(3) for j in range(3)}
        | {f"U{i + 1}.offset": 0.1 * (i + 1) for i in range(3)},
    ),
}


def motion(sensor, random, count=150):
    if sensor.quantities == ("position",):
        return random.uniform(0.0, 0.01, count)
    return random.normal(size=(count, len(sensor.quantities)))


@pytest.mark.parametrize("name", CASES)
def test_known_constants_come_back_within_their_errors(name):
    """Errors squared in units of the covariance, over many seeds, are chi-square."""
    sensor, truth = CASES[name]
    blank = replace(sensor, noise=0.0, **START.get(name, {}))
    total, single, names = 0.0, np.zeros(len(truth)), list(truth)
    for seed in range(SEEDS):
        random = np.random.default_rng(seed)
        x = motion(sensor, random)
        found = blank.calibrate(sensor.sense(x, seed=seed + 1000), x)
        assert list(found.values) == sorted(names, key=list(found.values).index)
        error = np.array([found[n] - truth[n] for n in found.values])
        total += error @ np.linalg.solve(found.covariance, error)
        single += (error / [found.errors[n] for n in found.values]) ** 2
        assert found.unclear == ()
    # the noise is estimated too, so squares are a little larger: n/(n-2) of 150 samples
    low, high = chi2.ppf([1e-4, 1 - 1e-4], SEEDS * len(truth))
    assert low < total < 1.03 * high
    low, high = chi2.ppf([1e-5, 1 - 1e-5], SEEDS)
    assert (low < single).all() and (single < 1.03 * high).all()


START = {
    "hall": {"k": 1.0, "offset": 0.0},
    "coil": {"kappa": 1.0, "offset": 0.0},
    "encoder": {"step": 1.0, "offset": 0.0},
    "coarse": {"step": 1.0, "offset": 0.0},
    "cell": {"matrix": 1.0, "offset": 0.0},
    "three": {"matrix": np.eye(3), "offset": 0.0},
}


def test_the_calibrated_sensor_reads_as_the_true_one():
    sensor, _ = CASES["three"]
    x = motion(sensor, np.random.default_rng(0), 2000)
    x[::50] = np.nan  # a reference may have gaps
    shown = replace(sensor, dropout=0.1).sense(x, seed=1)
    found = haptics.LoadCell(np.eye(3)).calibrate(shown, x).sensor
    assert np.array(found.matrix) == pytest.approx(MATRIX, abs=1e-3)
    assert found.noise == pytest.approx(sensor.noise, rel=0.1)


def test_an_imu_on_a_table_that_turns():
    gains = np.eye(6) + 0.02 * np.random.default_rng(3).normal(size=(6, 6))
    imu = haptics.Imu(gains, offset=(0.01, -0.02, 0.03, 0.1, 0.2, -0.1), noise=1e-3)
    x = motion(imu, np.random.default_rng(1), 500)
    found = haptics.Imu().calibrate(imu.sense(x), x)
    assert np.array(found.sensor.matrix) == pytest.approx(gains, abs=5e-4)
    assert found["ax.offset"] == pytest.approx(0.1, abs=5 * found.errors["ax.offset"])


def test_the_record_of_a_key_calibrates_its_sensors():
    _, position, velocity, _, counts, front, rear, coil = np.loadtxt(RECORD, delimiter=",").T
    hall = haptics.HallPair(1.0).calibrate(np.column_stack([front, rear]), position)
    assert abs(hall["k"] - 1.1e-3) < 4 * hall.errors["k"] < 1e-5
    assert abs(hall["offset"] - 5e-3) < 4 * hall.errors["offset"] < 1e-5
    assert hall.noise["front"] == pytest.approx(2e-3, rel=0.1)
    assert hall.sensor.level == pytest.approx(2.4, rel=1e-3)
    found = haptics.Coil(1.0).calibrate(coil, velocity)
    assert abs(found["kappa"] - 14.0) < 4 * found.errors["kappa"]
    assert haptics.Encoder(1.0).calibrate(counts, position)["step"] == pytest.approx(2e-5, rel=1e-3)


def test_noise_of_the_sensor_does_not_pull_its_gain_towards_zero():
    """Fitted the other way round, position over voltage, k would be smaller by a tenth."""
    hall = haptics.HallPair(1.2e-3, offset=5e-3, noise=0.11)
    x = np.random.default_rng(0).uniform(0, 0.01, 20_000)
    volts = hall.sense(x, seed=1)
    squares = volts[:, 0] ** 2 - volts[:, 1] ** 2
    naive = np.polyfit(squares, x, 1)[0]
    assert naive < 0.95 * 1.2e-3
    assert hall.calibrate(volts, x)["k"] == pytest.approx(1.2e-3, rel=0.01)


def test_the_noise_of_a_short_record_is_not_told_too_small():
    coil, found = haptics.Coil(14.0, noise=0.05), []
    for seed in range(300):
        x = np.random.default_rng(seed).normal(size=8)
        found.append(coil.calibrate(coil.sense(x, seed=seed + 1000), x).noise["coil"] ** 2)
    assert np.mean(found) == pytest.approx(0.05**2, rel=0.12)


# records that do not tell ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hall", "coil", "encoder", "cell"])
def test_a_motion_that_stands_still_tells_nothing(name):
    sensor, _ = CASES[name]
    x = np.full(100, 0.004)
    found = sensor.calibrate(sensor.sense(x), x)
    assert set(found.errors.values()) == {float("inf")}
    assert found.unclear and "must vary more" in found.unclear[0] and "inf" in str(found)
    with pytest.raises(SolveError, match="record a richer motion"):
        _ = found.sensor


def test_at_zero_the_offset_is_known_all_the_same():
    sensor, _ = CASES["coil"]
    found = sensor.calibrate(sensor.sense(np.zeros(200)), np.zeros(200))
    assert found.errors["kappa"] == float("inf")
    assert abs(found["offset"] - 0.02) < 5 * found.errors["offset"] < 0.1
    assert found.unclear == ("the record does not tell kappa: velocity must vary more, each in its own way",)


def test_forces_that_go_together_cannot_be_told_apart():
    sensor, _ = CASES["three"]
    x = motion(sensor, np.random.default_rng(2))
    x[:, 2] = 2.0 * x[:, 0]
    found = sensor.calibrate(sensor.sense(x), x)
    infinite = {n for n, e in found.errors.items() if e == float("inf")}
    assert infinite == {f"U{k}.F{j}" for k in (1, 2, 3) for j in (1, 3)}
    assert found.errors["U2.F2"] < 0.01


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda s: s.calibrate(np.zeros((5, 3)), np.zeros(5)), "2 columns (front, rear)"),
        (lambda s: s.calibrate(np.zeros((5, 2)), np.zeros((5, 2))), "1 columns (position)"),
        (lambda s: s.calibrate(np.zeros((5, 2)), np.zeros(6)), "5 samples are shown"),
        (lambda s: s.calibrate("abc", np.zeros(6)), "what is shown must be numbers"),
        (lambda s: s.calibrate(s.sense(np.zeros(9)), np.zeros(9))["kk"], 'did you mean "k"'),
    ],
)
def test_what_is_refused(call, told):
    with pytest.raises(ModelError) as error:
        call(CASES["hall"][0])
    assert told in str(error.value)


def test_a_record_too_short_or_lost_is_refused():
    hall = CASES["hall"][0]
    with pytest.raises(SolveError, match="only 0 samples are complete; expected 5 or more"):
        hall.calibrate(np.full((50, 2), np.nan), np.zeros(50))
