"""The nearest point of NURBS bodies: closed forms, SciPy from many starts, and bodies cut into faces."""

import numpy as np
import sculptures
from scipy.optimize import minimize

import hapsis as hs
from hapsis.touch.haptics.surfaces.boundaries import inside

NEAR = 1e-9  # m


def test_closed_forms():
    """Points of a sphere, a torus, a tube and a box, also of probes inside."""
    rng = np.random.default_rng(0)

    def ring(x):
        return x * (1.0, 1.0, 0.0) / np.hypot(x[0], x[1])

    def on_torus(x):
        middle = 0.05 * ring(x)
        return middle + 0.02 * (x - middle) / np.linalg.norm(x - middle)

    def on_box(x):
        half = np.array([0.05, 0.03, 0.01])
        y = np.clip(x, -half, half)
        if (np.abs(x) < half).all():
            k = int(np.argmax(np.abs(x) - half))
            y[k] = np.copysign(half[k], x[k])
        return y

    cases = [
        (hs.haptics.NurbsBody(sculptures.sphere(0.05)), lambda x: 0.05 * x / np.linalg.norm(x)),
        (hs.haptics.NurbsBody(sculptures.torus(0.05, 0.02)), on_torus),
        (
            hs.haptics.NurbsBody(sculptures.tube(0.03, 0.1)),
            lambda x: 0.03 * ring(x) + (0, 0, np.clip(x[2], 0, 0.1)),
        ),
        (sculptures.box([0.1, 0.06, 0.02]), on_box),
    ]
    for body, wanted in cases:
        for x in rng.uniform(-0.08, 0.12, (200, 3)):
            found = body.nearest(x)
            assert np.linalg.norm(found.point - wanted(x)) < NEAR
            assert abs(found.distance - np.linalg.norm(x - wanted(x))) < NEAR


def by_search(surface, body, x):
    """The nearest point of an untrimmed surface: SciPy from the best of a dense grid."""
    grid = np.linspace(0.0, 1.0, 25)
    squares = [(np.sum((body.at(0, u, v)[0] - x) ** 2), u, v) for u in grid for v in grid]

    def half_square(p):
        s = body.at(0, *np.clip(p, 0.0, 1.0))
        return 5e3 * np.sum((s[0] - x) ** 2), 1e4 * s[1:3] @ (s[0] - x)

    runs = [
        minimize(half_square, start, jac=True, bounds=[(0, 1)] * 2, options={"ftol": 1e-15, "gtol": 1e-13})
        for _, *start in sorted(squares)[:8]
    ]
    return np.sqrt(min(run.fun for run in runs) / 5e3)


def test_random_sheets_against_a_search():
    rng = np.random.default_rng(1)
    for _ in range(4):
        surface = sculptures.sheet(rng)
        body = hs.haptics.NurbsBody(surface)
        for _ in range(8):
            x = rng.uniform((-0.02, -0.02, -0.05), (0.12, 0.12, 0.05))
            assert abs(body.nearest(x).distance - by_search(surface, body, x)) < NEAR


def test_no_point_of_a_wild_surface_is_nearer():
    """Random nets of high degree that cut through themselves, with minima at corners: against a grid."""
    rng = np.random.default_rng(4)
    grid = np.linspace(0.0, 1.0, 30)
    for _ in range(12):
        degrees = tuple(int(d) for d in rng.integers(2, 6, 2))
        surface = sculptures.face(0.05 * rng.standard_normal((7, 6, 3)), degrees=degrees)
        body = hs.haptics.NurbsBody(surface)
        points = np.array([body.at(0, u, v)[0] for u in grid for v in grid])
        for x in rng.uniform(-0.1, 0.1, (40, 3)):
            assert body.nearest(x).distance < np.linalg.norm(points - x, axis=1).min() + 1e-12


