"""NURBS surfaces: derivatives against SciPy's splines, the same bits as Python, and what is refused."""

import numpy as np
import pytest
import sculptures
from scipy.interpolate import BSpline

import hapsis as hs
from hapsis.touch.haptics.surfaces import evaluation, tracing
from hapsis.touch.haptics.surfaces.knot_insertion import bezier_patches

ORDERS = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]


def random_surface(rng, degrees=None):
    degrees = degrees or tuple(int(d) for d in rng.integers(1, 6, 2))
    counts = [d + int(rng.integers(1, 5)) if d > 1 else 2 for d in degrees]  # lines with corners are creases
    knots = []
    for d, n in zip(degrees, counts, strict=True):
        inner = np.sort(rng.uniform(0.0, 2.0, n - d - 1))
        outer = rng.random() < 0.5  # clamped, or with knots outside of the domain
        low, high = (
            (np.zeros(d + 1), np.full(d + 1, 2.0)) if outer else (np.arange(-d, 1), 2 + np.arange(d + 1))
        )
        knots.append(np.concatenate([low, inner, high]))
    points, weights = rng.standard_normal((*counts, 3)), rng.uniform(0.3, 2.0, counts)
    return sculptures.face(points, degrees=degrees, knots=tuple(knots), weights=weights)


def by_splines(surface, u, v):
    """S and its derivatives by SciPy's splines of A = w S and the product rule."""
    shape = surface.homogeneous.shape

    def a(i, j):
        rows = BSpline(surface.knots[0], surface.homogeneous.reshape(shape[0], -1), surface.degrees[0])
        return BSpline(surface.knots[1], rows(u, nu=i).reshape(shape[1:]), surface.degrees[1])(v, nu=j)

    h = {order: a(*order) for order in ORDERS}
    w = {order: x[3] for order, x in h.items()}
    s = {(0, 0): h[0, 0][:3] / w[0, 0]}
    s[1, 0] = (h[1, 0][:3] - w[1, 0] * s[0, 0]) / w[0, 0]
    s[0, 1] = (h[0, 1][:3] - w[0, 1] * s[0, 0]) / w[0, 0]
    s[2, 0] = (h[2, 0][:3] - 2 * w[1, 0] * s[1, 0] - w[2, 0] * s[0, 0]) / w[0, 0]
    s[0, 2] = (h[0, 2][:3] - 2 * w[0, 1] * s[0, 1] - w[0, 2] * s[0, 0]) / w[0, 0]
    s[1, 1] = (h[1, 1][:3] - w[1, 0] * s[0, 1] - w[0, 1] * s[1, 0] - w[1, 1] * s[0, 0]) / w[0, 0]
    return np.array([s[order] for order in ORDERS])


def test_derivatives_are_those_of_splines():
    rng = np.random.default_rng(0)
    for k in range(28):
        surface = random_surface(rng, (None, (9, 2), (3, 11), (25, 5))[max(0, k - 24)])
        body = hs.haptics.NurbsBody(surface)
        for u, v in rng.uniform(0.0, 2.0, (8, 2)):
            wanted = by_splines(surface, u, v)
            assert np.allclose(body.at(0, u, v), wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())


def test_ends_of_the_domain_are_the_corners():
    rng = np.random.default_rng(1)
    surface = sculptures.sheet(rng)
    body = hs.haptics.NurbsBody(surface)
    for u, i in ((0.0, 0), (1.0, -1)):
        for v, j in ((0.0, 0), (1.0, -1)):
            assert np.allclose(body.at(0, u, v)[0], surface.points[i, j], atol=1e-15)


def test_python_gives_the_same_bits():
    rng = np.random.default_rng(2)
    body = hs.haptics.NurbsBody(sculptures.sphere(0.05), sculptures.sheet(rng))
    memory, place, again = body.memory, np.zeros(6), np.zeros(6)
    for _ in range(3):
        face, (u, v) = int(rng.integers(2)), rng.random(2)
        evaluation.evaluate(memory, face, u, v)
        s = memory.s.copy()
        evaluation.evaluate.python(memory, face, u, v)
        assert (memory.s == s).all()
        place[:4] = again[:4] = face, u, v, -1.0
        x = rng.uniform(-0.05, 0.1, 3)
        tracing.trace(memory, x, place, 0.0, 1.0)
        tracing.trace.python(memory, x, again, 0.0, 1.0)
        assert (place == again).all()


