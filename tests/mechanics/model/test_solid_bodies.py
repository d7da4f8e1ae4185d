"""Inertia from geometry: against integrals, additive, at all scales and turns; meshes that are wrong."""

import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull, Delaunay

import hapsis as hs
from hapsis.mechanics.formats.mjcf.mjcf_geoms import moments as mjcf_moments
from hapsis.mechanics.formats.mjcf.mjcf_geoms import volume as mjcf_volume
from hapsis.mechanics.model.frames import rotation

SEEDS = range(12)
KINDS = ("box", "sphere", "cylinder", "capsule")
QUARTERS = ((0, 1, 2), (0, 2, 3), (4, 6, 5), (4, 7, 6), (0, 4, 5), (0, 5, 1))
BOX = np.array([*QUARTERS, (1, 5, 6), (1, 6, 2), (2, 6, 7), (2, 7, 3), (3, 7, 4), (3, 4, 0)])[:, ::-1]
CORNERS = (
    np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]) - 0.5
)


def matrix(inertia):
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def about(body, point=(0.0, 0.0, 0.0)):
    """The inertia about a point, by the parallel axis theorem."""
    d = np.array(body.com) - point
    return matrix(body.inertia) + body.mass * (d @ d * np.eye(3) - np.outer(d, d))


def sizes_of(rng, kind):
    if kind == "box":
        return {"size": tuple(rng.uniform(0.2, 2, 3))}
    sizes = {"radius": float(rng.uniform(0.2, 2))}
    return sizes if kind == "sphere" else {**sizes, "length": float(rng.uniform(0.2, 2))}


def solid(kind, sizes, **more):
    return getattr(hs.Body, kind)("part", **sizes, **more)


def integrated(kind, sizes):
    """Volume and ∫ x xᵀ dV by Gauss-Legendre slices across z; every slice is a disk or a rectangle."""
    z, w = np.polynomial.legendre.leggauss(40)
    if kind == "box":
        x, y, length = sizes["size"]
        pieces = [(0.5 * length * z, 0.5 * length * w, np.full(40, x * y), x * x / 12, y * y / 12)]
    else:
        r, length = sizes["radius"], sizes.get("length", 0.0)
        pieces = []
        if length:
            area = np.full(40, np.pi * r * r)
            pieces.append((0.5 * length * z, 0.5 * length * w, area, r * r / 4, r * r / 4))
        if kind != "cylinder":
            u, wu = 0.5 * r * (z + 1), 0.5 * r * w
            square = r * r - u * u  # the radius of the slice, squared
            for side in (1, -1):
                pieces.append((side * (length / 2 + u), wu, np.pi * square, square / 4, square / 4))
    second, total = np.zeros(3), 0.0
    for place, weight, area, xx, yy in pieces:
        total += np.sum(weight * area)
        second += [np.sum(weight * area * q) for q in (xx, yy, place**2)]
    return total, np.diag(second)


