"""Whole models: every problem is found, told in one line each, with names and places."""

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hapsis.errors import ModelError
from hapsis.library import slider_crank
from hapsis.mechanics.model.bodies import Body, Rod
from hapsis.mechanics.model.constraints.constraints import Constraint, Distance, Gear
from hapsis.mechanics.model.constraints.rolling import Rolling
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.frames import WORLD, Frame
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.planar import Planar
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes.shapes import Sphere

A = Body("upper", 1, inertia=(1, 1, 1), frames={"elbow": (1, 0, 0)})
B = Body("fore", 1, inertia=(1, 1, 1))
ARM = [A, B, Revolute("shoulder", WORLD, "upper"), Revolute("elbow", "upper.elbow", "fore")]


def problems(*facts, **settings):
    with pytest.raises(ModelError) as caught:
        Model(*facts, **settings)
    lines = caught.value.problems
    assert all("\n" not in line and len(line) < 500 for line in lines)
    more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
    assert str(caught.value).removesuffix(more) in lines and str(caught.value).endswith(more)
    return lines


@pytest.mark.parametrize(
    "facts, said",
    [
        ([Body("fore")], 'two bodies are called "fore"'),
        ([Weld("elbow", WORLD, "fore")], 'two joints are called "elbow"'),
        ([Drive("elbow", "shoulder", 1)], 'a joint and a drive are both called "elbow"'),
        (
            [Revolute("w", "uper", "fore")],
            'joint "w" hangs from body "uper", which does not exist (did you mean "upper"?)',
        ),
        ([Revolute("w", "fore", "uper.elbow")], 'carries body "uper", which does not exist (did'),
        (
            [Revolute("w", "fore", "upper.elbo")],
            'frame "elbo" of body "upper", which does not exist (did you mean "elbow"?)',
        ),
        ([Revolute("w", "fore", ("upper", "x"))], 'frame "x" of body "upper", which does not'),
        ([Revolute("w", "fore", ("upper.elbow", "x"))], 'body "upper.elbow", which does not exist'),
        ([Revolute("w", "fore", "wrld")], '(did you mean "world"?)'),
        ([Revolute("w", "fore", "fore")], 'joint "w" joins "fore" to itself'),
        ([Weld("w", WORLD, WORLD.at(1, 0, 0))], 'joins "world" to itself'),
        ([Distance("w", "upper", "upper.elbow", 1)], 'distance "w" joins "upper" to itself'),
        ([Spring("w", "for", WORLD, 1)], 'spring "w" refers to body "for", which does not exist'),
        ([Contact("w", "for", WORLD)], 'contact "w" refers to body "for"'),
        ([Rolling("w", "for", WORLD, 1)], 'rolling "w" refers to body "for"'),
        ([Sensor("w", "pose", "for")], 'sensor "w" refers to body "for"'),
        ([Body("x")], 'body "x" is not connected to the world; add hs.Free("x", hs.WORLD, "x")'),
        ([Body("x"), Body("y"), Weld("w", "x", "y")], "to the world (nor 1 joined to it)"),
        ([Drive("d", "elbo", 1)], 'joint "elbo", which does not exist (did you mean "elbow"?)'),
        ([Gear("g", "elbow", "sholder", 1)], 'did you mean "shoulder"'),
        ([Sensor("s", "effort", "elbo")], 'sensor "s" acts on joint "elbo", which does not exist'),
        ([Sensor("s", "reaction", "elbo")], 'sensor "s" acts on joint "elbo"'),
        ([Body("x"), Planar("p", WORLD, "x"), Sensor("s", "reaction", "p.Tx")], 'joint "p.Tx"'),
        ([Drive("d", "elbow", 1), Drive("e", "elbow", 2)], 'and drive "d" both drive "elbow"'),
        ([Revolute("c", WORLD, "fore"), Drive("d", "c", 1)], "which closes a loop"),
        ([Revolute("c", WORLD, "fore"), Sensor("s", "effort", "c")], "which closes a loop"),
        ([Body("x"), Weld("w", WORLD, "x"), Drive("d", "w", 1)], "no coordinate that is a length"),
        ([Body("x"), Ball("b", WORLD, "x"), Drive("d", "b.qw", 1)], 'joint "b.qw", which does not'),
        ([Body("x"), Planar("p", WORLD, "x"), Drive("d", "p", 1)], "name one of p.Tx, p.Ty, p.Rz"),
        ([Body("x"), Planar("p", WORLD, "x"), Body("y"), Weld("p.Tx.v", "x", "y")], None),
        (
            [Body("x"), Planar("p", WORLD, "x"), Body("y"), Revolute("p.Tx", "x", "y")],
            'both have a coordinate or speed "p.Tx"',
        ),
        ([Body("x"), Revolute("elbow.v", WORLD, "x")], 'coordinate or speed "elbow.v"'),
        ([Body("world", mass=1)], "the world cannot have a mass"),
        ([Body("x", "m*2"), Weld("w", WORLD, "x")], '"m", which is no parameter'),
        ([Body("x", "t"), Weld("w", WORLD, "x")], '"t", which is no parameter'),
        ([Body("x", com=("1/0", 0, 0)), Weld("w", WORLD, "x")], 'x": formula "1/0" gives inf'),
        ([Drive("d", "elbow", "speed * t")], '"speed", which is no parameter'),
    ],
)
def test_one_problem_one_line(facts, said):
    if said is None:
        assert Model(ARM, facts)
        return
    lines = problems(ARM, facts)
    assert len(lines) == 1 and said in lines[0]


