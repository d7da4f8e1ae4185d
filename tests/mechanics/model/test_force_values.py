"""Every kind of force in numbers worked out by hand: signs, places, limits, numbers as given."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.state_rates import arrows, signals, state_rates
from hapsis.mechanics.model.values.formula import Formula


def slide(*facts, parameters=None, **more):
    """A block of 2 kg on the line x, without gravity."""
    return hs.Model(
        hs.Body("block", mass=2.0, inertia=(1, 1, 1), frames={"side": (0, 0.5, 0)}),
        hs.Prismatic("x", hs.WORLD, "block", axis="x", **more),
        *facts,
        gravity=(0, 0, 0),
        parameters=parameters,
    )


def state(model, x, v=0.0, **more):
    """Acceleration, loss and signals at a position and a speed."""
    found = hs.compile(state_rates(model))(np.array([x]), np.array([v]), np.zeros(1), **more)
    function = signals(model)
    told = hs.compile(function)(np.array([x]), np.array([v]), **more)
    names = [port.name for port in function.outputs]
    return float(found.a[0]), float(found.loss), dict(zip(names, told, strict=True))


def test_joint_spring():
    a, loss, told = state(slide(hs.JointSpring("s", "x", 10, 3, rest=0.2)), 0.5, 2.0)
    effort = -10 * 0.3 - 3 * 2.0
    assert a == pytest.approx(effort / 2) and told["s.effort"] == pytest.approx(effort)
    assert loss == pytest.approx(3 * 4.0) and told["potential"] == pytest.approx(5 * 0.09)


def test_spring():
    spring = hs.Spring("s", hs.WORLD.at(0, 0.5, 0), "block.side", 10, 3, length=0.2)
    a, loss, told = state(slide(spring), 0.5, 2.0)
    assert told["s.length"] == pytest.approx(0.5)
    assert told["s.force"] == pytest.approx(10 * 0.3 + 3 * 2.0)  # in tension
    assert a == pytest.approx(-told["s.force"] / 2) and loss == pytest.approx(12.0)
    assert told["potential"] == pytest.approx(5 * 0.09)


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(
    ("x", "v", "effort", "loss"),
    [
        (0.0, 5.0, 0.0, 0.0),
        (-0.4, -1.0, 110.0, 10.0),
        (-0.4, 20.0, 0.0, 2000.0),
        (0.7, 1.0, -210.0, 10.0),
        (0.7, 0.0, -200.0, 0.0),
    ],
)
def test_stop(own, x, v, effort, loss):
    """Limits of its own, or the joint's; it damps inside only and never pulls."""
    given = {"low": -0.3, "high": 0.5} if own else {}
    stop = hs.Stop("s", "x", 1000.0, 10.0, **given)
    model = slide(stop, limits=None if own else (-0.3, 0.5))
    a, lost, told = state(model, x, v)
    assert a == pytest.approx(effort / 2) and told["s.effort"] == pytest.approx(effort)
    assert lost == pytest.approx(loss)


@pytest.mark.parametrize(
    ("slack", "x", "v", "tension", "loss"),
    [
        (True, 1.0, 2.0, 10 * 0.3 + 4 * 1.0, 4.0),
        (True, 0.2, 9.0, 0.0, 0.0),
        (True, 1.0, -8.0, 0.0, 12.0),
        (False, 0.2, 2.0, -10 * 0.1 + 4.0, 4.0),
    ],
)
def test_tendon(slack, x, v, tension, loss):
    """Arm 0.5, rest 0.2: stretched by 0.5 x - 0.2; slack it neither pushes nor damps."""
    tendon = hs.Tendon("t", {"x": 0.5}, stiffness=10, damping=4, length=0.2, slack=slack)
    a, lost, told = state(slide(tendon), x, v)
    assert told["t.force"] == pytest.approx(tension) and a == pytest.approx(-0.5 * tension / 2)
    assert told["t.stretch"] == pytest.approx(0.5 * x - 0.2) and lost == pytest.approx(loss)


