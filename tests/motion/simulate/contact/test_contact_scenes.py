"""Laws of all scenes in steps with contacts: momentum, energy, turned, scaled and reordered scenes."""

import dataclasses
import itertools

import numpy as np
import pytest
from contact_scenes import FREE, SHAPES, growth, mechanism, momenta, scene

import hapsis as hs


def ground_impulse(scene, result):
    """The impulse of the ground on all bodies since the start, for each row."""
    total = np.zeros((len(result.t), 3))
    for contact in scene.model.contacts.values():
        first, second = ("world" in repr(side) for side in (contact.first, contact.second))
        total += (second - first * 1.0) * result[f"{contact.name}.impulse"]
    return total


@pytest.mark.parametrize(
    "seed", [*range(20), 530]
)  # the last: something of a microgram leaves what it slid on
def test_energy_never_grows_and_momentum_is_that_of_the_impulses(seed):
    """Thrown, spinning, falling and sliding bodies of all shapes, sizes and masses."""
    draw = np.random.default_rng([seed, 1])
    one = scene(draw, ground=seed % 3 > 0)
    result = one.run(200)
    assert result.success and growth(one, result) < 1e-9
    linear, angular = momenta(one, result)
    mass = sum(one.masses.values())
    pull = np.outer(result.t, [0.0, 0.0, -one.gravity * mass * one.ground])
    speed = max(np.abs(result[f"{name}.velocity"]).max() for name in one.bodies)
    unit = max(mass * speed, np.abs(pull).max())
    # drifts keep momenta to rounding; steps leave 1e-9 of an impulse at most, and mostly far less
    assert np.abs(linear - linear[0] - ground_impulse(one, result) - pull).max() < 1e-10 * unit
    if not one.ground:
        arm = max(np.abs(result[f"{name}.position"]).max() for name in one.bodies)
        assert np.abs(angular - angular[0]).max() < 1e-10 * unit * arm


def test_momentum_without_spin_is_exact():
    """Two balls that hit each other off their centres, without friction: to rounding."""
    ball = hs.Sphere(0.1)
    facts = [hs.Contact("c", ("a", ball), ("b", ball), law=hs.HuntCrossley(1e6, damping=0.3))]
    for name, mass in (("a", 1.0), ("b", 0.3)):
        facts += [hs.Body(name, mass=mass, inertia=(0.01, 0.01, 0.01)), hs.Free(f"j{name}", hs.WORLD, name)]
    start = {"ja.x": -0.5, "ja.vx": 2.0, "jb.y": 0.06, "jb.z": -0.07}
    result = hs.simulate(hs.Model(*facts, gravity=(0, 0, 0)), 1.0, start, method="contact", step=1e-3)
    total = 1.0 * result["a.velocity"] + 0.3 * result["b.velocity"]
    assert abs(result["b.vx"][-1]) > 0.1
    assert total == pytest.approx(np.tile(total[0], (len(total), 1)), abs=1e-10)
    assert result["a.velocity"] - result["a.velocity"][0] == pytest.approx(result["c.impulse"], abs=1e-8)


@pytest.mark.parametrize("seed", range(12))
def test_the_energy_of_mechanisms_stays_within_the_square_of_the_step(seed):
    """Chains that fall onto the ground: forces along curved ways are of order 2, all else only loses."""
    for trial in itertools.count():
        one = mechanism(np.random.default_rng([seed, trial]))
        result = one.run(200)
        if not any(result[f"{name}.points"][0] > 0 for name in one.contacts):
            break  # else it starts inside the ground
    square = one.step**2 * one.gravity / one.size
    assert result.success and growth(one, result) < 1.0 * square


def moved(one, turn, facts=None):
    """The scene turned as a whole about the origin, with gravity."""
    R, start = hs_rotation(turn), dict(one.start)
    for k in range(len(one.bodies)):
        p = R @ [one.start[f"j{k}.{n}"] for n in "xyz"]
        q = product(turn, [one.start[f"j{k}.{n}"] for n in ("qw", "qx", "qy", "qz")])
        start |= {f"j{k}.{n}": float(x) for n, x in zip(FREE[:7], (*p, *q), strict=True)}
    model = hs.Model(*(facts or one.model.facts), gravity=tuple(R @ np.array(one.model.gravity, float)))
    return dataclasses.replace(one, model=model, start=start), R


