"""URDF: links and joints as they are meant, written so that the mechanism stays the same."""

import importlib.metadata
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.errors import Error, ModelError, Notice
from hapsis.mechanics.formats.load_save import load, save
from hapsis.mechanics.formats.urdf.urdf_reader import urdf_model
from hapsis.mechanics.formats.urdf.urdf_writer import urdf_text
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.frames import IDENTITY, WORLD, End, Frame, rotation
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.planar import Planar
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Mesh, Sphere
from hapsis.motion.analysis.assembly.assemble import assemble
from hapsis.motion.simulate.simulate import simulate

MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"


def read(text, **options):
    return urdf_model(text, "a.urdf", Path(), **options)


def robot(inside, root="root"):
    return f'<robot name="r"><link name="{root}"/><link name="a"/>{inside}</robot>'


def joint(inside="", kind="revolute", root="root", name="j"):
    ends = f'<parent link="{root}"/><child link="a"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


def test_the_arm():
    model = load(MODELS / "arm.urdf")
    assert model.warnings == ()
    assert model.coordinates == ("pan", "lift", "elbow", "roll", "bend", "turn")
    assert list(model.joints) == ["base", *model.coordinates]
    assert model.joints["base"] == Weld("base", End("world"), End("base"))
    assert model.joints["elbow"] == Revolute(
        "elbow",
        ("upper", (0.42, -0.02, 0)),
        "fore",
        axis="y",
        limits=(-2.7, 2.7),
        damping=1.2,
        friction=0.5,
        max_effort=90,
        max_speed=3.1,
    )
    assert model.joints["turn"].limits is None
    assert sum(model.value(body.mass) for body in model.bodies.values()) == pytest.approx(16.35)


def test_bases():
    free = load(MODELS / "arm.urdf", base="free")
    assert free.joints["base"] == Free("base", End("world"), End("base"))
    text = robot(joint(name="base"))
    assert list(read(text).joints) == ["base_joint", "base"]
    text = '<robot><link name="a"/><link name="b"/><link name="c"/>' + "".join(
        f'<joint name="{name}" type="fixed"><parent link="a"/><child link="{link}"/></joint>'
        for name, link in (("base", "b"), ("base_joint", "c"))
    )
    assert list(read(text + "</robot>").joints) == ["root", "base", "base_joint"]


def test_a_root_called_world_is_the_world():
    model = read(robot(joint(root="world"), root="world"))
    assert list(model.bodies) == ["a"] and list(model.joints) == ["j"]
    assert model.joints["j"].first == End("world")
    with pytest.raises(ModelError, match=r"a\.urdf:1:17: the root link is the world"):
        read(robot(joint(root="world"), root="world"), base="free")


def test_defaults():
    model = read(robot(joint()))
    assert model.joints["j"] == Revolute("j", End("root"), End("a"), axis="x")
    assert model.bodies["a"] == Body("a")


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        ("revolute", Revolute),
        ("continuous", Revolute),
        ("prismatic", Prismatic),
        ("fixed", Weld),
        ("floating", Free),
        ("planar", Planar),
    ],
)
def test_types(kind, made):
    assert type(read(robot(joint(kind=kind))).joints["j"]) is made


def test_limits():
    def limits(text, kind="revolute"):
        found = read(robot(joint(text, kind))).joints["j"]
        return found.limits, found.max_effort, found.max_speed

    assert limits('<limit lower="-1" upper="2" effort="3" velocity="4"/>') == ((-1, 2), 3, 4)
    assert limits('<limit effort="3" velocity="4"/>') == ((0, 0), 3, 4)  # as URDF says
    assert limits('<limit lower="-1" upper="2" effort="3"/>', "continuous") == (None, 3, None)
    assert limits('<limit lower="-1e308" upper="2"/>', "prismatic") == ((None, 2), None, None)


def test_inertia_is_turned_into_the_axes_of_the_link():
    text = (
        '<inertial><origin xyz="1 2 3" rpy="0 0 {}"/><mass value="1"/>'
        '<inertia ixx="2" iyy="3" izz="4" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>'
    )
    text = '<robot><link name="a">' + text.format(math.pi / 2) + "</link></robot>"
    body = read(text).bodies["a"]
    assert body.com == (1, 2, 3)
    assert body.inertia == pytest.approx((3, 2, 4, -0.1, -0.3, 0.2), abs=1e-15)


def test_what_is_left_out_is_listed():
    extra = '<material name="x"><texture/></material><transmission/><gazebo reference="a"><x/></gazebo>'
    model = read(
        robot(joint('<safety_controller/><calibration/><dinamics damping="1"/>') + extra).replace(
            'name="r"', 'name="r" nmae="s" xmlns:x="y"'
        )
    )
    assert [note.removeprefix("a.urdf: ignored ") for note in model.notes] == [
        "1 x <calibration> of <joint>",
        '1 x <dinamics> of <joint> (did you mean "dynamics"?)',
        "1 x <safety_controller> of <joint>",
        "1 x <texture> of <material>",
        "1 x <gazebo> of <robot>",
        "1 x <transmission> of <robot>",
        '1 x attribute "nmae" of <robot> (did you mean "name"?)',
    ]
    assert list(model.joints) == ["base", "j"]


