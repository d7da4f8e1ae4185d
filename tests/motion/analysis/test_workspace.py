"""Workspaces against closed forms; loops stay closed and on their branch; limits; mistakes."""

import math
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs

MODELS = Path(__file__).parents[3] / "examples" / "models"


def two_links(a=0.5, b=0.3, **options):
    return hs.Model(
        hs.Rod("upper", length=a, mass=1.0),
        hs.Rod("fore", length=b, mass=1.0),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "fore", axis="y", **options),
    )


def test_an_arm_of_two_links_reaches_a_ring():
    space = hs.workspace(two_links(), "fore.end")
    assert space.reached.all() and space.size == pytest.approx(math.pi * (0.8**2 - 0.2**2), rel=5e-3)
    assert space.box == pytest.approx(np.array([[-0.8, 0, -0.8], [0.8, 0, 0.8]]), abs=1e-3)
    assert "3721 of 3721 poses (61 x 61 of shoulder, elbow)" in str(space)


@pytest.mark.parametrize(
    "turn, rise, exact",
    [
        (None, None, math.pi),  # twice around
        ((-math.pi, math.pi), (-math.pi / 2, math.pi / 2), math.pi),  # once
        (np.linspace(-math.pi, math.pi, 53), np.linspace(-2.0, 2.5, 48), math.pi),  # some of it twice
        (np.linspace(0, 1.5 * math.pi, 90), np.linspace(-math.pi / 2, math.pi / 2 + 1, 48), None),
        ((0.0, 1.0), (0.0, 1.0), 0.25 * math.sin(1.0)),
    ],
)
def test_what_is_covered_twice_of_a_sphere_counts_once(turn, rise, exact):
    model = hs.Model(
        hs.Body("yoke", 0.1),
        hs.Rod("arm", 0.5, 1.0),
        hs.Revolute("turn", hs.WORLD, "yoke", axis="z"),
        hs.Revolute("rise", "yoke", "arm", axis="y"),
    )
    if exact is None:  # three quarters of the ball, and beyond the pole a cap in the fourth
        exact = 0.25 * (1.5 * math.pi * 2.0 + 0.5 * math.pi * (1.0 - math.cos(1.0)))
    over = None if turn is None else {"turn": turn, "rise": rise}
    assert hs.workspace(model, "arm.end", over).size == pytest.approx(exact, rel=6e-3)


def test_the_area_of_a_torus():
    model = hs.Model(
        hs.Rod("ring", 0.5, 0.1),
        hs.Rod("arm", 0.2, 1.0),
        hs.Revolute("turn", hs.WORLD, "ring", axis="z"),
        hs.Revolute("roll", "ring.end", "arm", axis="y"),
    )
    more = {"turn": np.linspace(-4, 4, 90), "roll": np.linspace(-4, 4, 70)}
    for over in (None, more):
        size = hs.workspace(model, "arm.end", over).size
        assert size == pytest.approx(4 * math.pi**2 * 0.5 * 0.2, rel=5e-3)


def test_limits_cut_it_and_a_path_has_a_length():
    half = hs.workspace(
        two_links(limits=(0.0, 1.0)), "fore.end", {"elbow": (-2.0, 2.0)}, start={"shoulder": 0.0}
    )
    assert not half.reached.all() and np.isnan(half.points[~half.reached]).all()
    assert half.size == pytest.approx(0.3, rel=0.03)  # an arc of 1 rad, to a step of the grid
    turn = hs.workspace(two_links(limits=(0.0, 1.0)), "fore.end", {"elbow": (0.0, 1.0)})
    assert turn.size == pytest.approx(0.3, rel=1e-4)


def test_a_carriage_fills_a_box():
    model = hs.Model(
        hs.Body("x"), hs.Body("y"), hs.Body("z", mass=1.0),
        hs.Prismatic("a", hs.WORLD, "x", axis="x", limits=(0, 1)),
        hs.Prismatic("b", "x", "y", axis="y", limits=(0, 0.5)),
        hs.Prismatic("c", "y", "z", axis="z", limits=(-0.2, 0.2)),
    )  # fmt: skip
    assert hs.workspace(model, "z").size == pytest.approx(0.2, rel=0.06)
    flat = hs.workspace(model, "z", {"a": [0.0, 0.1, 1.0], "b": (0.0, 0.5)})
    assert flat.points.shape == (3, 61, 3) and flat.size == pytest.approx(0.5, rel=0.01)


