"""Our YAML: what is read is what is meant, what is written reads back the same."""

import math
import os
import struct
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.errors import ModelError
from hapsis.mechanics.formats.load_save import load, save
from hapsis.mechanics.formats.yaml import yaml_tree
from hapsis.mechanics.formats.yaml.yaml_reader import yaml_model
from hapsis.mechanics.formats.yaml.yaml_writer import yaml_text
from hapsis.mechanics.model.bodies import Body, Rod
from hapsis.mechanics.model.constraints.constraints import Constraint, Distance, Gear
from hapsis.mechanics.model.constraints.motion_constraints import Hinged, KnifeEdge, NoSpin, Pinned
from hapsis.mechanics.model.constraints.rolling import Rolling
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.frames import WORLD, End, Frame
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.chain import Chain
from hapsis.mechanics.model.joints.cylindrical import Cylindrical
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.helical import Helical
from hapsis.mechanics.model.joints.planar import Planar
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.universal import Universal
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Mesh, Sphere
from hapsis.mechanics.model.values.formula import Formula

MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"


def read(text):
    return yaml_model(text, "a.yaml", Path())


def everything():
    """A model with every kind of fact and every kind of field that a file can hold."""
    shapes = [
        Box((1, 2, 3)),
        Sphere(0.1, at=Frame((0, 0, 1))),
        Cylinder("r", 2.0),
        Capsule(0.1, 0.2, at=Frame((0, 0, 0), (0.1, 0.2, "r"))),
        Mesh("a b/c.stl"),
        Mesh("d.obj", (1, 1, -2)),
    ]
    return Model(
        Body(
            "world",
            frames={"table": (0, 0, 1), "wall.left": Frame((1, 0, 0), (0, 0, 1.5))},
            shapes=[Box((1, 1, 0.1))],
        ),
        Body(
            "a",
            mass="2 * m",
            com=(0.1, "r / 2", 0),
            inertia=(1, 1, 1, 0.1, 0.01, 0),
            frames={"tip": (1, 0, 0), "no": Frame((0, 0, 1), (1, 2, 3))},
            shapes=shapes,
        ),
        Rod("rod", "atan2(r, m)", 0.2, frames={"1": (0, 0, 0)}),
        *(Body(name, mass=1, inertia=(1, 1, 1)) for name in "bcdefghi"),
        Body('strange: "name" # {x}', mass=1),
        Body("massless"),
        Body("left.arm", mass=1),
        Revolute(
            "j1",
            WORLD,
            "a",
            axis="-y",
            limits=(-1, "r"),
            armature=0.1,
            damping=0.2,
            friction=0.3,
            max_speed=4,
            max_effort=5,
        ),
        Revolute("j2", "a.tip", End("rod", "end"), axis=(1, 1, 0), limits=(None, 2)),
        Prismatic("j3", WORLD.at(1, 2, 3, rpy=(0.1, 0, 0)), "b", axis="x"),
        Helical("j4", ("a", (0, 0, 0.5)), "c", pitch=0.01),
        Cylindrical("j5", "world.table", "d", limits={"Tz": (0, None)}),
        Universal("j6", "world.wall.left", "e", axes=("z", (1, 0, 0))),
        Planar("j7", "a", "f", normal="y"),
        Chain("j8", "a", "g", "Tx Rz Tx"),
        Ball("j9", "a", "h", damping=1),
        Free("j10", WORLD, "i"),
        Weld("j11", "i", 'strange: "name" # {x}'),
        Weld("yes", ("i", Frame()), "massless"),
        Revolute("0", "i", "left.arm"),
        Distance("c1", "a.tip", "b", 0.5),
        Rolling("c2", "a", WORLD, "r"),
        Gear("c3", "j1", "j5.Tz", -2, offset=0.1),
        Pinned("c4", "a.tip"),
        Hinged("c5", "b", "a.tip", axis=(0.0, 0.6, 0.8)),
        KnifeEdge("c6", ("c", (0, 0, 0.5)), along="-y", normal="x"),
        NoSpin("c7", "a.tip", about=(0.0, 0.6, 0.8)),
        Spring("f1", "a", "b", 100, damping="r", length=0.1),
        Contact("touch", "a.tip", WORLD),
        Drive("d1", "j1", position="0.3 + sin(2 * pi * t)"),
        Drive("d2", "j3", velocity=1, acceleration=0),
        Sensor("s1", "pose", "a.tip"),
        Sensor("s2", "imu", WORLD),
        Sensor("s3", "effort", "j1"),
        Sensor("s4", "reaction", "j11"),
        gravity=(0, 0.1, -1.62),
        parameters={"m": 1 / 3, "r": 1e-3, "left.L": 1e300},
        poses={"start": {"j1": 0.1, "j10.qw": 0.5, "j1.v": "2 * r"}, "off": {}},
        independent=("j1", "j5.Tz"),
    )


def test_everything_reads_back_the_same(tmp_path):
    model = everything()
    save(model, tmp_path / "a.yml")
    back = load(tmp_path / "a.yml")
    assert back == model
    assert yaml_text(back) == yaml_text(model)
    assert {line.split(": ", 1)[1] for line in back.warnings if "mesh" in line} == {
        'mesh "a b/c.stl" is not there',
        'mesh "d.obj" is not there',
    }


@pytest.mark.parametrize("name", ["pendulum.yaml", "arm.yaml"])
def test_the_example_files(tmp_path, name):
    model = load(MODELS / name)
    assert model.warnings == ()
    save(model, tmp_path / name)
    assert load(tmp_path / name) == model


