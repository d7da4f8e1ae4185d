"""MJCF: bodies, joints, masses and loops as MuJoCo means them."""

import math
import random
from pathlib import Path

import numpy as np
import pytest
from attacks.mutation import everything, mutated
from attacks.soundness import check
from hypothesis import example, given
from hypothesis import strategies as st
from test_formats_mutations import outcomes

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.mechanics.formats.load_save import load, save
from hapsis.mechanics.formats.mjcf.mjcf_fields import about, framed, onto
from hapsis.mechanics.formats.mjcf.mjcf_geoms import Part, moments, together, volume
from hapsis.mechanics.formats.mjcf.mjcf_reader import mjcf_model
from hapsis.mechanics.formats.xml_fields import inverse
from hapsis.mechanics.model.frames import End, Frame, composed, rotation

MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"
MUTATIONS = 2_000


def read(inside, before="", after="", folder=None, **options):
    text = f"<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>"
    return mjcf_model(text, "a.xml", folder or Path(), **options)


def body(inside, name="a", more=""):
    mass = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    return f'<body name="{name}" {more}>{mass}{inside}</body>'


def joint(attributes, before=""):
    return read(body(f'<joint name="j" {attributes}/>'), before).joints["j"]


def refused(inside, **options):
    with pytest.raises(ModelError) as caught:
        read(inside, **options)
    return str(caught.value)


# --- laws


@pytest.mark.parametrize(
    ("kind", "size", "inside"),
    [
        ("sphere", (0.5,), lambda x, y, z: x * x + y * y + z * z < 0.25),
        ("box", (0.3, 0.4, 0.5), lambda x, y, z: (abs(x) < 0.3) & (abs(y) < 0.4) & (abs(z) < 0.5)),
        ("cylinder", (0.3, 0.5), lambda x, y, z: (x * x + y * y < 0.09) & (abs(z) < 0.5)),
        ("ellipsoid", (0.3, 0.4, 0.5), lambda x, y, z: (x / 0.3) ** 2 + (y / 0.4) ** 2 + (z / 0.5) ** 2 < 1),
        ("capsule", (0.3, 0.4), lambda x, y, z: x * x + y * y + np.maximum(abs(z) - 0.4, 0) ** 2 < 0.09),
    ],
)
def test_masses_are_those_of_many_small_cubes(kind, size, inside):
    n = 160  # cubes of 1 cm, whose faces lie in those of the shapes
    line = (np.arange(n) + 0.5) / n * 1.6 - 0.8
    x, y, z = np.meshgrid(line, line, line)
    full = inside(x, y, z)
    x, y, z, cube = x[full], y[full], z[full], (1.6 / n) ** 3
    assert volume(kind, size) == pytest.approx(cube * len(x), rel=0.01)
    found = [np.mean(y * y + z * z), np.mean(x * x + z * z), np.mean(x * x + y * y)]
    assert moments(kind, size) == pytest.approx(found, rel=0.01)


unit = st.floats(-1, 1)
vectors = st.tuples(unit, unit, unit)


@given(st.lists(st.tuples(st.floats(0.1, 2), vectors), min_size=1, max_size=5))
def test_parts_together_have_their_mass_and_moments(given_):
    """About the origin the moments of all parts add up, whatever their common centre is."""
    ball = (0.1, 0.2, 0.15, 0.01, 0.02, -0.01)
    parts = [Part(mass, at, ball) for mass, at in given_]
    whole = together(parts)

    def about_origin(part):
        xx, yy, zz, xy, xz, yz = part.inertia
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        c = np.array(part.com)
        return I + part.mass * (c @ c * np.eye(3) - np.outer(c, c))

    assert whole.mass == pytest.approx(sum(part.mass for part in parts))
    np.testing.assert_allclose(about_origin(whole), sum(map(about_origin, parts)), atol=1e-12)


