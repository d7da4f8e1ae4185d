"""A mechanism between two hands: both wrenches, their power, and two devices in one loop."""

import numpy as np
import pytest
from grasp_laws.mechanisms import seven_joints, two_links

import hapsis as hs


def bar(damping=0.0):
    """Two links from hand to hand: a chain that closes through both of them."""
    return hs.Model(
        hs.Rod("one", length=0.2, mass=0.3),
        hs.Rod("two", length=0.2, mass=0.3),
        hs.Chain("base", hs.WORLD, "one", "Tx Tz Ry"),
        hs.Revolute("hinge", "one.end", "two", axis="y", damping=damping),
        poses={"start": {"base.Ry": 0.3, "hinge": -0.9}},
    )


def four_bar():
    return hs.Model(
        hs.Rod("crank", length=0.2, mass=0.2),
        hs.Rod("coupler", length=0.5, mass=0.5),
        hs.Rod("rocker", length=0.4, mass=0.4),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        poses={"start": {"A": 0.3, "B": 0.4, "D": 1.25}},
    )


HELD = {
    "bar": (bar, {"left": "one", "right": "two.end"}),
    "four_bar": (four_bar, {"left": "crank.end", "right": "rocker.end"}),
}


def run(name, dt, kind="point"):
    """Work of each hand, the energy at start and end, and the last outputs, of a motion of both."""
    make, frames = HELD[name]
    options = {"kind": kind, "damping": 0.0, "measured": "velocity", "stiffness": 400.0, "max_force": 1e6}
    tick = hs.haptics.grasp(make(), frames, dt, **options)
    call, state, works, before = hs.compile(tick), {}, dict.fromkeys(frames, 0.0), None
    first = {p.name: float(p.stand_in) for p in tick.inputs if p.name.endswith(".position")}
    for k in range(round(0.4 / dt) + 1):
        t, given, powers = dt * k, {}, {}
        for n, (place, x) in enumerate(first.items()):
            axis = place.removesuffix(".position")
            size = 0.01 * (1 + n % 3) if ".T" in axis else 0.1
            given[place] = x + size * np.sin((4 + n) * t) ** 2
            given[f"{axis}.velocity"] = size * (4 + n) * np.sin(2 * (4 + n) * t)
        out = tick.outputs_by_name(call(**state, **given))
        state = {port: out[port] for port in ("q", "v", "z", "t") if port in out}
        for hand in frames:
            own = [p.removesuffix(".position") for p in first if p.startswith(f"{hand}.")]
            powers[hand] = -sum(out[f"{axis}.effort"] * given[f"{axis}.velocity"] for axis in own)
        if before is None:
            energy = out["energy"]
        else:
            works = {hand: works[hand] + 0.5 * dt * (powers[hand] + before[hand]) for hand in frames}
        before = powers
    return works, out["energy"] - energy, out


@pytest.mark.parametrize(("name", "kind"), [("bar", "point"), ("bar", "full"), ("four_bar", "point")])
def test_the_work_of_both_hands_is_the_energy_of_the_mechanism_and_of_the_springs(name, kind):
    errors = []
    for dt in (1e-3, 5e-4):
        works, energy, _ = run(name, dt, kind)
        errors.append(abs(sum(works.values()) - energy))
    assert min(map(abs, works.values())) > 1e-4
    assert errors[0] < 2e-3 * max(map(abs, works.values())) and errors[1] < 0.35 * errors[0]


def test_the_pull_of_one_hand_is_felt_by_the_other():
    """In rest, without weight, what one hand does to the mechanism the other undoes."""
    model = hs.Model(bar(0.02), gravity=(0, 0, 0))
    tick = hs.haptics.grasp(model, HELD["bar"][1], 1e-3, kind="point", damping=5.0)
    call, state = hs.compile(tick), {}
    x = float({p.name: p.stand_in for p in tick.inputs}["right.Tx.position"])
    for _ in range(6000):
        out = tick.outputs_by_name(call(**state, **{"right.Tx.position": x + 0.05}))
        state = {port: out[port] for port in ("q", "v", "z", "t")}
    left, right = ([out[f"{hand}.wrench.f{axis}"] for axis in "xyz"] for hand in ("left", "right"))
    assert np.linalg.norm(right) > 0.5
    np.testing.assert_allclose(left, -np.array(right), rtol=0, atol=2e-2)
    assert out["left.share"] == out["right.share"] == 1.0


