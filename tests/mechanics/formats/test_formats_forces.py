"""Forces, contacts and their shapes in files: what is written reads back the same, bit for bit."""

import inspect
import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.mechanics.formats.urdf.urdf_writer import urdf_text
from hapsis.mechanics.formats.yaml.yaml_contacts import Contacts
from hapsis.mechanics.formats.yaml.yaml_kinds import SECTIONS
from hapsis.mechanics.formats.yaml.yaml_reader import section_kinds, yaml_model
from hapsis.mechanics.formats.yaml.yaml_shapes import Shapes
from hapsis.mechanics.formats.yaml.yaml_writer import yaml_text
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contact_laws.felt import Felt
from hapsis.mechanics.model.contact_laws.hunt_crossley import HuntCrossley
from hapsis.mechanics.model.contact_laws.linear import Linear
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.shapes.heightfield import Heightfield
from hapsis.mechanics.model.shapes.shapes import Plane, Segment, Shape
from hapsis.mechanics.model.shapes.surfaces import Surface

BALL = hs.Sphere(0.1)
FLOOR = hs.WORLD.plane()
GRID = [[0.01 * math.sin(i + 1) * math.cos(j) for j in range(4)] for i in range(5)]


def read(text):
    return yaml_model(text, "a.yaml", Path())


def arm(*facts, **settings):
    """Two links and a free ball, with these facts."""
    return hs.Model(
        hs.Body("upper", mass=1, inertia=(1, 1, 1), frames={"end": (0, 0, -1)}),
        hs.Body("fore", mass=1, inertia=(1, 1, 1), shapes=[hs.Box((1, 1, 1)), BALL]),
        hs.Body("ball", mass="m", inertia=(1, 1, 1)),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y", limits=(-1, 1)),
        hs.Revolute("elbow", "upper.end", "fore", axis="y"),
        hs.Free("flight", hs.WORLD, "ball"),
        *facts,
        parameters={"m": 1 / 3, "k": 1e4, "mu": 0.3},
        **settings,
    )


def everything():
    """Every kind of force, contact law and touchable shape, with every kind of value."""
    six = (1.0, 2.0, "k", 1 / 3, 1e-300, 0.0)
    grid = Heightfield(GRID, step=(0.1, 1 / 3))
    moved = Heightfield(GRID, (-0.2, 0.5), (0.1, 0.2), at=hs.Frame((0, 0, 1), (0, 0, 0.5)))
    return arm(
        hs.Body("world", shapes=[Plane(), Plane("-y"), Plane((0.6, 0, 0.8)), Segment("m"), grid]),
        hs.Spring("f1", "upper", "ball", "k / 3", damping=0.1, length="m"),
        hs.JointSpring("f2", "elbow", 3, damping="m", rest=-0.1),
        hs.Friction("f3", "elbow", 0.2),
        hs.Friction("f4", "shoulder", "m", static=0.5, viscous=0.01, stribeck=0.1, stick=1e-5),
        hs.Stop("f5", "shoulder", 1e3),
        hs.Stop("f6", "elbow", 1e3, damping=1, low="-m", high=2),
        hs.Bushing("f7", "upper", hs.WORLD.at(0, 0, 1), six),
        hs.Bushing("f8", "upper", "fore", (1,) * 6, damping=six),
        hs.Wrench("f9", "fore", force=(0, 0, "10 * sin(2 * pi * t) + k")),
        hs.Wrench("f10", ("fore", (0, 0, 1)), moment=(1, "t", 0), axes="frame"),
        hs.Tendon("f11", {"shoulder": 0.02, "elbow": "-m"}, "k"),
        hs.Tendon("f12", {"elbow": 1}, 1, damping=2, length=0.1, slack=False),
        hs.Contact("c1", "ball", FLOOR),
        hs.Contact("c2", ("ball", BALL), hs.WORLD.plane("x", at=(0, 0, "m")), law=Linear("k", 10)),
        hs.Contact("c3", ("upper.end", hs.Capsule(0.1, "m")), FLOOR, friction=0.4),
        hs.Contact("c4", Surface("fore"), FLOOR, law=HuntCrossley(), friction="mu"),
        hs.Contact(
            "c5",
            ("ball", hs.Box((1, 1, "m"), at=(0, 0, 1))),
            Surface(hs.WORLD, moved),
            law=HuntCrossley(1e5, restitution=0.5, speed=2),
            friction=Coulomb(0.4, static=0.5, speed=1e-2),
        ),
        hs.Contact(
            "c6", ("ball", hs.Cylinder(0.1, 0.2)), FLOOR, law=Felt("k", power=2, hysteresis=0.3, time=1e-4)
        ),
        hs.Contact("c7", ("upper", Segment(0.3)), ("ball", BALL), friction=Coulomb("mu", speed=1)),
        hs.Contact("c8", Surface(hs.End("upper", "end"), BALL), Surface(hs.End("ball"), BALL)),
    )


