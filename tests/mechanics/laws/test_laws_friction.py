"""Laws of friction that sticks: no drift under shaking loads, the steady force, no energy from nowhere."""

import math

import numpy as np
import pytest
from samples import sample
from scipy.integrate import solve_ivp

import hapsis as hs
from hapsis.mechanics.model.forces.friction import ELASTIC, SETTLING, STICK, STRIBECK, bristle

SEEDS = range(sample(6, 200))


def drawn(seed):
    """A random block and its friction; mean, amplitude and frequency of a load near its limit."""
    draw = np.random.default_rng(seed)
    coulomb = float(10 ** draw.uniform(-2, 2))
    static = coulomb * float(draw.choice([1.0, draw.uniform(1.0, 2.0)]))
    stick = float(10 ** draw.uniform(-5, -3))
    mass = coulomb * float(10 ** draw.uniform(-1, 1))
    mean = draw.uniform(0.0, 0.7)
    omega = float(10 ** draw.uniform(-0.5, 2.5))
    # what friction needs: the load times the transfer of the mass on its bristles
    stiffness = coulomb / stick
    spring = stiffness * (1.0 + 1j * omega * min(SETTLING, stick / STRIBECK))
    transfer = abs(spring / (spring - mass * omega * omega))
    amplitude = draw.uniform(0.2, 0.95) * (0.97 * ELASTIC - mean) / max(transfer, 1.0)
    return coulomb, static, stick, mass, mean * static, amplitude * static, omega


def load(t, mean, amplitude, omega, least=min, most=max, sine=math.sin):
    """A force that comes slowly, then shakes."""
    grown = least(t, 1.0)
    shakes = most(least(t - 1.0, 1.0), 0.0)
    return mean * grown * grown * (3 - 2 * grown) + amplitude * shakes * sine(omega * t)


def most_bent(coulomb, static, stick, mass, shaking, until):
    """The largest deflection, over that of steady sliding at its speed, of a block that never slips."""
    stiffness = coulomb / stick
    damping = stiffness * min(SETTLING, stick / STRIBECK)

    def rate(t, y):
        z, v = y.tolist()
        return v, (load(t, *shaking) - stiffness * z - damping * math.exp(-((v / STRIBECK) ** 2)) * v) / mass

    z, v = solve_ivp(
        rate,
        (0.0, until),
        [0.0, 0.0],
        method="LSODA",
        rtol=1e-7,
        atol=1e-7 * stick,
        max_step=0.3 / shaking[2],
    ).y
    limit = coulomb + (static - coulomb) * np.exp(-((v / STRIBECK) ** 2))
    return np.abs(stiffness * z / limit).max()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["force", "joint"])
def test_a_load_that_shakes_below_the_limit_moves_nothing(kind, seed):
    coulomb, static, stick, mass, mean, amplitude, omega = drawn(seed)
    facts, joint = [hs.Friction("f", "x", coulomb=coulomb, static=static, stick=stick)], {}
    if kind == "joint":  # the same with the default numbers
        facts, joint, stick = [], {"friction": coulomb}, STICK
        mean, amplitude, static = mean * coulomb / static, amplitude * coulomb / static, coulomb
    cycle = 2 * np.pi / omega
    until = float(np.ceil(3.0 / cycle) * cycle + cycle * max(20, round(10.0 / cycle)))
    while most_bent(coulomb, static, stick, mass, (mean, amplitude, omega), until) > 0.98 * ELASTIC:
        amplitude *= 0.7  # transients near the resonance, and a limit that falls with the speed

    def force(t):
        return load(t, mean, amplitude, omega, hs.minimum, hs.maximum, hs.sin), 0, 0

    model = hs.Model(
        hs.Body("b", mass=mass, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "b", axis="x", **joint),
        *facts,
        hs.Wrench("w", "b", force=force),
        gravity=(0, 0, 0),
    )
    result = hs.simulate(model, until=until, every=cycle / 8)
    assert result.success
    elastic = stick * static / coulomb
    assert np.abs(result["x"]).max() <= elastic
    # nothing has slipped: all of the displacement is deflection
    slipped = result["x"] - result["f.bend" if kind == "force" else "x.bend"]
    assert np.abs(slipped).max() <= 1e-6 * elastic


@pytest.mark.parametrize("seed", SEEDS)
def test_sliding_steadily(seed):
    """The deflection comes to rest where the force is g(v) + b v."""
    draw = np.random.default_rng(seed)
    coulomb, stick, speed = (float(10 ** draw.uniform(-2, 2)) for _ in range(3))
    static, viscous = coulomb * draw.uniform(1, 2), draw.uniform(0, 2)
    v = float(draw.choice([-1, 1]) * speed * 10 ** draw.uniform(-2, 1))
    limit = coulomb + (static - coulomb) * np.exp(-((v / speed) ** 2))
    z = np.sign(v) * limit * stick / coulomb
    here = bristle(z, v, coulomb, static, viscous, speed, stick)
    assert abs(here.rate) <= 1e-12 * abs(v)
    assert here.force == pytest.approx(np.sign(v) * limit + viscous * v, rel=1e-9)
    # from anywhere it goes there
    for other in (0.5 * z, 0.95 * z, 1.2 * z, -z):
        rate = bristle(other, v, coulomb, static, viscous, speed, stick).rate
        assert np.sign(rate) == np.sign(z - other)


@pytest.mark.parametrize("seed", SEEDS)
def test_it_never_gives_more_than_it_took(seed):
    """Power in = rate of what is stored + loss, and the loss is never negative."""
    draw = np.random.default_rng(1000 + seed)
    for _ in range(300):
        coulomb, stick, speed = (float(10 ** draw.uniform(-3, 3)) for _ in range(3))
        static, viscous = coulomb * draw.uniform(1, 3), draw.choice([0.0, draw.uniform(0, 2)])
        most = static / coulomb * stick  # no motion bends it further
        z, v = draw.uniform(-most, most), float(draw.normal() * speed * 10 ** draw.uniform(-3, 2))
        here = bristle(z, v, coulomb, static, viscous, speed, stick)
        assert here.loss >= -1e-12 * abs(here.force * v)
        stored = coulomb / stick * z * here.rate
        assert here.force * v == pytest.approx(stored + here.loss, rel=1e-9, abs=1e-300)