def fingers(mimic, kinds=("prismatic", "prismatic")):
    links = '<link name="root"/><link name="a"/><link name="b"/>'
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    links = links.replace('"a"/>', f'"a">{inertial}</link>').replace('"b"/>', f'"b">{inertial}</link>')
    joints = "".join(
        f'<joint name="{n}" type="{kind}"><parent link="root"/><child link="{n}"/>{inside}</joint>'
        for n, kind, inside in zip("ab", kinds, ("", mimic), strict=True)
    )
    return f'<robot name="r">{links}{joints}</robot>'


@pytest.mark.parametrize("ratio, offset", [(None, None), (-1.0, 0.0), (2.5, 0.3), (0.0, 0.1)])
def test_a_mimic_is_a_gear(ratio, offset):
    given = {"multiplier": ratio, "offset": offset}
    more = "".join(f' {n}="{x}"' for n, x in given.items() if x is not None)
    model = read(fingers(f'<mimic joint="a"{more}/>'))
    gear = model.constraints["b mimic"]
    expected = (1.0 if ratio is None else ratio, offset or 0.0)
    assert (gear.first, gear.second, gear.ratio, gear.offset) == ("a", "b", *expected)
    assert model.warnings == () and model.coordinates == ("a", "b")
    state = assemble(model, {"a": 0.2})
    assert state["b"] == pytest.approx(expected[0] * 0.2 + expected[1], abs=1e-12)
    assert read(urdf_text(model)) == model
    run = simulate(model.replace(gravity=(1.0, 0, 0)), until=0.5, start={"a": 0.2})
    assert np.allclose(run["b"], expected[0] * run["a"] + expected[1], atol=1e-9)
    free = model.without("b mimic")
    assert free.constraints == {} and "b" in free.coordinates


@pytest.mark.parametrize(
    "mimic, kinds, words",
    [
        ('<mimic joint="c"/>', ("revolute",) * 2, 'mimics joint "c", which does not exist'),
        ('<mimic joint="b"/>', ("revolute",) * 2, "mimics itself"),
        ('<mimic joint="a"/>', ("floating", "revolute"), '"a" has not one coordinate'),
        ('<mimic joint="a"/>', ("revolute", "floating"), '"b" has not one coordinate'),
        ("<mimic/>", ("revolute",) * 2, '<mimic> needs "joint"'),
        ('<mimic joint="a" multiplier="x"/>', ("revolute",) * 2, "multiplier"),
    ],
)
def test_a_mimic_that_cannot_be_is_an_error(mimic, kinds, words):
    with pytest.raises(ModelError, match=words):
        read(fingers(mimic, kinds))


def test_a_mimic_of_or_by_a_fixed_joint():
    model = read(fingers('<mimic joint="a" multiplier="3" offset="0.2"/>', ("fixed", "revolute")))
    assert model.drives["b mimic"].joint == "b" and assemble(model)["b"] == 0.2
    model = read(fingers('<mimic joint="a"/>', ("revolute", "fixed")))
    assert not model.constraints and "is fixed, so its <mimic> does nothing" in model.warnings[0]


def test_materials_are_colours_and_no_part_of_the_mechanism():
    box = '<geometry><box size="1 1 1"/></geometry>'
    sphere = '<geometry><sphere radius="1"/></geometry>'
    link = (
        f'<link name="root"><visual>{box}<material name="red"/></visual>'
        f'<visual>{sphere}<material name="own"><color rgba="0 0.5 1 0.3"/></material></visual>'
        f'<visual><geometry><sphere radius="2"/></geometry><material name="none"/></visual>'
        f"<collision>{box}</collision></link>"
    )
    robot_text = f'<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>{link}</robot>'
    model = read(robot_text)
    shapes = model.bodies["root"].shapes
    assert [s.color for s in shapes] == [(1, 0, 0), (0, 0.5, 1), None] and model.warnings == ()
    assert shapes[0] == Box((1, 1, 1))  # so the collision's is the same shape
    back = read(urdf_text(model)).bodies["root"].shapes
    assert [s.color for s in back] == [s.color for s in shapes]
    with pytest.raises(ModelError, match="from 0 to 1"):
        read(robot_text.replace("1 0 0 1", "255 0 0 1"))
    with pytest.raises(ModelError, match="4 numbers"):
        read(robot_text.replace("1 0 0 1", "1 0 0"))