@pytest.mark.parametrize(
    "settings_, said",
    [
        ({"parameters": {"pi": 3}}, 'no parameter may be called "pi"'),
        ({"parameters": {"sin": 3}}, 'no parameter may be called "sin"'),
        ({"parameters": {"t": 3}}, 'no parameter may be called "t"'),
        ({"parameters": {"a b": 3}}, "cannot be used in a formula"),
        ({"poses": {"start": {"elbo": 3}}}, 'pose "start" names the coordinate "elbo"'),
        ({"poses": {"start": {"elbow": "x"}}}, '"x", which is no parameter'),
        ({"independent": ["elbo"]}, 'independent names the coordinate "elbo"'),
        ({"independent": ["elbow", "elbow"]}, "twice"),
        ({"independent": ["elbow.v"]}, "is no length and no angle"),
        ({"independent": ["cut"]}, "closes a loop"),
        ({"poses": {"start": {"cut": 1}}}, "closes a loop"),
    ],
)
def test_one_wrong_setting_one_line(settings_, said):
    lines = problems(ARM, Revolute("cut", WORLD, "fore"), **settings_)
    assert len(lines) == 1 and said in lines[0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Model(3),
        lambda: Model("arm"),
        lambda: Model(None),
        lambda: Model(ARM, gravity=9.81),
        lambda: Model(ARM, gravity=(0, 0, float("nan"))),
        lambda: Model(ARM, gravity=(0, 0, "g")),
        lambda: Model(ARM, parameters={"a": float("inf")}),
        lambda: Model(ARM, parameters={"a": "b"}),
        lambda: Model(ARM, parameters=[1]),
        lambda: Model(ARM, parameters={1: 1}),
        lambda: Model(ARM, poses={"start": 1}),
        lambda: Model(ARM, poses={"start": {"elbow": None}}),
        lambda: Model(ARM, independent=3),
        lambda: Model(nested(30)),
        lambda: Model(ARM).frame("uper"),
        lambda: Model(ARM).pose("start"),
        lambda: Model(ARM).value("x"),
    ],
)
def test_what_cannot_be_part_of_a_model(make):
    with pytest.raises(ModelError):
        make()


def nested(depth):
    facts = ARM
    for _ in range(depth):
        facts = [facts]
    return facts


def test_near_names_when_a_place_is_asked_for():
    with pytest.raises(ModelError, match=r'no body "uper" \(did you mean "upper"'):
        Model(ARM).frame("uper")
    with pytest.raises(ModelError, match='no frame "elbo" of body "upper"'):
        Model(ARM).frame("upper.elbo")
    with pytest.raises(ModelError, match='did you mean "start"'):
        Model(ARM, poses={"start": {"elbow": 1}}).pose("strt")


def test_all_problems_are_found_and_say_where():
    lines = problems(
        Body("a", -1, where="m.yaml:1:1"),
        Body("b", 1, inertia=(1, 1, 5), where="m.yaml:2:1"),
        Revolute("j", WORLD, "a", limits=(1, -1), damping=-1, where="m.yaml:3:1"),
        Revolute("k", "a", "bb", where="m.yaml:4:1"),
        Spring("s", "a", "b", "k", where="m.yaml:5:1"),
        Weld("w", "a", "b"),
        Drive("d", "x", 1, where="m.yaml:6:1"),
    )
    assert sorted({line.split(":")[1] for line in lines}) == list("123456")
    assert len(lines) == 7