def test_trimmed_faces_against_a_dense_grid():
    """No point of the face is nearer, and the nearest is on it; a hole and a corner turned inwards."""
    rng = np.random.default_rng(2)
    angles = np.linspace(0.0, 2 * np.pi, 30)[:-1]
    hole = np.column_stack([0.5 + 0.2 * np.cos(angles), 0.45 + 0.15 * np.sin(angles)])
    outer = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.5, 0.7), (0.1, 0.9)]
    surface = sculptures.sheet(rng, trims=[outer, hole])
    body = hs.haptics.NurbsBody(surface)
    grid = np.linspace(0.0, 1.0, 80)
    places = np.array([(u, v) for u in grid for v in grid])
    places = places[inside(surface.trims, places)]
    ends = body.memory.ends.reshape(-1, 2, 2)
    rim = np.concatenate([a + np.linspace(0, 1, 30)[:, None] * (b - a) for a, b in ends])
    points = np.array([body.at(0, u, v)[0] for u, v in np.concatenate([places, np.clip(rim, 0, 1)])])
    on_rim = 0
    for x in rng.uniform((-0.02, -0.02, -0.05), (0.12, 0.12, 0.05), (150, 3)):
        found = body.nearest(x)
        least = np.linalg.norm(points - x, axis=1).min()
        assert least - 2e-4 < found.distance < least + 1e-12
        place = np.array([found.u, found.v])
        if found.segment >= 0:
            on_rim += 1
            away = np.abs(rim - place).sum(axis=1).min()
            assert away < 0.01
        else:
            assert inside(surface.trims, place[None])[0]
            s = body.at(0, *place)
            assert np.abs(s[1:3] @ (s[0] - x)).max() < 1e-12
    assert 20 < on_rim < 140


def test_a_face_cut_in_two_is_the_same_body():
    """A sheet, and the two parts of it on both sides of a zigzag: traced along random ways, over the cut."""
    rng = np.random.default_rng(3)
    for _ in range(3):
        whole = sculptures.sheet(rng, height=0.006)
        cut = [(u, 0.5 + 0.15 * rng.standard_normal()) for u in np.linspace(0.0, 1.0, 6)]
        cut = np.clip(cut, 0.05, 0.95)
        cut[0, 0], cut[-1, 0] = 0.0, 1.0
        parts = [
            sculptures.face(whole.points, trims=[[*cut, *corners]])
            for corners in ([(1.0, 1.0), (0.0, 1.0)], [(1.0, 0.0), (0.0, 0.0)])
        ]
        one, two = hs.haptics.NurbsBody(whole), hs.haptics.NurbsBody(*parts)
        a = one.nearest([0.05, 0.05, 0.01])
        b = two.nearest([0.05, 0.05, 0.01])
        t = np.linspace(0.0, 2 * np.pi, 1500)
        way = np.column_stack([0.05 + 0.045 * np.sin(2 * t), 0.05 + 0.045 * np.cos(3 * t), 0.012 + 0 * t])
        faces = set()
        for x in way:
            a, b = one.trace(x, a), two.trace(x, b)
            faces.add(b.face)
            assert np.linalg.norm(a.point - b.point) < NEAR
        assert faces == {0, 1}


def test_tracing_a_box_and_over_poles():
    """Traced around convex bodies, across edges, corners, the seam and exactly through both poles."""
    t = np.linspace(0.0, 2 * np.pi, 2000)
    half = np.array([0.05, 0.03, 0.01])
    way = 0.09 * np.column_stack([np.sin(3 * t), np.cos(2 * t), np.sin(5 * t + 0.3)])
    way = way[(np.abs(way) > half).any(axis=1)]
    body = sculptures.box(2.0 * half)
    found = body.nearest(way[0])
    for x in way:
        found = body.trace(x, found)
        assert np.linalg.norm(found.point - np.clip(x, -half, half)) < NEAR
    ball = hs.haptics.NurbsBody(sculptures.sphere(0.05))
    found = ball.nearest([0.07, 0.0, 0.0])
    for x in 0.07 * np.column_stack([np.cos(t), 0.0 * t, np.sin(t)]):
        found = ball.trace(x, found)
        assert np.linalg.norm(found.point - x / 1.4) < NEAR
