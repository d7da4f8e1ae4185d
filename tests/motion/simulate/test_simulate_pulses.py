"""What is given as a function of time acts, however short it is: laws against exact momentum."""

import math

import numpy as np
import pytest
from samples import sample

import hapsis as hs

UNTIL = 10.0


def block(*facts):
    return hs.Model(
        hs.Body("b", mass=1.0), hs.Prismatic("x", hs.WORLD, "b", axis="x"), *facts, gravity=(0, 0, 0)
    )


# shapes of height 1 around t = at, each with its integral from -∞ to z widths behind `at`


def window(u):
    return hs.where(hs.maximum(-0.5 - u, u - 0.5) < 0, 1.0, 0.0)


def triangle(u):
    return hs.maximum(0.0, 1.0 - abs(u))


def gauss(u):
    return hs.exp(-u * u)


def raised_cosine(u):
    return hs.where(abs(u) < 1.0, 0.5 * (1.0 + hs.cos(math.pi * u)), 0.0)


def edges(u):
    return 0.5 * (hs.tanh(20.0 * (u + 0.5)) - hs.tanh(20.0 * (u - 0.5)))


def lorentz(u):
    return 1.0 / (1.0 + u * u) ** 2


def half_sine(u):
    return hs.where((u > 0.0) * (u < 1.0), hs.sin(math.pi * u), 0.0)


def product(u):
    return hs.minimum(1.0, hs.maximum(0.0, 1.0 - u)) * hs.where(u < 0.0, 0.0, 1.0)


PULSES = {
    window: 1.0,
    triangle: 1.0,
    gauss: math.sqrt(math.pi),
    raised_cosine: 1.0,
    edges: 1.0,
    lorentz: math.pi / 2,
    half_sine: 2.0 / math.pi,
    product: 0.5,
}


def inside_run(shape, at, width):
    """The part of the integral of a pulse that lies within the run; the tails of one are long."""
    if shape is not lorentz:
        return 1.0
    ends = np.array([-at, UNTIL - at]) / width
    return float(np.diff(ends / (1.0 + ends * ends) + np.arctan(ends))[0]) / math.pi


def pulse_law(shape):
    def law(s, at=5.0, width=0.1, height=1.0):
        return {"x": height * shape((s.t - at) / width)}

    return law