@given(vectors.filter(lambda v: math.hypot(*v) > 1e-3), vectors, st.floats(-3, 3))
@example((0.0, 9e-13, 1.0), (0.0, 0.0, 0.0), 0.0)
@example((0.0, 9e-13, -1.0), (0.0, 0.0, 0.0), 0.0)
def test_frames_and_their_inverses(axis, at, angle):
    direction = np.array(axis) / math.hypot(*axis)
    np.testing.assert_allclose(np.array(onto(axis)) @ [0, 0, 1], direction, atol=1e-14)
    frame = framed(at, about(axis, angle))
    same = composed(inverse(frame), frame)
    np.testing.assert_allclose([*same.at, *same.rpy], 0, atol=1e-14)


# --- the example


def test_the_hopper():
    model = load(MODELS / "hopper.xml")
    assert model.coordinates == ("forward", "up", "pitch", "hip", "knee")
    assert list(model.bodies) == ["trunk", "trunk/forward", "trunk/up", "thigh", "shank"]
    assert model.bodies["trunk/up"] == hs.Body("trunk/up")
    assert model.bodies["trunk"].shapes == (hs.Box((0.24, 0.16, 0.1)),)
    assert model.bodies["trunk"].frames["head"] == Frame((0, 0, 0.05))
    assert model.world.shapes == (hs.Plane(),)
    knee = model.joints["knee"]
    assert knee.limits == pytest.approx((math.radians(-120), math.radians(-5)))
    assert knee.first == End("thigh", Frame((0, 0, -0.4)))
    spring = model.forces["knee.spring"]
    assert (spring.stiffness, spring.rest) == (25, pytest.approx(math.radians(-40)))
    assert model.poses["start"] == model.poses["home"]
    assert model.warnings == (
        f"{MODELS / 'hopper.xml'}: 5 geoms can touch each other in MuJoCo; "
        "here nothing touches without hs.Contact",
    )


def test_the_hopper_can_be_saved(tmp_path):
    model = load(MODELS / "hopper.xml")
    save(model, tmp_path / "a.yaml")
    assert load(tmp_path / "a.yaml") == model
    with pytest.raises(ModelError, match="MuJoCo's files are read, not written"):
        save(model, tmp_path / "a.xml")


# --- joints


def test_joint_types():
    assert joint("") == hs.Revolute("j", hs.WORLD, "a", axis="z")
    assert joint('type="slide" axis="0 -2 0"') == hs.Prismatic("j", hs.WORLD, "a", axis="-y")
    assert joint('type="ball"') == hs.Ball("j", hs.WORLD, "a")
    assert joint('type="free"') == hs.Free("j", hs.WORLD, "a")
    free = read(body('<freejoint name="j"/>'), '<default><joint damping="3"/></default>')
    assert free.joints["j"] == hs.Free("j", hs.WORLD, "a")


def test_numbers_of_a_joint():
    given_ = 'damping="1" frictionloss="2" armature="3" range="-90 45"'
    made = joint(given_)
    assert (made.damping, made.friction, made.armature) == (1, 2, 3)
    assert made.limits == pytest.approx((-math.pi / 2, math.pi / 4))
    assert joint(given_, '<compiler angle="radian"/>').limits == (-90, 45)
    assert joint('type="slide" range="-90 45"').limits == (-90, 45)
    assert joint('limited="false" range="-90 45"').limits is None
    assert joint('range="0 0"').limits is None


def test_the_point_of_a_joint():
    made = read(body('<joint name="j" pos="0 0 1"/>', more='pos="1 0 0" euler="0 0 90"')).joints
    place = made["j"].first.frame
    assert place.at == pytest.approx((1, 0, 1)) and place.rpy == pytest.approx((0, 0, math.pi / 2))
    assert made["j"].second == End("a", Frame((0, 0, 1)))


@pytest.mark.parametrize("kind", ["hinge", "slide"])
def test_ref_is_the_coordinate_as_written(kind):
    """A joint with ref stands at ref as one without stands at zero."""
    angle = math.radians(30) if kind == "hinge" else 30.0
    text = f'<joint name="j" type="{kind}" axis="1 2 3" pos="0.1 0.2 0.3" ref="%s"/>'
    placed = []
    for ref, q in (("0", 0.4), ("30", 0.4 + angle)):
        model = read(body(text % ref, more='pos="1 2 3" euler="10 20 30"'))
        p, R = hs.compile(hs.pose(model, "a"), backend="python")([q])
        placed.append(np.vstack([np.reshape(p, (1, 3)), R]))
    np.testing.assert_allclose(placed[0], placed[1], atol=1e-14)
    assert model.poses["start"]["j"] == pytest.approx(angle)


