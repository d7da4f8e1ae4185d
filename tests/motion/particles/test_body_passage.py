"""Particles and shapes of bodies never pass each other unseen: thin plates, fast bodies, gaps of facets."""

import warnings

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.particles.runs.body_result import widths

P = hs.particles
SHAPES = {
    "box": hs.Box((1, 1, 0.001)),
    "sphere": hs.Sphere(0.0005),
    "capsule": hs.Capsule(0.0005, 1.0, at=hs.Frame((0, 0, 0), (0, np.pi / 2, 0))),
    "cylinder": hs.Cylinder(0.5, 0.001),
}


def bullet(shape, speed, stiffness, at=(0, 0, 1.0)):
    """10 g that fly down against a shape of 1 mm."""
    thing = P.ParticleObject("p", [at], [0.01], velocities=[(0, 0, -speed)])
    return P.Scene(thing, P.BodyContact(stiffness, 0, bodies=shape), gravity=(0, 0, 0))


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("speed", [1.0, 10.0, 100.0])
def test_a_thin_shape_stops_what_it_can_stop(kind, speed):
    """The stiffness λ d² / 2 = m v² / 2 takes the particle within a third of half the thickness."""
    stiffness = 0.01 * speed**2 / (0.0005 / 3) ** 2
    result = hs.simulate(bullet(SHAPES[kind], speed, stiffness), 2.5 / speed, every=0.1 / speed)
    assert result.success and result["p.vz"][-1] == pytest.approx(speed, rel=1e-4)
    assert result["p.z"].min() > 0.0


@pytest.mark.parametrize("kind", SHAPES)
def test_what_it_cannot_stop_is_told(kind):
    stiffness = 0.3 * 0.01 * 10.0**2 / 0.0005**2
    with pytest.warns(hs.Notice, match=f'"p.0" went through the {kind} of the world'):
        result = hs.simulate(bullet(SHAPES[kind], 10.0, stiffness), 0.25)
    assert result.status == "contact too deep" and result.energy_drift < 1e-4


def test_fixed_steps_that_skip_a_contact_are_told():
    with pytest.warns(hs.Notice, match="contacts unseen; in 1 steps particles moved too far"):
        result = hs.simulate(bullet(SHAPES["box"], 10.0, 1e8), 0.2, step=7e-3)
    assert not result.success


@pytest.mark.parametrize("turning", [False, True])
def test_a_fast_body_meets_particles_that_stand_still(turning):
    """A plate that flies, or a thin rod that turns, against a particle on a stiff spring."""
    rod = hs.Body.box("rod", (1.0, 0.002, 0.5), mass=1.0)
    joint = (
        hs.Revolute("j", hs.WORLD, "rod", axis="z")
        if turning
        else hs.Prismatic("j", hs.WORLD, "rod", axis="y")
    )
    model = hs.Model(rod, joint, gravity=(0, 0, 0))
    thing = P.ParticleObject("p", [(0.4, 0.05, 0)], [0.01])
    scene = P.Scene(model, thing, P.BodyContact(1e8))
    speed = 50.0 if turning else 20.0
    result = hs.simulate(scene, 0.02, {"j.v": speed}, every=1e-3)
    assert result.success and result["p.vy"][-1] > 20.0
    assert abs(result.energy_drift) < 1e-4


def test_what_lies_in_a_shape_at_the_start_is_let_out_on_any_side():
    thing = P.ParticleObject("p", [(0, 0, 0.0004)], [0.01], velocities=[(0, 0, -20.0)])
    scene = P.Scene(thing, P.BodyContact(1e5, bodies=SHAPES["box"]), gravity=(0, 0, 0))
    assert hs.simulate(scene, 0.01).success


def ball_on(cells):
    """A ball of 20 cm that falls on a cube of 1 m, beside its particles if there are few."""
    cube = P.solid("cube", hs.Box((1, 1, 1)), mass=5, stiffness=2e3, damping=2, cells=cells)
    ball = hs.Model(hs.Body.sphere("ball", 0.2, mass=0.2), hs.Chain("f", hs.WORLD, "ball", "Tx Ty Tz"))
    held = cube.holding(*np.flatnonzero(cube.points[:, 2] < -0.49).tolist())
    return P.Scene(ball, held, P.BodyContact(1e3, 1.0)), {"f.Tx": 0.25, "f.Ty": 0.1, "f.Tz": 0.75}


def test_a_shape_that_fits_between_particles_is_told():
    scene, start = ball_on(1)
    with pytest.warns(hs.Notice, match='sphere of "ball" fits between particles of "cube", 1.41 m apart'):
        result = hs.simulate(scene, 1.0, start)
    assert result["f.Tz"][-1] < -1.0  # it falls through
    scene, start = ball_on(4)
    with warnings.catch_warnings():
        warnings.simplefilter("error", hs.Notice)
        result = hs.simulate(scene, 0.3, start)
    assert result["f.Tz"].min() > 0.6


def test_how_wide_triangles_are():
    """No point of a triangle is farther from all corners, by a dense grid."""
    rng = np.random.default_rng(0)
    corners = rng.normal(size=(200, 3, 3))
    u = np.linspace(0, 1, 60)
    weights = np.array([(a, b, 1 - a - b) for a in u for b in u if a + b <= 1])
    points = np.einsum("kc,ncx->nkx", weights, corners)
    far = np.linalg.norm(points[:, :, None] - corners[:, None], axis=3).min(axis=2).max(axis=1)
    assert (far <= widths(corners) * (1 + 1e-12)).all() and (far > 0.93 * widths(corners)).all()
