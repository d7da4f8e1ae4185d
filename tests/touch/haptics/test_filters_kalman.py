"""Kalman filters: the Riccati equation, consistency, delays, fusion, and a record of a key."""

from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are
from scipy.stats import chi2

from hapsis.errors import ModelError, SolveError
from hapsis.touch import haptics
from hapsis.touch.haptics.conditioning.inclination import arctangent
from hapsis.touch.haptics.conditioning.motion_filters import integrators
from hapsis.touch.haptics.conditioning.stage import rows

DT = 1 / 4000
RECORD = Path(__file__).parents[1] / "data" / "key_motion_synthetic.csv"
MOTIONS = {
    "position": {"position": 1e-5, "acceleration": 2.0},
    "jerk": {"position": 1e-5, "jerk": 50.0},
    "both": {"position": 1e-5, "velocity": 4e-3, "acceleration": 2.0},
    "both, jerk": {"position": 1e-5, "velocity": 4e-3, "jerk": 50.0},
}
INERTIAL = {
    "plain": {"position": 1e-5, "acceleration": 0.05},
    "bias": {"position": 1e-5, "acceleration": 0.05, "bias": 0.2, "drift": 0.5},
    "all": {"position": 1e-5, "velocity": 0.01, "acceleration": 0.05, "bias": 0.2, "drift": 0.5},
}


def made(steady=False):
    found = {n: haptics.motion_filter(DT, **kw, steady=steady) for n, kw in MOTIONS.items()}
    found |= {n: haptics.inertial_filter(DT, **kw, steady=steady) for n, kw in INERTIAL.items()}
    return found


def covariance(kernel, stage):
    """P of a kernel, from its memory."""
    n, filler = len(stage.states), kernel.fixed["own"]
    return filler.step.fixed["own"].P.reshape(n, n)


@pytest.mark.parametrize("name", made())
def test_the_gain_that_follows_settles_at_the_riccati_equation(name):
    """The recursion in the loop and scipy's solution know nothing of each other."""
    stage = made()[name]
    kernel, count = stage.kernel(), 40_000
    t, x = np.arange(count) * DT, np.zeros(count * len(stage.inputs))
    rows(kernel, count, len(stage.inputs), len(stage.outputs), t, x, np.empty(count * len(stage.outputs)))
    R = np.diag(stage.deviations**2)
    before = solve_discrete_are(stage.A.T, stage.H.T, stage.Q, R)
    gain = before @ stage.H.T @ np.linalg.inv(stage.H @ before @ stage.H.T + R)
    after = before - gain @ stage.H @ before
    P = covariance(kernel, stage)
    size = np.sqrt(np.outer(np.diag(after), np.diag(after)))
    assert np.abs((P - after) / size).max() < 1e-6
    assert np.abs((stage.covariance - after) / size).max() < 1e-7
    assert stage.gain == pytest.approx(gain, rel=1e-7)
    assert list(stage.errors.values()) == pytest.approx(np.sqrt(np.diag(after)))


@pytest.mark.parametrize("name", made())
def test_settled_filters_with_both_gains_agree(name):
    one, other = made()[name], made(steady=True)[name]
    x = 1e-4 * np.random.default_rng(2).normal(size=(30_000, len(one.inputs)))
    t = np.arange(len(x)) * DT
    y, z = one.apply(t, x), other.apply(t, x)
    assert np.abs(y - z)[-50:].max() < 1e-5 * np.abs(y[-5000:]).max()


def simulated(stage, random, count):
    """Truth and samples that are just what the filter believes."""
    nz, n = stage.H.shape
    x = stage.start * random.normal(size=n)
    root = np.linalg.cholesky(stage.Q + 1e-30 * np.eye(n))
    truth, samples = np.empty((count, n)), np.empty((count, nz))
    for k in range(count):
        x = stage.A @ x + root @ random.normal(size=n) if k else x
        truth[k] = x
        samples[k] = stage.H @ x + stage.deviations * random.normal(size=nz)
    return truth, samples


