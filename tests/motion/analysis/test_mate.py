"""Components and their mating: anchors coincide, loops close where they are drawn, cuts are chosen."""

import itertools
import math

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.drawing.placement import frame_pose, placement
from hapsis.mechanics.model.frames import angles

JOINTS = (hs.Revolute, hs.Prismatic, hs.Cylindrical, hs.Ball, hs.Weld)


def random_frame(rng):
    return hs.Frame(rng.uniform(-0.5, 0.5, 3), rng.uniform(-1, 1, 3))


def random_part(rng, name):
    a, b, c = rng.uniform(0.01, 0.1, 3)
    anchors = {"in": random_frame(rng), "out": random_frame(rng)}
    inertia = (b + c, a + c, a + b, 0.002, -0.001, 0.003)
    return hs.Component(name, rng.uniform(0.5, 2), rng.uniform(-0.2, 0.2, 3), inertia, anchors)


def place(model, q, frame):
    body, on_body = model.frame(frame)
    return placement(model, q)[body] @ frame_pose(model, on_body)


@pytest.mark.parametrize("seed", range(8))
def test_anchors_coincide(seed):
    """Of open chains of all kinds of joints: at zero both frames, else what the joint holds."""
    rng = np.random.default_rng(seed)
    kinds = [JOINTS[k] for k in rng.integers(0, len(JOINTS), 4)]
    parts = [random_part(rng, f"p{k}") for k in range(5)]
    joints = [kind(f"j{k}", f"p{k}.out", f"p{k + 1}.in") for k, kind in enumerate(kinds)]
    model = hs.mate(parts, joints, ground="p0")
    for k in range(4):
        first, second = (place(model, model.zero, f) for f in (f"p{k}.out", f"p{k + 1}.in"))
        assert abs(first.p - second.p).max() < 1e-14 and abs(first.R - second.R).max() < 1e-14
    assert model.bodies["p0"] == parts[0].body and "p4.cog" in {f"p4.{n}" for n in model.bodies["p4"].frames}


@pytest.mark.parametrize("seed", range(20))
def test_principal_axes(seed):
    rng = np.random.default_rng(seed)
    part = random_part(rng, "p")
    R = frame_pose(hs.Model(gravity=(0, 0, 0)), part.cog).R
    xx, yy, zz, xy, xz, yz = part.inertia
    diagonal = R.T @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R
    assert abs(diagonal - np.diag(part.principal_moments)).max() < 1e-15 * 10
    assert np.linalg.det(R) == pytest.approx(1) and part.cog.at == part.com
    assert list(part.principal_moments) == sorted(part.principal_moments)


def test_weights_are_overridden():
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (0.3, 0.2, 0.1)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]
    part = hs.Component.mesh("box", corners, triangles, density=1000.0)
    assert (
        part.mass == pytest.approx(6.0)
        and part.source == "mesh"
        and part.com == pytest.approx((0.15, 0.1, 0.05))
    )
    twice = part.weighed(mass=12.0)
    assert twice.source == "mesh, mass given" and twice.inertia == pytest.approx(
        [2 * x for x in part.inertia]
    )
    other = part.weighed(1.0, (0, 0, 0), (1, 1, 1))
    assert (other.mass, other.com, other.source) == (1.0, (0.0, 0.0, 0.0), "given")
    assert "6 kg (mesh)" in str(part) and part.weighed() == part
    with pytest.raises(hs.ModelError, match="the mesh has no volume"):
        hs.Component.mesh(
            "flat", corners * (1, 1, 0) + [(0, 0, 0)] * 8, [*triangles[:1], (0, 3, 1)], density=1.0
        )