def test_loops_are_closed_all_the_way_around():
    """The coupler of the six-bar linkage goes around a closed curve; each pose by circles in the plane."""
    model = hs.load(MODELS / "six_bar.yaml")
    space = hs.workspace(model, "coupler.coupler arm", {"base crank": np.linspace(-np.pi, np.pi, 181)})
    assert space.reached.all()
    rows = hs.compile(hs.constraints(model))(space.poses, np.zeros_like(space.poses))
    assert np.abs(rows.h).max() < 1e-9
    assert space.points[0] == pytest.approx(space.points[-1], abs=1e-9)
    index = model.coordinates.index("base crank")
    for turn, point in zip(space.poses[::30, index], space.points[::30], strict=True):
        B = 0.05 * np.array([math.cos(0.8 + turn), math.sin(0.8 + turn)])
        D, d = np.array([0.16, 0.0]), np.hypot(*(np.array([0.16, 0.0]) - B))
        along = (0.14**2 - 0.1**2 + d * d) / (2 * d)
        e = (D - B) / d
        C = B + along * e + math.sqrt(0.14**2 - along**2) * np.array([-e[1], e[0]])
        assert np.hypot(*(point[:2] - B)) == pytest.approx(math.hypot(0.07, 0.06), abs=1e-9)
        assert np.hypot(*(point[:2] - C)) == pytest.approx(math.hypot(0.07, 0.06), abs=1e-9)


def test_a_rocker_ends_at_its_dead_points():
    """Driven from the rocker, a four-bar reaches only where its loop closes."""
    model = hs.load(MODELS / "six_bar.yaml")
    space = hs.workspace(model, "crank", {"base rocker": np.linspace(-2.0, 2.0, 401)})
    q = space.poses[:, model.coordinates.index("base rocker")]
    # stretched and folded: crank and coupler in line
    start = math.atan2(0.0999974, 0.159284 - 0.16)
    reach = [math.acos((0.16**2 + 0.1**2 - r**2) / (2 * 0.16 * 0.1)) for r in (0.14 - 0.05, 0.14 + 0.05)]
    ends = sorted(math.pi - angle - start for angle in reach)
    assert q.min() >= ends[0] - 1e-9 and q.max() <= ends[1] + 1e-9
    assert q.max() - q.min() > 0.9 * (ends[1] - ends[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"frame": "fore.ned"}, "ned"),
        ({"over": {"elbw": (0, 1)}}, r'no coordinate "elbw" \(did you mean "elbow"'),
        ({"over": {}}, "0 coordinates would be swept"),
        ({"over": {"elbow": (1, 0)}}, "two values or more that increase"),
        ({"over": {"elbow": (0, 1e9)}}, "apart, or from the start"),
        ({"over": {"elbow": "all"}}, "needs values"),
        ({"over": {"elbow": (0, math.nan)}}, "elbow"),
        ({"over": {"elbow": np.linspace(0, 1, 3000), "shoulder": np.linspace(0, 1, 3000)}}, "9000000 poses"),
    ],
)
def test_what_is_wrong_is_said(options, message):
    settings = {"frame": "fore.end"} | options
    with pytest.raises(hs.Error, match=message):
        hs.workspace(two_links(), settings.pop("frame"), **settings)


def test_joints_without_a_grid():
    free = hs.Model(hs.Body("b", mass=1.0, inertia=(1, 1, 1)), hs.Free("f", hs.WORLD, "b"))
    with pytest.raises(hs.Error, match="ball or free joints"):
        hs.workspace(free, "b", {"f.x": (0, 1)})
    slide = hs.Model(hs.Body("b", mass=1.0), hs.Prismatic("x", hs.WORLD, "b", axis="x"))
    with pytest.raises(hs.Error, match='"x" has no limits'):
        hs.workspace(slide, "b")


def test_a_circle_is_drawn_as_a_circle():
    """A picture of places has one scale on both axes."""
    space = hs.workspace(two_links(), "fore.end", {"shoulder": np.linspace(-np.pi, np.pi, 91)})
    assert space.plot().equal and space.plot("x", "y").equal