def test_everything_reads_back_the_same(tmp_path):
    model = everything()
    hs.save(model, tmp_path / "a.yaml")
    back = hs.load(tmp_path / "a.yaml")
    assert back == model and back.warnings == model.warnings
    assert yaml_text(back) == yaml_text(model)


IN_FILES = {
    "joints": "ball chain cylindrical free helical planar prismatic revolute universal weld",
    "constraints": "distance gear hinged knife_edge no_spin pinned rolling",
    "forces": "bushing friction joint_spring spring stop tendon wrench",
    "sensors": "pose velocity acceleration imu effort reaction",
}
PYTHON = {"constraints": "constraint on_curve on_surface", "forces": "controller joint_force link"}


@pytest.mark.parametrize("section", SECTIONS)
def test_no_type_is_forgotten(section):
    """Every class of a family is in files, with all its fields, or is told to be Python code."""
    kinds = section_kinds(section, Contacts(Shapes(Path())).readers)
    ours = {cls for cls in below(Fact) if getattr(cls, "family", "") == section}
    if section != "sensors":
        assert len(ours) == len(kinds) + len(kinds.python)
    assert list(kinds) == (IN_FILES[section].split() if section in IN_FILES else [""])
    assert sorted(kinds.python) == PYTHON.get(section, "").split()


def test_no_law_and_no_shape_is_forgotten():
    contacts = Contacts(Shapes(Path()))
    assert {*contacts.laws, *contacts.frictions} == {law.type_name for law in below(ContactLaw)}
    assert [*contacts.frictions] == ["coulomb"]
    assert {*contacts.shapes.kinds} == {shape.type_name for shape in below(Shape)}
    assert {*contacts.shapes.kinds} - {*contacts.shapes.solids} == {"mesh"}


def below(base):
    """The classes of the mechanics below a base that can be used."""
    below = {each for cls in base.__subclasses__() for each in (cls, *subclasses(cls))}
    return {
        cls for cls in below if cls.__module__.startswith("hapsis.mechanics") and not inspect.isabstract(cls)
    }


def subclasses(cls):
    return {each for below in cls.__subclasses__() for each in (below, *subclasses(below))}


positive = st.floats(1e-300, 1e300, allow_nan=False)


@given(positive, positive, st.floats(0.01, 0.99))
def test_numbers_read_back_bit_for_bit(x, y, part):
    model = arm(
        hs.Friction("f", "elbow", x, viscous=y),
        hs.Wrench("w", "fore", force=(x, -y, 0)),
        hs.Tendon("t", {"elbow": -x}, y),
        hs.Contact(
            "c",
            ("ball", hs.Sphere(x)),
            FLOOR,
            law=HuntCrossley(y, restitution=part),
            friction=Coulomb(part, static=part + x),
        ),
        hs.Contact("d", "ball", FLOOR, law=Felt(x, y, part, y)),
    )
    assert read(yaml_text(model)) == model


def test_heights_read_back_bit_for_bit():
    draw = random.Random(7)
    rows = [[draw.uniform(-1, 1) * 10 ** draw.randint(-9, 9) for _ in range(7)] for _ in range(6)]
    shape = Heightfield(rows, (draw.random(), draw.random()), (draw.random(), draw.random()))
    model = arm(hs.Contact("c", "ball", Surface(hs.WORLD, shape)))
    assert read(yaml_text(model)).contacts["c"].second.shape.height == shape.height


