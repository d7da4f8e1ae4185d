"""Rows of speeds, of time, on surfaces and curves, and gears."""

import math

import numpy as np
import pytest
from travelling import check_rates

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.constraint_rows import drifts
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.model.constraints.on_surface import OnCurve, OnSurface

BODY = hs.Body("a", mass=1.0, inertia=(1, 1, 1), frames={"tip": (0.3, 0.1, -0.2)})
PLANE = hs.Chain("p", hs.WORLD, "a", "Tx Ty Rz")


def flat(*facts, **settings):
    """One body that slides and turns in a plane."""
    return hs.Model(BODY, PLANE, *facts, **settings)


def loose(*facts, **settings):
    """One body that is free, and one that hangs from the world."""
    other = hs.Body("b", mass=1.0, inertia=(1, 1, 1), frames={"f": hs.Frame((0, 0.1, 0.2), (1, 2, 3))})
    joints = hs.Free("fa", hs.WORLD, "a"), hs.Universal("ub", hs.WORLD.at(0.2, 0, 0), "b")
    return hs.Model(BODY, other, *joints, *facts, **settings)


def state(model, seed=0):
    """Random coordinates, speeds and accelerations."""
    draw = np.random.default_rng(seed)
    n, m = len(model.coordinates), len(model.speeds)
    q, v, a = draw.uniform(-1, 1, n), draw.uniform(-1, 1, m), draw.uniform(-1, 1, m)
    for k, name in enumerate(model.coordinates):
        if name.endswith(".qw"):
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, v, a


def skate(s):
    return hs.cos(s["p.Rz"]) * s["p.Ty.v"] - hs.sin(s["p.Rz"]) * s["p.Tx.v"]


def test_a_skate_does_not_slide_sideways():
    """cos θ ẏ - sin θ ẋ = 0 has no position form; J a + gamma is its rate."""
    model = flat(hs.Constraint("skate", speeds=skate))
    assert constraint_names(model) == ("skate.v1",)
    q, v, a = state(model)
    found = check_rates(model, q, v, a)
    s, c = math.sin(q[2]), math.cos(q[2])
    assert found.h == pytest.approx([0.0], abs=0) and found.J == pytest.approx(np.array([[-s, c, 0]]))
    assert found.gamma == pytest.approx([-v[2] * (s * v[1] + c * v[0])])


def test_positions_come_first_whatever_the_order():
    both = hs.Constraint("both", rows=lambda s: s["p.Tx"] - 0.1, speeds=skate)
    lead = hs.Constraint("lead", speeds=lambda s: (s["p.Ty.v"] - 1.0, s["p.Rz.v"]))
    model = flat(lead, both, hs.Gear("g", "p.Tx", "p.Ty", 2.0))
    assert constraint_names(model) == ("both.1", "g.ratio", "lead.v1", "lead.v2", "both.v1")
    found = check_rates(model, *state(model))
    assert found.h[2:] == pytest.approx([0.0, 0.0, 0.0], abs=0)


def test_a_row_and_its_rate_ask_the_same():
    """The same row as positions and, differentiated by hand, as speeds: J, gamma, drift agree."""
    placed = flat(hs.Constraint("c", lambda s: hs.sin(s["p.Tx"]) * s["p.Rz"] - s.t**2))
    moving = flat(
        hs.Constraint(
            "c",
            speeds=lambda s: (
                hs.cos(s["p.Tx"]) * s["p.Rz"] * s["p.Tx.v"] + hs.sin(s["p.Tx"]) * s["p.Rz.v"] - 2 * s.t
            ),
        )
    )
    q, v, a = state(placed)
    first, second = (check_rates(model, q, v, a, t=0.7) for model in (placed, moving))
    assert first.J == pytest.approx(second.J) and first.gamma == pytest.approx(second.gamma)
    assert hs.compile(drifts(placed))(q, 0.7) == pytest.approx([-1.4])
    assert hs.compile(drifts(moving))(q, 0.7) == pytest.approx([-1.4])


def test_speeds_given_in_time():
    model = flat(hs.Constraint("c", speeds=lambda s: s["p.Rz.v"] - 3.0 * s.t))
    found = check_rates(model, *state(model), t=0.5)
    assert found.gamma == pytest.approx([-3.0])


@pytest.mark.parametrize(
    "speeds",
    [
        lambda s: s["p.Tx.v"] * s["p.Ty.v"],
        lambda s: abs(s["p.Tx.v"]) - s["p.Ty.v"],
        lambda s: s["p.Tx"] + s["p.Tx.v"] ** 2,
        lambda s: [s["p.Tx.v"], hs.sqrt(s["p.Ty.v"])],
    ],
)
def test_rows_of_speeds_are_linear(speeds):
    with pytest.raises(hs.ModelError, match="is not linear in the speeds"):
        hs.constraints(flat(hs.Constraint("c", speeds=speeds)))