@pytest.mark.parametrize("name", MOTIONS)
def test_errors_are_as_large_as_the_filter_says(name):
    """Squared errors in units of the covariance are chi-square with as many degrees as states."""
    stage, count, runs = made()[name], 200, 100
    random, t = np.random.default_rng(11), np.arange(count) * DT
    ask, found = (3, 10, 50, 199), np.zeros(4)
    covariances = {}
    kernel = stage.kernel()
    for k in range(count):
        kernel(t[k : k + 1].copy(), np.zeros(len(stage.inputs)), np.zeros(len(stage.outputs)))
        covariances[k] = covariance(kernel, stage).copy()
    for _ in range(runs):
        truth, samples = simulated(stage, random, count)
        error = stage.apply(t, samples) - truth
        found += [error[k] @ np.linalg.solve(covariances[k], error[k]) for k in ask]
    low, high = chi2.ppf([1e-4, 1 - 1e-4], runs * len(stage.states))
    assert (low < found).all() and (found < high).all()


@pytest.mark.parametrize("name", made())
def test_native_and_python_give_the_same_bits(name):
    random = np.random.default_rng(8)
    for stage in (made()[name], made(steady=True)[name]):
        width = len(stage.inputs), len(stage.outputs)
        x = random.normal(size=(60, width[0]))
        x[random.random(x.shape) < 0.2] = np.nan
        x[:2] = np.nan
        t = np.arange(60) * DT
        t[30:] += 3 * DT
        y, z = np.empty(60 * width[1]), np.empty(60 * width[1])
        rows(stage.kernel(), 60, *width, t, x.ravel(), y)
        rows.python(stage.kernel(), 60, *width, t, x.ravel(), z)
        assert y.tobytes() == z.tobytes()


@pytest.mark.parametrize("name", MOTIONS)
def test_stated_delays_on_a_slow_sine(name):
    stage, w = made(steady=True)[name], 2 * np.pi
    t = np.arange(12_000) * DT
    truth = [np.sin, lambda x: w * np.cos(x), lambda x: -w * w * np.sin(x)]
    samples = np.column_stack([truth[k](w * t) for k in range(len(stage.inputs))])
    y = stage.apply(t, samples)[4000:]
    for k, name in enumerate(stage.outputs):
        # the shift by which the truth fits: its first order in the shift is exact enough
        wanted = truth[k](w * t[4000:])
        slope = np.gradient(wanted, DT)
        late = -((y[:, k] - wanted) @ slope) / (slope @ slope)
        assert late == pytest.approx(stage.delays[name], rel=0.05, abs=2e-6)


@pytest.mark.parametrize("name", made())
def test_stated_noise_gains(name):
    stage, random = made(steady=True)[name], np.random.default_rng(4)
    t = np.arange(200_000) * DT
    for k in range(len(stage.inputs)):
        x = np.zeros((len(t), len(stage.inputs)))
        x[:, k] = random.normal(size=len(t))
        found = stage.apply(t, x)[20_000:].std(axis=0)
        assert found == pytest.approx(stage.noise_gain[:, k], rel=0.1)
    h = stage.response()
    assert np.sqrt(np.sum(h * h, axis=0)) == pytest.approx(stage.noise_gain, rel=1e-6)


def test_noise_of_integrators_is_that_of_many_small_steps():
    whole_A, whole_Q = integrators(3, 0.1, 2.0)
    A, Q = integrators(3, 0.1 / 50, 2.0)
    P, transition = np.zeros((3, 3)), np.eye(3)
    for _ in range(50):
        P, transition = A @ P @ A.T + Q, A @ transition
    assert whole_Q == pytest.approx(P) and whole_A == pytest.approx(transition)


def test_dropouts_of_each_sensor():
    """Any sensor may be lost for a while; errors grow as the covariance says and come back."""
    stage = haptics.motion_filter(DT, position=1e-5, velocity=4e-3, jerk=50.0)
    random, t = np.random.default_rng(6), np.arange(4000) * DT
    x, v = 1e-3 * np.sin(20 * t), 0.02 * np.cos(20 * t)
    z = np.column_stack([x + 1e-5 * random.normal(size=4000), v + 4e-3 * random.normal(size=4000)])
    z[1000:1100, 0] = np.nan  # position lost
    z[2000:2100, 1] = np.nan  # velocity lost
    z[3000:3020] = np.nan  # both
    y = stage.apply(t, z)
    assert np.isfinite(y).all()
    assert np.abs(y[200:, 0] - x[200:]).max() < 2e-4
    assert np.abs(y[200:, 1] - v[200:]).max() < 0.03
    skipped = np.r_[0:3000, 3020:4000]  # ticks left out are samples missing
    assert stage.apply(t[skipped], z[skipped]).tobytes() == y[skipped].tobytes()


