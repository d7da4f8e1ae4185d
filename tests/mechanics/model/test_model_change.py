"""New models from old ones: replace, +, prefixed."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.mechanics.model.bodies import Body, Rod
from hapsis.mechanics.model.constraints.constraints import Gear
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.frames import WORLD, End, Frame
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes.shapes import Box, Sphere
from hapsis.mechanics.model.structure.flattening import Part
from hapsis.mechanics.model.values.formula import Formula


def arm(**more):
    """Two links with every kind of reference and formula in them."""
    return Model(
        Rod("upper", "L", "rho * L", shapes=[Box(("L", 0.1, 0.1), at=("L/2", 0, 0))]),
        Rod("fore", 0.3, 1.0),
        Revolute("shoulder", WORLD.at(0, "h", 0), "upper", limits=("-a", "a"), damping="d"),
        Revolute("elbow", "upper.end", ("fore", (0.0, 0, 0)), axis=(0, 1, 1)),
        Spring("band", "fore.end", WORLD, stiffness="100 * d"),
        Gear("gear", "shoulder", "elbow", ratio="a"),
        Drive("motor", "elbow", position="a * sin(t)"),
        Sensor("touch", "imu", "fore.end"),
        Sensor("torque", "effort", "elbow"),
        parameters={"L": 0.4, "rho": 2.0, "h": 0.1, "a": 1.5, "d": 0.01},
        poses={"start": {"shoulder": 0.3, "elbow.v": "a / 2"}},
        independent=["shoulder"],
        gravity=(0, 0, -1.62),
        **more,
    )


def torso():
    return Model(
        Body("torso", 10, inertia=(1, 1, 1), frames={"left": (0, 1, 0), "right": (0, -1, 0)}),
        Free("base", WORLD, "torso"),
        poses={"start": {"base.z": 1}},
    )


def test_models_are_values():
    assert arm() == arm() and arm() != arm().replace(gravity=(0, 0, 0)) and arm() != 3
    model = arm()
    with pytest.raises(ModelError, match="replace"):
        model.gravity = (0, 0, 0)
    with pytest.raises(ModelError, match="replace"):
        del model.gravity
    with pytest.raises(TypeError):
        model.bodies["x"] = Body("x")  # pyright: ignore
    with pytest.raises(TypeError):
        hash(model)


def test_replace_changes_one_thing():
    model = arm()
    heavy = model.replace("fore", mass=2)
    assert heavy.bodies["fore"].mass == 2.0 and model.bodies["fore"].mass == 1.0
    assert heavy.joints == model.joints and heavy.poses == model.poses
    assert heavy.gravity == (0, 0, -1.62)
    assert heavy.replace("fore", mass=1.0) == model
    assert model.replace() == model and model.replace("elbow") == model
    longer = model.replace(parameters={**model.parameters, "L": 0.8})
    assert longer.value(longer.bodies["upper"].mass) == 1.6
    assert longer.replace(parameters=model.parameters) == model


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_replace_goes_back(r):
    model, changed = arm(), arm()
    undo = []
    for _ in range(5):
        name, field, value = r.choice(
            [
                ("fore", "mass", 3.0),
                ("elbow", "damping", "d"),
                ("band", "length", 1),
                ("shoulder", "limits", None),
                ("motor", "position", 0.5),
                ("gear", "offset", "a"),
            ]
        )
        fact = next(f for f in changed.facts if f.name == name)
        undo.append((name, field, getattr(fact, field)))
        changed = changed.replace(name, **{field: value})
    for name, field, value in reversed(undo):
        changed = changed.replace(name, **{field: value})
    assert changed == model


def test_replace_refuses_names_it_does_not_know():
    model = arm()
    for change, hint in [
        (lambda: model.replace("elbov", damping=1), 'did you mean "elbow"'),
        (lambda: model.replace("elbow", dampin=1), 'did you mean "damping"'),
        (lambda: model.replace("elbow", name="x"), "cannot be renamed"),
        (lambda: model.replace(gravty=(0, 0, 0)), 'did you mean "gravity"'),
        (lambda: model.replace("fore", mass=-1), "negative"),
        (lambda: model.replace("elbow", first="nowhere"), "does not exist"),
    ]:
        with pytest.raises(ModelError, match=hint):
            change()


def test_a_body_and_a_joint_may_share_a_name():
    model = Model(Body("z", 1, inertia=(1, 1, 1)), Prismatic("z", WORLD, "z"))
    assert model.replace("z", damping=2).joints["z"].damping == 2.0
    assert model.replace("z", mass=2).bodies["z"].mass == 2.0
    with pytest.raises(ModelError, match="has no"):
        model.replace("z", mass=2, damping=2)


def test_addition():
    model = torso()
    wheel = [Body("wheel", 1, inertia=(1, 1, 1)), Revolute("axle", "torso", "wheel")]
    assert (model + wheel).coordinates == (*model.coordinates, "axle")
    lamp = Sensor("lamp", "pose", "torso")
    assert (model + lamp).sensors["lamp"] == lamp
    assert model + Model() == model == Model(model)
    other = Model(Body("moon", 1, inertia=(1, 1, 1)), Free("orbit", WORLD, "moon"), gravity=(0, 0, 0))
    assert (model + other).gravity == model.gravity and (other + model).gravity == (0, 0, 0)
    assert Model(other, gravity=(1, 0, 0)).gravity == (1, 0, 0)
    assert Model(other).gravity == (0, 0, 0)
    with pytest.raises(TypeError):
        model + 3
    with pytest.raises(ModelError, match="two bodies"):
        model + model


def test_parts_that_disagree_about_a_parameter():
    one = Model(Body("a", "m"), Weld("a", WORLD, "a"), parameters={"m": 1})
    two = Model(Body("b", "m"), Weld("b", WORLD, "b"), parameters={"m": 2})
    with pytest.raises(ModelError, match='parameter "m" has two values'):
        one + two
    assert Model(one, two.replace(parameters={"m": 1})).parameters == {"m": 1.0}
    assert (one.prefixed("x") + two).parameters == {"x.m": 1.0, "m": 2.0}


def test_a_prefix_goes_before_every_name():
    model, left = arm(), arm().prefixed("left")
    assert isinstance(left, Model)
    assert list(left.bodies) == ["left.upper", "left.fore"]
    assert left.coordinates == ("left.shoulder", "left.elbow")
    assert left.parameters == {f"left.{n}": v for n, v in model.parameters.items()}
    assert left.poses == {"start": {"left.shoulder": 0.3, "left.elbow.v": Formula("left.a / 2")}}
    assert left.pose("start") == {"left.shoulder": 0.3, "left.elbow.v": 0.75}
    assert left.independent == ("left.shoulder",) and left.gravity == model.gravity
    assert left.drives["left.motor"].position == Formula("left.a * sin(t)")
    assert left.drives["left.motor"].joint == "left.elbow"
    assert left.constraints["left.gear"].joints == {"first": "left.shoulder", "second": "left.elbow"}
    assert left.sensors["left.torque"].on == "left.elbow"
    assert left.bodies["left.upper"].shapes[0].at.at[0] == Formula("left.L/2")
    assert left.limits.tolist() == model.limits.tolist()
    for name in model.bodies:
        assert left.value(left.bodies[f"left.{name}"].mass) == model.value(model.bodies[name].mass)
    for ours, theirs in zip(model.tree, left.tree, strict=True):
        assert theirs.joint.steps == ours.joint.steps and theirs.reversed == ours.reversed
        for one, other in [(ours.parent_frame, theirs.parent_frame), (ours.child_frame, theirs.child_frame)]:
            assert [left.value(x) for x in other.at] == [model.value(x) for x in one.at]


def test_twice_prefixed_is_prefixed_by_both():
    assert arm().prefixed("a").prefixed("b") == arm().prefixed("b.a")


def test_two_arms_on_a_torso():
    left = arm().prefixed("left", on="torso.left")
    right = arm().prefixed("right", on=("torso", "right"))
    assert isinstance(left, Part)
    model = torso() + left + [right]
    assert model == Model(torso(), left, right)
    assert len(model.bodies) == 5 and len(model.coordinates) == 7 + 4
    assert model.frame(model.joints["left.shoulder"].first)[0] == "torso"
    at = model.frame(model.joints["right.shoulder"].first)[1].at
    assert [model.value(x) for x in at] == pytest.approx([0, -0.9, 0])
    assert model.frame(model.forces["left.band"].second) == ("torso", Frame((0, 1, 0)))
    assert model.pose("start")["base.z"] == 1 and model.pose("start")["right.shoulder"] == 0.3
    twin = model.prefixed("robot")
    assert twin.frame(twin.joints["robot.left.shoulder"].first)[0] == "robot.torso"
    assert twin.joints["robot.base"].first == End("world")
    with pytest.raises(ModelError, match='hangs from body "torso'):
        Model(left)


def test_frames_and_shapes_of_the_world_move_along():
    room = Model(
        Body("world", frames={"door": (1, 0, 0)}, shapes=[Sphere(1)]),
        Body("leaf", 1, inertia=(1, 1, 1)),
        Revolute("hinge", "world.door", "leaf"),
    )
    both = room.prefixed("a") + room.prefixed("b")
    assert set(both.world.frames) == {"a.door", "b.door"} and len(both.world.shapes) == 2
    assert both.frame("world.a.door") == ("world", Frame((1, 0, 0)))
    assert both.frame(both.joints["a.hinge"].first) == ("world", Frame((1, 0, 0)))
    ship = torso() + room.prefixed("a", on=("torso", (0, 0, 5)))
    assert ship.frame(ship.joints["a.hinge"].first) == ("torso", Frame((1, 0, 5)))
    assert ship.bodies["a.world"].shapes == (Sphere(1),)
    assert ship.frame("a.world.door") == ("a.world", Frame((1, 0, 0)))
    assert "a.world" in {t.child for t in ship.tree}
    with pytest.raises(ModelError, match="two frames of the world"):
        Model(room, Body("world", frames={"door": (0, 0, 0)}))


@pytest.mark.parametrize("prefix", ["", None, 3, "left arm", "2", "a-b"])
def test_a_prefix_must_fit_into_formulas(prefix):
    with pytest.raises(ModelError, match="prefix"):
        arm().prefixed(prefix)


def test_any_text_is_a_prefix_where_there_are_no_parameters():
    assert torso().prefixed("left arm").bodies["left arm.torso"].mass == 10


def test_a_joint_may_be_called_world():
    model = Model(Body("a"), Revolute("world", WORLD, "a"))
    assert model.prefixed("x").coordinates == ("x.world",)


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_a_prefix_keeps_the_shape_of_any_mechanism(seed):
    r = random.Random(seed)
    n = r.randrange(1, 12)
    facts = [Body(f"b{k}", 1, inertia=(1, 1, 1), frames={"e": (k, 0, 0)}) for k in range(n)]
    for k in range(n):
        parent = r.randrange(-1, k)
        first = WORLD.at(0, 0, k) if parent < 0 else r.choice([f"b{parent}", f"b{parent}.e"])
        facts.append(Revolute(f"j{k}", first, f"b{k}"))
    facts.append(Prismatic("extra", WORLD, f"b{n - 1}.e"))
    r.shuffle(facts)
    model = Model(facts)
    twin = model.prefixed("p")
    assert [(t.joint.name, t.parent_frame, t.reversed) for t in twin.tree] == [
        (f"p.{t.joint.name}", t.parent_frame, t.reversed) for t in model.tree
    ]
    assert [j.name for j in twin.cuts] == [f"p.{j.name}" for j in model.cuts]


def test_parameters_are_replaced_all_together():
    model = hs.Model(
        hs.Body("bob", "m + lead"),
        hs.Prismatic("x", hs.WORLD, "bob", axis="z"),
        parameters={"m": 1.0, "lead": 0.2, "spare": 3.0},
    )
    with pytest.raises(hs.ModelError, match=r'replace: .*"lead" is missing; give \{\*\*model.parameters'):
        model.replace(parameters={"m": 2.0})
    assert model.replace(parameters={**model.parameters, "m": 2.0}).parameters["m"] == 2.0
    assert "spare" not in model.replace(parameters={"m": 2.0, "lead": 0.0}).parameters  # nothing uses it
