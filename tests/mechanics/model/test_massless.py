"""Joints that move no mass are told by name before anything is computed."""

import dataclasses

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.formats.xml_fields import turned
from hapsis.mechanics.model.checks.massless import massless_motions
from hapsis.mechanics.model.frames import rotation

ARM = (
    hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01), frames={"end": (0, 0, -1)}),
    hs.Revolute("shoulder", hs.WORLD, "arm", axis="y"),
)
HEAVY = {"mass": 0.3, "com": (0.1, 0.2, 0.3), "inertia": (0.02, 0.03, 0.04)}


TURN = hs.Revolute("k", "arm.end", "leaf", axis=(0.3, 0.5, -0.8))
SLIDE = hs.Prismatic("k", "arm.end", "leaf", axis="x")
BALL = hs.Ball("k", "arm.end", "leaf")
ON_AXIS = tuple(0.7 * x for x in TURN.steps[0].axis)


@pytest.mark.parametrize(
    ("joint", "body"),
    [
        (TURN, {}),
        (SLIDE, {}),
        (BALL, {}),
        (hs.Universal("k", "arm.end", "leaf", axes=("x", "y")), {}),
        (hs.Free("k", "arm.end", "leaf"), {}),
        (TURN, {"mass": 1.0}),
        (TURN, {"mass": 1.0, "com": ON_AXIS}),
        (SLIDE, {"inertia": (1.0, 1.0, 1.0)}),
        (BALL, {"mass": 1.0}),
        (BALL, {"mass": 1.0, "com": (0.1, 0.2, 0.3)}),
        (hs.Free("k", "arm.end", "leaf"), {"mass": 1.0, "com": (0.1, 0.2, 0.3)}),
        (hs.Free("k", "arm.end", "leaf"), {"inertia": (1.0, 1.0, 1.0)}),
        (BALL, {"inertia": (0.0, 0.0, 0.0)}),
    ],
)
@pytest.mark.parametrize("rpy", [(0, 0, 0), (0.4, -1.1, 2.0)])
def test_every_verb_says_it(joint, body, rpy):
    """Also where the joint's frame on the body is turned, so that zeros are only rounding."""
    model = hs.Model(*ARM, *turned_leaf(joint, body, rpy))
    assert any("without moving any mass" in text for text in model.warnings)
    for verb in (
        lambda: hs.simulate(model, until=0.1),
        lambda: hs.stepper(model, dt=1e-3),
        lambda: hs.forward_dynamics(model),
    ):
        with pytest.raises(hs.ModelError, match=r'"k\.[\w.]+".* without moving any mass.*"leaf"'):
            verb()


def turned_leaf(joint, body, rpy):
    """A body whose numbers are given in other axes than the joint's, and the joint."""
    body = {"com": (0, 0, 0), "inertia": (0, 0, 0), **body}
    body["com"] = tuple(np.array(rotation(rpy)) @ body["com"])
    body["inertia"] = turned((*body["inertia"], 0.0, 0.0, 0.0), rpy)
    return hs.Body("leaf", **body), dataclasses.replace(joint, second=("leaf", hs.Frame((0, 0, 0), rpy=rpy)))


@pytest.mark.parametrize(
    "facts",
    [
        (hs.Body("leaf", **HEAVY), TURN),
        (hs.Body("leaf", **HEAVY), BALL),
        (hs.Body("leaf", mass=1.0, com=(0.2, 0, 0)), TURN),
        (hs.Body("leaf"), hs.Weld("k", "arm.end", "leaf")),
        (hs.Body("leaf"), hs.Revolute("k", "arm.end", "leaf", axis="y", armature=0.01)),
        (hs.Body("leaf"), TURN, hs.Drive("d", "k", position="sin(t)")),
        (hs.Body("leaf"), TURN, hs.Body("tip", **HEAVY), hs.Revolute("l", "leaf", "tip", axis="x")),
        (hs.Body("leaf"), TURN, hs.Gear("g", "shoulder", "k", ratio=2.0)),
    ],
)
def test_what_is_right_is_not_refused(facts):
    model = hs.Model(*ARM, *facts)
    assert not list(massless_motions(model)) and not model.warnings
    result = hs.simulate(model, until=0.2, start={"shoulder": 0.3})
    assert result.success and np.isfinite(result["k.a"] if "k" in model.coordinates else 0.0).all()


@pytest.mark.parametrize("joint", [hs.Ball("k", hs.WORLD, "rod"), hs.Free("k", hs.WORLD, "rod")])
def test_a_spin_that_no_mass_resists_is_kept(joint):
    """A slender rod moves as a thick one in the limit; an effort about its axis has no finite answer."""
    body = hs.Rod("rod", 1.0, 2.0)
    model = hs.Model(body, joint)
    assert not model.warnings
    f, n = hs.compile(hs.forward_dynamics(model)), len(model.speeds)
    spin = model.speeds.index("k.wx")
    assert np.isfinite(f(model.zero, np.zeros(n), np.zeros(n))).all()
    effort = np.zeros(n)
    effort[spin] = 1.0
    assert np.isinf(f(model.zero, np.zeros(n), effort)[spin])
    thick = hs.Body("rod", mass=body.mass, com=body.com, inertia=(1e-9, *body.inertia[1:3]))
    start = {"k.wy": 0.4, "k.wz": 0.3}
    slender = hs.simulate(model, 0.5, start=start, every=0.1)
    limit = hs.simulate(hs.Model(thick, joint), 0.5, start=start, every=0.1)
    for name in ("k.qw", "k.qx", "k.qy", "k.qz"):
        assert slender[name] == pytest.approx(limit[name], abs=1e-5)


@pytest.mark.parametrize("axis", ["z", (0.3, 0.5, -0.8)])
@pytest.mark.parametrize("joint", [hs.Prismatic, hs.Revolute])
def test_two_joints_that_cancel_are_told(joint, axis):
    """A massless body between two joints of one axis: how the motion divides, no mass decides."""
    model = hs.Model(
        hs.Body("mid"),
        hs.Body("end", **HEAVY),
        joint("x", hs.WORLD, "mid", axis=axis),
        joint("y", "mid", "end", axis=axis),
    )
    for verb in (lambda: hs.simulate(model, until=0.1), lambda: hs.forward_dynamics(model)):
        with pytest.raises(hs.ModelError, match="some joints together can move without moving any mass"):
            verb()


def test_a_mass_that_is_taken_away_is_told():
    model = hs.Model(*ARM, hs.Body("leaf", mass=1.0, com=(0, 0, 0), inertia=(0.1, 0.2, 0.15)), TURN)
    gone = {"leaf.inertia.xx": 0.0, "leaf.inertia.yy": 0.0, "leaf.inertia.zz": 0.0}
    assert hs.simulate(model, until=0.1, parameters={"leaf.mass": 0.0}).success
    with pytest.raises(hs.ModelError, match=r'"k\.v" can move without moving any mass: give "leaf"'):
        hs.simulate(model, until=0.1, parameters={"leaf.mass": 0.0} | gone)
