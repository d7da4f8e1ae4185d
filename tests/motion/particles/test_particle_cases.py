"""Known answers of particles: frequency, restitution, friction, straight bars, joints that go around."""

import numpy as np
import pytest
from random_particles import Forces

import hapsis as hs

P = hs.particles
SPACE = (0.0, 0.0, 0.0)


def pair(stretch, speed=0.0, stiffness=100.0, damping=5.0):
    points = [(0, 0, 0), (1 + stretch, 0, 0)]
    springs = P.Connectors.of([(0, 1)], 1.0, stiffness, damping)
    return P.ParticleObject("pair", points, [1, 1], springs, velocities=[(0, 0, 0), (speed, 0, 0)])


def test_two_particles():
    """λ = 100, μ = 5, unit masses: ω₀ = √(2λ), ζ = μ/√(2λ), and the period of the damped motion."""
    result = hs.simulate(
        P.Scene(pair(0.1), gravity=SPACE), until=2.0, every=1e-4, step=5e-5, method="symplectic"
    )
    gap = result["pair.1"][:, 0] - result["pair.0"][:, 0] - 1.0
    w, zeta = np.sqrt(200.0), 5 / np.sqrt(200.0)
    assert np.isclose(w, 14.1421356) and np.isclose(zeta, 0.353553, atol=1e-6)
    wd = w * np.sqrt(1 - zeta**2)
    t = result.t
    exact = 0.1 * np.exp(-zeta * w * t) * (np.cos(wd * t) + zeta * w / wd * np.sin(wd * t))
    assert np.abs(gap - exact).max() < 1e-6
    k = np.flatnonzero((gap[:-1] > 0) & (gap[1:] <= 0))
    down = t[k] + 1e-4 * gap[k] / (gap[k] - gap[k + 1])
    assert np.isclose(down[1] - down[0], 0.4749641647, rtol=1e-5)
    assert np.isclose(2 * np.pi / wd, 0.4749641647, rtol=1e-9)


@pytest.mark.parametrize(("pulls", "expected"), [(True, 0.4443442251), (False, 0.5062765525)])
def test_restitution_of_a_wall(pulls, expected):
    """A unit mass on a wall of 100 N/m and 5 N s/m, with force until the height is zero, or cut at zero."""
    ball = P.ParticleObject("ball", [(0, 0, 0.0)], [1.0], velocities=[(0, 0, -1.0)])
    scene = P.Scene(ball, P.Floor(stiffness=100, damping=5, pulls=pulls), gravity=SPACE)
    result = hs.simulate(scene, until=0.6, step=2e-6, every=0.1, method="symplectic")
    assert np.isclose(result["ball.vz"][-1], expected, rtol=1e-5)


def slope(angle, friction):
    normal = (np.sin(angle), 0.0, np.cos(angle))
    thing = P.ParticleObject("thing", [(0, 0, 0)], [1.0])
    depth = 9.81 * np.cos(angle) / 1e4
    thing = thing.at(*(-depth * np.array(normal)))
    return P.Scene(thing, P.Floor(stiffness=1e4, damping=200, friction=friction, normal=normal))


@pytest.mark.parametrize("ratio", [0.5, 0.99, 1.01, 1.5])
def test_it_sticks_up_to_the_angle_of_friction(ratio):
    angle = np.radians(20)
    scene = slope(angle, np.tan(angle) / ratio)
    moved = np.abs(hs.simulate(scene, until=1.0, every=0.1)["thing.x"]).max()
    if ratio <= 1.0:
        assert moved < 1e-3
    else:
        assert moved > 0.01


def test_it_slides_by_coulomb():
    """30° with 0.4: g (sin α - μ cos α)."""
    scene = slope(np.radians(30), 0.4)
    result = hs.simulate(scene, until=1.0, every=0.1)
    speed = np.hypot(result["thing.vx"][-1], result["thing.vz"][-1])
    assert np.isclose(speed, 1.5067163155, rtol=1e-4)


def test_a_torsion_spring_at_pi_is_a_stiff_bar():
    """Three particles on a line: a bending frequency of √(λ (1/m + 1/m + 4/m))/l about the line."""
    k, l, m = 40.0, 0.5, 2.0
    points = [(-l, 0, 0), (0, 0, 0), (l, 0, 0)]
    springs = P.Connectors.of([(0, 1), (1, 2)], l, 1e4)
    bar = P.ParticleObject("bar", points, [m] * 3, springs, P.Connectors.of([(0, 1, 2)], np.pi, k, width=3))
    for way in ((0, 1, 0), (0, 0, 1), (0, 0.6, 0.8)):
        speed = 1e-3 * np.array(way)
        pushed = P.ParticleObject(
            "bar", points, [m] * 3, springs, bar.torsions, velocities=[speed, -2 * speed, speed]
        )
        result = hs.simulate(P.Scene(pushed, gravity=SPACE), until=0.5, every=1e-3)
        off = result["bar.points"] @ np.array(way)
        bend = off[:, 0] - 2 * off[:, 1] + off[:, 2]
        w = np.sqrt(k * 6 / m) / l
        assert np.abs(bend - 6e-3 / w * np.sin(w * result.t)).max() < 2e-5


def test_a_joint_spring_goes_around():
    """The angle of a driven arm passes π, and its force is as smooth there as anywhere."""
    points = np.array([(1, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 1)], float)
    joint = P.Connectors.of([(0, 1, 2, 3)], np.pi - 0.2, 7.0, width=4)
    energies = []
    angles = np.pi + np.linspace(-0.5, 0.5, 101)
    for angle in angles:
        x = points.copy()
        x[2] = (np.cos(angle), np.sin(angle), 0)
        own = Forces(P.Scene(P.ParticleObject("j", x, [1] * 4, joints=joint), gravity=SPACE))
        energies.append(own.potential(x))
        push = own.at(x, 0 * x)
        tangent = np.array((-np.sin(angle), np.cos(angle), 0))
        assert np.isclose(push[2] @ tangent, -7.0 * (angle - np.pi + 0.2), atol=1e-9)
    assert np.allclose(energies, 3.5 * (angles - np.pi + 0.2) ** 2, atol=1e-12)


def test_energy_steps_halve_and_grow():
    """A stiff floor needs short steps where the ball is in it, and only there."""
    ball = P.ParticleObject("ball", [(0, 0, 0.5)], [1.0])
    scene = P.Scene(ball, P.Floor(stiffness=1e6))
    result = hs.simulate(scene, until=2.0)
    assert result.success and result.report["rejected"] > 0
    longest, shortest = result["step"].max(), result["step"].min()
    assert longest > 10 * shortest
    assert abs(result.energy_drift) < 1e-3


def test_a_run_without_a_step_has_its_start():
    """No step creates less than nothing: the run says so, and goes on from its only row."""
    cube = P.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000).moving(spin=(1, 2, 3))
    scene = P.Scene(cube, step=P.EnergyStep(error=1e-300))
    with pytest.warns(hs.Notice, match="step too small; t = 0: a step of"):
        stuck = hs.simulate(scene, 1.0)
    assert not stuck.success and list(stuck.t) == [0.0]
    assert np.array_equal(stuck["cube.points"][0], cube.points) and stuck["kinetic"][0] > 0.0
    assert hs.simulate(P.Scene(cube), 0.01, stuck).success