IMPOSSIBLE = [
    Body("x", -1),
    Body("x", 1, inertia=(-1, 1, 1)),
    Body("x", 1, inertia=(1, 1, 2.001)),
    Body("x", 1, inertia=(1, 1, 1, 1.1, 0, 0)),
    Body("x", 0, inertia=(0, 0, -1)),
    Body("x", 1, inertia=(1e-9, 1e-9, 5e-9)),
    Body("x", 1, inertia=("a - 2", 1, 1)),
    Body("x", 1, inertia=(1, 1, 1), shapes=[Sphere(-1)]),
]


@pytest.mark.parametrize("body", IMPOSSIBLE, ids=repr)
def test_impossible_bodies(body):
    facts = [body, Free("f", WORLD, "x")]
    lines = problems(facts, parameters={"a": 1})
    assert len(lines) == 1 and 'body "x"' in lines[0]
    model = Model(facts, parameters={"a": 1}, physical=False)
    assert model.warnings[0] == lines[0]
    assert Model(model, physical=False).warnings == model.warnings == model.replace("x").warnings
    assert model.prefixed("p").physical is False


@pytest.mark.parametrize("field", ["armature", "damping", "friction", "max_speed", "max_effort"])
def test_negative_numbers_of_a_joint(field):
    lines = problems(B, Revolute("j", WORLD, "fore", **{field: "-a"}), parameters={"a": 1})
    assert lines == (f'joint "j": {field} is -1; it cannot be negative',)


@pytest.mark.parametrize(
    "fact", [Distance("f", "fore", WORLD, 0), Rolling("f", "fore", WORLD, -1), Spring("f", "fore", WORLD, -1)]
)
def test_impossible_numbers_of_other_facts(fact):
    assert len(problems(B, Weld("w", WORLD, "fore"), fact)) == 1


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_every_cloud_of_points_has_a_possible_inertia(seed):
    r = np.random.default_rng(seed)
    points = r.normal(size=(r.integers(1, 6), 3)) * 10.0 ** r.integers(-6, 3)
    masses = r.uniform(0.1, 1, len(points)) * 10.0 ** r.integers(-6, 3)
    com = masses @ points / masses.sum()
    d = points - com
    I = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, d, strict=True))
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    body = Body("x", masses.sum(), com, inertia)
    assert Model(body, Free("f", WORLD, "x")).bodies["x"] == body
    # the largest principal moment plus a thousandth of it is more than the other two of a line
    if len(points) == 2:
        axis = np.cross(d[0] - d[1], r.normal(size=3))
        I = I + 1e-3 * np.trace(I) * np.outer(axis, axis) / (axis @ axis)
        inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        assert len(problems(Body("x", 1, com, inertia), Free("f", WORLD, "x"))) == 1


def test_rounded_inertias_and_rotors_pass():
    flat = Body("flat", 1, inertia=(1, 1, 2 * (1 + 4e-10)))
    rotor = Body("rotor", 0, inertia=(0.1, 0.1, 0.1))
    facts = [flat, rotor, Body("none"), Rod("rod", 1, 1)]
    warnings = Model(facts, [Weld(b.name, WORLD, b.name) for b in facts]).warnings
    assert warnings == ('body "rotor" has an inertia and no mass; give it a mass',)


@pytest.mark.parametrize(
    "facts, said",
    [
        ([Body("x", 1, inertia=(1e-12, 1e-12, 1e-12))], 'body "x": mass 1 kg'),
        ([Body("x", 1, inertia=(1e6, 1e6, 1e6))], "density"),
        ([Body("x", 1, com=(0, 350, 0), inertia=(1, 1, 1))], "centre of mass is 350 m"),
        (
            [Body("x", 1, inertia=(1, 1, 1)), Body("y"), Weld("w", ("x", (120, 0, 0)), "y")],
            'joint "w": its end is 120 m from the origin of "x"',
        ),
        (
            [Body("x", 1, inertia=(1, 1, 1)), Revolute("c", WORLD.at(0, 0, "1e3*a"), "x")],
            'joint "c": its end is 1e+03 m',
        ),
        ([Body("x", 1, inertia=(1, 1, 1)), Free("c", WORLD, "x")], 'joint "c" closes a loop'),
    ],
)
def test_strange_units_are_warned_of_by_name(facts, said):
    model = Model(Free("f", WORLD, "x"), facts, parameters={"a": 1})
    assert len(model.warnings) == 1 and said in model.warnings[0]


