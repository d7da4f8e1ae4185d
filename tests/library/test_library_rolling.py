"""Wheels, stones, tops and sleds of the library, against equations written by hand."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import hapsis as hs
from hapsis import library

G = 9.81
ROLLING = ("rolling_disc", "rattleback", "knife_edge_sled", "roller_racer", "whipple_bicycle")


def last(result, names):
    return np.array([result[name][-1] for name in names])


def euler(radius, rim, lean, speeds, until, mass=2.0):
    """Lean and heading of a thin wheel by Euler's equations in axes that lean and head with it.

    1 forwards, 2 its axle to the left, 3 up in its plane. The contact does not slip: u = r (w2, -w1, 0).
    """
    across, axial = mass * radius**2 * (1 + rim) / 4, mass * radius**2 * (1 + rim) / 2
    mrr = mass * radius**2

    def rates(_, y):
        angle, _, w1, w2, w3 = y
        along = w3 * math.tan(angle)  # the turning of the axes about 2
        dw1 = (axial + mrr) * w3 * w2 - along * across * w3 + mass * G * radius * math.sin(angle)
        dw3 = along * across * w1 - axial * w1 * w2
        return [w1, w3 / math.cos(angle), dw1 / (across + mrr), -mrr * w3 * w1 / (axial + mrr), dw3 / across]

    fall, turn, spin = speeds
    start = [lean, 0.0, fall, spin + turn * math.sin(lean), turn * math.cos(lean)]
    return solve_ivp(rates, (0.0, until), start, method="DOP853", rtol=1e-12, atol=1e-12).y[:2, -1]


@pytest.mark.parametrize("rim", [0.0, 1.0])
@pytest.mark.parametrize("radius", [3e-3, 0.3, 300.0])
def test_a_disc_goes_as_euler_says(radius, rim):
    model = library.rolling_disc(radius, rim)
    slow = math.sqrt(radius / 0.3)
    for lean, speeds in ((0.05, (0.0, 0.0, 6.0)), (-0.4, (0.5, 2.0, -3.0)), (0.9, (-0.2, 5.0, 1.0))):
        fall, turn, spin = (x / slow for x in speeds)
        start = {"lean": lean, "lean.v": fall, "place.Rz.v": turn, "spin.v": spin}
        result = hs.simulate(model, until=1.5 * slow, start=start, tolerance=1e-11)
        expected = euler(radius, rim, lean, (fall, turn, spin), 1.5 * slow)
        assert last(result, ("lean", "place.Rz")) == pytest.approx(expected, abs=2e-7)


def test_a_sled_goes_as_chaplygin_says():
    """v = E tanh k E (t - t0), ω = E √(k/a) / cosh k E (t - t0), k = m a / (I + m a²)."""
    model = library.knife_edge_sled()
    mass, inertia, a = (model.parameters[n] for n in ("mass", "I", "a"))
    k = mass * a / (inertia + mass * a * a)
    v, w = model.pose("start")["sled.Tx.v"], model.pose("start")["sled.Rz.v"]
    E = math.hypot(v, w * math.sqrt(a / k))
    t0 = -math.atanh(v / E) / (k * E)
    result = hs.simulate(model, until=8.0, tolerance=1e-11)
    t, heading = np.asarray(result.t), np.asarray(result["sled.Rz"])
    forwards = result["sled.Tx.v"] * np.cos(heading) + result["sled.Ty.v"] * np.sin(heading)
    assert np.abs(forwards - E * np.tanh(k * E * (t - t0))).max() < 1e-7
    assert np.abs(result["sled.Rz.v"] - E * math.sqrt(k / a) / np.cosh(k * E * (t - t0))).max() < 1e-7
    sideways = result["sled.Ty.v"] * np.cos(heading) - result["sled.Tx.v"] * np.sin(heading)
    assert np.abs(sideways).max() < 1e-9 and forwards[0] < 0 < forwards[-1]


def test_a_rattleback_turns_one_way_only():
    model = library.rattleback()
    there, back = (hs.simulate(model, until=20.0, start={"stone.wz": s}, every=0.05) for s in (5.0, -5.0))
    assert np.min(there["stone.wz"]) > 0.5  # keeps its sign
    assert np.max(back["stone.wz"]) > 3.0 and back["stone.wz"][-1] > 0.5  # turns back
    # its image in a mirror prefers the other way
    image = model.replace(parameters={**model.parameters, "skew": -model.parameters["skew"]})
    other = hs.simulate(image, until=20.0, start={"stone.wz": -5.0, "stone.qx": -0.004363}, every=0.05)
    assert np.max(other["stone.wz"]) < -0.5
    # and one whose axes are not turned has no preference: it goes on as it starts
    even = model.replace(parameters={**model.parameters, "skew": 0.0})
    for sign in (1.0, -1.0):
        result = hs.simulate(even, until=10.0, start={"stone.wz": sign * 5.0}, every=0.05)
        assert np.min(sign * np.asarray(result["stone.wz"])) > 0.5


def test_a_rattleback_rattles_as_its_linear_model_says():
    """Steady spins exist at any speed; small motions grow one way and decay the other."""
    model = library.rattleback().replace(parameters={**library.rattleback().parameters, "drag": 0.0})
    flat = {"stone.qx": 0.0, "stone.qy": 0.0}
    growth = {}
    for spin in (3.0, -3.0):
        state = hs.equilibrium(model, flat, speeds={"stone.wz": spin})
        values = np.array(state.report.eigenvalues)
        growth[spin] = (
            max(values[np.abs(values.imag) > 1.0], key=lambda x: abs(x.imag)).real,
            values.real.max(),
        )
    # turned round, time runs backwards: λ of the one spin are -λ of the other
    assert growth[3.0][0] == pytest.approx(-growth[-3.0][0], rel=1e-6)
    assert growth[-3.0][1] > growth[3.0][1] > 0.0


def uprightness(result):
    x, y = (np.asarray(result[f"top.q{c}"]) for c in "xy")
    return 1.0 - 2.0 * (x * x + y * y)


def test_a_tippe_top_turns_over():
    model = library.tippe_top()
    fast = hs.simulate(model, until=6.0, every=0.02)
    up = uprightness(fast)
    assert up[0] > 0.98 and up[-1] < -0.9
    assert fast["top.wz"][0] > 0 > fast["top.wz"][-1]  # about its own axis it turns the other way
    assert np.mean(fast["top.z"][-20:]) > fast["top.z"][0]  # and its middle is higher
    slow = hs.simulate(model, until=3.0, start={"top.wz": 60.0}, every=0.02)
    assert uprightness(slow).min() > 0.9
    smooth = model.replace(parameters={**model.parameters, "mu": 0.0})
    assert (
        uprightness(hs.simulate(smooth, until=6.0, every=0.02)).min() > 0.9
    )  # without friction nothing lifts it


def account(result):
    """What energy and work do not say of each other, of the largest energy."""
    energy, work = np.asarray(result["energy"]), np.asarray(result["work"])
    kinetic = float(np.abs(result["kinetic"]).max())
    return np.abs(energy - work - (energy[0] - work[0])).max() / kinetic


@pytest.mark.parametrize("name", [*ROLLING, "tippe_top"])
def test_the_power_is_accounted_for(name):
    model = getattr(library, name)()
    start = {"lean": 0.1, "steer": 0.05, "rear.v": 16.0} if name == "whipple_bicycle" else None
    result = hs.simulate(model, until=20.0 if name != "tippe_top" else 6.0, start=start, every=0.05)
    assert result.success and account(result) < 1e-6


def test_a_racer_goes_on_by_steering():
    """It moves on; turned round in time or mirrored, the handle gives the same."""
    model = library.roller_racer()
    result = hs.simulate(model, until=10.0)
    assert abs(result["seat.Tx"][-1]) > 0.5 and abs(result["seat.Ty"][-1]) < 0.2
    assert abs(result["seat.Tx.v"][-1]) > 2.0 * abs(result["seat.Tx.v"][len(result.t) // 4])
    mirrored = hs.simulate(library.roller_racer(swing=-0.6), until=10.0)
    for name, sign in (("seat.Tx", 1.0), ("seat.Ty", -1.0), ("seat.Rz", -1.0)):
        assert mirrored[name][-1] == pytest.approx(sign * result[name][-1], abs=1e-6)
    still = hs.simulate(library.roller_racer(swing=0.0), until=1.0)
    assert np.abs(still["seat.Tx"]).max() == 0.0


@pytest.mark.parametrize("name", ["rolling_disc", "whipple_bicycle"])
def test_where_it_starts_does_not_matter(name):
    """Turned and moved elsewhere on the ground, it does the same there."""
    model, turn = getattr(library, name)(), 1.2
    lean = {"lean": 0.05}
    here = hs.simulate(model, until=2.0, start=lean, tolerance=1e-10)
    v = model.pose("start")["place.Tx.v"]
    moved = {"place.Tx": 3.0, "place.Ty": -2.0, "place.Rz": turn}
    moved |= {"place.Tx.v": v * math.cos(turn), "place.Ty.v": v * math.sin(turn)}
    spins = {n: x for n, x in model.pose("start").items() if n in ("spin.v", "rear.v")}
    there = hs.simulate(model, until=2.0, start={**lean, **moved, **spins}, tolerance=1e-10)
    shape = [n for n in model.coordinates if n not in ("place.Tx", "place.Ty", "place.Rz")]
    assert last(there, shape) == pytest.approx(last(here, shape), abs=1e-7)
    way = last(here, ("place.Tx", "place.Ty"))
    c, s = math.cos(turn), math.sin(turn)
    expected = np.array([3.0 + c * way[0] - s * way[1], -2.0 + s * way[0] + c * way[1]])
    assert last(there, ("place.Tx", "place.Ty")) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("name", ROLLING)
def test_a_step_is_a_step_of_the_run(name):
    """Fixed steps with rows of speeds, by the stepper and by a run of high order."""
    model = getattr(library, name)()
    step = hs.compile(hs.stepper(model, 1e-3))
    state = step()
    for _ in range(299):
        state = step(*state)
    result = hs.simulate(model, until=0.3, tolerance=1e-11)
    # the rattleback rattles at 60 rad/s: (60 dt)⁴ of its rattling in a radian
    assert state.q == pytest.approx(last(result, model.coordinates), abs=1e-6)
    assert state.v == pytest.approx(last(result, model.speeds), abs=1e-4)
    rows = hs.compile(hs.constraints(model))(state.q, state.v)
    assert np.abs(rows.h).max() < 1e-12 and np.abs(rows.J @ state.v).max() < 1e-10


@pytest.mark.parametrize(
    "name", ["rolling_disc", "knife_edge_sled", "rattleback", "roller_racer", "tippe_top"]
)
def test_pages(name):
    content = hs.share(getattr(library, name)()).content
    assert content["dt"] == 1e-3


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_rattlebacks_of_all_sizes(scale):
    """Lengths by s, masses by s³: the same motion, slower by √s."""
    powers = {"a": 1, "b": 1, "c": 1, "h": 1, "mass": 3, "A": 5, "B": 5, "C": 5, "skew": 5}
    base = library.rattleback()
    numbers = {n: x * scale ** powers.get(n, 0) for n, x in base.parameters.items()} | {"drag": 0.0}
    small = base.replace(parameters={**base.parameters, "drag": 0.0})
    slow = math.sqrt(scale)
    other = base.replace(parameters=numbers)
    one = hs.simulate(small, until=1.0, tolerance=1e-11)
    two = hs.simulate(other, until=slow, start={"stone.wz": -5.0 / slow}, tolerance=1e-11)
    assert last(two, ("stone.wz",)) * slow == pytest.approx(last(one, ("stone.wz",)), abs=1e-5)


@pytest.mark.parametrize("name", ROLLING)
def test_they_start_closed(name):
    model = getattr(library, name)()
    q = np.array([model.pose("start")[n] for n in model.coordinates])
    assert np.abs(hs.compile(hs.constraints(model))(q, np.zeros(len(model.speeds))).h).max() < 1e-15


def test_other_bicycles():
    heavy = library.whipple_bicycle(3.0, mB=100.0)
    assert heavy.parameters["mB"] == 100.0 and heavy.pose("start")["rear.v"] == pytest.approx(10.0)
    with pytest.raises(hs.ModelError, match='a bicycle has no "mb"'):
        library.whipple_bicycle(mb=3.0)


def test_a_belt_is_as_good_as_the_road():
    """What rides on a belt that runs under it sees no difference (Galilei)."""
    road, belt = library.whipple_bicycle(4.6), library.whipple_bicycle(4.6, belt=True)
    start = {"lean": 0.05, "steer": 0.02}
    one, two = (hs.simulate(model, until=2.0, start=start, tolerance=1e-10) for model in (road, belt))
    for name in ("lean", "steer", "pitch", "rear", "front", "place.Ty", "place.Tz", "place.Rz"):
        assert two[name][-1] == pytest.approx(one[name][-1], abs=1e-7)
    assert two["place.Tx"][-1] == pytest.approx(one["place.Tx"][-1] - 2.0 * 4.6, abs=1e-7)
    values = [
        np.sort(np.abs(hs.equilibrium(m, speeds={"rear.v": 4.6 / 0.3, **more}).report.eigenvalues))[-4:]
        for m, more in ((road, {}), (belt, {"belt.v": -4.6}))
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-9)