@pytest.mark.parametrize("shape", PULSES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("method", ["auto", "order5", "stiff"])
def test_a_pulse_of_any_width_has_its_momentum(shape, method):
    """Widths from 1e-6 to 1e-2 of the run, at any time, of any height: m v is its integral."""
    model, draw = block(hs.Controller("c", pulse_law(shape))), np.random.default_rng(len(shape.__name__))
    for _ in range(sample(2, 100)):
        width = UNTIL * 10.0 ** draw.uniform(-6, -2)
        room = 8.0 * width
        at, momentum = draw.uniform(room, UNTIL - room), draw.choice([-1, 1]) * 10.0 ** draw.uniform(-3, 3)
        given = {"c.at": at, "c.width": width, "c.height": momentum / (width * PULSES[shape])}
        result = hs.simulate(model, until=UNTIL, method=method, parameters=given, every=1.0)
        assert result.success and not result.warnings
        wanted = momentum * inside_run(shape, at, width)
        assert result["x.v"][-1] == pytest.approx(wanted, rel=3e-8), (at, width)


@pytest.mark.parametrize("fact", ["input", "wrench", "force", "drive"])
@pytest.mark.parametrize("shape", [window, gauss])
def test_wherever_it_is_given(fact, shape):
    """Inputs, wrenches, laws of joints and drives see the same pulse."""
    at, width = 7.123, 2e-5

    def pulse(t):
        return shape((t - at) / width) / (width * PULSES[shape])

    options = {}
    if fact == "input":
        model, options = block(), {"inputs": {"x": pulse}}
    elif fact == "wrench":
        model = block(hs.Wrench("w", "b", force=lambda t: (pulse(t), 0, 0)))
    elif fact == "force":
        model = block(hs.Controller("c", lambda s: {"x": pulse(s.t)}))
    else:
        model = block(hs.Drive("d", "x", acceleration=pulse))
    result = hs.simulate(model, until=UNTIL, every=0.1, **options)
    assert result.success and result["x.v"][-1] == pytest.approx(1.0, rel=1e-7)
    assert result["x"][-1] == pytest.approx(UNTIL - at, rel=1e-5)


def test_trains_of_pulses():
    """A hundred pulses, each a ten-thousandth of the run long."""
    model = block(
        hs.Controller("c", lambda s: {"x": hs.where(hs.cos(20 * math.pi * s.t) > 0.9999, 100.0, 0.0)})
    )
    result = hs.simulate(model, until=10.0)
    # each is on for 2 acos(.9999) / 20 pi; one half at both ends
    assert result["x.v"][-1] == pytest.approx(100 * 100 * 2 * math.acos(0.9999) / (20 * math.pi), rel=1e-6)


def test_a_fixed_step_ends_at_kinks_and_warns_of_what_is_too_fast():
    kick = block(hs.Controller("c", pulse_law(window)))
    given = {"c.at": 5.01234, "c.width": 1e-3, "c.height": 1e3}
    result = hs.simulate(kick, until=10.0, step=0.01, parameters=given)
    assert result["x.v"][-1] == pytest.approx(1.0, rel=1e-9) and not result.warnings
    smooth = block(hs.Controller("c", pulse_law(gauss)))
    with pytest.warns(hs.Notice, match="steps are 0.01 s long"):
        hs.simulate(smooth, until=10.0, step=0.01, parameters={**given, "c.width": 1e-4})


def test_what_cannot_be_followed_is_said():
    """More kinks than are looked for: a warning, and `longest_step` sees them."""
    model = block(hs.Controller("c", lambda s: {"x": hs.where(hs.sin(2e5 * s.t) > 0.9999, 1.0, 0.0)}))
    with pytest.warns(hs.Notice, match="give longest_step"):
        hs.simulate(model, until=1.0, most_steps=100)


def test_the_longest_step():
    """No step is longer, and with it a narrow well of the force is seen, which nothing else tells of."""
    result = hs.simulate(block(), until=10.0, start={"x.v": 1.0}, longest_step=0.01)
    assert result.report["steps"] >= 1000

    def well(s):
        return {"x": -1000.0 * hs.exp(-(((s["x"] - 5.0) / 1e-3) ** 2))}

    result = hs.simulate(block(hs.Controller("c", well)), until=10.0, start={"x.v": 1.0}, longest_step=1e-3)
    assert result["x.v"][-1] < 0.0  # it is thrown back: ½ v² < 1000 · 1e-3 √π
    for wrong in (0.0, -1.0, math.nan):
        with pytest.raises(hs.Error, match="longest_step"):
            hs.simulate(block(), until=1.0, longest_step=wrong)
    with pytest.raises(hs.SolveError, match="both given"):
        hs.simulate(block(), until=1.0, longest_step=1.0, step=0.1)


def test_derivatives_see_pulses_too():
    """Momentum by the height and the place of a short window, forwards and backwards."""
    model = block(hs.Controller("c", pulse_law(window)))
    given = {"c.at": 3.21, "c.width": 1e-3, "c.height": 10.0}
    to = ["c.height", "c.at", "c.width"]
    forwards = hs.sensitivities(model, until=10.0, to=to, parameters=given, every=1.0)
    backwards = hs.gradient(model, lambda s: s["x"], to, until=10.0, parameters=given)
    exact = {"c.height": 1e-3 * (10 - 3.21), "c.at": -1e-2, "c.width": 10.0 * (10 - 3.21)}
    for name, slope in exact.items():
        assert forwards["x", name][-1] == pytest.approx(slope, rel=1e-6)
        assert backwards[name] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("method", ["auto", "order5", "stiff"])
def test_a_pulse_just_before_the_end_of_a_run_or_of_a_piece_acts(method):
    """A step that nearly reaches the end is not stretched over what lies there, nor before a knot."""
    draw = np.random.default_rng(3)
    for _ in range(sample(12, 400)):
        width = UNTIL * 10.0 ** draw.uniform(-8, -4)
        until, knot = UNTIL + width * draw.uniform(0, 1), UNTIL * draw.uniform(0.3, 1.0)
        table = ([0.0, knot, until], [0.0, 0.0, 0.0])  # steps end at its times
        for end in (until, knot):
            at = end - min(width * 10.0 ** draw.uniform(1.0, 4.0), 0.9 * end)
            pulse = hs.Wrench("w", "b", force=lambda t, at=at, w=width: (gauss((t - at) / w) / w, 0, 0))
            result = hs.simulate(block(pulse), until=until, method=method, inputs={"x": table})
            assert result["x.v"][-1] == pytest.approx(PULSES[gauss], rel=1e-5), (at, width, end)


def test_products_that_hardly_change_need_no_notice(recwarn):
    """Of a driven key, cos a times b / cos a: known to nine digits long before its own range is."""
    run = hs.simulate(hs.library.grand_action(lambda t: 0.01 * t), until=0.05, every=1e-3)
    assert run.success and np.allclose(-run["key.finger.y"], 0.01 * run.t, atol=1e-12)
    assert not [w for w in recwarn if "too often" in str(w.message)]