def test_a_filter_shows_nothing_before_its_first_measurement():
    for steady, wanted in ((False, [True, False, False]), (True, [True, True, False])):
        stage = haptics.motion_filter(DT, position=1e-5, velocity=1e-2, acceleration=1.0, steady=steady)
        z = [[np.nan, np.inf], [np.nan, 1.0], [0.5, 1.0]]
        y = stage.apply(np.arange(3) * DT, z)
        assert np.isnan(y[:, 0]).tolist() == wanted
        assert y[2] == pytest.approx([0.5, 1.0], abs=1e-3)


def test_an_imu_shows_its_bias():
    stage = haptics.inertial_filter(DT, position=1e-5, acceleration=0.05, bias=0.5, drift=0.01)
    random, t = np.random.default_rng(9), np.arange(20_000) * DT
    x = 5e-3 * np.sin(15 * t)
    z = np.column_stack([x, -225 * x + 0.3]) + random.normal(size=(20_000, 2)) * [1e-5, 1.0]
    y = stage.apply(t, z)
    assert y[-1, 2] == pytest.approx(0.3, abs=5 * stage.errors["bias"])
    error = y[10_000:, 1] - 15 * 5e-3 * np.cos(15 * t[10_000:])
    assert np.sqrt(np.mean(error**2)) < 1.5 * stage.errors["velocity"]


# the seed's tilting vehicle -------------------------------------------------------------------


def leaning(random, count, bias=0.04, potentiometer=True):
    """(t, lean, samples): a vehicle that leans to and fro, its IMU and its potentiometer."""
    t = np.arange(count) * 0.01
    lean, rate = 0.4 * np.sin(0.8 * t), 0.32 * np.cos(0.8 * t)
    columns = [
        9.81 * np.sin(lean) + 0.3 * random.normal(size=count),
        9.81 * np.cos(lean) + 0.3 * random.normal(size=count),
    ]
    if potentiometer:
        columns.append(lean + 0.02 * random.normal(size=count))
    columns.append(rate + bias + 0.03 * random.normal(size=count))
    return t, lean, rate, np.column_stack(columns)


@pytest.mark.parametrize("potentiometer", [None, 0.02])
def test_the_lean_of_a_vehicle(potentiometer):
    stage = haptics.lean_filter(0.01, accelerometer=0.3, gyro=0.003, drift=1e-3, potentiometer=potentiometer)
    random = np.random.default_rng(1)
    t, lean, rate, samples = leaning(random, 6000, potentiometer=potentiometer is not None)
    y = stage.apply(t, samples)[1000:]
    error = np.sqrt(np.mean((y - np.column_stack([lean, rate, 0 * t + 0.04])[1000:]) ** 2, axis=0))
    filter_ = stage.stages[-1]
    assert error[0] == pytest.approx(filter_.errors["lean"], rel=0.2)
    assert error[0] < 0.3 * (0.02 if potentiometer else 0.3 / 9.81)
    assert error[2] < 2 * filter_.errors["bias"]
    assert abs(stage.delays["lean"]) < 1e-6 and abs(stage.delays["rate"]) < 1e-4
    assert stage.outputs == ("lean", "rate", "bias")
    # a level vehicle at rest: noise of every sensor as the chain carries it
    level = np.tile([0.0, 9.81] + [0.0] * (len(stage.inputs) - 2), (40_000, 1))
    steady = haptics.Filters(haptics.Inclination(*stage.stages[-1].inputs[1:]), stage.stages[-1])
    noise = np.zeros_like(level)
    noise[:, 0] = 0.05 * random.normal(size=len(level))
    shown = steady.apply(np.arange(len(level)) * 0.01, level + noise)[10_000:, 0].std()
    assert shown == pytest.approx(0.05 * stage.noise_gain[0, 0], rel=0.15)
    width = len(stage.inputs)
    z, w = np.empty(300), np.empty(300)
    rows(stage.kernel(), 100, width, 3, t[:100].copy(), samples[:100].ravel(), z)
    rows.python(stage.kernel(), 100, width, 3, t[:100].copy(), samples[:100].ravel(), w)
    assert z.tobytes() == w.tobytes()