def mesh_of(rng):
    """A random convex solid, its triangles seen from outside, and an inner point."""
    points = rng.normal(size=(int(rng.integers(5, 30)), 3)) * rng.uniform(0.2, 3, 3) + rng.normal(size=3)
    hull = ConvexHull(points)
    rows = hull.simplices.copy()
    a, b, c = (points[rows[:, k]] for k in range(3))
    inward = np.einsum("ni,ni->n", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    rows[inward] = rows[inward][:, ::-1]
    return points, rows


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_solid_against_its_integral_and_the_other_formulas(seed, kind):
    sizes = sizes_of(np.random.default_rng(seed), kind)
    body = solid(kind, sizes, density=700.0)
    volume, second = integrated(kind, sizes)
    assert body.mass == pytest.approx(700.0 * volume, rel=1e-13)
    expected = 700.0 * (np.trace(second) * np.eye(3) - second)
    assert np.allclose(matrix(body.inertia), expected, rtol=1e-12)
    halves = sizes["size"] if kind == "box" else (2 * sizes["radius"], sizes.get("length", 0.0))
    half = [x / 2 for x in halves]
    assert body.mass == pytest.approx(700.0 * mjcf_volume(kind, half), rel=1e-13)
    assert np.allclose(body.inertia[:3], np.array(mjcf_moments(kind, half)) * body.mass, rtol=1e-13)
    by_mass = solid(kind, sizes, mass=body.mass)
    assert by_mass.mass == body.mass and np.allclose(by_mass.inertia, body.inertia, rtol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_lengths_scale_mass_and_inertia(scale, kind):
    sizes = sizes_of(np.random.default_rng(5), kind)
    large = {n: tuple(scale * x for x in s) if n == "size" else scale * s for n, s in sizes.items()}
    one, other = solid(kind, sizes, density=2.0), solid(kind, large, density=2.0)
    assert other.mass == pytest.approx(one.mass * scale**3, rel=1e-12)
    assert np.allclose(np.array(other.inertia) / scale**5, one.inertia, rtol=1e-12)
    points, rows = mesh_of(np.random.default_rng(6))
    one, other = (hs.Body.mesh("m", k * points, rows, density=2.0) for k in (1.0, scale))
    assert other.mass == pytest.approx(one.mass * scale**3, rel=1e-11)
    assert np.allclose(np.array(other.inertia) / scale**5, one.inertia, rtol=1e-11, atol=1e-11 * one.mass)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_turned_solid_has_the_turned_inertia(seed):
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % 4]
    sizes, at, rpy = sizes_of(rng, kind), tuple(rng.normal(size=3)), tuple(rng.uniform(-3, 3, 3))
    plain, placed = (
        solid(kind, sizes, mass=3.0, at=hs.Frame(a, r)) for a, r in (((0, 0, 0),) * 2, (at, rpy))
    )
    R = np.array(rotation(rpy))
    assert placed.com == at
    assert np.allclose(matrix(placed.inertia), R @ matrix(plain.inertia) @ R.T, rtol=1e-12, atol=1e-12)
    assert placed.shapes[0].at == hs.Frame(at, rpy)
    points, rows = mesh_of(rng)
    one = hs.Body.mesh("m", points, rows, density=2.0, at=hs.Frame(at, rpy))
    other = hs.Body.mesh("m", points @ R.T + at, rows, density=2.0)
    assert np.allclose(
        [one.mass, *one.com, *one.inertia], [other.mass, *other.com, *other.inertia], rtol=1e-9
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_add_up_to_the_whole(seed):
    rng = np.random.default_rng(seed)
    x, y, z = sizes_of(rng, "box")["size"]
    cut = float(rng.uniform(0.1, 0.9)) * x
    whole = hs.Body.box("whole", (x, y, z), density=5.0, at=(x / 2, 0, 0))
    left = hs.Body.box("left", (cut, y, z), density=5.0, at=(cut / 2, 0, 0))
    right = hs.Body.box("right", (x - cut, y, z), density=5.0, at=((cut + x) / 2, 0, 0))
    assert left.mass + right.mass == pytest.approx(whole.mass, rel=1e-13)
    assert np.allclose(about(left) + about(right), about(whole), rtol=1e-12)
    points, rows = mesh_of(rng)
    hull = hs.Body.mesh("hull", points, rows, density=5.0)
    mass, first, sums = 0.0, np.zeros(3), np.zeros((3, 3))
    for corners in points[Delaunay(points).simplices]:  # the same solid as tetrahedra
        e = corners[1:] - corners[0]
        volume = abs(np.linalg.det(e)) / 6
        mass, first = mass + 5 * volume, first + 5 * volume * corners.mean(axis=0)
        second = sum(np.outer(a, b) for a, b in itertools.product(corners, corners))
        second = (second + sum(np.outer(a, a) for a in corners)) * 5 * volume / 20
        sums += np.trace(second) * np.eye(3) - second
    assert hull.mass == pytest.approx(mass, rel=1e-10) and np.allclose(hull.com, first / mass, rtol=1e-9)
    assert np.allclose(about(hull), sums, rtol=1e-9, atol=1e-9 * abs(sums).max())


def test_a_box_of_triangles_is_a_box_and_a_cavity_is_subtracted():
    box = hs.Body.box("b", (1, 2, 3), density=3.0, at=(4, 5, 6))
    corners = CORNERS * (1, 2, 3) + (4, 5, 6)
    mesh = hs.Body.mesh("m", corners, BOX, density=3.0)
    assert np.allclose([mesh.mass, *mesh.com, *mesh.inertia], [box.mass, *box.com, *box.inertia], rtol=1e-13)
    soup = corners[BOX].reshape(-1, 3)  # as in STL files: each triangle has vertices of its own
    assert hs.Body.mesh("m", soup, np.arange(36).reshape(-1, 3), density=3.0).inertia == pytest.approx(
        mesh.inertia
    )
    both = np.concatenate([corners, CORNERS * (0.5, 0.5, 0.5) + (4, 5, 6)])
    hollow = hs.Body.mesh("m", both, np.concatenate([BOX, BOX[:, ::-1] + 8]), density=3.0)
    inner = hs.Body.box("i", (0.5, 0.5, 0.5), density=3.0, at=(4, 5, 6))
    assert hollow.mass == pytest.approx(box.mass - inner.mass)
    assert np.allclose(about(hollow), about(box) - about(inner))


WRONG = {
    "a hole": (CORNERS, BOX[1:], "is not closed: 3 edges belong to one triangle only"),
    "inside out": (CORNERS, BOX[:, ::-1], "inside out"),
    "one triangle turned": (CORNERS, [BOX[0][::-1], *BOX[1:]], "face different sides"),
    "a part inside out": (
        np.concatenate([CORNERS, CORNERS + 5]),
        np.concatenate([BOX, BOX[:, ::-1] + 8]),
        "inside out",
    ),
    "flat": (CORNERS * (1, 1, 0), BOX, "no volume"),
    "a line": (CORNERS, [(0, 0, 1)], "no volume"),
    "a vertex too many": (CORNERS, [(0, 1, 8)], "names vertex 8; expected a number from 0 to 7"),
    "no whole number": (CORNERS, [(0, 1, 1.5)], "whole numbers"),
    "two columns": (CORNERS[:, :2], BOX, "vertices must be rows of three numbers"),
    "not finite": (CORNERS * np.inf, BOX, "finite"),
}


@pytest.mark.parametrize("vertices, rows, words", WRONG.values(), ids=WRONG)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_mesh_that_is_no_solid_is_refused(vertices, rows, words):
    with pytest.raises(hs.ModelError, match=words) as error:
        hs.Body.mesh("part", vertices, rows, density=1.0)
    assert str(error.value).startswith('body "part"')


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: hs.Body.box("b", (1, 1, 1)), "neither mass nor density"),
        (lambda: hs.Body.box("b", (1, 1, 1), mass=1, density=1), "mass and density; expected one"),
        (lambda: hs.Body.box("b", (1, 1, -1), mass=1), "size.z is negative"),
        (lambda: hs.Body.box("b", (1, 1, 0), density=1), "no volume; give its mass"),
        (lambda: hs.Body.sphere("b", -1, mass=1), "radius is negative"),
        (lambda: hs.Body.sphere("b", 1, density=-1), "density is negative"),
        (lambda: hs.Body.sphere("b", 1, mas=1), 'no argument "mas"'),
        (lambda: hs.Body.box("b", 1, mass=1), "size must be 3 numbers"),
        (lambda: hs.Body.box("b", (1, 1, 1), mass=1, at=hs.Frame(rpy=("a", 0, 0))), "Weld"),
    ],
)
def test_errors_name_the_body_and_the_size(make, words):
    with pytest.raises(hs.ModelError, match=words):
        make()


