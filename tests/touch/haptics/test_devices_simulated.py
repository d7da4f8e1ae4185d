"""Simulated hands and pointer targets: closed forms, faults, and the same bits as Python."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import coupling, simulated_hand, target, trajectory
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand
from hapsis.touch.haptics.devices.target import Target
from hapsis.touch.realtime.device import Device, checked

TIGHT = 1e-12


def test_program_six():
    """Presses 9.5 mm at 10 mm/s, holds, returns: in two seconds."""
    with SimulatedHand(speed=0.010, travel=0.0095) as hand:
        assert isinstance(hand, Device) and checked(hand) is hand
        assert not hand.capabilities.hardware
        for t, x, v in ((0.0, 0, 0.01), (0.4, 0.004, 0.01), (1.0, 0.0095, 0), (1.5, 0.005, -0.01)):
            seen = hand.sample(t)
            assert seen["position"] == pytest.approx(x, abs=1e-17)
            assert seen["velocity"] == pytest.approx(v)
        assert hand.sample(2.5)["position"] == pytest.approx(0.0, abs=1e-17)
        assert hand.trajectory.end == pytest.approx(2.0)


@settings(max_examples=60)
@given(
    st.floats(1e-3, 1.0),
    st.floats(1e-3, 0.1),
    st.booleans(),
    st.floats(0.0, 1.0),
    st.floats(0.0, 0.5),
    st.floats(0.0, 0.5),
    st.integers(1, 3),
)
def test_presses(speed, way, down, part, hold, wait, times):
    """Never faster, never farther, there and back; soft ones without a jump of speed."""
    travel, rise = -way if down else way, 0.999 * part * way / speed
    rise = rise if rise > trajectory.LEAST else 0.0
    found = trajectory.press(speed, travel, hold, wait, rise, 0.3, times)
    each = wait + hold + 2 * (way / speed + rise)
    assert found.end == pytest.approx(times * each)
    t = np.linspace(-0.1, found.end + 0.1, 100)
    x, v = np.array([found.at(s) for s in t])[:, :, 0].T
    far = (x - 0.3) / travel
    assert far.min() >= -1e-9 and far.max() <= 1 + 1e-9
    assert np.abs(v).max() <= speed * (1 + 1e-9)
    assert found.at(wait + way / speed + rise)[0, 0] == pytest.approx(0.3 + travel)
    assert found.at(found.end)[0, 0] == pytest.approx(0.3) and found.at(-1.0)[1, 0] == 0.0
    if rise > 1e-3:
        fast = np.array([found.at(k) for k in found.knots + 1e-9 * rise])[:, 1, 0]
        slow = np.array([found.at(k) for k in found.knots - 1e-9 * rise])[:, 1, 0]
        assert np.abs(fast - slow).max() <= 1e-6 * speed


def test_records():
    t = np.sort(np.random.default_rng(3).uniform(0, 2, 50))
    x = np.stack([np.sin(t), t**2], axis=1)
    found = trajectory.recorded(t, x)
    for k in range(50):
        assert np.allclose(found.at(t[k])[0], x[k], atol=1e-12)
    s = 0.5 * (t[10] + t[11])
    assert found.at(s)[0] == pytest.approx([np.sin(s), s * s], abs=1e-3)
    h = 1e-6
    assert (found.at(s + h)[0] - found.at(s - h)[0]) / (2 * h) == pytest.approx(found.at(s)[1])
    straight = trajectory.recorded([0.0, 1.0], [0.0, 2.0])
    assert straight.at(0.25).ravel() == pytest.approx([0.5, 2.0])


BAD = {
    "no trajectory": {},
    "two trajectories": {"speed": 0.1, "travel": 0.1, "aim": 0.0},
    "no travel": {"speed": 0.1},
    "speed": {"speed": -0.1, "travel": 0.1},
    "travel": {"speed": 0.1, "travel": 0.0},
    "nan": {"speed": float("nan"), "travel": 0.1},
    "rise": {"speed": 0.1, "travel": 0.01, "rise": 1.0},
    "times": {"speed": 0.1, "travel": 0.01, "times": 0},
    "too many times": {"speed": 0.1, "travel": 0.01, "times": 10**9},
    "times that are no number of times": {"speed": 0.1, "travel": 0.01, "times": True},
    "mass": {"aim": 0.0, "mass": 0.0},
    "spring": {"aim": 0.0, "mass": 1.0, "stiffness": -1.0},
    "text": {"aim": "there"},
    "axes": {"aim": (0.0, 1.0)},
    "twice": {"aim": 0.0, "axes": ("x", "x")},
    "falling times": {"motion": ([0.0, 1.0, 0.5], [0, 0, 0])},
    "one": {"motion": ([0.0], [0.0])},
    "not finite": {"motion": ([0.0, 1.0], [0.0, float("inf")])},
    "no pair": {"motion": [1, 2, 3]},
    "lengths": {"motion": ([0.0, 1.0], [0.0, 1.0, 2.0])},
    "causality": {"aim": 0.0, "causality": "magic"},
    "force": {"aim": 0.0, "max_force": 0.0},
    "unit": {"aim": 0.0, "unit": "ft"},
}


@pytest.mark.parametrize("given", BAD.values(), ids=BAD)
def test_bad_hands_are_told_in_one_line(given):
    with pytest.raises(DeviceError) as error:
        SimulatedHand(**given)
    assert "\n" not in str(error.value) and len(str(error.value)) > 15


masses = st.floats(0.01, 10.0)


@settings(max_examples=40)
@given(masses, st.floats(0.0, 100.0), st.floats(0.0, 1e5), st.floats(1e-5, 0.02))
def test_the_step_is_the_exact_solution(m, b, k, dt):
    tool = coupling.Coupling(axes=1, mass=m, damping=b, stiffness=k)
    coupling.transition(tool, dt)
    A = np.array([[0, 1, 0], [-k / m, -b / m, 1], [0, 0, 0]])
    found = tool.matrix.reshape(3, 3)
    exact = expm(A * dt)
    scale = np.array([1.0, np.sqrt(k / m) + 1.0, 1.0])
    assert np.abs((found - exact) * scale[None, :] / scale[:, None]).max() < 1e-10


def test_a_pushed_hand_follows_its_law():
    """Against a general integrator, with an aim that moves and a force that changes."""
    hand = SimulatedHand(speed=0.05, travel=0.02, mass=0.3, stiffness=150.0, damping=4.0)
    dt, force, y = 1e-3, 0.0, np.zeros(2)
    for k in range(200):
        seen = hand.sample(k * dt)
        assert seen["position"][0] == pytest.approx(y[0], abs=1e-10)
        assert seen["velocity"][0] == pytest.approx(y[1], abs=1e-8)
        force = 2.0 * np.sin(0.1 * k)
        hand.command(force, k * dt)
        a0, a1 = (hand.trajectory.at(j * dt)[0, 0] for j in (k, k + 1))

        def law(t, y, a0=a0, a1=a1, force=force):
            aim, rate = a0 + (a1 - a0) * t / dt, (a1 - a0) / dt
            return [y[1], (150.0 * (aim - y[0]) + 4.0 * (rate - y[1]) + force) / 0.3]

        y = solve_ivp(law, (0.0, dt), y, rtol=1e-11, atol=1e-14, method="DOP853").y[:, -1]


def test_a_hand_makes_no_energy():
    """Without a damper and with its aim at rest a hand keeps its energy, for a long time."""
    hand = SimulatedHand(aim=0.0, mass=0.2, stiffness=5e4)
    hand.sample(0.0)
    hand.memory.coupling.velocity[0] = 1.0
    for k in range(1, 5000):
        seen = hand.sample(k * 1e-3)
    energy = 0.5 * 0.2 * seen["velocity"][0] ** 2 + 0.5 * 5e4 * seen["position"][0] ** 2
    assert energy == pytest.approx(0.1, rel=1e-9)


def test_a_hand_of_admittance_presses():
    hand = SimulatedHand(aim=0.01, stiffness=100.0, damping=2.0, causality="admittance")
    assert hand.capabilities.measures == ("position", "velocity", "force")
    assert hand.sample(0.0)["force"] == [0.0]
    hand.command(0.004, 0.0)
    hand.command(0.005, 0.001)
    seen = hand.sample(0.001)
    assert seen["position"] == [0.005] and seen["velocity"] == pytest.approx([1.0])
    assert seen["force"] == pytest.approx([100.0 * 0.005 - 2.0 * 1.0])


@pytest.mark.parametrize("kind", ["stale", "nan", "unplugged", "jump"])
def test_faults(kind):
    hand = SimulatedHand(aim=0.02, mass=1.0)
    sample = np.full(5, np.nan)
    for k in range(3):
        hand.read(np.array([k * 1e-3]), sample)
    before = sample.copy()
    hand.fault(kind)
    hand.read(np.array([3e-3]), sample)
    assert (sample[4] == before[4]) == (kind in ("stale", "unplugged"))
    assert (sample[3] != 0) == (kind == "unplugged")
    assert np.isnan(sample[0]) == (kind == "nan")
    assert (abs(sample[0] - before[0]) > 0.049) == (kind == "jump")
    hand.fault()
    hand.read(np.array([4e-3]), sample)
    assert sample[4] > before[4] and sample[3] == 0.0 and sample[0] == pytest.approx(0.02)
    with pytest.raises(DeviceError, match='did you mean "stale"'):
        hand.fault("stalle")


def both(make, ticks=120):
    """The rows of a device as machine code and as Python."""
    rows = []
    for native in (True, False):
        device = make()
        read, write = device.read, device.write
        out = []
        for k in range(ticks):
            sample, t = np.full(3 * len(device.axes) + 2, np.nan), np.array([k * 1e-3 + 1e-5 * k])
            command = np.full(len(device.axes), 0.3 * np.sin(0.2 * k))
            for kernel, vector, name in ((read, sample, "sample"), (write, command, "command")):
                run = kernel.function if native else kernel.function.python
                run(**kernel.fixed, **{"t": t, name: vector})
            if isinstance(device, Target) and k % 16 == 5:
                device.set(*(0.01 * k for _ in device.axes))
            out.append(sample)
        rows.append(np.array(out))
    return rows


DEVICES = {
    "press": lambda: SimulatedHand(speed=0.3, travel=0.01, rise=0.01),
    "soft": lambda: SimulatedHand(speed=0.3, travel=0.01, mass=0.1, stiffness=900.0, damping=3.0),
    "told": lambda: SimulatedHand(aim=0.1, stiffness=9.0, damping=0.1, causality="admittance"),
    "record": lambda: SimulatedHand(
        motion=(np.linspace(0, 0.1, 9), np.random.default_rng(1).normal(size=(9, 2))), axes=("x", "y")
    ),
    "target": lambda: Target((0.0, 0.1), axes=("x", "y")),
}


@pytest.mark.parametrize("make", DEVICES.values(), ids=DEVICES)
def test_native_code_gives_the_bits_of_python(make):
    fast, slow = both(make)
    assert np.array_equal(fast, slow, equal_nan=True) and np.isfinite(fast[:, 0]).all()


def test_a_target_arrives_after_its_delay():
    """An even motion of the pointer, told 50 times a second, is that motion 20 ms later."""
    tool = Target(interval=0.02)
    assert tool.delay == 0.02 == tool.capabilities.facts["delay"]
    late = []
    for k in range(1000):
        t = k * 1e-3
        if k % 20 == 0:
            tool.set(0.3 * t)
        x = tool.sample(t)["position"][0]
        if k > 500:
            late.append(t - x / 0.3)
    assert np.mean(late) == pytest.approx(0.02, rel=0.05)
    assert np.ptp(late) < 1e-3


def test_a_target_gives_way():
    tool = Target(0.1, stiffness=250.0)
    for k in range(1000):
        seen = tool.sample(k * 1e-3)
        tool.command(-5.0)
    assert seen["position"][0] == pytest.approx(0.1 - 5.0 / 250.0, abs=1e-9)


def test_targets_come_from_any_thread():
    tool = Target(axes=("x", "y"), interval=1e-3)

    def work(sign):
        for k in range(500):
            tool.set(sign * k, sign * k)

    threads = [threading.Thread(target=work, args=(s,)) for s in (1, -1)]
    for thread in threads:
        thread.start()
    for k in range(2000):
        x, y = tool.sample(k * 1e-3)["position"]
        assert x == y  # never half of one and half of another
    for thread in threads:
        thread.join()
    for k in range(2000, 4000):
        x, _ = tool.sample(k * 1e-3)["position"]
    assert abs(x) == pytest.approx(499.0, abs=1e-6)


def test_bad_targets():
    tool = Target(axes=("x", "y"))
    for values, text in (((1.0,), "takes 2 numbers, not 1"), ((1.0, float("nan")), "a target is")):
        with pytest.raises(DeviceError, match=text):
            tool.set(*values)
    with pytest.raises(DeviceError, match="interval is 0; expected above 0"):
        Target(interval=0.0)


def test_modules_name_their_faults():
    assert simulated_hand.FAULTS["jump"] == simulated_hand.JUMP and target.ROOM > 2
