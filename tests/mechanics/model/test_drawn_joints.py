"""Joints proposed where holes and shafts are on one axis: which kind, between which parts, and when none."""

import math

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.model.design.round import Round
from hapsis.mechanics.model.frames import angles

NONE = ()


def part(name, *cylinders, mass=1.0, com=(0, 0, 0)):
    """A part with cylinders (place, axis, radius, length, hole, shoulders)."""
    anchors, rounds = {}, {}
    for k, (at, axis, radius, length, hole, shoulders) in enumerate(cylinders):
        anchors[f"c{k}"] = hs.Frame(at, angles([list(row) for row in z_onto(axis)]))
        rounds[f"c{k}"] = Round(radius, length, hole, tuple(shoulders))
    return hs.Component(name, mass, com, (1e-3, 1e-3, 1e-3), anchors, (), "CAD", rounds)


def ends(length):
    """Flat faces at both ends of a hole."""
    return (-length / 2, -1.0), (length / 2, 1.0)


def hole(x, y=0.0, z=0.0, axis=(0, 0, 1), radius=0.005, length=0.01, shoulders=None):
    return (x, y, z), axis, radius, length, True, ends(length) if shoulders is None else shoulders


def shaft(x, y=0.0, z=0.0, axis=(0, 0, 1), radius=0.005, length=0.02, shoulders=()):
    return (x, y, z), axis, radius, length, False, shoulders


def joints(*parts, ground=None):
    drawn = hs.drawn_joints({p.name: p for p in parts}, ground)
    pairs = [
        (type(j).__name__, *sorted((str(j.first).split(".")[0], str(j.second).split(".")[0])))
        for j in drawn.joints
    ]
    return drawn, sorted(pairs)


def test_holes_side_by_side_turn():
    drawn, pairs = joints(part("a", hole(0), mass=2), part("b", hole(0, z=0.01), hole(0.1, z=0.01)))
    assert pairs == [("Revolute", "a", "b")] and drawn.ground == "a"
    assert drawn.parts["a"].anchors["a b"] == drawn.parts["b"].anchors["a b"]
    assert drawn.parts["a"].anchors["a b"].at == pytest.approx((0, 0, 0.005))
    model = hs.mate(drawn.parts, drawn.joints, ground="a", drawn=True)
    assert model.pose("start") == {"a b": 0.0} or hs.assemble(model).q == pytest.approx([0.0])


def test_the_pin_of_a_hinge_is_welded_and_a_bush_is_between():
    """A fork, an eye that turns on a flush pin; a shaft in a bush that is in a housing."""
    fork = part("fork", hole(0, z=0.02), hole(0, z=-0.02), mass=3)
    eye, pin = part("eye", hole(0, length=0.02), com=(0.05, 0, 0)), part("pin", shaft(0, length=0.06))
    assert joints(fork, eye, pin)[1] == [("Revolute", "eye", "fork"), ("Weld", "fork", "pin")]
    housing = part("housing", hole(0, radius=0.01, length=0.03), mass=3, com=(0.1, 0, 0))
    bush = part("bush", shaft(0, radius=0.01, length=0.03), hole(0, radius=0.006, length=0.03))
    rod = part("rod", shaft(0, radius=0.006, length=0.1), com=(0.1, 0, 0))
    assert joints(housing, bush, rod)[1] == [("Cylindrical", "housing", "rod"), ("Weld", "bush", "housing")]
    lever = part("bush", shaft(0, radius=0.01, length=0.03), hole(0, radius=0.006), com=(0.1, 0, 0))
    fits = [("Cylindrical", "bush", "housing"), ("Cylindrical", "bush", "rod")]
    assert joints(housing, lever, rod)[1] == fits  # one that is no bush turns in between
    thin = part("thin", shaft(0, radius=0.002), mass=0.1, com=(0.1, 0, 0))
    drawn, pairs = joints(housing, part("lid", hole(0, z=0.02, radius=0.01), com=(0.1, 0, 0)), thin)
    assert ("Weld", "housing", "thin") in pairs and len(drawn.joints) == 2


def test_a_piston_slides_and_a_pin_with_a_shoulder_turns():
    bore = part("bore", hole(0, axis=(1, 0, 0), radius=0.02, length=0.2))
    piston = part("piston", shaft(0.01, axis=(1, 0, 0), radius=0.02, length=0.05))
    assert joints(bore, piston)[1] == [("Cylindrical", "bore", "piston")]
    lug = part("lug", shaft(0, z=0.005, length=0.01, shoulders=[(-0.005, 1.0)]))
    link = part("link", hole(0, z=0.005), hole(0.1, z=0.005))
    assert joints(lug, link)[1] == [("Revolute", "link", "lug")]


def test_two_guide_rods_are_a_slider_and_two_bolt_holes_a_weld():
    rods = [shaft(0, y, length=0.5) for y in (0, 0.1)]
    table = part("table", hole(0, 0), hole(0, 0.1))
    assert joints(part("frame", *rods, mass=9), table)[1] == [("Prismatic", "frame", "table")]
    plate = part("plate", hole(0, 0, z=0.01), hole(0, 0.1, z=0.01))
    assert joints(plate, table)[1] == [("Weld", "plate", "table")]


