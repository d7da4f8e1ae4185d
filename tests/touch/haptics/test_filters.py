"""Filters: the delays and noise gains they state, ramps, gaps, and the same bits everywhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.touch import haptics
from hapsis.touch.haptics.conditioning.conversions import Affine
from hapsis.touch.haptics.conditioning.gaps import FILLED
from hapsis.touch.haptics.conditioning.stage import rows

DT = 1e-3
SMOOTHERS = {
    "first": haptics.LowPass(DT, 20.0),
    "second": haptics.LowPass(DT, 30.0, order=2),
    "damped": haptics.LowPass(DT, 30.0, order=2, damping=1.5),
    "mean": haptics.SavitzkyGolay(DT, 15, degree=1, derivative=0),
    "window": haptics.Window(DT, [0.5, 0.3, 0.2]),
    "lead": haptics.Lead(DT, 0.02, 0.005),
    "two": haptics.Filters(haptics.LowPass(DT, 20.0), haptics.LowPass(DT, 40.0, order=2)),
}
DIFFERENTIATORS = {
    "difference": haptics.FiniteDifference(DT),
    "span": haptics.FiniteDifference(DT, 12),
    "line": haptics.SavitzkyGolay(DT, 21),
    "cubic": haptics.SavitzkyGolay(DT, 21, degree=3),
    "end fit": haptics.AdaptiveWindow(DT, 1e-3, 14),
    "best fit": haptics.AdaptiveWindow(DT, 1e-3, 14, fit="best"),
    "chain": haptics.Filters(haptics.FiniteDifference(DT, 4), haptics.LowPass(DT, 25.0)),
}
ALL = SMOOTHERS | DIFFERENTIATORS


def late(y, truth, t):
    """By how many seconds y comes after a truth that is a function: where they agree best."""
    wide = np.linspace(-0.06, 0.06, 241)
    for _ in range(4):
        errors = [np.sum((y - truth(t - s)) ** 2) for s in wide]
        best, step = wide[int(np.argmin(errors))], wide[1] - wide[0]
        wide = np.linspace(best - step, best + step, 41)
    return best


@pytest.mark.parametrize("name", SMOOTHERS)
def test_stated_delay_on_a_ramp(name):
    t = np.arange(1500) * DT
    stage = SMOOTHERS[name]
    y = stage.apply(t, 3.0 * t - 1.0)
    assert t[-1] - (y[-1] + 1.0) / 3.0 == pytest.approx(stage.delay, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_stated_delay_on_a_sine(name):
    t, w = np.arange(4000) * DT, 2 * np.pi * 0.5
    stage, size = ALL[name], 1e-3 if "fit" in name else 1.0
    y = stage.apply(t, size * np.sin(w * t))[1000:]
    gain = w if name in DIFFERENTIATORS else 1.0
    truth = np.cos if name in DIFFERENTIATORS else np.sin
    measured = late(y, lambda s: size * gain * truth(w * s), t[1000:])
    assert measured == pytest.approx(stage.delay, rel=0.05)


@pytest.mark.parametrize("name", DIFFERENTIATORS)
def test_a_parabola_shows_the_delay_of_its_velocity(name):
    t = np.arange(1500) * DT
    stage, a = DIFFERENTIATORS[name], 0.01
    v = stage.apply(t, a * t**2 / 2)
    assert (a * t[-1] - v[-1]) / a == pytest.approx(stage.delay, rel=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_stated_noise_gain(name):
    noise = np.random.default_rng(7).normal(size=100_000)
    size = 1e-7 if "fit" in name else 1.0
    y = ALL[name].apply(np.arange(len(noise)) * DT, size * noise)[2000:]
    assert y.std() / size == pytest.approx(ALL[name].noise_gain, rel=0.03)


@pytest.mark.parametrize("name", ALL)
def test_native_and_python_give_the_same_bits(name):
    random, stage = np.random.default_rng(3), ALL[name]
    t, x = np.arange(120) * DT, random.normal(size=120)
    x[random.random(120) < 0.1] = np.nan
    x[:2] = np.nan, np.inf
    t[60:] += 5 * DT
    t[80:] += 2 * FILLED * DT
    assert stage.apply(t, x).tobytes() == both_ways(stage, t, x)[0].tobytes()
    t[90], t[100:] = np.nan, 0.0
    y, z = both_ways(stage, t, x)
    assert y.tobytes() == z.tobytes() and np.isfinite(y[2:]).sum() > 80


def both_ways(stage, t, x):
    """By machine code and by the interpreter."""
    y, z = np.empty(len(t)), np.empty(len(t))
    rows(stage.kernel(), len(t), 1, 1, t, x, y)
    rows.python(stage.kernel(), len(t), 1, 1, t, x, z)
    return y, z


def test_a_kernel_called_tick_by_tick_gives_what_apply_gives():
    stage, x = ALL["chain"], np.random.default_rng(1).normal(size=50)
    kernel, made, now = stage.kernel(), [], np.zeros(1)
    for k in range(50):
        now[0], result = k * DT, np.zeros(1)
        kernel(now, x[k : k + 1].copy(), result)
        made.append(result[0])
    assert np.array(made).tobytes() == stage.apply(np.arange(50) * DT, x).tobytes()


def test_axes_do_not_touch_each_other():
    stage, x = ALL["chain"], np.random.default_rng(1).normal(size=(80, 3))
    t, y = np.arange(80) * DT, np.empty((80, 3))
    rows(stage.kernel(axes=3), 80, 3, 3, t, x.ravel(), y.reshape(-1))
    for axis in range(3):
        assert y[:, axis].tobytes() == stage.apply(t, x[:, axis]).tobytes()


def test_two_kernels_of_a_stage_have_their_own_memory():
    one, two = ALL["first"].kernel(), ALL["first"].kernel()
    y, now = np.zeros(1), np.zeros(1)
    one(now, np.ones(1), y)
    two(now, np.full(1, 5.0), y)
    now[0] = DT
    one(now, np.ones(1), y)
    assert y[0] == 1.0


@settings(max_examples=40, deadline=None)
@given(st.floats(-10, 10), st.floats(-100, 100), st.integers(1, 40), st.sampled_from(["end", "best"]))
def test_adaptive_windows_are_exact_on_ramps(slope, start, longest, fit):
    stage = haptics.AdaptiveWindow(DT, 1e-6, longest, fit=fit)
    t = np.arange(100) * DT
    v = stage.apply(t, start + slope * t)
    assert v[0] == 0.0
    assert np.abs(v[longest:] - slope).max() < 1e-9 * (1 + abs(start)) / DT * 1e-3


def test_adaptive_windows_bound_the_error_of_a_quantised_ramp():
    """Ends are off by half a step each, so the longest window fits and is off by a step over it."""
    step, longest, t = 1e-4, 20, np.arange(3000) * DT
    for slope in (0.003, 0.02713, 0.20317, -0.11329):
        x = step * np.floor(slope * t / step + 0.5)
        v = haptics.AdaptiveWindow(DT, step * 1.0001, longest).apply(t, x)[longest:]
        assert np.abs(v - slope).max() <= step / (longest * DT) * (1 + 1e-9)


def test_adaptive_windows_become_short_where_the_motion_turns():
    t = np.arange(400) * DT
    x = np.where(t < 0.2, 0.0, t - 0.2)
    adaptive = haptics.AdaptiveWindow(DT, 1e-6, 50).apply(t, x)
    fixed = haptics.FiniteDifference(DT, 50).apply(t, x)
    assert adaptive[203] == pytest.approx(1.0, abs=1e-6) and fixed[203] < 0.1


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_savitzky_golay_is_exact_on_polynomials(degree):
    t = np.arange(60) * DT
    u = t / t[-1]
    p = np.polynomial.Polynomial(np.random.default_rng(degree).normal(size=degree + 1))
    for ago in (0, 4, 10):
        v = haptics.SavitzkyGolay(DT, 21, degree, ago=ago).apply(t, p(u))
        x = haptics.SavitzkyGolay(DT, 21, degree, derivative=0, ago=ago).apply(t, p(u))
        there = (t - ago * DT) / t[-1]
        assert v[21:] == pytest.approx(p.deriv()(there)[21:] / t[-1], abs=1e-6)
        assert x[21:] == pytest.approx(p(there)[21:], abs=1e-9)


@pytest.mark.parametrize("name", DIFFERENTIATORS)
def test_a_ramp_with_dropouts_is_still_a_ramp(name):
    t = np.arange(600) * DT
    x = 2.0 * t + 0.5
    x[np.random.default_rng(5).random(600) < 0.3] = np.nan
    v = DIFFERENTIATORS[name].apply(t, x)
    settled = 300
    assert np.abs(v[settled:] - 2.0).max() < 1e-9


def test_periods_left_out_are_filled():
    """The loop has skipped ticks: time jumps, samples are fewer."""
    t = np.delete(np.arange(600) * DT, [100, 101, 250, *range(300, 340)])
    for stage in (*DIFFERENTIATORS.values(), ALL["first"]):
        y = stage.apply(t, 2.0 * t)
        wanted = 2.0 * (t - stage.delay) if stage is ALL["first"] else np.full(len(t), 2.0)
        assert np.abs(y[400:] - wanted[400:]).max() < 1e-6
    v = DIFFERENTIATORS["span"].apply(t, 2.0 * t)
    assert np.abs(v[20:] - 2.0).max() < 1e-9


def test_after_a_long_gap_a_filter_starts_anew():
    stage = haptics.FiniteDifference(DT, 3)
    for gap, wanted in ((FILLED, 1.0), (FILLED + 1, 0.0)):
        t = np.array([0.0, DT, 2 * DT, (2 + gap) * DT])
        v = stage.apply(t, np.array([0.0, 0.0, 0.0, gap * DT]))
        assert v[-1] == pytest.approx(wanted, abs=1e-9)


def test_nothing_is_shown_before_the_first_sample_and_the_last_value_in_a_gap():
    x = np.array([np.nan, np.inf, 1.0, np.nan, np.nan])
    y = haptics.LowPass(DT, 10.0).apply(np.arange(5) * DT, x)
    assert np.isnan(y[:2]).all() and (y[2:] == 1.0).all()


@pytest.mark.parametrize("t", [np.zeros(50), -np.arange(50.0), np.arange(50) * DT * 0.2])
def test_time_that_does_not_go_on_counts_ticks(t):
    stage, x = ALL["first"], np.random.default_rng(2).normal(size=50)
    y, wanted = stage.apply(t, x), stage.apply(np.arange(50) * DT, x)
    assert y.tobytes() == wanted.tobytes()


def test_a_time_that_is_not_finite_in_the_loop_is_one_tick():
    kernel, y = ALL["first"].kernel(), np.zeros(1)
    for now in (0.0, np.nan, np.inf, 3 * DT):
        kernel(np.array([now]), np.ones(1), y)
        assert y[0] == 1.0


def test_constants_stay_to_the_last_bit():
    t = np.arange(200) * DT
    for name, stage in DIFFERENTIATORS.items():
        assert (stage.apply(t, np.full(200, 1e6 + 0.1)) == 0.0).all(), name


def test_chains_add_delays_and_convolve_noise():
    low, difference = haptics.LowPass(DT, 20.0), haptics.FiniteDifference(DT, 4)
    chain = haptics.Filters(difference, low)
    assert chain.delay == difference.delay + low.delay and chain.period == DT
    assert chain.inputs == ("position",) and chain.outputs == ("signal",)
    assert chain.noise_gain < difference.noise_gain * low.noise_gain
    t, x = np.arange(300) * DT, np.random.default_rng(4).normal(size=300)
    assert chain.apply(t, x).tobytes() == low.apply(t, difference.apply(t, x)).tobytes()
    nested = haptics.Filters(haptics.Filters(difference), haptics.Filters(low))
    assert nested.stages == chain.stages
    assert "delay 9.96 ms" in repr(chain)


def test_memoryless_stages_in_chains():
    swap = Affine([[0.0, 2.0], [1.0, 0.0]], [1.0, 0.0], ("a", "b"), ("c", "d"))
    both = haptics.Filters(swap, swap)
    y = both.apply([0.0, 1.0], [[1.0, 2.0], [np.nan, 0.0]])
    assert y[0].tolist() == [3.0, 5.0] and np.isnan(y[1]).tolist() == [True, False]
    assert both.period is None and both.delay == 0.0
    assert both.noise_gain == pytest.approx(np.array([[2.0, 0.0], [0.0, 2.0]]))


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: haptics.LowPass(0.0, 10), "the period must be positive"),
        (lambda: haptics.LowPass(np.nan, 10), "the period must be finite"),
        (lambda: haptics.LowPass("1", 10), "the period must be a number"),
        (lambda: haptics.LowPass(DT, -1), "the frequency must be positive"),
        (lambda: haptics.LowPass(DT, 10, order=3), "order 1 or 2"),
        (lambda: haptics.LowPass(DT, 10, order=2, damping=0), "the damping must be positive"),
        (lambda: haptics.Lead(DT, 0.1, 0.0), "the time within must be positive"),
        (lambda: haptics.Lead(DT, 0.1, 0.1, gain=0.0), "the gain must not be zero"),
        (lambda: haptics.FiniteDifference(DT, 0), "the span must be a whole number from 1 on"),
        (lambda: haptics.FiniteDifference(DT, True), "the span must be a whole number"),
        (lambda: haptics.FiniteDifference(DT, 5000), "1 to 4096"),
        (lambda: haptics.SavitzkyGolay(DT, 2, degree=2), "the window must be a whole number"),
        (lambda: haptics.SavitzkyGolay(DT, 5000), "at most 4096"),
        (lambda: haptics.SavitzkyGolay(DT, 5, derivative=2), "0 or 1"),
        (lambda: haptics.SavitzkyGolay(DT, 5, degree=0), "the degree must be a whole number"),
        (lambda: haptics.Window(DT, []), "1 to 4096"),
        (lambda: haptics.Window(DT, [1.0, np.inf]), "a weight is not finite"),
        (lambda: haptics.Window(DT, [1.0, -1.0]), "cancel a slow signal"),
        (lambda: haptics.Window(DT, "ab"), "the weights must be numbers"),
        (lambda: haptics.AdaptiveWindow(DT, 0.0), "the band must be positive"),
        (lambda: haptics.AdaptiveWindow(DT, 1, longest=4096), "less than 4096"),
        (lambda: haptics.AdaptiveWindow(DT, 1, fit="bset"), 'did you mean "best"'),
        (lambda: haptics.Filters(), "at least one filter or sensor"),
        (lambda: haptics.Filters(3), "Filters takes filters and sensors, not a int"),
        (lambda: haptics.Filters(ALL["first"], haptics.LowPass(2 * DT, 1)), "different periods"),
        (lambda: haptics.Filters(ALL["first"], haptics.HallPair(1.0)), "takes front, rear"),
        (lambda: ALL["first"].kernel(axes=0), "axes must be a whole number from 1 on"),
        (lambda: ALL["first"].apply([0.0], [1.0, 2.0]), "1 columns (signal)"),
        (lambda: ALL["first"].apply([np.nan], [1.0]), "a time is not finite"),
        (lambda: ALL["first"].apply([0.0], ["x"]), "the samples must be numbers"),
        (lambda: Affine([[1.0]], [1.0, 2.0], ("a",), ("b",)), "expected (1, 1)"),
        (lambda: Affine([[np.nan]], [1.0], ("a",), ("b",)), "not finite"),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises(ModelError) as error:
        make()
    assert told in str(error.value) and "\n" not in str(error.value)


def longest_line(x, longest, band, fit):
    """The slope per sample of the longest line that fits, by the book."""
    found = 0.0
    for n in range(1, min(longest, len(x) - 1) + 1):
        last, k = x[-n - 1 :], np.arange(n + 1)
        line = np.polyfit(k, last, 1) if fit == "best" else ((last[-1] - last[0]) / n, last[0])
        if n > 1 and np.abs(np.polyval(line, k) - last).max() > band:
            break
        found = line[0]
    return found


@pytest.mark.parametrize("fit", ["end", "best"])
def test_adaptive_windows_are_those_of_the_book(fit):
    random = np.random.default_rng(12)
    x = np.cumsum(np.cumsum(random.normal(size=300))) * 0.02 + 0.3 * random.normal(size=300)
    v = haptics.AdaptiveWindow(DT, 0.5, 12, fit=fit).apply(np.arange(300) * DT, x)
    wanted = [longest_line(x[: k + 1], 12, 0.5, fit) / DT for k in range(300)]
    assert v == pytest.approx(wanted, rel=1e-8, abs=1e-8)


def test_the_old_name_of_filters_is_kept_with_a_notice():
    with pytest.warns(hs.Notice, match=r"hs\.haptics\.Chain is now hs\.haptics\.Filters"):
        assert haptics.Chain is haptics.Filters
    with pytest.raises(AttributeError, match=r'has no attribute .*did you mean "Filters"'):
        _ = haptics.Filtres


def test_ticks_at_one_time_count_and_leave_no_gap_behind():
    stage, x = DIFFERENTIATORS["span"], np.random.default_rng(2).normal(size=40)
    t = np.arange(40) * DT
    stood = np.where(t < 9.5 * DT, 0.0, t)
    assert stage.apply(stood, x).tobytes() == stage.apply(t, x).tobytes()


@pytest.mark.parametrize("between", [(), (haptics.LowPass(DT, 20.0),)])
def test_a_velocity_is_not_taken_for_a_position(between):
    """Also behind a filter that takes any signal."""
    with pytest.raises(ModelError, match="gives velocity, but FiniteDifference takes position"):
        haptics.Filters(haptics.FiniteDifference(DT), *between, haptics.FiniteDifference(DT))
