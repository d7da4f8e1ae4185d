"""Steps with contacts against closed forms: sticking, sliding, tipping, rolling, stacks and grasps."""

import numpy as np
import pytest
from contact_scenes import inertia

import hapsis as hs

G = 9.81


def free(name, shape, mass=1.0):
    """A free body."""
    return hs.Body(name, mass=mass, inertia=inertia(shape, mass)), hs.Free(f"j{name}", hs.WORLD, name)


def slope(shape, mu, angle, law=None, mass=1.0, turned=False):
    """A body on a slope, whose normal is z."""
    sides = (("a", shape), hs.WORLD.plane("z"))
    contact = hs.Contact(
        "c", *(sides[::-1] if turned else sides), law=law or hs.Linear(1e6, 1e3), friction=mu
    )
    return hs.Model(*free("a", shape, mass), contact, gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)))


def random_block(draw):
    """A flat block with a law, of any size and mass, that stands on a slope without tipping."""
    size, mass = 10.0 ** draw.uniform(-5.0, 3.0), 10.0 ** draw.uniform(-6.0, 3.0)
    mu = 10.0 ** draw.uniform(-1.0, 0.5)
    sticks = bool(draw.integers(2))
    angle = np.arctan(mu * (draw.uniform(0.3, 0.99) if sticks else draw.uniform(1.01, 3.0)))
    height = size * min(1.0, 0.3 / np.tan(angle))
    depth = height * 10.0 ** draw.uniform(-6.0, -3.0)
    load = mass * G * np.cos(angle) / 4.0
    law = hs.Linear(load / depth, draw.uniform(0.5, 2.0) * np.sqrt(load / depth * mass))
    if draw.integers(2):
        law = hs.HuntCrossley(load / depth**1.5, damping=draw.uniform(0.5, 2.0) / np.sqrt(G * depth))
    shape = hs.Box((float(size), float(size), float(height)))
    model = slope(shape, float(mu), angle, law, float(mass), bool(draw.integers(2)))
    return model, {"ja.z": 0.5 * height - depth}, sticks, angle, mu, mass, size


@pytest.mark.parametrize("seed", range(16))
def test_a_block_on_a_slope_sticks_or_slides(seed):
    """tan α below μ: it creeps by less than 1e-9 m/s or sizes/s; above it: g (sin α - μ cos α)."""
    draw = np.random.default_rng(seed)
    model, start, sticks, angle, mu, mass, size = random_block(draw)
    step = float(min(10.0 ** draw.uniform(-4.0, -2.0), 0.1 * np.sqrt(size / G)))
    until = 2000 * step
    result = hs.simulate(model, until, start, method="contact", step=step, every=10 * step)
    t, late = result.t, len(result.t) // 2
    assert result.success
    if sticks:
        creep = abs(result["a.x"][-1] - result["a.x"][late]) / (t[-1] - t[late])
        assert creep <= 1e-9 * max(1.0, size) and result["c.stuck"][-1] == 4
        return
    gained = (result["a.vx"][-1] - result["a.vx"][late]) / (t[-1] - t[late])
    assert gained == pytest.approx(G * (np.sin(angle) - mu * np.cos(angle)), rel=1e-4)
    assert result["c.force"][-1] == pytest.approx(mass * G * np.cos(angle), rel=1e-3)


@pytest.mark.parametrize("step", [1e-2, 1e-3])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize(("tangent", "holds"), [(0.25, True), (0.37, False)])
def test_what_rests_at_the_start_is_held_by_static_friction(size, step, tangent, holds):
    """Between μ = 0.2 and μ = 0.35 of breaking loose a flat block at rest stays where it is put."""
    angle, step = np.arctan(tangent), float(step * np.sqrt(size))
    mass = 50.0 * size**3
    k = mass * G * np.cos(angle) / (4e-5 * size)
    block, law = hs.Box((size, size, 0.05 * size)), hs.Linear(k, 2.0 * np.sqrt(k * mass))
    model = slope(block, hs.Coulomb(0.2, static=0.35), angle, law, mass)
    start = {"ja.z": 0.025 * size - 1e-5 * size}
    result = hs.simulate(model, 200 * step, start, method="contact", step=step)
    if holds:
        assert np.abs(result["a.x"]).max() < 1e-3 * size and result["c.stuck"][-1] == 4
    else:
        way = 0.5 * G * (np.sin(angle) - 0.2 * np.cos(angle)) * result.t[-1] ** 2
        assert result["a.x"][-1] == pytest.approx(way, rel=0.1) and result["c.stuck"][-1] == 0


@pytest.mark.parametrize(
    ("mu", "angle", "tips"), [(2.0, -0.05, False), (2.0, 0.05, True), (0.9, 0.05, False)]
)
@pytest.mark.parametrize("step", [1e-3, 2e-4])
def test_a_cube_tips_before_it_slides_where_mu_is_above_one(mu, angle, tips, step):
    """A cube on a slope near 45°: with μ > 1 it tips above, with less it slides flat."""
    model = slope(hs.Box((0.1, 0.1, 0.1)), mu, np.pi / 4 + angle)
    result = hs.simulate(model, 0.5, {"ja.z": 0.05}, method="contact", step=step)
    turned = 2.0 * np.degrees(np.arcsin(abs(result["ja.qy"]).max()))
    assert (turned > 5.0) == tips and (turned < 0.1) == (not tips)


