"""Contacts in motion, by closed forms: impacts, bounces, sticking, slipping, rolling, tipping."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import gamma

import hapsis as hs

G = 9.81


def ball(law, mass=1.0, weight=0.0, **start):
    """A point that can only move up and down, above the floor."""
    model = hs.Model(
        hs.Body("ball", mass=mass),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Contact("tip", "ball", hs.WORLD.plane(), law=law),
        gravity=(0, 0, -weight),
    )
    return model, {"z": 0.01, "z.v": -1.0} | start


def touched(result):
    """The first time of touching and of leaving."""
    names = [event.name for event in result.events]
    return (result.events[names.index(name)].time for name in ("tip.touch", "tip.leave"))


def test_hammer_felt():
    """F = K dᵖ, 2.97 g at 1 m/s; Stulov's hammer C4. All by the conservation of energy."""

    @hs.law
    def felt(gap, rate, stiffness=4.5e9, power=2.5):
        return hs.where(gap < 0, stiffness * hs.abs(gap) ** power, 0.0)

    m, k, p = 2.97e-3, 4.5e9, 2.5
    depth = ((p + 1) * m / (2 * k)) ** (1 / (p + 1))
    b = 1 / (p + 1)
    duration = 2 * depth * math.sqrt(math.pi) * gamma(1 + b) / gamma(0.5 + b)
    assert (1e3 * depth, k * depth**p, 1e3 * duration) == pytest.approx(
        (0.3884267565, 13.38090107, 1.049315097), rel=1e-9
    )
    for law in (felt, hs.Felt(k, p)):
        model, start = ball(law, m, z=1e-6)
        still = hs.Event("deepest", lambda s: s["z.v"])
        result = hs.simulate(model, until=0.002, start=start, events=still)
        assert -result["z"].min() == pytest.approx(depth, rel=1e-6)
        assert result["tip.force"].max() == pytest.approx(k * depth**p, rel=1e-6)
        touch, leave = touched(result)
        assert touch == pytest.approx(1e-6, abs=1e-10)
        assert leave - touch == pytest.approx(duration, rel=1e-6)
        assert result["z.v"][-1] == pytest.approx(1.0, rel=1e-6)


def test_felt_that_remembers_loses_energy():
    """Slow felt gives back less, and the work says how much."""
    speeds = []
    for hysteresis in (0.0, 0.3, 0.6):
        model, start = ball(hs.Felt(4.5e9, 2.5, hysteresis, 2e-4), 2.97e-3, z=1e-6)
        result = hs.simulate(model, until=0.004, start=start)
        assert result.success and result["tip.force"].min() >= 0.0
        kinetic = result["kinetic"]
        assert kinetic[-1] - kinetic[0] == pytest.approx(result["work"][-1], abs=1e-9)
        speeds.append(result["z.v"][-1])
    assert speeds[0] > 1.05 * speeds[1] > 1.1 * speeds[2] > 0


def test_restitution_of_a_spring_and_damper():
    """Unit mass on 100 N/m, 5 N s/m: .5062765525, the force cut where it would pull."""
    model, start = ball(hs.Linear(100.0, 5.0))
    result = hs.simulate(model, until=1.0, start=start)
    assert result["z.v"][-1] == pytest.approx(0.5062765525, abs=1e-8)
    assert result["tip.force"].min() == 0.0