def drawn_four_bar(rng, apart=0.0):
    """A four-bar in any plane of space, each part given in the coordinates of one drawing."""
    A, D = np.zeros(2), np.array([0.45, 0.0])
    turn = rng.uniform(0.5, 2.5)
    B = 0.2 * np.array([math.cos(turn), math.sin(turn)])
    C = D + 0.4 * np.array([math.cos(1.9), math.sin(1.9)])
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    offset = rng.uniform(-1, 1, 3)

    def anchor(point, shift=0.0):  # x of an anchor is arbitrary, z across the plane
        spin = rng.uniform(-3, 3)
        c, s = math.cos(spin), math.sin(spin)
        axes = R @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        return hs.Frame(offset + R @ np.array([point[0] + shift, point[1], 0.0]), angles(axes.tolist()))

    ends = {"base": (A, D), "crank": (A, B), "coupler": (B, C), "rocker": (D, C)}
    parts = []
    for name, (one, two) in ends.items():
        shift = apart if name == "rocker" else 0.0
        middle = offset + R @ np.array([*(one + two) / 2, 0.0])
        parts.append(
            hs.Component(name, 1.0, middle, (0.01, 0.01, 0.01), {"i": anchor(one), "o": anchor(two, shift)})
        )
    joints = [hs.Revolute("A", "base.i", "crank.i"), hs.Revolute("B", "crank.o", "coupler.i")]
    return parts, [*joints, hs.Revolute("D", "base.o", "rocker.i"), hs.Revolute("C", "coupler.o", "rocker.o")]


@pytest.mark.parametrize("seed, cut", [*itertools.product(range(2), ["auto", *"ABCD"])])
def test_a_drawn_loop_stays_where_it_is_drawn(seed, cut):
    parts, joints = drawn_four_bar(np.random.default_rng(seed))
    model = hs.mate(parts, joints, ground="base", cut=cut, drawn=True)
    assert len(model.cuts) == 1 and (cut == "auto" or model.cuts[0].name == cut)
    q = [model.pose("start")[name] for name in model.coordinates]
    for pose in placement(model, q).values():
        assert abs(pose.p).max() < 1e-9 and abs(pose.R - np.eye(3)).max() < 1e-9
    assert hs.assemble(model).report.mobility == 1


@pytest.mark.parametrize("digits", [5, 7, 9, 11])
@pytest.mark.parametrize("drawn", [False, True])
def test_rounded_anchors_of_a_planar_loop(digits, drawn):
    """Rounded files: the loop moves, and its anchors are where a four-bar of those lengths has them."""
    parts, joints = drawn_four_bar(np.random.default_rng(2))
    at = max(digits, 7)  # what meets in a drawing is told to 1e-6

    def rounded(frame):
        return hs.Frame(np.round(frame.at, at), np.round(frame.rpy, digits if not drawn else at))

    parts = [
        hs.Component(p.name, 1.0, p.com, (0.01,) * 3, {n: rounded(f) for n, f in p.anchors.items()})
        for p in parts
    ]
    model = hs.mate(parts, joints, ground="base", cut="C", drawn=drawn)
    lengths = [np.linalg.norm(np.subtract(p.anchors["i"].at, p.anchors["o"].at)) for p in parts]
    start = model.pose("start")
    for turn in np.linspace(-0.3, 0.3, 5):
        state = hs.assemble(model, {"A": start["A"] + turn})
        assert state.report.mobility == 1
        A, B, C, D = (place(model, state.q, f).p for f in ("base.i", "coupler.i", "rocker.o", "base.o"))
        np.testing.assert_allclose(place(model, state.q, "coupler.o").p, C, rtol=0, atol=1e-12)
        found = [np.linalg.norm(x - y) for x, y in ((A, D), (A, B), (B, C), (D, C))]
        np.testing.assert_allclose(found, lengths, rtol=0, atol=3e-6)