@pytest.mark.parametrize("kind", KINDS)
def test_sizes_may_be_formulas(kind):
    sizes = sizes_of(np.random.default_rng(1), kind)
    names = {n: ("a", "b", "c") if n == "size" else n for n in sizes}
    parameters = {n: s for n, s in sizes.items() if n != "size"}
    parameters |= dict(zip("abc", sizes.get("size", ()), strict=False)) | {"rho": 3.0}
    at = hs.Frame(("2 * rho", 0, 0), (0.3, 0.2, 0.1))
    body, expected = solid(kind, names, density="rho", at=at), solid(kind, sizes, density=3.0, at=at)
    model = hs.Model(body, hs.Free("j", hs.WORLD, "part"), parameters=parameters)
    assert model.value(body.mass) == pytest.approx(expected.mass)
    assert np.allclose([model.value(x) for x in body.inertia], expected.inertia, rtol=1e-12)
    assert model.value(body.com[0]) == 6.0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_matrix_is_the_same_as_its_six_elements(seed):
    rng = np.random.default_rng(seed)
    R = np.array(rotation(rng.uniform(-3, 3, 3)))
    I = R @ np.diag([1.0, 1.5, 2.0]) @ R.T
    six = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    models = [
        hs.Model(hs.Body("b", 1.0, inertia=given), hs.Free("j", hs.WORLD, "b"))
        for given in (I, I.tolist(), tuple(map(tuple, I)), six)
    ]
    assert np.allclose(models[0].bodies["b"].inertia, six, rtol=0, atol=1e-15)
    assert models[0] == models[1] == models[2]
    assert models[3].replace("b", inertia=I) == models[0]