def test_shapes():
    text = "".join(
        f'<{tag}><origin xyz="0 0 1"/><geometry>{shape}</geometry></{tag}>'
        for tag, shape in [
            ("visual", '<box size="1 2 3"/>'),
            ("collision", '<box size="1 2 3"/>'),
            ("collision", '<sphere radius="1"/>'),
            ("visual", '<cylinder radius="1" length="2"/>'),
            ("visual", '<capsule radius="1" length="2"/>'),
        ]
    )
    body = read(f'<robot><link name="a">{text}</link></robot>').bodies["a"]
    at = Frame((0, 0, 1))
    assert body.shapes == (
        Box((1, 2, 3), at=at),
        Cylinder(1, 2, at=at),
        Capsule(1, 2, at=at),
        Sphere(1, at=at),
    )
    model = Model(body, Weld("base", WORLD, "a"))
    assert read(urdf_text(model)) == model


def test_the_normal_of_a_planar_joint():
    for axis, normal in (("0 0 1", "z"), ("0 1 0", "y")):
        made = read(robot(joint(f'<axis xyz="{axis}"/>', "planar"))).joints["j"]
        assert made.normal == normal and made.second == End("a")
    made = read(robot(joint('<origin rpy="1 0 0"/><axis xyz="1 2 -2"/>', "planar"))).joints["j"]
    normal = np.array(rotation(made.second.frame.rpy)) @ [0, 0, 1]
    np.testing.assert_allclose(normal, np.array([1, 2, -2]) / 3, atol=1e-15)
    first = np.array(rotation(made.first.frame.rpy)) @ [0, 0, 1]
    np.testing.assert_allclose(first, np.array(rotation((1, 0, 0))) @ normal, atol=1e-15)


# --- writing


def test_the_arm_reads_back_the_same(tmp_path):
    for base in ("fixed", "free"):
        model = load(MODELS / "arm.urdf", base=base)
        save(model, tmp_path / "a.urdf")
        assert load(tmp_path / "a.urdf") == model


def matrix(frame):
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation(frame.rpy), frame.at
    return X


def moved(joint, q):
    """The second end's frame in the first's."""
    X = np.eye(4)
    for step, x in zip(joint.steps, q, strict=True):
        S, u = np.eye(4), np.array(step.axis)
        if step.kind == "P":
            S[:3, 3] = u * x
        else:
            K = np.cross(np.eye(3), u) * -1
            S[:3, :3] += math.sin(x) * K + (1 - math.cos(x)) * K @ K
        X = X @ S
    return X


def placed(model, q):
    """{body: centre of mass, inertia in the world's axes}: with the masses, all of dynamics."""
    X, found = {"world": np.eye(4)}, {}
    for tree in model.tree:
        J = moved(tree.joint, [q[name] for name in tree.joint.coordinates])
        J = np.linalg.inv(J) if tree.reversed else J
        ends = [matrix(f) for f in (tree.parent_frame, tree.child_frame)]
        X[tree.child] = X[tree.parent] @ ends[0] @ J @ np.linalg.inv(ends[1])
        body = model.bodies[tree.child]
        xx, yy, zz, xy, xz, yz = body.inertia
        R = X[tree.child][:3, :3]
        I = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        found[tree.child] = np.vstack([(X[tree.child] @ [*body.com, 1])[:3], I])
    return found


unit = st.floats(-1, 1)
vectors = st.tuples(unit, unit, unit)
frames = st.builds(Frame, vectors, vectors)


@st.composite
def trees(draw):
    facts = []
    for k in range(draw(st.integers(1, 6))):
        facts.append(Body(f"b{k}", 1 + k, draw(vectors), (1, 1.1, 1.2, 0.1, 0.05, 0.02)))
        parent = draw(st.sampled_from(["world", *(f"b{i}" for i in range(k))]))
        first, second = End(parent, draw(frames)), End(f"b{k}", draw(st.just(None) | frames))
        kind = draw(st.sampled_from([Revolute, Prismatic, Planar, Weld]))
        if kind in (Revolute, Prismatic, Weld) and draw(st.booleans()):
            first, second = second, first
        more = {"axis": draw(st.sampled_from(["x", "-y", (1.0, 2.0, 0.5)]))}
        more = more if kind in (Revolute, Prismatic) else {}
        if kind is Planar:
            more = {"normal": draw(st.sampled_from("xyz"))}
        facts.append(kind(f"j{k}", first, second, **more))
    return Model(*facts)


@given(trees(), st.randoms(use_true_random=False))
def test_the_mechanism_stays_the_same(model, random):
    """Ends away from a body's origin move the frame of its link; nothing else changes."""
    back = read(urdf_text(model))
    assert back.coordinates == model.coordinates
    assert set(back.bodies) == set(model.bodies) and list(back.joints) == list(model.joints)
    q = {name: random.uniform(-2, 2) for name in model.coordinates}
    was, now = placed(model, q), placed(back, q)
    for name in model.bodies:
        assert back.bodies[name].mass == model.bodies[name].mass
        np.testing.assert_allclose(now[name], was[name], rtol=0, atol=1e-13)
    again = read(urdf_text(back))
    assert again == back  # from then on bit for bit


