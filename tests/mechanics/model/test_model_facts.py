"""Single facts: what they take, what they keep, what they refuse."""

import copy
import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from hapsis.errors import ModelError
from hapsis.mechanics.model.bodies import Body, Rod
from hapsis.mechanics.model.constraints.constraints import Constraint, Distance, Gear
from hapsis.mechanics.model.constraints.rolling import Rolling
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.frames import WORLD, End, Frame, angles, composed, rotation
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Mesh, Sphere
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.formula import Formula

WRONG = [math.nan, math.inf, -math.inf, True, None, "1_0", "2 *", [1.0], 1j, 10**400]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize(
    "make, field",
    [
        (lambda x: Body("b", mass=x, where="f:1:2"), "mass"),
        (lambda x: Body("b", com=(0, x, 0), where="f:1:2"), "com"),
        (lambda x: Body("b", inertia=(1, 1, x), where="f:1:2"), "inertia"),
        (lambda x: Body("b", frames={"end": (x, 0, 0)}, where="f:1:2"), 'frame "end"'),
        (lambda x: Revolute("b", "a", "c", damping=x, where="f:1:2"), "damping"),
        (lambda x: Spring("b", "a", "c", x, where="f:1:2"), "stiffness"),
        (lambda x: Distance("b", "a", "c", x, where="f:1:2"), "length"),
        (lambda x: Rolling("b", "a", "c", x, where="f:1:2"), "radius"),
        (lambda x: Gear("b", "a", "c", x, where="f:1:2"), "ratio"),
        (lambda x: Drive("b", "a", velocity=0.0, position=x or False, where="f:1:2"), "position"),
    ],
)
def test_a_wrong_number_is_refused_where_it_is_given(make, field, wrong):
    with pytest.raises(ModelError) as caught:
        make(wrong)
    line = str(caught.value)
    assert line.startswith("f:1:2: ") and '"b"' in line and field in line and "\n" not in line


def test_numbers_become_floats():
    body = Body("b", mass=np.float32(2), com=[1, 2, 3], inertia=np.array([1, 2, 3]))
    assert body == Body("b", 2.0, (1.0, 2.0, 3.0), (1.0, 2.0, 3.0, 0.0, 0.0, 0.0))
    assert all(type(x) is float for x in (body.mass, *body.com, *body.inertia))
    assert Body("b", mass=" 2.5 ").mass == 2.5
    assert Body("b", mass="rho * 2").mass == Formula("rho * 2")
    assert Body("b", inertia=(1, 2, 3, 4, 5, 6)).inertia == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    "fields",
    [
        {"com": (0, 0)},
        {"com": {0, 1, 2}},
        {"com": "abc"},
        {"inertia": (1, 2)},
        {"inertia": 3.0},
        {"inertia": np.eye(4)},
        {"com": np.float64(1)},
        {"frames": [("end", (0, 0, 0))]},
        {"frames": {"a.b": (0, 0, 0)}},
        {"frames": {"": (0, 0, 0)}},
        {"frames": {"a": "b"}},
        {"shapes": ["box"]},
        {"name": ""},
        {"name": 3},
        {"name": None},
    ],
)
def test_a_body_of_the_wrong_form_is_refused(fields):
    with pytest.raises(ModelError):
        Body(**{"name": "b", **fields})


def test_facts_are_frozen_equal_by_value_and_hashable():
    frames = {"end": (0, 0, 1)}
    body, twin = Body("b", 1, frames=frames), Body("b", 1, frames=frames, where="f:1:1")
    frames["other"] = (1, 1, 1)
    assert body == twin and hash(body) == hash(twin) and list(body.frames) == ["end"]
    assert "where" not in repr(twin)
    with pytest.raises(dataclasses.FrozenInstanceError):
        body.mass = 2.0  # pyright: ignore
    with pytest.raises(TypeError):
        body.frames["end"] = Frame()  # pyright: ignore
    assert copy.deepcopy(body) == body


def test_a_rod_is_slender():
    rod = Rod("r", length=0.6, mass=2, frames={"grip": (0.1, 0, 0)})
    assert rod.com == (0.3, 0, 0) and rod.inertia == pytest.approx((0, 0.06, 0.06, 0, 0, 0))
    assert rod.frames["end"].at == (0.6, 0, 0) and rod.frames["mid"].at == (0.3, 0, 0)
    assert "grip" in rod.frames
    named = Rod("r", length="L + a", mass="m")
    values = {"L": 0.5, "a": 0.1, "m": 2.0}
    assert named.inertia[1].value(values) == pytest.approx(0.06)
    assert named.frames["mid"].at[0].value(values) == pytest.approx(0.3)
    with pytest.raises(ModelError, match="length must be positive"):
        Rod("r", length=0, mass=1)


