"""A device's own kinematics: angles to a place, forces to torques, the weight carried."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.mapped import Mapped
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand
from hapsis.touch.realtime.device import checked

ANGLE = st.floats(-1.2, 1.2)


def arm():
    """Three joints that reach every place."""
    return hs.Model(
        hs.Body("turret", mass=0.3, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Rod("upper", length=0.2, mass=0.12),
        hs.Rod("fore", length=0.18, mass=0.1),
        hs.Revolute("base", hs.WORLD, "turret", axis="z"),
        hs.Revolute("shoulder", "turret", "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "fore", axis="y"),
    )


MODEL = arm()
POSE, J, BIAS = (
    hs.compile(hs.pose(MODEL, "fore.end")),
    hs.compile(hs.jacobian(MODEL, "fore.end")),
    hs.compile(hs.bias(MODEL)),
)
AXES = ("base", "shoulder", "elbow")


def joints(q, **more):
    return SimulatedHand(aim=q, axes=AXES, unit="rad", name="arm", **more)


def hold(device, force):
    """Commands a force until the efforts no longer change: they keep their slew."""
    for k in range(60):
        device.sample(k * 1e-3)
        device.command(np.array(force), k * 1e-3)
    return device.inner.memory.coupling.force


@settings(deadline=None, max_examples=30)
@given(ANGLE, ANGLE, ANGLE, st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_places_and_torques(a, b, c, force):
    q = np.array([a, b, c])
    inner = joints(q)
    device = Mapped(inner, MODEL, "fore.end", max_force=5.0)
    checked(device)
    seen = device.sample(0.0)
    assert np.allclose(seen["position"], POSE(q).p, atol=1e-14) and seen["status"] == 0
    wanted = J(q)[3:].T @ np.array(force) + BIAS(q, np.zeros(3))
    assert np.allclose(hold(device, force), wanted, atol=1e-12)


def test_speeds_and_power():
    """What the frame gives is what the joints give, the weight apart."""
    t = np.linspace(0.0, 1.0, 201)
    q = np.stack([0.3 * np.sin(3 * t), 0.5 + 0.2 * t**2, -0.8 + 0.3 * t], axis=1)
    inner = SimulatedHand(motion=(t, q), axes=AXES, unit="rad")
    device = Mapped(inner, MODEL, "fore.end", max_force=5.0, gravity=False)
    rng = np.random.default_rng(1)
    for moment in (0.2, 0.5, 0.77):
        seen, force = device.sample(moment), rng.normal(size=3)
        h = 1e-5
        ahead, back = device.sample(moment + h)["position"], device.sample(moment - h)["position"]
        assert np.allclose((ahead - back) / (2 * h), seen["velocity"], atol=1e-6)
        rates = inner.sample(moment)["velocity"]
        for _ in range(60):
            device.sample(moment)
            device.command(force)
        assert inner.memory.coupling.force @ rates == pytest.approx(force @ seen["velocity"], rel=1e-12)


def test_a_free_arm_stands_still():
    """With its weight carried, an arm that nothing holds does not move."""
    q = np.array([0.2, 0.4, 0.9])
    device = Mapped(joints(q), MODEL, "fore.end", max_force=5.0)
    a = hs.compile(hs.forward_dynamics(MODEL))(q, np.zeros(3), hold(device, np.zeros(3)))
    assert np.abs(a).max() < 1e-11


def test_weak_joints_keep_direction_and_carry_the_weight():
    q = np.array([0.0, 0.3, 0.8])
    inner = joints(q, max_force=0.5)
    device = Mapped(inner, MODEL, "fore.end", max_force=100.0)
    force = np.array([10.0, -4.0, 20.0])
    weight = BIAS(q, np.zeros(3))
    asked, got = J(q)[3:].T @ force, hold(device, force) - weight
    part = got @ asked / (asked @ asked)
    assert 0.0 < part < 1.0 and np.allclose(got, part * asked, atol=1e-12)
    assert np.abs(inner.memory.coupling.force).max() == pytest.approx(0.5) and device.cut > 40


def test_admittance():
    """Joints that go where they are told: the frame follows, and feels the hand."""
    start = np.array([0.1, 0.5, 0.7])
    inner = joints(start, causality="admittance", stiffness=2.0, damping=0.0)
    device = Mapped(inner, MODEL, "fore.end", max_force=5.0, gravity=False, damping=1e-7)
    with device:
        first = device.sample(0.0)["position"].copy()
        for k in range(1, 101):
            seen = device.sample(k * 1e-3)
            target = first + 0.02 * np.sin(0.03 * k) * np.array([1.0, -0.5, 0.7])
            device.command(target, k * 1e-3)
            assert np.allclose(POSE(inner.memory.coupling.position).p, target, atol=1e-10)
        seen = device.sample(0.101)
        q = inner.memory.coupling.position
        tau = 2.0 * (start - q)
        assert np.allclose(J(q)[3:].T @ seen["force"], tau, atol=1e-8)
        assert np.abs(seen["force"]).max() > 0.01


def test_near_a_singular_pose_nothing_explodes():
    inner = joints([0.0, 0.0, 0.0], causality="admittance", stiffness=2.0)  # stretched out
    device = Mapped(inner, MODEL, "fore.end", max_force=5.0, damping=0.01)
    device.open()
    seen = device.sample(0.0)
    device.command(seen["position"] * 1.5, 0.001)  # beyond its reach
    assert np.isfinite(inner.memory.coupling.position).all() and np.isfinite(seen["force"]).all()


def test_some_directions_only():
    plane = hs.Model(
        hs.Rod("upper", length=0.2, mass=0.12),
        hs.Rod("fore", length=0.2, mass=0.1),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "fore", axis="y"),
    )
    inner = SimulatedHand(aim=(0.3, 0.4), axes=("a", "b"), unit="rad")
    device = Mapped(inner, plane, "fore.end", axes=("x", "z"), max_force=5.0)
    p = hs.compile(hs.pose(plane, "fore.end"))([0.3, 0.4]).p
    assert np.allclose(device.sample()["position"], p[[0, 2]], atol=1e-15)


def test_trouble_of_the_device_is_passed_on():
    inner = joints([0.1, 0.2, 0.3])
    device = Mapped(inner, MODEL, "fore.end", max_force=5.0)
    inner.fault("nan")
    assert not hold(device, np.ones(3)).any()  # no pose yet, no torque
    inner.fault()
    before = device.sample()["counter"]
    inner.fault("unplugged")
    assert device.sample()["status"] == 1 and device.sample()["counter"] == before
    inner.fault("nan")
    assert np.isnan(device.sample()["position"]).all()
    # the last good pose counts, and the weight is no longer carried
    assert np.allclose(hold(device, np.ones(3)), J([0.1, 0.2, 0.3])[3:].T @ np.ones(3), atol=1e-12)
    inner.fault()
    held = hold(device, np.array([1.0, np.nan, 1.0]))
    assert np.isfinite(held).all() and np.abs(held).max() < 1.0


def test_what_cannot_be():
    with pytest.raises(DeviceError, match="has 1 axes and its model 3 coordinates"):
        Mapped(SimulatedHand(aim=0.0), MODEL, "fore.end", max_force=1.0)
    with pytest.raises(DeviceError, match='no axis "w"; expected x, y, z'):
        Mapped(joints([0, 0, 0]), MODEL, "fore.end", axes=("w",), max_force=1.0)
    with pytest.raises(hs.ModelError):
        Mapped(joints([0, 0, 0]), MODEL, "fore.tip", max_force=1.0)
    with pytest.raises(DeviceError, match="is no device"):
        Mapped(object(), MODEL, "fore.end", max_force=1.0)
