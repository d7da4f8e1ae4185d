"""What is drawn of a model lies where the model is: links reach their joints, lines their ends."""

import json

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.algebra.quaternions import matrix
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.drawing.placement import frame_pose, placement
from hapsis.motion.analysis.pose_scene import scene_of

SMALL = [n for n in hs.library.MODELS if n not in ("car", "five_link_car")]
PLANAR = {"andrews", "n_four_bar", "redundant_four_bar", "scissor_lift", "slider_crank", "three_bar"}


def drawn(name):
    model = getattr(hs.library, name)()
    q = hs.assemble(model).q
    return model, q, drawing(model, q)


def points_of(shape):
    """The places that a link reaches, in body axes."""
    R, at = matrix(shape["q"]), np.array(shape["at"])
    if shape["kind"] == "tube":
        return [at + R @ np.array(p) for p in shape["points"]]
    if shape["kind"] == "plate":
        return [at + R @ np.array([*p, 0.0]) for p in shape["points"]]
    return []


@pytest.mark.parametrize("name", SMALL)
def test_a_drawing_is_json_of_finite_numbers_in_the_order_of_the_bodies(name):
    model, _, table = drawn(name)
    json.dumps(table, allow_nan=False)
    assert [body["name"] for body in table["bodies"]] == list(model.bodies)
    assert table["planar"] == (name in {*PLANAR, "grand_action", "knife_edge_sled", "roller_racer"})
    assert table["notices"] == []
    seen = [body for body in table["bodies"] if body["shapes"]]
    assert len({tuple(body["color"]) for body in seen}) == min(len(seen), 10)


@pytest.mark.parametrize("name", ["agile_eye", "stewart", "scissor_lift", "five_link_suspension"])
def test_placement_agrees_with_the_compiled_poses(name):
    model = getattr(hs.library, name)()
    q = hs.assemble(model).q + 0.1 * np.random.default_rng(1).standard_normal(len(model.coordinates))
    poses = scene_of(model, q[None], model.parameters)["poses"][0, 1:]
    placed = placement(model, q)
    for pose, body in zip(poses, model.bodies, strict=True):
        np.testing.assert_allclose(placed[body].p, pose[:3], atol=1e-12)
        np.testing.assert_allclose(placed[body].R, matrix(pose[3:]), atol=1e-12)


@pytest.mark.parametrize("name", sorted(PLANAR))
def test_links_of_planar_mechanisms_reach_their_pins(name):
    """Every pin of a body without shapes is a corner of its plate, seen from the side."""
    model, _, table = drawn(name)
    side = np.array(table["side"])
    for body in table["bodies"]:
        own = model.bodies[body["name"]]
        plates = [points_of(s) for s in body["shapes"] if s["kind"] == "plate"]
        if own.shapes:
            continue
        assert len(plates) == 1, body["name"]
        for joint in model.joints.values():
            for end in (joint.first, joint.second):
                on, frame = model.frame(end)
                if on == body["name"]:
                    at = frame_pose(model, frame).p
                    # across the side, in the axes of the body, which may only turn about it
                    gaps = [np.linalg.norm((p - at) - np.dot(p - at, side) * side) for p in plates[0]]
                    assert min(gaps) < 1e-6, (body["name"], joint.name)


def test_lines_end_where_springs_and_rods_do():
    model, q, table = drawn("double_wishbone")
    placed = placement(model, q)
    order = ["world", *model.bodies]
    kinds = {line["name"]: line["kind"] for line in table["connections"]}
    assert kinds == {"strut": "strut", "track rod": "rod"}
    for line in table["connections"]:
        fact = model.forces.get(line["name"]) or model.constraints[line["name"]]
        for end, given in zip(line["ends"], (fact.first, fact.second), strict=True):
            body, frame = model.frame(given)
            there = placed[body] @ frame_pose(model, frame)
            name = order[end["body"] + 1]
            here = placed[name].p + placed[name].R @ np.array(end["at"])
            np.testing.assert_allclose(here, there.p, atol=1e-6)


