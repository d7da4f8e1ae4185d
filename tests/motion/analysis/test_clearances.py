"""Distances of bodies against closed forms and convex optimisation; collisions over a motion."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import hapsis as hs

MODELS = Path(__file__).parents[3] / "examples" / "models"


def pair(first, second, place):
    """Two bodies of which the first slides along x, the second stands at a place."""
    return hs.Model(
        first, second,
        hs.Prismatic("x", hs.WORLD, first.name, axis="x"),
        hs.Prismatic("y", ("world", place), second.name, axis="x"),
    )  # fmt: skip


def convex_distance(a, b):
    """The distance of two convex hulls of points, by a quadratic programme."""

    def square(w):
        d = w[: len(a)] @ a - w[len(a) :] @ b
        return d @ d

    n = len(a)
    start = np.concatenate([np.full(n, 1 / n), np.full(len(b), 1 / len(b))])
    ones = [
        {"type": "eq", "fun": lambda w: w[:n].sum() - 1},
        {"type": "eq", "fun": lambda w: w[n:].sum() - 1},
    ]
    end = minimize(
        square, start, constraints=ones, bounds=[(0, 1)] * len(start), tol=1e-16, options={"maxiter": 500}
    )
    return math.sqrt(end.fun)


@pytest.mark.parametrize("seed", range(12))
def test_hulls_in_any_pose(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(-0.1, 0.1, (2, 7, 3))
    at, rpy = rng.uniform(-0.3, 0.3, 3), rng.uniform(-3, 3, 3)
    first = hs.Body("a", 1.0, shapes=hs.Hull(a.tolist()))
    second = hs.Body("b", 1.0, shapes=hs.Hull(b.tolist()))
    model = pair(first, second, hs.Frame(tuple(at), tuple(rpy)))
    x = rng.uniform(-0.3, 0.3, 5)
    near = hs.clearances(model, np.stack([x, 0 * x], axis=1))
    R = np.asarray(hs.compile(hs.pose(model, "b"))([0.0, 0.0]).R)
    for k, shift in enumerate(x):
        exact = convex_distance(a + np.array([shift, 0, 0]), b @ R.T + at)
        if exact > 1e-4:
            assert near.distances[k, 0] == pytest.approx(exact, abs=1e-6)
            p, r = near.points[k, 0]
            assert np.linalg.norm(p - r) == pytest.approx(near.distances[k, 0], abs=1e-12)


def test_boxes_and_balls():
    box = hs.Body.box("a", (0.2, 0.2, 0.2), mass=1.0)
    ball = hs.Body.sphere("b", 0.1, mass=1.0)
    model = pair(box, ball, hs.Frame((0.5, 0.0, 0.0)))
    near = hs.clearances(model, [[0.0, 0.0], [0.1, 0.0], [0.25, 0.0], [0.35, 0.0]])
    assert near.distances[:2, 0] == pytest.approx([0.3, 0.2], abs=3e-4)
    assert near.distances[3, 0] == 0.0 and list(near.collisions) == [("a", "b")]
    assert "a - b: collide in 1 poses" in str(near)


def test_links_of_the_linkage_do_not_meet():
    """Layers of 8 mm with bosses of 1 mm between them."""
    model = hs.load(MODELS / "six_bar.yaml")
    space = hs.workspace(model, "arm", {"base crank": np.linspace(-np.pi, np.pi, 13)})
    near = hs.clearances(model, space, pairs=[("base", "coupler"), ("base", "arm"), ("crank", "rocker")])
    # the coupler is 1 mm above the pins of the base where it is over them, else 10 mm above its plate
    assert near.distances[:, 0].min() == pytest.approx(0.001, abs=1e-9)
    assert near.distances[:, 0].max() == pytest.approx(0.010, abs=1e-9)
    assert near.distances[:, 1].min() >= 0.008 and not near.collisions
    assert near.free_range(0.0) == pytest.approx((-np.pi, np.pi))


def test_the_range_between_collisions_is_a_limit_that_is_felt():
    """A bar that turns between two posts: the range by geometry, and the bar stops there."""
    posts = hs.Body("posts", 1.0, shapes=[hs.Box((0.02, 0.02, 0.1), at=(0.1, s * 0.1, 0)) for s in (-1, 1)])
    model = hs.Model(
        posts, hs.Body.box("bar", (0.3, 0.02, 0.02), mass=1.0, at=(0.15, 0, 0)),
        hs.Weld("w", hs.WORLD, "posts"), hs.Revolute("turn", hs.WORLD, "bar", axis="z"), gravity=(0, 0, 0),
    )  # fmt: skip
    space = hs.workspace(model, "bar", {"turn": np.linspace(-1.5, 1.5, 1501)})
    near = hs.clearances(model, space)
    low, high = near.free_range(0.0)
    # the edge of the bar, 10 mm from its axis, meets the corner (0.11, 0.09) of a post
    touch = math.atan2(0.09, 0.11) - math.asin(0.01 / math.hypot(0.09, 0.11))
    assert high == pytest.approx(touch, abs=0.002) and low == pytest.approx(-touch, abs=0.002)
    limited = model.replace("turn", limits=(low, high)).with_stops(period=0.01)
    result = hs.simulate(limited, until=2.0, start={"turn.v": 1.0})
    assert abs(result["turn"]).max() < high + 0.01 and result["turn"].max() > high - 0.01
    with pytest.raises(hs.Error, match="there is a collision at turn"):
        near.free_range(0.75)


def test_mistakes():
    model = hs.load(MODELS / "six_bar.yaml")
    still = np.zeros(5)
    with pytest.raises(hs.Error, match=r'no body "crnk" with a shape \(did you mean "crank"'):
        hs.clearances(model, still, pairs=[("crnk", "arm")])
    for poses in ("x", None, [], [["a"] * 5]):
        with pytest.raises(hs.Error, match="5 numbers each"):
            hs.clearances(model, poses)
    for pairs in ([], [("arm",)], ["ab"], [("arm", "arm")]):
        with pytest.raises(hs.Error, match="pairs of two bodies"):
            hs.clearances(model, still, pairs=pairs)
    with pytest.raises(hs.Error, match="5 numbers each"):
        hs.clearances(model, [0.0, 1.0])
    with pytest.raises(hs.Error, match="finite"):
        hs.clearances(model, [[math.nan] * 5])
    with pytest.raises(hs.Error, match="no two bodies"):
        hs.clearances(hs.library.slider_crank(), [[0.5, 0.1, 0.2]])
    with pytest.raises(hs.Error, match="another model"):
        hs.clearances(model, hs.workspace(hs.library.slider_crank(), "crank"))
    with pytest.raises(hs.Error, match="free_range needs the sweep"):
        hs.clearances(model, still).free_range()


def test_round_shapes_are_measured_and_others_are_named():
    """A capsule and an ellipsoid that pierce a box, and ones that do not; a plane is left out."""
    box = hs.Body("box", 1.0, shapes=[hs.Box((1, 1, 1))])
    joints = hs.Prismatic("A", hs.WORLD, "box"), hs.Prismatic("B", hs.WORLD, "b", axis="x")
    shapes = {
        0.5: hs.Capsule(0.2, 2.0, at=hs.Frame(rpy=(0, math.pi / 2, 0))),  # its end is at 1.2
        0.8: hs.Ellipsoid((0.9, 0.1, 0.2)),
    }
    for gap, shape in shapes.items():
        reach = 1.2 if isinstance(shape, hs.Capsule) else 0.9
        model = hs.Model(box, hs.Body("b", 1.0, shapes=[shape, hs.Plane()]), *joints)
        near = hs.clearances(model, [[0.0, 0.5 + reach + gap], [0.0, 0.5 + reach - 0.1]])
        assert near.distances[0, 0] == pytest.approx(gap, abs=2e-3) and near.distances[1, 0] == 0.0
        assert near.left_out == ("b (plane)",) and "left out: b (plane)" in str(near)


@pytest.mark.parametrize("value", [5.0, math.nan, "a"])
def test_a_range_around_what_was_not_swept(value):
    model = hs.load(MODELS / "six_bar.yaml")
    space = hs.workspace(model, "arm.grip", {"base crank": (-0.2, 0.2)})
    with pytest.raises(hs.Error, match=r"was not swept at 5; expected -0\.2 to 0\.2|free_range"):
        hs.clearances(model, space, pairs=[("crank", "arm")]).free_range(value)


def boxed(low, high, inwards=False):
    """The triangles of a box."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])
    return low + (high - low) * corners, triangles[:, ::-1] if inwards else triangles


