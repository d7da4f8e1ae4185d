"""Tyres, ellipsoids and balls that roll, on planes and on surfaces: against searches and closed forms."""

import math
import pickle

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.algebra.ellipsoid_mesh import ellipsoid
from hapsis.mechanics.drawing.drawing import drawing

M, G = 2.0, 9.81
SIZES = np.array([0.3, 0.12, 0.2])
SCALES = (1e-3, 1.0, 1e3)


def model_of(scale=1.0, ground=hs.WORLD, **form):
    return hs.Model(
        hs.Body("stone", mass=M, inertia=tuple(M * scale**2 * np.array([0.02, 0.03, 0.04]))),
        hs.Free("stone", hs.WORLD, "stone"),
        hs.Rolling("roll", "stone", ground, **form),
    )


def rows_at(model, q, v=None):
    return hs.compile(hs.constraints(model))(q, np.zeros(6) if v is None else v)


def random_pose(draw, scale=1.0):
    q = draw.normal(size=7)
    q[:3] *= scale
    q[3:] /= np.linalg.norm(q[3:])
    return q


def axes_of(model, q):
    return hs.compile(hs.pose(model, "stone"))(q)


def points_of(form):
    """Many points of a surface, in the axes of the body."""
    a, b = np.meshgrid(np.linspace(0, 2 * np.pi, 700), np.linspace(0, 2 * np.pi, 700))
    if "semi_axes" in form:
        x, y, z = np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)
        return np.stack([x, y, z], axis=-1).reshape(-1, 3) * np.array(form["semi_axes"])
    ring, tube = form["radius"] + form["tube"] * np.cos(b), form["tube"] * np.sin(b)
    return np.stack([ring * np.cos(a), tube, ring * np.sin(a)], axis=-1).reshape(-1, 3)  # about y


@pytest.mark.parametrize(
    "form", [{"semi_axes": tuple(SIZES.tolist())}, {"radius": 0.3, "tube": 0.08}], ids=str
)
def test_the_lowest_of_all_points_touches_and_stands_still(form):
    """Searched among half a million points of the surface."""
    model, draw, points = model_of(**form), np.random.default_rng(2), points_of(form)
    velocity = hs.compile(hs.velocity(model, "stone"))
    for _ in range(3):
        q = random_pose(draw)
        p, A = axes_of(model, q)
        lowest = p + points @ A.T
        lowest = lowest[np.argmin(lowest[:, 2])]
        rows = rows_at(model, q)
        assert rows.h[0] == pytest.approx(lowest[2], abs=4e-5)
        for v in np.linalg.svd(rows.J)[2][3:]:
            w, u = np.split(velocity(q, v), 2)
            assert np.abs(u + np.cross(w, lowest - p))[:2].max() < 2e-2 * np.abs(w).max()


@pytest.mark.parametrize("scale", SCALES)
def test_the_height_of_an_ellipsoid(scale):
    """Its support: the centre is √(Σ (a_i n_i)²) above a plane that it touches, n in its axes."""
    draw = np.random.default_rng(7)
    model = model_of(scale, semi_axes=tuple(scale * SIZES))
    for _ in range(5):
        q = random_pose(draw, scale)
        p, A = axes_of(model, q)
        height = np.linalg.norm(scale * SIZES * A[2])
        assert rows_at(model, q).h[0] == pytest.approx(p[2] - height, abs=1e-14 * scale)


def same_rows(one, other, draw, scale=1.0):
    for _ in range(4):
        q, v = random_pose(draw, scale), draw.normal(size=6)
        a, b = rows_at(one, q, v), rows_at(other, q, v)
        for x, y in zip(a, b, strict=True):
            assert np.abs(x - y).max() <= 1e-12 * max(1.0, np.abs(y).max())


@pytest.mark.parametrize("scale", SCALES)
def test_equal_axes_are_a_ball_and_no_tube_is_a_circle(scale):
    draw, r = np.random.default_rng(3), 0.2 * scale
    same_rows(model_of(semi_axes=(r, r, r)), model_of(radius=r, axis=None), draw, scale)
    same_rows(model_of(radius=r, tube=1e-16 * r), model_of(radius=r), draw, scale)
    # and a circle of no radius with a tube is a ball
    same_rows(model_of(radius=1e-16 * scale, tube=r), model_of(radius=r, axis=None), draw, scale)
    # an ellipsoid of revolution that is flat is a disc
    same_rows(model_of(semi_axes=(r, 1e-15 * r, r)), model_of(radius=r), draw, scale)