def test_bushing():
    stiffness, damping = (1, 2, 3, 40, 50, 60), (0.1, 0.2, 0.3, 4, 5, 6)
    for k, axis in enumerate("xyz"):
        along = hs.Model(
            hs.Body("b", mass=1.0, inertia=(1, 1, 1)),
            hs.Prismatic("j", hs.WORLD, "b", axis=axis),
            hs.Bushing("u", hs.WORLD, "b", stiffness, damping),
            gravity=(0, 0, 0),
        )
        a, loss, told = state(along, 0.1, 2.0)
        assert a == pytest.approx(-stiffness[3 + k] * 0.1 - damping[3 + k] * 2.0)
        assert loss == pytest.approx(damping[3 + k] * 4.0)
        assert told["u.force"][k] == pytest.approx(a) and not told["u.moment"].any()
        about = hs.Model(
            hs.Body("b", mass=1.0, inertia=(1, 1, 1)),
            hs.Revolute("j", hs.WORLD, "b", axis=axis),
            hs.Bushing("u", hs.WORLD, "b", stiffness, damping),
            gravity=(0, 0, 0),
        )
        a, loss, told = state(about, 1.2, 2.0)
        assert a == pytest.approx(-stiffness[k] * 1.2 - damping[k] * 2.0)
        assert loss == pytest.approx(damping[k] * 4.0)
        assert told["u.moment"][k] == pytest.approx(a)
        assert told["potential"] == pytest.approx(0.5 * stiffness[k] * 1.44)


def test_wrench_in_both_axes():
    for axes, expected in (("world", 3.0), ("frame", 3.0 * np.cos(0.7))):
        model = hs.Model(
            hs.Body("b", mass=1.0, inertia=(1, 1, 2), frames={"tip": hs.Frame((0, 0, 0))}),
            hs.Chain("j", hs.WORLD, "b", "Tx Rz"),
            hs.Wrench("w", "b.tip", force=(3, 0, 0), moment=(0, 0, "5 * t"), axes=axes),
            gravity=(0, 0, 0),
        )
        found = hs.compile(state_rates(model))(np.array([0.0, 0.7]), np.zeros(2), np.zeros(2), t=2.0)
        assert found.a == pytest.approx([expected, 5.0])


def test_numbers_may_be_formulas():
    for fact in (
        hs.JointSpring("s", "x", "k", "c", rest="r"),
        hs.Stop("s", "x", "k", "c", low="r"),
        hs.Spring("s", hs.WORLD, "block", "k", "c", "r"),
        hs.Tendon("s", {"x": "r"}, "k", "c", "r"),
        hs.Friction("s", "x", "k", "2 * k", "c"),
        hs.Bushing("s", hs.WORLD, "block", ("k",) * 6, ("c",) * 6),
    ):
        assert any(isinstance(value, Formula) for value in vars(fact).values() if value) or any(
            isinstance(x, Formula) for v in vars(fact).values() if isinstance(v, tuple) for x in v
        )
        model = slide(fact, parameters={"k": 10, "c": 3, "r": 0.2})
        a, _, _ = state(model, 0.5, 2.0)
        assert np.isfinite(a) and {"k", "c"} <= set(state_rates(model).parameters)


def test_arrows_of_several_touches_stand_in_their_middle():
    box = hs.Model(
        hs.Body("b", mass=1.0, inertia=(1, 1, 1)),
        hs.Free("f", hs.WORLD, "b"),
        hs.Contact("c", ("b", hs.Box((0.2, 0.4, 0.6))), hs.WORLD.plane(), law=hs.Linear(100.0)),
    )
    at = hs.compile(arrows(box))
    q = np.array([1.0, 2.0, 0.25, 1, 0, 0, 0])
    assert at(q, np.zeros(6)) == pytest.approx([1.0, 2.0, -0.025, 0, 0, 4 * 5.0])
    q[2] = 1.0
    assert at(q, np.zeros(6))[3:] == pytest.approx([0, 0, 0])  # nothing touches
    assert arrows(slide(hs.JointSpring("s", "x", 1))) is None
