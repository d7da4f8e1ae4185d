"""Laws of connectors: momentum, energy, frames, order of particles, order of steps."""

import numpy as np
import pytest
from random_particles import Forces, P, one_step, random_object

import hapsis as hs
from hapsis.mechanics.algebra.rotations import of_rpy
from hapsis.motion.particles.objects.connector_slopes import slopes_of

SEEDS = range(12)
SPACE = (0.0, 0.0, 0.0)


def momenta(x, v, masses):
    return masses @ v, (masses[:, None] * np.cross(x, v)).sum(axis=0)


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_keep_linear_and_angular_momentum(seed):
    scale = 10.0 ** (seed % 7 - 3)
    thing = random_object(seed, scale)
    f = Forces(P.Scene(thing, gravity=SPACE)).at(thing.points, thing.velocities)
    size = np.abs(f).sum()
    assert size > 0.0
    assert np.abs(f.sum(axis=0)).max() < 1e-13 * size
    assert np.abs(np.cross(thing.points, f).sum(axis=0)).max() < 1e-12 * size * scale


@pytest.mark.parametrize("seed", range(4))
def test_free_flight_keeps_momentum_to_rounding(seed):
    thing = random_object(seed)
    result = hs.simulate(P.Scene(thing, gravity=SPACE), until=2.0, every=0.5)
    assert result.success and result.report["steps"] > 100
    first = momenta(thing.points, thing.velocities, thing.masses)
    size = [thing.masses @ np.linalg.norm(thing.velocities, axis=1)] * 2
    size[1] *= np.abs(thing.points).max()
    for k in range(len(result.t)):
        now = momenta(result["thing.points"][k], result["thing.velocities"][k], thing.masses)
        if k == len(result.t) - 1:  # rows between steps are interpolated
            for a, b, scale in zip(first, now, size, strict=True):
                assert np.abs(a - b).max() < 1e-12 * scale
    assert result["dissipated"][-1] > 0.0
    assert (
        abs(result["energy"][0] - result["energy"][-1] - result["dissipated"][-1])
        < 1e-4 * result["energy"][0]
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_are_the_slopes_of_the_energy(seed):
    """By differences of the native energy, and by a second way to write all forces."""
    thing = random_object(seed)
    scene = P.Scene(thing, gravity=SPACE)
    own = Forces(scene)
    x, still = thing.points, np.zeros_like(thing.points)
    f = own.at(x, still)
    assert np.allclose(f, -slopes_of(scene, x), rtol=0, atol=1e-12 * np.abs(f).max())
    way = np.random.default_rng(seed).normal(size=x.shape)
    h = 1e-5
    slope = (own.potential(x + h * way) - own.potential(x - h * way)) / (2 * h)
    assert np.isclose(slope, -(f * way).sum(), rtol=1e-7, atol=1e-7 * np.abs(f).sum())


@pytest.mark.parametrize("seed", SEEDS)
def test_dampers_take_what_their_forces_do(seed):
    thing = random_object(seed)
    own = Forces(P.Scene(thing, gravity=SPACE))
    x, v = thing.points, thing.velocities
    damped = own.at(x, v)
    power = float(own.memory.next_power)
    assert power > 0.0
    assert np.isclose(power, -((damped - own.at(x, np.zeros_like(v))) * v).sum(), rtol=1e-12)
    # a rigid motion is not damped
    spin = np.cross((0.3, -0.2, 0.5), x) + np.array((1.0, 2.0, 3.0))
    own.at(x, spin)
    assert abs(own.memory.next_power) < 1e-20


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_turn_with_the_object(seed):
    thing = random_object(seed)
    rpy = np.random.default_rng(seed).uniform(-3, 3, 3)
    R = np.array(of_rpy(*rpy))
    other = thing.at(1.0, -2.0, 0.5, rpy=rpy)
    f, g = (Forces(P.Scene(each, gravity=SPACE)).at(each.points, each.velocities) for each in (thing, other))
    assert np.allclose(g, f @ R.T, rtol=0, atol=1e-12 * np.abs(f).max())


def test_the_order_of_objects_does_not_matter():
    one, two = random_object(1).named("one"), random_object(2).named("two").at(9, 0, 0)
    first, second = (
        hs.simulate(P.Scene(*pair, gravity=SPACE), until=0.3, every=0.1, step=1e-3, method="symplectic")
        for pair in ((one, two), (two, one))
    )
    for name in ("one", "two"):
        assert np.allclose(first[f"{name}.points"], second[f"{name}.points"], rtol=0, atol=1e-11)


def test_steps_of_one_length_are_of_order_two():
    thing = random_object(3)
    scene = P.Scene(thing, gravity=SPACE)

    def end(step):
        result = hs.simulate(scene, until=0.2, every=0.2, step=step, method="symplectic")
        return result["thing.points"][-1]

    exact = end(0.2 / 12800)
    errors = [np.abs(end(0.2 / n) - exact).max() for n in (400, 800, 1600)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 2.0) < 0.1), orders


@pytest.mark.parametrize("seed", range(4))
def test_the_account_of_one_step(seed):
    """What a step creates falls with the cube of its length."""
    scene = P.Scene(random_object(seed), gravity=(1.0, -2.0, -9.0))
    created = [abs(float(one_step(scene, h).created)) for h in (1e-3, 5e-4, 2.5e-4)]
    assert created[0] > 6.0 * created[1] > 36.0 * created[2] > 0.0