def test_what_is_not_parallel_is_named():
    base = {"i": (0, 0, 0), "o": hs.Frame((0.45, 0, 0), rpy=(2e-5, 0, 0))}
    lengths = {"crank": 0.2, "coupler": 0.5, "rocker": 0.4}
    bars = [hs.Component(n, 1.0, anchors={"i": (0, 0, 0), "o": (x, 0, 0)}) for n, x in lengths.items()]
    _, joints = drawn_four_bar(np.random.default_rng(0))
    with pytest.raises(hs.ModelError, match=r'axes of "base\.i" and "base\.o" are 2e-05 rad from parallel'):
        hs.mate(hs.Component("base", anchors=base), bars, joints, ground="base")
    with pytest.raises(hs.ModelError, match='those of "C" are 1e-05 m apart along its axis in every pose'):
        hs.mate(hs.Component("base", anchors={**base, "o": (0.45, 0, 1e-5)}), bars, joints, ground="base")


def test_a_guide_with_a_rounded_right_angle():
    """A slider-crank whose guide is typed with 1.5708, as a right angle is written."""
    guide = hs.Frame((0, 0, 0), rpy=(0, 1.5708, 0))
    parts = [
        hs.Component("base", anchors={"A": (0, 0, 0), "guide": guide}),
        hs.Component("crank", 0.2, anchors={"i": (0, 0, 0), "o": (0.1, 0, 0)}),
        hs.Component("rod", 0.3, anchors={"i": (0, 0, 0), "o": (0.3, 0, 0)}),
        hs.Component("slider", 0.4, anchors={"guide": guide, "pin": (0, 0, 0)}),
    ]
    joints = [hs.Revolute("A", "base.A", "crank.i"), hs.Revolute("B", "crank.o", "rod.i")]
    joints += [hs.Prismatic("x", "base.guide", "slider.guide"), hs.Revolute("C", "rod.o", "slider.pin")]
    model = hs.mate(parts, joints, ground="base", near={"A": 0.0, "x": 0.4}, independent=["A"])
    for turn in (0.0, 0.7, 2.0):
        state = hs.assemble(model, {"A": turn}, near={"x": 0.4})
        x = 0.1 * math.cos(turn) + math.sqrt(0.09 - 0.01 * math.sin(turn) ** 2)
        assert place(model, state.q, "slider.pin").p[0] == pytest.approx(x, abs=1e-10)


def test_independent_joints_are_not_cut():
    parts, joints = drawn_four_bar(np.random.default_rng(5))
    for name in "ABCD":
        model = hs.mate(parts, joints, ground="base", drawn=True, independent=[name])
        assert name in model.coordinates and model.independent == (name,)


def test_parts_that_are_moved_together():
    """Each part in coordinates of its own; the loop closes near the guesses."""
    bars = {"crank": 0.2, "coupler": 0.5, "rocker": 0.4}
    parts = {
        n: hs.Component(n, 1.0, (L / 2, 0, 0), (0.01, 0.01, 0.01), {"i": (0, 0, 0), "o": (L, 0, 0)})
        for n, L in bars.items()
    }
    parts["base"] = hs.Component("base", 1.0, inertia=(1, 1, 1), anchors={"i": (0, 0, 0), "o": (0.45, 0, 0)})
    _, joints = drawn_four_bar(np.random.default_rng(0))
    heights = []
    for guess in (1.5, -1.5):
        model = hs.mate(parts, joints, ground="base", cut="C", near={"A": 0.3, "D": guess})
        q = [model.pose("start")[name] for name in model.coordinates]
        gap = place(model, q, "coupler.o").p - place(model, q, "rocker.o").p
        assert abs(gap).max() < 1e-9
        heights.append(place(model, q, "rocker.o").p[1])
    assert heights[0] > 0 > heights[1]
    leads = hs.mate(parts, joints, ground="base", independent=["A"], near={"A": 0.3, "D": 1.5})
    assert leads.pose("start")["A"] == 0.3 and leads.pose("start")["D"] > 0
    kept = hs.mate(parts, joints, ground="base", independent=["A"], near={"A": 0.3, "C": 0.1})
    assert {joint.name for joint in kept.cuts} <= {"B", "C", "D"}
    with pytest.raises(hs.ModelError, match='near: "C" is no coordinate, as its joint closes a loop'):
        hs.mate(parts, joints, ground="base", cut="C", near={"C": 0.1})
    parts["coupler"] = hs.Component(
        "coupler", 1.0, inertia=(1, 1, 1), anchors={"i": (0, 0, 0), "o": (2.0, 0, 0)}
    )
    with pytest.raises(hs.ModelError, match="the anchors cannot meet: the loops cannot be closed"):
        hs.mate(parts, joints, ground="base")