def test_what_is_linear_without_showing_it_is_taken():
    """(v + q)² - v² - q² = 2 q v, and the formula does not tell."""
    model = flat(
        hs.Constraint(
            "c", speeds=lambda s: (s["p.Tx.v"] + s["p.Rz"]) ** 2 - s["p.Tx.v"] ** 2 - s["p.Rz"] ** 2
        )
    )
    q, v, _ = state(model)
    J = hs.compile(hs.constraints(model))(q, v).J
    assert pytest.approx(np.array([[2 * q[2], 0, 0]])) == J


def test_errors_of_rows():
    with pytest.raises(hs.ModelError, match="it says no rows"):
        hs.Constraint("c")
    with pytest.raises(hs.ModelError, match="speeds must be a function"):
        hs.Constraint("c", speeds=3)  # pyright: ignore
    for fact, said in (
        (hs.Constraint("c", lambda s: s["p.Tx.v"]), 'a row of positions cannot read .* "p.Tx.v"'),
        (hs.Constraint("c", speeds=lambda s: s["p.Tx.w"]), 'no coordinate or speed "p.Tx.w"'),
        (hs.Constraint("c", speeds=lambda s: s["p.Tx"]), '"c.v1" can never be met: no speed'),
        (hs.Constraint("c", speeds=lambda s: 0.0 * s["p.Tx"] + 2.0), "it is 2 in every state"),
        (hs.Constraint("c", lambda s: s.t), '"c.1" can never be met: no coordinate'),
        (hs.Constraint("c", lambda s: "x"), "a row must be one number"),
    ):
        with pytest.raises(hs.ModelError, match=said):
            hs.constraints(flat(fact))
    with pytest.raises(hs.ModelError, match="cannot get a prefix"):
        flat(hs.Constraint("c", lambda s: s["p.Tx"])).prefixed("left")


LENGTHS = {
    "number": 0.8,
    "formula": "L",
    "function": lambda t: 0.8 + 0.3 * hs.sin(2.0 * t),
    "formula of time": "L + 0.3 * sin(2 * t)",
}


@pytest.mark.parametrize("kind", LENGTHS)
def test_a_distance_may_change_with_time(kind):
    model = loose(hs.Distance("d", "a.tip", "b.f", LENGTHS[kind]), parameters={"L": 0.8})
    q, v, a = state(model, 2)
    found = check_rates(model, q, v, a, t=0.6)
    p1, p2 = (hs.compile(hs.pose(model, name))(q).p for name in ("a.tip", "b.f"))
    length = 0.8 + (0.3 * math.sin(1.2) if kind in ("function", "formula of time") else 0.0)
    assert found.h == pytest.approx([((p2 - p1) @ (p2 - p1) - length**2) / (2 * length)])


def test_errors_of_lengths():
    for length, said in ((lambda t: -1.0 - t, "length is -1"), ("cos(t) - 2", "length is -1")):
        with pytest.raises(hs.ModelError, match=f"{said}; it must be positive"):
            loose(hs.Distance("d", "a", "b", length))
    with pytest.raises(hs.ModelError, match=r"length\(t\) must give one number"):
        hs.Distance("d", "a", "b", lambda t: (t, t))
    with pytest.raises(hs.ModelError, match="does not take the time"):
        hs.Distance("d", "a", "b", lambda: 1.0)
    with pytest.raises(hs.ModelError, match='"tt", which is no parameter'):
        loose(hs.Distance("d", "a", "b", "1 + tt"))


def test_a_sphere_is_a_distance():
    ball = OnSurface(
        "d",
        "a.tip",
        "b.f",
        lambda x, y, z, length=0.7: (x * x + y * y + z * z - length * length) / (2 * length),
    )
    models = loose(ball), loose(hs.Distance("d", "a.tip", "b.f", 0.7))
    assert constraint_names(models[0]) == ("d.surface",)
    q, v, a = state(models[0], 5)
    first, second = (check_rates(model, q, v, a) for model in models)
    for x, y in zip(first, second, strict=True):
        assert x == pytest.approx(y, abs=1e-13)
    f = hs.compile(hs.constraints(models[0]))
    assert f(q, v, p={"d.length": 0.5}).h > first.h


def test_a_plane_that_rises():
    """A surface may change with time; its row is as far as the point is above it."""
    model = loose(OnSurface("s", "a.tip", hs.WORLD, lambda x, y, z, t, rate=0.2: z - rate * t))
    q, v, a = state(model, 6)
    found = check_rates(model, q, v, a, t=0.5)
    assert found.h == pytest.approx([hs.compile(hs.pose(model, "a.tip"))(q).p[2] - 0.1])