def test_parts_are_what_they_look_like():
    _, _, car = drawn("double_wishbone")
    wheel = next(body for body in car["bodies"] if body["name"] == "wheel")
    assert [shape["kind"] for shape in wheel["shapes"]] == ["wheel"]
    lower = next(body for body in car["bodies"] if body["name"] == "lower")
    assert [shape["kind"] for shape in lower["shapes"]].count("tube") == 3  # two legs and a brace
    _, _, crank = drawn("slider_crank")
    assert {"support", "rail", "pin"} <= {shape["kind"] for shape in crank["world"]["shapes"]}
    _, _, eye = drawn("agile_eye")
    drawn_bodies = [body["name"] for body in eye["bodies"] if body["shapes"]]
    assert not any(name.startswith(("eye step", "heading", "slope", "phantom")) for name in drawn_bodies)


def test_plates_that_share_a_pin_lie_in_different_layers():
    table = drawn("andrews")[2]
    side = np.array(table["side"])
    heights = {}
    for body in table["bodies"]:
        plate = next(shape for shape in body["shapes"] if shape["kind"] == "plate")
        heights[body["name"]] = (float(np.dot(plate["at"], side)), plate["depth"])
    meeting = ["K2", "K3", "K4", "K6"]  # all four on the pin E
    for k, first in enumerate(meeting):
        for second in meeting[:k]:
            gap = abs(heights[first][0] - heights[second][0])
            assert gap > 0.99 * heights[first][1], (first, second)


def test_the_chassis_of_a_car_is_glass():
    table = drawing(hs.library.car())
    chassis = next(body for body in table["bodies"] if body["name"] == "chassis")
    assert {shape.get("of") for shape in chassis["shapes"] if shape["kind"] == "box"} == {"glass"}


def test_up_is_against_gravity_and_a_flat_plane_is_shown_upright():
    assert drawn("three_bar")[2]["up"] == [0.0, 0.0, -1.0]
    assert drawn("andrews")[2]["up"] == [0.0, 1.0, 0.0]  # without gravity
    arm = hs.Model(hs.Rod("arm", 1.0, 1.0), hs.Revolute("turn", hs.WORLD, "arm"))  # gravity along the axis
    table = drawing(arm)
    assert table["planar"] and table["up"] == [0.0, 1.0, 0.0] and table["side"] == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    "model",
    [
        hs.Model(hs.Body("ball", 1.0), hs.Free("ball", hs.WORLD, "ball")),
        hs.Model(hs.Body("dust", 0.0), hs.Weld("dust", hs.WORLD, "dust")),
        hs.Model(hs.Body("nut", 1.0, inertia=(1, 1, 1)), hs.Helical("nut", hs.WORLD, "nut", pitch=0.01)),
        hs.Model(hs.Body.sphere("s", 0.1, 1.0), hs.Ball("s", hs.WORLD, "s")),
        hs.Model(hs.Body("far", 1.0, (1e6, 0, 0)), hs.Revolute("far", hs.WORLD, "far", axis="y")),
    ],
)
def test_models_of_one_body_have_finite_drawings(model):
    json.dumps(drawing(model), allow_nan=False)


def test_a_missing_mesh_is_named_in_one_notice_and_its_body_gets_a_form(tmp_path):
    links = "".join(
        f'<link name="b{k}"><visual><geometry><mesh filename="no{k}.stl"/></geometry></visual>'
        '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
        "</link>"
        for k in range(5)
    )
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="b{k - 1}"/><child link="b{k}"/>'
        '<origin xyz="1 0 0"/><axis xyz="0 1 0"/></joint>'
        for k in range(1, 5)
    )
    file = tmp_path / "a.urdf"
    file.write_text(f'<robot name="r">{links}{joints}</robot>')
    table = drawing(hs.load(file))
    assert len(table["notices"]) == 1
    assert all(f"no{k}.stl" in table["notices"][0] for k in range(5))
    assert all(body["shapes"] for body in table["bodies"][1:])