def test_two_arms_hold_one_mechanism():
    """Each arm by its own name; their efforts hold their weights where nothing pulls."""
    (left, left_end), (right, right_end) = seven_joints(), two_links()
    model = hs.Model(bar(), gravity=(0, 0, 0))
    tick = hs.haptics.grasp(
        model, HELD["bar"][1], 1e-3, kind="point",
        arm={"left": left, "right": right}, arm_frame={"left": left_end, "right": right_end},
    )  # fmt: skip
    out = tick.outputs_by_name(hs.compile(tick)())
    for arm in (left, right):
        q = [float(p.stand_in) for p in tick.inputs if p.name.removesuffix(".position") in arm.coordinates]
        weight = hs.compile(hs.bias(arm))(q, np.zeros(len(q)))
        efforts = [out[f"{name}.effort"] for name in arm.coordinates]
        np.testing.assert_allclose(efforts, weight, rtol=0, atol=1e-5)


def pair():
    """Two hands that hold the bar: the left one is still, the right one moves."""
    t = np.linspace(0.0, 1.0, 100)
    tick = hs.haptics.grasp(bar(), HELD["bar"][1], 1e-3, kind="point")
    x = {p.name: float(p.stand_in) for p in tick.inputs if p.name.endswith(".position")}
    start = np.array(list(x.values()))
    moved = start[3:] + np.stack([0.03 * np.sin(6 * t), 0 * t, 0.02 * np.sin(9 * t)], axis=1)
    axes = ["Tx", "Ty", "Tz"]
    left = hs.haptics.SimulatedHand(aim=start[:3], axes=axes, name="one")
    right = hs.haptics.SimulatedHand(motion=(t, moved), axes=axes, name="other", max_force=30.0)
    return tick, left, right


def test_two_devices_are_one_pair_in_a_loop():
    tick, left, right = pair()
    both = hs.haptics.DevicePair(left, right)
    assert both.axes == ("left.Tx", "left.Ty", "left.Tz", "right.Tx", "right.Ty", "right.Tz")
    assert both.capabilities.max_force == (100.0,) * 3 + (30.0,) * 3
    loop = hs.realtime.Loop(tick, 1000, paced=False, guard={"passive": False, "slew": 1e5}).connect(both)
    report = loop.run(0.8).report()
    assert report.cause == "" and np.ptp(report["hands.right.Tx.position"]) > 0.02
    assert np.ptp(report["hands.left.Tx.position"]) == 0.0
    for hand in ("left", "right"):
        assert np.array_equal(report[f"hands.{hand}.Tz.command"], report[f"{hand}.Tz.effort"])
        assert np.ptp(report[f"{hand}.Tz.effort"]) > 0.1


@pytest.mark.parametrize("fault", ["stale", "nan", "unplugged"])
@pytest.mark.parametrize("which", [0, 1])
def test_the_trouble_of_one_device_takes_the_force_from_both(fault, which):
    tick, *devices = pair()
    both = hs.haptics.DevicePair(*devices)
    loop = hs.realtime.Loop(tick, 1000, paced=False, guard={"passive": False}).connect(both)
    loop.run(0.2)
    devices[which].fault(fault)
    with pytest.warns(hs.Notice):
        report = loop.run(0.2).report()
    assert report.cause
    commands = [report[f"hands.{axis}.command"] for axis in both.axes]
    assert not np.array(commands)[:, -100:].any()


def test_mistakes_are_told():
    tick, left, right = pair()
    with pytest.raises(hs.DeviceError, match="both are the same"):
        hs.haptics.DevicePair(left, left)
    with pytest.raises(hs.DeviceError, match="two different"):
        hs.haptics.DevicePair(left, right, names=("hand", "hand"))
    admits = hs.haptics.SimulatedHand(aim=0.0, stiffness=10.0, causality="admittance")
    with pytest.raises(hs.DeviceError, match="takes no forces"):
        hs.haptics.DevicePair(left, admits)
    both = hs.haptics.DevicePair(left, right)
    loop = hs.realtime.Loop(tick, 1000, soft=True).connect(both)
    loop.start()
    try:
        with pytest.raises(hs.DeviceError, match="is in use"):
            right.command(0.0)
    finally:
        loop.stop()
    model, frames = bar(), HELD["bar"][1]
    for message, given in {
        "several hands": {"coupling": "rigid"},
        "one hand": {"gripper": hs.haptics.Gripper(0.02, 0.05)},
        "no hand": {"arm": {"middle": two_links()[0]}},
        "arm is one": {"arm": two_links()[0]},
    }.items():
        with pytest.raises(hs.ModelError, match=message):
            hs.haptics.grasp(model, frames, 1e-3, kind="point", **given)
    with pytest.raises(hs.ModelError, match="no hand holds"):
        hs.haptics.grasp(model, {}, 1e-3)
    with pytest.raises(hs.ModelError, match='the mechanism has "one", and the hand would be called so'):
        hs.haptics.grasp(model, {"one": "one", "two": "two.end"}, 1e-3, kind="point")