def test_anchors_that_are_drawn_apart():
    parts, joints = drawn_four_bar(np.random.default_rng(1), apart=1e-3)
    with pytest.raises(hs.ModelError) as caught:
        hs.mate(parts, joints, ground="base", drawn=True)
    assert 'joint "C": its anchors "coupler.o" and "rocker.o" cannot meet: they are drawn 0.001 m' in str(
        caught.value
    )
    assert hs.mate(parts, joints, ground="base", cut="C").cuts  # moved, they meet


def test_a_grasp_has_a_table():
    """The grasp is an anchor; the six numbers that locate it are the last row and the end of the table."""
    rng = np.random.default_rng(2)
    parts = [random_part(rng, f"p{k}") for k in range(3)]
    parts[2] = parts[2].anchored({"grasp": random_frame(rng)})
    model = hs.mate(
        parts, hs.Revolute("a", "p0.out", "p1.in"), hs.Revolute("b", "p1.out", "p2.in"), ground="p0"
    )
    again = hs.from_dh(hs.dh_table(model, "p2.grasp"))
    for q in rng.normal(size=(3, 2)):
        one, two = place(model, q, "p2.grasp"), place(again, q, "p2.end")
        assert abs(one.p - two.p).max() < 1e-12 and abs(one.R - two.R).max() < 1e-12


WRONG = [
    (dict(ground="bse"), 'there is no component "bse" (did you mean "base"?)'),
    (dict(cut="E"), 'cut: there is no joint "E"'),
    (dict(cut=["A", "B"]), "closes no loop"),
    (dict(), "is not connected to the world"),
]


@pytest.mark.parametrize("options, message", WRONG, ids=[m[:25] for _, m in WRONG])
def test_errors(options, message):
    parts, joints = drawn_four_bar(np.random.default_rng(0))
    with pytest.raises(hs.ModelError) as caught:
        hs.mate(
            parts, joints, **({"ground": "base"} if options and "ground" not in options else {}), **options
        )
    assert message in str(caught.value)


def test_wrong_components():
    with pytest.raises(hs.ModelError, match='frame "p" of body "base"'):
        hs.mate(
            hs.Component("base"), hs.Component("arm", 1.0), hs.Revolute("A", "base.p", "arm"), ground="base"
        )
    for arguments, message in (
        (("a.b",), "must be a text without a dot"),
        (("a", "heavy"), "mass"),
        (("a", -1.0), "mass is -1; it cannot be negative"),
        (("a", 1.0, (0, 0, 0), (1, 1, 1), {3: (0, 0, 0)}), "the name of an anchor must be a text"),
        (("a", 1.0, (0, 0, 0), (1, 1, 1), {"A": ("L", 0, 0)}), 'anchor "A" must be numbers, not formulas'),
        (("a", 1.0, (0, 0, 0), (1, 1, 1), {"cog": (0, 0, 0)}), 'anchor "cog" follows from mass'),
        (("a", 1.0, (0, 0, 0), (1, 1, 1), ["A"]), "anchors must be"),
    ):
        with pytest.raises(hs.ModelError, match=message):
            hs.Component(*arguments)
    with pytest.raises(hs.ModelError, match="near: no loop has to close"):
        hs.mate(hs.Component("a", 1.0), hs.Revolute("j", hs.WORLD, "a"), near={"j": 1.0})
    with pytest.raises(hs.ModelError, match="no mass to scale"):
        hs.Component("a").weighed(mass=1.0)