def test_a_curve_is_not_taken_for_a_lean():
    """Sideways acceleration in a curve is no gravity: it is left out, and the gyroscope carries."""
    random = np.random.default_rng(2)
    t, lean, _, samples = leaning(random, 3000, bias=0.0, potentiometer=False)
    curve = (t > 20) & (t < 22)
    samples[curve, 0] -= 8.0  # to the side of the lean: the size cannot be that of gravity
    both = {
        trust: haptics.lean_filter(0.01, accelerometer=0.3, gyro=0.003, drift=1e-3, trust=trust).apply(
            t, samples
        )
        for trust in (0.1, 10.0)
    }
    worst = {trust: np.abs(y[2000:, 0] - lean[2000:]).max() for trust, y in both.items()}
    assert worst[0.1] < 0.05 < 0.1 < worst[10.0]


def test_the_angle_of_two_numbers():
    random = np.random.default_rng(0)
    for y, x in [*random.normal(size=(300, 2)), (0, 1), (0, -1), (1, 0), (-1, 0), (1e-300, 1)]:
        wanted = np.arctan2(float(y), float(x))
        found = arctangent(float(y), float(x))
        assert abs(found - wanted) <= 4 * np.spacing(abs(wanted))
        assert found == arctangent.python(float(y), float(x))
    assert arctangent(0.0, 0.0) == arctangent.python(0.0, 0.0) == 0.0


# the record of a key --------------------------------------------------------------------------


def record():
    names = ("t", "position", "velocity", "acceleration", "counts", "front", "rear", "coil")
    table = dict(zip(names, np.loadtxt(RECORD, delimiter=",").T, strict=True))
    position = haptics.Encoder(20e-6, offset=1e-3).read(table["counts"])
    return table, position, haptics.Coil(14.0, offset=0.02).read(table["coil"])


def error_and_delay(table, y):
    """RMS error of a velocity, and the shift of the truth that fits it best."""
    t, v = table["t"][400:], table["velocity"]
    shifts = np.linspace(-0.001, 0.003, 401)
    errors = [np.mean((y[400:] - np.interp(t - s, table["t"], v)) ** 2) for s in shifts]
    return np.sqrt(np.mean((y[400:] - v[400:]) ** 2)), shifts[int(np.argmin(errors))]


def test_a_kalman_filter_halves_the_error_of_differentiation_at_equal_delay():
    """From the same encoder alone; the delay of both is measured on the record."""
    table, position, _ = record()
    stage = haptics.motion_filter(DT, position=8.3e-6, jerk=50.0)
    error, late = error_and_delay(table, stage.apply(table["t"], position)[:, 1])
    rivals = {}
    for span in range(1, 25):
        y = haptics.FiniteDifference(DT, span).apply(table["t"], position)
        rivals[span] = error_and_delay(table, y)
    # even with half a millisecond more, differentiation is twice as wrong
    equal = [e for e, s in rivals.values() if s <= late + 3e-4]
    assert len(equal) >= 2 and error <= 0.5 * min(equal)


def test_a_coil_beside_the_encoder_halves_the_error_of_every_differentiator():
    table, position, velocity = record()
    stage = haptics.motion_filter(DT, position=8.3e-6, velocity=0.05 / 14, jerk=50.0)
    y = stage.apply(table["t"], np.column_stack([position, velocity]))[:, 1]
    error, late = error_and_delay(table, y)
    rivals = [haptics.FiniteDifference(DT, k) for k in range(1, 25)]
    rivals += [haptics.SavitzkyGolay(DT, k) for k in range(3, 40, 2)]
    rivals += [haptics.SavitzkyGolay(DT, k, degree=2, ago=0) for k in range(5, 60, 2)]
    rivals += [haptics.AdaptiveWindow(DT, 2e-5, 24, fit=fit) for fit in ("end", "best")]
    least = min(error_and_delay(table, r.apply(table["t"], position))[0] for r in rivals)
    assert late < 1e-4 and error <= 0.5 * least  # whatever their delay
    assert error < 0.6 * error_and_delay(table, velocity)[0]  # nor is it the coil alone


def test_the_record_says_that_it_is_synthetic():
    assert RECORD.read_text().startswith("# synthetic: a made-up key motion")