@pytest.mark.parametrize(
    "given, words",
    [
        ([[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]], "not symmetric: xy is 0.1, yx is 0.2"),
        ([[1, 0, 0], [0, -1, 0], [0, 0, 1]], "none may be negative"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 3]], "none may be more than the other two together"),
        ([[1, 2], [2, 1]], "3 or 6 numbers or a matrix of 3 by 3"),
        ([[1, 0, 0], [0, 1, 0], [0, 0]], "a row must be 3 numbers"),
        (np.ones((3, 4)), "a row must be 3 numbers"),
        ((1, 2, 3, 4), "not 4 numbers"),
    ],
)
def test_a_matrix_that_is_no_inertia_is_refused(given, words):
    with pytest.raises(hs.ModelError, match=words):
        hs.Model(hs.Body("b", 1.0, inertia=given), hs.Weld("w", hs.WORLD, "b"))


def test_files_hold_triangles_and_matrices(tmp_path):
    body = hs.Body.mesh("m", CORNERS * (1, 2, 3), BOX, density=3.0)
    model = hs.Model(body, hs.Revolute("j", hs.WORLD, "m"))
    hs.save(model, tmp_path / "m.yaml")
    assert hs.load(tmp_path / "m.yaml") == model
    text = "hapsis: 1\nbodies:\n  b: {mass: 1, inertia: [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]]}\n"
    (tmp_path / "b.yaml").write_text(text + "joints:\n  j: {type: revolute, first: world, second: b}\n")
    assert hs.load(tmp_path / "b.yaml").bodies["b"].inertia == (1, 1, 1, 0.1, 0, 0)


def test_a_solid_is_drawn_and_moves():
    from hapsis.mechanics.model.body_shapes import drawn_bodies

    body = hs.Body.mesh("m", CORNERS, BOX, mass=3.0)
    model = hs.Model(body, hs.Revolute("j", hs.WORLD.at(0, 0, 0), "m", axis="y"))
    (drawn,) = drawn_bodies(model)
    assert [table["type"] for table in drawn.shapes] == ["mesh"]
    with pytest.raises(hs.ModelError, match="a triangle_mesh cannot touch a plane"):
        model + hs.Contact("c", hs.Surface("m"), hs.WORLD.plane())


def test_a_triangle_that_is_there_twice_is_no_second_solid():
    vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    triangles = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    turned = [(b, c, a) for a, b, c in triangles]
    with pytest.raises(hs.ModelError, match="4 triangles are there twice"):
        hs.Body.mesh("w", vertices, triangles + turned, density=1.0)
