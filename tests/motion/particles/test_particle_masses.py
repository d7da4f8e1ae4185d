"""Masses, centres and inertias of solids as particles are those of their shapes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.mechanics.model.shapes.solid_masses import solid_mass
from hapsis.motion.particles.filling.hexahedra import cut_in_24, filled_hexahedra, nine_masses
from hapsis.motion.particles.objects.moments import moments_of, tetrahedra_moments, volumes

P = hs.particles
CUBE = np.array([(k >> 2 & 1, k >> 1 & 1, k & 1) for k in range(8)], float)
lengths = st.floats(0.3, 3.0)


def exact(shape, density=700.0):
    """Mass, centre and inertia by the model's own formulas."""
    m, center, (xx, yy, zz, xy, xz, yz) = solid_mass(shape, None, density, "shape")
    return m, np.array(center), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def agree(thing, m, center, I):
    size = np.sqrt(np.trace(I) / m)
    assert abs(thing.mass / m - 1.0) < 1e-12
    assert np.abs(thing.center - center).max() < 1e-12 * (size + np.abs(center).max())
    assert np.abs(thing.inertia - I).max() < 1e-12 * (np.abs(I).max() + m * (center @ center))


@settings(max_examples=25, deadline=None)
@given(
    kind=st.sampled_from(["Box", "Sphere", "Cylinder", "Capsule", "Ellipsoid"]),
    size=st.tuples(lengths, lengths, lengths),
    power=st.integers(-6, 3),
    rpy=st.tuples(*[st.floats(-3, 3)] * 3),
    particles=st.sampled_from([9, 13, 39]),
)
def test_shapes_keep_mass_center_and_inertia(kind, size, power, rpy, particles):
    a, b, c = (x * 10.0**power for x in size)
    shape = {
        "Box": lambda at: hs.Box((a, b, c), at=at),
        "Sphere": lambda at: hs.Sphere(a, at=at),
        "Cylinder": lambda at: hs.Cylinder(a, b, at=at),
        "Capsule": lambda at: hs.Capsule(a, b, at=at),
        "Ellipsoid": lambda at: hs.Ellipsoid((a, b, c), at=at),
    }[kind](hs.Frame((a, -b, c), rpy))
    cells = (2, 2, 2) if kind != "Capsule" else (2, 2, 4)
    if particles == 13 and kind != "Box":
        particles = 9
    thing = P.solid("thing", shape, density=700.0, stiffness=1.0, cells=cells, particles=particles)
    agree(thing, *exact(shape))
    assert thing.masses.min() > 0.0
    turned = thing.at(0, 0, 0, rpy=(0.3, -0.7, 2.0))
    assert np.allclose(np.linalg.eigvalsh(turned.inertia), np.linalg.eigvalsh(exact(shape)[2]), rtol=1e-11)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), power=st.integers(-6, 3), cells=st.integers(1, 3))
def test_hulls_keep_mass_center_and_inertia(seed, power, cells):
    points = np.random.default_rng(seed).normal(size=(12, 3)) * 10.0**power
    shape = hs.Hull(points.tolist())
    agree(P.solid("thing", shape, density=700.0, stiffness=1.0, cells=cells), *exact(shape))


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_tetrahedron_is_a_twentieth_at_corners(seed):
    """Against the integral of x² over a tetrahedron by its own formula, ∫ λₐ λᵦ dV = V (1 + δ)/20."""
    x = np.random.default_rng(seed).normal(size=(4, 3))
    tet = np.array([[0, 1, 2, 3]])
    mass = np.array([2.5])
    have = tetrahedra_moments(x, tet, mass)
    second = 2.5 / 20.0 * sum(np.outer(x[a], x[b]) * (1 + (a == b)) for a in range(4) for b in range(4))
    center = x.mean(axis=0)
    assert np.allclose(have.center, center, atol=1e-14)
    assert np.allclose(have.second, second - 2.5 * np.outer(center, center), atol=1e-13)