def test_several_joints_of_one_body():
    inside = '<joint name="x" type="slide" axis="1 0 0"/><joint name="tilt" pos="0 0 1"/>'
    found = read(body(inside, more='pos="0 0 2"'))
    expected = hs.Model(
        hs.Body("a", mass=1, inertia=(1, 1, 1)),
        hs.Body("a/x"),
        hs.Prismatic("x", ("world", (0, 0, 2)), "a/x", axis="x"),
        hs.Revolute("tilt", ("a/x", (0, 0, 1)), ("a", (0, 0, 1))),
    )
    assert found == expected


def test_a_body_without_joints_is_welded():
    model = read(body(body("", "b", 'pos="0 0 1"')))
    assert model.joints == {"a": hs.Weld("a", hs.WORLD, "a"), "b": hs.Weld("b", ("a", (0, 0, 1)), "b")}


def test_names_that_are_missing_are_made_up():
    model = read(
        "<body><joint/><geom size='1'/><site/><body name='body1'><joint name='joint1'/></body>"
        "<body name='c'/></body>"
    )
    assert list(model.bodies) == ["body1_2", "body1", "c"]
    assert list(model.joints) == ["joint1_2", "joint1", "c"]
    assert list(model.bodies["body1_2"].frames) == ["site1"]


def test_names_of_two_kinds_may_be_equal():
    text = body('<joint name="a"/>' + body('<joint name="b"/>', "b"))
    after = '<equality><joint name="a" joint1="a" joint2="b"/></equality>'
    model = read(text, after=after)
    assert list(model.constraints) == ["a_2"] and list(model.joints) == ["a", "b"]


# --- orientations