def test_limits_that_are_open_stay_open():
    model = Model(
        *(Body(name, mass=1, inertia=(1, 1, 1)) for name in "abcd"),
        Revolute("p", WORLD, "a", limits=(None, 1)),
        Prismatic("q", "a", "b"),
        Prismatic("r", "b", "c", max_speed=1),
        Revolute("s", "c", "d", max_effort=2, damping=3),
    )
    assert read(urdf_text(model)) == model


def test_shapes_move_with_the_link():
    body = Body("a", shapes=[Box((1, 1, 1), at=Frame((1, 0, 0))), Mesh("m.stl", (2, 2, 2))])
    model = Model(body, Weld("w", WORLD, ("a", Frame((0, 0, 1), (0, 0, math.pi / 2)))))
    back = read(urdf_text(model))
    box, mesh = back.bodies["a"].shapes
    assert box.at.at == pytest.approx((0, -1, -1), abs=1e-15)
    assert mesh.at.at == (0, 0, -1) and mesh.scale == (2, 2, 2)


def test_formulas_become_numbers():
    model = Model(
        Body("a", mass="2 * m", com=("m / 2", 0, 0)),
        Prismatic("j", WORLD.at(0, "m", 0), ("a", ("m", 0, 0)), limits=("-m", None)),
        parameters={"m": 3.0},
    )
    with pytest.warns(Notice, match="left out: 1 parameters"):
        back = read(urdf_text(model))
    assert back.bodies["a"].mass == 6 and back.bodies["a"].com == (-1.5, 0, 0)
    assert back.joints["j"].limits == (-3, None)
    assert back.joints["j"].first == End("world", Frame((0, 3, 0)))


def test_what_is_left_out_is_told():
    model = load(MODELS / "arm.yaml").replace("elbow", armature=0.0)
    with pytest.warns(Notice, match="3 sensors, 2 poses, 6 named frames, 4 parameters"):
        urdf_text(model)


BODY = Body("a", mass=1, inertia=(1, 1, 1))
HINGE = Revolute("j", WORLD, "a")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ([Ball("j", WORLD, "a")], 'joint "j": URDF cannot hold a Ball; expected a tree of'),
        ([Revolute("j", WORLD, "a", armature=1)], 'joint "j": URDF cannot hold its armature'),
        ([HINGE, Weld("w", WORLD, "a")], 'joint "w": it closes a loop'),
        ([HINGE, Spring("s", WORLD, "a", 1)], 'spring "s": URDF cannot hold a Spring'),
        ([HINGE, Drive("d", "j", 0.0)], 'drive "d": URDF cannot hold a Drive'),
        ([Free("j", "a", WORLD)], 'joint "j": its first end hangs from its second'),
    ],
)
def test_what_urdf_cannot_hold(facts, said):
    with pytest.raises(ModelError) as caught:
        urdf_text(Model(BODY, *facts))
    assert str(caught.value).startswith(said)


def test_sensors_on_the_world_and_a_plain_base():
    model = Model(BODY, Weld("base", WORLD, "a"))
    assert "world" not in urdf_text(model)
    assert "world" in urdf_text(Model(BODY, Weld("other", WORLD, "a")))
    assert "world" in urdf_text(Model(BODY, Weld("base", WORLD, ("a", (0, 0, 1)))))
    with pytest.warns(Notice, match="1 sensors"):
        urdf_text(model + Sensor("s", "imu", "a"))
    assert model.tree[0].child_frame == IDENTITY


# --- robots of others


def robots():
    files = importlib.metadata.files("example-robot-data") or []
    return sorted(str(f.locate()) for f in files if f.suffix == ".urdf")


@pytest.mark.peers
def test_robots_of_others():
    """All load, but for one without links, two that name a link or a joint to mimic which they do not have,
    and one with meshes elsewhere on its maker's machine."""
    refused, impossible = [], []
    for path in robots():
        try:
            model = load(path, physical=False)
        except Error as error:
            refused.append((Path(path).name, str(error)))
            continue
        folder = Path(path).parent
        back = urdf_model(urdf_text(model), path, folder, physical=False)
        assert back == model
        try:
            load(path)
            assert not any("impossible" in line for line in model.warnings)
        except ModelError as error:
            assert "impossible" in str(error)
            impossible.append(Path(path).name)
    names = {"falcon.urdf", "romeo_laas_small.urdf", "ur3.urdf", "alex_psyonic_hands.urdf"}
    assert {name for name, _ in refused} == names
    assert len(impossible) == 16
