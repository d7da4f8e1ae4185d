"""Joints: their steps, the names of their coordinates, their limits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hapsis.errors import ModelError
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.chain import STEPS, Chain
from hapsis.mechanics.model.joints.cylindrical import Cylindrical
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.helical import Helical
from hapsis.mechanics.model.joints.joint import Step
from hapsis.mechanics.model.joints.planar import Planar
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.universal import Universal
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.values.axes import axis_vector

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ONE_OF_EACH = [
    Revolute("j", "a", "b"),
    Prismatic("j", "a", "b", axis="-x"),
    Helical("j", "a", "b", pitch=0.1),
    Cylindrical("j", "a", "b"),
    Universal("j", "a", "b"),
    Planar("j", "a", "b"),
    Chain("j", "a", "b", "Tx Ty Rz"),
    Ball("j", "a", "b"),
    Free("j", "a", "b"),
    Weld("j", "a", "b"),
]


@pytest.mark.parametrize(
    "joint, steps",
    [
        (Revolute("j", "a", "b"), [Step("R", Z)]),
        (Prismatic("j", "a", "b", axis="-x"), [Step("P", (-1.0, 0.0, 0.0))]),
        (Revolute("j", "a", "b", axis=[0, 3, 4]), [Step("R", (0.0, 0.6, 0.8))]),
        (Helical("j", "a", "b", axis="y", pitch=0.1), [Step("H", Y, 0.1)]),
        (Cylindrical("j", "a", "b"), [Step("P", Z), Step("R", Z)]),
        (Universal("j", "a", "b"), [Step("R", X), Step("R", Y)]),
        (Planar("j", "a", "b"), [Step("P", X), Step("P", Y), Step("R", Z)]),
        (Planar("j", "a", "b", "y"), [Step("P", X), Step("P", Z), Step("R", Y)]),
        (Chain("j", "a", "b", "Rz Tx"), [Step("R", Z), Step("P", X)]),
        (Ball("j", "a", "b"), [Step("ball")]),
        (Free("j", "a", "b"), [Step("free")]),
        (Weld("j", "a", "b"), []),
    ],
)
def test_steps(joint, steps):
    assert list(joint.steps) == steps


@pytest.mark.parametrize(
    "joint, coordinates, speeds",
    [
        (Revolute("j", "a", "b"), "j", "j.v"),
        (Cylindrical("j", "a", "b"), "j.Tz j.Rz", "j.Tz.v j.Rz.v"),
        (Cylindrical("j", "a", "b", axis="-y"), "j.Ty j.Ry", "j.Ty.v j.Ry.v"),
        (Cylindrical("j", "a", "b", axis=(0, 0, 1)), "j.T j.R", "j.T.v j.R.v"),
        (Universal("j", "a", "b"), "j.Rx j.Ry", "j.Rx.v j.Ry.v"),
        (Universal("j", "a", "b", axes=(X, Y)), "j.R j.R2", "j.R.v j.R2.v"),
        (Planar("j", "a", "b"), "j.Tx j.Ty j.Rz", "j.Tx.v j.Ty.v j.Rz.v"),
        (Planar("j", "a", "b", "y"), "j.Tx j.Tz j.Ry", "j.Tx.v j.Tz.v j.Ry.v"),
        (Planar("j", "a", "b", "x"), "j.Ty j.Tz j.Rx", "j.Ty.v j.Tz.v j.Rx.v"),
        (Chain("j", "a", "b", "Rz Tx Rz"), "j.Rz j.Tx j.Rz2", "j.Rz.v j.Tx.v j.Rz2.v"),
        (Chain("j", "a", "b", " Rz "), "j", "j.v"),
        (Ball("j", "a", "b"), "j.qw j.qx j.qy j.qz", "j.wx j.wy j.wz"),
        (
            Free("base", "a", "b"),
            "base.x base.y base.z base.qw base.qx base.qy base.qz",
            "base.wx base.wy base.wz base.vx base.vy base.vz",
        ),
        (Weld("j", "a", "b"), "", ""),
    ],
)
def test_names(joint, coordinates, speeds):
    assert joint.coordinates == tuple(coordinates.split())
    assert joint.speeds == tuple(speeds.split())


@pytest.mark.parametrize("joint", ONE_OF_EACH, ids=lambda j: type(j).__name__)
def test_laws_of_every_family(joint):
    degrees = {"R": 1, "P": 1, "H": 1, "ball": 3, "free": 6}
    assert len(joint.speeds) == sum(degrees[step.kind] for step in joint.steps)
    assert len(joint.coordinates) == len(joint.zero)
    assert len(set(joint.coordinates)) == len(joint.coordinates)
    assert set(joint.plain) <= set(joint.coordinates)
    for step in joint.steps:
        assert step.axis is None or math.hypot(*step.axis) == pytest.approx(1, abs=1e-15)
    assert joint == type(joint)(**{k: v for k, v in vars(joint).items()})


@settings(max_examples=60)
@given(st.lists(st.sampled_from(STEPS), min_size=2, max_size=12))
def test_a_chain_is_its_steps(tokens):
    chain = Chain("c", "a", "b", " ".join(tokens))
    assert len(set(chain.coordinates)) == len(tokens)
    for token, name, step in zip(tokens, chain.coordinates, chain.steps, strict=True):
        assert name.startswith(f"c.{token}")
        assert step.kind == {"T": "P", "R": "R"}[token[0]] and step.axis == axis_vector(token[1])


@settings(max_examples=60)
@given(st.tuples(*[st.floats(-1e6, 1e6, allow_subnormal=False)] * 3))
def test_an_axis_is_a_unit_vector_along_what_is_given(axis):
    norm = math.hypot(*axis)
    if norm < 1e-6:
        return
    unit = axis_vector(axis)
    assert math.hypot(*unit) == pytest.approx(1, abs=1e-15)
    assert np.allclose(np.cross(unit, np.array(axis) / norm), 0, atol=1e-15)
    assert np.dot(unit, axis) > 0
    assert Revolute("j", "a", "b", axis=axis).axis == axis


@pytest.mark.parametrize(
    "axis",
    [
        "w",
        "",
        "xy",
        "+x",
        "--x",
        (0, 0, 0),
        (0, 1e-10, 0),
        (1, 0),
        (1, 0, math.nan),
        None,
        3,
        (0, "a", 1),
        ("z",),
    ],
)
def test_what_is_no_axis_is_refused(axis):
    for make in (Revolute, Prismatic, Helical, Cylindrical):
        with pytest.raises(ModelError, match='joint "j": axis'):
            make("j", "a", "b", axis=axis)
    with pytest.raises(ModelError, match='joint "j"'):
        Universal("j", "a", "b", axes=("x", axis))
    with pytest.raises(ModelError, match='joint "j"'):
        Planar("j", "a", "b", normal=axis)


def test_parallel_axes_and_wrong_chains_are_refused():
    with pytest.raises(ModelError, match="parallel"):
        Universal("j", "a", "b", axes=("z", "-z"))
    for wrong in ("", "Tx Tw", "tx", "TxTy", "Tx,Ty", 3, " ".join(["Rz"] * 101)):
        with pytest.raises(ModelError, match='joint "j"'):
            Chain("j", "a", "b", wrong)  # pyright: ignore


def test_limits_are_kept_by_coordinate():
    assert Revolute("j", "a", "b", limits=[-1, "pi/2"]).bounds["j"][0] == -1.0
    assert Revolute("j", "a", "b", limits=(None, 2)).bounds == {"j": (None, 2.0)}
    assert Planar("j", "a", "b", limits={"Rz": (0, 1)}).bounds == {"j.Rz": (0.0, 1.0)}
    assert Free("j", "a", "b", limits={"z": (0, None)}).bounds == {"j.z": (0.0, None)}
    assert Revolute("j", "a", "b").bounds == {}


@pytest.mark.parametrize(
    "make",
    [
        lambda: Revolute("j", "a", "b", limits={"j": (0, 1)}),
        lambda: Revolute("j", "a", "b", limits=(0, 1, 2)),
        lambda: Revolute("j", "a", "b", limits=3),
        lambda: Revolute("j", "a", "b", limits=(0, math.inf)),
        lambda: Planar("j", "a", "b", limits=(0, 1)),
        lambda: Planar("j", "a", "b", limits={"Rx": (0, 1)}),
        lambda: Planar("j", "a", "b", limits={"Rz": 1}),
        lambda: Ball("j", "a", "b", limits={"qw": (0, 1)}),
        lambda: Free("j", "a", "b", limits={"qw": (0, 1)}),
        lambda: Weld("j", "a", "b", limits=(0, 1)),
        lambda: Revolute("j", "a", "b", max_speed="fast car"),
        lambda: Revolute("j", 3, "b"),
    ],
)
def test_wrong_fields_are_refused(make):
    with pytest.raises(ModelError, match='joint "j"'):
        make()