# what is refused ------------------------------------------------------------------------------

GOOD = {
    "period": DT,
    "states": ("x", "v"),
    "A": [[1, DT], [0, 1]],
    "Q": np.eye(2),
    "H": {"x": ({"x": 1.0}, 1e-3)},
}


@pytest.mark.parametrize(
    "change, told",
    [
        ({"A": np.eye(3)}, "A has shape (3, 3)"),
        ({"A": [[np.nan, 0], [0, 1]]}, "finite numbers"),
        ({"Q": [[1, 2], [2, 1]]}, "Q is no covariance"),
        ({"Q": [[1, 2], [0, 9]]}, "Q is no covariance"),
        ({"H": {"x": ({"y": 1.0}, 1e-3)}}, 'there is no "y"'),
        ({"H": {"x": ({"x": 1.0}, 0.0)}}, "the noise of x must be positive"),
        ({"H": {}}, "a filter needs a measurement"),
        ({"spread": {"x": -1.0}}, "the spread of x must be positive"),
        ({"spread": {"X": 1.0}}, 'there is no state "X" (did you mean "x"?)'),
        ({"outputs": {"a": {"vv": 1.0}}}, 'there is no "vv" (did you mean "v"?)'),
        ({"period": -1.0}, "the period must be positive"),
    ],
)
def test_what_a_filter_refuses(change, told):
    with pytest.raises(ModelError) as error:
        haptics.Kalman(**(GOOD | change))
    assert told in str(error.value)


def test_a_state_that_nothing_shows_is_refused():
    with pytest.raises(SolveError, match="does not settle"):
        haptics.Kalman(**(GOOD | {"H": {"v": ({"v": 1.0}, 1e-3)}}))


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: haptics.motion_filter(DT, position=1e-5), "acceleration=... or jerk=..."),
        (lambda: haptics.motion_filter(DT, position=1e-5, jerk=1, acceleration=1), "or jerk"),
        (lambda: haptics.motion_filter(DT, position=0.0, jerk=1), "the noise of position"),
        (lambda: haptics.motion_filter(DT, position=1.0, velocity=-1, jerk=1), "of velocity"),
        (lambda: haptics.inertial_filter(DT, position=1.0, acceleration=0.0), "of acceleration"),
        (lambda: haptics.inertial_filter(DT, position=1.0, acceleration=1, bias=1), "drift"),
        (lambda: haptics.lean_filter(DT, accelerometer=0, gyro=1, drift=1), "accelerometer"),
        (lambda: haptics.lean_filter(DT, accelerometer=1, gyro=1, drift=1, trust=0), "trust"),
    ],
)
def test_what_motions_refuse(make, told):
    with pytest.raises(ModelError) as error:
        make()
    assert told in str(error.value)


def test_a_filter_of_ones_own_tells_delays_only_where_orders_are_known():
    assert np.isnan(haptics.Kalman(**GOOD).delay)
    known = haptics.Kalman(**GOOD, orders={"x": 0, "v": 1})
    assert abs(known.delays["x"]) < known.delays["v"] == known.delay


def test_inputs_carry_the_motion_exactly_where_they_are_straight():
    """Measurements that hardly count: velocity is the integral of the acceleration, and a constant
    acceleration leaves nothing to correct."""
    t = np.arange(2000) * DT
    blind = haptics.inertial_filter(DT, position=1e3, acceleration=0.05, steady=True)
    y = blind.apply(t, np.column_stack([t**3 / 6, t]))
    assert y[:, 1] == pytest.approx(t**2 / 2, abs=1e-8)
    seeing = haptics.inertial_filter(DT, position=1e-5, acceleration=0.05, steady=True)
    y = seeing.apply(t, np.column_stack([t**2 / 2, np.ones(2000)]))
    assert np.abs(y - np.column_stack([t**2 / 2, t])).max() < 1e-12


def test_an_input_that_is_lost_stays_what_it_was():
    t = np.arange(400) * DT
    z = np.column_stack([t**2 / 2, np.ones(400)])
    z[100:130, 1] = np.nan
    for steady in (True, False):
        stage = haptics.inertial_filter(DT, position=1e-5, acceleration=0.05, steady=steady)
        assert np.abs(stage.apply(t, z) - np.column_stack([t**2 / 2, t]))[50:].max() < 1e-6