def test_a_ball_on_a_turntable_goes_round():
    """A solid ball on a plane that turns with Ω goes round with 2/7 Ω, about a centre that stays."""
    r, turn = 0.05, 3.0
    model = hs.Model(
        hs.Body("table", mass=1.0, inertia=(1, 1, 1)),
        hs.Body("ball", mass=M, inertia=(0.4 * M * r * r,) * 3),
        hs.Revolute("table", hs.WORLD, "table"),
        hs.Free("ball", hs.WORLD, "ball"),
        hs.Rolling("roll", "ball", "table", r, axis=None),
        hs.Drive("motor", "table", velocity=turn),
        poses={"start": {"ball.x": 0.4, "ball.z": r}},
    )
    start = {"ball.wx": 0.0, "ball.wy": 0.0, "ball.wz": 0.0}
    result = hs.simulate(model, until=1.0, start=start, tolerance=1e-10)
    t, rate = result.t, 2 / 7 * turn
    # it starts without spin, so with the velocity v = Ω × x of the table: x = c + (x0 - c) e^{iωt}
    x0 = 0.4
    u0 = complex(result["ball.vx"][0], result["ball.vy"][0])
    centre = x0 - u0 / (1j * rate)
    expected = centre + (x0 - centre) * np.exp(1j * rate * t)
    assert np.abs(result["ball.x"] + 1j * result["ball.y"] - expected).max() < 1e-7


@pytest.mark.parametrize("scale", SCALES)
def test_a_ball_down_a_slope(scale):
    slope, r = 0.4, 0.1 * scale
    ground, mass = hs.WORLD.at(0, 0, 0, rpy=(0, slope, 0)), M * scale**3
    model = hs.Model(
        hs.Body("ball", mass=mass, inertia=(0.4 * mass * r * r,) * 3),
        hs.Free("ball", hs.WORLD, "ball"),
        hs.Rolling("roll", "ball", ground, semi_axes=(r, r, r)),
        poses={"start": {"ball.x": r * math.sin(slope), "ball.z": r * math.cos(slope)}},
    )
    T = math.sqrt(scale)
    result = hs.simulate(model, until=T)
    way = np.hypot(result["ball.x"][-1] - result["ball.x"][0], result["ball.z"][-1] - result["ball.z"][0])
    assert way == pytest.approx(0.5 * 5 / 7 * G * math.sin(slope) * T * T, rel=1e-6)


def test_files_and_copies(tmp_path):
    for form in ({"semi_axes": ("2 * r", 0.1, 0.2)}, {"radius": "r", "tube": 0.02}):
        plain = model_of(radius=0.1)
        model = hs.Model(
            *plain.bodies.values(),
            *plain.joints.values(),
            hs.Rolling("roll", "stone", hs.WORLD, **form),
            parameters={"r": 0.1},
        )
        hs.save(model, tmp_path / "stone.yaml")
        assert hs.load(tmp_path / "stone.yaml").constraints["roll"] == model.constraints["roll"]
        assert pickle.loads(pickle.dumps(model)).constraints["roll"] == model.constraints["roll"]


def test_errors():
    for form, text in (
        ({}, "radius"),
        ({"radius": 0.1, "semi_axes": (1, 1, 1)}, "an ellipsoid has semi_axes only"),
        ({"semi_axes": (1, 1)}, "semi_axes must be 3 numbers"),
        ({"radius": 0.1, "axis": None, "tube": 0.1}, "a ball has no tube"),
        ({"radius": 0.1, "spot": 3}, "spot must be the name of a joint"),
        ({"radius": 0.1, "surface": lambda x, y, z: z}, "a surface needs a spot"),
        ({"radius": 0.1, "surface": lambda x, y: y, "spot": "s"}, "takes 2 inputs"),
        ({"radius": 0.1, "surface": 3.0, "spot": "s"}, "must be a function"),
    ):
        with pytest.raises(hs.ModelError, match=text):
            hs.Rolling("r", "a", hs.WORLD, **form)
    with pytest.raises(hs.ModelError, match="semi_axes is -1; it must be positive"):
        model_of(semi_axes=(1, -1, 1))


def test_what_has_no_shape_is_drawn_as_it_rolls():
    kinds = {}
    for name, form in {"stone": {"semi_axes": tuple(SIZES)}, "tyre": {"radius": 0.3, "tube": 0.05}}.items():
        (body,) = drawing(model_of(**form))["bodies"]
        kinds[name] = {shape["kind"]: shape for shape in body["shapes"]}
    assert "mesh" in kinds["stone"]
    assert kinds["tyre"]["wheel"]["radius"] == pytest.approx(0.35)
    table = ellipsoid(SIZES)
    assert np.linalg.norm(table["vertices"] / SIZES, axis=1) == pytest.approx(np.ones(len(table["vertices"])))
    a, b, c = (table["vertices"][table["triangles"][:, k]] for k in range(3))
    assert (np.sum(np.cross(b - a, c - a) * (a + b + c), axis=1) > 0.0).all()  # they face outwards
    assert np.sum(a * np.cross(b, c)) / 6 == pytest.approx(4 / 3 * math.pi * np.prod(SIZES), rel=0.02)