def test_the_arm():
    model = load(MODELS / "arm.yaml")
    assert model.coordinates == ("shoulder", "elbow", "wrist")
    assert model.value(model.bodies["fore"].mass) == pytest.approx(1.5 * 0.4 * 0.8, rel=1e-15)
    assert model.frame("world.pedestal") == ("world", Frame((0, 0, 0.6)))
    assert model.pose("start")["elbow"] == -math.pi / 3
    assert model.bodies["hand"].frames["palm"].rpy[1] == Formula("pi / 4")
    np.testing.assert_array_equal(model.limits, [[-2, 2], [-2.5, 0.1], [-1.5, 1.5]])


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_read_back_bit_for_bit(x):
    if abs(x) < sys.float_info.min:
        x = 0.0  # a Model keeps no denormals
    model = Model(Body("a", com=(x, 0, 0)), Weld("w", WORLD, "a"))
    back = read(yaml_text(model))
    (was, *_), (now, *_) = model.bodies["a"].com, back.bodies["a"].com
    assert struct.pack("d", was) == struct.pack("d", now)


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20))
def test_names_read_back(name):
    if name == "world":
        return
    model = Model(Body(name), Weld(name, WORLD, End(name)), poses={name: {}})
    assert read(yaml_text(model)) == model


def test_scalars_stay_texts():
    """What YAML 1.1 would take for numbers, dates and truth values are names here."""
    text = "hapsis: 1\nbodies: {no: {}, 1e3: {}, 1:30: {}, 2001-01-01: {}, null: {}, ~: {}}\njoints:\n"
    names = ["no", "1e3", "1:30", "2001-01-01", "null", "~"]
    text += "".join(f"  j{k}: {{type: weld, first: world, second: {n}}}\n" for k, n in enumerate(names))
    assert list(read(text).bodies) == names


def test_numbers_are_ours():
    text = "hapsis: 1\nbodies: {a: {mass: %s}}\njoints: {j: {type: weld, first: world, second: a}}"
    for written, value in {"1e3": 1e3, ".5": 0.5, "5.": 5, "+2": 2, "'7'": 7, "010": 10}.items():
        assert read(text % written).bodies["a"].mass == value


def test_block_style_is_the_same():
    flow = load(MODELS / "pendulum.yaml")
    block = read(
        "hapsis: 1\nbodies:\n  arm:\n    mass: 1\n    com:\n      - 0\n      - 0\n      - -0.5\n"
        "    inertia: [0.083, 0.083,\n      0.001]\njoints:\n  hinge:\n    type: revolute\n"
        "    first: world\n    second: arm\n    axis: y\nposes: {start: {hinge: 0.5}}\n"
    )
    assert block == flow


@pytest.mark.parametrize(
    "fact",
    [
        Contact("f", "a", WORLD, law=abs),
        Drive("f", "j", position=math.sin),
        Constraint("f", rows=lambda s: 0),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_python_code_cannot_be_written(tmp_path, fact):
    model = Model(Body("a", mass=1, inertia=(1, 1, 1)), Revolute("j", WORLD, "a"), fact)
    with pytest.raises(ModelError, match=r'"f".*Python code'):
        save(model, tmp_path / "a.yaml")
    assert list(tmp_path.iterdir()) == []


def test_names_that_cannot_be_read_are_not_written():
    with pytest.raises(ModelError, match="cannot be seen"):
        yaml_text(Model(Body("a\nb"), Weld("w", WORLD, "a\nb")))


def test_saving_leaves_the_old_file_until_the_new_is_complete(tmp_path, monkeypatch):
    path = tmp_path / "a.yaml"
    model = load(MODELS / "pendulum.yaml")
    save(model, path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ModelError, match="cannot be written: No space left"):
        save(model.replace(gravity=(0, 0, 0)), path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_saving_where_nothing_can_be(tmp_path):
    with pytest.raises(ModelError, match="cannot be written"):
        save(load(MODELS / "pendulum.yaml"), tmp_path / "no" / "a.yaml")
    with pytest.raises(ModelError, match="only a Model"):
        save("a", tmp_path / "a.yaml")  # type: ignore[arg-type]


def test_the_parser_in_python_reads_the_same(monkeypatch):
    text = (MODELS / "arm.yaml").read_text()
    fast = read(text)
    monkeypatch.setattr(yaml_tree, "_LOADER", yaml_tree.yaml.SafeLoader)
    assert read(text) == fast
    with pytest.raises(ModelError, match="nested more than 64 deep"):
        read("hapsis: 1\nx:\n - - - " + "- " * 100 + "[")
    with pytest.raises(ModelError, match=r"a\.yaml:1:6: merge key"):
        read("{a: {<<: 1}}")


@pytest.mark.slow
def test_twenty_thousand_bodies(tmp_path):
    """The largest model allowed, by file and back, in seconds."""
    lines = ["hapsis: 1", "bodies:"]
    body = "{mass: 1.0, com: [0, 0, 0.5], inertia: [1, 1, 1], frames: {end: [1, 0, 0]}}"
    lines += [f"  b{k}: {body}" for k in range(20_000)]
    lines += ["joints:", "  j0: {type: weld, first: world, second: b0}"]
    for k in range(1, 20_000):
        lines.append(f"  j{k}: {{type: revolute, first: b{k - 1}.end, second: b{k}, axis: y}}")
    path = tmp_path / "a.yaml"
    path.write_text("\n".join(lines))
    start = time.process_time()
    model = load(path)
    assert time.process_time() - start < 10
    assert len(model.coordinates) == 19_999
    save(model, path)
    assert load(path) == model