@pytest.mark.parametrize("swapped", [False, True])
def test_a_body_within_another_one_collides_and_one_in_its_cavity_does_not(swapped):
    """A box of 2 cm on its way through a hollow one of 1 m, whose walls are 0.3 m thick."""
    (x, t), (y, s) = boxed(-0.5, 0.5), boxed(-0.2, 0.2, inwards=True)
    hollow = hs.TriangleMesh(np.vstack([x, y]).tolist(), np.vstack([t, s + 8]).tolist())
    first, second = hs.Body("a", 1.0, shapes=hollow), hs.Body.box("b", (0.02, 0.02, 0.02), mass=1.0)
    model = pair(first, second, hs.Frame())
    places = np.array([0.0, 0.15, 0.2, 0.35, 0.5, 0.6])
    pairs = [("b", "a") if swapped else ("a", "b")]
    near = hs.clearances(model, np.stack([0 * places, places], axis=1), pairs=pairs)
    assert near.distances[:, 0] == pytest.approx([0.19, 0.04, 0.0, 0.0, 0.0, 0.09], abs=1e-12)
    assert near.collisions[pairs[0]].tolist() == [2, 3, 4]
    assert np.abs(near.points[3, 0] - (0.35, 0, 0)).max() < 0.3


def test_each_part_of_a_body_is_looked_at():
    """One of two balls of a body is within a large one; the body alone is in the other's box, too."""
    balls = hs.Body("a", 1.0, shapes=[hs.Sphere(0.05), hs.Sphere(0.05, at=(2.0, 0, 0))])
    model = pair(balls, hs.Body.sphere("b", 0.5, mass=1.0), hs.Frame((2.0, 0.1, 0.0)))
    near = hs.clearances(model, [[0.0, 0.0], [-1.0, 0.0], [2.0, 0.0]])
    assert near.distances[0, 0] == near.distances[2, 0] == 0.0 < near.distances[1, 0]