@pytest.mark.parametrize("e", [0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("power", [1.0, 1.5, 2.2])
def test_restitution_of_hunt_and_crossley(e, power):
    """What it is made for comes out, whatever the exponent; slower impacts lose less."""
    law = hs.HuntCrossley(1e6, power, restitution=e, speed=1.0)
    model, start = ball(law)
    for speed in (1.0, 0.3):
        result = hs.simulate(model, until=0.5, start={**start, "z.v": -speed})
        found = result["z.v"][-1] / speed
        if speed == 1.0 or e == 1.0:
            assert found == pytest.approx(e, abs=1e-6)
        else:
            assert e < found < 1.0


def bounces(k, c, height, count):
    """The heights that a unit mass reaches: an oscillator while it touches, a throw between."""
    w0, decay = math.sqrt(k), c / 2
    w = math.sqrt(w0 * w0 - decay * decay)
    low, heights = -G / k, []
    for _ in range(count):
        v0 = -math.sqrt(2 * G * height)

        def state(t, v0=v0):
            # about the place of rest, which is below the floor
            a, b = -low, (v0 - decay * low) / w
            x = math.exp(-decay * t) * (a * math.cos(w * t) + b * math.sin(w * t))
            turn = math.exp(-decay * t) * w * (b * math.cos(w * t) - a * math.sin(w * t))
            return low + x, turn - decay * x

        def push(t, state=state):
            z, v = state(t)
            return k * z + c * v

        leave = brentq(push, 0.3 / w, math.pi / w, xtol=1e-15)
        z, v = state(leave)
        height = z + v * v / (2 * G)
        heights.append(height)
    return heights


def test_bouncing_ball():
    """Heights of successive bounces with damping, each impact solved exactly."""
    k, c = 1e5, 40.0
    expected = bounces(k, c, 1.0, 6)
    model, start = ball(hs.Linear(k, c), weight=G, z=1.0)
    start["z.v"] = 0.0
    top = hs.Event("top", lambda s: s["z.v"], falling=True)
    result = hs.simulate(model, until=4.0, start=start, events=top)
    assert result.success
    tops = [result["z"][np.argmin(np.abs(result.t - e.time))] for e in result.events if e.name == "top"]
    assert tops[:6] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("method", ["auto", "stiff"])
@pytest.mark.parametrize("stiffness", [1e4, 1e6, 1e8])
def test_stiff_wall(stiffness, method):
    """Half a swing of a spring; the ball comes back as fast as it came."""
    model, start = ball(hs.Linear(stiffness))
    result = hs.simulate(model, until=0.1, start=start, method=method)
    assert result.success and result.energy_drift < 1e-6
    assert result["z.v"][-1] == pytest.approx(1.0, abs=1e-6)
    touch, leave = touched(result)
    assert touch == pytest.approx(0.01, abs=1e-9)
    assert leave - touch == pytest.approx(math.pi / math.sqrt(stiffness), rel=1e-6)


def slope(angle, mu, law=None, **more):
    """A point on a plane that falls towards +x."""
    model = hs.Model(
        hs.Body("block", mass=2.0),
        hs.Chain("j", hs.WORLD, "block", "Tx Ty Tz"),
        hs.Contact(
            "foot",
            "block",
            hs.WORLD.plane(normal=(math.sin(angle), 0, math.cos(angle))),
            law=law or hs.Linear(1e5, 400.0),
            friction=hs.Coulomb(mu, **more),
        ),
    )
    depth = 2.0 * G * math.cos(angle) / 1e5
    start = {"j.Tx": -depth * math.sin(angle), "j.Tz": -depth * math.cos(angle)}
    return model, start, np.array([math.cos(angle), 0.0, -math.sin(angle)])


def down(result, direction, suffix=""):
    return sum(d * result[f"j.{x}{suffix}"] for d, x in zip(direction, ("Tx", "Ty", "Tz"), strict=True))


def test_slips_on_a_slope():
    """At 30 degrees with mu = .4: 1.5067163155 m/s², once it is faster than 1 mm/s."""
    model, start, direction = slope(math.radians(30), 0.4)
    result = hs.simulate(model, until=1.0, start=start)
    assert down(result, direction, ".a")[-1] == pytest.approx(1.5067163155, abs=1e-6)
    assert down(result, direction)[-1] == pytest.approx(0.5 * 1.5067163155, abs=1e-3)
    # friction is across the normal and as large as it may be
    push, normal = result["foot.push"][-1], result["foot.force"][-1]
    across = push - normal * np.array([0.5, 0, math.sqrt(0.75)])
    assert np.linalg.norm(across) == pytest.approx(0.4 * normal, rel=1e-9)


@pytest.mark.parametrize("mu", [0.2, 0.4, 1.0])
@pytest.mark.parametrize("part", [0.5, 0.98, 1.02, 1.5])
def test_sticks_if_the_slope_is_less_than_friction(mu, part):
    """tan a <= mu: it creeps, slower than the speed at which friction is whole; else it goes."""
    angle = math.atan(part * mu)
    model, start, direction = slope(angle, mu)
    result = hs.simulate(model, until=1.0, start=start)
    assert result.success
    speed = down(result, direction, ".v")[-1]
    if part < 1:
        s = brentq(lambda s: 1.5 * s - 0.5 * s**3 - part, 0, 1)
        assert speed == pytest.approx(1e-3 * s, rel=1e-3)
    else:
        # until friction is whole it gains a little more
        assert 0 < speed - G * (math.sin(angle) - mu * math.cos(angle)) < 1e-3


def test_static_friction_holds_more_than_sliding():
    """Between the two slopes it creeps from rest, but does not stop once it slides."""
    model, start, direction = slope(math.atan(0.5), 0.4, static=0.6)
    result = hs.simulate(model, until=1.0, start=start)
    assert 0 < down(result, direction, ".v")[-1] < 1e-3
    fast = {f"j.{x}.v": 0.5 * d for x, d in zip(("Tx", "Ty", "Tz"), direction, strict=True)}
    result = hs.simulate(model, until=1.0, start={**start, **fast})
    angle = math.atan(0.5)
    expected = G * (math.sin(angle) - 0.4 * math.cos(angle))
    assert down(result, direction, ".a")[-1] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("mu", [0.02, 0.1, 0.15, 0.18, 0.3])
def test_sphere_rolls_or_slips(mu):
    """g sin a / 1.4 where mu >= 2/7 tan a; below it slips and turns as fast as friction can."""
    angle, r = math.atan(0.6), 0.1
    model = hs.Model(
        hs.Body("ball", mass=1.0, inertia=(0.4 * r * r,) * 3),
        hs.Free("j", hs.WORLD, "ball"),
        hs.Contact("c", ("ball", hs.Sphere(r)), hs.WORLD.plane(), hs.Linear(1e6, 500.0), mu),
        gravity=(G * math.sin(angle), 0, -G * math.cos(angle)),
    )
    result = hs.simulate(model, until=1.0, start={"j.z": r - G * math.cos(angle) / 1e6})
    assert result.success
    rolling = mu >= 2 / 7 * 0.6
    push = 2 / 7 * math.sin(angle) if rolling else mu * math.cos(angle)
    a, turn = G * (math.sin(angle) - push), 2.5 * G * push / r
    rows = result.t > 0.2
    x, w = result["j.x"][rows], result["j.wy"][rows]
    t = result.t[rows]
    assert np.polyfit(t, x, 2)[0] * 2 == pytest.approx(a, rel=1e-3)
    assert np.polyfit(t, w, 1)[0] == pytest.approx(turn, rel=1e-3)
    slip = math.hypot(result["j.vx"][-1], result["j.vz"][-1]) - r * w[-1]
    assert (abs(slip) < 2e-3) == rolling


@pytest.mark.parametrize(("mu", "steep"), [(0.9, 0.8), (0.9, 0.95), (1.2, 0.95), (1.2, 1.1)])
def test_cube_tips_before_it_slides(mu, steep):
    """If mu > 1 it tips where the slope passes 1; else it slides where the slope passes mu."""
    angle, side = math.atan(steep), 0.2
    model = hs.Model(
        hs.Body("cube", mass=1.0, inertia=(side**2 / 6,) * 3),
        hs.Free("j", hs.WORLD, "cube"),
        hs.Contact("c", ("cube", hs.Box((side,) * 3)), hs.WORLD.plane(), hs.Linear(1e5, 300.0), mu),
        gravity=(G * math.sin(angle), 0, -G * math.cos(angle)),
    )
    result = hs.simulate(model, until=0.6, start={"j.z": 0.5 * side})
    assert result.success
    tipped = 2 * abs(result["j.qy"]).max() > 0.2
    slid = result["j.x"][-1] > 0.02 and not tipped
    assert tipped == (steep > 1 and mu > 1)
    assert slid == (steep > mu and mu < 1)