def test_bezier_patches_are_the_surface():
    rng = np.random.default_rng(3)
    for _ in range(10):
        surface = random_surface(rng)
        body = hs.haptics.NurbsBody(surface)
        nets, cuts_u, cuts_v = bezier_patches(surface.homogeneous, surface.knots, surface.degrees, 3)
        corners = nets[:, :, [0, -1]]
        for i in range(len(cuts_u) - 1):
            for j in range(len(cuts_v) - 1):
                ends = [body.at(0, cuts_u[i], cuts_v[j])[0], body.at(0, cuts_u[i + 1], cuts_v[j + 1])[0]]
                assert np.allclose(corners[i, j], ends, atol=1e-10)


def test_closed_directions_and_poles_are_found():
    closed = [
        list(hs.haptics.NurbsBody(face).memory.closed)
        for face in (sculptures.torus(0.05, 0.02), sculptures.sphere(0.05), sculptures.tube(0.03, 0.1))
    ]
    assert closed == [[1, 1], [1, 0], [1, 0]]
    sphere = hs.haptics.NurbsBody(sculptures.sphere(0.05))
    assert sphere.memory.pole.all() and sphere.solid
    assert not hs.haptics.NurbsBody(sculptures.tube(0.03, 0.1)).solid
    assert sculptures.box([1.0, 2.0, 3.0]).solid


NET = np.zeros((4, 4, 3)) + np.arange(4)[:, None, None]
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sculptures.face([[1, 2], [3, 4]]), "points have the shape"),
        (lambda: sculptures.face(NET * np.nan), "points must be finite numbers"),
        (lambda: sculptures.face(NET, degrees=(3, 4)), "4 control points along v; expected at least 5"),
        (lambda: sculptures.face(NET, degrees=(0, 3)), "the degree along u is 0; expected 1 to 25"),
        (lambda: sculptures.face(NET, degrees=3), "degrees must be a pair"),
        (lambda: sculptures.face(NET, knots=([0] * 4 + [1] * 3, None)), "7 knots along u; expected 8"),
        (lambda: sculptures.face(NET, knots=([0] * 4 + [1, 2, 1, 1], None)), "the knots along u decrease"),
        (lambda: sculptures.face(NET, knots=([0] * 8, None)), "more than 3 equal knots along u"),
        (lambda: sculptures.face(NET, weights=np.zeros((4, 4))), "weights must be positive"),
        (lambda: sculptures.face(NET, trims=3), "trims must be a list of closed polylines"),
        (lambda: sculptures.face(NET, trims=[SQUARE[:2]]), "needs 3 corners or more"),
        (lambda: sculptures.face(NET, trims=[[(0, 0), (2, 0), (0, 1)]]), "leaves the domain"),
        (lambda: hs.haptics.NurbsBody(), "made of one NurbsSurface or several"),
        (lambda: hs.haptics.NurbsBody(sculptures.face(NET * 0.0)), "the control points span 0 m"),
        (lambda: sculptures.box([1, 1, 1]).at(6, 0.0, 0.0), "there is no face 6; expected 0 to 5"),
        (lambda: sculptures.box([1, 1, 1]).at(0, 0.0, 2.0), "v is 2; expected 0 to 1"),
        (lambda: sculptures.box([1, 1, 1]).nearest([0.0, np.nan, 0.0]), "three finite numbers"),
        (lambda: sculptures.box([1, 1, 1]).nearest([1e200, 0.0, 0.0]), "further away than 1e"),
    ],
)
def test_what_is_wrong_is_said(make, message):
    with pytest.raises(hs.ModelError, match=message):
        make()


def test_a_crease_and_a_face_turned_over_are_refused():
    roof = np.array([[(x, y, -abs(x)) for y in (0.0, 1.0)] for x in (-1.0, 0.0, 1.0)])
    with pytest.raises(hs.ModelError, match=r'"roof": it has a crease at u = 0.5; make two faces'):
        hs.haptics.NurbsBody(sculptures.face(roof, degrees=(1, 1), name="roof"))
    faces = sculptures.box_faces([1.0, 1.0, 1.0])
    wrong = sculptures.face(faces[0].points[::-1], degrees=(1, 1), name="turned")
    with pytest.raises(hs.ModelError, match="with a normal on the other side; reverse the control points"):
        hs.haptics.NurbsBody(wrong, *faces[1:])