def test_pins_and_nuts_go_with_what_they_join():
    a, b = part("a", hole(0), hole(0.2), mass=3), part("b", hole(0, z=0.01), hole(-0.2, z=0.01))
    pin = part("pin", shaft(0, z=0.005), com=(0, 0, 0.005))
    nut = part("nut", hole(0, z=0.018, length=0.006), com=(0, 0, 0.018))
    others = part("c", hole(0.2, z=0.01), hole(0.3)), part("d", hole(-0.2, z=0.02), hole(0.5))
    drawn, pairs = joints(a, b, pin, nut, *others, ground="a")
    assert ("Revolute", "a", "b") in pairs and ("Weld", "a", "pin") in pairs and ("Weld", "a", "nut") in pairs
    assert ("Revolute", "b", "pin") not in pairs and len(pairs) == 5
    assert hs.assemble(hs.mate(drawn.parts, drawn.joints, ground="a", drawn=True)).report.mobility == 3


def test_a_wheel_on_its_axle_turns():
    """The only two parts on an axis: one of them is no fastener, although it is round."""
    wheel = part("wheel", hole(0.2, radius=0.005), com=(0.2, 0, 0))
    axle = part("axle", shaft(0.2, shoulders=[(-0.005, 1.0)]), mass=4)
    assert joints(wheel, axle)[1] == [("Revolute", "axle", "wheel")]


@pytest.mark.parametrize("seed", range(5))
def test_noise_of_files_and_any_pose_change_nothing(seed):
    """A four-bar that is turned and moved, with holes a few µm off their axis, still moves in its plane."""
    rng = np.random.default_rng(seed)
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    p = rng.uniform(-1, 1, 3)

    def link(name, first, second, z, mass=1.0):
        cylinders = []
        for x, y in (first, second):
            at = p + R @ (np.array([x, y, z]) + rng.uniform(-2e-6, 2e-6, 3))
            axis = R[:, 2] * rng.choice([-1, 1]) + rng.uniform(-1e-6, 1e-6, 3)
            cylinders.append(hole(*at, axis=tuple(axis / np.linalg.norm(axis))))
        return part(name, *cylinders, mass=mass, com=tuple(p))

    A, B, C, D = (0, 0), (0.1, 0.15), (0.4, 0.3), (0.45, 0)
    four = (
        link("base", A, D, 0, 9),
        link("crank", A, B, 0.01),
        link("coupler", B, C, 0),
        link("rocker", D, C, 0.01),
    )
    drawn, pairs = joints(*four)
    assert [kind for kind, *_ in pairs] == ["Revolute"] * 4
    model = hs.mate(drawn.parts, drawn.joints, ground="base", drawn=True, independent=["base crank"])
    state = hs.assemble(model)
    assert state.report.mobility == 1 and len(model.cuts) == 1
    assert abs(hs.assemble(model, {"base crank": 0.2}).q).max() > 0.1  # it moves


def test_what_shares_no_axis_is_held_and_said():
    drawn, pairs = joints(part("a", hole(0), mass=3), part("b", hole(0, z=0.01)), part("far", hole(1.0)))
    assert ("Weld", "a", "far") in pairs
    assert "weld a far: a, far; it shares no axis with another part" in str(drawn)


def test_coaxial_is_not_enough():
    """Holes far apart on one axis, shafts that are too thick, and fillets are no joints."""
    with pytest.raises(hs.ModelError, match="no two parts have a hole or a shaft on one axis"):
        joints(part("a", hole(0)), part("b", hole(0, z=0.5)))
    with pytest.raises(hs.ModelError, match="no two parts"):
        joints(part("a", hole(0)), part("b", shaft(0, radius=0.008)))
    with pytest.raises(hs.ModelError, match="no two parts"):
        joints(part("a", shaft(0)), part("b", shaft(0, z=0.02)))


def test_mistakes():
    a, b = part("a", hole(0)), part("b", hole(0, z=0.01))
    with pytest.raises(hs.ModelError, match=r'there is no component "c"'):
        hs.drawn_joints({"a": a, "b": b}, "c")
    with pytest.raises(hs.ModelError, match="there are none"):
        hs.drawn_joints({})
    with pytest.raises(hs.ModelError, match="drawn_joints takes components"):
        hs.drawn_joints([1, 2])


def test_names_of_any_length_and_kind():
    names = "ü" * 100, "ü" * 99 + 'x"'
    drawn, _ = joints(part(names[0], hole(0), mass=2), part(names[1], hole(0, z=0.01)))
    assert all(len(joint.name) <= 150 for joint in drawn.joints)
    assert math.isfinite(hs.assemble(hs.mate(drawn.parts, drawn.joints, ground=names[0], drawn=True)).q[0])


def test_parts_without_holes_are_told_from_parts_whose_holes_do_not_meet(tmp_path):
    """Files of components keep anchors, not what is round: no joints can be proposed for them."""
    parts = {"a": part("a", hole(0)), "b": part("b", hole(0, z=0.01))}
    hs.save_cad(parts, tmp_path / "parts.yaml")
    with pytest.raises(hs.ModelError, match=r"no part has a hole or a shaft: .* load the STEP file"):
        hs.drawn_joints(hs.load_cad(tmp_path / "parts.yaml"))


def test_rounding_of_a_centre_is_printed_as_zero():
    """1.96e-18 m is none in a part of centimetres, and a part of a micrometre keeps its own."""
    assert "cog (0.03, 0, 0) m" in str(hs.Component("a", 0.1, (0.03, -2e-18, 2e-18), (1e-5, 1e-5, 1e-5)))
    assert "cog (0, 3e-08, 0) m" in str(hs.Component("a", 1e-15, (0, 3e-8, 0), (1e-27, 1e-27, 1e-27)))