@pytest.mark.parametrize("rule", [13, 39])
def test_random_cells_are_exact(rule):
    """Cells with plane faces, maps of a cube, against their own volume by the divergence theorem."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        # an affine map, then a perspective one, keeps faces plane
        x = CUBE @ (np.eye(3) + rng.uniform(-0.2, 0.2, (3, 3))) + rng.normal(size=3)
        x = x / (1.0 + 0.05 * (x @ rng.uniform(-1, 1, 3)))[:, None]
        fill = filled_hexahedra(x, np.arange(8)[None], rule, np.array([rng.random() < 0.5]), "cell")
        places, tets, _ = cut_in_24(x, np.arange(8)[None])
        exact = tetrahedra_moments(places, tets[0], volumes(places, tets[0]))
        have = moments_of(fill.points, fill.masses)
        assert len(fill.masses) == rule
        assert np.isclose(have.mass, exact.mass, rtol=1e-13)
        assert np.allclose(have.center, exact.center, rtol=0, atol=1e-13)
        assert np.allclose(have.second, exact.second, rtol=0, atol=1e-13)


def test_nine_particles_are_near():
    """The mean relative error of the inertia of random cells whose corners moved by up to a tenth."""
    rng = np.random.default_rng(1)
    x = CUBE + rng.uniform(-0.1, 0.1, (2000, 8, 3))
    hexes = np.arange(16000).reshape(-1, 8)
    flat = x.reshape(-1, 3)
    corners, centers, middle = nine_masses(flat, hexes)
    places, tets, _ = cut_in_24(flat, hexes)
    errors = []
    for k in range(len(x)):
        exact = tetrahedra_moments(places, tets[k], volumes(places, tets[k]))
        have = moments_of(np.vstack([x[k], middle[k]]), np.append(corners[k], centers[k]))
        assert np.isclose(have.mass, exact.mass, rtol=1e-12)
        errors.append(np.linalg.norm(have.inertia - exact.inertia) / np.linalg.norm(exact.inertia))
    assert 1e-5 < np.mean(errors) < 1e-3  # 3e-4 with corners that moved by up to 6 %


def test_symmetry_and_principal_axes():
    """Each mirror image of a shape's particles is the same particles, with the same masses."""
    for shape in (hs.Box((1, 2, 3)), hs.Sphere(1.0), hs.Cylinder(1.0, 2.0), hs.Capsule(1.0, 2.0)):
        thing = P.solid("thing", shape, mass=1.0, stiffness=1.0, cells=4)
        rows = {tuple(np.round(row, 9) + 0.0) for row in np.column_stack([thing.points, thing.masses])}
        for axis in range(3):
            mirror = thing.points * np.where(np.arange(3) == axis, -1, 1)
            other = {tuple(np.round(row, 9) + 0.0) for row in np.column_stack([mirror, thing.masses])}
            assert rows == other
        off = thing.inertia - np.diag(np.diag(thing.inertia))
        assert np.abs(off).max() < 1e-13


def torus(cells):
    """A ring, whose centre of mass is outside of it."""
    u, v = (a.ravel() * np.pi for a in np.meshgrid(np.arange(16) / 8, np.arange(8) / 4, indexing="ij"))
    ring = 1.0 + 0.35 * np.cos(v)
    x = np.column_stack([ring * np.cos(u), ring * np.sin(u), 0.35 * np.sin(v)])
    at = np.arange(128).reshape(16, 8)
    a, b = at, np.roll(at, -1, axis=0)
    c, d = np.roll(b, -1, axis=1), np.roll(at, -1, axis=1)
    triangles = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    shape = hs.TriangleMesh(x.tolist(), triangles.tolist())
    return shape, P.solid("ring", shape, density=700.0, material="rubber", cells=cells)


def test_a_mesh_that_is_not_seen_from_its_centre():
    """A lattice near the surface, with the exact moments of what the surface encloses."""
    shape, thing = torus(3)
    m, center, I = exact(shape)
    agree(thing, m, center, I)
    assert abs(surface_volume(thing) * 700.0 / m - 1.0) < 0.03
    assert thing.masses.min() > 0.0 and (thing.cells.volume > 0.0).all()


def surface_volume(thing):
    a, b, c = (thing.points[thing.facets[:, k]] for k in range(3))
    return np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0


@pytest.mark.parametrize("particles", [9, 13, 39])
def test_facets_enclose_the_solid(particles):
    thing = P.solid("b", hs.Box((1, 2, 3)), mass=1.0, stiffness=1.0, cells=(2, 3, 1), particles=particles)
    assert np.isclose(surface_volume(thing), 6.0)
    ball = P.solid("b", hs.Sphere(1.0), mass=1.0, stiffness=1.0, cells=8)
    assert 0.94 < surface_volume(ball) / (4 / 3 * np.pi) < 1.0


def delaunay(seed):
    """Tetrahedra of a random convex set, in random order and with random orientations."""
    from scipy.spatial import Delaunay

    rng = np.random.default_rng(seed)
    x = rng.normal(size=(30, 3))
    tets = Delaunay(x).simplices
    volume = np.abs(np.linalg.det(x[tets[:, 1:]] - x[tets[:, :1]]))
    return x, rng.permuted(rng.permutation(tets[volume > 1e-6]), axis=1)


@pytest.mark.parametrize("seed", range(3))
def test_tetrahedra_of_a_mesh_program(seed):
    """Mass, centre and inertia by the integral over each; the surface encloses what they fill."""
    x, tets = delaunay(seed)
    unused = np.vstack([x, [(9.0, 9.0, 9.0)]])
    thing = P.tetrahedra("part", unused, tets, density=700.0, material="rubber")
    mass = 700.0 * np.abs(np.linalg.det(x[tets[:, 1:]] - x[tets[:, :1]])) / 6.0
    own = tetrahedra_moments(x, tets, mass)
    agree(thing, own.mass, own.center, own.inertia)
    assert np.isclose(700.0 * surface_volume(thing), own.mass) and len(thing) == 30 + len(tets)
    assert (thing.cells.volume > 0.0).all()
    soft = P.tetrahedra("part", x, tets.tolist(), mass=2.0, stiffness=100.0)
    assert np.isclose(soft.mass, 2.0) and P.free_motions(soft) == 0