def test_a_point_on_a_curve():
    """A helix, as two surfaces, seen from a body that moves."""
    model = loose(
        OnCurve(
            "c",
            "a.tip",
            "b.f",
            lambda x, y, z, r=0.3, pitch=0.1: (
                hs.sqrt(x * x + y * y) - r,
                y * hs.cos(z / pitch) - x * hs.sin(z / pitch),
            ),
        )
    )
    assert constraint_names(model) == ("c.1", "c.2")
    q, v, a = state(model, 7)
    check_rates(model, q, v, a, tolerance=1e-4)  # of a row with slopes of 1 / pitch
    # the point of the helix at an angle, brought to the tip: both rows vanish
    pose = hs.compile(hs.pose(model, "b.f"))(q)
    p = pose.p + pose.R @ (0.3 * math.cos(0.8), 0.3 * math.sin(0.8), 0.08)
    tip = hs.compile(hs.pose(model, "a.tip"))(q).p
    q[:3] += p - tip
    assert np.abs(hs.compile(hs.constraints(model))(q, v).h).max() < 1e-14


def test_a_bead_on_a_wire_of_a_table():
    """A planar curve through a table keeps one row: the other is zero in every pose."""
    places = np.linspace(-1, 1, 21)
    height = hs.interpolated(np.sin(places), -1.0, 0.1, kind="cubic")
    model = hs.Model(
        hs.Body("bead", mass=1.0, inertia=(1, 1, 1)),
        hs.Chain("c", hs.WORLD, "bead", "Tx Tz"),
        OnCurve("wire", "bead", hs.WORLD, lambda x, y, z: (z - height(x), y)),
    )
    assert constraint_names(model) == ("wire.1",)
    q, v = np.array([0.33, math.sin(0.33)]), np.array([2.0, 2.0 * math.cos(0.33)])
    found = check_rates(model, q, v, np.array([0.5, -0.3]))
    assert np.abs(found.h).max() < 1e-4 and np.abs(found.J @ v).max() < 1e-2


def test_errors_of_surfaces():
    with pytest.raises(hs.ModelError, match="surface takes 2 inputs"):
        OnSurface("s", "a", "b", lambda x, y: x)
    with pytest.raises(hs.ModelError, match="curve must be a function"):
        OnCurve("s", "a", "b", 3)
    with pytest.raises(hs.ModelError, match="has states"):
        OnSurface("s", "a", "b", lambda x, y, z, w=hs.LawState(): (x, {"w": x}))
    for fact, said in (
        (OnSurface("s", "a", "b", lambda x, y, z: (x, y)), "must give one number, not 2"),
        (OnCurve("s", "a", "b", lambda x, y, z: x), "must give two numbers, not 1"),
        (OnCurve("s", "a", "b", lambda x, y, z: (x, "y")), "a row must be one number"),
    ):
        with pytest.raises(hs.ModelError, match=said):
            hs.constraints(loose(fact))


def test_a_rack_is_a_gear_from_an_angle_to_a_length():
    """The rack runs as the pinion's rim does, and is driven back by it."""
    model = hs.Model(
        hs.Body("pinion", mass=1.0, inertia=(1, 1, 0.01), frames={"rim": (0, 0.05, 0)}),
        hs.Body("rack", mass=2.0, inertia=(1, 1, 1)),
        hs.Revolute("turn", hs.WORLD, "pinion", axis="z"),
        hs.Prismatic("slide", hs.WORLD.at(0, 0.05, 0), "rack", axis="-x"),
        hs.Gear("rack", "turn", "slide", ratio="r", offset=lambda t: 0.01 * t),
        parameters={"r": 0.05},
    )
    assert constraint_names(model) == ("rack.ratio",)
    q, v = np.array([0.0, 0.0]), np.array([4.0, 0.2])
    found = check_rates(model, q, v, np.array([1.0, -2.0]), t=2.0)
    assert found.h == pytest.approx([-0.02]) and found.J @ v == pytest.approx([0.0])
    rim, rack = (hs.compile(hs.velocity(model, name))(q, v)[3:] for name in ("pinion.rim", "rack"))
    assert rim == pytest.approx(rack)


def test_files_hold_rolling_and_lengths_in_time(tmp_path):
    model = loose(
        hs.Rolling("r", "a", hs.WORLD, 0.1, axis="-x"),
        hs.Rolling("s", "b", hs.WORLD, 0.1, None),
        hs.Rolling("d", "a", "b", 0.1),
        hs.Distance("l", "a", "b", "1 + sin(t)"),
        hs.Rolling("v", "a", "b", 0.1, axis=(0.0, 0.6, 0.8)),
    )
    hs.save(model, tmp_path / "a.yaml")
    assert hs.load(tmp_path / "a.yaml") == model
    assert "type: rolling, first: a, second: b, radius: 0.1}" in (tmp_path / "a.yaml").read_text()
    text = (tmp_path / "a.yaml").read_text().replace("type: distance", "type: on_surface")
    (tmp_path / "b.yaml").write_text(text)
    with pytest.raises(hs.ModelError, match="a on_surface needs Python"):
        hs.load(tmp_path / "b.yaml")
    with pytest.raises(hs.ModelError, match="Python code"):
        hs.save(loose(OnSurface("s", "a", "b", lambda x, y, z: z)), tmp_path / "c.yaml")