@pytest.mark.parametrize("step", [1e-2, 1e-3])
@pytest.mark.parametrize("turned", [False, True])
def test_a_ball_rolls_down_and_a_sliding_one_comes_to_roll(step, turned):
    """g sin α / 1.4 and 5/7 of the speed, but for the depth that the ball rolls in: 1e-5 m of 0.1 m."""
    ball, angle = hs.Sphere(0.1), 0.3
    start = {"ja.z": 0.1 - G / 1e6}
    model = slope(ball, 0.5, angle, turned=turned)
    result = hs.simulate(model, 1.0, start, method="contact", step=step)
    assert result["a.x"][-1] == pytest.approx(0.5 * G * np.sin(angle) / 1.4, rel=5e-5)
    model = slope(ball, 0.3, 0.0, turned=turned)
    result = hs.simulate(model, 1.0, start | {"ja.vx": 2.0}, method="contact", step=step)
    assert result["a.vx"][-1] == pytest.approx(10.0 / 7.0, rel=5e-5)
    assert result["a.wy"][-1] * 0.1 == pytest.approx(result["a.vx"][-1], rel=1e-4)
    result = hs.simulate(model, 1.0, start | {"ja.wz": 9.0}, method="contact", step=step)
    assert result["a.wz"][-1] == pytest.approx(9.0, rel=1e-9)  # a point has no torque about its normal


def test_a_box_that_spins_flat_slows_down_by_the_friction_of_its_corners():
    box = hs.Box((0.2, 0.3, 0.1))
    model = slope(box, 0.4, 0.0, law=hs.Linear(1e6, 2e3))
    start = {"ja.z": 0.05 - G / 4e6, "ja.wz": 5.0}
    result = hs.simulate(model, 0.05, start, method="contact", step=1e-4)
    slowed = 0.05 * 0.4 * G * np.hypot(0.1, 0.15) / inertia(box, 1.0)[2]
    assert result["a.wz"][-1] == pytest.approx(5.0 - slowed, rel=1e-3)


@pytest.mark.parametrize("step", [1e-3, 1e-2])
def test_a_stack_of_ten_stands(step):
    """100 s (10 s with small steps) after it has settled, no box has moved by 1e-9 m."""
    box, facts, count = hs.Box((0.1, 0.1, 0.1)), [], 10
    for i in range(count):
        below = (f"b{i - 1}", box) if i else hs.WORLD.plane("z")
        facts += free(f"b{i}", box)
        facts.append(hs.Contact(f"c{i}", (f"b{i}", box), below, law=hs.Linear(1e6, 1e3), friction=0.5))
    model = hs.Model(*facts, gravity=(0, 0, -G))
    options = dict(method="contact", step=step, every=0.5)
    start = {f"jb{i}.z": 0.05 + 0.1 * i for i in range(count)}
    settled = hs.simulate(model, 5.0, start, **options)
    result = hs.simulate(model, 105.0 if step > 1e-3 else 15.0, settled, **options)
    for i in range(count):
        assert np.ptp(result[f"b{i}.position"], axis=0).max() < 1e-9
        assert result[f"c{i}.force"][-1] == pytest.approx((count - i) * G, rel=1e-9)


@pytest.mark.parametrize("bristle", [None, 1e5])
@pytest.mark.parametrize(("part", "holds"), [(1.05, True), (0.95, False)])
def test_a_grasp_holds_for_a_thousand_seconds(bristle, part, holds):
    """Two plates press a cube by springs: friction holds it where 2 μ N is more than its weight."""
    cube, plate, weight = hs.Box((0.05, 0.05, 0.05)), hs.Box((0.01, 0.1, 0.1)), 0.2 * G
    facts = [*free("cube", cube, 0.2)]
    for name, side in (("left", -1.0), ("right", 1.0)):
        facts += [
            hs.Body(name, mass=0.1, inertia=inertia(plate, 0.1)),
            hs.Prismatic(f"p_{name}", hs.WORLD.at(0.03 * side, 0, 0), name, axis="x"),
            hs.Spring(f"s_{name}", hs.WORLD.at(-side, 0, 0), name, stiffness=part * weight / 0.03, length=1),
            hs.Contact(
                f"c_{name}", ("cube", cube), (name, plate), law=hs.Linear(1e5, 100),
                friction=hs.Coulomb(0.5, bristle=bristle),
            ),
        ]  # fmt: skip
    model = hs.Model(*facts, gravity=(0, 0, -G))
    options = dict(method="contact", step=2e-2, every=0.5)
    settled = hs.simulate(model, 5.0, {}, **options)
    if not holds:
        assert settled["cube.z"][-1] < -1.0
        return
    result = hs.simulate(model, 1005.0, settled, **options | {"every": 50.0})
    assert np.ptp(result["cube.z"]) < 1e-12
    assert -result["c_left.push"][-1][2] - result["c_right.push"][-1][2] == pytest.approx(-weight, rel=1e-9)