@pytest.mark.parametrize(
    ("said", "R"),
    [
        ('quat="2 0 0 2"', [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ('axisangle="0 0 3 90"', [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ('euler="90 90 0"', [[0, 0, 1], [1, 0, 0], [0, 1, 0]]),  # Rx Ry
        ('xyaxes="0 1 0 -3 7 0"', [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ('zaxis="1 0 0"', [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
        ('zaxis="0 0 -2"', [[1, 0, 0], [0, -1, 0], [0, 0, -1]]),
    ],
)
def test_orientations(said, R):
    frame = read(body("", more=said)).joints["a"].first.frame
    np.testing.assert_allclose(rotation(frame.rpy), R, atol=1e-15)


def test_sequences_of_angles():
    def turned(sequence):
        before = f'<compiler eulerseq="{sequence}" angle="radian"/>'
        model = read(body("", more='euler="0.1 0.2 0.3"'), before)
        return np.array(rotation(model.joints["a"].first.frame.rpy))

    x, y, z = (np.array(about(axis, a)) for axis, a in (((1, 0, 0), 0.1), ((0, 1, 0), 0.2), ((0, 0, 1), 0.3)))
    np.testing.assert_allclose(turned("xyz"), x @ y @ z, atol=1e-15)
    np.testing.assert_allclose(turned("XYZ"), z @ y @ x, atol=1e-15)
    np.testing.assert_allclose(turned("xYz"), y @ x @ z, atol=1e-15)


# --- masses and shapes


def test_masses_of_geoms():
    model = read('<body name="a"><geom size="0.1"/><geom type="box" size="1 2 3" mass="4"/></body>')
    ball = 1000 * 4 / 3 * math.pi * 1e-3
    assert model.bodies["a"].mass == pytest.approx(ball + 4)
    assert model.bodies["a"].inertia[:3] == pytest.approx([4 / 3 * x + 0.004 * ball for x in (13, 10, 5)])
    assert model.bodies["a"].shapes == (hs.Sphere(0.1), hs.Box((2, 4, 6)))


def test_whose_mass_counts():
    text = body('<geom size="1" mass="5"/><geom size="1" mass="7" group="4"/>')

    def mass(compiler):
        return read(text, f"<compiler {compiler}/>").bodies["a"].mass

    assert mass("") == 1 and mass('inertiafromgeom="false"') == 1
    assert mass('inertiafromgeom="true"') == 12
    assert mass('inertiafromgeom="true" inertiagrouprange="0 3"') == 5
    bare = '<body name="a"><geom size="1"/></body>'
    assert read(bare, '<compiler inertiafromgeom="false"/>').bodies["a"].mass == 0
    scaled = read(bare, '<compiler settotalmass="3"/>').bodies["a"]
    assert scaled.mass == pytest.approx(3) and scaled.inertia[0] == pytest.approx(1.2)


def test_an_inertia_is_turned_into_the_axes_of_the_body():
    text = '<body name="a"><inertial pos="1 2 3" mass="2" {}/></body>'
    made = read(text.format('diaginertia="2 3 4" euler="0 0 90"')).bodies["a"]
    assert made.com == (1, 2, 3) and made.inertia == pytest.approx((3, 2, 4, 0, 0, 0), abs=1e-15)
    made = read(text.format('fullinertia="2 3 4 0.1 0.2 0.3"')).bodies["a"]
    assert made.inertia == (2, 3, 4, 0.1, 0.2, 0.3)


def test_shapes():
    geoms = (
        '<geom type="capsule" size="0.1 0.2"/><geom type="cylinder" size="0.1 0.2" pos="1 0 0"/>'
        '<geom type="capsule" size="0.1" fromto="0 0 1 0 0 0"/><geom type="plane" size="1 1 1"/>'
    )
    assert read(geoms).world.shapes == (
        hs.Capsule(0.1, 0.4),
        hs.Cylinder(0.1, 0.4, at=(1, 0, 0)),
        hs.Capsule(0.1, 1.0, at=(0, 0, 0.5)),
        hs.Plane(),
    )


def test_frames_place_what_is_in_them():
    inside = (
        '<frame pos="0 0 1" euler="0 0 90"><frame pos="1 0 0"><site name="s"/>'
        '<joint name="j" axis="1 0 0"/></frame><geom size="1" pos="2 0 0" mass="1"/></frame>'
    )
    model = read(f'<frame pos="5 0 0"><body name="a">{inside}</body></frame>')
    assert model.bodies["a"].frames["s"].at == pytest.approx((0, 1, 1))
    assert model.bodies["a"].com == pytest.approx((0, 2, 1))
    assert model.joints["j"].axis == pytest.approx((0, 1, 0))
    assert model.joints["j"].first.frame.at == pytest.approx((5, 1, 1))


# --- default classes


def test_default_classes():
    before = (
        '<default><joint damping="1" armature="1"/><default class="a"><joint damping="2"/>'
        '<default class="b"><joint armature="3"/></default></default><default class="c"/></default>'
    )
    text = body('<joint name="1"/><joint name="2" class="a"/><joint name="3" class="b" damping="9"/>') + body(
        '<joint name="4"/>'
        + body('<joint name="5"/><joint name="6" class="c"/>', "y", 'childclass="b"')
        + body('<joint name="7"/>', "z"),
        "x",
        'childclass="a"',
    )
    joints = read(text, before).joints
    found = {name: (joint.damping, joint.armature) for name, joint in joints.items()}
    assert found == {
        "1": (1, 1),
        "2": (2, 1),
        "3": (9, 3),
        "4": (2, 1),
        "5": (2, 3),
        "6": (1, 1),
        "7": (2, 1),
    }


def test_an_orientation_replaces_that_of_a_class():
    before = '<default><geom quat="0 1 0 0" type="box" size="1 1 1"/></default>'
    shape = read('<geom euler="0 0 90"/>', before).world.shapes[0]
    assert shape.at.rpy == pytest.approx((0, 0, math.pi / 2))


# --- equalities and keys


def pair(after):
    text = body('<joint name="j" ref="10"/>', more='pos="1 0 0" euler="0 0 90"') + body(
        '<joint name="k"/><site name="s" pos="0 0 1"/>', "b", 'pos="0 2 0"'
    )
    return read(text, after=f"<equality>{after}</equality>")


def test_connections():
    model = pair('<connect name="c" body1="a" body2="b" anchor="1 0 0"/>')
    (made,) = model.cuts
    assert isinstance(made, hs.Ball) and made.first == End("a", Frame((1, 0, 0)))
    assert made.second.frame.at == pytest.approx((1, -1, 0))  # a's x is the world's y
    (made,) = pair('<connect body1="a" anchor="1 0 0"/>').cuts
    assert made.name == "connect1" and made.second.body == "world"
    assert made.second.frame.at == pytest.approx((1, 1, 0))
    (made,) = pair('<weld name="w" body1="a" body2="b"/>').cuts
    assert isinstance(made, hs.Weld) and made.second == End("b")
    assert made.first.frame.at == pytest.approx((2, 1, 0))
    assert made.first.frame.rpy == pytest.approx((0, 0, -math.pi / 2))
    (made,) = pair('<weld body1="a" body2="b" anchor="0 0 1" relpose="1 2 3 1 0 0 0"/>').cuts
    assert made.first == End("a", Frame((1, 2, 3))) and made.second == End("b", Frame((0, 0, 1)))
    with pytest.raises(ModelError, match='site1 is site "", which does not exist'):
        pair('<connect site2="s"/>')


def test_gears():
    model = pair('<joint name="g" joint1="j" joint2="k" polycoef="0.5 2"/>')
    assert model.constraints["g"] == hs.Gear("g", "k", "j", 2, 0.5 + math.radians(10))
    model = pair('<joint name="g" joint1="j"/>')
    assert model.drives["g"] == hs.Drive("g", "j", math.radians(10))
    model = pair('<joint name="g" joint1="j" joint2="k" polycoef="0 1 2 0 0"/>')
    assert not model.constraints and any("not linear" in note for note in model.notes)
    model = pair('<weld name="g" body1="a" active="false"/>')
    assert not model.cuts and 'not active: weld "g"' in model.notes[0]


def test_keys_are_poses():
    text = body('<joint name="j"/>') + body('<freejoint name="f"/>', "b")
    keys = (
        '<keyframe><key qpos="1 0 0 3 2 0 0 2" qvel="5 1 0 0 0.1 0.2 0.3"/>'
        '<key name="home" qpos="2 0 0 0 1 0 0 0"/></keyframe>'
    )
    model = read(text, after=keys)
    pose = model.pose("key1")
    half = math.sqrt(0.5)
    expected = {
        "j": 1,
        "f.x": 0,
        "f.y": 0,
        "f.z": 3,
        "f.qw": half,
        "f.qx": 0,
        "f.qy": 0,
        "f.qz": half,
        "j.v": 5,
        "f.wx": 0.1,
        "f.wy": 0.2,
        "f.wz": 0.3,
        "f.vx": 0,
        "f.vy": -1,
        "f.vz": 0,
    }
    assert pose == pytest.approx(expected, abs=1e-15)  # x of the world is -y of the body
    assert model.poses["start"] == model.poses["home"]
    assert read(text, after=keys.replace("home", "start")).pose("start")["j"] == 2


def test_a_free_body_starts_where_it_is_written():
    model = read(body('<freejoint name="f"/>', more='pos="1 2 3" quat="0 1 0 0"'))
    start = [model.pose("start")[name] for name in model.coordinates]
    assert start == pytest.approx([1, 2, 3, 0, 1, 0, 0])
    assert not read(body('<freejoint name="f"/>')).poses


# --- the rest of a file


def test_gravity():
    assert read("").gravity == (0, 0, -9.81)
    assert read("", '<option gravity="1 2 3"/>').gravity == (1, 2, 3)
    assert read("", '<option><flag gravity="disable"/></option>').gravity == (0, 0, 0)


def test_what_is_left_out_is_listed():
    before = (
        '<option timestep="1" integrator="RK4"/><size njmax="1"/><asset><mesh name="m"/></asset>'
        '<default><motor/><joint margin="1" dampin="2"/></default><wordbody/>'
    )
    inside = body(
        '<joint name="j" type="ball" range="0 9" stiffness="1"/><geom name="g" type="mesh"/>'
        '<camera/><light/><geom name="e" type="ellipsoid" size="1 1 1" contype="0"/>'
    )
    after = '<actuator><motor/><motor/></actuator><sensor/><keyframe><key ctrl="1"/></keyframe>'
    model = read(inside, before, after)
    assert model.bodies["a"].shapes[-1] == hs.Ellipsoid((1, 1, 1))
    assert [note.removeprefix("a.xml: ignored ") for note in model.notes] == [
        "1 x <camera> of <body>",
        "1 x <light> of <body>",
        "1 x <motor> of <default>",
        "1 x <actuator> of <mujoco> with 2 x <motor>",
        "1 x <sensor> of <mujoco>",
        "1 x <size> of <mujoco>",
        '1 x <wordbody> of <mujoco> (did you mean "worldbody"?)',
        'attributes of <joint>: 1 x "dampin" (did you mean "damping"?), 1 x "margin"',
        'attributes of <key>: 1 x "ctrl"',
        'attributes of <option>: 1 x "integrator", 1 x "timestep"',
        "1 x geom that is a mesh: g",
        "1 x key without qpos and qvel: key1",
        "1 x mesh that is in no file: m",
        '1 x range of a ball joint: joint "j"',
        '1 x stiffness of a ball joint: joint "j"',
        "a.xml: 2 geoms can touch each other in MuJoCo; here nothing touches without hs.Contact",
    ]


def test_the_mass_of_a_mesh_is_asked_for():
    model = read('<body name="a"><geom name="g" type="mesh" mesh="m"/></body>')
    assert any("mass of a mesh, which <inertial> would give: g" in note for note in model.notes)
    assert model.bodies["a"].mass == 0


def written(folder, name, inside, root="mujocoinclude"):
    (folder / name).write_text(f"<{root}>{inside}</{root}>")


def test_includes(tmp_path):
    written(tmp_path, "parts.xml", body('<joint name="j"/>') + '<include file="more.xml"/>')
    written(tmp_path, "more.xml", body("", "b"), "mujoco")
    model = read('<include file="parts.xml"/>', folder=tmp_path)
    assert list(model.bodies) == ["a", "b"]
    twice = refused('<include file="more.xml"/><include file="./more.xml"/>', folder=tmp_path)
    assert "is a second one of that file; expected each file once" in twice
    written(tmp_path, "a.xml", '<include file="a.xml"/>', "mujoco")
    assert "is a second one of that file" in refused('<include file="a.xml"/>', folder=tmp_path)


@pytest.mark.parametrize("path", ["../a.xml", "/etc/passwd", "file:///etc/passwd", "c:\\a", "~/a"])
def test_includes_stay_in_the_folder(tmp_path, path):
    assert "leads out of the folder" in refused(f'<include file="{path}"/>', folder=tmp_path)


def test_links_of_includes_stay_in_the_folder(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    written(tmp_path, "secret.xml", body(""))
    try:
        (folder / "link.xml").symlink_to(tmp_path / "secret.xml")
    except OSError:
        pytest.skip("links need rights here")
    assert "leads out of the folder" in refused('<include file="link.xml"/>', folder=folder)


def test_deep_nesting(tmp_path):
    deep = 200
    written(tmp_path, "b.xml", "<body>" * deep + "</body>" * deep)
    text = "<body>" * deep + '<include file="b.xml"/>' + "</body>" * deep
    assert "nested more than 256 deep" in refused(text, folder=tmp_path)
    assert len(read("<body>" * 250 + "</body>" * 250).bodies) == 250


@pytest.mark.slow
def test_mutations(record_property):
    rng = random.Random(20260102)
    text = everything("xml")
    check(mjcf_model(text, "a", MODELS))
    files = (mutated(text, rng) for _ in range(MUTATIONS))
    counts = outcomes(lambda text: mjcf_model(text, "a", MODELS), files)
    assert counts["loaded"] > MUTATIONS / 20 and counts["refused"] > MUTATIONS / 4
    for name, value in counts.items():
        record_property(name, value)