def test_the_motion_is_the_same():
    """Equations from a file give the same accelerations, bit for bit."""
    model = arm(
        hs.Stop("s", "shoulder", 1e3),
        hs.Spring("k", "upper", "ball", 10),
        hs.Wrench("w", "fore", force=(0, 0, "sin(t)")),
        hs.Contact("c", ("ball", BALL), FLOOR, friction=0.4),
    )
    f, g = hs.forward_dynamics(model), hs.forward_dynamics(read(yaml_text(model)))
    assert [p.name for p in f.inputs] == [p.name for p in g.inputs]
    draw = np.random.default_rng(3)
    q, v = model.zero, draw.uniform(-1, 1, len(model.speeds))
    q[:2], q[4] = (1.2, -0.3), 0.09
    inputs = {"q": q, "v": v, "tau": 0.0 * v, "t": 0.3}
    inputs = [inputs[port.name] for port in f.inputs]
    a, b = (hs.compile(x, "python")(*inputs) for x in (f, g))
    assert np.isfinite(a).all() and a.tobytes() == b.tobytes()


TEXT = """\
hapsis: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1], shapes: [{type: sphere, radius: 2}]}}
joints: {j: {type: prismatic, first: world, second: a}}
"""


def test_sides_of_contacts():
    text = TEXT + "contacts:\n  c: {first: %s, second: {body: world, shape: {type: plane}}}\n"
    for said, side in {
        "a": hs.End("a"),
        "{body: a, at: [1, 2, 3]}": hs.End("a", hs.Frame((1, 2, 3))),
        "{body: a, shape: all}": Surface("a"),
        "{body: a, shape: {type: sphere, radius: 0.1}}": Surface("a", BALL),
        "{body: a, at: [0, 0, 1], shape: {type: box, size: [1, 1, 1], rpy: [0, 0, 1]}}": Surface(
            ("a", (0, 0, 1)), hs.Box((1, 1, 1), at=hs.Frame(rpy=(0, 0, 1)))
        ),
    }.items():
        assert read(text % said).contacts["c"].first == side


def test_frictions_and_laws_of_contacts():
    text = TEXT + "contacts: {c: {first: a, second: {body: world, shape: {type: plane}}, %s}}\n"
    for said, law, friction in (
        ("law: {type: hunt_crossley}", HuntCrossley(), None),
        ("law: {type: linear, stiffness: 1e4}", Linear(1e4), None),
        ("friction: 0.4", None, Coulomb(0.4)),
        ("friction: 2 / 5", None, Coulomb("2 / 5")),
        ("friction: {type: coulomb, mu: 0.4}", None, Coulomb(0.4)),
        ("friction: {type: coulomb, mu: 0.4, static: 0.5}", None, Coulomb(0.4, static=0.5)),
    ):
        contact = read(text % said).contacts["c"]
        assert (contact.law, contact.friction) == (law, friction)


@pytest.mark.parametrize(
    "fact",
    [
        hs.Link("f", "upper", "ball", law=lambda length, rate: length),
        hs.JointForce("f", "elbow", law=lambda position, speed: -position),
        hs.Controller("f", law=lambda s: {"elbow": -s["elbow"]}),
        hs.Wrench("f", "fore", force=lambda t: (t, 0, 0)),
        hs.Contact("f", "ball", FLOOR, law=lambda gap, rate: -gap),
        hs.Contact("f", "ball", FLOOR, friction=lambda normal, slip: slip),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_python_code_cannot_be_written(tmp_path, fact):
    with pytest.raises(ModelError, match=r'"f".*Python code'):
        hs.save(arm(fact), tmp_path / "a.yaml")
    assert list(tmp_path.iterdir()) == []


def test_heights_by_a_function_cannot_be_written():
    ground = hs.WORLD.heightfield(lambda x, y: 0.1 * hs.sin(x))
    with pytest.raises(ModelError, match="height of a heightfield is Python code"):
        yaml_text(arm(hs.Contact("c", "ball", ground)))


def test_urdf_holds_neither_forces_nor_contacts():
    base = hs.Model(hs.Body("a", mass=1, inertia=(1, 1, 1)), hs.Revolute("j", hs.WORLD, "a"))
    for fact in (hs.Stop("f", "j", 1, low=0), hs.Contact("f", "a", FLOOR)):
        kind = type(fact).__name__
        with pytest.raises(ModelError, match=f'"f": URDF cannot hold a {kind}'):
            urdf_text(base + fact)


def test_urdf_leaves_out_shapes_it_does_not_know():
    shapes = [Plane(), Segment(1), BALL, Segment(2)]
    body = hs.Body("a", mass=1, inertia=(1, 1, 1), shapes=shapes)
    with pytest.warns(hs.Notice, match="left out: 1 planes, 2 segments"):
        text = urdf_text(hs.Model(body, hs.Revolute("j", hs.WORLD, "a")))
    assert text.count("<collision>") == 1 and '<sphere radius="0.1"/>' in text