def test_sound_models_have_no_warnings():
    model = Model(
        ARM,
        Distance("d", "fore", WORLD, 1),
        Gear("g", "elbow", "shoulder", 2),
        Constraint("c", lambda state: [0.0]),
        Spring("s", "fore", WORLD.at(1, 0, 0), 10),
        Contact("touch", "fore", WORLD, law=max),
        Drive("m", "elbow", position=lambda t: t),
        Sensor("imu", "imu", "fore"),
        Sensor("r", "reaction", "elbow"),
        Sensor("e", "effort", "elbow"),
        Revolute("cut", WORLD, "fore"),
        Sensor("loop", "reaction", "cut"),
        poses={"start": {"elbow": 1, "elbow.v": 2}},
        independent="elbow",
    )
    assert model.warnings == () and model.independent == ("elbow",)
    assert list(model.constraints) == ["d", "g", "c"] and next(iter(model.sensors)) == "imu"
    assert len(model.facts) == 15 and model.value("2*pi") == pytest.approx(6.283185307)


def test_budgets():
    with pytest.raises(ModelError, match="20001 bodies"):
        Model([Body(f"b{k}") for k in range(20_001)])


def test_many_problems_are_found_in_good_time():
    facts = [Body(f"body{k}", "rho") for k in range(3000)]
    facts += [Weld(f"w{k}", f"boddy{k}", f"body{k}") for k in range(3000)]
    facts += [Drive(f"d{k}", f"v{k}", 1) for k in range(3000)]
    start = time.process_time()
    assert len(problems(facts)) == 9000
    assert time.process_time() - start < 10


NUMBERS = [0, 1, -1, 1e-320, 1e308, -1e308, "a", "1/0", "-a^2", "b", 1e-9, 150]


@settings(max_examples=150)
@given(st.integers(0, 10**9))
def test_any_soup_of_facts_gives_a_model_or_one_line(seed):
    r = random.Random(seed)

    def number():
        return r.choice(NUMBERS)

    def place():
        name = r.choice(["a", "b", "c", "a.e", "b.e", "a.x", "world", "d"])
        return r.choice([name, (name, Frame((number(), 0, 0), (0, number(), 0))), (name, "e")])

    def fact():
        name = r.choice("abcdefgh")
        return r.choice(
            [
                lambda: Body(
                    name,
                    number(),
                    (number(), 0, 0),
                    (number(), number(), 1),
                    {"e": Frame((0, number(), 0), (number(), 0, 1))},
                ),
                lambda: Revolute(name, place(), place(), limits=(number(), number()), damping=number()),
                lambda: Planar(name, place(), place(), limits={"Tx": (None, number())}),
                lambda: Free(name, place(), place()),
                lambda: Weld(name, place(), place()),
                lambda: Spring(name, place(), place(), number()),
                lambda: Drive(name, r.choice("abcd"), number()),
                lambda: Gear(name, "a", r.choice("bcd"), number()),
                lambda: Sensor(name, "imu", place()),
                lambda: Sensor(name, "effort", r.choice("abc")),
            ]
        )()

    facts = [fact() for _ in range(r.randrange(12))]
    parameters = {"a": r.choice([1, 1e300, 0])}
    try:
        model = Model(facts, parameters=parameters, physical=r.random() < 0.5)
    except ModelError as error:
        assert "\n" not in str(error) and error.problems
        return
    assert np.isfinite(model.zero).all() and not np.isnan(model.limits).any()
    assert model.prefixed("p").prefixed("q") == model.prefixed("q.p")


@pytest.mark.parametrize("field", ["damping", "friction", "armature"])
def test_what_a_joint_that_closes_a_loop_cannot_use_is_said(field):
    """Once it kept its energy without a word; where another joint closes the loop it acts."""
    crank = slider_crank()
    (cut,) = crank.cuts
    assert crank.warnings == ()
    (warning,) = crank.replace(cut.name, **{field: 0.5}).warnings
    assert f'"{cut.name}" closes a loop, so that its {field} has no effect' in warning
    assert crank.replace(cut.name, **{field: 0.0}).warnings == ()
    assert crank.replace("coupler", **{field: 0.5}).warnings == ()