def hs_rotation(q):
    """The matrix of a quaternion."""
    w, v = q[0], np.array(q[1:])
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def product(p, q):
    """The product of two quaternions."""
    a, v, b, w = p[0], np.array(p[1:]), q[0], np.array(q[1:])
    return np.concatenate([[a * b - v @ w], a * w + b * v + np.cross(v, w)])


@pytest.mark.parametrize("seed", range(6))
def test_turned_and_reordered_scenes_move_alike(seed):
    """In space, where no plane needs to be turned, until bounces have spread rounding: 60 steps."""
    draw = np.random.default_rng([seed, 3])
    one = scene(draw, ground=False, scaled=False, kinds=SHAPES[:2])
    turn = draw.normal(size=4)
    turn /= np.linalg.norm(turn)
    facts = list(one.model.facts)
    draw.shuffle(facts)
    other, R = moved(one, turn, facts)
    results = [each.run(60, tolerance=1e-13) for each in (one, other)]
    for name in one.bodies:
        a, b = (result[f"{name}.position"] for result in results)
        assert b == pytest.approx(a @ R.T, abs=1e-8)


@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1e3])
def test_scaled_scenes_move_alike(factor):
    """Lengths, masses and times in other units: a box that lands tilted, to 1e-6 of its size."""
    places = []
    for length in (1.0, factor):
        mass, time = length**1.5, np.sqrt(length)
        box = hs.Box((0.4 * length, 0.6 * length, 0.3 * length))
        k, c = 1e4 * mass / time**2, 30.0 * mass / time
        model = hs.Model(
            hs.Body("a", mass=mass, inertia=tuple(x * mass * length**2 for x in (0.04, 0.02, 0.05))),
            hs.Free("j", hs.WORLD, "a"),
            hs.Contact("c", ("a", box), hs.WORLD.plane("z"), law=hs.Linear(k, c), friction=0.4),
            gravity=(0, 0, -10.0),
        )
        start = {"j.z": 0.5 * length, "j.qw": 0.9, "j.qx": 0.3, "j.qy": 0.2, "j.vx": 0.5 * length / time}
        run = dict(method="contact", step=1e-3 * time, every=0.05 * time)
        result = hs.simulate(model, time, start, **run)
        assert result["c.impulse"][-1, 2] > 0.0
        places.append(result["a.position"] / length)
    assert places[1] == pytest.approx(places[0], abs=1e-6)


@pytest.mark.parametrize("ratio", [1.0, 1e6, 1e15])
@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_what_touches_nothing_of_a_heavy_thing_moves_as_if_it_were_not_there(ratio, step):
    """A light cube that bounces and slides beside a heavy one: residuals are those of each, too."""

    def cube(name, mass, size, x):
        shape, moment = hs.Box((size, size, size)), mass * size**2 / 6
        law = hs.HuntCrossley(1e6 * mass, power=1.0, damping=0.3)
        start = {"x": x, "z": 0.8 * size, "vx": 1.0, "wy": 3.0, "qw": 0.95, "qx": 0.2, "qy": 0.1}
        return [
            hs.Body(name, mass=mass, inertia=(moment, moment, moment)),
            hs.Free(f"j{name}", hs.WORLD, name),
            hs.Contact(f"c{name}", (name, shape), hs.WORLD.plane(), law=law, friction=0.5),
        ], {f"j{name}.{key}": value for key, value in start.items()}

    (light, at), (heavy, there) = cube("a", 1e6 / ratio, 0.1, 10.0), cube("b", 1e6, 1.0, 0.0)
    run = dict(method="contact", step=step, every=0.05)
    alone = hs.simulate(hs.Model(*light), 0.5, at, **run)
    beside = hs.simulate(hs.Model(*light, *heavy), 0.5, at | there, **run)
    assert np.abs(beside["a.position"] - alone["a.position"]).max() < 1e-7