ANGLES = st.tuples(*[st.floats(-3.2, 3.2)] * 3) | st.tuples(
    *[st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi, math.pi / 2 + 1e-9])] * 3
)


@settings(max_examples=100)
@given(ANGLES, ANGLES)
def test_frames_compose_as_rotations_do(a, b):
    outer, inner = Frame((1, -2, 3), a), Frame((0.5, 0.25, -4), b)
    R, S = (Rotation.from_euler("ZYX", x[::-1]).as_matrix() for x in (a, b))
    both = composed(outer, inner)
    assert np.allclose(rotation(a), R, atol=1e-14)
    assert np.allclose(rotation(both.rpy), R @ S, atol=1e-14)
    assert np.allclose(both.at, outer.at + R @ inner.at, atol=1e-14)
    assert np.allclose(rotation(angles(R.tolist())), R, atol=1e-14)


def test_frames_with_formulas_compose_where_they_can():
    turned = Frame((1, 0, 0), (0, 0, math.pi / 2))
    at = composed(turned, Frame(("L", 0, "h"))).at
    values = [x.value({"L": 2.0, "h": 3.0}) if isinstance(x, Formula) else x for x in at]
    assert values == pytest.approx([1, 2, 3])
    assert composed(Frame((0, 0, 1)), Frame(rpy=("a", 0, 0))) == Frame((0, 0, 1), ("a", 0, 0))
    assert composed(Frame(rpy=("a", 0, 0)), Frame()) == Frame(rpy=("a", 0, 0))
    for outer, inner in [(Frame(rpy=("a", 0, 0)), Frame((1, 0, 0))), (turned, Frame(rpy=("a", 0, 0)))]:
        with pytest.raises(ModelError, match="use a Weld"):
            composed(outer, inner)


def test_ends():
    assert End.of("a.b") == End("a.b") and End.of(WORLD) == End("world")
    assert End.of(("a", (1, 2, 3))) == End("a", Frame((1, 2, 3)))
    assert End.of(("a", "end")) == End("a", "end") and str(End("a", "end")) == "a.end"
    assert WORLD.at(1, 2, "L", rpy=(0, 0, 1)) == End("world", Frame((1, 2, "L"), (0, 0, 1)))
    for wrong in ("", None, 3, ("a",), ("", Frame()), ("a", 3), Body("a")):
        with pytest.raises(ModelError):
            End.of(wrong)


def test_shapes_are_data():
    assert Box((1, 2, 3), at=(0, 0, 1)).at == Frame((0, 0, 1))
    assert Cylinder("r", 1).radius == Formula("r") and Capsule(1, 2).length == 2.0
    assert Mesh("a.stl").scale == (1, 1, 1) and Sphere(1) == Sphere(1.0)
    assert Body("b", shapes=Sphere(1)).shapes == (Sphere(1),)
    for make in (lambda: Box(1), lambda: Sphere(math.nan), lambda: Mesh(""), lambda: Mesh(3)):
        with pytest.raises(ModelError):
            make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Contact("c", "a", "b", law=3),
        lambda: Constraint("c", 3),  # pyright: ignore
        lambda: Gear("c", "a", "a", 1),
        lambda: Gear("c", 3, "a", 1),  # pyright: ignore
        lambda: Drive("c", "a"),
        lambda: Drive("c", 3, position=1),  # pyright: ignore
        lambda: Sensor("c", "poze", "a"),
        lambda: Sensor("c", "effort", WORLD),
        lambda: Sensor("c", "pose", 3),
        lambda: Spring("c", 3, "a", 1),
    ],
)
def test_other_facts_of_the_wrong_form_are_refused(make):
    with pytest.raises(ModelError, match='"c"'):
        make()


def test_other_facts_keep_what_is_given():
    assert Sensor("s", "imu", "a.b").on == End("a.b") and Sensor("s", "effort", "j").on == "j"
    assert Drive("d", "j", position="sin(t)").position == Formula("sin(t)")
    assert Spring("s", "a", WORLD, 3).second == End("world")


def test_a_state_is_read_by_name():
    state = State(("a", "b"), ("a.v", "b.v"), [1, 2], [3, 4], report="found")
    assert (state["a"], state["b.v"], state.report) == (1.0, 4.0, "found")
    assert state == State(("a", "b"), ("a.v", "b.v"), [1, 2], [3, 4])
    assert state != State(("a", "b"), ("a.v", "b.v"), [1, 2])
    assert "a=1" in repr(state)
    with pytest.raises(ModelError, match=r'did you mean "a\.v"'):
        state["a.w"]
    with pytest.raises(ModelError):
        state.q = np.zeros(2)
    with pytest.raises(ValueError, match="read-only"):
        state.q[0] = 1
    for wrong in ([1], [[1, 2]], "ab"):
        with pytest.raises(ModelError, match="2 numbers"):
            State(("a", "b"), (), wrong)
