"""Convex hulls and ellipsoids as shapes: corners, masses, files, and which methods take their contacts."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.convex_hull import convex_hull

CUBE = 0.5 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


@pytest.mark.parametrize("seed", range(6))
def test_a_hull_holds_its_points_and_closes(seed):
    draw = np.random.default_rng(seed)
    scale = 10.0 ** draw.uniform(-6, 3)
    points = scale * (draw.normal(size=(40, 3)) + 3.0)
    hull = convex_hull(points)
    edges = set()
    for loop, n in zip(hull.loops, hull.normals, strict=True):
        face = hull.corners[list(loop)]
        assert np.ptp(face @ n) < 1e-8 * scale
        assert ((points - face[0]) @ n).max() < 1e-8 * scale
        # counterclockwise about the normal
        assert np.cross(face[1] - face[0], face[2] - face[1]) @ n > 0.0
        edges |= set(zip(loop, (*loop[1:], loop[0]), strict=True))
    # closed: each edge is walked once each way; Euler's formula
    assert edges == {(b, a) for a, b in edges}
    assert len(hull.corners) - len(edges) // 2 + len(hull.loops) == 2


def test_faces_of_a_cube_are_squares():
    assert sorted(len(loop) for loop in convex_hull(CUBE).loops) == [4] * 6


def test_points_inside_are_left_out_and_a_mesh_will_do():
    hull = hs.Hull([*CUBE, (0.1, 0, 0)])
    assert np.array_equal(hull.points, CUBE)
    mesh = hs.TriangleMesh(CUBE, hull.hull.triangles)
    assert hs.Hull(mesh) == hull
    assert hs.Hull(hull.points) == hull


def test_masses():
    cube, hull = hs.Body.box("b", (1, 1, 1), density=700), hs.Body.hull("b", CUBE, density=700)
    assert hull.mass == pytest.approx(cube.mass, rel=1e-14)
    assert hull.inertia == pytest.approx(cube.inertia, rel=1e-13)
    # an ellipsoid of equal axes is a ball, and any one is near the hull of its points
    ball, equal = hs.Body.sphere("b", 0.4, mass=2), hs.Body.ellipsoid("b", (0.4, 0.4, 0.4), mass=2)
    assert equal.inertia == pytest.approx(ball.inertia, rel=1e-14)
    draw = np.random.default_rng(1).normal(size=(4000, 3))
    points = draw / np.linalg.norm(draw, axis=1)[:, None] * (0.2, 0.3, 0.5)
    egg, many = hs.Body.ellipsoid("b", (0.2, 0.3, 0.5), density=1e3), hs.Body.hull("b", points, density=1e3)
    assert many.mass == pytest.approx(egg.mass, rel=0.01)
    assert many.inertia[:3] == pytest.approx(egg.inertia[:3], rel=0.01)


@pytest.mark.parametrize("shape", [hs.Hull(CUBE), hs.Ellipsoid((0.3, "a", 0.5), at=(0, 0, 1))])
def test_files(shape, tmp_path):
    body = hs.Body("b", mass=1, inertia=(1, 1, 1), shapes=(shape,))
    model = hs.Model(body, hs.Free("f", hs.WORLD, "b"), parameters={"a": 0.4})
    hs.save(model, tmp_path / "m.yaml")
    assert hs.load(tmp_path / "m.yaml").bodies["b"].shapes == (shape,)


def test_errors():
    for points, message in (
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], "lie in a plane"),
        ([(0, 0), (1, 0)], "rows of three numbers"),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, np.inf)], "must be finite"),
        ("abc", "rows of three numbers"),
    ):
        with pytest.raises(ModelError, match=message):
            hs.Hull(points)


@pytest.mark.parametrize("shape", [hs.Hull(CUBE), hs.Ellipsoid((0.5, 0.4, 0.5))])
def test_contacts_need_steps_of_impulses(shape):
    body = hs.Body("b", mass=1, inertia=(0.2, 0.2, 0.2), shapes=(shape,))
    floor = hs.Contact("c", hs.Surface("b"), hs.WORLD.plane(), friction=0.5)
    model = hs.Model(body, hs.Free("f", hs.WORLD, "b"), floor)
    with pytest.raises(ModelError, match=r'cannot touch a plane; it can with simulate\(method="contact"\)'):
        hs.simulate(model, until=0.1, start={"f.z": 0.6})
    result = hs.simulate(model, until=1.0, start={"f.z": 0.51}, method="contact", step=0.005)
    assert abs(result["f.z"][-1] - 0.5) < 2e-3


def test_a_hull_comes_to_rest_in_a_valley():
    body = hs.Body("b", mass=1, inertia=(0.2, 0.2, 0.2), shapes=(hs.Hull(0.2 * CUBE),))
    valley = hs.WORLD.heightfield(lambda x, y: 0.3 * (x * x + y * y))
    model = hs.Model(
        body, hs.Free("f", hs.WORLD, "b"), hs.Contact("c", hs.Surface("b"), valley, friction=0.5)
    )
    result = hs.simulate(model, until=1.0, start={"f.z": 0.15}, method="contact", step=0.002)
    # on four corners at 0.1 from the axis each way
    assert abs(result["f.z"][-1] - (0.1 + 0.3 * 0.02)) < 2e-3
